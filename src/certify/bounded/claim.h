/* What a certificate claims: the checker's own reader of doc/certificates.md. */
#ifndef TP_CERTIFY_BOUNDED_CLAIM_H
#define TP_CERTIFY_BOUNDED_CLAIM_H

#include "program/program.h"

typedef struct {
  uint32_t *rank;         // by location: order of its `loop` line, 0: none
  uint64_t *iterations;   // by location: largest count of turns; 0 without a line
  uint64_t *activations;  // by function: at the same time; 1 without a line
  uint64_t within;  // 0: no run exceeds these counts; else the claim is about runs that do not,
                    // and no count is below it
} tp_chk_bounds;

/* Reads a certificate that must be for p and prop, of kind `unrolling` (within 0) or of kind
 * `bounded` with this bound; false: why says what does not fit. The claim must be cleared in either
 * case. */
bool tp_chk_bounds_read(tp_chk_bounds *c, const tp_program *p, tp_property prop, uint64_t within,
                        const char *text, tp_str *why) TP_MUST_USE;
void tp_chk_bounds_clear(tp_chk_bounds *c);

#endif

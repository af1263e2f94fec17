/* Certificates of completed unrollings: the text behind a TRUE.
 *
 * What       a record of the claim, its writer and its reader. The format and the claim:
 *            doc/certificates.md.
 * Ownership  a record owns its vectors; assumption texts live in its arena. */
#ifndef TP_ENGINE_UNROLLING_H
#define TP_ENGINE_UNROLLING_H

#include "program/program.h"

typedef struct {
  tp_func func;
  tp_loc head;
  uint64_t iterations;  // largest count of arrivals from inside the component
} tp_cert_loop;

typedef struct {
  tp_func func;
  uint64_t n;  // activations at the same time
} tp_cert_depth;

typedef struct {
  tp_property property;
  uint32_t ptr_bits;
  uint64_t fingerprint;
  uint64_t within;             // the claim is about runs within this bound only; 0: about all
  TP_VEC(tp_cert_loop) loops;  // per function outermost first
  TP_VEC(tp_cert_depth) depths;
  TP_VEC(const char *) assumptions;
  tp_arena arena;
} tp_unrolling;

void tp_unrolling_init(tp_unrolling *u);
void tp_unrolling_clear(tp_unrolling *u);
/* Adds the entry text to the assumptions unless it is already there. */
void tp_unrolling_add_assumption(tp_unrolling *u, const char *text);
void tp_unrolling_write(const tp_unrolling *u, const tp_program *p, tp_str *out);
/* Reads a certificate for p. On failure says in `why` which line is wrong.
 * Errors: TP_ERR_INPUT (not this format, other program, unknown function or location). */
tp_status tp_unrolling_read(const char *text, const tp_program *p, tp_unrolling *out,
                            tp_str *why) TP_MUST_USE;

#endif

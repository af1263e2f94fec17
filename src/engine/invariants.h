/* Certificates of invariants: the text behind an unbounded TRUE. The format and the claim: doc/certificates.md, kind `invariants`.
 *
 * What       a record of the claim, its writer and its reader.
 * Represents for each context (call string) and labelled location a disjunction of formulas over the variables of all frames
 *            of the context, globals, ghosts and memory cells; contracts of functions that are called by contract.
 * Ownership  a record owns its vectors. */
#ifndef TP_ENGINE_INVARIANTS_H
#define TP_ENGINE_INVARIANTS_H

#include "cpa/context.h"
#include "program/summary.h"

typedef struct {
  tp_context context;
  tp_loc loc;
  tp_term formula;             // several entries for one pair: their disjunction
} tp_invariant;

typedef struct {
  tp_property property;        // NONE: facts only, no claim about errors
  uint32_t ptr_bits;
  uint64_t fingerprint;
  tp_contexts contexts;
  tp_summaries contracts;      // numbers as in contexts' roots
  TP_VEC(tp_invariant) list;
  TP_VEC(const char *) assumptions;
  tp_arena arena;
} tp_invariants;
void tp_invariants_init(tp_invariants *v);
void tp_invariants_clear(tp_invariants *v);
/* False: a term has no text (a variable that is not the program's). */
bool tp_invariants_write(const tp_invariants *v, const tp_program *p, tp_str *out) TP_MUST_USE;
tp_status tp_invariants_read(const char *text, tp_program *p, tp_invariants *out, tp_str *why) TP_MUST_USE;

/* Where a certificate must have labels: heads of loops, locations that two edges enter, function entries and exits. */
bool tp_is_label(const tp_program *p, tp_loc l);

#endif

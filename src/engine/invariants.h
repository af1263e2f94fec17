/* Certificates of invariants: the text behind an unbounded TRUE. The format and the claim:
 * doc/certificates.md, kind `invariants`.
 *
 * What       a record of the claim, its writer and its reader.
 * Represents for each context (call string) and cutpoint a disjunction of formulas over the
 *            variables of all frames of the context, globals, ghosts and memory cells; contracts of
 *            functions that are called by contract.
 * Ownership  a record owns its vectors. */
#ifndef TP_ENGINE_INVARIANTS_H
#define TP_ENGINE_INVARIANTS_H

#include "cpa/context.h"
#include "program/summary.h"

typedef struct {
  tp_context context;
  tp_loc loc;
  tp_term formula;  // several entries for one pair: their disjunction
} tp_invariant;

/* A function of the state by recursion over an index: symbol(0) = step(0, 0), symbol(x) = step(x,
 * symbol(x - 1)), where the step is a term over the state, `index` and `before`. */
typedef struct {
  tp_term symbol, step, index, before;
} tp_invariant_fold;

typedef struct {
  tp_context context;
  tp_loc loc;
} tp_counted_cutpoint;

typedef struct tp_invariants {
  tp_property property;  // NONE: no claim about errors
  uint32_t ptr_bits;
  uint64_t fingerprint;
  tp_contexts contexts;
  tp_summaries contracts;  // numbers as in contexts' roots
  TP_VEC(tp_invariant) list;
  TP_VEC(tp_invariant_fold) folds;  // numbered from 1 on; formulas read their symbols
  uint32_t k;  // steps of k-induction that exclude errors; 0 is 1: the formulas alone do
  TP_VEC(tp_counted_cutpoint) counted;  // labels whose arrivals are such steps; empty: all
  TP_VEC(const char *) assumptions;
  const struct tp_cert_shapes *shapes;  // NULL, or graphs that belong to the entries of `list`
                                        // (cert_shapes.h): a certificate of kind `shapes`; borrowed
  tp_arena arena;
} tp_invariants;
void tp_invariants_init(tp_invariants *v);
void tp_invariants_clear(tp_invariants *v);
/* On the heap, for results. */
tp_invariants *tp_invariants_new(void);
void tp_invariants_free(tp_invariants *v);
/* Adds the text to the assumptions unless it is already there. */
void tp_invariants_add_assumption(tp_invariants *v, const char *text);
/* False: a term has no text (a variable that is not the program's). Entries of `list` are written
 * in their order. */
bool tp_invariants_write(const tp_invariants *v, const tp_program *p, tp_str *out) TP_MUST_USE;
/* Reads a certificate for p, without shapes; out must be initialised. Formulas speak of what their
 * location allows, and of nothing else. Errors: TP_ERR_INPUT, why says which line. */
tp_status tp_invariants_read(const char *text, tp_program *p, tp_invariants *out,
                             tp_str *why) TP_MUST_USE;

/* Which variables may a formula speak of? Those of all frames of the context, and what every
 * location may speak of: globals, ghosts and memory cells. */
bool tp_invariant_may_use(const tp_program *p, const tp_contexts *contexts, tp_context context,
                          tp_term var);
/* The same for the contract of a function: globals, ghosts, cells; before the call the parameters,
 * behind it the result, and parameters that the function never assigns: they still are what they
 * were. */
typedef enum { TP_CONTRACT_PRE, TP_CONTRACT_POST } tp_contract_side;
bool tp_contract_may_use(const tp_program *p, tp_func f, tp_contract_side side, tp_term var);

/* Where a certificate must have entries, its cutpoints: heads of loops and other locations of the
 * cut set, locations that two edges enter, entries and exits of functions, locations behind calls.
 */
bool tp_is_certificate_cutpoint(const tp_program *p, tp_loc l);

#endif

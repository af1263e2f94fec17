/* Templates of called functions: what a body does, from any state, once for all of its calls.
 *
 * What       for each function that calls abstract: relations for the state in which it is called
 *            and for the one in which it returns, and its body executed symbolically between them,
 *            with its own calls abstract again. A call is checked against the template (can the
 *            body lead from this state to that one?), and what a refutation teaches is stated over
 *            the relations of the template, so that it can be used at every call.
 * Represents behaviour of one call, as a conjunction: RETURNS: the body returns, and each member,
 *            global, last object of a type, the set of freed objects and the result are those of
 *            the post-state; FAILS, UNROLL, OBJECTS, UNSUPPORTED: it ends so. New objects need no
 *            names: an allocation takes the first object of its type that was not allocated, so
 *            the states of caller and body agree object by object. Local variables of the body have
 *            atoms that are the template's: behind a call they are gone and forgotten, but for
 *            those that memory or the result still leads to, which are among the freed objects; a
 *            call while something leads to such a variable ends in UNSUPPORTED.
 * Limits     functions that call themselves, or each other, are executed where they call each
 *            other; so are calls whose arguments or result have no relations. They are counted
 *            (tp_rexec.n_inlined).
 * Ownership  owns templates; heap and contracts are borrowed.
 * Source     Taghdiri 2008, sec. 5.2.2, 6.1.2. We differ: failures, freed objects, one template for
 *            all calls. */
#ifndef TP_CONTRACTS_MODULAR_CALL_TEMPLATES_H
#define TP_CONTRACTS_MODULAR_CALL_TEMPLATES_H

#include "contracts/modular/relational_exec.h"

/* A kind of end, or that it returns. */
typedef uint32_t tp_call_outcome;
enum { TP_CALL_RETURNS = 4, TP_CALL_N_OUTCOMES };  // behind the kinds of ends

typedef TP_VEC(tp_rel_formula) tp_rel_formulas;

typedef struct tp_call_template {
  tp_func func;
  tp_rexec_start start;  // relations of the pre-state; n_fields fields
  tp_rexec_store after;  // relations of the post-state
  tp_rel_expr result;    // id 0: none
  uint32_t n_args;
  tp_rexec body;
  tp_rel_formulas proposed;                 // over the two states; none is shown (call_proposals.h)
  bool proposes_all;                        // that is all that the proposed contract says
  struct tp_call_template *with_proposals;  // the same with proposed contracts at calls, or NULL
  // of the heap's: those of pre-state and post-state; those of the body, which are its own
  size_t first_havoc, own_havoc, end_havoc, first_input, end_input;
} tp_call_template;

typedef struct tp_call_templates {
  tp_arena arena;
  tp_rheap *heap;
  tp_contracts *contracts;
  tp_rexec_callee *callees;  // by function
  TP_VEC(tp_call_template *) all;
  tp_map of;  // function to index + 1
} tp_call_templates;

/* Components of the call graph, who allocates; no template yet. */
void tp_call_templates_init(tp_call_templates *t, tp_rheap *h, tp_contracts *m);
void tp_call_templates_clear(tp_call_templates *t);
/* Executes the body of every function that `body` calls abstract, and of those that these call.
 * True: how they can end is not what was assumed; execute again. */
bool tp_call_templates_run(tp_call_templates *t, const tp_rexec *body);
const tp_call_template *tp_call_template_of(const tp_call_templates *t, tp_func f);

/* Does one of the bodies compute with integers, so that it may leave the width? */
bool tp_call_templates_compute(const tp_call_templates *t);
/* Calls in the bodies that were executed where they are. */
uint32_t tp_call_templates_n_inlined(const tp_call_templates *t);

/* The conjuncts of one behaviour; the list is the caller's. */
void tp_call_template_behaviour(const tp_call_templates *t, const tp_call_template *f,
                                tp_call_outcome outcome, tp_rel_formulas *out);

#endif

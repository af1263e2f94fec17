/* Refinement of specifications, for heaps.
 *
 * What       the loop of contracts/refine/refinement_loop.h over relational logic: questions are
 *            put to the model finder, calls are checked against templates
 *            (contracts/modular/call_templates.h), specifications are extracted from refutations.
 * Represents the main question is a formula over one execution, together with everything that was
 *            added to its finder; the finder stays from question to question and keeps what it
 *            learned. A call's question fixes the state before and after the call as exact bounds;
 *            fresh memory has the values that the main instance gives it. A specification is a
 *            formula over the relations of a template: implied by its body, false for the two
 *            states that were refuted; both are checked by the finder before it is used. At a call
 *            it is guarded: it holds where the call ends as it was asked.
 * Cost       a call that was found possible between two states is not asked again with them. A call
 *            that contradicts what its callee's summary says (contracts/modular/call_proposals.h),
 *            or changes what the body leaves alone (contracts/refine/left_alone.h), is refined
 *            without a replay.
 * Limits     a call whose states have no values is UNKNOWN.
 * Ownership  borrows templates and heap, whose bounds are set; owns finders and bounds.
 * Source     Taghdiri 2008, chapter 6. We differ: one refutation is used at all calls where it
 *            helps; an incremental finder for the main question; after a few refinements of one
 *            callee whole conjuncts of its body are taken in place of single paths, after a few at
 *            one call the whole body. */
#ifndef TP_CONTRACTS_REFINE_HEAP_REFINEMENT_H
#define TP_CONTRACTS_REFINE_HEAP_REFINEMENT_H

#include "contracts/modular/call_templates.h"
#include "contracts/refine/refinement_loop.h"
#include "contracts/rel/finder.h"

typedef struct {
  tp_refinement_count loop;
  uint64_t n_refinements_first;  // in the first phase: for the property
  double first_s;                // CPU of the first phase
  uint64_t n_paths, n_whole;     // specifications of one path of the body; of whole conjuncts
  uint64_t n_bodies;             // bodies put at calls
  uint32_t n_implied;            // specifications whose implication by the body a refutation shows
  uint32_t n_implied_proved;     // by a clause proof that was checked
  uint64_t n_repeated;           // pairs of states of a call that came back: none
  uint64_t n_solver_calls;       // of replays, cores and checks of specifications
  uint64_t n_variables, n_clauses;  // of replays, in sum
  double main_s, replay_s;          // CPU: solving the main question; everything else
  double implied_s;                 // of the latter: checks that a body implies a specification
} tp_heap_refinement_stats;

typedef struct tp_heap_refinement tp_heap_refinement;
/* body: what is asked about; templates of all that it calls. */
tp_heap_refinement *tp_heap_refinement_new(tp_call_templates *t, const tp_rexec *body,
                                           double cpu_s);
void tp_heap_refinement_free(tp_heap_refinement *r);
/* Bounds of what the main question can speak of; for its finder. */
const tp_rel_bounds *tp_heap_refinement_bounds(const tp_heap_refinement *r);
/* The finder of the main question; symmetry is not broken. */
void tp_heap_refinement_use(tp_heap_refinement *r, tp_rel_finder *f);
/* Is `asked` possible, with what was added to the finder? POSSIBLE: the finder has the instance. */
tp_refinement_answer tp_heap_refinement_ask(tp_heap_refinement *r, tp_rel_formula asked);
/* Exact calls are replayed, too, from now on: a body may need more rounds than the bounds allow. */
void tp_heap_refinement_doubt_exact_calls(tp_heap_refinement *r);
/* After so many specifications at one call all that is known of the callee's body is put there; 0:
 * never. A callee that calls nothing abstract is executed there from then on, in effect. */
void tp_heap_refinement_body_after(tp_heap_refinement *r, uint64_t n);
/* NULL: nobody proves. A specification that must be proved to be implied by its body, and is not,
 * is not used: whole conjuncts of the body, which need no proof, are taken in its place. */
void tp_heap_refinement_prove(tp_heap_refinement *r, const tp_rel_prover *prover);
/* Calls at which a body was put, in this order. */
size_t tp_heap_refinement_n_inlined(const tp_heap_refinement *r);
const tp_rexec_call *tp_heap_refinement_inlined(const tp_heap_refinement *r, size_t i);
uint64_t tp_heap_refinement_used(const tp_heap_refinement *r);
void tp_heap_refinement_limit(tp_heap_refinement *r, uint64_t max_refinements);
/* What is asked from now on is counted apart: failures inside of calls, and whether the function
 * returns. */
void tp_heap_refinement_next_phase(tp_heap_refinement *r);
tp_heap_refinement_stats tp_heap_refinement_statistics(const tp_heap_refinement *r);
/* How often calls of the function were replayed that return; how many specifications were added at
 * a call of the main execution. */
uint64_t tp_heap_refinement_replays(tp_heap_refinement *r, tp_func f);
size_t tp_heap_refinement_at_call(const tp_heap_refinement *r, size_t call);
/* Each specification, with the function that it is of. */
void tp_heap_refinement_print(const tp_heap_refinement *r, tp_str *out);

#endif

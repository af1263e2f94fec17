/* Counterexample-guided refinement of specifications: the loop, for any language and any logic.
 *
 * What       decides whether a program with abstract calls can behave badly: a question is solved;
 *            every abstract call of the execution that is found is asked whether its callee can
 *            behave so, which is a question of the same kind, with abstract calls of its own; where
 *            it cannot, a specification is extracted from the refutation and added to the question
 *            that the call belongs to, and that question is solved again.
 * Represents questions are the instantiation's, opaque here. A question is an abstraction: it has
 *            all executions of the program with its calls expanded, and perhaps more. POSSIBLE: an
 *            execution was found whose calls are all possible, down to the last one. IMPOSSIBLE:
 *            there is none, even of the abstraction. LIMIT: as many refinements as allowed.
 * Invariants every specification that is added is implied by the callee and excludes the behaviour
 *            that was refuted: so a question only loses executions that do not exist, and never
 *            gives the same behaviour of a call twice (the instantiation's law; heaps check it).
 * Cost       one solve for each refinement and each replay; in a finite space the loop ends.
 * Source     Taghdiri 2008, chapter 2 and sec. 6.1.2. We differ from sec. 2.6: a specification of
 *            an inner call is added to the callee's question, not to the main one; specifications
 *            known from other calls are tried before a replay. */
#ifndef TP_CONTRACTS_REFINE_REFINEMENT_LOOP_H
#define TP_CONTRACTS_REFINE_REFINEMENT_LOOP_H

#include "base/base.h"

typedef enum {
  TP_REFINEMENT_POSSIBLE,
  TP_REFINEMENT_IMPOSSIBLE,
  TP_REFINEMENT_UNKNOWN,  // a limit of the solver, something that has no values
  TP_REFINEMENT_LIMIT
} tp_refinement_answer;

typedef struct tp_refinement_question tp_refinement_question;  // the instantiation's

/* Specifications that are known of a callee without a replay, and were added at a call. */
typedef struct {
  uint64_t n_first;  // used for the first time
  uint64_t n_again;  // they are at another call already
} tp_refinement_known;

/* ctx: the instantiation. */
typedef struct {
  /* POSSIBLE, IMPOSSIBLE or UNKNOWN; the execution is kept in the question until it is solved
   * again. */
  tp_refinement_answer (*solve)(void *ctx, tp_refinement_question *q);
  /* How many abstract calls the execution has that may be impossible, in the order of execution. */
  size_t (*n_calls)(void *ctx, const tp_refinement_question *q);
  /* Adds what is known of the callee and excludes the call's behaviour. */
  tp_refinement_known (*recall)(void *ctx, tp_refinement_question *q, size_t call);
  /* Can the callee behave as it does in this call? NULL: the behaviour has no values. */
  tp_refinement_question *(*enter)(void *ctx, tp_refinement_question *q, size_t call);
  /* callee is IMPOSSIBLE: what its refutation says becomes a specification, added at the call.
   * False: it cannot be had. */
  bool (*learn)(void *ctx, tp_refinement_question *q, size_t call, tp_refinement_question *callee);
  /* callee is POSSIBLE, so the call can be as it is; may remember that. */
  void (*confirm)(void *ctx, const tp_refinement_question *callee);
  void (*leave)(void *ctx, tp_refinement_question *callee);
} tp_refinement_ops;

/* What it took; sums over several runs if it is not set to 0 in between. */
typedef struct {
  uint64_t n_refinements;     // specifications that were found for a call
  uint64_t n_recalled;        // added at further calls
  uint64_t n_main, n_replay;  // questions solved: the one that was asked; of calls
  uint64_t max_refinements;   // of both kinds; more are LIMIT
} tp_refinement_count;

tp_refinement_answer tp_refinement_decide(const tp_refinement_ops *ops, void *ctx,
                                          tp_refinement_question *q, tp_refinement_count *count);

#endif

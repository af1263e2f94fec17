/* Inside of refinement for heaps: what is known of executions and questions, and what the stages do
 * with it: replay of a call (call_replay.c), a specification from its refutation
 * (specification_extraction.c), specifications that are offered before any refutation
 * (offered_specifications.c), specifications at calls (specifications_at_calls.c). */
#ifndef TP_CONTRACTS_REFINE_HEAP_REFINEMENT_PRIV_H
#define TP_CONTRACTS_REFINE_HEAP_REFINEMENT_PRIV_H

#include "contracts/refine/heap_refinement.h"
#include "contracts/refine/left_alone.h"
#include "contracts/rel/rel_eval.h"

typedef struct {
  tp_call_outcome outcome;
  // over relations of the template, and values of its own: one that holds; one that is not false,
  // made of one path, whose conditions may have no value elsewhere. Conjuncts; id 0: there is none
  tp_rel_formula part[2];
  bool is_path, has_own;
} tp_refined_specification;

enum { TP_REFINED_PART_HOLDS, TP_REFINED_PART_IS_NOT_FALSE, TP_REFINED_N_PARTS };

/* A specification that may be had without a refutation: where the call does not keep it, and the
 * body is shown to. */
typedef struct {
  tp_rel_formula formula;
  int part;  // of a specification
  bool is_shown, is_learned;
} tp_refined_offer;

/* What is known of one execution: main, or the body of a template. */
typedef struct {
  const tp_rexec *body;
  const tp_call_template *t;                 // NULL: main
  TP_VEC(tp_refined_specification) learned;  // of the template, in order
  TP_VEC(tp_rel_formula) guarded;            // at its calls; parallel: may be undefined
  TP_VEC(bool) weak;
  TP_VEC(uint32_t) own;  // relations: what nothing computes
  TP_VEC(tp_map) has;    // by call: specifications of the callee that were added
  TP_VEC(tp_map) copy;   // by call: own relations of the callee to those that stand for them here
  TP_VEC(uint32_t) in_place;  // by call: outcomes (a bit each) of which the whole body was added
  uint32_t n_paths;           // refutations from which a specification of one path was asked
  TP_VEC(tp_refined_offer) offers;
  bool has_offers, has_shown;  // they are known; it was asked which of them the body keeps
  uint64_t n_replays;          // of calls of the template that return
} tp_refined_scope;

struct tp_refinement_question {
  tp_refined_scope *s;
  tp_call_outcome outcome;
  tp_rel_bounds *bounds;
  tp_rel_finder *finder;
  tp_rel_formula asked;          // main
  TP_VEC(tp_rel_formula) all;    // of a call: conjuncts of the behaviour, then specifications
  TP_VEC(bool) weak;             // parallel
  TP_VEC(size_t) executed;       // calls of the last execution
  TP_VEC(tp_call_outcome) how;   // parallel
  tp_rel_instance states;        // of a call: what is bound exactly
  bool is_broken, is_confirmed;  // is_confirmed: these states were possible before
};

struct tp_heap_refinement {
  tp_arena arena;
  tp_call_templates *templates;
  tp_rheap *heap;
  double cpu_s;
  bool doubts_exact, is_later;
  tp_refined_scope main;
  tp_refined_scope *callees;  // by template
  bool *is_shared;            // by relation, of those that there were at the start
  uint32_t n_shared, n_renamed;
  tp_refinement_question question;
  tp_left_alone *left_alone;
  tp_map confirmed;               // behaviours that are possible, as hashes
  tp_map pairs;                   // refuted states, as hashes of text
  uint64_t body_after;            // specifications at one call; 0: the body is never put there
  TP_VEC(tp_rexec_call) inlined;  // calls at which the body was put
  const tp_rel_prover *prover;    // the caller's
  tp_heap_refinement_stats stats;
};

// ----------------------------------------------------- relations, bounds (refinement_relations.c)

static inline uint32_t tp_refine_number_of(const tp_heap_refinement *r, tp_rel_expr x) {
  return tp_rel_relation_number(r->heap->l, x);
}
tp_rel_expr tp_refine_relation_of(const tp_heap_refinement *r, uint32_t number);
/* The bound that the heap gives the relation, if it gives one. */
void tp_refine_copy_bound(const tp_heap_refinement *r, tp_rel_bounds *to, uint32_t number);
/* Bounds of what all states and executions share; the caller's. */
tp_rel_bounds *tp_refine_shared_bounds(const tp_heap_refinement *r);
tp_rel_options tp_refine_options_of(const tp_heap_refinement *r);
void tp_refine_count_finder(tp_heap_refinement *r, const tp_rel_finder *f);
/* NULL: the function has no template. */
tp_refined_scope *tp_refine_scope_of(tp_heap_refinement *r, tp_func f);
void tp_refine_clear_question(tp_refinement_question *q);

// ------------------------------------- specifications at calls (specifications_at_calls.c)

/* The call of this number among those that the last execution made. */
static inline const tp_rexec_call *tp_refine_call_of(const tp_refinement_question *q, size_t call) {
  return &q->s->body->calls.at[q->executed.at[call]];
}
/* Relations of the template to what they are at the call. */
void tp_refine_map_call(const tp_heap_refinement *r, const tp_call_template *t,
                        const tp_rexec_call *c, tp_map *out);
/* Does the specification speak of values that the body leaves open? */
bool tp_refine_has_own(const tp_heap_refinement *r, const tp_refined_scope *callee,
                       const tp_refined_specification *s);
tp_status tp_refine_add_formula(tp_rel_finder *f, tp_rel_formula x, bool weak) TP_MUST_USE;
/* Adds the callee's specification of this number where the call ends as it speaks of, for this and
 * all later questions about the execution. False: the finder refuses it, the question is broken. */
bool tp_refine_add_at_call(tp_heap_refinement *r, tp_refinement_question *q, size_t call,
                           tp_refined_scope *callee, size_t number);

// -------------------------------------- before a refutation (offered_specifications.c)

/* No instance that all premises allow makes the specification false, whatever the states are.
 * A specification that counts is a part of the verdict's argument: its refutation is proved, too.
 * weak, by premise: it may be undefined. */
bool tp_refine_is_implied(tp_heap_refinement *r, const tp_rel_formula *premises, const bool *weak,
                          size_t n_premises, tp_rel_formula spec);
tp_refinement_known tp_refine_recall(void *ctx, tp_refinement_question *q, size_t call);

// -------------------------------------------------------------------- replay (call_replay.c)

tp_refinement_question *tp_refine_enter(void *ctx, tp_refinement_question *caller, size_t call);
void tp_refine_leave(void *ctx, tp_refinement_question *q);
void tp_refine_confirm(void *ctx, const tp_refinement_question *callee);
/* The behaviour of a call as a number: its two states, how it ends. */
uint64_t tp_refine_behaviour_of(const tp_refinement_question *callee);

// ------------------------------------------------- refutations (specification_extraction.c)

bool tp_refine_learn(void *ctx, tp_refinement_question *q, size_t call,
                     tp_refinement_question *callee);

#endif

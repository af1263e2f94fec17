/* Random runs against invariants: in each state of a run at a cutpoint one of its formulas must be
 * true.
 *
 * The observer follows the run's frames through the certificate's contexts; a function with
 * contracts starts at the root of the first contract whose precondition is true. A formula that has
 * no value in a state (a cell where a load would be invalid) says nothing. */
#include "certify/runs/random_runs.h"
#include "certify/inductive/inductive_cert.h"

typedef struct {
  const tp_program *p;
  const tp_chk_cert *e;
  TP_VEC(uint32_t) contexts;  // of the frames; 0: nothing is claimed of this frame
  tp_edge call;               // the last call that was made
  tp_chk_run_check *check;
  uint64_t skipped;  // formulas without a value
} observation;

typedef enum { IS_FALSE, IS_TRUE, HAS_NO_VALUE } truth;
static truth truth_of(observation *w, const tp_state *s, tp_term formula) {
  tp_value v = {0};
  if (tp_state_eval(s, formula, &v) == TP_OK) return v.bits ? IS_TRUE : IS_FALSE;
  w->skipped++;
  return HAS_NO_VALUE;
}

static void refute(observation *w, const tp_state *s, const char *what) {
  if (w->check->broken) return;
  w->check->broken = what;
  w->check->where = tp_state_loc(s);
}

static uint32_t root_of_contract(observation *w, const tp_state *s, tp_func f) {
  bool unknown = false;
  for (uint32_t k = w->e->first_contract[f.id]; k; k = w->e->contracts.at[k].next_of_func) {
    truth pre = truth_of(w, s, w->e->contracts.at[k].pre);
    if (pre == IS_TRUE) return w->e->contracts.at[k].root;
    unknown = unknown || pre == HAS_NO_VALUE;
  }
  if (!unknown) refute(w, s, "a random run makes a call that meets no contract's pre");
  return 0;
}

static uint32_t context_of_new_frame(observation *w, const tp_state *s) {
  tp_func f = tp_loc_of(w->p, tp_state_loc(s))->func;
  if (!w->contexts.n) return w->e->main;
  uint32_t parent = tp_vec_last(&w->contexts);
  if (w->e->first_contract[f.id]) return root_of_contract(w, s, f);
  uint32_t c = parent ? tp_chk_cert_callee_context(w->e, parent, w->call, f) : 0;
  if (parent && !c) refute(w, s, "a random run makes a call that the certificate does not follow");
  return c;
}

static void check_cutpoint(observation *w, const tp_state *s, const tp_chk_cutpoint *l) {
  bool unknown = false;
  for (uint32_t i = 0; i < l->n; i++) {
    truth t = truth_of(w, s, w->e->formulas.at[l->first + i]);
    if (t == IS_TRUE) return;
    unknown = unknown || t == HAS_NO_VALUE;
  }
  if (!unknown) refute(w, s, "a random run does not meet the invariant");
}

static bool at_location(void *ctx, const tp_state *s) {
  observation *w = ctx;
  size_t depth = tp_state_depth(s);
  if (w->contexts.n > depth) w->contexts.n = depth;
  if (w->contexts.n < depth) {
    uint32_t new_frame =
        context_of_new_frame(w, s);  // looks at the frames so far: before there is one more
    tp_vec_push(&w->contexts, new_frame);
  }
  uint32_t context = tp_vec_last(&w->contexts),
           label = context ? tp_chk_cert_cutpoint(w->e, context, tp_state_loc(s)) : 0;
  if (label) check_cutpoint(w, s, &w->e->cutpoints.at[label]);
  TP_INVARIANT(context < w->e->contexts.n);
  const tp_chk_context *c = &w->e->contexts.at[context];
  bool is_exit = context && c->contract && tp_func_of(w->p, c->func)->exit.id == tp_state_loc(s).id;
  if (is_exit && truth_of(w, s, w->e->contracts.at[c->contract].post) == IS_FALSE)
    refute(w, s, "a random run does not meet a contract's post");
  return !w->check->broken;
}

static bool at_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  observation *w = ctx;
  if (tp_edge_of(w->p, e)->kind == TP_E_CALL) w->call = e;
  return true;
}

static void restart(void *ctx) { ((observation *)ctx)->contexts.n = 0; }

tp_certify_result tp_chk_random_runs_of_invariants(const tp_program *p, tp_property prop,
                                                   const char *certificate, uint64_t seed,
                                                   uint32_t runs, const tp_certify_limits *limits,
                                                   tp_inputs *counterexample,
                                                   tp_certify_report *report) {
  tp_chk_cert e;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_chk_cert_read(&e, p, prop, certificate, &report->why)) {
    observation w = {.p = p, .e = &e};
    tp_chk_run_check runner = {.observer = {.mask = TP_OBSERVE_ALL | TP_OBSERVE_EDGES,
                                            .ctx = &w,
                                            .at = at_location,
                                            .edge = at_edge},
                               .restart = restart};
    w.check = &runner;
    result = tp_chk_random_runs(p, &runner, prop, seed, runs, limits, counterexample, report);
    report->skipped = w.skipped;
    tp_vec_clear(&w.contexts);
  }
  tp_chk_cert_clear(&e);
  return result;
}

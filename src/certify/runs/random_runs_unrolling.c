/* Random runs against an unrolling: iterations of every loop and activations of every function are
 * counted as the program really makes them, frame by frame, in the order of loops that the claim
 * names. */
#include "certify/runs/random_runs.h"

#include "certify/bounded/claim.h"
#include "certify/bounded/order.h"
#include "certify/inductive/inductive_cert.h"

typedef struct {
  tp_func func;
  uint64_t activations;  // of func, this one included
  tp_chk_visit visit;    // turns: own storage below
  uint32_t *iterations;
  uint32_t cap;
} frame;

typedef struct {
  const tp_program *p;
  const tp_chk_bounds *claim;
  tp_chk_order order;
  tp_arena scratch;
  TP_VEC(frame) frames;  // kept between runs for their storage
  size_t depth;
  tp_loc next;  // target of the edge that was last observed, which a run may not finish; NONE: none
  tp_chk_run_check *check;
} observation;

static void set_visit(frame *f, tp_chk_visit v) {
  if (v.n > f->cap) {
    f->iterations = tp_realloc(f->iterations, v.n * sizeof *f->iterations);
    f->cap = v.n;
  }
  if (v.n) memcpy(f->iterations, v.iterations, v.n * sizeof *f->iterations);
  f->visit = (tp_chk_visit){v.loc, v.n, f->iterations};
}

static void go_to(observation *w, frame *f, tp_loc to) {
  TP_REQUIRE(to.id && to.id < w->p->locs.n);
  tp_mark m = tp_arena_mark(&w->scratch);
  tp_chk_visit v = tp_chk_order_follow(&w->order, f->visit, to, &w->scratch);
  if (tp_chk_order_place(&w->order, to)->is_head &&
      v.iterations[v.n - 1] > w->claim->iterations[to.id]) {
    w->check->broken = "a loop turns more often than the certificate claims";
    w->check->where = to;
  }
  set_visit(f, v);
  tp_arena_release(&w->scratch, m);
}

static void push_frame(observation *w, tp_loc at) {
  TP_REQUIRE(w->depth <= w->frames.n);
  tp_func func = tp_loc_of(w->p, at)->func;
  tp_chk_order_of_func(&w->order, func);
  if (w->depth == w->frames.n) tp_vec_push(&w->frames, (frame){0});
  frame *f = &w->frames.at[w->depth++];
  f->func = func;
  f->activations = 1;
  for (size_t i = w->depth - 1; i-- > 0;)
    if (w->frames.at[i].func.id == func.id) {
      f->activations += w->frames.at[i].activations;
      break;
    }
  if (f->activations > w->claim->activations[func.id]) {
    w->check->broken = "a recursion is deeper than the certificate claims";
    w->check->where = at;
  }
  f->visit = (tp_chk_visit){at, 0, NULL};
  go_to(w, f, at);
}

static bool on_edge(void *ctx, const tp_state *before, tp_edge e) {
  observation *w = ctx;
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  size_t depth = tp_state_depth(before);
  TP_INVARIANT(!w->next.id || w->depth > 0);
  if (w->next.id) go_to(w, &w->frames.at[w->depth - 1], w->next);
  if (w->depth > depth) w->depth = depth;
  if (w->depth < depth) push_frame(w, edge->from);
  w->next = edge->to;  // of a call: where it returns to
  return !w->check->broken;
}

static void restart(void *ctx) {
  observation *w = ctx;
  w->depth = 0;
  w->next = TP_LOC_NONE;
}

tp_certify_result tp_certify_run(const tp_program *p, tp_property prop, const char *certificate,
                                 uint64_t seed, uint32_t runs, const tp_certify_limits *limits,
                                 tp_inputs *counterexample, tp_certify_report *report) {
  if (tp_chk_cert_is_inductive(certificate))
    return tp_chk_random_runs_of_invariants(p, prop, certificate, seed, runs, limits,
                                            counterexample, report);
  tp_chk_bounds claim;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_chk_bounds_read(&claim, p, prop, 0, certificate, &report->why)) {
    observation w = {.p = p, .claim = &claim};
    tp_chk_run_check runner = {.observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = on_edge},
                               .restart = restart};
    w.check = &runner;
    tp_chk_order_init(&w.order, p, claim.rank);
    tp_arena_init(&w.scratch);
    result = tp_chk_random_runs(p, &runner, prop, seed, runs, limits, counterexample, report);
    for (size_t i = 0; i < w.frames.n; i++) tp_free(w.frames.at[i].iterations);
    tp_vec_clear(&w.frames);
    tp_chk_order_clear(&w.order);
    tp_arena_clear(&w.scratch);
  }
  tp_chk_bounds_clear(&claim);
  return result;
}

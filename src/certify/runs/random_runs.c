/* --check=run on the concrete machine: random runs against the claims of a certificate.
 *
 * The proof and its check share the model; random runs share less: of an unrolling they count the
 * iterations of every loop and the activations of every function as the program really makes them;
 * invariants they evaluate (random_runs_invariants.c); and they look for an error. They prove
 * nothing, but a claim that they contradict is false. */
#include "certify/runs/random_runs.h"

#include "certify/bounded/claim.h"
#include "certify/inductive/inductive_cert.h"
#include "certify/bounded/order.h"

typedef struct {
  tp_func func;
  uint64_t activations;  // of func, this one included
  tp_cvisit visit;       // turns: own storage below
  uint32_t *turns;
  uint32_t cap;
} frame;

typedef struct {
  const tp_program *p;
  const tp_claim *claim;
  tp_corder order;
  tp_arena scratch;
  TP_VEC(frame) frames;  // kept between runs for their storage
  size_t depth;
  tp_loc next;  // target of the edge that was last observed, which a run may not finish; NONE: none
  tp_chk_run_check *check;
} observation;

static void set_visit(frame *f, tp_cvisit v) {
  if (v.n > f->cap) {
    f->turns = tp_realloc(f->turns, v.n * sizeof *f->turns);
    f->cap = v.n;
  }
  if (v.n) memcpy(f->turns, v.turns, v.n * sizeof *f->turns);
  f->visit = (tp_cvisit){v.loc, v.n, f->turns};
}

static void go_to(observation *w, frame *f, tp_loc to) {
  TP_REQUIRE(to.id && to.id < w->p->locs.n);
  tp_mark m = tp_arena_mark(&w->scratch);
  tp_cvisit v = tp_corder_follow(&w->order, f->visit, to, &w->scratch);
  if (tp_corder_place(&w->order, to)->is_head && v.turns[v.n - 1] > w->claim->turns[to.id]) {
    w->check->broken = "a loop turns more often than the certificate claims";
    w->check->where = to;
  }
  set_visit(f, v);
  tp_arena_release(&w->scratch, m);
}

static void push_frame(observation *w, tp_loc at) {
  TP_REQUIRE(w->depth <= w->frames.n);
  tp_func func = tp_loc_of(w->p, at)->func;
  tp_corder_of_func(&w->order, func);
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
  f->visit = (tp_cvisit){at, 0, NULL};
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

// ------------------------------------------------------------------------ inputs

typedef struct {
  tp_rng rng;
  tp_arena arena;
} random_inputs;

/* Mostly small values, some bit patterns at the borders, some of all bits. */
static tp_u128 random_bits(tp_rng *rng, uint32_t width) {
  tp_u128 all = ((tp_u128)tp_rng_next(rng) << 64) | tp_rng_next(rng);
  tp_u128 mask = width >= 128 ? ~(tp_u128)0 : ((tp_u128)1 << width) - 1;
  switch (tp_rng_below(rng, 8)) {
    case 0: return all & mask;
    case 1: return (tp_u128)1 << tp_rng_below(rng, width);
    case 2: return (mask >> 1) + tp_rng_below(rng, 3);
    case 3: return (0 - (tp_u128)tp_rng_below(rng, 17)) & mask;
    case 4: return tp_rng_below(rng, 256) & mask;
    default: return tp_rng_below(rng, 12) & mask;
  }
}

static bool ask(void *ctx, tp_input *io) {
  random_inputs *r = ctx;
  if (io->width_bits) {
    io->bits = random_bits(&r->rng, io->width_bits);
    return true;
  }
  size_t n = io->n_bytes < 4096 ? io->n_bytes : 4096;
  uint8_t *bytes = tp_arena_alloc(&r->arena, n + 1);
  for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)random_bits(&r->rng, 8);
  io->bytes = bytes;
  io->n_bytes = n;
  return true;
}

// -------------------------------------------------------------------------- runs

static void refuse(const tp_program *p, const char *what, tp_pos pos, tp_certify_report *report) {
  tp_str_add(&report->why, what);
  if (p->diag && tp_pos_known(pos)) {
    tp_str_add(&report->why, " at ");
    tp_pos_print(p->diag, pos, &report->why);
  }
}

/* One run; false: it contradicts the claim. */
static bool run_once(const tp_program *p, tp_chk_run_check *w, tp_property prop,
                     random_inputs *random, tp_inputs *record, tp_certify_report *report) {
  TP_REQUIRE(w->observer.mask && w->restart && record);
  tp_record_oracle recording = {.inner = {random, ask}, .to = record};
  tp_oracle oracle = tp_oracle_recording(&recording);
  bool is_claimed = prop != TP_P_NONE;  // else nothing is said about errors
  w->restart(w->observer.ctx);
  tp_run_result r = tp_exec_main(p, &oracle, (tp_run_limits){.steps = 200000}, &w->observer);
  report->edges += r.steps;
  if (w->broken)
    refuse(p, w->broken, tp_loc_of(p, w->where)->pos, report);
  else if (is_claimed && r.end == TP_END_ERROR &&
           tp_property_covers(prop, tp_loc_of(p, r.loc)->error))
    refuse(p, "a random run reaches an error", r.pos, report);
  else if (is_claimed && r.end == TP_END_UNSUPPORTED)
    refuse(p, "a random run reaches something unsupported", r.pos, report);
  else
    return true;
  return false;
}

tp_certify_result tp_chk_random_runs(const tp_program *p, tp_chk_run_check *w, tp_property prop,
                                     uint64_t seed, uint32_t runs, const tp_certify_limits *limits,
                                     tp_inputs *counterexample, tp_certify_report *report) {
  double start = tp_cpu_s();
  tp_certify_result result = TP_CERTIFY_ACCEPTED;
  random_inputs random = {0};
  tp_rng_init(&random.rng, seed);
  for (uint32_t i = 0; i < runs && result == TP_CERTIFY_ACCEPTED; i++) {
    if (limits->cpu_s > 0 && tp_cpu_s() - start > limits->cpu_s) break;
    tp_arena_init(&random.arena);
    tp_inputs_clear(counterexample);
    tp_inputs_init(counterexample);
    if (!run_once(p, w, prop, &random, counterexample, report)) result = TP_CERTIFY_REJECTED;
    report->queries++;
    tp_arena_clear(&random.arena);
  }
  return result;
}

tp_certify_result tp_certify_run(const tp_program *p, tp_property prop, const char *certificate,
                                 uint64_t seed, uint32_t runs, const tp_certify_limits *limits,
                                 tp_inputs *counterexample, tp_certify_report *report) {
  if (tp_chk_cert_is_inductive(certificate))
    return tp_chk_random_runs_of_invariants(p, prop, certificate, seed, runs, limits,
                                            counterexample, report);
  tp_claim claim;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_claim_read(&claim, p, prop, certificate, &report->why)) {
    observation w = {.p = p, .claim = &claim};
    tp_chk_run_check runner = {.observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = on_edge},
                               .restart = restart};
    w.check = &runner;
    tp_corder_init(&w.order, p, claim.rank);
    tp_arena_init(&w.scratch);
    result = tp_chk_random_runs(p, &runner, prop, seed, runs, limits, counterexample, report);
    for (size_t i = 0; i < w.frames.n; i++) tp_free(w.frames.at[i].turns);
    tp_vec_clear(&w.frames);
    tp_corder_clear(&w.order);
    tp_arena_clear(&w.scratch);
  }
  tp_claim_clear(&claim);
  return result;
}

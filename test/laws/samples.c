/* Running models and remembering where they were. */
#include "samples.h"

// inputs that reach corners: small numbers, all ones, anything
static bool ask(void *ctx, tp_input *io) {
  tp_rng *rng = ctx;
  static const uint8_t zeros[64];
  if (io->width_bits == 0) {
    io->bytes = zeros;
    io->n_bytes = io->n_bytes < sizeof zeros ? io->n_bytes : sizeof zeros;
    return true;
  }
  uint64_t pick = tp_rng_below(rng, 4), value = pick < 2    ? tp_rng_below(rng, 4)
                                                : pick == 2 ? UINT64_MAX
                                                            : tp_rng_next(rng);
  io->bits = io->width_bits >= 64 ? value : value & ((1ull << io->width_bits) - 1);
  return true;
}

static uint32_t keep(samples *s, const tp_state *state) {
  tp_vec_push(&s->states, (sample_state){tp_state_copy(state), s->context, tp_state_loc(state)});
  return (uint32_t)s->states.n - 1;
}

/* How the run came from s->last to `now`; moves the call string along. */
static tp_step step_to(samples *s, tp_loc now) {
  if (!s->taken.id) {  // only returns happen without an edge
    tp_context_info top = *tp_context_of(s->contexts, s->context);
    s->context = top.parent;
    return (tp_step){
        .kind = TP_STEP_RETURN, .edge = top.call, .callee = top.func, .from = s->last, .to = now};
  }
  const tp_edge_info *e = tp_edge_of(s->p, s->taken);
  if (e->kind != TP_E_CALL)
    return (tp_step){.kind = TP_STEP_EDGE, .edge = s->taken, .from = s->last, .to = now};
  tp_func callee = tp_loc_of(s->p, now)->func;
  s->context = tp_context_push(s->contexts, s->context, s->taken, callee);
  return (tp_step){
      .kind = TP_STEP_CALL, .edge = s->taken, .callee = callee, .from = s->last, .to = now};
}

static bool at_location(void *ctx, const tp_state *state) {
  samples *s = ctx;
  tp_loc now = tp_state_loc(state);
  bool room = s->steps.n < s->max;
  tp_step step;
  if (s->last.id) step = step_to(s, now);
  uint32_t kept = room ? keep(s, state) : UINT32_MAX;
  if (room && s->last.id && s->last_kept != UINT32_MAX)
    tp_vec_push(&s->steps, (sample_step){s->last_kept, kept, step});
  s->last = now;
  s->last_kept = kept;
  s->taken = TP_EDGE_NONE;
  return true;
}

static bool take_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  ((samples *)ctx)->taken = e;
  return true;
}

static bool is_recursive(const tp_program *p) {
  for (size_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].is_recursive) return true;
  return false;
}

bool samples_take(samples *s, const tp_program *p, tp_contexts *contexts, uint64_t seed,
                  uint32_t runs, uint32_t max_steps) {
  *s = (samples){.p = p, .contexts = contexts, .max = max_steps};
  if (is_recursive(p)) return false;
  tp_rng rng;
  tp_rng_init(&rng, seed);
  for (uint32_t r = 0; r < runs; r++) {
    tp_state *state = tp_state_initial(p);
    tp_oracle oracle = {&rng, ask};
    tp_observer observer = {
        .mask = TP_OBSERVE_EDGES | TP_OBSERVE_ALL, .ctx = s, .at = at_location, .edge = take_edge};
    s->last = TP_LOC_NONE;
    s->taken = TP_EDGE_NONE;
    s->max = max_steps * (r + 1) / runs;
    s->context = tp_context_root(contexts, p->main, 0);
    (void)tp_exec_run(p, state, &oracle, (tp_run_limits){.steps = 400}, &observer);
    tp_state_free(state);
  }
  return true;
}

void samples_clear(samples *s) {
  for (size_t i = 0; i < s->states.n; i++) tp_state_free(s->states.at[i].state);
  tp_vec_clear(&s->states);
  tp_vec_clear(&s->steps);
}

bool sample_is_in(tp_cpa *cpa, const tp_elem *e, const sample_state *s) {
  tp_loc loc = tp_cpa_location_of(cpa, e);
  if (loc.id && loc.id != s->loc.id) return false;
  tp_context context = tp_cpa_context(cpa, e);
  if (context.id && context.id != s->context.id) return false;
  tp_value v;
  if (tp_state_eval(s->state, cpa->ops->formula(cpa, e), &v) != TP_OK) return true;
  return v.bits != 0;
}

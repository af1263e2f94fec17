/* --check=run on the concrete machine: random runs against the claims of a certificate.
 *
 * The proof and its check share the model; random runs share less: observers count what the program
 * really does (random_runs_unrolling.c) or evaluate invariants in its states
 * (random_runs_invariants.c), and errors are looked for. They prove nothing, but a claim that they
 * contradict is false. */
#include "certify/runs/random_runs.h"

#include "certify/certify_limits.h"

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
  tp_run_result r =
      tp_exec_main(p, &oracle, (tp_run_limits){.steps = TP_CERTIFY_RANDOM_RUN_STEPS}, &w->observer);
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

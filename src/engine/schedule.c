/* The order of engines.
 *
 * Bounded model checking hunts from the start: it is the only one that finds deep failures, and it proves whatever unrolls
 * completely. Beside it, the analyses that may prove the property without a bound, cheap ones first:
 *
 *   no loops, no recursion    unrolling is complete; the analyses start only when that turns out to be hard
 *   loops over constants      values follow them turn by turn; intervals next
 *   loops decided by inputs   intervals, then octagons (counters that move together), then values with intervals
 *   recursion                 as loops decided by inputs: the analyses have summaries
 *   large programs            intervals have the larger share; octagons may not get through */
#include "engine/schedule.h"

#include "engine/configurations.h"

enum { LARGE = 20000 };        // operations

static void add(tp_schedule *s, tp_turn turn) {
  if (s->n < TP_MAX_TURNS) s->at[s->n++] = turn;
}

static tp_turn prover(const char *name, double share, double limit_s, double after_s) {
  const tp_engine *engine = tp_engine_find(name);
  return (tp_turn){.name = name, .engine = engine ? engine : &tp_engine_cpa, .composition = engine ? NULL : tp_configuration_text(name),
                   .proves_only = true, .share = share, .limit_s = limit_s, .after_s = after_s};
}

tp_schedule tp_schedule_of(const tp_features *f) {
  tp_schedule s = {0};
  const bool unrolls = f->n_loops == 0 && !f->has_recursion, is_large = f->n_edges > LARGE;
  const bool counts = !unrolls && f->n_input_loops == 0 && !f->has_recursion;
  const double wait_s = unrolls ? 2 : counts ? 0.5 : 0.2;
  add(&s, (tp_turn){.name = "bmc", .engine = &tp_engine_bmc, .random_first = true, .share = 1});
  if (counts) add(&s, prover("value", 0.25, 60, wait_s));
  add(&s, prover("interval", is_large ? 0.2 : 0.12, 60, wait_s));
  if (!is_large) add(&s, prover("octagon", 0.12, 60, wait_s));
  add(&s, prover("value-interval", 0.08, 60, wait_s));
  if (!counts && !unrolls) add(&s, prover("value", 0.25, 60, wait_s));
  if (is_large) add(&s, prover("octagon", 0.05, 60, wait_s));
  return s;
}

const char *tp_next_try(const tp_features *f, bool has_limit) {
  if (f->n_loops == 0 && !f->has_recursion)
    return has_limit ? "allow more time (--timelimit): nothing repeats, so the search would come to an end"
                     : "narrow the inputs with __VERIFIER_assume, so that the conditions become easier for the solver";
  if (f->has_heap)
    return "limit the size of heap structures with __VERIFIER_assume where they are built: no analysis of this version describes their shape";
  if (f->has_floats) return "narrow the inputs with __VERIFIER_assume: of floats the analyses know bounds only";
  if (f->n_input_loops == 0 && !f->has_recursion)
    return "use --engine=value --set=value.threshold=inf: no input decides how long the loops run, so values may follow them to the end";
  if (f->has_memory) return "assert inside the loop what it keeps true, or use smaller arrays: cells are known one by one only";
  return "assert inside the loop what it keeps true, or use --engine=octagon with a larger --timelimit";
}

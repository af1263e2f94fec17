/* Short runs first, then what random inputs come to, then what takes longer. The searches are no
 * proofs: whatever else they claim is dropped. */
#include "adequacy/confirm_potential.h"

#include "adequacy/adequacy_limits.h"

/* Who looks for a failing run; share of the time that is left. */
static const struct {
  const char *engine;
  uint32_t turns;
  uint64_t steps;
  double share;
} stages[] = {
    {"bmc", 10, 0, 0.2}, {"random", 0, 2, 0.2}, {"bmc", 40, 0, 0.4}, {"synergy", 0, 300, 0.8}};

tp_budget tp_potential_budget(const tp_budget *budget, double start_s, double share) {
  tp_budget b = tp_engine_sub_budget(budget, start_s, share);
  if (budget->cpu_s <= 0) b.cpu_s = TP_ADEQUACY_NO_LIMIT_S;
  return b;
}

bool tp_potential_confirm(const tp_task *task, const tp_budget *budget, double start_s,
                          tp_stats *stats, tp_result *out) {
  tp_engine_report_phase(budget, stats, "confirm");
  tp_task asked = *task;
  asked.search.nodes = TP_NODES_LOOPS;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    asked.bmc_max_unroll = stages[i].turns;
    tp_stats own = {0};
    tp_budget part = tp_potential_budget(budget, start_s, stages[i].share);
    part.steps = stages[i].steps;
    const bool fails = tp_engine_delegate(tp_engine_find(stages[i].engine), &asked, &part,
                                          TP_VERDICT_FALSE, &own, out);
    stats->solver_calls += own.solver_calls;
    stats->tests_run += own.tests_run;
    if (fails) return true;
  }
  return false;
}

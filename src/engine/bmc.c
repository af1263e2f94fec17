/* Bounded model checking (first version: gives up on everything). */
#include "engine/engine.h"

static void run_bmc(const tp_task *task, const tp_budget *budget, tp_stats *stats, tp_result *out) {
  (void)task, (void)budget, (void)stats;
  out->verdict = TP_VERDICT_UNKNOWN;
  out->reason = "bmc: no unrolling yet";
}

const tp_engine tp_engine_bmc = {
    .name = "bmc",
    .help = "unrolls loops and recursion step by step; finds failures, proves what unrolls completely",
    .run = run_bmc,
};

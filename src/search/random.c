/* The tester as an engine: random inputs, looking for shallow failures. It never answers TRUE. A
 * program that asks for nothing has one run, which is followed for all of the time. */
#include "engine/board.h"
#include "search/search_engines.h"
#include "search/search_limits.h"

typedef struct {
  const tp_task *task;
  const tp_budget *budget;
} publisher;

static void publish(void *ctx, const tp_inputs *made) {
  const publisher *to = ctx;
  tp_publish_inputs(to->budget, to->task->program, made);
}

static void run_random(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                       tp_result *out) {
  const double start_s = tp_cpu_s(), limit_s = budget->cpu_s > 0 ? budget->cpu_s : 10;
  publisher to = {task, budget};
  const uint64_t max_rounds = budget->steps ? budget->steps : UINT64_MAX;
  tp_tester_report report = {.asks = true};
  for (uint64_t round = 0; round < max_rounds; round++) {
    double left_s = limit_s - (tp_cpu_s() - start_s);
    const bool is_one_run = !report.asks;
    if (is_one_run && report.last != TP_END_LIMIT) break;
    if (left_s <= 0 || (budget->should_stop && budget->should_stop(budget->ctx))) break;
    tp_tester_options options = {
        .seed = task->seed + round,
        .runs = TP_SEARCH_RANDOM_RUNS,
        .steps_per_run = TP_SEARCH_RANDOM_STEPS,
        .steps_total = (uint64_t)TP_SEARCH_RANDOM_RUNS * TP_SEARCH_RANDOM_STEPS,
        .steps_long =
            (uint64_t)TP_SEARCH_RANDOM_LONG_STEPS
            << 2 * (round < TP_SEARCH_RANDOM_GROWING_ROUNDS ? round
                                                            : TP_SEARCH_RANDOM_GROWING_ROUNDS),
        .cpu_s = left_s < 1 ? left_s : 1,
        .kept = publish,
        .ctx = &to};
    if (is_one_run) {
      options.steps_long = UINT64_MAX;
      options.cpu_s = left_s;
    }
    tp_run_result found;
    bool failed =
        tp_tester_search(task->program, task->property, options, &out->inputs, &found, &report);
    stats->tests_run += report.runs;
    stats->iterations++;
    if (failed) {
      out->verdict = TP_VERDICT_FALSE;
      out->violated = tp_loc_of(task->program, found.loc)->error;
      return;
    }
  }
  out->verdict = TP_VERDICT_UNKNOWN;
  out->reason = tp_arena_printf(&out->arena, "no violation in %llu random runs",
                                (unsigned long long)stats->tests_run);
  out->hint = "random inputs never prove a program; --engine bmc can";
}

const tp_engine tp_engine_random = {
    .name = "random",
    .help = "runs with random inputs; finds shallow failures, proves nothing",
    .run = run_random,
};

/* Runs of engines on models built by hand, with their evidence checked, for the tests of this room.
 */
#ifndef TP_SEARCH_OUTCOMES_TEST_H
#define TP_SEARCH_OUTCOMES_TEST_H

#include "search/figures_test.h"

typedef struct {
  tp_verdict verdict;
  tp_stats stats;
  tp_inputs inputs;    // FALSE
  tp_str certificate;  // TRUE
  tp_str reason;       // UNKNOWN
} outcome;

static inline void outcome_clear(outcome *o) {
  tp_inputs_clear(&o->inputs);
  tp_str_clear(&o->certificate);
  tp_str_clear(&o->reason);
}

static inline bool outcome_replays(const build *b, const tp_result *r) {
  tp_certify_report report;
  tp_property violated;
  tp_certify_report_init(&report);
  tp_certify_result c =
      tp_certify_false(b->p, TP_P_UNREACH_CALL, &r->inputs, (tp_run_limits){0}, &violated, &report);
  tp_certify_report_clear(&report);
  return c == TP_CERTIFY_ACCEPTED;
}

/* steps: 0: none. The verdict comes with evidence that holds, or with a reason and a hint. */
static inline outcome outcome_of(const build *b, const tp_engine *engine,
                                 tp_search_settings settings, uint64_t steps) {
  tp_task task = {.program = b->p, .property = TP_P_UNREACH_CALL, .search = settings, .seed = 1};
  tp_budget budget = {.cpu_s = 60, .steps = steps};
  outcome o = {0};
  tp_result r;
  tp_str why = {0};
  tp_inputs_init(&o.inputs);
  tp_result_init(&r);
  engine->run(&task, &budget, &o.stats, &r);
  o.verdict = r.verdict;
  switch (r.verdict) {
    case TP_VERDICT_TRUE:
      if (figure_check(b, tp_str_text(&r.certificate), &why) != TP_CERTIFY_ACCEPTED)
        fail_msg("proof refused: %s", tp_str_text(&why));
      tp_str_add(&o.certificate, tp_str_text(&r.certificate));
      break;
    case TP_VERDICT_FALSE:
      assert_true(outcome_replays(b, &r));
      tp_inputs_add_all(&o.inputs, &r.inputs);
      break;
    case TP_VERDICT_UNKNOWN:
      assert_non_null(r.reason);
      assert_non_null(r.hint);
      tp_str_add(&o.reason, r.reason);
      break;
  }
  tp_str_clear(&why);
  tp_result_clear(&r);
  return o;
}

/* For when only verdict and counts matter; frees the program. */
static inline tp_verdict verdict_of(build b, const tp_engine *engine, tp_search_settings settings,
                                    uint64_t steps, tp_stats *stats) {
  outcome o = outcome_of(&b, engine, settings, steps);
  if (stats) *stats = o.stats;
  outcome_clear(&o);
  build_free(&b);
  return o.verdict;
}

#endif

/* The loop of the adequacy check: tests fill the coverage, segments are queried for a step that
 * leaves it, fabricated states close what tests missed; the report and the verdict come from the
 * closed coverage. */
#include "adequacy/adequacy.h"

#include "adequacy/adequacy_limits.h"
#include "adequacy/adequacy_priv.h"
#include "adequacy/cutpoints.h"
#include "adequacy/layout.h"

void tp_adequacy_report_init(tp_adequacy_report *r, const tp_program *p) {
  *r = (tp_adequacy_report){0};
  tp_contexts_init(&r->contexts);
  tp_coverage_init(&r->coverage, p);
  tp_arena_init(&r->arena);
}

void tp_adequacy_report_clear(tp_adequacy_report *r) {
  for (size_t i = 0; i < r->added.n; i++) tp_inputs_clear(&r->added.at[i]);
  for (size_t i = 0; i < r->fabricated.n; i++) {
    tp_state_free(r->fabricated.at[i].pre);
    tp_state_free(r->fabricated.at[i].state);
    tp_inputs_clear(&r->fabricated.at[i].inputs);
  }
  for (size_t i = 0; i < r->potential.n; i++) {
    tp_state_free(r->potential.at[i].state);
    tp_inputs_clear(&r->potential.at[i].inputs);
  }
  for (size_t i = 0; i < r->witnesses.n; i++) tp_inputs_clear(&r->witnesses.at[i]);
  tp_vec_clear(&r->witnesses);
  tp_vec_clear(&r->added);
  tp_vec_clear(&r->fabricated);
  tp_vec_clear(&r->potential);
  tp_vec_clear(&r->invariants);
  tp_coverage_clear(&r->coverage);
  tp_contexts_clear(&r->contexts);
  tp_arena_clear(&r->arena);
}

tp_smt_options tp_adequacy_query_options(const tp_adequacy *x) {
  tp_smt_options o = x->q->settings.smt;
  if (!o.backend) o.backend = x->run.task->solver;
  if (!o.backend) o.backend = "mixed";  // questions are many, small, and share their terms
  if (!o.rlimit)
    o.rlimit =
        x->run.budget->solver_rlimit ? x->run.budget->solver_rlimit : TP_ADEQUACY_QUERY_RLIMIT;
  o.stats = x->run.stats;
  return o;
}

static void find_layout(tp_adequacy *x) {
  const tp_houdini_options o = {
      .backend = x->run.task->solver, .stats = x->run.stats, .rlimit = TP_ADEQUACY_LAYOUT_RLIMIT};
  x->layout = TP_NEW_ARRAY(tp_term, x->run.blocks.nodes.n);
  tp_layout_find(&x->run.blocks, o, x->layout);
}

static void make_segments(tp_adequacy *x) {
  x->segments = TP_NEW_ARRAY(tp_segment, x->run.blocks.list.n + 1);
  for (size_t i = 0; i < x->run.blocks.list.n; i++) {
    const tp_block *b = &x->run.blocks.list.at[i];
    uint32_t from = x->cutpoint_of[b->from], to = x->cutpoint_of[b->to];
    x->segments[i] = (tp_segment){.paths = &x->run.paths,
                                  .path = &b->path,
                                  .layout = x->layout[b->from],
                                  .options = tp_adequacy_query_options(x)};
    if (from != TP_NO_CUTPOINT) x->segments[i].from = &x->c->cutpoints.at[from];
    if (to != TP_NO_CUTPOINT) x->segments[i].to = &x->c->cutpoints.at[to];
    if (to != TP_NO_CUTPOINT && x->numeric) {
      x->segments[i].outputs = x->numeric->at[to].dims.at;
      x->segments[i].n_outputs = x->numeric->at[to].dims.n;
    }
  }
}

/* Bounds stop at constants of the program and their neighbours. */
static void make_numbers(tp_adequacy *x) {
  if (x->q->settings.domain == TP_ABSTRACT_PREDICATES) return;
  x->numeric = tp_numeric_new(x->q->settings.domain, &x->run.blocks, x->node_of, x->c->cutpoints.n);
  for (size_t i = 0; i < x->draw.constants.n && i < TP_ADEQUACY_LANDMARKS; i++) {
    tp_u128 n = x->draw.constants.at[i];
    for (int by = -1; by <= 1 && n < (tp_u128)1 << 31; by++) {
      tp_numeric_add_landmark(x->numeric, (int64_t)n + by);
      tp_numeric_add_landmark(x->numeric, -(int64_t)n - by);
    }
  }
}

static void begin(tp_adequacy *x) {
  const tp_task *task = x->run.task;
  bool *ends = tp_cutpoints_find(x->run.p, task->property, x->q->settings.cutpoints);
  tp_graph_run_build_at(&x->run, ends);
  tp_free(ends);
  find_layout(x);
  tp_adequacy_find_cutpoints(x);
  x->start = tp_state_initial(x->run.p);
  x->patience = TP_ADEQUACY_FIRST_PATIENCE;
  tp_random_inputs_init(&x->draw, x->run.p, task->seed);
  make_numbers(x);
  make_segments(x);
  tp_inputs_init(&x->failing);
}

static void end(tp_adequacy *x) {
  for (size_t i = 0; i < x->run.blocks.list.n; i++) tp_segment_clear(&x->segments[i]);
  tp_free(x->segments);
  tp_numeric_free(x->numeric);
  tp_free(x->layout);
  tp_free(x->cutpoint_of);
  tp_free(x->node_of);
  tp_free(x->is_cutpoint);
  tp_map_clear(&x->context_of_call);
  tp_map_clear(&x->node_at);
  tp_state_free(x->start);
  tp_random_inputs_clear(&x->draw);
  tp_inputs_clear(&x->failing);
  tp_graph_run_clear(&x->run);
}

/* Numbers are narrowed before errors are asked about; what was narrowed is closed again. */
static bool close_all(tp_adequacy *x) {
  x->skips_errors = x->numeric != NULL;
  bool is_closed = tp_adequacy_close(x);
  if (!x->numeric || !is_closed) return is_closed;
  tp_adequacy_narrow(x);
  for (size_t i = 0; i < x->run.blocks.list.n; i++)
    x->segments[i].n_settled = 0;  // all are asked again
  x->skips_errors = false;
  return tp_adequacy_close(x);
}

void tp_adequacy_run(const tp_adequacy_question *q, const tp_budget *budget, tp_stats *stats,
                     tp_result *out, tp_adequacy_report *report) {
  tp_adequacy x = {.q = q, .report = report, .c = &report->coverage};
  tp_graph_run_init(&x.run, q->task, budget, stats, out, &report->contexts);
  begin(&x);
  report->counters.layout_calls = stats->solver_calls;
  tp_adequacy_run_tests(&x);
  tp_adequacy_draw_tests(&x);
  const bool is_closed = !x.run.blocks.gap && close_all(&x);
  report->counters.solver_calls = stats->solver_calls - report->counters.layout_calls;
  tp_adequacy_conclude(&x, is_closed);
  if (q->settings.classifies && report->is_closed) tp_adequacy_classify(&x);
  end(&x);
}

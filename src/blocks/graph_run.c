/* The frame of engines over block graphs. The order of parts is the same for all: contexts and
 * paths, then imported invariants (which enter their contexts), then the graph (which enters the
 * others), and everything is closed in the opposite order. Path formulas have more paths than the
 * program: a path that leads to an error is a hint, and bounded checking looks there. */
#include "blocks/graph_run.h"

#include "blocks/blocks_limits.h"
#include "blocks/import_nodes.h"

void tp_graph_run_init(tp_graph_run *x, const tp_task *task, const tp_budget *budget,
                       tp_stats *stats, tp_result *out, tp_contexts *contexts) {
  TP_REQUIRE(task->program && budget && stats && out->verdict == TP_VERDICT_UNKNOWN);
  *x = (tp_graph_run){.task = task,
                      .p = task->program,
                      .tt = task->program->terms,
                      .budget = budget,
                      .stats = stats,
                      .out = out,
                      .start_s = tp_cpu_s()};
  x->contexts = contexts ? contexts : &x->own_contexts;
  if (!contexts) tp_contexts_init(&x->own_contexts);
  tp_paths_init(&x->paths, x->p);
}

void tp_graph_run_clear(tp_graph_run *x) {
  const bool is_own = x->contexts == &x->own_contexts;
  tp_free(x->imported_at);
  tp_blocks_clear(&x->blocks);
  tp_imported_clear(&x->imported);
  tp_paths_clear(&x->paths);
  if (is_own) tp_contexts_clear(&x->own_contexts);
}

// ---------------------------------------------------------------------- budget

bool tp_graph_run_is_over(void *run) {
  const tp_graph_run *x = run;
  return tp_engine_is_over(x->budget, x->start_s);
}

double tp_graph_run_share_s(const tp_graph_run *x, double share) {
  TP_REQUIRE(share > 0 && share <= 1);
  return tp_engine_share_s(x->budget, x->start_s, share);
}

double tp_graph_run_until_s(const tp_graph_run *x, double share) {
  TP_REQUIRE(share > 0 && share <= 1);
  return x->budget->cpu_s > 0 ? tp_cpu_s() + share * tp_engine_left_s(x->budget, x->start_s) : 0;
}

tp_budget tp_graph_run_sub_budget(const tp_graph_run *x, double share) {
  TP_REQUIRE(share > 0 && share <= 1);
  return tp_engine_sub_budget(x->budget, x->start_s, share);
}

void tp_graph_run_report_phase(const tp_graph_run *x, const char *phase) {
  tp_engine_report_phase(x->budget, x->stats, phase);
}

tp_smt_options tp_graph_run_smt(const tp_graph_run *x) {
  TP_REQUIRE(x->effort.rlimit > 0);
  return (tp_smt_options){
      .backend = x->task->solver ? x->task->solver : x->effort.backend,
      .rlimit = x->budget->solver_rlimit ? x->budget->solver_rlimit : x->effort.rlimit,
      .cpu_s = tp_graph_run_share_s(x, x->effort.share),
      .stats = x->stats};
}

tp_houdini_options tp_graph_run_houdini(tp_graph_run *x, double share) {
  return (tp_houdini_options){.backend = x->task->solver,
                              .stats = x->stats,
                              .rlimit = x->budget->solver_rlimit,
                              .until_s = tp_graph_run_until_s(x, share),
                              .should_stop = tp_graph_run_is_over,
                              .ctx = x};
}

tp_mine_options tp_graph_run_mine(tp_graph_run *x, double share) {
  return (tp_mine_options){.seed = x->task->seed,
                           .cpu_s = tp_graph_run_share_s(x, share),
                           .should_stop = tp_graph_run_is_over,
                           .ctx = x};
}

// ----------------------------------------------------------------------- parts

bool tp_graph_run_import_intervals(tp_graph_run *x, double share) {
  const bool is_decided = tp_import_intervals(x->task, tp_graph_run_sub_budget(x, share), x->stats,
                                              x->contexts, x->out, &x->imported);
  TP_INVARIANT(is_decided == (x->out->verdict != TP_VERDICT_UNKNOWN));
  return is_decided;
}

static void import_at_nodes(tp_graph_run *x) {
  TP_INVARIANT(tp_blocks_check(&x->blocks));
  x->imported_at = TP_NEW_ARRAY(tp_term, x->blocks.nodes.n);
  tp_import_at_nodes(&x->imported, &x->blocks, x->imported_at);
}

void tp_graph_run_build(tp_graph_run *x, tp_block_ends ends) {
  TP_REQUIRE(!x->imported_at);
  tp_blocks_build(&x->blocks, &x->paths, x->contexts, x->task->property, ends,
                  TP_BLOCKS_GRAPH_EDGES);
  x->stats->reached_states = x->blocks.nodes.n;
  import_at_nodes(x);
}

void tp_graph_run_build_at(tp_graph_run *x, const bool *ends_at) {
  TP_REQUIRE(!x->imported_at && ends_at);
  tp_blocks_build_at(&x->blocks, &x->paths, x->contexts, x->task->property, ends_at,
                     TP_BLOCKS_GRAPH_EDGES);
  import_at_nodes(x);
}

bool tp_graph_run_falsify(tp_graph_run *x, uint32_t iterations, double share) {
  TP_REQUIRE(iterations > 0);
  if (x->has_falsified) return false;
  x->has_falsified = true;
  tp_stats own = {0};
  tp_task limited = *x->task;
  const tp_budget budget = tp_graph_run_sub_budget(x, share);
  limited.bmc_max_unroll = iterations;
  tp_graph_run_report_phase(x, "hunt");
  const bool is_decided = tp_engine_delegate(tp_engine_find("bmc"), &limited, &budget,
                                             TP_VERDICT_UNKNOWN, &own, x->out);
  x->bounded = (uint32_t)own.proved_bound;
  x->stats->solver_calls += own.solver_calls;
  return is_decided;
}

tp_base_case tp_graph_run_prove_base(tp_graph_run *x, tp_induction *induction, uint32_t k,
                                     uint32_t iterations, double share) {
  TP_REQUIRE(induction->b == &x->blocks);
  for (; x->n_base <= k; x->n_base++) {
    induction->options = tp_graph_run_smt(x);
    const tp_smt_answer a = tp_induction_base(induction, x->n_base);
    if (a == TP_SMT_UNSAT) continue;
    if (tp_graph_run_falsify(x, iterations, share)) return TP_BASE_DECIDED;
    if (tp_induction_base_is_excused(induction, x->bounded)) continue;
    return a == TP_SMT_SAT ? TP_BASE_PATH : TP_BASE_UNKNOWN;
  }
  return TP_BASE_HOLDS;
}

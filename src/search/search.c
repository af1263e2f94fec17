/* The common frame of engines that split regions: begin and end, imported and learned invariants,
 * splits that keep the forest in step with the partition, and the verdicts.
 *
 * Whatever is assumed of states (imported, learned) is proved by then, and enters the certificate;
 * what was given up is remembered in `incomplete`, and excludes TRUE. */
#include "search/search.h"

#include "blocks/import_nodes.h"
#include "blocks/templates.h"
#include "search/search_limits.h"

// ---------------------------------------------------------------------- limits

bool tp_search_is_over(const tp_search *x) {
  if (x->run.budget->steps && x->run.stats->iterations >= x->run.budget->steps) return true;
  return tp_engine_is_over(x->run.budget, x->run.start_s);
}

// ----------------------------------------------------------------------- start

/* What others proved is true of every state at its node. */
static bool import_invariants(tp_search *x) {
  x->has_imported = true;
  tp_graph_run_report_phase(&x->run, "bounds");
  return tp_graph_run_import_intervals(&x->run, TP_SEARCH_BOUNDS_SHARE);
}

static void assume_imported(tp_search *x) {
  tp_term *known = TP_NEW_ARRAY(tp_term, x->run.blocks.nodes.n);
  tp_import_at_nodes(&x->run.imported, &x->run.blocks, known);
  tp_partition_assume(&x->pt, known);
  tp_free(known);
}

bool tp_search_assume_bounds(tp_search *x) {
  if (x->has_imported) return false;
  x->has_imported = true;
  tp_graph_run_report_phase(&x->run, "bounds");
  tp_import_interval_invariants(x->run.task,
                                tp_graph_run_sub_budget(&x->run, TP_SEARCH_BOUNDS_SHARE),
                                &(tp_stats){0}, x->run.contexts, &x->run.imported);
  if (x->run.imported.list.n) assume_imported(x);
  return x->run.imported.list.n > 0;
}

// --------------------------------------------------------------------- learned

static tp_search_learned *begin_learning(tp_search *x) {
  tp_search_learned *l = TP_NEW(tp_search_learned);
  const tp_blocks *b = x->run.task->search.nodes == TP_NODES_LOOPS ? &x->run.blocks : &l->own;
  if (b == &l->own)
    tp_blocks_build(&l->own, &x->run.paths, x->run.contexts, x->run.task->property,
                    TP_BLOCKS_TO_LOOPS, TP_SEARCH_GRAPH_EDGES);
  l->imported_at = TP_NEW_ARRAY(tp_term, b->nodes.n);
  tp_import_at_nodes(&x->run.imported, b, l->imported_at);
  tp_node_formulas_init(&l->candidates, b);
  tp_learner_init(&l->learner, b, l->imported_at, x->run.stats);
  if (b->gap) return l;
  tp_graph_run_report_phase(&x->run, "mine");
  tp_learner_mine(&l->learner, tp_graph_run_mine(&x->run, TP_SEARCH_MINING_SHARE));
  tp_templates_add_safety(b, TP_SEARCH_SAFETY_BLOCKS, &l->candidates);
  return l;
}

static void end_learning(tp_search_learned *l) {
  if (!l) return;
  tp_learner_clear(&l->learner);
  tp_node_formulas_clear(&l->candidates);
  tp_free(l->imported_at);
  tp_blocks_clear(&l->own);
  tp_free(l);
}

static void assume_learned(tp_search *x) {
  const tp_learner *l = &x->learned->learner;
  for (uint32_t n = 1; n < l->blocks->nodes.n; n++) {
    const tp_block_node *node = &l->blocks->nodes.at[n];
    tp_vec_push(&x->run.imported.list,
                ((tp_imported_invariant){node->context, node->loc, l->known[n]}));
  }
  assume_imported(x);
}

bool tp_search_learn(tp_search *x) {
  static const uint32_t waves[] = {0, 1, 3, TP_ALL_WAVES};  // stage i: waves[i] .. waves[i + 1] - 1
  enum { N_STAGES = sizeof waves / sizeof *waves - 1 };
  if (!x->learned) x->learned = begin_learning(x);
  tp_search_learned *l = x->learned;
  size_t n = 0;
  while (!n && l->n_stages < N_STAGES && !l->learner.blocks->gap &&
         !tp_graph_run_is_over(&x->run)) {
    tp_learner_add_waves(&l->learner, waves[l->n_stages], waves[l->n_stages + 1], &l->candidates);
    l->n_stages++;
    tp_graph_run_report_phase(&x->run, "prove candidates");
    n = tp_learner_prove(&l->learner, &l->candidates,
                         tp_graph_run_houdini(&x->run, TP_SEARCH_LEARNING_SHARE));
  }
  if (n) assume_learned(x);
  return n > 0;
}

// ------------------------------------------------------------------------ begin

bool tp_search_begin(tp_search *x, const tp_task *task, const tp_budget *budget, tp_stats *stats,
                     tp_result *out) {
  *x = (tp_search){0};
  tp_graph_run_init(&x->run, task, budget, stats, out, NULL);
  x->run.effort = (tp_query_effort){.rlimit = TP_SEARCH_RLIMIT, .share = TP_SEARCH_QUERY_SHARE};
  const bool is_decided = task->imported && import_invariants(x);
  tp_graph_run_report_phase(&x->run, "blocks");
  tp_graph_run_build(&x->run, tp_partition_block_ends(task->search));
  const tp_smt_options smt = tp_graph_run_smt(&x->run);
  tp_partition_init(&x->pt, &x->run.blocks, task->search, smt, stats);
  if (task->imported) tp_partition_assume(&x->pt, x->run.imported_at);
  tp_forest_init(&x->forest, &x->pt, task->property,
                 (tp_run_limits){.steps = TP_SEARCH_TEST_STEPS});
  x->forest.should_stop = x->pt.should_stop = tp_graph_run_is_over;
  x->forest.ctx = x->pt.ctx = &x->run;
  tp_suitable_init(&x->suitable, &x->forest, smt);
  if (!is_decided && x->run.blocks.gap)
    tp_result_give_up(out, x->run.blocks.gap,
                      "try another engine: --engine=bmc looks for a failing run");
  return !is_decided && !x->run.blocks.gap;
}

static void note_statistics(tp_search *x) {
  x->run.stats->regions = x->pt.n_regions;
  x->run.stats->forest_nodes = x->forest.states.n - 1;
  x->run.stats->reached_states = x->run.blocks.nodes.n;
  x->run.stats->regions_reached = 0;
  for (uint32_t r = 1; r < x->pt.regions.n; r++)
    if (x->pt.regions.at[r].cells.n && tp_forest_in_region(&x->forest, r))
      x->run.stats->regions_reached++;
}

void tp_search_end(tp_search *x) {
  note_statistics(x);
  tp_suitable_clear(&x->suitable);
  tp_forest_clear(&x->forest);
  tp_partition_clear(&x->pt);
  end_learning(x->learned);
  tp_graph_run_clear(&x->run);
}

// ---------------------------------------------------------------------- splits

void tp_search_leaves(const tp_partition *pt, uint32_t cell, tp_leaf_list *out) {
  TP_REQUIRE(cell > 0 && cell < pt->cells.n);
  tp_leaf_list stack = {0};
  tp_vec_push(&stack, cell);
  while (stack.n) {
    uint32_t top = tp_vec_pop(&stack);
    const tp_cell_node *c = &pt->cells.at[top];
    if (tp_term_is(c->by)) {
      tp_vec_push(&stack, c->no);
      tp_vec_push(&stack, c->yes);
    } else {
      tp_vec_push(out, top);
    }
  }
  tp_vec_clear(&stack);
}

/* No block leads from this cell into these. */
static void close_all(tp_search *x, uint32_t from, const tp_leaf_list *targets) {
  uint32_t node = x->pt.cells.at[from].node;
  for (uint32_t b = x->run.blocks.first.at[node]; b < x->run.blocks.first.at[node + 1]; b++)
    for (size_t i = 0; i < targets->n; i++)
      if (x->pt.cells.at[targets->at[i]].node == x->run.blocks.list.at[b].to)
        tp_partition_close(&x->pt, (tp_abstract_step){b, from, targets->at[i]});
}

static void copy_cells(const tp_partition *pt, uint32_t region, tp_leaf_list *out) {
  for (size_t i = 0; i < pt->regions.at[region].cells.n; i++)
    tp_vec_push(out, pt->regions.at[region].cells.at[i]);
}

void tp_search_split_off(tp_search *x, tp_abstract_step step, const tp_term *by) {
  tp_leaf_list old = {0};
  uint32_t yes, no;
  copy_cells(&x->pt, x->pt.cells.at[step.from].region, &old);
  tp_partition_split_off(&x->pt, step, by, &yes, &no);
  tp_forest_reassign(&x->forest, old.at, old.n);
  TP_INVARIANT(x->pt.cells.n % TP_SEARCH_CHECKED_EVERY || tp_partition_check(&x->pt));
  tp_vec_clear(&old);
}

void tp_search_split_exactly(tp_search *x, uint32_t region, uint32_t target, const tp_term *by,
                             uint32_t *yes, uint32_t *no) {
  TP_REQUIRE(region > 0 && region < x->pt.regions.n && target < x->pt.regions.n);
  tp_partition *pt = &x->pt;
  tp_leaf_list old = {0}, goals = {0}, targets = {0};
  copy_cells(pt, region, &old);
  copy_cells(pt, target, &goals);
  tp_partition_split(pt, region, by, yes, no);
  for (size_t i = 0; i < goals.n; i++) tp_search_leaves(pt, goals.at[i], &targets);
  for (size_t i = 0; i < old.n; i++) {
    const tp_cell_node *c = &pt->cells.at[old.at[i]];
    if (tp_term_is(c->by))
      close_all(x, c->no, &targets);
    else if (c->region == *no)
      close_all(x, old.at[i], &targets);
  }
  tp_forest_reassign(&x->forest, old.at, old.n);
  tp_vec_clear(&old);
  tp_vec_clear(&goals);
  tp_vec_clear(&targets);
}

void tp_search_give_up_step(tp_search *x, tp_abstract_step step, const char *why) {
  TP_REQUIRE(why);
  static const char text[] =
      "every path to an error that is left has a step that could be neither tested nor excluded: ";
  if (!x->incomplete) x->incomplete = tp_arena_printf(&x->run.out->arena, "%s%s", text, why);
  tp_partition_close(&x->pt, step);
}

// --------------------------------------------------------------------- verdicts

static void conclude_false(tp_search *x) {
  TP_REQUIRE(x->forest.failing > 0 && x->forest.failing <= x->forest.tests.n);
  const tp_test *t = &x->forest.tests.at[x->forest.failing - 1];
  tp_inputs_add_all(&x->run.out->inputs, &t->inputs);
  x->run.out->violated = tp_loc_of(x->run.p, t->end.loc)->error;
  x->run.out->verdict = TP_VERDICT_FALSE;
  x->run.out->reason = x->run.out->hint = NULL;
}

static const char *position(tp_search *x, uint32_t node) {
  return tp_position_text(x->run.p, tp_loc_of(x->run.p, x->run.blocks.nodes.at[node].loc)->pos,
                          &x->run.out->arena);
}

static const char *other_engines =
    "try another engine: --engine=auto asks several, --engine=bmc looks for a failing run";

/* Runs come to this place, whose meaning is open: no proof, but runs may fail. */
static void exclude_open_location(tp_search *x, uint32_t node) {
  if (x->pt.is_excluded && x->pt.is_excluded[node]) return;
  tp_partition_exclude_error(&x->pt, node);
  x->incomplete = tp_arena_printf(&x->run.out->arena,
                                  "what happens at %s is not modelled, and a run comes there",
                                  position(x, node));
}

bool tp_search_settles(tp_search *x) {
  if (x->forest.failing) {
    conclude_false(x);
    return true;
  }
  for (size_t i = x->forest.states.n; i-- > x->forest.states.n - x->forest.n_new;)
    if (x->run.blocks.nodes.at[x->forest.states.at[i].node].is_unmodelled)
      exclude_open_location(x, x->forest.states.at[i].node);
  return false;
}

void tp_search_conclude(tp_search *x) {
  if (x->incomplete)
    tp_result_give_up(x->run.out, x->incomplete, other_engines);
  else
    tp_partition_conclude_true(&x->pt, x->run.task, x->run.out);
}

void tp_search_report_limit(tp_search *x) {
  bool by_steps = x->run.budget->steps && x->run.stats->iterations >= x->run.budget->steps;
  const char *reason = tp_arena_printf(
      &x->run.out->arena,
      "the limit %scame first, after %llu iterations with %llu tests and %llu splits",
      by_steps ? "of --steps " : "", (unsigned long long)x->run.stats->iterations,
      (unsigned long long)x->run.stats->tests_run, (unsigned long long)x->run.stats->splits);
  tp_result_give_up_at(
      x->run.out, (tp_obstacle){.kind = TP_OBSTACLE_LIMIT}, reason,
      by_steps ? "allow more --steps" : "allow more time (--timelimit), or try --engine=auto");
}

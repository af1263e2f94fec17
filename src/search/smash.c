/* Smash: Synergy function by function.
 *
 *   may        what each function can reach from each cell of its entry (procedure_reach.h). If
 * main reaches no error: the partitions are a proof, and what exits cannot be reached from which
 * entries are its summaries. path       else a path to an error, within main and, where it leads
 * through a call, within the callee: the question <entry cell, callee, exit cell>, and so on down.
 *   frontier   the last cell on it that tests were in which came here by the calls that lead here.
 * A test is searched that goes one step further; if there is none the cell before the frontier is
 * split. call       at a call the question is the callee's own. Its entry cell is the one that a
 * test entered it in; if the target cannot be reached from there, as far as summaries say, the cell
 * before the call is split by the summary: the callee is not looked at. Else the frontier is inside
 * of the callee. What the caller needs to know of the exit becomes a predicate that splits the
 * callee's exit.
 *
 * A turn splits a cell, or runs a new test, or gives a step up; then everything is computed anew
 * from what is known. Questions go down along calls of one concrete test, which are finite, so a
 * turn ends.
 *
 * Source: Godefroid, Nori, Rajamani, Tetali 2010; Beckman et al. 2008. We differ: may summaries are
 * the least fixpoint over all functions, so that recursion is proved by induction; must summaries
 * are activations that tests have passed. */
#include "engine/invariants.h"
#include "search/procedure_proof.h"
#include "search/procedure_tests.h"
#include "search/search_engines.h"
#include "search/search_limits.h"
#include "search/split.h"

typedef struct {
  tp_graph_run run;
  tp_procedures x;
  tp_procedure_reach reach;
  tp_procedure_tests tests;
  tp_smt_options smt;
  tp_map asked;            // hash of (visit, target) -> a test was searched for it
  const char *incomplete;  // something was given up; NULL: nothing was
} smash;

/* An instance, and the activations that came to it by the calls that the turn follows, in the same
 * cells. */
typedef struct {
  uint32_t instance;
  tp_visit_list activations;
} level;

// ------------------------------------------------------------------------- levels

static tp_proc_instance *instance_of(const smash *s, const level *l) {
  return &s->reach.list.at[l->instance];
}

/* The n-th visit in the cell on this level; 0: there is none. */
static uint32_t visit_on_level(const smash *s, const level *l, uint32_t cell, size_t n) {
  for (size_t i = 0; i < l->activations.n; i++) {
    const tp_visit_list *in = &s->tests.activations.at[l->activations.at[i]].visits;
    for (size_t k = 0; k < in->n; k++)
      if (s->tests.visits.at[in->at[k]].cell == cell && n-- == 0) return in->at[k];
  }
  return 0;
}

/* The activations of main. */
static level main_level(const smash *s) {
  level l = {.instance = 1};
  for (uint32_t a = 1; a < s->tests.activations.n; a++)
    if (!s->tests.activations.at[a].caller) tp_vec_push(&l.activations, a);
  return l;
}

/* Those that visits in this cell of the level called, and that entered the instance. */
static level level_below(const smash *s, const level *l, uint32_t cell, uint32_t instance) {
  level below = {.instance = instance};
  const tp_proc_instance *in = &s->reach.list.at[instance];
  uint32_t visit;
  for (size_t n = 0; (visit = visit_on_level(s, l, cell, n)) != 0; n++) {
    const uint32_t a = s->tests.visits.at[visit].callee;
    if (a && s->tests.activations.at[a].entry &&
        s->tests.activations.at[a].procedure == in->procedure &&
        tp_activation_entry_cell(&s->tests, a) == in->entry)
      tp_vec_push(&below.activations, a);
  }
  return below;
}

// -------------------------------------------------------------------------- splits

/* Splits a cell by a predicate. False: nothing was split. */
static bool split_cell(smash *s, uint32_t procedure, uint32_t cell, tp_term by) {
  tp_partition *pt = &s->x.list.at[procedure]->pt;
  uint32_t yes, no;
  tp_partition_split(pt, pt->cells.at[cell].region, &by, &yes, &no);
  if (tp_partition_is_leaf(pt, cell)) return false;
  tp_procedure_tests_reassign(&s->tests, procedure, cell);
  return true;
}

static void give_up(smash *s, const char *why) {
  static const char text[] =
      "every path to an error that is left has a step that could be neither tested nor excluded: ";
  if (!s->incomplete) s->incomplete = tp_arena_printf(&s->run.out->arena, "%s%s", text, why);
}

static void give_up_step(smash *s, uint32_t procedure, tp_abstract_step step, const char *why) {
  give_up(s, why);
  tp_partition_close(&s->x.list.at[procedure]->pt, step);
}

/* Splits the cell before the frontier by what can take the step; or gives the step up. */
static void split_step(smash *s, uint32_t procedure, tp_abstract_step step, uint32_t visit) {
  tp_partition *pt = &s->x.list.at[procedure]->pt;
  const tp_state *states[] = {s->tests.visits.at[visit].state};
  const tp_split_problem problem = {.pt = pt, .states = states, .n_states = 1};
  tp_term by;
  tp_str why = {0};
  if (tp_split_predicate(&problem, step, &by, &why)) {
    uint32_t yes, no;
    tp_partition_split_off(pt, step, &by, &yes, &no);
    if (!tp_partition_is_leaf(pt, step.from))
      tp_procedure_tests_reassign(&s->tests, procedure, step.from);
  } else if (!tp_graph_run_is_over(&s->run)) {
    give_up_step(s, procedure, step, tp_arena_strdup(&s->run.out->arena, tp_str_text(&why)));
  }
  tp_str_clear(&why);
}

// --------------------------------------------------------------------------- tests

typedef struct {
  uint64_t step;
  tp_term formula;  // of the state then
} demand;

typedef TP_VEC(demand) demand_list;

/* What the states on the way to the activation must satisfy for a test to be on this level, in the
 * order of steps. */
static void add_demands(const smash *s, uint32_t activation, demand_list *out) {
  const tp_activation *a = &s->tests.activations.at[activation];
  if (!a->caller) return;
  const tp_procedure_visit *call = &s->tests.visits.at[a->caller],
                           *entry = &s->tests.visits.at[a->entry];
  add_demands(s, call->activation, out);
  const tp_partition *own = &s->x.list.at[s->tests.activations.at[call->activation].procedure]->pt,
                     *its = &s->x.list.at[a->procedure]->pt;
  tp_vec_push(out, ((demand){call->step, own->cells.at[call->cell].formula}));
  tp_vec_push(out, ((demand){entry->step, its->cells.at[entry->cell].formula}));
}

/* The condition of the step from the visit: over the state at it, or, where the test itself took
 * the block, over the state behind the block, so that inputs of the block are the test's. */
static demand step_demand(const smash *s, const tp_procedure *p, tp_abstract_step step,
                          uint32_t visit) {
  const tp_procedure_visit *v = &s->tests.visits.at[visit];
  const tp_block *b = &p->blocks.list.at[step.block];
  const bool took_it = v->next && s->tests.visits.at[v->next].node == b->to && b->to != p->exit;
  tp_paths *paths = p->blocks.paths;
  if (took_it) return (demand){s->tests.visits.at[v->next].step, p->pt.cells.at[step.to].formula};
  return (demand){v->step, tp_flatten(&paths->flattener, paths->tt,
                                      tp_partition_step_condition((tp_partition *)&p->pt, step),
                                      TP_SEARCH_CONCOLIC_TERMS)};
}

/* All demands as one formula over the inputs of the test. False: it cannot be said. */
static bool said_over_inputs(smash *s, tp_concolic *run, const demand_list *demands, tp_term *out) {
  tp_terms *tt = s->run.tt;
  tp_concolic_path pins = {0};
  bool ok = true;
  *out = tp_mk_true(tt);
  for (size_t i = 0; i < demands->n && ok; i++) {
    const demand *d = &demands->at[i];
    tp_term here;
    if (d->step > tp_concolic_steps(run))
      (void)tp_concolic_run(run, d->step, (tp_run_limits){.steps = d->step + 1}, true,
                            TP_SEARCH_CONCOLIC_TERMS);
    ok = tp_concolic_steps(run) == d->step && tp_concolic_value(run, d->formula, &here, &pins);
    if (ok) *out = tp_mk_and(tt, *out, here);
  }
  const tp_concolic_path *path = tp_concolic_path_of(run);
  for (size_t i = 0; i < path->n && ok; i++) *out = tp_mk_and(tt, *out, path->at[i].condition);
  for (size_t i = 0; i < pins.n && ok; i++) *out = tp_mk_and(tt, *out, pins.at[i].condition);
  tp_vec_clear(&pins);
  return ok;
}

static bool value_in_model(void *ctx, tp_term symbol, tp_value *out) {
  return tp_smt_value(ctx, symbol, out);
}

/* The inputs are numbers below this bound, or above its negation. */
static tp_term are_small(smash *s, tp_concolic *run, uint64_t bound) {
  tp_terms *tt = s->run.tt;
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < tp_concolic_inputs(run)->v.n; i++) {
    const tp_term in = tp_concolic_symbol(run, i);
    if (!tp_term_is(in) || tp_width(tt, in) < 16) continue;
    const uint32_t width = tp_width(tt, in);
    const tp_term moved = tp_mk2(tt, TP_OP_BV_ADD, in, tp_mk_bv(tt, width, bound));
    all = tp_mk_and(tt, all, tp_mk2(tt, TP_OP_BV_ULE, moved, tp_mk_bv(tt, width, 2 * bound)));
  }
  return all;
}

/* The solver's model has small inputs if there is one: runs, and recursion, are shorter then. */
static bool has_small_model(smash *s, tp_concolic *run, tp_smt *smt) {
  static const uint64_t bounds[] = {4, 64, 1024};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    const tp_term small = are_small(s, run, bounds[i]);
    if (tp_smt_check(smt, &small, 1) == TP_SMT_SAT) return true;
  }
  return tp_smt_check(smt, NULL, 0) == TP_SMT_SAT;
}

/* A test like the visit's that goes over the frontier is run if there is one. */
static void search_test(smash *s, const demand_list *demands, uint32_t visit) {
  const uint32_t test = tp_activation_of(&s->tests, visit)->test;
  tp_concolic *run = tp_concolic_new(s->run.p, s->tests.start, &s->tests.tests.at[test].inputs);
  tp_term condition;
  if (said_over_inputs(s, run, demands, &condition) && !tp_is_false(s->run.tt, condition)) {
    tp_smt *smt = tp_smt_new(s->run.tt, s->smt);
    tp_smt_assert(smt, tp_paths_query(&s->run.paths, condition));
    if (has_small_model(s, run, smt)) {
      tp_inputs inputs;
      tp_inputs_init(&inputs);
      tp_concolic_inputs_of_model(run, value_in_model, smt, &inputs);
      tp_procedure_tests_run(&s->tests, &inputs);
      tp_inputs_clear(&inputs);
    }
    tp_smt_free(smt);
  }
  tp_concolic_free(run);
}

/* Some test crosses the frontier now, or the cell before it is split. */
static void cross(smash *s, const level *l, tp_abstract_step step) {
  const uint32_t procedure = instance_of(s, l)->procedure;
  const tp_procedure *p = s->x.list.at[procedure];
  uint32_t visit;
  tp_graph_run_report_phase(&s->run, "test");
  for (size_t n = 0;
       n < TP_SEARCH_PROCEDURE_STATES_TRIED && (visit = visit_on_level(s, l, step.from, n)) != 0;
       n++) {
    const uint64_t key = tp_hash_mix((uint64_t)procedure << 32 | visit, step.to);
    if (tp_map_has(&s->asked, key)) continue;
    tp_map_set(&s->asked, key, 1);
    demand_list demands = {0};
    add_demands(s, s->tests.visits.at[visit].activation, &demands);
    tp_vec_push(&demands, step_demand(s, p, step, visit));
    search_test(s, &demands, visit);
    tp_vec_clear(&demands);
    if (s->tests.failing || s->tests.n_new) return;
  }
  tp_graph_run_report_phase(&s->run, "split");
  split_step(s, procedure, step, visit_on_level(s, l, step.from, 0));
}

// --------------------------------------------------------------------------- calls

/* The conjunct at the callee's exit: what it relates to of the state at the call becomes the value
 * that it has in the visit, for which the cell is split first. NONE: it cannot be said; *progress:
 * the cell was split. */
static tp_term at_exit(smash *s, uint32_t call, uint32_t visit, tp_term conjunct, bool *progress) {
  const tp_procedure_visit *v = &s->tests.visits.at[visit];
  tp_terms *tt = s->run.tt;
  tp_term out;
  for (;;) {
    tp_value value;
    const tp_call_side side = tp_call_pull_back(&s->x, call, conjunct, &out);
    if (side == TP_CALL_EXIT) return out;
    if (side == TP_CALL_BEFORE) return tp_mk_true(tt);
    const tp_sort sort = tp_sort_of(tt, out);
    if (tp_sort_kind_of(tt, sort) != TP_SORT_BV && tp_sort_kind_of(tt, sort) != TP_SORT_BOOL)
      return TP_TERM_NONE;
    if (tp_state_eval(v->state, out, &value) != TP_OK) return TP_TERM_NONE;
    const tp_term is = tp_mk_value(tt, sort, value);
    if (split_cell(s, s->x.calls.at[call].caller, v->cell, tp_mk_eq(tt, out, is))) {
      *progress = true;
      return TP_TERM_NONE;
    }
    conjunct = tp_replace(tt, conjunct, out, is);
  }
}

/* How what relates the state at the call to the callee's exit becomes a predicate of the exit:
 * projected, which may be weaker; or with the values of one visit. */
typedef enum { BY_PROJECTION, BY_VALUES } relating;

/* The predicate of the callee's exit. *progress: the cell before the call was split instead. */
static tp_term exit_predicate(smash *s, const tp_reached_cell *step, uint32_t visit,
                              const tp_term_list *parts, relating how, bool *progress) {
  tp_terms *tt = s->run.tt;
  tp_term all = tp_mk_true(tt), said;
  for (size_t i = 0; i < parts->n && !*progress; i++) {
    said = how == BY_VALUES ? at_exit(s, step->call, visit, parts->at[i], progress) : parts->at[i];
    if (tp_term_is(said)) all = tp_mk_and(tt, all, said);
  }
  return how == BY_VALUES ? all : tp_call_project(&s->x, step->call, all, s->x.list.at[1]->pt.smt);
}

/* What the cell behind the call says becomes a predicate before it, or at the callee's exit. True:
 * a cell was split by it. */
static bool refine_interface(smash *s, const tp_reached_cell *step, uint32_t visit, uint32_t exit,
                             relating how) {
  const tp_procedure_call *c = &s->x.calls.at[step->call];
  tp_term_list parts = {0}, related = {0};
  tp_term phi = tp_mk_true(s->run.tt), said;
  bool progress = false;
  tp_call_conjuncts(&s->x, step->call, step->cell, &parts);
  for (size_t i = 0; i < parts.n && !progress; i++) {
    if (tp_call_pull_back(&s->x, step->call, parts.at[i], &said) != TP_CALL_BEFORE)
      tp_vec_push(&related, parts.at[i]);
    else if (tp_split_excludes(&s->x.list.at[c->caller]->pt, s->tests.visits.at[visit].state, said))
      progress = split_cell(s, c->caller, s->tests.visits.at[visit].cell, said);
  }
  if (!progress) phi = exit_predicate(s, step, visit, &related, how, &progress);
  tp_vec_clear(&parts);
  tp_vec_clear(&related);
  return progress || (!tp_is_true(s->run.tt, phi) && split_cell(s, c->callee, exit, phi));
}

/* An exit of the callee, from the entry cell that the visit's call came to, by which the step is
 * possible; failing: any way to fail. Of those that rest on the step itself none is taken: a
 * question about the callee is of a smaller rank. */
typedef enum { EXIT_NONE, EXIT_LATER, EXIT_FOUND } exit_answer;

static exit_answer find_exit(smash *s, const tp_reached_cell *step, const tp_proc_instance *callee,
                             uint32_t *exit) {
  exit_answer answer = EXIT_NONE;
  *exit = 0;
  if (!step->cell)
    return !callee->fails ? EXIT_NONE : callee->failure.rank < step->rank ? EXIT_FOUND : EXIT_LATER;
  for (size_t i = 0; i < callee->exits.n; i++) {
    *exit = callee->exits.at[i];
    if (!tp_procedure_call_possible(&s->reach, step->call, step->from, callee->entry, *exit,
                                    step->cell))
      continue;
    if (tp_instance_reached(callee, *exit)->rank < step->rank) return EXIT_FOUND;
    answer = EXIT_LATER;
  }
  return answer;
}

static bool advance(smash *s, const level *l, uint32_t goal);

/* The arguments of the visit's call, and globals, are those that the activation began with. NONE:
 * some of them cannot be said. */
static tp_term same_entry(smash *s, uint32_t call, const tp_activation *a) {
  const tp_program *p = s->run.p;
  tp_terms *tt = s->run.tt;
  const tp_state *at = s->tests.visits.at[a->entry].state;
  const tp_edge_info *e = tp_edge_of(p, s->x.calls.at[call].edge);
  const tp_func_info *f = tp_func_of(p, s->x.list.at[a->procedure]->func);
  tp_term all = tp_mk_true(tt);
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *info = &p->vars.at[v];
    tp_term here = info->kind == TP_V_GLOBAL ? info->term : TP_TERM_NONE;
    tp_value value;
    for (uint32_t i = 0; i < f->n_params; i++)
      if (f->params[i].id == v) here = e->args[i];
    if (!tp_term_is(here)) continue;
    const tp_sort sort = tp_sort_of(tt, info->term);
    const bool is_number =
        tp_sort_kind_of(tt, sort) == TP_SORT_BV || tp_sort_kind_of(tt, sort) == TP_SORT_BOOL;
    if (is_number && tp_state_eval(at, info->term, &value) == TP_OK)
      all = tp_mk_and(tt, all, tp_mk_eq(tt, here, tp_mk_value(tt, sort, value)));
  }
  return all;
}

/* Must summaries: a call that was seen to return in the exit is made here, with the arguments that
 * it had there. The callee is not looked at. */
static bool cross_call_by_must(smash *s, const tp_reached_cell *step, uint32_t visit,
                               uint32_t exit) {
  const tp_procedure_call *c = &s->x.calls.at[step->call];
  const tp_visit_list *in = tp_procedure_tests_in(&s->tests, c->callee, exit);
  const tp_procedure_visit v = s->tests.visits.at[visit];
  for (size_t i = 0; i < in->n && i < TP_SEARCH_PROCEDURE_STATES_TRIED; i++) {
    const tp_activation *a = tp_activation_of(&s->tests, in->at[i]);
    const uint64_t key = tp_hash_mix((uint64_t)in->at[i] << 32 | visit, step->call);
    if (!a->entry || tp_map_has(&s->asked, key)) continue;
    tp_map_set(&s->asked, key, 1);
    demand_list demands = {0};
    add_demands(s, v.activation, &demands);
    tp_vec_push(&demands, ((demand){v.step, s->x.list.at[c->caller]->pt.cells.at[v.cell].formula}));
    tp_vec_push(&demands, ((demand){v.step, same_entry(s, step->call, a)}));
    search_test(s, &demands, visit);
    tp_vec_clear(&demands);
    if (!s->tests.n_new) continue;
    s->run.stats->must_hits++;
    return true;
  }
  return false;
}

/* One visit before a call that is to be crossed. False: nothing was found to do. */
static bool cross_call_at(smash *s, const level *l, const tp_reached_cell *step, uint32_t visit) {
  const tp_procedure_visit *v = &s->tests.visits.at[visit];
  const tp_procedure_call *c = &s->x.calls.at[step->call];
  const tp_activation *a = &s->tests.activations.at[v->callee];
  uint32_t exit;
  if (!v->callee || a->procedure != c->callee || !a->entry) return false;
  const uint32_t entry = tp_activation_entry_cell(&s->tests, v->callee),
                 callee = tp_procedure_instance(&s->reach, c->callee, entry);
  if (!callee) return false;
  const exit_answer answer = find_exit(s, step, &s->reach.list.at[callee], &exit);
  if (answer != EXIT_FOUND) {
    if (answer == EXIT_NONE) s->run.stats->summary_hits++;
    return split_cell(s, c->caller, step->from, tp_call_enters(&s->x, step->call, entry));
  }
  if (step->cell && refine_interface(s, step, visit, exit, BY_PROJECTION)) return true;
  if (exit && cross_call_by_must(s, step, visit, exit)) return true;
  s->run.stats->sub_queries++;
  level below = level_below(s, l, step->from, callee);
  const bool progress =
      advance(s, &below, exit) || (step->cell && refine_interface(s, step, visit, exit, BY_VALUES));
  tp_vec_clear(&below.activations);
  return progress;
}

static bool cross_call(smash *s, const level *l, const tp_reached_cell *step) {
  uint32_t visit;
  for (size_t n = 0; (visit = visit_on_level(s, l, step->from, n)) != 0; n++)
    if (cross_call_at(s, l, step, visit)) return true;
  return false;
}

// --------------------------------------------------------------------------- turns

typedef TP_VEC(const tp_reached_cell *) reached_path;

/* The path in the instance to the goal (0: to its failure), the entry first. */
static void find_path(const tp_proc_instance *in, uint32_t goal, reached_path *out) {
  const tp_reached_cell *at = goal ? tp_instance_reached(in, goal) : &in->failure;
  for (; at; at = at->from ? tp_instance_reached(in, at->from) : NULL) tp_vec_push(out, at);
  for (size_t i = 0; i < out->n / 2; i++) {
    const tp_reached_cell *other = out->at[out->n - 1 - i];
    out->at[out->n - 1 - i] = out->at[i];
    out->at[i] = other;
  }
  TP_INVARIANT(out->n > 0 && out->at[0]->cell == in->entry);
}

/* One step towards the goal: a test, a split, or a step that is given up. False: nothing was found
 * to do, or tests were in the goal already. */
static bool advance(smash *s, const level *l, uint32_t goal) {
  reached_path path = {0};
  find_path(instance_of(s, l), goal, &path);
  size_t k = path.n;
  while (k > 0 && !(path.at[k - 1]->cell && visit_on_level(s, l, path.at[k - 1]->cell, 0))) k--;
  bool progress = false;
  if (k > 0 && k < path.n) {
    const tp_reached_cell *step = path.at[k];
    if (step->block != UINT32_MAX) {
      cross(s, l, (tp_abstract_step){step->block, step->from, step->cell});
      progress = true;
    } else {
      progress = cross_call(s, l, step);
    }
  }
  tp_vec_clear(&path);
  return progress;
}

static bool turn(smash *s) {
  level main = main_level(s);
  s->tests.n_new = 0;
  const bool progress = advance(s, &main, 0);
  tp_vec_clear(&main.activations);
  return progress;
}

/* Tests that came to a place whose meaning is open: there is no proof any more, but other runs may
 * fail. */
static void note_open_places(smash *s) {
  for (size_t i = s->tests.visits.n - s->tests.n_new; i < s->tests.visits.n; i++) {
    const tp_procedure_visit *v = &s->tests.visits.at[i];
    tp_partition *pt = &s->x.list.at[s->tests.activations.at[v->activation].procedure]->pt;
    const tp_block_node *node = &pt->blocks->nodes.at[v->node];
    if (!node->is_unmodelled || (pt->is_excluded && pt->is_excluded[v->node])) continue;
    tp_partition_exclude_error(pt, v->node);
    s->incomplete = tp_arena_printf(
        &s->run.out->arena, "what happens at %s is not modelled, and a run comes there",
        tp_position_text(s->run.p, tp_loc_of(s->run.p, node->loc)->pos, &s->run.out->arena));
  }
}

static const char other_engines[] =
    "try another engine: --engine=auto asks several, --engine=bmc looks for a failing run";

static void conclude_false(smash *s) {
  const tp_procedure_test *t = &s->tests.tests.at[s->tests.failing - 1];
  tp_inputs_add_all(&s->run.out->inputs, &t->inputs);
  s->run.out->violated = tp_loc_of(s->run.p, t->end.loc)->error;
  s->run.out->verdict = TP_VERDICT_FALSE;
}

static void conclude_true(smash *s) {
  if (!s->incomplete) s->incomplete = s->x.gap;
  if (s->incomplete)
    tp_result_give_up(s->run.out, s->incomplete, other_engines);
  else
    tp_procedure_conclude_true(&s->reach, s->run.task, s->run.out);
}

static void report_limit(smash *s) {
  const tp_stats *n = s->run.stats;
  const bool by_steps = s->run.budget->steps && n->iterations >= s->run.budget->steps;
  tp_result_give_up_at(
      s->run.out, (tp_obstacle){.kind = TP_OBSTACLE_LIMIT},
      tp_arena_printf(
          &s->run.out->arena,
          "the limit %scame first, after %llu iterations with %llu tests and %llu splits",
          by_steps ? "of --steps " : "", (unsigned long long)n->iterations,
          (unsigned long long)n->tests_run, (unsigned long long)n->splits),
      by_steps ? "allow more --steps" : "allow more time (--timelimit), or try --engine=auto");
}

static bool is_over(smash *s) {
  return (s->run.budget->steps && s->run.stats->iterations >= s->run.budget->steps) ||
         tp_graph_run_is_over(&s->run);
}

static void search(smash *s) {
  tp_procedure_tests_run(&s->tests, NULL);
  while (!is_over(s)) {
    s->run.stats->iterations++;
    note_open_places(s);
    if (s->tests.failing) {
      conclude_false(s);
      return;
    }
    tp_graph_run_report_phase(&s->run, "abstract path");
    if (!tp_procedure_reach_run(&s->reach, TP_REACH_UNTIL_FAILURE)) {
      if (is_over(s)) break;
      conclude_true(s);
      return;
    }
    if (!turn(s) && !is_over(s)) {
      give_up(s, "what a call must return cannot be said at its function's exit");
      conclude_true(s);
      return;
    }
  }
  report_limit(s);
}

static void run_smash(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                      tp_result *out) {
  smash s = {0};
  tp_graph_run_init(&s.run, task, budget, stats, out, NULL);
  s.run.effort = (tp_query_effort){.rlimit = TP_SEARCH_RLIMIT, .share = TP_SEARCH_QUERY_SHARE};
  tp_graph_run_report_phase(&s.run, "blocks");
  s.smt = tp_graph_run_smt(&s.run);
  tp_procedures_init(&s.x, &s.run, task->search, s.smt);
  tp_procedure_reach_init(&s.reach, &s.x);
  tp_procedure_tests_init(&s.tests, &s.x, task->property);
  if (tp_func_of(s.run.p, s.run.p->main)->is_recursive)
    tp_result_give_up(out, "main calls itself", other_engines);
  else
    search(&s);
  tp_procedure_note_summaries(&s.reach, &s.tests,
                              s.incomplete ? TP_SUMMARIES_MUST_ONLY : TP_SUMMARIES_ALL, stats, out);
  tp_procedure_tests_clear(&s.tests);
  tp_procedure_reach_clear(&s.reach);
  tp_procedures_clear(&s.x);
  tp_map_clear(&s.asked);
  tp_graph_run_clear(&s.run);
}

const tp_engine tp_engine_smash = {
    .name = "smash",
    .help =
        "tests and proofs in one search, function by function: calls are questions of their own, "
        "answers are summaries; recursion",
    .run = run_smash,
};

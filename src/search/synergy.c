/* Synergy: tests and proofs in one search.
 *
 *   path       a shortest abstract path from the start to an error; none: the partition is a proof.
 *   order      the last region on it that tests were in; the path to it is replaced by one that a
 *              test took. The region behind it is the frontier.
 *   test       does a run on that path cross the frontier? One question; the answer is a test,
 *              which runs to its end.
 *   split      else the region before the frontier is split by what can cross it, so that the
 *              states seen there are apart from it.
 *
 * Each turn touches a region that no test was in, or splits one properly. What the paper leaves
 * open, or gets wrong, is repaired:
 *
 *   - splits need not be exact pre-images (search/split.h), else guards of loops unroll safe
 *     programs;
 *   - a region split by pre-images of itself again and again is split by what they have in common
 *     (generalize.h); the first time, bounds of variables that intervals find are assumed instead,
 *     which often is enough; where nothing in common is found, invariants that runs suggest and
 *     that are inductive (blocks/learn.h);
 *   - Synergy alone never looks at regions that lie on no path to an error, and can split for ever
 *     where Lee and Yannakakis end. After some splits without a new test one step is theirs;
 *   - a test that ended at its limit of steps, though nothing was asked of the world for long, may
 *     go further before anything is split because of where it stopped;
 *   - where the solver gives up there is neither a test nor a split: other states, then other
 * paths; TRUE is out of reach from then on;
 *   - regions at every location are one of three modes of searching, see search_all;
 *   - recursion is searched function by function first (smash.c). */
#include "search/generalize.h"
#include "search/lee_yannakakis.h"
#include "search/search_engines.h"
#include "search/search_limits.h"

enum { LOCATIONS, LOOPS, PATHS, N_MODES };  // of searching, in turns
/* Parts of the time that is left for the first slices. */
static const double first_shares[N_MODES] = {0.15, 0.35, 0.5};

typedef struct {
  tp_task task;
  tp_budget budget;  // of the slice
  bool is_begun, is_stuck;
  tp_search s;
  tp_ly ly;
  tp_generalizer *generalizer;
  uint32_t fair;      // splits between steps of Lee and Yannakakis; 0: not known yet
  uint32_t n_splits;  // without a new test
} run;

// ------------------------------------------------------------------------ tests

/* A test that came to its limit without asking for anything for long is given more steps. True: it
 * went further. */
static bool extend(run *x, uint32_t at) {
  tp_forest *f = &x->s.forest;
  uint32_t last = f->states.at[at].test;
  while (f->tests.at[last].further) last = f->tests.at[last].further - 1;
  const tp_test *t = &f->tests.at[last];
  uint64_t most = x->s.run.stats->iterations > TP_SEARCH_LATE_ITERATIONS
                      ? (uint64_t)TP_SEARCH_TEST_VERY_FAR_STEPS
                      : TP_SEARCH_TEST_FAR_STEPS;
  bool is_cut = t->end.end == TP_END_LIMIT && !t->repeats && t->steps >= f->limits.steps &&
                t->inputs_half == t->inputs.v.n;
  if (!is_cut || f->limits.steps >= most) return false;
  f->limits.steps *= TP_SEARCH_TEST_FACTOR;
  tp_inputs inputs;
  tp_inputs_init(&inputs);
  tp_inputs_add_all(&inputs, &t->inputs);
  uint32_t further = tp_forest_run(f, &inputs, NULL);
  f->tests.at[last].further = further + 1;
  tp_inputs_clear(&inputs);
  return f->n_new > 0;
}

/* A run over the frontier. If nobody knows whether the state can take the step, others of its cell
 * may know better. */
static tp_suitable_answer find_test(run *x, uint32_t at, tp_abstract_step step) {
  tp_suitable_answer answer = TP_SUITABLE_UNKNOWN;
  for (size_t n = 0; at && n < TP_SEARCH_STATES_TRIED && answer == TP_SUITABLE_UNKNOWN;
       at = x->s.forest.states.at[at].next, n++)
    answer = tp_suitable_test(&x->s.suitable, at, step, TP_SUITABLE_RUN);
  return answer;
}

// ----------------------------------------------------------------------- splits

/* States of the cell, the one that was asked about first. */
static size_t find_states(run *x, uint32_t at, const tp_state **out) {
  const tp_visited *v = &x->s.forest.states.at[at];
  out[0] = v->state;
  return 1 + tp_forest_in_cell(&x->s.forest, v->cell, out + 1, TP_SEARCH_STATES_EXCLUDED - 1);
}

/* The blocks of the test that leads to the state, as long as they are few. */
static tp_path *find_prefix(run *x, uint32_t at, size_t *n) {
  tp_block_list blocks = {0};
  *n = 0;
  if (x->s.run.task->search.split != TP_SPLIT_INTERPOLANT ||
      !tp_forest_blocks(&x->s.forest, at, TP_SEARCH_INTERPOLATED_BLOCKS, &blocks)) {
    tp_vec_clear(&blocks);
    return NULL;
  }
  tp_path *paths = TP_NEW_ARRAY(tp_path, blocks.n + 1);
  for (size_t i = 0; i < blocks.n; i++)
    paths[i] = x->s.run.blocks.list.at[blocks.at[i]].path;  // borrowed
  *n = blocks.n;
  tp_vec_clear(&blocks);
  return paths;
}

/* What contains the pre-images to come as well, where splits go round a loop. False: something was
 * learnt for which the path is to be found again. */
static bool generalize(run *x, const tp_split_problem *problem, const tp_abstract_path *path,
                       size_t k, tp_term *rho) {
  tp_abstract_step step = path->at[k - 1];
  tp_term wide;
  bool is_due = tp_generalizer_is_due(x->generalizer, step, *rho);
  if (is_due && tp_search_assume_bounds(&x->s)) {
    x->s.run.stats->generalizations++;
    return false;
  }
  if (is_due && tp_generalizer_widen(x->generalizer, problem, path, k - 1, *rho, &wide)) {
    *rho = wide;
    x->s.run.stats->generalizations++;
  } else if (is_due && tp_search_learn(&x->s)) {
    x->s.run.stats->generalizations++;
    return false;
  }
  tp_generalizer_note(x->generalizer, step, *rho);
  return true;
}

/* Splits of fair steps are links of chains, too. */
static void on_fair_split(void *ctx, tp_abstract_step step, tp_term rho) {
  run *x = ctx;
  tp_generalizer_note(x->generalizer, step, rho);
}

/* What the fair steps have to look at again. */
static void note_change(run *x, uint32_t cell) {
  if (x->fair == UINT32_MAX) return;
  bool *nodes = TP_NEW_ARRAY(bool, x->s.run.blocks.nodes.n);
  nodes[x->s.pt.cells.at[cell].node] = true;
  tp_ly_changed(&x->ly, nodes);
  tp_free(nodes);
}

/* Splits the region before the frontier. False: nothing to split it by was found. */
static bool split(run *x, uint32_t at, const tp_abstract_path *path, size_t k, tp_str *why) {
  tp_abstract_step step = path->at[k - 1];
  tp_partition *pt = &x->s.pt;
  const tp_state *states[TP_SEARCH_STATES_EXCLUDED];
  size_t n_prefix, n_cells = pt->regions.at[pt->cells.at[step.from].region].cells.n;
  tp_term *by = TP_NEW_ARRAY(tp_term, n_cells);
  tp_path *prefix = find_prefix(x, at, &n_prefix);
  tp_split_problem problem = {.pt = pt, .states = states, .prefix = prefix, .n_prefix = n_prefix};
  problem.n_states = find_states(x, at, states);
  bool ok = tp_split_predicate(&problem, step, by, why);
  bool is_needed = ok && (n_cells > 1 || generalize(x, &problem, path, k, &by[0]));
  if (is_needed) tp_search_split_off(&x->s, step, by);
  if (ok) note_change(x, step.from);
  tp_free(prefix);
  tp_free(by);
  return ok;
}

// ------------------------------------------------------------------------ turns

/* No test crosses the frontier. */
static void refine(run *x, uint32_t at, const tp_abstract_path *path, size_t k,
                   tp_suitable_answer answer) {
  tp_str why = {0};
  if (split(x, at, path, k, &why)) {
    x->n_splits++;
  } else if (!tp_engine_is_over(x->s.run.budget,
                                x->s.run.start_s)) {  // else nobody has really tried
    const char *reason = answer == TP_SUITABLE_UNKNOWN
                             ? x->s.suitable.why
                             : tp_arena_strdup(&x->s.run.out->arena, tp_str_text(&why));
    tp_search_give_up_step(&x->s, path->at[k - 1], reason);
  }
  tp_str_clear(&why);
}

/* One step of Lee and Yannakakis, for fairness. */
static void be_fair(run *x) {
  if (x->fair == UINT32_MAX || x->n_splits < x->fair) return;
  x->n_splits = 0;
  x->s.run.stats->ly_steps++;
  (void)tp_ly_iterate(&x->ly);
}

static void note_lengths(run *x, uint32_t at, uint64_t length) {
  uint64_t frontier = tp_forest_frontier(&x->s.forest, at);
  if (frontier > x->s.run.stats->frontier_max) x->s.run.stats->frontier_max = frontier;
  if (length > x->s.run.stats->ordered_trace_len_max)
    x->s.run.stats->ordered_trace_len_max = length;
}

/* One turn with an abstract path to an error. */
static void iterate(run *x, const tp_abstract_path *path) {
  uint32_t at;
  uint64_t length;
  size_t k = tp_forest_ordered_path(&x->s.forest, path, &at, &length);
  if (!x->fair)
    x->fair = TP_SEARCH_FAIR_PATHS * path->n > TP_SEARCH_FAIR_SPLITS
                  ? (uint32_t)(TP_SEARCH_FAIR_PATHS * path->n)
                  : TP_SEARCH_FAIR_SPLITS;
  note_lengths(x, at, length);
  if (k == 0) {
    (void)tp_forest_run(&x->s.forest, NULL, NULL);
    return;
  }
  TP_INVARIANT(k <= path->n);  // the last region is an error's: a test there ends the search
  bool went_further = false;
  while (extend(x, at)) went_further = true;
  if (went_further) return;
  tp_engine_report_phase(x->s.run.budget, x->s.run.stats, "test");
  tp_suitable_answer answer = find_test(x, at, path->at[k - 1]);
  if (answer == TP_SUITABLE_FOUND) {
    TP_INVARIANT(tp_forest_first(&x->s.forest, path->at[k - 1].to));  // the test came there
    x->n_splits = 0;
    return;
  }
  tp_engine_report_phase(x->s.run.budget, x->s.run.stats, "split");
  refine(x, at, path, k, answer);
  be_fair(x);
}

// ------------------------------------------------------------------------- search

/* Where its slice ended. */
typedef enum { SLICE_OVER, STUCK, SETTLED } outcome;

/* So many turns, or as long as the slice lasts. */
static outcome search(run *x, uint64_t iterations) {
  tp_abstract_path path = {0};
  outcome is = SLICE_OVER;
  const uint64_t until = x->s.run.stats->iterations + iterations;
  while (is == SLICE_OVER && x->s.run.stats->iterations < until && !tp_search_is_over(&x->s)) {
    x->s.run.stats->iterations++;
    path.n = 0;
    tp_engine_report_phase(x->s.run.budget, x->s.run.stats, "abstract path");
    if (!tp_partition_error_path(&x->s.pt, &path)) {
      tp_search_conclude(&x->s);
      is = x->s.incomplete ? STUCK : SETTLED;
    } else if (!tp_engine_is_over(x->s.run.budget, x->s.run.start_s)) {
      x->s.forest.n_new = 0;
      iterate(x, &path);
      if (tp_search_settles(&x->s)) is = SETTLED;
    }
  }
  tp_vec_clear(&path);
  return is;
}

/* False: it is settled before it begins, or cannot begin. */
static bool begin(run *x, const tp_task *task, tp_region_locations nodes, tp_stats *stats,
                  tp_result *out) {
  x->task = *task;
  x->task.search.nodes = nodes;
  x->fair = task->search.fair;
  x->is_begun = true;
  if (!tp_search_begin(&x->s, &x->task, &x->budget, stats, out)) return false;
  x->ly = (tp_ly){0};
  tp_ly_init(&x->ly, &x->s);
  x->generalizer = tp_generalizer_new(&x->s.pt);
  x->ly.on_split = on_fair_split;
  x->ly.ctx = x;
  return true;
}

static void end(run *x) {
  if (!x->is_begun) return;
  if (x->generalizer) {
    tp_generalizer_free(x->generalizer);
    tp_ly_clear(&x->ly);
  }
  tp_search_end(&x->s);
}

/* What one search has tested, the other need not look for. */
static bool take_tests(run *x, const run *from) {
  size_t n = from->s.forest.tests.n;
  for (size_t i = 0; i < n && i < TP_SEARCH_TESTS_TAKEN && !tp_search_is_over(&x->s); i++) {
    (void)tp_forest_run(&x->s.forest, &from->s.forest.tests.at[i].inputs, NULL);
    if (tp_search_settles(&x->s)) return true;
  }
  return false;
}

/* One search: how it ended. */
static outcome search_one(run *x, const tp_task *task, const tp_budget *budget, tp_stats *stats,
                          tp_result *out) {
  x->budget = *budget;
  return begin(x, task, task->search.nodes, stats, out) ? search(x, UINT64_MAX) : SETTLED;
}

/* Tests along all paths, whatever regions say: path formulas have more runs than the program, tests
 * do not. True: that settled it. */
static bool test_all_paths(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                           tp_result *out) {
  tp_stats own = {0};
  bool is_settled =
      tp_engine_delegate(&tp_engine_directed, task, budget, TP_VERDICT_UNKNOWN, &own, out);
  stats->tests_run += own.tests_run;
  stats->solver_calls += own.solver_calls;
  return is_settled;
}

/* A slice of one of the two searches with regions. */
static outcome search_slice(run *x, const run *other, uint32_t round, const tp_task *task,
                            tp_region_locations nodes, tp_stats *stats, tp_result *out) {
  x->s.run.start_s = tp_cpu_s();
  if (!x->is_begun) {
    if (!begin(x, task, nodes, stats, out))
      return out->verdict == TP_VERDICT_UNKNOWN ? STUCK : SETTLED;
    if (other->is_begun && take_tests(x, other)) return SETTLED;
  }
  return search(x, (uint64_t)TP_SEARCH_SLICE_ITERATIONS << round);
}

/* Regions at every location say best where a split matters; but what many lines do between two
 * loops takes as many splits. And path formulas have more runs than the program: where they are too
 * coarse, no split helps. So there are three modes of searching that take turns until one settles
 * it: regions at every location; regions at loop heads only; no regions, but tests along all paths,
 * which are a proof if there are few. */
static outcome search_all(run both[PATHS], const tp_task *task, const tp_budget *budget,
                          tp_stats *stats, tp_result *out) {
  static const tp_region_locations nodes[] = {TP_NODES_LOCATIONS, TP_NODES_LOOPS};
  const double start_s = tp_cpu_s();
  for (uint32_t slice = 0;; slice++) {
    const uint32_t round = slice / N_MODES, mode = slice % N_MODES;
    const bool are_stuck = both[0].is_stuck && both[1].is_stuck;
    if (tp_engine_is_over(budget, start_s) || (budget->steps && stats->iterations >= budget->steps))
      return SLICE_OVER;
    tp_budget part = tp_engine_sub_budget(budget, start_s,
                                          are_stuck    ? 1
                                          : round == 0 ? first_shares[mode]
                                                       : TP_SEARCH_LATER_SLICE_SHARE);
    if (mode == PATHS) {
      part.steps = (uint64_t)TP_SEARCH_SLICE_PATHS << round;
      if (test_all_paths(task, &part, stats, out)) return SETTLED;
      if (are_stuck) return STUCK;
    } else if (!both[mode].is_stuck) {
      both[mode].budget = part;
      outcome is = search_slice(&both[mode], &both[1 - mode], round, task, nodes[mode], stats, out);
      if (is == SETTLED) return SETTLED;
      both[mode].is_stuck = is == STUCK;
    }
  }
}

/* Regions of call strings refuse recursion; regions of functions do not. */
static bool has_recursion(const tp_program *p) {
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->from.id && e->kind == TP_E_CALL && e->callee.id && tp_func_of(p, e->callee)->has_body &&
        tp_func_of(p, e->callee)->is_recursive)
      return true;
  }
  return false;
}

/* True: function by function, and that settled it. */
static bool search_procedures(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                              tp_result *out) {
  tp_stats own = {0};
  const tp_budget part = tp_engine_sub_budget(budget, tp_cpu_s(), TP_SEARCH_PROCEDURES_SHARE);
  if (!has_recursion(task->program) ||
      !tp_engine_delegate(&tp_engine_smash, task, &part, TP_VERDICT_UNKNOWN, &own, out))
    return false;
  *stats = own;
  return true;
}

static void run_synergy(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                        tp_result *out) {
  run both[PATHS] = {{.is_begun = false}};
  bool is_one = task->search.nodes != TP_NODES_DEFAULT;
  if (!is_one && search_procedures(task, budget, stats, out)) return;
  outcome is = is_one ? search_one(&both[0], task, budget, stats, out)
                      : search_all(both, task, budget, stats, out);
  if (is == SLICE_OVER) tp_search_report_limit(&both[0].s);
  end(&both[1]);
  end(&both[0]);
}

const tp_engine tp_engine_synergy = {
    .name = "synergy",
    .help =
        "tests and proofs in one search; tests say where to split, abstract paths where to test; "
        "loops of fixed length cost one run",
    .run = run_synergy,
};

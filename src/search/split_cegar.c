/* Splitting counterexample-guided refinement without tests: what Synergy is without its forest.
 *
 *   path         a shortest abstract path to an error, whose steps the solver has found possible
 * one by one. prefix      its longest part from the start that the solver can run through, the
 * cells of the path included. Prefixes are composed by substitution, and what two paths in a row
 *               have in common is composed once; which of them is the longest is found by halving.
 *   split       the cell at the end of the prefix, by what can take the next step (search/split.h).
 *               The part that the prefix leads to cannot. Splits that go on around a loop are
 *               generalised (search/generalize.h).
 *   error       a whole way that can be run through is tried on the concrete machine, which has the
 *               last word. */
#include "blocks/graph_run.h"
#include "search/generalize.h"
#include "search/replay_path.h"
#include "search/search_limits.h"
#include "search/split.h"
#include "search/search_engines.h"

typedef struct {
  tp_abstract_step step;
  tp_path block;  // with the cell behind it assumed
  tp_path whole;  // from the start up to there
  tp_smt_answer feasible;
  bool is_asked;
} prefix;

typedef struct {
  tp_graph_run run;
  tp_partition pt;
  tp_generalizer *generalizer;
  TP_VEC(prefix) prefixes;       // of the path at hand
  TP_VEC(tp_path) split_blocks;  // the same blocks in a row, for splitting; borrowed
  const char *stuck;             // why it cannot go on
} split_cegar;

static bool should_stop(split_cegar *x) {
  return tp_graph_run_is_over(&x->run) ||
         (x->run.budget->steps && x->run.stats->iterations >= x->run.budget->steps);
}

// ---------------------------------------------------------------------- prefixes

static void clear_prefixes(split_cegar *x, size_t from) {
  for (size_t i = from; i < x->prefixes.n; i++) {
    tp_path_clear(&x->prefixes.at[i].block);
    tp_path_clear(&x->prefixes.at[i].whole);
  }
  if (x->prefixes.n > from) x->prefixes.n = from;
}

static void add_prefix(split_cegar *x, tp_abstract_step step) {
  prefix p = {.step = step, .block = tp_path_copy(&x->run.blocks.list.at[step.block].path)};
  tp_path_assume(&x->run.paths, &p.block, x->pt.cells.at[step.to].formula);
  p.whole = x->prefixes.n ? tp_path_then(&x->run.paths, &tp_vec_last(&x->prefixes).whole, &p.block)
                          : tp_path_copy(&p.block);
  if (tp_path_is_false(&p.whole)) p.is_asked = true, p.feasible = TP_SMT_UNSAT;
  tp_vec_push(&x->prefixes, p);
}

/* What this way and the last one have in common stays. */
static void follow(split_cegar *x, const tp_abstract_path *path) {
  size_t same = 0;
  while (same < path->n && same < x->prefixes.n &&
         !memcmp(&x->prefixes.at[same].step, &path->at[same], sizeof *path->at))
    same++;
  clear_prefixes(x, same);
  for (size_t i = same; i < path->n; i++) {
    add_prefix(x, path->at[i]);
    if (tp_vec_last(&x->prefixes).feasible == TP_SMT_UNSAT && tp_vec_last(&x->prefixes).is_asked)
      return;
  }
}

/* Can the blocks 0 .. i be run through? */
static tp_smt_answer is_feasible(split_cegar *x, size_t i) {
  prefix *p = &x->prefixes.at[i];
  if (!p->is_asked) {
    tp_smt *s = tp_smt_new(x->run.tt, x->pt.smt);
    tp_smt_assert(s, tp_paths_query(&x->run.paths, tp_path_condition(&x->run.paths, &p->whole)));
    p->feasible = tp_smt_check(s, NULL, 0);
    p->is_asked = true;
    tp_smt_free(s);
  }
  return p->feasible;
}

/* Is some shorter prefix infeasible, for all that the solver says? Then its number of blocks; else
 * all. */
static size_t shorter_infeasible(split_cegar *x) {
  for (size_t n = 1; n < x->prefixes.n; n *= 2)
    if (is_feasible(x, n - 1) == TP_SMT_UNSAT) return n;
  return x->prefixes.n;
}

/* The number of blocks in the longest prefix that is not infeasible; what the solver gives up on is
 * not. */
static size_t longest_prefix(split_cegar *x) {
  size_t low = 0, high = x->prefixes.n;  // `low` blocks can be run through, more than `high` cannot
  if (is_feasible(x, high - 1) == TP_SMT_UNKNOWN) high = shorter_infeasible(x);
  for (size_t i = 0; i < high; i++)  // what is known already
    if (x->prefixes.at[i].is_asked && x->prefixes.at[i].feasible != TP_SMT_UNSAT) low = i + 1;
  while (low < high) {
    size_t middle = high - (high - low) / 2;
    if (high == x->prefixes.n)
      middle = high;  // known by now: mostly the last step is the one that cannot be taken, or none
    if (is_feasible(x, middle - 1) == TP_SMT_UNSAT)
      high = middle - 1;
    else
      low = middle;
  }
  return low;
}

// ------------------------------------------------------------------------- errors

/* A whole way that path formulas allow. True: it is a failing run. */
static bool replay(split_cegar *x, const tp_abstract_path *path) {
  const tp_block_node *end = &x->run.blocks.nodes.at[x->pt.cells.at[path->at[path->n - 1].to].node];
  tp_graph_run_report_phase(&x->run, "replay");
  if (end->is_error &&
      tp_replay_path(&x->pt, path, x->run.task, x->run.contexts,
                     tp_graph_run_share_s(&x->run, TP_SEARCH_SPLIT_CEGAR_REPLAY_SHARE),
                     x->run.out) == TP_FEASIBILITY_FAILS)
    return true;
  const char *where = tp_position_text(
      x->run.task->program, tp_loc_of(x->run.task->program, end->loc)->pos, &x->run.out->arena);
  bool is_sure = is_feasible(x, x->prefixes.n - 1) == TP_SMT_SAT;
  x->stuck = end->is_error
                 ? is_sure ? "path formulas allow a way to an error that no run was found for"
                           : "the solver gave up on a way to an error"
                 : tp_arena_printf(&x->run.out->arena,
                                   "what happens at %s is open, and no proof excludes it", where);
  return false;
}

// ------------------------------------------------------------------------- splits

static void give_up_splitting(split_cegar *x, tp_str *why) {
  x->stuck =
      tp_arena_printf(&x->run.out->arena, "a region could not be split: %s", tp_str_text(why));
}

/* Where splits go on and on, a wider predicate that contains those to come. */
static void generalize(split_cegar *x, const tp_split_problem *problem,
                       const tp_abstract_path *path, size_t n, tp_term *rho) {
  tp_term wider;
  tp_abstract_step step = path->at[n];
  if (tp_generalizer_is_due(x->generalizer, step, *rho) &&
      tp_generalizer_widen(x->generalizer, problem, path, n, *rho, &wider))
    *rho = wider;
  tp_generalizer_note(x->generalizer, step, *rho);
}

/* Splits the cell behind n blocks. False: it cannot be done. */
static bool split_behind(split_cegar *x, const tp_abstract_path *path, size_t n) {
  tp_abstract_step step = path->at[n];
  const tp_partition_region *region = &x->pt.regions.at[x->pt.cells.at[step.from].region];
  tp_term *by = TP_NEW_ARRAY(tp_term, region->cells.n);
  tp_str why = {0};
  uint32_t yes, no;
  x->split_blocks.n = 0;
  for (size_t i = 0; i < n; i++) tp_vec_push(&x->split_blocks, x->prefixes.at[i].block);
  tp_split_problem problem = {.pt = &x->pt,
                              .prefix = x->split_blocks.at,
                              .n_prefix = n,
                              .whole = n ? &x->prefixes.at[n - 1].whole : NULL};
  bool ok = n > 0 && tp_split_predicate(&problem, step, by, &why);
  if (ok && region->cells.n == 1) generalize(x, &problem, path, n, &by[0]);
  if (ok)
    tp_partition_split_off(&x->pt, step, by, &yes, &no);
  else if (n == 0)
    tp_partition_close(&x->pt, step);  // nothing leads from the start: the solver says so
  else
    give_up_splitting(x, &why);
  tp_str_clear(&why);
  tp_free(by);
  return ok || n == 0;
}

/* One turn. True: there is nothing left to do. */
static bool refine(split_cegar *x, const tp_abstract_path *path) {
  tp_graph_run_report_phase(&x->run, "refine");
  follow(x, path);
  size_t n = longest_prefix(x);
  if (n == path->n) {
    if (!replay(x, path) && !x->stuck) x->stuck = "an error could not be excluded";
    return true;
  }
  return !split_behind(x, path, n);
}

static void search(split_cegar *x) {
  tp_abstract_path path = {0};
  bool is_proof = false, is_over = false;
  tp_partition_init(&x->pt, &x->run.blocks, x->run.task->search, tp_graph_run_smt(&x->run),
                    x->run.stats);
  x->pt.should_stop = tp_graph_run_is_over;
  x->pt.ctx = &x->run;
  x->stuck = x->run.blocks.gap;
  x->generalizer = tp_generalizer_new(&x->pt);
  while (!x->stuck && !is_over && !is_proof && !should_stop(x)) {
    x->run.stats->iterations++;
    tp_partition_set_smt(&x->pt, tp_graph_run_smt(&x->run));
    is_proof = !tp_partition_error_path(&x->pt, &path);
    is_over = !is_proof && refine(x, &path);
  }
  if (is_proof) tp_partition_conclude_true(&x->pt, x->run.task, x->run.out);
  tp_generalizer_free(x->generalizer);
  clear_prefixes(x, 0);
  tp_vec_clear(&x->prefixes);
  tp_vec_clear(&x->split_blocks);
  tp_vec_clear(&path);
  tp_partition_clear(&x->pt);
}

static void run_split_cegar(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                            tp_result *out) {
  split_cegar x = {0};
  tp_graph_run_init(&x.run, task, budget, stats, out, NULL);
  x.run.effort = (tp_query_effort){.rlimit = TP_SEARCH_SPLIT_CEGAR_RLIMIT,
                                   .share = TP_SEARCH_SPLIT_CEGAR_QUERY_SHARE};
  tp_graph_run_build(&x.run, tp_partition_block_ends(task->search));
  search(&x);
  if (out->verdict == TP_VERDICT_UNKNOWN && x.stuck && !x.run.blocks.gap)
    (void)tp_graph_run_falsify(&x.run, TP_SEARCH_SPLIT_CEGAR_FALSIFY,
                               TP_SEARCH_SPLIT_CEGAR_FALSIFY_SHARE);
  if (out->verdict == TP_VERDICT_UNKNOWN && !out->reason)
    tp_result_give_up(
        out, x.stuck ? x.stuck : "the limit came first: abstract paths to an error are left",
        "try --engine=synergy, which asks concrete runs where to split, or a larger --timelimit");
  tp_graph_run_clear(&x.run);
}

const tp_engine tp_engine_split_cegar = {
    .name = "split-cegar",
    .help =
        "regions split by pre-images along infeasible paths, without tests; the baseline for "
        "synergy",
    .run = run_split_cegar,
};

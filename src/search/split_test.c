/* Splits on whole programs, each asked about in a fresh solver: both halves have states, none of
 * the half that the path leads to can take the step, and what was closed without a split cannot be
 * taken from anywhere. */
#include "search/figures_test.h"
#include "search/split.h"
#include "formula/interpolants.h"

typedef struct {
  figure_setting *s;
  tp_abstract_path path;
  TP_VEC(tp_path) blocks;  // of the path, with the cell behind each assumed
  unsigned n_splits;
} walk;

static void clear_blocks(walk *w) {
  for (size_t i = 0; i < w->blocks.n; i++) tp_path_clear(&w->blocks.at[i]);
  w->blocks.n = 0;
}

/* The number of blocks of the path that can be run through one after the other. */
static size_t feasible_prefix(walk *w) {
  tp_paths *x = &w->s->paths;
  clear_blocks(w);
  for (size_t i = 0; i < w->path.n; i++) {
    tp_path block = tp_path_copy(&w->s->blocks.list.at[w->path.at[i].block].path);
    tp_path_assume(x, &block, w->s->pt.cells.at[w->path.at[i].to].formula);
    tp_vec_push(&w->blocks, block);
    if (tp_itp_feasible(x, w->blocks.at, w->blocks.n, (tp_itp_options){0}) == TP_ITP_INFEASIBLE)
      return i;
  }
  return w->path.n;
}

/* All states that n blocks lead to satisfy t? */
static bool holds_behind(walk *w, size_t n, tp_term t) {
  tp_paths *x = &w->s->paths;
  tp_path whole = tp_path_copy(&w->blocks.at[0]);
  for (size_t i = 1; i < n; i++) {
    tp_path longer = tp_path_then(x, &whole, &w->blocks.at[i]);
    tp_path_clear(&whole);
    whole = longer;
  }
  tp_term bad =
      tp_mk_and(x->tt, tp_path_condition(x, &whole), tp_path_after(x, &whole, tp_mk_not(x->tt, t)));
  tp_path_clear(&whole);
  return figure_ask(w->s, bad) == TP_SMT_UNSAT;
}

static void check_split(walk *w, size_t n, tp_abstract_step step, tp_term rho, uint32_t yes,
                        uint32_t no) {
  tp_partition *pt = &w->s->pt;
  tp_terms *tt = w->s->paths.tt;
  tp_term source = pt->cells.at[step.from].formula, target = pt->cells.at[step.to].formula;
  tp_term escapes =
      tp_mk_and(tt, tp_partition_step_into(pt, step.from, step.block, target), tp_mk_not(tt, rho));
  assert_int_equal(figure_ask(w->s, escapes), TP_SMT_UNSAT);  // (i)
  assert_true(holds_behind(w, n, tp_mk_not(tt, rho)));        // (ii)
  if (tp_partition_is_leaf(pt, step.from)) {                  // all of it was outside
    assert_int_equal(figure_ask(w->s, tp_partition_step_condition(pt, step)), TP_SMT_UNSAT);
    return;
  }
  uint32_t in = pt->cells.at[step.from].yes, out = pt->cells.at[step.from].no;
  assert_int_equal(pt->cells.at[in].region, yes);
  assert_int_equal(pt->cells.at[out].region, no);
  assert_int_equal(figure_ask(w->s, pt->cells.at[in].formula), TP_SMT_SAT);
  assert_int_equal(figure_ask(w->s, pt->cells.at[out].formula), TP_SMT_SAT);
  assert_true(holds_behind(w, n, pt->cells.at[out].formula));
  assert_int_equal(tp_partition_status(pt, out, step.to), TP_STEP_CLOSED);
  assert_int_equal(figure_ask(w->s, tp_partition_step_into(pt, out, step.block, target)),
                   TP_SMT_UNSAT);
  tp_term whole[] = {source, tp_mk_not(tt, pt->cells.at[in].formula),
                     tp_mk_not(tt, pt->cells.at[out].formula)};
  assert_int_equal(figure_ask(w->s, tp_mk_and_n(tt, whole, 3)),
                   TP_SMT_UNSAT);  // the halves make up the whole
  w->n_splits++;
}

/* Refines until there is a proof, a path to an error, or `turns` are over. */
static void refine(walk *w, unsigned turns) {
  tp_partition *pt = &w->s->pt;
  for (; turns > 0 && tp_partition_error_path(pt, &w->path); turns--) {
    size_t n = feasible_prefix(w);
    if (n == w->path.n) return;
    tp_abstract_step step = w->path.at[n];
    const tp_partition_region *region = &pt->regions.at[pt->cells.at[step.from].region];
    tp_term *by = TP_NEW_ARRAY(tp_term, region->cells.n), rho = TP_TERM_NONE;
    tp_split_problem problem = {.pt = pt, .prefix = w->blocks.at, .n_prefix = n};
    tp_str why = {0};
    uint32_t yes, no;
    assert_true(n > 0 && tp_split_predicate(&problem, step, by, &why));
    for (size_t i = 0; i < region->cells.n; i++)
      if (region->cells.at[i] == step.from) rho = by[i];
    tp_partition_split_off(pt, step, by, &yes, &no);
    check_split(w, n, step, rho, yes, no);
    tp_str_clear(&why);
    tp_free(by);
  }
}

static unsigned splits_of(build b, tp_search_settings settings) {
  walk w = {.s = figure_open(&b, settings)};
  refine(&w, 12);
  unsigned n = w.n_splits;
  assert_int_equal(w.s->stats.splits, n);
  clear_blocks(&w);
  tp_vec_clear(&w.blocks);
  tp_vec_clear(&w.path);
  figure_close(w.s);
  build_free(&b);
  return n;
}

/* Programs whose proofs need no split with some settings are among them. */
static void check_all(tp_search_settings settings, unsigned at_least) {
  unsigned n = splits_of(figure_1(3, FIGURE_1_FAILS), settings) +
               splits_of(figure_1(3, FIGURE_1_SAFE), settings);
  n += splits_of(figure_3(true).b, settings) + splits_of(figure_3(false).b, settings);
  n += splits_of(figure_7(true), settings) + splits_of(figure_8(3, true), settings);
  n += splits_of(figure_9(), settings) + splits_of(figure_flag(4, true), settings);
  assert_true(n >= at_least);
}

static void S06_splits_are_proper_and_complete(void **state) {
  (void)state;
  check_all((tp_search_settings){.split = TP_SPLIT_PRE}, 40);
  check_all((tp_search_settings){.split = TP_SPLIT_PRE, .three_regions = true}, 40);
  check_all((tp_search_settings){.split = TP_SPLIT_DROP}, 40);
}

static void S09_interpolants_split_as_well(void **state) {
  (void)state;
  check_all((tp_search_settings){.split = TP_SPLIT_INTERPOLANT}, 40);
  check_all((tp_search_settings){.split = TP_SPLIT_INTERPOLANT, .nodes = TP_NODES_LOOPS}, 4);
}

/* The prefix alone says what must stay outside, also where states are given. */
static void S09_an_interpolant_excludes_the_state_and_the_way(void **state) {
  (void)state;
  build b = figure_flag(3, true);
  walk w = {.s = figure_open(&b, (tp_search_settings){.split = TP_SPLIT_INTERPOLANT})};
  tp_partition *pt = &w.s->pt;
  assert_true(tp_partition_error_path(pt, &w.path));
  size_t n = feasible_prefix(&w);
  tp_abstract_step step = w.path.at[n];
  tp_state *s = tp_state_initial(b.p);  // flag is 1 and i is 0 where the path leads
  for (uint32_t v = 1; v < b.p->vars.n; v++) {
    if (!strcmp(b.p->vars.at[v].name, "flag")) tp_state_set(s, (tp_var){v}, (tp_value){.bits = 1});
    if (!strcmp(b.p->vars.at[v].name, "i")) tp_state_set(s, (tp_var){v}, (tp_value){.bits = 0});
  }
  const tp_state *states[] = {s};
  tp_split_problem problem = {
      .pt = pt, .states = states, .n_states = 1, .prefix = w.blocks.at, .n_prefix = n};
  tp_term rho;
  tp_str why = {0};
  if (!tp_split_predicate(&problem, step, &rho, &why)) fail_msg("%s", tp_str_text(&why));
  assert_true(tp_split_excludes(pt, s, rho));
  assert_true(holds_behind(&w, n, tp_mk_not(b.tt, rho)));
  assert_true(tp_split_covers(pt, step.from, step.block, pt->cells.at[step.to].formula, rho));
  // a state that can take the step is no reason to split
  for (uint32_t v = 1; v < b.p->vars.n; v++)
    if (!strcmp(b.p->vars.at[v].name, "i")) tp_state_set(s, (tp_var){v}, (tp_value){.bits = 3});
  problem.n_prefix = 0;
  assert_false(tp_split_predicate(&problem, step, &rho, &why));
  assert_true(why.n > 0);
  tp_str_clear(&why);
  tp_state_free(s);
  clear_blocks(&w);
  tp_vec_clear(&w.blocks);
  tp_vec_clear(&w.path);
  figure_close(w.s);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S06_splits_are_proper_and_complete),
      cmocka_unit_test(S09_interpolants_split_as_well),
      cmocka_unit_test(S09_an_interpolant_excludes_the_state_and_the_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

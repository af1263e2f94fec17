/* Any analysis as a join-based one over sets of its elements (row F41): one reached element, which
 * means what the elements means that the analysis itself reaches; compared element by element and
 * on states of concrete runs. */
#include "cpa/algorithm.h"
#include "cpa/composition.h"

#include "flow.h"
#include "powerset.h"
#include "samples.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Without precisions, so the same element is treated in the same way in both. */
static const char *const INNER[] = {
    "analysis = location callstack constant\nmerge = join-on-location\n",
    "analysis = location callstack constant\nmerge = sep\nwaitlist = dfs\n",
    "analysis = location callstack sign\nmerge = sep\nwaitlist = bfs\n",
    "analysis = location callstack sign constant\nmerge = join-on-location\ntransfer = "
    "strengthened\n",
    "analysis = location callstack interval\ninterval.widen-after = 0\nmerge = join-on-location\n",
};
enum {
  N_INNER = sizeof INNER / sizeof *INNER,
  PROGRAMS = 60,
  SOAK_PROGRAMS = 2000,
  MAX_ELEMS = 150,
  RUNS = 3,
  SAMPLED = 100
};

typedef struct {
  uint64_t seed;
  const char *text;
  tp_composition *c;
  tp_cpa *cpa, *sets;
  tp_reached *own, *single;
} comparison;

static void differ(const comparison *x, const char *what, const tp_elem *e) {
  tp_str s = {0};
  tp_program_print(x->cpa->env->program, &s);
  tp_str_printf(&s, "seed %llu, %s%s: ", (unsigned long long)x->seed, x->text, what);
  if (e) x->cpa->ops->print(x->cpa, e, &s);
  fail_msg("%s", tp_str_text(&s));
}

static tp_succ start(const comparison *x, tp_cpa *cpa) {
  const tp_program *p = cpa->env->program;
  return cpa->ops->initial(cpa, tp_func_of(p, p->main)->entry,
                           tp_context_root(&x->c->contexts, p->main, 0));
}

static const tp_elem *own_elem(const comparison *x, uint32_t node) {
  return tp_reached_node(x->own, node)->state.elem;
}

static bool own_covers(const comparison *x, const tp_elem *e) {
  for (uint32_t i = 1; i <= tp_reached_n(x->own); i++)
    if (own_elem(x, i) == e || x->cpa->ops->leq(x->cpa, e, own_elem(x, i))) return true;
  return false;
}

/* Which element means a state of a run is not said; whether one does is. */
static void compare_on_runs(const comparison *x, const tp_elem *set) {
  samples s;
  if (!samples_take(&s, x->cpa->env->program, &x->c->contexts, x->seed, RUNS, SAMPLED)) return;
  for (size_t i = 0; i < s.states.n; i++) {
    bool own = false, in_set = false;
    for (uint32_t k = 1; k <= tp_reached_n(x->own) && !own; k++)
      own = sample_is_in(x->cpa, own_elem(x, k), &s.states.at[i]);
    powerset all = powerset_of(set);
    for (size_t k = 0; k < all.n && !in_set; k++)
      in_set = sample_is_in(x->cpa, all.at[k], &s.states.at[i]);
    if (!own || !in_set) differ(x, "a state of a run is not reached", NULL);
  }
  samples_clear(&s);
}

static void compare(comparison *x) {
  tp_reached_add_initial(x->single, start(x, x->sets));
  assert_int_equal(tp_cpa_run(x->single, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  if (tp_reached_n(x->single) != 1) differ(x, "more than one reached element", NULL);
  const tp_elem *set = tp_reached_node(x->single, 1)->state.elem;
  powerset all = powerset_of(set);
  for (size_t i = 0; i < all.n; i++)
    if (!own_covers(x, all.at[i])) differ(x, "in the set, but not reached", all.at[i]);
  for (uint32_t i = 1; i <= tp_reached_n(x->own); i++)
    if (!powerset_covers(x->sets, set, own_elem(x, i)))
      differ(x, "reached, but not in the set", own_elem(x, i));
  compare_on_runs(x, set);
}

/* True: compared. False: too many elements. */
static bool try_one(const tp_program *p, const char *text, uint64_t seed) {
  tp_str why = {0};
  tp_stats stats = {0};
  comparison x = {.seed = seed,
                  .text = text,
                  .c = tp_composition_open(p, TP_P_UNREACH_CALL, text, &stats, &why)};
  if (!x.c) fail_msg("%s", tp_str_text(&why));
  x.cpa = x.c->cpa;
  x.sets = powerset_open(x.cpa);
  x.own = tp_reached_new(x.cpa, x.c->order);
  x.single = tp_reached_new(x.sets, TP_WAIT_BFS);
  tp_reached_add_initial(x.own, start(&x, x.cpa));
  assert_int_equal(
      tp_cpa_run(x.own, (tp_cpa_limits){.steps = 4 * MAX_ELEMS}).end == TP_CPA_INTERRUPTED, 0);
  bool small = tp_reached_n(x.own) <= MAX_ELEMS && !tp_reached_waiting(x.own);
  if (small) compare(&x);
  tp_reached_free(x.single);
  tp_reached_free(x.own);
  tp_cpa_close(x.sets);
  tp_composition_close(x.c);
  tp_str_clear(&why);
  return small;
}

static void F41_sets_of_elements_mean_the_same(void **state) {
  (void)state;
  size_t live = tp_live_bytes();
  uint64_t n = getenv("TP_SOAK") ? SOAK_PROGRAMS : PROGRAMS, compared = 0;
  for (uint64_t seed = 1; seed <= n; seed++) {
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p = flow_make(diag, seed);
    for (size_t i = 0; i < N_INNER; i++) compared += try_one(p, INNER[i], seed);
    tp_program_free(p);
    tp_diag_free(diag);
  }
  assert_true(compared * 2 > n * N_INNER);
  assert_int_equal(tp_live_bytes(), live);
}

/* The empty set: below everything, and merging it forgets nothing. */
static void F41_merging_the_empty_set(void **state) {
  (void)state;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = flow_make(diag, 1);
  tp_str why = {0};
  tp_stats stats = {0};
  comparison x = {.c = tp_composition_open(p, TP_P_UNREACH_CALL, INNER[0], &stats, &why)};
  x.cpa = x.c->cpa;
  x.sets = powerset_open(x.cpa);
  const tp_elem *one = start(&x, x.sets).elem;
  tp_out out = {0};
  tp_step nowhere = {.kind = TP_STEP_EDGE};
  x.sets->ops->transfer(x.sets, one, NULL, &nowhere, &out);
  const tp_elem *none = out.list.at[0].elem;
  assert_int_equal(powerset_of(none).n, 0);
  assert_true(x.sets->ops->leq(x.sets, none, one));
  assert_false(x.sets->ops->leq(x.sets, one, none));
  assert_ptr_equal(tp_cpa_merge(x.sets, none, one), one);
  const tp_elem *merged = tp_cpa_merge(x.sets, one, none);
  assert_true(x.sets->ops->leq(x.sets, one, merged));
  tp_vec_clear(&out.list);
  tp_cpa_close(x.sets);
  tp_composition_close(x.c);
  tp_program_free(p);
  tp_diag_free(diag);
  tp_str_clear(&why);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F41_sets_of_elements_mean_the_same),
                                     cmocka_unit_test(F41_merging_the_empty_set)};
  return cmocka_run_group_tests_name("powerset", tests, NULL, NULL);
}

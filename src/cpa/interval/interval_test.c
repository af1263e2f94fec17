/* Intervals on programs small enough to say which bounds must come out. */
#include "cpa/interval/interval_cpa.h"

#include "cpa/composition.h"
#include "cpa/descend.h"
#include "cpa/recursion.h"
#include "exec/testing.h"

typedef struct {
  tp_composition *c;
  tp_recursion *r;
  tp_reached *reached;
  tp_cpa_result result;
} analysis;

static analysis analyse(build *b, const char *settings, uint64_t steps) {
  analysis a = {0};
  tp_str text = {0}, why = {0};
  tp_str_printf(&text, "analysis = location callstack interval\nmerge = join-on-location\n%s",
                settings);
  a.c = tp_composition_open(b->p, TP_P_UNREACH_CALL, tp_str_text(&text), NULL, &why);
  if (!a.c) fail_msg("%s", tp_str_text(&why));
  a.r = tp_recursion_new(a.c->cpa, a.c->order);
  a.reached = tp_recursion_reached(a.r);
  a.result = tp_recursion_run(a.r, (tp_cpa_limits){.steps = steps});
  tp_str_clear(&text);
  tp_str_clear(&why);
  return a;
}
static void done(analysis *a) {
  tp_recursion_free(a->r);
  tp_composition_close(a->c);
}
static bool reaches_error(const build *b, const analysis *a) {
  for (uint32_t i = 1; i <= tp_reached_n(a->reached); i++)
    if (!tp_reached_node(a->reached, i)->removed &&
        tp_loc_of(b->p, tp_reached_node(a->reached, i)->loc)->error)
      return true;
  return false;
}
/* The only element at a location; NULL: none. */
static const tp_elem *element_at(const analysis *a, tp_loc at) {
  const tp_elem *found = NULL;
  for (uint32_t i = 1; i <= tp_reached_n(a->reached); i++) {
    const tp_node *n = tp_reached_node(a->reached, i);
    if (n->removed || n->loc.id != at.id) continue;
    assert_null(found);
    found = tp_composite_view(a->c->cpa, n->state.elem, tp_composite_n(a->c->cpa) - 1).elem;
  }
  return found;
}
static bool find_range(build *b, analysis *a, tp_loc at, tp_var v, tp_range *r) {
  tp_cpa *interval =
      (tp_cpa *)tp_composite_view(a->c->cpa, tp_reached_node(a->reached, 1)->state.elem, 2).cpa;
  const tp_elem *e = element_at(a, at);
  assert_non_null(e);
  return tp_store_range(interval, e, build_term(b, v), r);
}
static void expect_any_value(build *b, analysis *a, tp_loc at, tp_var v) {
  tp_range r;
  assert_false(find_range(b, a, at, v, &r) && (r.smin > INT32_MIN || r.smax < INT32_MAX));
}
static void expect_range(build *b, analysis *a, tp_loc at, tp_var v, int64_t lo, int64_t hi) {
  tp_range r;
  assert_true(find_range(b, a, at, v, &r));
  assert_int_equal(r.smin, lo);
  assert_int_equal(r.smax, hi);
}
static tp_term less(build *b, tp_var v, int64_t bound) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, build_term(b, v), bv(b, 32, bound));
}
static tp_term plus(build *b, tp_var v, int64_t d) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, v), bv(b, 32, d));
}
static void back_to(build *b, tp_loc head) {
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = b->at, .to = head});
}

// --------------------------------------------------------------------- widening

/* x := 0; while (1) { if (x < 1000000) x++; else x := 0; assert 0 <= x <= 1000000 } */
static tp_loc endless_counter(build *b, tp_var *x) {
  build_func(b, "main", (tp_sort){0});
  *x = build_var(b, "x", tp_sort_bv(b->tt, 32));
  build_assign(b, *x, bv(b, 32, 0));
  tp_loc head = b->at, no = build_branch(b, less(b, *x, 1000000)), joined;
  build_assign(b, *x, plus(b, *x, 1));
  joined = b->at;
  tp_program_add_edge(
      b->p,
      (tp_edge_info){.kind = TP_E_ASSIGN, .from = no, .to = joined, .var = *x, .a = bv(b, 32, 0)});
  build_assert(b, tp_mk2(b->tt, TP_OP_BV_ULE, build_term(b, *x), bv(b, 32, 1000000)));
  back_to(b, head);
  build_done(b);
  return head;
}

/* Widening by adjust ends the loop, and its thresholds keep the bound; without it the step limit
 * comes first. */
static void F53_widening_through_adjust_ends_loops(void **state) {
  (void)state;
  build b = build_new(64);
  tp_var x;
  tp_loc head = endless_counter(&b, &x);
  analysis a = analyse(&b, "", 1000);
  assert_int_equal(a.result.end, TP_CPA_DONE);
  assert_false(reaches_error(&b, &a));
  expect_range(&b, &a, head, x, 0, 1000000);
  done(&a);
  a = analyse(&b, "interval.widen-after = 0\n", 1000);
  assert_int_equal(a.result.end, TP_CPA_STOPPED);
  assert_true(tp_reached_waiting(a.reached) > 0);
  done(&a);
  build_free(&b);
}

/* Without thresholds the bound is lost, the end is not. */
static void F53_without_thresholds(void **state) {
  (void)state;
  build b = build_new(64);
  tp_var x;
  tp_loc head = endless_counter(&b, &x);
  analysis a = analyse(&b, "interval.thresholds = 0\n", 1000);
  assert_int_equal(a.result.end, TP_CPA_DONE);
  expect_range(&b, &a, head, x, 0, INT32_MAX);
  done(&a);
  build_free(&b);
}

/* The later widening starts, the more turns are looked at one by one. */
static void F53_patience(void **state) {
  (void)state;
  build b = build_new(64);
  tp_var x;
  endless_counter(&b, &x);
  uint64_t steps = 0;
  static const char *const patience[] = {"interval.widen-after = 1\n", "interval.widen-after = 5\n",
                                         "interval.widen-after = 50\n"};
  for (int i = 0; i < 3; i++) {
    analysis a = analyse(&b, patience[i], 0);
    assert_int_equal(a.result.end, TP_CPA_DONE);
    assert_true(a.result.steps > steps);
    steps = a.result.steps;
    done(&a);
  }
  build_free(&b);
}

/* for (x := 0; x < 70; x := x + 3) ; assert x <= 72: what widening lost is found again from the
 * loop's condition, and the error that it let in goes out. */
static void F53_narrowing_below_the_fixpoint(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
  build_assign(&b, x, bv(&b, 32, 0));
  tp_loc head = b.at, leave = build_branch(&b, less(&b, x, 70));
  build_assign(&b, x, plus(&b, x, 3));
  back_to(&b, head);
  b.at = leave;
  build_assert(&b, less(&b, x, 73));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  analysis a = analyse(&b, "interval.thresholds = 0\n", 1000);
  expect_range(&b, &a, head, x, 0, INT32_MAX);
  assert_true(reaches_error(&b, &a));
  assert_false(tp_reached_descend(a.reached, 0));
  assert_true(tp_reached_descend(a.reached, tp_cpa_descents(a.c->cpa)));
  expect_range(&b, &a, head, x, 0, 72);
  assert_false(reaches_error(&b, &a));
  tp_str why = {0};
  assert_true(tp_reached_check(a.reached, &why));
  assert_false(tp_reached_descend(a.reached, 5));  // nothing is left to gain
  done(&a);
  a = analyse(&b, "interval.thresholds = 0\ninterval.narrow = 0\n", 1000);
  assert_int_equal(tp_cpa_descents(a.c->cpa), 0);
  done(&a);
  build_free(&b);
}

/* for (i := 0; i < 10; i++) for (j := 0; j < i; j++) ; each loop has its own memory, turn by turn.
 */
static void nested_loops(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var i = build_var(&b, "i", tp_sort_bv(b.tt, 32)), j = build_var(&b, "j", tp_sort_bv(b.tt, 32));
  build_assign(&b, i, bv(&b, 32, 0));
  tp_loc outer = b.at, leave = build_branch(&b, less(&b, i, 10));
  build_assign(&b, j, bv(&b, 32, 0));
  tp_loc inner = b.at,
         next = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, build_term(&b, j), build_term(&b, i)));
  build_assign(&b, j, plus(&b, j, 1));
  back_to(&b, inner);
  b.at = next;
  build_assign(&b, i, plus(&b, i, 1));
  back_to(&b, outer);
  b.at = leave;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, i), bv(&b, 32, 10)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  for (int liveness = 0; liveness < 2; liveness++) {
    analysis a = analyse(&b, liveness ? "" : "interval.liveness = off\n", 10000);
    assert_int_equal(a.result.end, TP_CPA_DONE);
    assert_false(reaches_error(&b, &a));
    expect_range(&b, &a, outer, i, 0, 10);
    expect_range(&b, &a, inner, j, 0, 9);
    if (liveness)
      expect_any_value(&b, &a, next, j);  // nothing reads it any more
    else
      expect_range(&b, &a, next, j, 0, 9);
    done(&a);
  }
  build_free(&b);
}

/* f(n) { for (k := 0; k < n; k++) ; return k }, called with 5 and with 2000 in a loop: bounds by
 * context. */
static void loops_in_called_functions(void **state) {
  (void)state;
  build b = build_new(64);
  tp_sort word = tp_sort_bv(b.tt, 32);
  tp_func f = build_func(&b, "f", word);
  tp_var n = build_param(&b, "n", word), k = build_var(&b, "k", word);
  build_assign(&b, k, bv(&b, 32, 0));
  tp_loc head = b.at,
         leave = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, build_term(&b, k), build_term(&b, n)));
  build_assign(&b, k, plus(&b, k, 1));
  back_to(&b, head);
  b.at = leave;
  build_return(&b, build_term(&b, k));
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", word);
  tp_loc again = b.at;
  static const int64_t bounds[] = {5, 2000};
  for (int i = 0; i < 2; i++) {
    tp_term *arg = tp_arena_array(&b.p->arena, tp_term, 1);
    *arg = bv(&b, 32, bounds[i]);
    build_edge(&b,
               (tp_edge_info){.kind = TP_E_CALL, .var = x, .callee = f, .args = arg, .n_args = 1});
    build_assert(&b, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, bounds[i])));
  }
  back_to(&b, again);
  build_done(&b);
  analysis a = analyse(&b, "", 10000);
  assert_int_equal(a.result.end, TP_CPA_DONE);
  assert_false(reaches_error(&b, &a));
  done(&a);
  build_free(&b);
}

// ------------------------------------------------------------------- thresholds

static void thresholds_are_constants_and_their_neighbours(void **state) {
  (void)state;
  build b = build_new(64);
  tp_var x;
  endless_counter(&b, &x);
  tp_threshold_list all = {0}, one = {0};
  tp_interval_collect_thresholds(b.p, b.p->main, 40, &all);
  static const tp_i128 expected[] = {-1, 0, 1, 2, 999999, 1000000, 1000001};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    bool found = false;
    for (size_t k = 0; k < all.n; k++) found |= all.at[k] == expected[i];
    assert_true(found);
  }
  for (size_t k = 1; k < all.n; k++) assert_true(all.at[k - 1] < all.at[k]);
  tp_interval_collect_thresholds(b.p, b.p->main, 1, &one);  // conditions first
  assert_int_equal(one.n, 3);
  assert_true(one.at[1] == 1000000);
  tp_vec_clear(&all);
  tp_vec_clear(&one);
  build_free(&b);
}

static void settings_that_are_no_numbers_are_refused(void **state) {
  (void)state;
  build b = build_new(64);
  tp_var x;
  endless_counter(&b, &x);
  tp_str why = {0};
  assert_null(tp_composition_open(
      b.p, TP_P_UNREACH_CALL,
      "analysis = location callstack interval\ninterval.widen-after = soon\n", NULL, &why));
  assert_non_null(strstr(tp_str_text(&why), "widen-after"));
  tp_str_clear(&why);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F53_widening_through_adjust_ends_loops),
      cmocka_unit_test(F53_without_thresholds),
      cmocka_unit_test(F53_patience),
      cmocka_unit_test(F53_narrowing_below_the_fixpoint),
      cmocka_unit_test(nested_loops),
      cmocka_unit_test(loops_in_called_functions),
      cmocka_unit_test(thresholds_are_constants_and_their_neighbours),
      cmocka_unit_test(settings_that_are_no_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

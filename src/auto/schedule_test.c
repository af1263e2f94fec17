// Features of small programs, and whom they are given to first.
#include "auto/schedule.h"

#include "exec/testing.h"
#include "proof/proof_engines.h"

typedef enum {
  NO_LOOP,
  COUNTING,
  INPUT_BOUND,
  INPUT_INSIDE,
  INPUT_BY_MEMORY,
  INPUT_BY_CALL,
  RECURSIVE
} shape;

static tp_term below(const build *b, tp_var v, tp_term most) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, build_term(b, v), most);
}
static void input(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}

static void add_loop(build *b, shape s, tp_var i, tp_var n) {
  tp_loc head = b->at,
         out = build_branch(
             b, below(b, i, s == COUNTING || s == INPUT_INSIDE ? bv(b, 32, 10) : build_term(b, n)));
  build_assign(b, i, tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, i), bv(b, 32, 1)));
  if (s == INPUT_INSIDE) input(b, n);
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b->at = out;
}

static build make(shape s) {
  build b = build_new(64);
  tp_sort bv32 = tp_sort_bv(b.tt, 32);
  tp_func asks = build_func(&b, "asks", bv32);
  tp_var got = build_var(&b, "got", bv32);
  input(&b, got);
  build_return(&b, build_term(&b, got));
  tp_func unused = build_func(&b, "unused", (tp_sort){0});  // its loop is not the program's
  tp_var k = build_var(&b, "k", bv32);
  build_assign(&b, k, bv(&b, 32, 0));
  add_loop(&b, COUNTING, k, k);
  build_return(&b, TP_TERM_NONE);
  (void)unused;
  tp_func main_func = build_func(&b, "main", (tp_sort){0});
  tp_var i = build_var(&b, "i", bv32), n = build_var(&b, "n", bv32),
         p = build_var(&b, "p", tp_sort_ptr(b.tt));
  build_assign(&b, i, bv(&b, 32, 0));
  if (s == INPUT_BOUND) input(&b, n);
  if (s == INPUT_BY_CALL)
    build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .var = n, .callee = asks});
  if (s == RECURSIVE) build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .callee = main_func});
  if (s == INPUT_BY_MEMORY) {
    build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                  .var = p,
                                  .a = bv(&b, 64, 4),
                                  .object_kind = TP_O_HEAP,
                                  .name = "malloc"});
    input(&b, n);
    build_edge(&b,
               (tp_edge_info){.kind = TP_E_STORE, .a = build_term(&b, p), .b = build_term(&b, n)});
    build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = n, .a = build_term(&b, p)});
  }
  if (s != NO_LOOP && s != RECURSIVE) add_loop(&b, s, i, n);
  build_assert(&b, below(&b, i, bv(&b, 32, 11)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void features_choose_the_order(void **state) {
  (void)state;
  static const struct {
    shape s;
    const char *features, *second;
    bool waits;  // for the hunter to be done with an easy program
    bool asks;
  } cases[] = {
      {NO_LOOP, "5 operations, 1 check", "value", true, false},
      {COUNTING, "9 operations, 1 check, 1 loop (0 decided by inputs)", "value", false, false},
      {INPUT_BOUND, "10 operations, 1 check, 1 loop (1 decided by inputs)", "value", false, true},
      {INPUT_INSIDE, "10 operations, 1 check, 1 loop (1 decided by inputs)", "value", false, true},
      {INPUT_BY_MEMORY, "13 operations, 1 check, 1 loop (1 decided by inputs), heap", "value",
       false, true},
      {INPUT_BY_CALL, "12 operations, 1 check, 1 loop (1 decided by inputs)", "value", false, true},
      {RECURSIVE, "6 operations, 1 check, recursion", "interval", false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    build b = make(cases[i].s);
    tp_features f = tp_features_of(b.p, TP_P_UNREACH_CALL);
    tp_str text = {0};
    tp_features_print(&f, &text);
    if (strcmp(text.text, cases[i].features) != 0) fail_msg("%zu: %s", i, text.text);
    tp_str_clear(&text);
    tp_schedule s = tp_schedule_of(&f);
    assert_int_equal(f.asks, cases[i].asks);
    for (size_t k = 0; k < s.n; k++)
      assert_int_equal(s.at[k].has_one_run, k == 0 && !cases[i].asks);
    assert_string_equal(s.at[0].name, "bmc");
    assert_true(s.at[0].random_first && s.at[0].share >= 0.4);  // the hunter keeps its part
    assert_string_equal(s.at[1].name, cases[i].second);
    assert_int_equal(s.at[1].after_s > 1, cases[i].waits);
    double share = 0;
    for (size_t k = 1; k < s.n; k++) {
      share += s.at[k].share;
      assert_non_null(s.at[k].engine);
      assert_true(s.at[k].proves_only && s.at[k].limit_s > 0);
      assert_true(s.at[k].engine != &tp_engine_cpa || s.at[k].composition);
    }
    assert_true(share <= 1);
    assert_non_null(tp_schedule_advice(&f, &s).restructure);
    build_free(&b);
  }
}

static bool has_another_turn(const tp_schedule *s, size_t turn) {
  for (size_t i = turn + 1; i < s->n; i++)
    if (strcmp(s->at[i].name, s->at[turn].name) == 0) return true;
  return false;
}

/* "bmc 100, value 6 [20 s], ..; after 0.2 s" */
static void print_short(const tp_schedule *s, tp_str *out) {
  for (size_t i = 0; i < s->n; i++) {
    tp_str_printf(out, "%s%s %g", i ? ", " : "", s->at[i].name, 100 * s->at[i].share);
    if (i) tp_str_printf(out, "/%g", s->at[i].limit_s);
    assert_true(s->at[i].random_first == (i == 0) && s->at[i].proves_only == (i > 0));
    assert_true(s->at[i].takes_no_imports ==
                (strcmp(s->at[i].name, "shape") == 0 || strcmp(s->at[i].name, "elements") == 0 ||
                 strcmp(s->at[i].name, "heaps") == 0 || has_another_turn(s, i)));
    assert_true(s->at[i].after_s <= 0 ? i == 0 : s->at[i].after_s >= s->at[1].after_s);
    assert_non_null(s->at[i].reason);
  }
  tp_str_printf(out, "; after %g", s->at[1].after_s);
}

/* What stands in [] is for programs with linked structures. */
static void expect_schedule(const char *pattern, bool has_links, tp_str *out) {
  bool is_optional = false;
  for (; *pattern; pattern++) {
    if (*pattern == '[' || *pattern == ']')
      is_optional = *pattern == '[';
    else if (!is_optional || has_links)
      tp_str_add_char(out, *pattern);
  }
}

/* Every schedule that there is. Of features that a row does not name, both values give the same. */
static void every_class_has_its_schedule(void **state) {
  (void)state;
#define COUNTING_ROWS                                                                              \
  "bmc 100, [heaps 5/20, ]value 25/60, kinduction 18/60, horn 8/60, interval 6/60, cegar 27/120, " \
  "octagon 6/60, "                                                                                 \
  "value-interval 6/60; after "
#define LARGE_ROWS \
  "bmc 100, interval 20/60, value 20/60, kinduction 10/120, cegar 10/120, octagon 5/60; after "
#define RECURSIVE_ROWS                                                                 \
  "bmc 100, [heaps 10/20, ]interval 10/60, smash 20/60, cegar 25/120, octagon 10/60, " \
  "value-interval 8/60, value "                                                        \
  "15/60; after "
#define LAST_ROWS "cegar 20/240, value-interval 4/60, value 13/60; after 0.2"
  static const struct {
    size_t loops, input_loops;
    bool recursion, large, links, floats, any_data;
    size_t flags;
    const char *schedule;
    bool elements;
  } cases[] = {
      {0, 0, false, false, false, false, true, 0, COUNTING_ROWS "2", false},
      {2, 0, false, false, false, false, true, 0, COUNTING_ROWS "0.5", false},
      {0, 0, true, false, false, false, true, 0, RECURSIVE_ROWS "0.2", false},
      {2, 0, true, false, false, false, true, 0, RECURSIVE_ROWS "0.2", false},
      {2, 1, true, false, false, false, true, 0, RECURSIVE_ROWS "0.2", false},
      {0, 0, false, true, false, false, true, 0, LARGE_ROWS "2", false},
      {2, 0, false, true, false, false, true, 0, LARGE_ROWS "0.5", false},
      {2, 1, false, true, false, false, true, 0, LARGE_ROWS "0.2", false},
      {2, 1, true, true, false, false, true, 0, LARGE_ROWS "0.2", false},
      {2, 1, false, false, false, false, false, 0,
       "bmc 50, value 6/20, kinduction 16/120, cegar 12/30, horn 16/120, octagon 4/60, " LAST_ROWS,
       false},
      {2, 1, false, false, true, false, false, 0,
       "bmc 50, heaps 20/20, value 6/20, shape 30/60, kinduction 16/120, cegar 12/30, horn 16/120, "
       "octagon "
       "4/60, " LAST_ROWS,
       false},
      {2, 1, false, false, false, true, false, 0,
       "bmc 50, value 6/20, interval 5/60, kinduction 16/120, cegar 12/30, horn "
       "16/120, " LAST_ROWS,
       false},
      {2, 1, false, false, true, true, false, 0,
       "bmc 50, heaps 20/20, value 6/20, shape 30/60, interval 5/60, kinduction 16/120, cegar "
       "12/30, horn 16/120, " LAST_ROWS,
       false},
      {2, 1, false, false, false, false, false, 2,
       "bmc 50, value 6/20, kinduction 16/120, cegar 12/30, horn 16/120, octagon 4/60, " LAST_ROWS,
       false},
      {2, 1, false, false, false, false, false, 3,
       "bmc 50, value 6/20, value-predicate 20/60, kinduction 16/120, horn 16/120, octagon "
       "4/60, " LAST_ROWS,
       false},
      {2, 0, false, false, false, false, true, 0,
       "bmc 100, [heaps 5/20, ]elements 30/60, value 25/60, kinduction 18/60, horn 8/60, "
       "interval 6/60, cegar 27/120, octagon 6/60, value-interval 6/60; after 0.5",
       true},
      {2, 1, false, false, false, false, false, 0,
       "bmc 30, elements 50/60, value 6/20, kinduction 16/120, cegar 12/30, horn "
       "16/120, octagon 4/60, " LAST_ROWS,
       true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int data = 0; data < (cases[i].any_data ? 4 : 1); data++) {
      const tp_features f = {.n_edges = cases[i].large ? 20001 : 20000,
                             .n_loops = cases[i].loops,
                             .n_input_loops = cases[i].input_loops,
                             .n_flags = cases[i].flags,
                             .has_recursion = cases[i].recursion,
                             .has_elements = cases[i].elements,
                             .has_links = cases[i].links || (data & 1),
                             .has_floats = cases[i].floats || (data & 2)};
      tp_schedule s = tp_schedule_of(&f);
      tp_str text = {0};
      print_short(&s, &text);
      tp_str expected = {0};
      expect_schedule(cases[i].schedule, f.has_links, &expected);
      if (strcmp(text.text, expected.text) != 0) fail_msg("%zu: %s", i, text.text);
      tp_str_clear(&text);
      tp_str_clear(&expected);
    }
  }
}

/* Where loops go over arrays and the question is whether accesses are valid, invariants of indices
 * come before facts about elements; no features give more turns than there is room for. */
static void accesses_need_no_elements_first(void **state) {
  (void)state;
  tp_features f = {.n_edges = 50, .n_loops = 2, .n_input_loops = 1, .has_elements = true};
  tp_schedule s = tp_schedule_of(&f);
  assert_string_equal(s.at[1].name, "elements");
  f.is_about_memory = true;
  s = tp_schedule_of(&f);
  assert_string_equal(s.at[1].name, "kinduction");
  assert_true(s.at[1].share >= 0.1);
  assert_string_equal(s.at[2].name, "elements");
  f.n_input_loops = 0;
  s = tp_schedule_of(&f);
  assert_string_equal(s.at[1].name, "kinduction");
  f.n_input_loops = 1;
  f.has_links = f.has_floats = true;
  f.n_flags = 3;
  assert_true(tp_schedule_of(&f).n <= TP_MAX_SCHEDULE_ENTRIES);
  f.has_floats = false;
  assert_true(tp_schedule_of(&f).n <= TP_MAX_SCHEDULE_ENTRIES);
}

/* Which variables are flags: written with constants only, at least two, and read by a branch. */
static void flags_take_constants_and_decide(void **state) {
  (void)state;
  static const struct {
    bool second, tested, computed, input, declared;
    size_t n;
  } cases[] = {
      {true, true, false, false, false, 1},  {true, true, false, false, true, 1},
      {false, true, false, false, false, 0},  // one value only
      {true, false, false, false, false, 0},  // no branch reads it
      {true, true, true, false, false, 0},    // a counter
      {true, true, false, true, false, 0},    // an input
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    build b = build_new(64);
    tp_sort bv32 = tp_sort_bv(b.tt, 32);
    build_func(&b, "main", (tp_sort){0});
    tp_var flag = build_var(&b, "flag", bv32), other = build_var(&b, "other", bv32);
    if (cases[i].declared)
      build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = flag, .input = TP_I_INDETERMINATE});
    build_assign(&b, flag, bv(&b, 32, 0));
    build_assign(&b, other, bv(&b, 32, 0));
    if (cases[i].second) build_assign(&b, flag, bv(&b, 32, 7));
    if (cases[i].computed)
      build_assign(&b, flag, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, flag), bv(&b, 32, 1)));
    if (cases[i].input) input(&b, flag);
    build_assert(&b, below(&b, cases[i].tested ? flag : other, bv(&b, 32, 11)));
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    tp_features f = tp_features_of(b.p, TP_P_UNREACH_CALL);
    if (f.n_flags != cases[i].n) fail_msg("%zu: %zu flags", i, f.n_flags);
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(features_choose_the_order),
                                     cmocka_unit_test(accesses_need_no_elements_first),
                                     cmocka_unit_test(flags_take_constants_and_decide),
                                     cmocka_unit_test(every_class_has_its_schedule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

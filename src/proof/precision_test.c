// Precisions as text: what is read is what was written, runs start where the last one ended,
// nonsense is told with its line.
#include "proof/precision.h"

#include "engine/engine.h"

#include "cpa/composition.h"
#include "cpa/predicate/predicate_cpa.h"
#include "cpa/value/value_cpa.h"
#include "exec/testing.h"
#include "proof/proof_engines.h"

/* i := 0; while (i < n) i := i + 1; assert(i <= n); two variables called i, a global g. */
typedef struct {
  build b;
  tp_var i, other_i, n, g;
  tp_loc head;
} model;

static model model_new(void) {
  model m = {.b = build_new(64)};
  build *b = &m.b;
  tp_sort s = tp_sort_bv(b->tt, 32);
  m.g = build_global(b, "g", s, bv(b, 32, 3));
  build_func(b, "main", (tp_sort){0});
  m.other_i = build_var(b, "i", s);
  m.i = build_var(b, "i", s);
  m.n = build_var(b, "n", s);
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = m.n, .name = "input"});
  build_assign(b, m.other_i, bv(b, 32, 7));
  build_assign(b, m.i, bv(b, 32, 0));
  m.head = b->at;
  tp_loc out = build_branch(b, tp_mk2(b->tt, TP_OP_BV_ULT, build_term(b, m.i), build_term(b, m.n)));
  build_edge(b, (tp_edge_info){.kind = TP_E_ASSIGN,
                               .var = m.i,
                               .a = tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, m.i), bv(b, 32, 1)),
                               .to = m.head});
  b->at = out;
  build_assert(b, tp_mk2(b->tt, TP_OP_BV_ULE, build_term(b, m.i), build_term(b, m.n)));
  build_return(b, TP_TERM_NONE);
  build_done(b);
  return m;
}

static tp_composition *open(const model *m) {
  static const char text[] =
      "analysis = location callstack predicate value\nvalue.precision = location\n";
  static tp_stats stats;
  tp_str why = {0};
  tp_composition *c = tp_composition_open(m->b.p, TP_P_UNREACH_CALL, text, &stats, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  return c;
}

static void what_is_read_is_what_was_written(void **state) {
  (void)state;
  model m = model_new();
  build *b = &m.b;
  tp_composition *c = open(&m), *again = open(&m);
  tp_cpa *predicate = tp_predicate_find(c->cpa), *value = tp_composite_find(c->cpa, &tp_cpa_value);
  tp_func main = b->p->main;
  assert_true(
      tp_predicate_add_for(predicate, m.head, TP_FUNC_NONE,
                           tp_mk2(b->tt, TP_OP_BV_ULE, build_term(b, m.i), build_term(b, m.n))));
  assert_true(tp_predicate_add_for(predicate, TP_LOC_NONE, main,
                                   tp_mk_eq(b->tt, build_term(b, m.other_i), bv(b, 32, 7))));
  assert_true(tp_predicate_add_for(predicate, TP_LOC_NONE, TP_FUNC_NONE,
                                   tp_mk_eq(b->tt, build_term(b, m.g), bv(b, 32, 3))));
  assert_true(tp_predicate_decide(predicate, m.head));
  assert_true(tp_value_track_for(value, m.head, TP_FUNC_NONE, build_term(b, m.other_i)));
  assert_true(tp_value_track_for(value, TP_LOC_NONE, main, build_term(b, m.i)));
  assert_true(tp_value_track_for(value, TP_LOC_NONE, TP_FUNC_NONE, build_term(b, m.g)));
  tp_str first = {0}, second = {0}, why = {0};
  tp_precision_write(c->cpa, &first);
  assert_non_null(strstr(first.text, "(local main::i 2 bv32)"));
  assert_non_null(strstr(first.text, "(local main::i 1 bv32)"));
  assert_non_null(strstr(first.text, "(global g 1 bv32)"));
  tp_precision_read done = {0};
  assert_true(tp_precision_take(again->cpa, first.text, &done, &why));
  assert_int_equal(done.used, 7);
  assert_int_equal(done.unknown, 0);
  tp_precision_write(again->cpa, &second);
  assert_string_equal(first.text, second.text);
  assert_true(tp_predicate_is_decided(tp_predicate_find(again->cpa), m.head));
  tp_str_clear(&first);
  tp_str_clear(&second);
  tp_composition_close(c);
  tp_composition_close(again);
  build_free(b);
}

/* What the program does not have is left out, the rest is taken. */
static void names_that_are_gone_are_left_out(void **state) {
  (void)state;
  static const char text[] =
      "precision 2\n# what another program had\n\nin main\nat 1 no such line\npredicate (BV_ULE "
      "(local main::i 2 bv32) (local main::n 1 bv32))\n"
      "predicate (EQ (local main::gone 1 bv32) (bv 32 1))\npredicate (EQ (local main::i 3 bv32) "
      "(bv 32 1))\n"
      "predicate (EQ (local main::i 1 bv8) (bv 8 1))\nin nobody\nat 2 x\ntrack (local main::i 1 "
      "bv32)\ntrack (local nobody::i 1 bv32)\n"
      "in program\ntrack (global g 1 bv32)\n";
  model m = model_new();
  tp_composition *c = open(&m);
  tp_precision_read done = {0};
  tp_str why = {0};
  if (!tp_precision_take(c->cpa, text, &done, &why)) fail_msg("%s", tp_str_text(&why));
  assert_int_equal(done.used, 2);
  assert_int_equal(done.unknown, 5);
  assert_int_equal(tp_value_n_tracked(tp_composite_find(c->cpa, &tp_cpa_value)), 1);
  tp_composition_close(c);
  build_free(&m.b);
}

static void nonsense_is_told_with_its_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } rows[] = {
      {"", "line 1: expected 'precision 2'"},
      {"certificate 3\n", "line 1: expected 'precision 2'"},
      {"precision 3\n", "line 1: expected 'precision 2'"},
      {"precision 1\n", "line 1: this is a precision of version 1"},
      {"precision 2\npredicate (EQ (global g 1 bv32) (bv 32 1))\n",
       "line 2: an entry stands behind"},
      {"precision 2\nin main\nat x y\n", "line 3: expected 'at NUMBER TEXT'"},
      {"precision 2\nin main\nat 0 y\n", "line 3: expected 'at NUMBER TEXT'"},
      {"precision 2\nin program\nat 1 y\n", "line 3: 'at' stands behind 'in FUNCTION'"},
      {"precision 2\nin main\npredicate (EQ (global g 1 bv32) (bv 32 1)\n", "line 3: "},
      {"precision 2\nin main\npredicate (EQ (global g 1 bv32) (bv 16 1))\n", "line 3: "},
      {"precision 2\nin main\npredicate (global g 1 bv32)\n", "line 3: a predicate is a condition"},
      {"precision 2\nin main\n\npredicat TRUE\n", "line 4: expected 'in', 'at'"},
      {"precision 2\nin main\ntrack (local i 1 bv32)\n", "line 3: "},
  };
  model m = model_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_composition *c = open(&m);
    tp_precision_read done = {0};
    tp_str why = {0};
    if (tp_precision_take(c->cpa, rows[i].text, &done, &why)) fail_msg("%s: taken", rows[i].text);
    if (strncmp(tp_str_text(&why), rows[i].why, strlen(rows[i].why)) != 0)
      fail_msg("%s: %s", rows[i].text, tp_str_text(&why));
    tp_str_clear(&why);
    tp_composition_close(c);
  }
  build_free(&m.b);
}

static tp_result run(const model *m, const char *text, const char *precision, tp_stats *stats) {
  tp_task task = {.program = m->b.p,
                  .property = TP_P_UNREACH_CALL,
                  .composition = text,
                  .precision = precision};
  tp_budget budget = {.steps = 5000};
  tp_result r;
  tp_result_init(&r);
  tp_engine_cegar.run(&task, &budget, stats, &r);
  return r;
}

static void the_next_run_starts_where_the_last_one_ended(void **state) {
  (void)state;
  static const struct {
    const char *text;
    tp_verdict verdict;
  } rows[] = {
      {"analysis = location callstack predicate\nmerge = join-on-location\n", TP_VERDICT_TRUE},
      {"analysis = location callstack predicate\nmerge = join-on-location\nrefine.sources = wp "
       "sp\n",
       TP_VERDICT_TRUE},
      {"analysis = location callstack value\nvalue.precision = location\n", TP_VERDICT_UNKNOWN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    model m = model_new();
    tp_stats first = {0}, second = {0};
    tp_result a = run(&m, rows[i].text, NULL, &first),
              b = run(&m, rows[i].text, a.precision.text, &second);
    assert_int_equal(a.verdict, rows[i].verdict);
    assert_int_equal(b.verdict, rows[i].verdict);
    if (rows[i].verdict == TP_VERDICT_TRUE) assert_true(first.refinements > 0);
    assert_int_equal(second.refinements, 0);
    assert_string_equal(a.precision.text, b.precision.text);
    tp_result_clear(&a);
    tp_result_clear(&b);
    build_free(&m.b);
  }
  model m = model_new();
  tp_stats stats = {0};
  tp_result r = run(&m, rows[0].text, "precision 2\nout main\n", &stats);
  assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
  assert_non_null(strstr(r.reason, "the precision cannot be used: line 2: expected"));
  tp_result_clear(&r);
  build_free(&m.b);
}

/* A wrapper bears the name of what is in it. */
static void what_a_wrapper_holds_is_not_written(void **state) {
  (void)state;
  model m = model_new();
  static const char text[] =
      "analysis = location callstack per-location(predicate) "
      "per-location(value)\npredicate.initial = conditions\n";
  tp_task task = {.program = m.b.p, .property = TP_P_UNREACH_CALL};
  tp_budget budget = {.cpu_s = 10};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  tp_engine_run_composition(&task, text, &budget, &stats, &r);
  assert_string_equal(tp_str_text(&r.precision), "precision 2\n");
  tp_result_clear(&r);
  build_free(&m.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_wrapper_holds_is_not_written),
      cmocka_unit_test(what_is_read_is_what_was_written),
      cmocka_unit_test(names_that_are_gone_are_left_out),
      cmocka_unit_test(nonsense_is_told_with_its_line),
      cmocka_unit_test(the_next_run_starts_where_the_last_one_ended),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

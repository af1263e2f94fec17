// What one engine proved, used by another: facts are read, places that cannot be reached are false,
// and the second engine's certificate stands alone.
#include "engine/import.h"

#include "certify/certify.h"
#include "engine/engine.h"
#include "exec/testing.h"
#include "proof/proof_engines.h"

static tp_result run(const build *b, const tp_engine *engine, const char *composition,
                     const char *facts) {
  tp_task task = {.program = b->p,
                  .property = TP_P_UNREACH_CALL,
                  .composition = composition,
                  .imported = facts};
  tp_budget budget = {0};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  engine->run(&task, &budget, &stats, &r);
  tp_result_write_invariants(&r, b->p);
  return r;
}

static void input(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}

/* i := 0; while (i < 100000) i := i + 1;  assert(i <= 100000): for bounds.
 * if (flag) x := 1, y := 3 else x := 2, y := 6;  assert(y == 3 x): for values, path by path. */
static build program_for_two(void) {
  build b = build_new(64);
  tp_sort bv32 = tp_sort_bv(b.tt, 32);
  build_func(&b, "main", (tp_sort){0});
  tp_var i = build_var(&b, "i", bv32), x = build_var(&b, "x", bv32), y = build_var(&b, "y", bv32),
         flag = build_var(&b, "flag", bv32);
  tp_term most = bv(&b, 32, 100000);
  build_assign(&b, i, bv(&b, 32, 0));
  tp_loc head = b.at, out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, build_term(&b, i), most));
  build_assign(&b, i, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), bv(&b, 32, 1)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b.at = out;
  build_assert(&b, tp_mk2(b.tt, TP_OP_BV_SLE, build_term(&b, i), most));
  input(&b, flag);
  tp_loc no = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, flag), bv(&b, 32, 0))),
         both = build_loc(&b);
  build_assign(&b, x, bv(&b, 32, 1));
  build_assign(&b, y, bv(&b, 32, 3));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = both});
  b.at = no;
  build_assign(&b, x, bv(&b, 32, 2));
  build_assign(&b, y, bv(&b, 32, 6));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = both});
  b.at = both;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, y),
                            tp_mk2(b.tt, TP_OP_BV_MUL, build_term(&b, x), bv(&b, 32, 3))));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void two_engines_prove_together(void **state) {
  (void)state;
  build b = program_for_two();
  tp_result interval = run(&b, &tp_engine_interval, NULL, NULL),
            value = run(&b, &tp_engine_value, NULL, NULL);
  assert_int_equal(interval.verdict, TP_VERDICT_UNKNOWN);
  assert_int_equal(value.verdict, TP_VERDICT_UNKNOWN);
  assert_int_equal(interval.unproved.n, 1);
  assert_int_equal(value.unproved.n, 1);
  assert_true(interval.invariants_text.n > 0);
  tp_result by_several = run(&b, &tp_engine_value, NULL, interval.invariants_text.text);
  if (by_several.verdict != TP_VERDICT_TRUE) fail_msg("%s", by_several.reason);
  // nobody believes the facts: the certificate proves them, too
  tp_certify_limits limits = {0};
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_result checked =
      tp_certify_true(b.p, TP_P_UNREACH_CALL, by_several.certificate.text, &limits, NULL, &report);
  if (checked != TP_CERTIFY_ACCEPTED)
    fail_msg("%s: %s", tp_certify_result_name(checked), tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  tp_result_clear(&by_several);
  tp_result_clear(&interval);
  tp_result_clear(&value);
  build_free(&b);
}

/* A lie among the facts makes an engine claim what is false; the checker does not follow. */
static void false_facts_do_not_become_proofs(void **state) {
  (void)state;
  build b = program_for_two();
  tp_result interval = run(&b, &tp_engine_interval, NULL, NULL);
  char *text = interval.invariants_text.text, *end = strstr(text, "\nat 1 ");
  assert_non_null(end);
  // drop every place but main's entry: whatever is missing counts as unreachable
  tp_str lie = {0};
  tp_str_add_n(&lie, text, (size_t)(end - text) + 1);
  for (char *at = end + 1; *at; at += strcspn(at, "\n") + 1) {
    bool is_entry = strncmp(at, "at 1 1 ", 7) == 0;
    if (is_entry) tp_str_add_n(&lie, at, strcspn(at, "\n") + 1);
    if (strncmp(at, "end", 3) == 0) break;
  }
  tp_str_add(&lie, "end\n");
  tp_result r = run(&b, &tp_engine_value, NULL, lie.text);
  if (r.verdict == TP_VERDICT_TRUE) {
    tp_certify_limits limits = {0};
    tp_certify_report report;
    tp_certify_report_init(&report);
    assert_int_not_equal(
        tp_certify_true(b.p, TP_P_UNREACH_CALL, r.certificate.text, &limits, NULL, &report),
        TP_CERTIFY_ACCEPTED);
    tp_certify_report_clear(&report);
  } else {
    fail_msg("the lie had no effect: %s", r.reason);
  }
  tp_str_clear(&lie);
  tp_result_clear(&r);
  tp_result_clear(&interval);
  build_free(&b);
}

/* i := 0; while (i < n) { j := 0; while (j < 3) j := j + 1; assert(j == 3); i := i + 1; }: the
 * inner head cuts both loops. */
static build nested_loops(tp_loc *outer) {
  build b = build_new(64);
  tp_sort bv32 = tp_sort_bv(b.tt, 32);
  build_func(&b, "main", (tp_sort){0});
  tp_var i = build_var(&b, "i", bv32), j = build_var(&b, "j", bv32), n = build_var(&b, "n", bv32);
  input(&b, n);
  build_assign(&b, i, bv(&b, 32, 0));
  *outer = b.at;
  tp_loc out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, i), build_term(&b, n)));
  build_assign(&b, j, bv(&b, 32, 0));
  tp_loc inner = b.at,
         behind = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, j), bv(&b, 32, 3)));
  build_assign(&b, j, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, j), bv(&b, 32, 1)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = inner});
  b.at = behind;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, j), bv(&b, 32, 3)));
  build_assign(&b, i, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), bv(&b, 32, 1)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = *outer});
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

/* A proof that labels cutpoints alone says nothing of other heads of loops: that they have no label
 * does not mean that no run comes there. */
static void heads_without_labels_are_no_dead_ends(void **state) {
  (void)state;
  tp_loc outer;
  build b = nested_loops(&outer);
  assert_true(tp_loc_of(b.p, outer)->is_loop_head && !tp_loc_of(b.p, outer)->is_cutpoint);
  tp_result proof = run(&b, &tp_engine_kinduction, NULL, NULL);
  assert_int_equal(proof.verdict, TP_VERDICT_TRUE);
  tp_contexts contexts;
  tp_imported facts = {0};
  tp_contexts_init(&contexts);
  tp_import_read(proof.certificate.text, b.p, &contexts, &facts);
  assert_true(facts.list.n > 0);
  for (size_t k = 0; k < facts.list.n; k++)
    assert_false(facts.list.at[k].loc.id == outer.id &&
                 tp_is_false(b.tt, facts.list.at[k].formula));
  tp_imported_clear(&facts);
  tp_contexts_clear(&contexts);
  tp_result_clear(&proof);
  build_free(&b);
}

static void texts_are_read_with_care(void **state) {
  (void)state;
  build b = program_for_two();
  tp_result interval = run(&b, &tp_engine_interval, NULL, NULL);
  tp_contexts contexts;
  tp_contexts_init(&contexts);
  tp_imported one = {0}, two = {0}, none = {0};
  tp_str twice = {0};
  tp_str_printf(&twice, "%s%s", interval.invariants_text.text, interval.invariants_text.text);
  tp_import_read(interval.invariants_text.text, b.p, &contexts, &one);
  tp_import_read(twice.text, b.p, &contexts, &two);
  assert_true(one.list.n > 2);
  assert_int_equal(one.list.n, two.list.n);  // the conjunction of a formula with itself
  for (size_t i = 0; i < one.list.n; i++)
    assert_int_equal(one.list.at[i].formula.id, two.list.at[i].formula.id);
  twice.text[twice.n / 3] = '!';
  static const char *const bad[] = {"", "nonsense", "twoproof-certificate 2\nend\n", NULL};
  for (size_t i = 0; bad[i]; i++) tp_import_read(bad[i], b.p, &contexts, &none);
  tp_import_read(NULL, b.p, &contexts, &none);
  assert_int_equal(none.list.n, 0);
  tp_imported_clear(&one);
  tp_imported_clear(&two);
  tp_imported_clear(&none);
  tp_str_clear(&twice);
  tp_contexts_clear(&contexts);
  tp_result_clear(&interval);
  build_free(&b);
}

static void compositions_get_the_component(void **state) {
  (void)state;
  static const struct {
    const char *text, *with;
  } cases[] = {
      {"analysis = location value\n", "analysis = facts  location value\n"},
      {"# analysis of\n  analysis=location\nmerge = sep\n",
       "# analysis of\n  analysis= facts location\nmerge = sep\n"},
      {"merge = sep\n", "merge = sep\n"},
  };
  tp_arena arena;
  tp_arena_init(&arena);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *with = tp_import_compose(cases[i].text, &arena);
    assert_string_equal(with, cases[i].with);
  }
  tp_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_engines_prove_together),
                                     cmocka_unit_test(false_facts_do_not_become_proofs),
                                     cmocka_unit_test(heads_without_labels_are_no_dead_ends),
                                     cmocka_unit_test(texts_are_read_with_care),
                                     cmocka_unit_test(compositions_get_the_component)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

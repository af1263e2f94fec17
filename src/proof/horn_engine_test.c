// Horn clauses over blocks on small models: which columns there are, what comes back, what the
// engine says.
#include "proof/horn_system.h"

#include "certify/certify.h"
#include "exec/testing.h"
#include "proof/proof_engines.h"

static tp_sort bv32(const build *b) { return tp_sort_bv(b->tt, 32); }
static tp_term plus(const build *b, tp_var v, tp_term n) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, v), n);
}
static void go_to(build *b, tp_loc l) { build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = l}); }

/* x := n := input; y := 0; while (x != 0) x -= 1, y += (y < 50000 ? 1 : late), z += 3;  assert(y ==
 * n): x + y == n, if late is 1. */
static build vessels(int64_t late) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var n = build_var(&b, "n", bv32(&b)), x = build_var(&b, "x", bv32(&b)),
         y = build_var(&b, "y", bv32(&b)), z = build_var(&b, "z", bv32(&b));
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = n, .input = TP_I_NONDET, .name = "nondet"});
  build_assign(&b, x, build_term(&b, n));
  build_assign(&b, y, bv(&b, 32, 0));
  build_assign(&b, z, bv(&b, 32, 0));
  tp_loc head = b.at;
  tp_loc out = build_branch(&b, tp_mk_not(b.tt, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 0))));
  build_assign(&b, x, plus(&b, x, bv(&b, 32, -1)));
  tp_term is_early = tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, y), bv(&b, 32, 50000));
  build_assign(&b, y, plus(&b, y, tp_mk_ite(b.tt, is_early, bv(&b, 32, 1), bv(&b, 32, late))));
  build_assign(&b, z, plus(&b, z, bv(&b, 32, 3)));
  go_to(&b, head);
  b.at = out;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, y), build_term(&b, n)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

typedef struct {
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  tp_term *known;
  tp_horn_system system;
  tp_node_formulas candidates, found;
} setting;

static setting *setting_of(const build *b) {
  setting *s = TP_NEW(setting);
  tp_contexts_init(&s->contexts);
  tp_paths_init(&s->paths, b->p);
  tp_blocks_build(&s->blocks, &s->paths, &s->contexts, TP_P_UNREACH_CALL, TP_BLOCKS_TO_LOOPS, 0);
  s->known = TP_NEW_ARRAY(tp_term, s->blocks.nodes.n);
  for (size_t n = 0; n < s->blocks.nodes.n; n++) s->known[n] = tp_mk_true(b->tt);
  tp_horn_system_init(&s->system, &s->blocks, s->known);
  tp_node_formulas_init(&s->candidates, &s->blocks);
  tp_node_formulas_init(&s->found, &s->blocks);
  return s;
}

static void setting_free(setting *s) {
  tp_node_formulas_clear(&s->candidates);
  tp_node_formulas_clear(&s->found);
  tp_horn_system_clear(&s->system);
  tp_free(s->known);
  tp_blocks_clear(&s->blocks);
  tp_paths_clear(&s->paths);
  tp_contexts_clear(&s->contexts);
  tp_free(s);
}

static void columns_are_what_errors_depend_on(void **state) {
  (void)state;
  build b = vessels(1);
  setting *s = setting_of(&b);
  for (uint32_t n = 1; n < s->blocks.nodes.n; n++) {
    bool has[4] = {false};
    static const char *const names[] = {"n", "x", "y", "z"};
    if (tp_block_node_is_bad(&s->blocks, n)) continue;
    for (size_t j = 0; j < s->system.at[n].n; j++)
      for (int k = 0; k < 4; k++)
        has[k] |=
            !strcmp(tp_var_name(b.tt, s->system.columns.at[s->system.at[n].at[j]].term), names[k]);
    assert_true(has[0] && has[1] && has[2] && !has[3]);
  }
  setting_free(s);
  build_free(&b);
}

static void what_is_found_is_inductive(void **state) {
  (void)state;
  build b = vessels(1);
  setting *s = setting_of(&b);
  tp_horn_options o = {.encoding = TP_HORN_INTS_PLAIN, .rlimit = 20000000};
  tp_horn_outcome r = tp_horn_system_solve(&s->system, s->known, o, TP_HORN_LINEAR, &s->candidates);
  assert_int_equal(r.answer, TP_HORN_UNREACHABLE);
  assert_true(
      tp_houdini(&s->blocks, NULL, NULL, &s->candidates, (tp_houdini_options){0}, &s->found));
  size_t n = 0;
  for (size_t i = 0; i < s->found.n_nodes; i++) n += s->found.at[i].n;
  assert_true(n > 0);
  setting_free(s);
  build_free(&b);
}

static tp_result run(const build *b, double cpu_s) {
  tp_task task = {.program = b->p, .property = TP_P_UNREACH_CALL};
  tp_budget budget = {.cpu_s = cpu_s};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  tp_engine_horn.run(&task, &budget, &stats, &r);
  return r;
}

static void a_proof_is_accepted_and_always_the_same(void **state) {
  (void)state;
  build b = vessels(1);
  tp_result r = run(&b, 30), again = run(&b, 30);
  tp_certify_limits limits = {0};
  tp_certify_report report;
  tp_certify_report_init(&report);
  assert_int_equal(r.verdict, TP_VERDICT_TRUE);
  assert_int_equal(
      tp_certify_true(b.p, TP_P_UNREACH_CALL, r.certificate.text, &limits, NULL, &report),
      TP_CERTIFY_ACCEPTED);
  assert_string_equal(r.certificate.text, again.certificate.text);
  tp_certify_report_clear(&report);
  tp_result_clear(&r);
  tp_result_clear(&again);
  build_free(&b);
}

static void a_late_failure_is_not_proved_away(void **state) {
  (void)state;
  build b = vessels(2);
  tp_result r = run(&b, 3);
  assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
  assert_int_equal(r.certificate.n, 0);
  assert_non_null(r.reason);
  tp_result_clear(&r);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_what_errors_depend_on),
                                     cmocka_unit_test(what_is_found_is_inductive),
                                     cmocka_unit_test(a_proof_is_accepted_and_always_the_same),
                                     cmocka_unit_test(a_late_failure_is_not_proved_away)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

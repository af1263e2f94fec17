// k-induction on small models: how many blocks a step needs, what the engine says and leaves
// behind.
#include "blocks/induction.h"

#include "certify/certify.h"
#include "engine/import.h"
#include "engine/invariants.h"
#include "exec/testing.h"
#include "proof/proof_engines.h"

static tp_sort bv32(const build *b) { return tp_sort_bv(b->tt, 32); }
static tp_term plus(const build *b, tp_var v, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, v), bv(b, 32, n));
}
static tp_term is(const build *b, tp_var v, int64_t n) {
  return tp_mk_eq(b->tt, build_term(b, v), bv(b, 32, n));
}
static void input(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}
static void go_to(build *b, tp_loc l) { build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = l}); }

/* in := input, unless it is 9; the value goes through three variables, one for each turn, and must
 * not be `bad` at the end. */
static build delay(int64_t bad) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var in = build_var(&b, "in", bv32(&b)), v[3];
  static const char *const names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) v[i] = build_var(&b, names[i], bv32(&b));
  for (int i = 0; i < 3; i++) build_assign(&b, v[i], bv(&b, 32, 0));
  tp_loc head = b.at;
  input(&b, in);
  (void)build_branch(&b, tp_mk_not(b.tt, is(&b, in, 9)));
  build_assign(&b, v[2], build_term(&b, v[1]));
  build_assign(&b, v[1], build_term(&b, v[0]));
  build_assign(&b, v[0], build_term(&b, in));
  build_assert(&b, tp_mk_not(b.tt, is(&b, v[2], bad)));
  go_to(&b, head);
  build_done(&b);
  return b;
}

typedef struct {
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  tp_term *known;
  tp_induction x;
} setting;

static setting *setting_of(const build *b) {
  setting *s = TP_NEW(setting);
  tp_contexts_init(&s->contexts);
  tp_paths_init(&s->paths, b->p);
  tp_blocks_build(&s->blocks, &s->paths, &s->contexts, TP_P_UNREACH_CALL, TP_BLOCKS_TO_LOOPS, 0);
  s->known = TP_NEW_ARRAY(tp_term, s->blocks.nodes.n);
  for (size_t n = 0; n < s->blocks.nodes.n; n++) s->known[n] = tp_mk_true(b->tt);
  tp_induction_init(&s->x, &s->blocks, s->known, (tp_smt_options){0});
  return s;
}

static void setting_free(setting *s) {
  tp_induction_clear(&s->x);
  tp_free(s->known);
  tp_blocks_clear(&s->blocks);
  tp_paths_clear(&s->paths);
  tp_contexts_clear(&s->contexts);
  tp_free(s);
}

/* From any state, what is wrong may still be under way for two turns. */
static void a_step_sees_as_far_as_it_is_long(void **state) {
  (void)state;
  build b = delay(9);
  setting *s = setting_of(&b);
  for (uint32_t k = 0; k < 4; k++) {
    assert_int_equal(tp_induction_base(&s->x, k), TP_SMT_UNSAT);
    assert_int_equal(tp_induction_step(&s->x, k), k < 2 ? TP_SMT_SAT : TP_SMT_UNSAT);
  }
  setting_free(s);
  build_free(&b);
}

/* A value that may come in is there in the third turn: behind the block to the loop and two more.
 */
static void a_base_finds_the_shortest_way(void **state) {
  (void)state;
  build b = delay(8);
  setting *s = setting_of(&b);
  for (uint32_t k = 0; k < 5; k++) {
    assert_int_equal(tp_induction_base(&s->x, k), k < 3 ? TP_SMT_UNSAT : TP_SMT_SAT);
    assert_int_equal(tp_induction_step(&s->x, k), TP_SMT_SAT);
  }
  setting_free(s);
  build_free(&b);
}

static void invariants_make_steps_shorter(void **state) {
  (void)state;
  build b = delay(9);
  setting *s = setting_of(&b);
  tp_term first = TP_TERM_NONE;
  for (uint32_t v = 1; v < b.p->vars.n; v++)
    if (!strcmp(b.p->vars.at[v].name, "b")) first = b.p->vars.at[v].term;
  for (uint32_t n = 1; n < s->blocks.nodes.n; n++)
    s->known[n] = tp_mk_not(b.tt, tp_mk_eq(b.tt, first, bv(&b, 32, 9)));
  assert_int_equal(tp_induction_step(&s->x, 0), TP_SMT_UNSAT);
  setting_free(s);
  build_free(&b);
}

// ----------------------------------------------------------------------- engine

/* x := 0, y := 0; while (input) x += 1, y += 1;  assert(x == y); and, if `open`, assert(x !=
 * 100000), which some run violates late. */
static build pace(bool open) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", bv32(&b)), y = build_var(&b, "y", bv32(&b)),
         in = build_var(&b, "in", bv32(&b));
  build_assign(&b, x, bv(&b, 32, 0));
  build_assign(&b, y, bv(&b, 32, 0));
  tp_loc head = b.at;
  input(&b, in);
  tp_loc out = build_branch(&b, is(&b, in, 0));
  build_assign(&b, x, plus(&b, x, 1));
  build_assign(&b, y, plus(&b, y, 1));
  go_to(&b, head);
  b.at = out;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, x), build_term(&b, y)));
  if (open) build_assert(&b, tp_mk_not(b.tt, is(&b, x, 100000)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static tp_result run(const build *b, const tp_engine *engine, const char *facts, uint64_t seed) {
  tp_task task = {.program = b->p, .property = TP_P_UNREACH_CALL, .imported = facts, .seed = seed};
  tp_budget budget = {.cpu_s = 20};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  engine->run(&task, &budget, &stats, &r);
  tp_result_write_invariants(&r, b->p);
  return r;
}

static tp_certify_result check(const build *b, const char *certificate) {
  tp_certify_limits limits = {0};
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_result result =
      tp_certify_true(b->p, TP_P_UNREACH_CALL, certificate, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return result;
}

static void a_proof_is_accepted_and_always_the_same(void **state) {
  (void)state;
  build b = pace(false);
  tp_result r = run(&b, &tp_engine_kinduction, NULL, 7),
            again = run(&b, &tp_engine_kinduction, NULL, 7);
  assert_int_equal(r.verdict, TP_VERDICT_TRUE);
  assert_int_equal(check(&b, r.certificate.text), TP_CERTIFY_ACCEPTED);
  assert_string_equal(r.certificate.text, again.certificate.text);
  tp_result_clear(&r);
  tp_result_clear(&again);
  build_free(&b);
}

static void what_cannot_be_proved_has_a_reason(void **state) {
  (void)state;
  build b = pace(true);
  tp_result r = run(&b, &tp_engine_kinduction, NULL, 0);
  assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
  assert_int_equal(r.certificate.n, 0);
  assert_non_null(strstr(r.reason, "induction over up to"));
  // x == y is among the facts, which say nothing of errors
  tp_invariants v;
  tp_str why = {0};
  tp_invariants_init(&v);
  if (tp_invariants_read(r.invariants_text.text, b.p, &v, &why) != TP_OK)
    fail_msg("%s", tp_str_text(&why));
  assert_int_equal(v.property, TP_P_NONE);
  tp_invariants_clear(&v);
  tp_str_clear(&why);
  assert_non_null(strstr(r.invariants_text.text, "(EQ (var"));
  tp_result_clear(&r);
  build_free(&b);
}

/* Another engine takes them, and leaves its own. */
static void facts_are_used(void **state) {
  (void)state;
  build b = pace(true);
  tp_result r = run(&b, &tp_engine_kinduction, NULL, 0),
            second = run(&b, &tp_engine_interval, r.invariants_text.text, 0);
  assert_true(second.verdict == TP_VERDICT_UNKNOWN && second.invariants_text.n > 0);
  tp_result_clear(&r);
  tp_result_clear(&second);
  build_free(&b);
}

static void failures_near_the_start_are_found(void **state) {
  (void)state;
  build b = delay(8);
  tp_result r = run(&b, &tp_engine_kinduction, NULL, 0);
  assert_int_equal(r.verdict, TP_VERDICT_FALSE);
  assert_true(r.inputs.v.n > 0);
  tp_result_clear(&r);
  build_free(&b);
}

/* An integer that a loop may make the address of the array's second cell becomes a pointer behind
 * the loop; what is written there is read from the array. Path formulas of the last block know
 * nothing of where the integer came from. */
static build number_from_a_pointer(void) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  uint32_t array = tp_program_add_static(
      b.p, (tp_static){.name = "array", .kind = TP_O_GLOBAL, .size_bytes = 16, .align_bytes = 4});
  tp_sort number = tp_sort_bv(b.tt, 64);
  tp_var u = build_var(&b, "u", number), in = build_var(&b, "in", bv32(&b)),
         v = build_var(&b, "v", bv32(&b));
  build_assign(&b, u, tp_mk_bv(b.tt, 64, 0));
  tp_loc head = b.at;
  input(&b, in);
  tp_loc out = build_branch(&b, is(&b, in, 0));
  build_assign(&b, u, tp_mk1(b.tt, TP_OP_PTR_TO_INT, tp_mk_ptr_const(b.tt, array, 4)));
  go_to(&b, head);
  b.at = out;
  tp_loc none = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, u), tp_mk_bv(b.tt, 64, 0)));
  tp_term cell = tp_mk1(b.tt, TP_OP_INT_TO_PTR,
                        tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, u), tp_mk_bv(b.tt, 64, 4)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_STORE, .a = cell, .b = bv(&b, 32, 1)});
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = tp_mk_ptr_const(b.tt, array, 8)});
  build_assert(&b, is(&b, v, 0));
  b.at = none;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void numbers_remember_pointers_across_blocks(void **state) {
  (void)state;
  const tp_engine *const engines[] = {&tp_engine_kinduction, &tp_engine_horn, &tp_engine_cegar};
  for (int i = 0; i < 3; i++) {
    build b = number_from_a_pointer();
    tp_result r = run(&b, engines[i], NULL, 0);
    assert_int_not_equal(r.verdict, TP_VERDICT_TRUE);
    tp_result_clear(&r);
    build_free(&b);
  }
}

/* down(n): input; unless it is 0: assert(n != 100), then down(n + 1). Runs that fail are deeper
 * than short ones that do not. */
static build descent(void) {
  build b = build_new(64);
  tp_func down = build_func(&b, "down", (tp_sort){0});
  tp_var n = build_param(&b, "n", bv32(&b)), in = build_var(&b, "in", bv32(&b));
  input(&b, in);
  tp_loc deeper = build_branch(&b, is(&b, in, 0));
  build_return(&b, TP_TERM_NONE);
  b.at = deeper;
  build_assert(&b, tp_mk_not(b.tt, is(&b, n, 100)));
  build_edge(
      &b, (tp_edge_info){
              .kind = TP_E_CALL, .callee = down, .args = (tp_term[]){plus(&b, n, 1)}, .n_args = 1});
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  build_edge(
      &b, (tp_edge_info){
              .kind = TP_E_CALL, .callee = down, .args = (tp_term[]){bv(&b, 32, 0)}, .n_args = 1});
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

/* What no short run does says nothing of runs that go on from an open place. */
static void short_runs_do_not_close_open_places(void **state) {
  (void)state;
  static const tp_engine *const engines[] = {&tp_engine_kinduction, &tp_engine_horn};
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
    build b = descent();
    tp_result r = run(&b, engines[i], NULL, 1);
    assert_int_not_equal(r.verdict, TP_VERDICT_TRUE);
    tp_result_clear(&r);
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_sees_as_far_as_it_is_long),
      cmocka_unit_test(a_base_finds_the_shortest_way),
      cmocka_unit_test(invariants_make_steps_shorter),
      cmocka_unit_test(a_proof_is_accepted_and_always_the_same),
      cmocka_unit_test(what_cannot_be_proved_has_a_reason),
      cmocka_unit_test(facts_are_used),
      cmocka_unit_test(failures_near_the_start_are_found),
      cmocka_unit_test(numbers_remember_pointers_across_blocks),
      cmocka_unit_test(short_runs_do_not_close_open_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

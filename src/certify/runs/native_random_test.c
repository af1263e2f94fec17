/* Random runs of compiled programs against a model that claims to be safe: a source that does more
 * than its model is caught, unless the model says that the run has left its assumptions. */
#include "base/process.h"
#include "certify/runs/native_replay.h"

#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

typedef enum { ENDS, MEETS_INVALID } model_end;

/* x := nondet(); then the end, or a load from null if x > 100. */
static tp_program *model(model_end end) {
  tp_program *p = tp_program_new(NULL, 64);
  tp_terms *tt = p->terms;
  tp_func f = tp_program_add_func(p, (tp_func_info){.name = "main", .has_body = true});
  tp_var x = tp_program_add_var(p, (tp_var_info){.name = "x", .kind = TP_V_LOCAL, .func = f},
                                tp_sort_bv(tt, 32));
  tp_loc at[5];
  for (int i = 0; i < 5; i++) at[i] = tp_program_add_loc(p, (tp_loc_info){.func = f});
  tp_term small = tp_mk2(tt, TP_OP_BV_SLE, tp_var_of(p, x)->term, tp_mk_bv(tt, 32, 100));
  tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_HAVOC,
                                        .from = at[0],
                                        .to = at[1],
                                        .var = x,
                                        .input = TP_I_NONDET,
                                        .name = "nondet"});
  tp_program_add_edge(p,
                      (tp_edge_info){.kind = TP_E_ASSUME, .from = at[1], .to = at[2], .a = small});
  tp_program_add_edge(
      p,
      (tp_edge_info){.kind = TP_E_ASSUME, .from = at[1], .to = at[3], .a = tp_mk_not(tt, small)});
  tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_RETURN, .from = at[2], .to = at[4]});
  if (end == ENDS)
    tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_RETURN, .from = at[3], .to = at[4]});
  else
    tp_program_add_edge(
        p, (tp_edge_info){
               .kind = TP_E_LOAD, .from = at[3], .to = at[2], .var = x, .a = tp_mk_null(tt)});
  p->funcs.at[f.id].entry = at[0];
  p->funcs.at[f.id].exit = at[4];
  p->main = f;
  tp_program_finish(p);
  return p;
}

static tp_certify_result run(model_end end, tp_property prop, const char *source,
                             tp_u128 *first_answer) {
  tp_str path = {0};
  assert_int_equal(tp_temp_dir(&path), TP_OK);
  tp_str_add(&path, "/program.c");
  assert_int_equal(tp_write_file(path.text, source, strlen(source)), TP_OK);
  tp_program *p = model(end);
  const char *files[] = {path.text};
  tp_inputs in;
  tp_inputs_init(&in);
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_chk_native_request r = {.program = p, .files = files, .n_files = 1};
  tp_certify_result result = tp_certify_run_native(&r, prop, 1, 60, 20, &in, &report);
  *first_answer = in.v.n ? in.v.at[0].bits : 0;
  assert_true((result == TP_CERTIFY_ACCEPTED) == (report.why.n == 0));
  tp_certify_report_clear(&report);
  tp_inputs_clear(&in);
  tp_program_free(p);
  tp_str_clear(&path);
  return result;
}

static void compiled_programs_are_compared_with_their_models(void **state) {
  (void)state;
  static const char reaches[] =
      "int nondet(void);\nstatic void reach_error(void) {}\nint main(void) { if (nondet() > 100) "
      "reach_error(); return 0; }";
  static const char safe[] =
      "int nondet(void);\nstatic void reach_error(void) {}\nint main(void) { int x = nondet(); if "
      "(x > 100 && x < 50) reach_error(); return 0; }";
  static const char overflows[] =
      "int nondet(void);\nint main(void) { return nondet() + 2147483600 == 7; }";
  static const char broken[] = "int main(void) { return nonsense; }";
  tp_u128 answer;
  assert_int_equal(run(ENDS, TP_P_UNREACH_CALL, reaches, &answer), TP_CERTIFY_REJECTED);
  assert_true(answer > 100 && answer < 0x80000000u);
  assert_int_equal(run(ENDS, TP_P_UNREACH_CALL, safe, &answer), TP_CERTIFY_ACCEPTED);
  assert_int_equal(run(MEETS_INVALID, TP_P_UNREACH_CALL, reaches, &answer), TP_CERTIFY_ACCEPTED);
  assert_int_equal(run(ENDS, TP_P_NO_OVERFLOW, overflows, &answer), TP_CERTIFY_REJECTED);
  assert_int_equal(run(ENDS, TP_P_NO_OVERFLOW, safe, &answer), TP_CERTIFY_ACCEPTED);
  assert_int_equal(run(ENDS, TP_P_UNREACH_CALL, broken, &answer), TP_CERTIFY_UNDECIDED);
}

static int tear_down(void **state) {
  (void)state;
  tp_temp_remove_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_programs_are_compared_with_their_models)};
  return cmocka_run_group_tests(tests, NULL, tear_down);
}

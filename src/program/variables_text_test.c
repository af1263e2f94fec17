// Variables and memories of a program have names that lead back to them; everything else has none.
// Summaries keep their numbers.
#include "program/variables_text.h"

#include "program/build_test.h"
#include "program/cells.h"
#include "program/summary.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static void names_lead_back(void **unused) {
  (void)unused;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = tp_program_new(diag, 64);
  tp_func f = func(p, "main");
  p->main = f;
  tp_var x = var(p, f, "x", bv_sort(p, 32), TP_TYPE_NONE),
         q = var(p, f, "q", ptr_sort(p), TP_TYPE_NONE);
  give_back(p, entry_of(p, f), f, TP_TERM_NONE);
  tp_program_finish(p);
  tp_terms *tt = p->terms;
  const tp_sort sorts[TP_N_MEMORIES] = {
      tp_sort_bool(tt),   tp_sort_ptr(tt),    tp_sort_fp(tt, 32),
      tp_sort_fp(tt, 64), tp_sort_bv(tt, 8),  tp_sort_bv(tt, 16),
      tp_sort_bv(tt, 32), tp_sort_bv(tt, 64), tp_sort_bv(tt, 128)};
  tp_term all = tp_mk_eq(tt, term_of(p, x), bv(p, 32, 7));
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    tp_term at = tp_mk_ptr_add(tt, term_of(p, q), bv(p, 64, i)), cell = tp_cell(p, sorts[i], at);
    all = tp_mk_and(tt, all, tp_mk_eq(tt, cell, tp_cell(p, sorts[i], tp_mk_null(tt))));
  }
  all = tp_mk_and(tt, all,
                  tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_live)->term,
                         tp_mk1(tt, TP_OP_PTR_OBJ, term_of(p, q))));
  tp_str text = {0}, why = {0};
  tp_term back;
  assert_true(tp_term_write(tt, all, tp_program_text_vars(p), &text));
  assert_int_equal(tp_term_read(tt, text.text, tp_program_text_vars(p), &back, &why), TP_OK);
  assert_true(tp_term_eq(all, back));
  size_t before = text.n;
  assert_false(tp_term_write(tt, tp_mk_eq(tt, all, tp_mk_var(tt, "stranger", tp_sort_bool(tt))),
                             tp_program_text_vars(p), &text));
  assert_int_equal(text.n, before);
  static const char *const wrong[] = {"(var 0)",
                                      "(var 99)",
                                      "(var -1)",
                                      "(var )",
                                      "(var)",
                                      "(var 1 2)",
                                      "(var 99999999999999999999999)",
                                      "(memory bv24)",
                                      "(memory)",
                                      "(memory bv8 x)",
                                      "(memory (array bv8 bv8))",
                                      "(cell bv8)"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (tp_term_read(tt, wrong[i], tp_program_text_vars(p), &back, &why) == TP_OK)
      fail_msg("%s", wrong[i]);
  tp_str_clear(&text);
  tp_str_clear(&why);
  tp_program_free(p);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

static void summaries_keep_their_numbers(void **unused) {
  (void)unused;
  tp_summaries s = {0};
  assert_int_equal(tp_summaries_next(&s, (tp_func){1}, 0), 0);
  for (uint32_t i = 1; i <= 5; i++)
    assert_int_equal(tp_summaries_add(&s, (tp_summary){.func = {1 + i % 2}}), i);
  assert_int_equal(tp_summaries_next(&s, (tp_func){1}, 0), 2);
  assert_int_equal(tp_summaries_next(&s, (tp_func){1}, 2), 4);
  assert_int_equal(tp_summaries_next(&s, (tp_func){1}, 4), 0);
  assert_int_equal(tp_summaries_next(&s, (tp_func){2}, 3), 5);
  tp_summaries_clear(&s);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_lead_back),
                                     cmocka_unit_test(summaries_keep_their_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

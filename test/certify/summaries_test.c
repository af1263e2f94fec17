/* Forged summaries: certificates of the engine smash in which one contract of a function says more
 * than is true, or less than callers need. The checker shows each contract on its own, so each
 * forgery must be refused; the certificate itself is accepted. */
#include "certify/certify.h"
#include "engine/engine.h"
#include "engine/invariants.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static tp_program *load(const char *path, tp_diag *diag) {
  const char *files[] = {path};
  tp_program *p = NULL;
  const tp_front_options o = {.files = files, .n_files = 1, .property = TP_P_UNREACH_CALL};
  assert_int_equal(tp_front_load(&o, diag, &p), TP_OK);
  return p;
}

static tp_certify_result check(const tp_program *p, const tp_invariants *v) {
  tp_certify_report report;
  const tp_certify_limits limits = {.cpu_s = 20};
  tp_str text = {0};
  assert_true(tp_invariants_write(v, p, &text));
  tp_certify_report_init(&report);
  const tp_certify_result r =
      tp_certify_true(p, TP_P_UNREACH_CALL, tp_str_text(&text), &limits, NULL, &report);
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  return r;
}

typedef enum {
  POST_FALSE,    // no run returns
  POST_NEGATED,  // every run returns otherwise
  PRE_TRUE,      // it holds of all calls, whatever they are
  PRE_FALSE,     // no call may be made
  N_FORGERIES
} forgery;

static void forge(tp_terms *tt, tp_summary *s, forgery how) {
  switch (how) {
    case POST_FALSE: s->post = tp_mk_false(tt); break;
    case POST_NEGATED: s->post = tp_mk_not(tt, s->post); break;
    case PRE_TRUE: s->pre = tp_mk_true(tt); break;
    case PRE_FALSE: s->pre = tp_mk_false(tt); break;
    case N_FORGERIES: break;
  }
}

/* What engine smash proves of the program; accepted as it is. */
static tp_invariants *prove(tp_program *p) {
  const tp_task task = {.program = p, .property = TP_P_UNREACH_CALL, .seed = 1};
  const tp_budget budget = {.cpu_s = 60};
  tp_stats stats = {0};
  tp_result r;
  tp_str why = {0};
  tp_invariants *v = tp_invariants_new();
  tp_result_init(&r);
  tp_engine_find("smash")->run(&task, &budget, &stats, &r);
  assert_int_equal(r.verdict, TP_VERDICT_TRUE);
  assert_int_equal(tp_invariants_read(tp_str_text(&r.certificate), p, v, &why), TP_OK);
  assert_int_equal(check(p, v), TP_CERTIFY_ACCEPTED);
  tp_result_clear(&r);
  tp_str_clear(&why);
  return v;
}

static void each_forged_summary_is_refused(void **state) {
  (void)state;
  // forgeries that are wrong of the first contract: a letter for each, '.' where it stays true
  static const struct {
    const char *path, *wrong;
  } rows[] = {
      {"examples/recursion/length.c", "ffff"},     // pre: 0 <= n, post: result == n
      {"examples/recursion/mc_carthy.c", "ff.."},  // several: calls may meet another one's pre
      {"examples/recursion/two_calls.c", "ff.."},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p = load(rows[i].path, diag);
    tp_invariants *v = prove(p);
    tp_summary *first = &v->contracts.list.at[1];
    const tp_summary own = *first;
    for (forgery how = POST_FALSE; how < N_FORGERIES; how++) {
      forge(p->terms, first, how);
      if (rows[i].wrong[how] == 'f' && check(p, v) == TP_CERTIFY_ACCEPTED)
        fail_msg("%s: forgery %d is accepted", rows[i].path, (int)how);
      *first = own;
    }
    tp_invariants_free(v);
    tp_program_free(p);
    tp_diag_free(diag);
  }
}

/* Summaries of a program are no proof of its broken twin, whatever fingerprint they carry. */
static void summaries_do_not_fit_the_broken_twin(void **state) {
  (void)state;
  static const char *const names[] = {"length", "lock", "two_calls"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tp_str safe = {0}, broken = {0};
    tp_str_printf(&safe, "examples/recursion/%s.c", names[i]);
    tp_str_printf(&broken, "examples/recursion/%s_bad.c", names[i]);
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p = load(tp_str_text(&safe), diag), *q = load(tp_str_text(&broken), diag);
    tp_invariants *v = prove(p);
    tp_str text = {0}, why = {0};
    v->fingerprint = tp_program_fingerprint(q);
    assert_true(tp_invariants_write(v, p, &text));
    tp_invariants *w = tp_invariants_new();
    if (tp_invariants_read(tp_str_text(&text), q, w, &why) == TP_OK)
      assert_int_not_equal(check(q, w), TP_CERTIFY_ACCEPTED);
    tp_invariants_free(w);
    tp_invariants_free(v);
    tp_str_clear(&text);
    tp_str_clear(&why);
    tp_program_free(p);
    tp_program_free(q);
    tp_diag_free(diag);
    tp_str_clear(&safe);
    tp_str_clear(&broken);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_forged_summary_is_refused),
                                     cmocka_unit_test(summaries_do_not_fit_the_broken_twin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

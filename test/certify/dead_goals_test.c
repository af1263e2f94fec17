/* A branch is called dead only on an accepted certificate: a planted engine that claims a live
 * branch dead, with a proof of another program bound to the right one, is refused. */
#include "certify/certify.h"
#include "base/process.h"
#include "engine/engine.h"
#include "front/front.h"
#include "program/goals.h"

#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

static const char text[] =
    "extern int __VERIFIER_nondet_int(void);\n"
    "int main(void) {\n"
    "  int a = __VERIFIER_nondet_int(), n = 0;\n"
    "  for (int i = 0; i < 4; i++) n += 2;\n"
    "  if (a > 5) { if (a < 3) return 1; if (a < 90) return 2; }\n"
    "  if (n == 7) return 3;\n"
    "  return 0;\n"
    "}\n";

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_goals goals;
  bool *wanted;
} question;

/* The program with the goal of this text as its only error; NULL: none. */
static question begin(const char *goal, tp_goal_cover cover) {
  question q = {.diag = tp_diag_new(stderr, false)};
  tp_str dir = {0}, path = {0};
  assert_int_equal(tp_temp_dir(&dir), TP_OK);
  tp_str_printf(&path, "%s/a.c", tp_str_text(&dir));
  assert_int_equal(tp_write_file(tp_str_text(&path), text, strlen(text)), TP_OK);
  const char *files[] = {tp_str_text(&path)};
  const tp_front_options o = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .without_models = true};
  assert_int_equal(tp_front_load(&o, q.diag, &q.p), TP_OK);
  if (cover == TP_COVER_BOUNDARIES) tp_goals_split_orders(q.p);
  tp_goals_init(&q.goals, q.p, cover, NULL);
  q.wanted = TP_NEW_ARRAY(bool, q.goals.v.n + 1);
  bool found = !goal;
  for (size_t g = 0; g < q.goals.v.n; g++) {
    q.wanted[g] = goal && strcmp(q.goals.v.at[g].text, goal) == 0;
    found |= q.wanted[g];
  }
  assert_true(found);
  tp_goals_make_errors(&q.goals, q.wanted, q.p);
  tp_remove_tree(tp_str_text(&dir));
  tp_str_clear(&path);
  tp_str_clear(&dir);
  return q;
}

static void finish(question *q) {
  tp_goals_clear(&q->goals);
  tp_free(q->wanted);
  tp_program_free(q->p);
  tp_diag_free(q->diag);
}

/* What bmc says of the question; the certificate of TRUE. */
static tp_verdict ask(const question *q, tp_str *certificate) {
  const tp_task task = {.program = q->p, .property = TP_P_UNREACH_CALL, .seed = 1};
  const tp_budget budget = {.cpu_s = 20};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  tp_engine_find("bmc")->run(&task, &budget, &stats, &r);
  tp_str_add(certificate, tp_str_text(&r.certificate));
  const tp_verdict v = r.verdict;
  tp_result_clear(&r);
  return v;
}

static tp_certify_result check(const question *q, const char *certificate) {
  const tp_certify_limits limits = {.cpu_s = 20};
  tp_certify_report report;
  tp_certify_report_init(&report);
  const tp_certify_result r =
      tp_certify_true(q->p, TP_P_UNREACH_CALL, certificate, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return r;
}

/* The certificate with the program's own fingerprint in the place of the one that it has. */
static void bind(const question *q, const tp_str *certificate, tp_str *out) {
  const char *line = strstr(tp_str_text(certificate), "\nprogram ");
  assert_non_null(line);
  const size_t n = (size_t)(line - tp_str_text(certificate)) + strlen("\nprogram ");
  tp_str_add_n(out, tp_str_text(certificate), n);
  tp_str_printf(out, "%016llx", (unsigned long long)tp_program_fingerprint(q->p));
  tp_str_add(out, tp_str_text(certificate) + n + 16);
}

static const struct {
  const char *goal;
  bool is_dead;
  tp_goal_cover cover;
} rows[] = {{"a < 3", true, TP_COVER_BRANCHES},     {"2 < a", false, TP_COVER_BRANCHES},
            {"a < 90", false, TP_COVER_BRANCHES},   {"5 < a", false, TP_COVER_BRANCHES},
            {"n == 7", true, TP_COVER_BRANCHES},    {"n != 7", false, TP_COVER_BRANCHES},
            {"i < 4", false, TP_COVER_BRANCHES},    {"3 < i", false, TP_COVER_BRANCHES},
            {"i == 3", false, TP_COVER_BOUNDARIES}, {"i < 3", false, TP_COVER_BOUNDARIES},
            {"i == 4", false, TP_COVER_BOUNDARIES}, {"4 < i", true, TP_COVER_BOUNDARIES},
            {"a == 3", true, TP_COVER_BOUNDARIES},  {"3 < a", false, TP_COVER_BOUNDARIES},
            {"a == 89", false, TP_COVER_BOUNDARIES}};

static void only_dead_goals_have_certificates(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    question q = begin(rows[i].goal, rows[i].cover);
    tp_str certificate = {0};
    const tp_verdict v = ask(&q, &certificate);
    assert_int_equal(v, rows[i].is_dead ? TP_VERDICT_TRUE : TP_VERDICT_FALSE);
    if (v == TP_VERDICT_TRUE)
      assert_int_equal(check(&q, tp_str_text(&certificate)), TP_CERTIFY_ACCEPTED);
    tp_str_clear(&certificate);
    finish(&q);
  }
}

static void a_live_goal_that_is_claimed_dead_is_refused(void **state) {
  (void)state;
  question nothing = begin(NULL, TP_COVER_BRANCHES), other = begin("a < 3", TP_COVER_BRANCHES);
  tp_str empty = {0}, dead = {0};
  assert_int_equal(ask(&nothing, &empty), TP_VERDICT_TRUE);
  assert_int_equal(ask(&other, &dead), TP_VERDICT_TRUE);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    question q = begin(rows[i].goal, rows[i].cover);
    const tp_str *proofs[] = {&empty, &dead};
    for (size_t k = 0; k < 2; k++) {
      tp_str bound = {0};
      if (k == 0) assert_int_not_equal(check(&q, tp_str_text(proofs[k])), TP_CERTIFY_ACCEPTED);
      bind(&q, proofs[k], &bound);
      if (!rows[i].is_dead)
        assert_int_not_equal(check(&q, tp_str_text(&bound)), TP_CERTIFY_ACCEPTED);
      tp_str_clear(&bound);
    }
    finish(&q);
  }
  tp_str_clear(&empty);
  tp_str_clear(&dead);
  finish(&nothing);
  finish(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_dead_goals_have_certificates),
      cmocka_unit_test(a_live_goal_that_is_claimed_dead_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Unbounded proofs end to end: C programs in pairs, an analysis, and the checker that believes
 * nobody. The good one's certificate is accepted, twice the same bytes; the broken twin is never
 * proved, and what was proved about it on the way holds in all runs. */
#include "certify/certify.h"
#include "engine/engine.h"
#include "engine/invariants.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "sightings.h"
#include "proof/proof_engines.h"

#define HEAD                                                                      \
  "extern void reach_error(void); extern int nondet(void); extern unsigned char " \
  "nondet_u8(void);\n"                                                            \
  "#define check(c) do if (!(c)) reach_error(); while (0)\n"

typedef struct {
  const char *name, *analyses, *source;
  const char *good, *bad;  // what X is in the source
} row;

static const row rows[] = {
    {"a constant in an endless loop", "constant",
     "int main(void) { int x = 5; while (nondet()) { check(x == 5); x = X; } return 0; }", "5",
     "6"},
    {"a lock", "value",
     "int locked = 0; static void lock(void) { check(locked == 0); locked = 1; } static void "
     "unlock(void) { check(locked == 1); locked = 0; }\n"
     "int main(void) { while (nondet()) { lock(); if (nondet()) { X } else unlock(); } return 0; }",
     "unlock();", ";"},
    {"a state machine", "value",
     "int main(void) { int state = 0; while (nondet()) { switch (state) { case 0: state = 3; "
     "break; case 3: if (nondet()) state = 7; else state = 0; break;\n"
     "case 7: state = X; break; default: reach_error(); } } return 0; }",
     "0", "5"},
    {"a counter", "interval",
     "int main(void) { int i = 0; while (i < 100) { i += X; } check(i <= 102); return 0; }", "3",
     "4"},
    {"a counter that is set back", "interval",
     "int main(void) { unsigned i = 0; while (nondet()) { if (i < 50) i++; else i = X; } check(i "
     "<= 50); return 0; }",
     "0", "51"},
    {"bounds through calls", "interval",
     "static int clip(int x) { if (x < 0) return 0; if (x > X) return X; return x; }\n"
     "int main(void) { int s = 0; while (nondet()) { int c = clip(nondet()); check(c >= 0 && c <= "
     "9); s = clip(s + c); } check(s <= 9); return 0; }",
     "9", "10"},
    {"bounds by choices", "interval",
     "static int clip(int x) { return x < 0 ? 0 : x > X ? X : x; }\n"
     "int main(void) { int s = 0; while (nondet()) { s = clip(s + clip(nondet())); check(s >= 0 && "
     "s <= 9); } return 0; }",
     "9", "10"},
    {"conditions told to functions", "interval",
     "extern void abort(void); static void assume(int c) { if (!c) abort(); } static void "
     "claim(int c) { if (!c) reach_error(); }\n"
     "int main(void) { unsigned n = nondet(), i = 0; assume(n < 100); while (i < n) i++; claim(i < "
     "X); return 0; }",
     "100", "99"},
    {"relations told to functions", "interval octagon",
     "extern void abort(void); static void not_zero(int c) { if (c == 0) abort(); } static void "
     "assume(int d) { not_zero(d); }\n"
     "static void claim(int c) { if (!c) reach_error(); }\n"
     "int main(void) { int a = nondet(), b = nondet(); assume(a > 0); assume(a < b); while (a < "
     "1000 && b < 1000) { a++; b++; claim(a X b); } return 0; }",
     "<", ">="},
    {"a recursive sum", "interval",
     "static unsigned sum(unsigned n) { if (n == 0) return 0; unsigned r = sum(n - 1) + n; if (r > "
     "X) return 1000; return r; }\n"
     "int main(void) { unsigned n = nondet_u8(); check(sum(n) <= 1000); return 0; }",
     "1000", "1001"},
    {"a recursive function that keeps its argument", "value",
     "static int keep(int n, int k) { check(k == 7); if (n <= 0) return k; return keep(n - 1, X); "
     "}\n"
     "int main(void) { check(keep(nondet(), 7) == 7); return 0; }",
     "k", "k + 1"},
    {"even and odd", "interval",
     "static int odd(unsigned n); static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }\n"
     "static int odd(unsigned n) { return n == 0 ? X : even(n - 1); }\n"
     "int main(void) { int e = even(nondet_u8()); check(e == 0 || e == 1); return 0; }",
     "0", "2"},
    {"even and odd by values", "value",
     "int depth; static int odd(unsigned n); static int even(unsigned n) { depth = 1; return n == "
     "0 ? 1 : odd(n - 1); }\n"
     "static int odd(unsigned n) { depth = 2; return n == 0 ? 0 : even(n - 1); }\n"
     "int main(void) { even(nondet_u8()); check(depth != X); return 0; }",
     "3", "2"},
    {"a local through a pointer", "value",
     "static void set(int *p) { *p = X; }\n"
     "int main(void) { int x = 1; while (nondet()) { check(x == 1); set(&x); } return 0; }",
     "1", "2"},
    {"an array cell", "interval",
     "int a[4]; int main(void) { a[2] = 5; while (nondet()) { if (a[2] < 20) a[2]++; a[X] = 100; "
     "check(a[2] <= 20); } return 0; }",
     "1", "2"},
    {"two counters in step", "interval octagon",
     "int main(void) { unsigned i = 0, j = 0; while (i < 200) { if (nondet()) break; i++; j += X; "
     "check(i == j); } return 0; }",
     "1", "2"},
};

typedef struct {
  tp_diag *diag;
  tp_program *p;
} subject;

static subject load(const row *r, const char *x) {
  tp_str text = {0};
  const char *at = r->source;
  char path[] = "/tmp/twoproof-proofs-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  tp_str_add(&text, HEAD);
  for (const char *c = at; *c; c++) {
    if (*c == 'X')
      tp_str_add(&text, x);
    else
      tp_str_add_char(&text, *c);
  }
  assert_int_equal(write(fd, text.text, text.n), (ssize_t)text.n);
  close(fd);
  const char *files[] = {path};
  subject s = {.diag = tp_diag_new(stderr, false)};
  tp_front_options o = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .machine = TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, s.diag, &s.p), TP_OK);
  unlink(path);
  tp_str_clear(&text);
  return s;
}

static tp_result prove(const row *r, const subject *s) {
  tp_str composition = {0};
  tp_str_printf(&composition, "analysis = location callstack %s\n%s\n", r->analyses,
                strchr(r->analyses, ' ')            ? "transfer = strengthened"
                : strcmp(r->analyses, "value") == 0 ? "merge = sep"
                                                    : "");
  tp_task task = {.program = s->p, .property = TP_P_UNREACH_CALL, .composition = composition.text};
  tp_budget budget = {.cpu_s = 10};
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  tp_engine_cpa.run(&task, &budget, &stats, &result);
  tp_result_write_invariants(&result, s->p);
  tp_str_clear(&composition);
  return result;
}

static void drop(subject *s) {
  tp_program_free(s->p);
  tp_diag_free(s->diag);
}

/* What the record claims holds of the states that runs on small inputs come through. */
static bool holds_in_runs(const subject *s, const char *text, exact_verdict *exact) {
  sightings seen;
  exact_result all;
  tp_invariants v;
  tp_str why = {0};
  tp_invariants_init(&v);
  assert_int_equal(tp_invariants_read(text, s->p, &v, &why), TP_OK);
  exact_limits limits = {.max_runs = 500, .max_steps = 3000, .max_bits = 3, .mask_bits = 3};
  sightings_collect(s->p, TP_P_UNREACH_CALL, limits, &seen, &all);
  *exact = all.verdict;
  bool refuted = sightings_refute(&seen, &v, &why);
  if (refuted) print_error("%s\n", why.text);
  exact_clear(&all);
  sightings_clear(&seen);
  tp_invariants_clear(&v);
  tp_str_clear(&why);
  return !refuted;
}

/* The checker's own watch over random runs: what --check=run does. */
static bool holds_in_random_runs(const subject *s, const char *text) {
  tp_certify_report report;
  tp_certify_limits limits = {.cpu_s = 20};
  tp_inputs counterexample;
  tp_certify_report_init(&report);
  tp_inputs_init(&counterexample);
  tp_certify_result c =
      tp_certify_run(s->p, TP_P_UNREACH_CALL, text, 1, 100, &limits, &counterexample, &report);
  if (c == TP_CERTIFY_REJECTED) print_error("random runs: %s\n", tp_str_text(&report.why));
  tp_inputs_clear(&counterexample);
  tp_certify_report_clear(&report);
  return c != TP_CERTIFY_REJECTED;
}

static unsigned check_good(const row *r) {
  unsigned wrong = 0;
  subject s = load(r, r->good);
  tp_result result = prove(r, &s), again = prove(r, &s);
  exact_verdict exact;
  if (result.verdict != TP_VERDICT_TRUE) {
    print_error("%s: not proved: %s\n%s", r->name, result.reason,
                tp_str_text(&result.invariants_text));
    wrong++;
  } else {
    tp_certify_report report;
    tp_certify_limits limits = {.cpu_s = 20};
    tp_certify_report_init(&report);
    tp_certify_result c =
        tp_certify_true(s.p, TP_P_UNREACH_CALL, result.certificate.text, &limits, NULL, &report);
    bool same = strcmp(result.certificate.text, again.certificate.text) == 0,
         holds = holds_in_runs(&s, result.certificate.text, &exact);
    holds = holds_in_random_runs(&s, result.certificate.text) && holds;
    wrong += c != TP_CERTIFY_ACCEPTED || !same || !holds || exact == EXACT_UNSAFE;
    if (c != TP_CERTIFY_ACCEPTED || !holds)
      print_error("%s: %s: %s\n%s", r->name, tp_certify_result_name(c), tp_str_text(&report.why),
                  result.certificate.text);
    if (!same) print_error("%s: other bytes the second time\n", r->name);
    tp_certify_report_clear(&report);
  }
  tp_result_clear(&result);
  tp_result_clear(&again);
  drop(&s);
  return wrong;
}

static unsigned check_bad(const row *r) {
  unsigned wrong = 0;
  subject s = load(r, r->bad);
  tp_result result = prove(r, &s);
  exact_verdict exact = EXACT_OPEN;
  if (result.verdict == TP_VERDICT_TRUE)
    wrong++, print_error("%s: the broken one is proved\n%s", r->name, result.certificate.text);
  if (result.invariants_text.n && !holds_in_runs(&s, result.invariants_text.text, &exact))
    wrong++, print_error("%s: facts\n%s", r->name, result.invariants_text.text);
  tp_result_clear(&result);
  drop(&s);
  return wrong;
}

static void pairs_of_programs(void **unused) {
  (void)unused;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    wrong += check_good(&rows[i]) + check_bad(&rows[i]);
  assert_int_equal(wrong, 0);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_of_programs)};
  return cmocka_run_group_tests_name("proofs", tests, NULL, NULL);
}

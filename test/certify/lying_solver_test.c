/* A solver that lies: each n-th of its answers to the checker is the opposite, for each n up to the
 * number of its answers (with TP_SOAK; else for some of them). Certificates of each kind, made for
 * a program that is safe, with the name of a broken twin on them: where clause proofs are required,
 * none is accepted, whatever the solver says. Where no proof is checked some are, or the lies would
 * show nothing. */
#include "base/fault.h"
#include "certify/certify.h"
#include "front/front.h"
#include "proof/proof_engines.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD                                                                         \
  "extern void reach_error(void); extern int nondet(void); extern unsigned char "    \
  "nondet_u8(void); extern void *malloc(unsigned long); extern void free(void *);\n" \
  "#define check(c) do if (!(c)) reach_error(); while (0)\n"
#define SHAPES                                                                                   \
  "analysis = location callstack shape\ntransfer = cartesian\nmerge = join-on-location\nstop = " \
  "sep\nadjust = componentwise\nshape.merge = join\n"

#define CELL "struct node { struct node *next; int data; };\n"
#define BUILD                                                                            \
  "int main(void) { struct node *list = 0, *p = 0; while (nondet()) { struct node *n = " \
  "malloc(sizeof *n); n->next = list; n->data = 1; list = n; }\n"

/* X in the source stands for `good` or for `bad`: both twins have one graph of control. */
typedef struct {
  const char *name;
  const tp_engine *engine;
  const char *composition;  // of the engine cpa
  const char *source, *good, *bad;
  tp_property property;
} row;
static const row rows[] = {
    {"a bound of a counter", &tp_engine_cpa,
     "analysis = location callstack interval\ntransfer = strengthened\n",
     "int main(void) { int i = 0; while (i < 100) i += X; check(i <= 102); return 0; }", "3", "4",
     TP_P_UNREACH_CALL},
    {"a lock", &tp_engine_cpa, "analysis = location callstack value\nmerge = sep\n",
     "int locked; static void lock(void) { check(locked == 0); locked = 1; }\n"
     "int main(void) { while (nondet()) { lock(); if (nondet()) locked = X; else locked = 0; } "
     "return 0; }",
     "0", "1", TP_P_UNREACH_CALL},
    {"counters in step", &tp_engine_cpa,
     "analysis = location callstack interval octagon\ntransfer = strengthened\n",
     "int main(void) { unsigned i = 0, j = 0; while (i < 200) { i++; j += X; check(i == j); } "
     "return 0; }",
     "1", "2", TP_P_UNREACH_CALL},
    {"induction", &tp_engine_kinduction, NULL,
     "int main(void) { unsigned a = 0, b = 1; while (nondet()) { unsigned t = a; a = b; b = t + X; "
     "check(a <= 1); } return 0; }",
     "0", "1", TP_P_UNREACH_CALL},
    {"an unrolled loop", &tp_engine_bmc, NULL,
     "int main(void) { unsigned char x = nondet_u8(), y = x; for (int i = 0; i < 4; i++) y = y * "
     "3u + X; check((unsigned char)(y - x * 81u) == 0); return 0; }",
     "0", "1", TP_P_UNREACH_CALL},
    {"elements of an array", &tp_engine_elements, NULL,
     "int a[1000]; int main(void) { for (int i = 0; i < 1000; i++) a[i] = X; for (int i = 0; i < "
     "1000; i++) check(a[i] == 7); return 0; }",
     "7", "8", TP_P_UNREACH_CALL},
    {"data of a list", &tp_engine_cpa, SHAPES,
     "struct node { struct node *next; int data; }; int main(void) { struct node *list = 0, *p = "
     "0; while (nondet()) { struct node *n = malloc(sizeof *n); n->next = list; n->data = X; list "
     "= n; } for (p = list; p; p = p->next) check(p->data == 1); return 0; }",
     "1", "2", TP_P_UNREACH_CALL},
    {"cells that are freed", &tp_engine_cpa, SHAPES,
     CELL BUILD "while (list) { p = list->next; free(list); list = p X; } return 0; }", "? p : p",
     "? list : p", TP_P_VALID_DEREF},
    {"the first cell is taken", &tp_engine_cpa, SHAPES,
     CELL BUILD "if (list) list = list->next; if (list) check(list->data == X); return 0; }", "1",
     "2", TP_P_UNREACH_CALL},
    {"a symbolic heap", &tp_engine_heaps, NULL,
     CELL BUILD "while (list) { p = list; list = list->next; free(X); } return 0; }", "p", "list",
     TP_P_VALID_DEREF},
    {"numbers of a symbolic heap", &tp_engine_heaps, NULL,
     CELL BUILD "for (p = list; p; p = p->next) p->data = X; for (p = list; p; p = p->next) "
                "check(p->data == 7); return 0; }",
     "7", "8", TP_P_UNREACH_CALL},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

typedef struct {
  tp_diag *diag;
  tp_program *p;
} subject;

static subject load(const row *r, const char *x) {
  tp_str text = {0};
  char path[] = "/tmp/lying-solver-XXXXXX.c";
  const int fd = mkstemps(path, 2);
  tp_str_add(&text, HEAD);
  for (const char *at = r->source; *at; at++) {
    if (*at == 'X')
      tp_str_add(&text, x);
    else
      tp_str_add_char(&text, *at);
  }
  assert_true(fd >= 0 && write(fd, text.text, text.n) == (ssize_t)text.n);
  close(fd);
  tp_str_clear(&text);
  const char *files[] = {path};
  subject s = {.diag = tp_diag_new(stderr, false)};
  const tp_front_options o = {
      .files = files, .n_files = 1, .property = r->property, .machine = TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, s.diag, &s.p), TP_OK);
  unlink(path);
  return s;
}

static void drop(subject *s) {
  tp_program_free(s->p);
  tp_diag_free(s->diag);
}

static void prove(const row *r, const subject *s, tp_str *certificate) {
  const tp_task task = {.program = s->p, .property = r->property, .composition = r->composition};
  const tp_budget budget = {.cpu_s = 20};
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  r->engine->run(&task, &budget, &stats, &result);
  if (result.verdict != TP_VERDICT_TRUE) fail_msg("%s: no proof", r->name);
  tp_str_add(certificate, tp_str_text(&result.certificate));
  tp_result_clear(&result);
}

static void rename_program(tp_str *text, const tp_program *p) {
  char name[32];
  char *line = strstr(text->text, "\nprogram ");
  assert_non_null(line);
  snprintf(name, sizeof name, "program %016" PRIx64, tp_program_fingerprint(p));
  memcpy(line + 1, name, strlen(name));
}

/* The checker's judgement while each n-th answer is the opposite (0: none). *answers: so many were
 * given. */
static tp_certify_result judge(const row *r, const subject *s, const tp_str *certificate,
                               tp_certify_proofs proofs, uint64_t n, uint64_t *answers) {
  tp_fault *f = &tp_faults_shared->at[0];
  assert_true(tp_fault_parse("solver:0*:flip", f));
  f->at = n;
  tp_certify_report report;
  tp_certify_report_init(&report);
  const tp_certify_limits limits = {.cpu_s = n ? 4 : 20, .proofs = proofs};
  const tp_certify_result result =
      tp_certify_true(s->p, r->property, tp_str_text(certificate), &limits, NULL, &report);
  tp_certify_report_clear(&report);
  *answers = f->seen;
  assert_true(n == 0 || f->seen < n || f->struck > 0);
  f->at = 0;
  return result;
}

static uint64_t next_period(uint64_t n) { return getenv("TP_SOAK") ? n + 1 : 3 * n + 1; }

/* How often the twin's certificate is accepted, with lies of all periods. */
static uint64_t wrong_verdicts(const row *r, tp_certify_proofs proofs, uint64_t *judgements) {
  subject good = load(r, r->good), bad = load(r, r->bad);
  tp_str certificate = {0};
  uint64_t wrong = 0, tried = 0, of_good, of_bad, seen;
  prove(r, &good, &certificate);
  if (judge(r, &good, &certificate, proofs, 0, &of_good) != TP_CERTIFY_ACCEPTED)
    fail_msg("%s: not accepted by an honest solver", r->name);
  rename_program(&certificate, bad.p);
  if (judge(r, &bad, &certificate, proofs, 0, &of_bad) == TP_CERTIFY_ACCEPTED)
    fail_msg("%s: the broken twin is accepted with an honest solver", r->name);
  const uint64_t most = of_good > of_bad ? of_good : of_bad;
  for (uint64_t period = 1; period <= most; period = next_period(period), tried++)
    wrong += judge(r, &bad, &certificate, proofs, period, &seen) == TP_CERTIFY_ACCEPTED;
  print_message("  %-22s answers %4" PRIu64 " and %4" PRIu64 ", wrong verdicts %" PRIu64
                " of %" PRIu64 "\n",
                r->name, of_good, of_bad, wrong, tried);
  *judgements += tried;
  tp_str_clear(&certificate);
  drop(&good);
  drop(&bad);
  return wrong;
}

static uint64_t wrong_of_all(tp_certify_proofs proofs) {
  uint64_t wrong = 0, judgements = 0;
  for (size_t i = 0; i < N_ROWS; i++) wrong += wrong_verdicts(&rows[i], proofs, &judgements);
  print_message("%" PRIu64 " wrong verdicts of %" PRIu64 "\n", wrong, judgements);
  assert_true(judgements >= N_ROWS);
  return wrong;
}

static void with_proofs_a_lying_solver_gives_no_verdict(void **unused) {
  (void)unused;
  assert_int_equal(wrong_of_all(TP_CERTIFY_PROOFS_REQUIRED), 0);
}

/* The proofs that are tried by default are enough for these programs. */
static void by_default_the_lies_are_found_out_here(void **unused) {
  (void)unused;
  assert_int_equal(wrong_of_all(TP_CERTIFY_PROOFS_SMALL), 0);
}

static void without_proofs_the_lies_are_believed(void **unused) {
  (void)unused;
  assert_true(wrong_of_all(TP_CERTIFY_PROOFS_NONE) > 0);
}

int main(void) {
  if (!tp_faults_share(NULL)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(with_proofs_a_lying_solver_gives_no_verdict),
                                     cmocka_unit_test(by_default_the_lies_are_found_out_here),
                                     cmocka_unit_test(without_proofs_the_lies_are_believed)};
  return cmocka_run_group_tests_name("lying solver", tests, NULL, NULL);
}

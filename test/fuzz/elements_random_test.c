/* Random programs over two arrays of which all runs are known: an input says how long they are, up
 * to four elements, another one is a value between -1 and 1. What the engine elements proves of a
 * program holds in all of its runs, and the checker accepts most of it. One program in four
 * computes two folds, sums, counts and maxima, perhaps changes cells between them, and compares the
 * results.
 *
 *   elements_random_test         6 programs, and three with folds; TP_SOAK=1: 20,000
 *   elements_random_test SEED    one program, with what is said about it
 *   elements_random_test A B     the programs of seeds A to B */
#include "certify/certify.h"
#include "front/front.h"
#include "proof/proof_engines.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { QUICK = 6, SOAK = 20000, MOST_ELEMENTS = 4 };

// ------------------------------------------------------------------- programs

static const char *const starts[] = {"0", "0", "1"};
static const char *const ends[] = {"n", "n", "n + 1", "n - 1", "3"};
static const char *const writes[] = {
    "a[i] = 1;",
    "a[i] = i;",
    "b[i] = a[i];",
    "a[i] = b[i];",
    "b[i] = a[i] + 1;",
    "a[i] = v;",
    "a[i] = a[i + 1];",
    "if (a[i] < 1) a[i] = 1;",
    "a[i] = -a[i];",
    "b[n + 1 - i] = 1;",
    "if (a[i] > v) b[i] = v;",
    "a[i + 1] = a[i];",
    "((char *)a)[4 * i + 1] = 1;",
    "int t = a[i]; a[i] = b[i]; b[i] = t;",
    "if (i == v) a[i] = 0;",
    "for (int k = 0; k < 3; k++) g[i][k] = 1;",
    "for (int k = 0; k < n; k++) g[k][i] = k;",
    "if (a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }",
    "for (int k = 0; k < i; k++) if (a[k] > a[i]) { int t = a[k]; a[k] = a[i]; a[i] = t; }",
    "for (int k = 1; k < n; k++) if (a[k - 1] > a[k]) { int t = a[k]; a[k] = a[k - 1]; a[k - 1] = "
    "t; }",
    "int m = i; for (int k = i + 1; k < n; k++) if (a[k] < a[m]) m = k; int t = a[i]; a[i] = a[m]; "
    "a[m] = t;",
    "int x = a[i], k = i - 1; while (k >= 0 && a[k] > x) { a[k + 1] = a[k]; k--; } a[k + 1] = x;",
    "c += a[i] > v;",
    "if (a[i] == v) c++;",
    "s += a[i];",
    "if (a[i] > s) s = a[i];"};
static const char *const asks[] = {"a[j] == 1",
                                   "a[j] == j",
                                   "a[j] == b[j]",
                                   "b[j] == a[j] + 1",
                                   "a[j] <= v",
                                   "a[j] == a[j + 1]",
                                   "b[j] >= 0",
                                   "a[j] == v",
                                   "a[j] != 0 || b[j] == 0",
                                   "j > 2 || a[j] == 1",
                                   "g[j][v + 1] == 1",
                                   "g[j][2] == g[j][0]",
                                   "g[j][1] == j",
                                   "j == 0 || a[j - 1] <= a[j]",
                                   "c != n || a[j] > v",
                                   "c != 0 || a[j] != v",
                                   "c <= n",
                                   "s >= a[j]",
                                   "s <= n"};

/* Steps of folds: @ stands for the variable, # for the array. Values of inputs lie between -1 and
 * 1, so that few of these programs are safe by chance. */
static const char *const fold_steps[] = {"@ += #[i];",
                                         "@ += #[i];",
                                         "@ += #[i];",
                                         "@ -= #[i];",
                                         "@ += #[i] == v;",
                                         "if (#[i] == v) @++;",
                                         "if (#[i] > v) @++;",
                                         "if (!(#[i] > v)) @++;",
                                         "if (#[i] > @) @ = #[i];",
                                         "@ = @ * 3 + #[i];",
                                         "@ += i;",
                                         "@ += #[i]; b[i] = @;"};
static const char *const fold_changes[] = {"",
                                           "",
                                           "",
                                           "a[1] = a[2];",
                                           "a[2]++;",
                                           "if (n > v + 1) a[v + 1] = 1;",
                                           "b[0] = v;",
                                           "{ int t = a[0]; a[0] = a[2]; a[2] = t; }",
                                           "if (n > 0) { a[0] += 2; a[n - 1] -= 2; }",
                                           "((char *)a)[4]++;",
                                           "for (int i = 0; i < n; i++) b[i] = a[i];",
                                           "for (int i = 0; i < n; i++) a[i]++;",
                                           "for (int i = 0; i < n; i++) b[i] += a[i];"};
static const char *const fold_asks[] = {
    "s + t == 0", "s + t == n",          "s == t + 1",        "s <= t",
    "t - s == n", "b[1] == s || n != 2", "s == b[n] || n > 4"};

#define ONE_OF(r, list) (list)[tp_rng_below(r, sizeof(list) / sizeof *(list))]

static void add_step(const char *step, char variable, char array, tp_str *out) {
  for (const char *c = step; *c; c++)
    tp_str_printf(out, "%c", *c == '@' ? variable : *c == '#' ? array : *c);
}

typedef struct {
  const char *lo, *hi;
} fold_range;

static fold_range some_range(tp_rng *r) {
  return (fold_range){ONE_OF(r, starts), tp_rng_below(r, 3) ? "n" : ONE_OF(r, ends)};
}

static void add_fold(tp_rng *r, fold_range of, const char *step, char variable, char array,
                     tp_str *out) {
  if (tp_rng_below(r, 4))
    tp_str_printf(out, "  for (int i = %s; i < %s; i++) { ", of.lo, of.hi);
  else
    tp_str_printf(out, "  for (int i = %s - 1; i >= %s; i--) { ", of.hi, of.lo);
  add_step(step, variable, array, out);
  tp_str_add(out, " }\n");
}

/* Two folds, mostly the same one over the same range, and a change of cells between them. */
static void generate_folds(tp_rng *r, tp_str *out) {
  const char *step = ONE_OF(r, fold_steps);
  fold_range of = some_range(r);
  tp_str_add(out, "  int w = nondet();\n  for (int i = 0; i < n; i++) a[i] = w >> i & 1;\n");
  if (tp_rng_below(r, 3) == 0)
    tp_str_printf(out, "  for (int i = 0; i < n; i++) { %s }\n", ONE_OF(r, writes));
  add_fold(r, of, step, 's', 'a', out);
  tp_str_printf(out, "  %s\n", ONE_OF(r, fold_changes));
  if (tp_rng_below(r, 4) == 0) step = ONE_OF(r, fold_steps);
  if (tp_rng_below(r, 4) == 0) of = some_range(r);
  add_fold(r, of, step, 't', tp_rng_below(r, 4) ? 'a' : 'b', out);
  tp_str_printf(out, "  if (!(%s)) reach_error();\n  return 0;\n}\n",
                tp_rng_below(r, 3) ? "s == t" : ONE_OF(r, fold_asks));
}

static bool has_folds(uint64_t seed) { return seed % 4 == 0; }

static void generate(uint64_t seed, tp_str *out) {
  tp_rng r;
  tp_rng_init(&r, seed);
  const uint64_t loops = 1 + tp_rng_below(&r, 3);
  tp_str_add(
      out,
      "extern int nondet(void); extern void reach_error(void);\nint a[8], b[8], g[8][8], c, s, t;\n"
      "int main(void) {\n  int n = nondet();\n  if (n < 0 || n > 4) return 0;\n"
      "  int v = nondet();\n  if (v < -1 || v > 1) return 0;\n");
  if (has_folds(seed)) {
    generate_folds(&r, out);
    return;
  }
  for (uint64_t k = 0; k < loops; k++) {
    const char *lo = ONE_OF(&r, starts), *hi = ONE_OF(&r, ends);
    if (tp_rng_below(&r, 4))
      tp_str_printf(out, "  for (int i = %s; i < %s; i++) { %s }\n", lo, hi, ONE_OF(&r, writes));
    else
      tp_str_printf(out, "  for (int i = %s - 1; i >= %s; i--) { %s }\n", hi, lo,
                    ONE_OF(&r, writes));
  }
  const char *lo = ONE_OF(&r, starts), *hi = ONE_OF(&r, ends);
  tp_str_printf(out, "  for (int j = %s; j < %s; j++) if (!(%s)) reach_error();\n  return 0;\n}\n",
                lo, hi, ONE_OF(&r, asks));
}

static tp_program *load(const char *source, tp_diag *diag) {
  char path[] = "/tmp/elements-XXXXXX.c";
  const int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), strlen(source));
  close(fd);
  const char *files[] = {path};
  tp_program *p = NULL;
  const tp_front_options o = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .machine = TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, diag, &p), TP_OK);
  unlink(path);
  return p;
}

// ----------------------------------------------------------------------- runs

static void add_input(tp_inputs *in, int value) {
  tp_inputs_add(
      in, (tp_input){.kind = TP_I_NONDET, .width_bits = 32, .bits = (uint32_t)value, .name = ""});
}

/* w: what the program with folds fills an array with, bit by bit. */
static bool fails_with(const tp_program *p, int n, int v, int w) {
  tp_inputs in;
  tp_certify_report report;
  tp_property violated;
  tp_inputs_init(&in);
  tp_certify_report_init(&report);
  add_input(&in, n);
  add_input(&in, v);
  add_input(&in, w);
  const bool fails = tp_certify_false(p, TP_P_UNREACH_CALL, &in, (tp_run_limits){0}, &violated,
                                      &report) == TP_CERTIFY_ACCEPTED;
  tp_certify_report_clear(&report);
  tp_inputs_clear(&in);
  return fails;
}

static bool fails(const tp_program *p, int contents) {
  bool any = false;
  for (int n = 0; n <= MOST_ELEMENTS && !any; n++)
    for (int v = -1; v <= 1 && !any; v++)
      for (int w = 0; w < contents && !any; w++) any = fails_with(p, n, v, w);
  return any;
}

typedef struct {
  unsigned programs, unsafe, proved, accepted, wrong, folds;  // folds: proved programs with them
} tally;

/* Of the engine; sanitizers make it several times slower. */
#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 6 };
#else
enum { SLOWER = 1 };
#endif

static void judge(uint64_t seed, bool loud, double seconds, tally *t) {
  tp_str source = {0};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_stats stats = {0};
  tp_result result;
  const tp_budget budget = {.cpu_s = seconds};
  generate(seed, &source);
  tp_program *p = load(tp_str_text(&source), diag);
  const tp_task task = {.program = p, .property = TP_P_UNREACH_CALL, .seed = 1};
  const bool is_unsafe = fails(p, has_folds(seed) ? 1 << MOST_ELEMENTS : 1);
  tp_result_init(&result);
  tp_engine_elements.run(&task, &budget, &stats, &result);
  t->programs++;
  t->unsafe += is_unsafe;
  if (result.verdict == TP_VERDICT_TRUE) {
    tp_certify_report report;
    const tp_certify_limits limits = {.cpu_s = 10 * SLOWER};
    tp_certify_report_init(&report);
    const tp_certify_result got = tp_certify_true(
        p, TP_P_UNREACH_CALL, tp_str_text(&result.certificate), &limits, NULL, &report);
    t->proved++;
    t->folds += has_folds(seed);
    t->accepted += got == TP_CERTIFY_ACCEPTED;
    if (is_unsafe || got == TP_CERTIFY_REJECTED) {
      print_error("seed %llu: %s, %s\n%s", (unsigned long long)seed, is_unsafe ? "fails" : "safe",
                  tp_certify_result_name(got), tp_str_text(&source));
      t->wrong++;
    }
    tp_certify_report_clear(&report);
  }
  if (loud)
    print_message("%s%s, %s\n", tp_str_text(&source), is_unsafe ? "fails" : "safe",
                  result.verdict == TP_VERDICT_TRUE ? "proved" : "not proved");
  tp_result_clear(&result);
  tp_program_free(p);
  tp_diag_free(diag);
  tp_str_clear(&source);
}

static void print_tally(const tally *t) {
  print_message("%u programs, %u fail, %u proved (%u of them with folds), %u accepted\n",
                t->programs, t->unsafe, t->proved, t->folds, t->accepted);
}

static tally judge_all(uint64_t first, uint64_t last) {
  tally t = {0};
  for (uint64_t seed = first; seed <= last; seed++) judge(seed, false, 3, &t);
  print_tally(&t);
  return t;
}

static void what_is_proved_holds(void **state) {
  (void)state;
  const uint64_t n = getenv("TP_SOAK") ? SOAK : QUICK;
  const tally t = judge_all(1, n);
  assert_int_equal(t.wrong, 0);
  assert_true(t.unsafe >= n / 4 && t.proved >= n / 10 && t.folds >= n / 100);
  assert_true(10 * t.accepted >= 9 * t.proved);
}

/* The first one is proved; the others fail, and were proved while differences of folds were
 * believed without a proof. */
static void folds_that_differ_are_told_apart(void **state) {
  static const uint64_t seeds[] = {32, 36, 88};
  tally t = {0};
  (void)state;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    judge(seeds[i], false, (i == 0 ? 60 : 3) * SLOWER, &t);  // the proof takes some 2 s
  print_tally(&t);
  assert_int_equal(t.wrong, 0);
  assert_true(t.unsafe == 2 && t.folds == 1 && t.accepted == 1);
}

int main(int argc, char **argv) {
  if (argc == 2) {
    tally t = {0};
    judge(strtoull(argv[1], NULL, 10), true, 3, &t);
    return t.wrong > 0;
  }
  if (argc == 3)
    return judge_all(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10)).wrong > 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_proved_holds),
                                     cmocka_unit_test(folds_that_differ_are_told_apart)};
  return cmocka_run_group_tests_name("random programs over arrays", tests, NULL, NULL);
}

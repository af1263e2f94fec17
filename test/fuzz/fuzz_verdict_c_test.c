/* The verdict fuzzer through the front end: random small C programs, judged like the models of
 * fuzz_verdict_test.
 *
 *   fuzz_verdict_c_test                some seconds; TP_SOAK=1: 2,000 programs
 *   fuzz_verdict_c_test SEED N         N programs from SEED on
 *   fuzz_verdict_c_test SEED show      the program of one seed with its verdicts
 *
 * A program that disagrees is minimised and left as build/fuzz-verdict-SEED.c. */
#include "base/process.h"
#include "front/front.h"

#include "judge.h"
#include "sources.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { QUICK_S = 8, SOAK_PROGRAMS = 2000, MINIMISE_TRIES = 400 };

/* The program cuts every input itself, so only the low bits matter. */
static const exact_limits LIMITS = {.max_runs = 1500,
                                    .max_steps = 50000,
                                    .max_bits = SOURCE_INPUT_BITS,
                                    .mask_bits = SOURCE_INPUT_BITS,
                                    .ignore_bytes = true};

typedef struct {
  const char *dir;
  uint64_t seed;
  const char *wrong;
  outcome outcome;
} job;

static outcome judge_text(const job *j, const tp_str *text, tape *t) {
  tp_str path = {0};
  tp_str_printf(&path, "%s/program.c", j->dir);
  outcome o = {0};
  const char *files[] = {path.text};
  tp_front_options options = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .without_models = true};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = NULL;
  if (tp_write_file(path.text, text->text, text->n) != TP_OK ||
      tp_front_load(&options, diag, &p) != TP_OK)
    snprintf(o.wrong, sizeof o.wrong, "the program cannot be read");
  else
    o = judge(p, (traits){.asked = TP_P_UNREACH_CALL, .pointers_in_memory = true}, LIMITS, t);
  if (p) tp_program_free(p);
  tp_diag_free(diag);
  tp_str_clear(&path);
  return o;
}

static bool try_tape(void *ctx, const uint32_t *choices, size_t n) {
  job *j = ctx;
  tape t;
  tp_str text = {0};
  tape_given(&t, choices, n);
  source_make(&t, &text);
  j->outcome = judge_text(j, &text, &t);
  tape_clear(&t);
  tp_str_clear(&text);
  return j->outcome.wrong[0] && strncmp(j->outcome.wrong, j->wrong, 12) == 0;
}

static void keep(job *j, const uint32_t *choices, size_t n) {
  tape t;
  char path[64];
  tp_str text = {0};
  tape_given(&t, choices, n);
  source_make(&t, &text);
  snprintf(path, sizeof path, "build/fuzz-verdict-%llu.c", (unsigned long long)j->seed);
  if (tp_write_file(path, text.text, text.n) == TP_OK)
    printf("%s\n", path);
  else
    printf("%s\n", text.text);
  tape_clear(&t);
  tp_str_clear(&text);
}

static outcome run_seed(job *j, uint64_t seed, bool show) {
  tape t;
  tp_str text = {0};
  tape_fresh(&t, seed);
  source_make(&t, &text);
  if (show) printf("%s\n", text.text);
  outcome o = judge_text(j, &text, &t);
  if (o.wrong[0] && !show) {
    printf("seed %llu: %s\n", (unsigned long long)seed, o.wrong);
    fflush(stdout);
    size_t n = t.made.n;
    j->seed = seed;
    j->wrong = o.wrong;
    tape_minimise(t.made.at, &n, try_tape, j, MINIMISE_TRIES);
    keep(j, t.made.at, n);
  }
  tape_clear(&t);
  tp_str_clear(&text);
  return o;
}

static totals run_many(uint64_t first, uint64_t n, double seconds) {
  totals s = {0};
  tp_str dir = {0};
  double start = tp_wall_s();
  assert_int_equal(tp_temp_dir(&dir), TP_OK);
  job j = {.dir = dir.text};
  for (uint64_t i = 0; i < n && s.wrong < 5 && (seconds <= 0 || tp_wall_s() - start < seconds);
       i++) {
    outcome o = run_seed(&j, first + i, false);
    totals_add(&s, &o);
  }
  totals_print(&s, tp_wall_s() - start);
  tp_str_clear(&dir);
  tp_temp_remove_all();
  return s;
}

static void random_sources(void **state) {
  (void)state;
  totals s = getenv("TP_SOAK") ? run_many(1, SOAK_PROGRAMS, 0) : run_many(1, UINT64_MAX, QUICK_S);
  assert_int_equal(s.wrong, 0);
  assert_true(s.unknown_closed * 10 < s.closed || s.closed < 100);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[2], "show") == 0) {
    tp_str dir = {0};
    if (tp_temp_dir(&dir) != TP_OK) return 1;
    job j = {.dir = dir.text};
    outcome o = run_seed(&j, strtoull(argv[1], NULL, 10), true);
    outcome_print(&o);
    tp_str_clear(&dir);
    tp_temp_remove_all();
    return o.wrong[0] != 0;
  }
  if (argc > 2)
    return run_many(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), 0).wrong != 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_sources)};
  return cmocka_run_group_tests_name("fuzz_verdict_c", tests, NULL, NULL);
}

/* Programs whose objects became variables against the same programs with objects in memory: the
 * same inputs are asked for in the same order, and runs end in the same way at the same position.
 * Programs of examples/, test/features/ and test/regress/ run on random inputs, one in seven,
 * all of them with TP_SOAK=1. */
#include "exec/exec.h"
#include "front/front.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 6, STEPS = 20000, TURNS = 7 };

/* What a run asked for, and how it ended. */
typedef struct {
  tp_rng rng;
  uint64_t asked;  // hash over kinds, widths and positions
} conversation;

typedef struct {
  tp_run_end end;
  tp_property error;
  tp_pos pos;
  int exit_status;
  uint64_t asked;
} outcome;

static bool answer(void *ctx, tp_input *io) {
  conversation *c = ctx;
  const uint64_t r = tp_rng_next(&c->rng);
  c->asked = tp_hash_mix(tp_hash_mix(c->asked, (uint64_t)io->kind), io->width_bits);
  io->bits = r % 3 == 0 ? r >> 32 : (r >> 32) % 5;
  io->bytes = (const uint8_t *)"\1\2a \0";
  io->n_bytes = io->width_bits ? 0 : 5;
  return true;
}

static outcome run(const tp_program *p, uint64_t seed) {
  conversation c = {.asked = 1};
  tp_rng_init(&c.rng, seed);
  tp_oracle oracle = {&c, answer};
  const tp_run_result r = tp_exec_main(p, &oracle, (tp_run_limits){.steps = STEPS}, NULL);
  const tp_loc_info *l = tp_loc_of(p, r.loc);
  return (outcome){r.end, l->error, l->pos, r.end == TP_END_EXIT ? r.exit_status : 0, c.asked};
}

static bool same(outcome a, outcome b) {
  if (a.end != b.end || a.asked != b.asked || a.exit_status != b.exit_status) return false;
  return a.end != TP_END_ERROR ||
         (a.error == b.error && a.pos.line == b.pos.line && a.pos.file == b.pos.file);
}

static tp_program *load(const char *path, tp_property property, bool promotes, tp_diag *diag) {
  const char *files[] = {path};
  const tp_front_options options = {
      .files = files, .n_files = 1, .property = property, .promotes_objects = promotes};
  tp_program *p;
  return tp_front_load(&options, diag, &p) == TP_OK ? p : NULL;
}

/* The number of runs that were compared, of a program that was changed. */
static uint64_t compare(const char *path, tp_property property) {
  tp_diag *diag = tp_diag_new(NULL, false);
  tp_program *memory = load(path, property, false, diag), *variables = NULL;
  uint64_t n = 0;
  if (memory) variables = load(path, property, true, diag);
  const bool is_changed =
      variables && tp_program_fingerprint(memory) != tp_program_fingerprint(variables);
  for (uint64_t seed = 0; seed < RUNS && is_changed; seed++) {
    const outcome a = run(memory, seed), b = run(variables, seed);
    if (a.end == TP_END_LIMIT || b.end == TP_END_LIMIT) continue;  // not the same number of steps
    if (!same(a, b))
      fail_msg("%s, seed %llu: ends %d and %d, lines %u and %u", path, (unsigned long long)seed,
               (int)a.end, (int)b.end, a.pos.line, b.pos.line);
    n++;
  }
  if (variables) tp_program_free(variables);
  if (memory) tp_program_free(memory);
  tp_diag_free(diag);
  return n;
}

static void compare_all(const char *pattern, uint64_t at_least) {
  glob_t g;
  uint64_t n = 0;
  assert_int_equal(glob(pattern, 0, NULL, &g), 0);
  for (size_t i = 0; i < g.gl_pathc; i += getenv("TP_SOAK") ? 1 : TURNS)
    n += compare(g.gl_pathv[i], i % 2 == 0 ? TP_P_VALID_MEMSAFETY : TP_P_UNREACH_CALL);
  globfree(&g);
  if (n < at_least) fail_msg("%llu runs only", (unsigned long long)n);
}

static void examples_mean_the_same(void **state) {
  (void)state;
  compare_all("examples/*/*.c", 20);
}
static void features_mean_the_same(void **state) {
  (void)state;
  compare_all("test/features/*.c", 6);
}
static void regressions_mean_the_same(void **state) {
  (void)state;
  compare_all("test/regress/*.c", 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_mean_the_same),
      cmocka_unit_test(features_mean_the_same),
      cmocka_unit_test(regressions_mean_the_same),
  };
  return cmocka_run_group_tests_name("objects as variables on runs", tests, NULL, NULL);
}

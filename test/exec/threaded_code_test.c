/* Threaded code against the interpreter edge by edge: the same program from the same state with the
 * same inputs, once alone, once under an observer (which threaded code does not serve), up to
 * random numbers of steps and on from there: same ends, steps, inputs and states. */
#include "exec/exec.h"
#include "front/front.h"
#include "../fuzz/models.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MODELS = 1500, SOAK_MODELS = 100000, RUNS = 12, PARTS = 6, MOST_STEPS = 20000 };

static bool ask_dice(void *ctx, tp_input *io) {
  tp_rng *rng = ctx;
  if (io->width_bits == 0) {
    io->bytes = NULL;
    io->n_bytes = 0;
    return true;
  }
  tp_u128 v = tp_rng_below(rng, 3) ? (tp_u128)tp_rng_below(rng, 12) : (tp_u128)tp_rng_next(rng);
  io->bits = io->width_bits >= 128 ? v : v & ((((tp_u128)1) << io->width_bits) - 1);
  return true;
}

static bool look(void *ctx, const tp_state *before, tp_edge e) {
  (void)ctx, (void)before, (void)e;
  return true;
}

static void expect_same(const char *path, const tp_run_result *a, const tp_run_result *b,
                        const tp_state *s, const tp_state *t) {
  if (a->end != b->end || a->loc.id != b->loc.id || a->edge.id != b->edge.id ||
      a->steps != b->steps || a->exit_status != b->exit_status ||
      a->used_indeterminate != b->used_indeterminate || a->why != b->why)
    fail_msg("%s: end %d at L%u, edge %u, %llu steps; observed: end %d at L%u, edge %u, %llu steps",
             path, (int)a->end, a->loc.id, a->edge.id, (unsigned long long)a->steps, (int)b->end,
             b->loc.id, b->edge.id, (unsigned long long)b->steps);
  tp_str why = {0};
  if (!tp_state_check(s, &why)) fail_msg("%s: %s", path, tp_str_text(&why));
  if (!tp_state_equal(s, t))
    fail_msg("%s: other states after %llu steps", path, (unsigned long long)a->steps);
}

static void compare_runs(const char *path, const tp_program *p, uint64_t seed) {
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .edge = look};
  tp_rng limits, dice[2];
  tp_rng_init(&limits, seed);
  tp_rng_init(&dice[0], seed + 1);
  tp_rng_init(&dice[1], seed + 1);
  tp_oracle alone = {&dice[0], ask_dice}, watched = {&dice[1], ask_dice};
  tp_state *s = tp_state_initial(p), *t = tp_state_copy(s);
  for (int part = 0; part < PARTS; part++) {
    const tp_run_limits l = {.steps = 1 + tp_rng_below(&limits, part % 2 ? 40 : MOST_STEPS),
                             .memory_bytes = 1u << 24};
    tp_run_result a = tp_exec_run(p, s, &alone, l, NULL),
                  b = tp_exec_run(p, t, &watched, l, &observer);
    expect_same(path, &a, &b, s, t);
    assert_int_equal(tp_rng_next(&dice[0]), tp_rng_next(&dice[1]));  // asked equally often
    if (a.end != TP_END_LIMIT) break;
  }
  tp_state_free(s);
  tp_state_free(t);
}

static void compare_files(const char *pattern, unsigned every) {
  glob_t g;
  assert_int_equal(glob(pattern, 0, NULL, &g), 0);
  for (size_t i = 0; i < g.gl_pathc; i += every) {
    const char *files[] = {g.gl_pathv[i]};
    tp_front_options o = {.files = files,
                          .n_files = 1,
                          .property = i % 2 ? TP_P_VALID_MEMSAFETY : TP_P_UNREACH_CALL,
                          .model_dir = "build/lib/libc"};
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p;
    assert_int_equal(tp_front_load(&o, diag, &p), TP_OK);
    for (uint64_t seed = 0; seed < RUNS; seed++) compare_runs(files[0], p, seed * 77 + i);
    tp_program_free(p);
    tp_diag_free(diag);
  }
  globfree(&g);
}

static void kernels(void **state) {
  (void)state;
  compare_files("bench/native/[hms]*.c", 1);
}

static void features(void **state) {
  (void)state;
  compare_files("test/features/*-[gb]*d.c", 4);
  assert_int_equal(tp_live_bytes(), 0);
}

/* These found a null pointer in a word that had held another pointer, of which the object stayed.
 */
static void random_models(void **state) {
  (void)state;
  const uint64_t n = getenv("TP_SOAK") ? SOAK_MODELS : MODELS;
  for (uint64_t seed = 760000; seed < 760000 + n; seed++) {
    tape t;
    traits what;
    char name[40];
    tp_diag *diag = tp_diag_new(stderr, false);
    tape_fresh(&t, seed);
    tp_program *p = model_make_rich(&t, diag, &what);
    snprintf(name, sizeof name, "model %llu", (unsigned long long)seed);
    for (uint64_t run = 0; run < 3; run++) compare_runs(name, p, seed * 77 + run);
    tp_program_free(p);
    tp_diag_free(diag);
    tape_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models), cmocka_unit_test(kernels),
                                     cmocka_unit_test(features)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

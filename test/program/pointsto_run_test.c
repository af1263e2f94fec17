/* Points-to classes of whole programs against runs: every object that a load or store reaches is in
 * the class predicted for its address, and accesses of one byte are in one region. Programs of
 * examples/ and test/features/ run on random inputs, one in eleven, all with TP_SOAK=1; calls
 * through pointers reach only predicted functions. */
#include "exec/exec.h"
#include "front/front.h"
#include "program/pointsto.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RUNS = 6, STEPS = 20000, TURNS = 11 };

typedef struct {
  const tp_program *p;
  tp_pointsto *pt;
  const char *path;
  tp_rng rng;
  tp_edge alloc;  // just taken: its object is not known yet
  tp_edge call;   // through a pointer, just taken
  tp_map origin;  // object -> class
  tp_map region;  // object, byte -> region
  uint64_t n_accesses;
} watch;

static bool answer(void *ctx, tp_input *io) {
  watch *w = ctx;
  uint64_t r = tp_rng_next(&w->rng);
  io->bits = r % 3 == 0 ? r >> 32 : (r >> 32) % 5;
  io->bytes = (const uint8_t *)"\1\2a \0";
  io->n_bytes = io->width_bits ? 0 : 5;
  return true;
}

static void learn_object(watch *w, const tp_state *s) {
  tp_value v;
  if (tp_state_value(s, tp_edge_of(w->p, w->alloc)->var, &v) == TP_OK && v.object)
    tp_map_set(&w->origin, v.object, tp_pointsto_of_alloc(w->pt, w->alloc).id);
  w->alloc = TP_EDGE_NONE;
}

static void check_callee(watch *w, tp_func f) {
  tp_func_list callees = tp_pointsto_callees(w->pt, w->call);
  bool found = false;
  for (uint32_t i = 0; i < callees.n; i++) found |= callees.at[i].id == f.id;
  if (!found) fail_msg("%s: call of %s is not predicted", w->path, tp_func_of(w->p, f)->name);
  w->call = TP_EDGE_NONE;
}

static void check_access(watch *w, const tp_state *s, const tp_edge_info *e) {
  tp_value at;
  if (tp_state_eval(s, e->a, &at) != TP_OK || at.object == 0) return;
  uint64_t expected = tp_pointsto_of_static(w->pt, at.object).id;
  if (at.object >= w->p->statics.n && !tp_map_get(&w->origin, at.object, &expected))
    return;  // no access will be
  tp_term value = e->kind == TP_E_LOAD ? tp_var_of(w->p, e->var)->term : e->b;
  uint64_t size = tp_sort_bytes(w->p->terms, tp_sort_of(w->p->terms, value));
  uint8_t byte[16];
  if (!tp_state_read_bytes(s, at.object, (uint64_t)at.bits, size, byte)) return;  // invalid access
  tp_class seen = tp_pointsto_of_address(w->pt, e->a);
  if (seen.id != expected)
    fail_msg("%s: class %u instead of %llu", w->path, seen.id, (unsigned long long)expected);
  uint32_t region = tp_pointsto_region(w->pt, e->a, size);
  if (region == 0) fail_msg("%s: an access without region", w->path);
  for (uint64_t i = 0; i < size; i++) {
    uint64_t key = (uint64_t)at.object << 32 | ((uint64_t)at.bits + i), known = region;
    if (tp_map_get(&w->region, key, &known) && known != region)
      fail_msg("%s: one byte in two regions", w->path);
    tp_map_set(&w->region, key, region);
  }
  w->n_accesses++;
}

static bool see_edge(void *ctx, const tp_state *before, tp_edge id) {
  watch *w = ctx;
  const tp_edge_info *e = tp_edge_of(w->p, id);
  if (w->alloc.id) learn_object(w, before);
  if (w->call.id) {
    tp_func f = tp_loc_of(w->p, tp_state_loc(before))->func;
    if (tp_func_of(w->p, f)->entry.id == tp_state_loc(before).id) check_callee(w, f);
    w->call = TP_EDGE_NONE;
  }
  if (e->kind == TP_E_LOAD || e->kind == TP_E_STORE) check_access(w, before, e);
  if (e->kind == TP_E_ALLOC) w->alloc = id;
  if (e->kind == TP_E_CALL && e->callee.id == 0) w->call = id;
  return true;
}

static uint64_t run_program(const char *path, tp_property property, tp_machine machine) {
  const char *files[] = {path};
  tp_front_options options = {
      .files = files, .n_files = 1, .property = property, .machine = machine};
  tp_diag *diag = tp_diag_new(NULL, false);
  tp_program *p;
  uint64_t n = 0;
  if (tp_front_load(&options, diag, &p) == TP_OK) {
    watch w = {.p = p, .pt = tp_pointsto_new(p), .path = path};
    tp_oracle oracle = {&w, answer};
    const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = see_edge};
    for (uint64_t run = 0; run < RUNS; run++) {
      tp_rng_init(&w.rng, run);
      w.alloc = w.call = TP_EDGE_NONE;
      tp_exec_main(p, &oracle, (tp_run_limits){.steps = STEPS}, &observer);
      tp_map_clear(&w.origin);
      tp_map_clear(&w.region);
    }
    n = w.n_accesses;
    tp_pointsto_free(w.pt);
    tp_program_free(p);
  }
  tp_diag_free(diag);
  return n;
}

static void run_all(const char *pattern, uint64_t at_least) {
  glob_t g;
  uint64_t n = 0;
  assert_int_equal(glob(pattern, 0, NULL, &g), 0);
  for (size_t i = 0; i < g.gl_pathc; i += getenv("TP_SOAK") ? 1 : TURNS) {
    const char *path = g.gl_pathv[i];
    tp_property property = strstr(path, "/memory/") || strstr(path, "/lists/")
                               ? TP_P_VALID_MEMSAFETY
                               : TP_P_UNREACH_CALL;
    n += run_program(path, property, strstr(path, "ilp32") ? TP_MACHINE_ILP32 : TP_MACHINE_LP64);
  }
  globfree(&g);
  if (n < at_least) fail_msg("%llu accesses only", (unsigned long long)n);
}

static void examples_stay_in_their_classes(void **state) {
  (void)state;
  run_all("examples/*/*.c", 2000);
}
static void features_stay_in_their_classes(void **state) {
  (void)state;
  run_all("test/features/*.c", 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_stay_in_their_classes),
      cmocka_unit_test(features_stay_in_their_classes),
  };
  return cmocka_run_group_tests_name("program/pointsto on runs", tests, NULL, NULL);
}

/* Effects of calls, on programs of a few functions: what is written deep below a call, in a ring of
 * calls, and through a pointer. */
#include "program/effects.h"

#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { N_FUNCTIONS = 4, N_GLOBALS = 130 };  // globals take three words

typedef struct {
  tp_program *p;
  tp_func f[N_FUNCTIONS + 1];  // from 1 on
  tp_var global[N_GLOBALS];
} fixture;

static fixture start(void) {
  fixture x = {.p = tp_program_new(NULL, 64)};
  static const char *const names[] = {NULL, "one", "two", "three", "four"};
  for (int i = 1; i <= N_FUNCTIONS; i++) x.f[i] = func(x.p, names[i]);
  for (int i = 0; i < N_GLOBALS; i++)
    x.global[i] = var(x.p, TP_FUNC_NONE, "g", bv_sort(x.p, 32), TP_TYPE_NONE);
  return x;
}

static void add_call(fixture *x, int caller, int callee) {
  const tp_func g = callee ? x->f[callee] : TP_FUNC_NONE;
  (void)call(x->p, entry_of(x->p, x->f[caller]), exit_of(x->p, x->f[caller]), g,
             callee ? TP_TERM_NONE : tp_mk_null(x->p->terms));
}

static void add_assignment(fixture *x, int f, int global) {
  (void)assign(x->p, entry_of(x->p, x->f[f]), exit_of(x->p, x->f[f]), x->global[global],
               bv(x->p, 32, 7));
}

static void callers_have_the_effects_of_what_they_call(void **state) {
  (void)state;
  const struct {
    const char *name;
    int calls[4][2];  // caller, callee; callee 0: through a pointer
    int writer;       // assigns one global
    int written;
    bool assigns[N_FUNCTIONS];  // by function, the first one first
  } cases[] = {
      {"a chain", {{1, 2}, {2, 3}, {3, 4}}, 4, 129, {true, true, true, true}},
      {"a chain the other way round", {{4, 3}, {3, 2}, {2, 1}}, 1, 0, {true, true, true, true}},
      {"a callee knows nothing of its caller", {{1, 2}, {2, 3}}, 2, 64, {true, true, false, false}},
      {"a ring", {{1, 2}, {2, 3}, {3, 1}}, 2, 63, {true, true, true, false}},
      {"behind a ring", {{1, 2}, {2, 1}, {2, 3}}, 3, 1, {true, true, true, false}},
      {"before a ring", {{3, 1}, {1, 2}, {2, 1}}, 3, 1, {false, false, true, false}},
      {"through a pointer anything", {{1, 2}, {2, 0}}, 4, 5, {true, true, false, true}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture x = start();
    for (int k = 0; k < 4 && cases[i].calls[k][0]; k++)
      add_call(&x, cases[i].calls[k][0], cases[i].calls[k][1]);
    add_assignment(&x, cases[i].writer, cases[i].written);
    tp_effects e;
    tp_effects_init(&e, x.p);
    for (int f = 1; f <= N_FUNCTIONS; f++) {
      const bool any = tp_effects_writes_memory(&e, x.f[f]);  // only a call through a pointer
      for (int g = 0; g < N_GLOBALS; g++) {
        const bool wanted = any || (g == cases[i].written && cases[i].assigns[f - 1]);
        if (tp_effects_assigns(&e, x.f[f], x.global[g]) != wanted)
          fail_msg("%s: function %d, global %d", cases[i].name, f, g);
      }
      if (any && !cases[i].assigns[f - 1]) fail_msg("%s: function %d", cases[i].name, f);
    }
    tp_effects_clear(&e);
    tp_program_free(x.p);
  }
}

static void locals_are_no_effects(void **state) {
  (void)state;
  fixture x = start();
  tp_var parameter = var(x.p, x.f[1], "n", bv_sort(x.p, 32), TP_TYPE_NONE),
         local = var(x.p, x.f[1], "i", bv_sort(x.p, 32), TP_TYPE_NONE);
  tp_var params[] = {parameter};
  x.p->funcs.at[x.f[1].id].params = params;
  x.p->funcs.at[x.f[1].id].n_params = 1;
  (void)assign(x.p, entry_of(x.p, x.f[1]), exit_of(x.p, x.f[1]), local, bv(x.p, 32, 7));
  tp_effects e;
  tp_effects_init(&e, x.p);
  assert_false(tp_effects_assigns(&e, x.f[1], local));
  assert_true(tp_effects_is_param_fixed(&e, parameter));
  tp_effects_clear(&e);
  (void)assign(x.p, entry_of(x.p, x.f[1]), exit_of(x.p, x.f[1]), parameter, bv(x.p, 32, 7));
  tp_effects_init(&e, x.p);
  assert_false(tp_effects_is_param_fixed(&e, parameter));
  tp_effects_clear(&e);
  tp_program_free(x.p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(callers_have_the_effects_of_what_they_call),
                                     cmocka_unit_test(locals_are_no_effects)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Parameters are unfolded into arguments exactly as long as neither can have changed.
#include "cpa/arguments.h"

#include "exec/testing.h"

typedef struct {
  build b;
  tp_func f, g;
  tp_var c, k, x, y, global;
  tp_edge call_f, call_g;
} sample;

static tp_edge call(build *b, tp_func f, tp_term first, tp_term second) {
  tp_term *args = tp_arena_array(&b->p->arena, tp_term, 2);
  args[0] = first, args[1] = second;
  return build_edge(b, (tp_edge_info){.kind = TP_E_CALL, .callee = f, .args = args, .n_args = 2});
}

/* main(): f(x < 7, global + 1).   f(c, k): k := k or not; g(c, k).   g(d, e): nothing. */
static sample make(bool assigns) {
  sample s = {.b = build_new(64)};
  build *b = &s.b;
  tp_sort bv32 = tp_sort_bv(b->tt, 32), truth = tp_sort_bool(b->tt);
  s.global = build_global(b, "global", bv32, bv(b, 32, 0));
  s.g = build_func(b, "g", (tp_sort){0});
  s.y = build_param(b, "d", truth);
  build_param(b, "e", bv32);
  build_return(b, TP_TERM_NONE);
  s.f = build_func(b, "f", (tp_sort){0});
  s.c = build_param(b, "c", truth);
  s.k = build_param(b, "k", bv32);
  if (assigns) build_assign(b, s.c, tp_mk_true(b->tt));
  s.call_g = call(b, s.g, tp_mk_not(b->tt, build_term(b, s.c)), build_term(b, s.k));
  build_return(b, TP_TERM_NONE);
  build_func(b, "main", (tp_sort){0});
  s.x = build_var(b, "x", bv32);
  build_assign(b, s.x, bv(b, 32, 3));
  s.call_f = call(b, s.f, tp_mk2(b->tt, TP_OP_BV_ULT, build_term(b, s.x), bv(b, 32, 7)),
                  build_term(b, s.global));
  build_return(b, TP_TERM_NONE);
  build_done(b);
  return s;
}

static void fixed_parameters_are_their_arguments(void **unused) {
  (void)unused;
  sample s = make(false);
  tp_terms *tt = s.b.tt;
  tp_contexts cs;
  tp_contexts_init(&cs);
  tp_arguments *a = tp_arguments_new(s.b.p);
  tp_context main = tp_context_root(&cs, s.b.p->main, 0),
             in_f = tp_context_push(&cs, main, s.call_f, s.f),
             in_g = tp_context_push(&cs, in_f, s.call_g, s.g);
  tp_term less = tp_mk2(tt, TP_OP_BV_ULT, build_term(&s.b, s.x), bv(&s.b, 32, 7)),
          d = build_term(&s.b, s.y), c = build_term(&s.b, s.c);
  assert_true(tp_term_eq(tp_arguments_unfold(a, &cs, in_g, d),
                         tp_mk_not(tt, less)));  // through both frames
  assert_true(tp_term_eq(tp_arguments_unfold(a, &cs, in_f, c), less));
  assert_true(tp_term_eq(tp_arguments_unfold(a, &cs, in_f, d), d));  // of no frame of this context
  assert_true(tp_term_eq(tp_arguments_unfold(a, &cs, main, less), less));
  tp_term k = build_term(&s.b, s.k);
  assert_true(
      tp_term_eq(tp_arguments_unfold(a, &cs, in_f, k), k));  // the global may change meanwhile
  assert_true(tp_is_true(tt, tp_arguments_hold(a, &cs, main)));
  assert_true(tp_term_eq(tp_arguments_hold(a, &cs, in_f), tp_mk_eq(tt, c, less)));
  tp_context alone = tp_context_root(&cs, s.f, 1);  // under a contract: callers are unknown
  assert_true(tp_is_true(tt, tp_arguments_hold(a, &cs, alone)));
  assert_true(tp_term_eq(tp_arguments_unfold(a, &cs, alone, c), c));
  tp_arguments_free(a);
  tp_contexts_clear(&cs);
  build_free(&s.b);
}

static void assigned_parameters_are_not(void **unused) {
  (void)unused;
  sample s = make(true);
  tp_contexts cs;
  tp_contexts_init(&cs);
  tp_arguments *a = tp_arguments_new(s.b.p);
  tp_context in_f = tp_context_push(&cs, tp_context_root(&cs, s.b.p->main, 0), s.call_f, s.f);
  tp_term c = build_term(&s.b, s.c);
  assert_true(tp_term_eq(tp_arguments_unfold(a, &cs, in_f, c), c));
  assert_true(tp_is_true(s.b.tt, tp_arguments_hold(a, &cs, in_f)));
  tp_arguments_free(a);
  tp_contexts_clear(&cs);
  build_free(&s.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_parameters_are_their_arguments),
                                     cmocka_unit_test(assigned_parameters_are_not)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

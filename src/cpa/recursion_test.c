/* Recursive functions under contracts, with values: what is proved, and what must not be. */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "exec/testing.h"

enum { W = 32 };

static tp_term term(const build *b, tp_var v) { return build_term(b, v); }
static tp_term num(const build *b, int64_t v) { return bv(b, W, v); }
static tp_sort word(const build *b) { return tp_sort_bv(b->tt, W); }

static void call(build *b, tp_func f, tp_var to, const tp_term *args, uint32_t n) {
  tp_term *copy = tp_arena_array(&b->p->arena, tp_term, n + 1);
  for (uint32_t i = 0; i < n; i++) copy[i] = args[i];
  build_edge(b,
             (tp_edge_info){.kind = TP_E_CALL, .callee = f, .var = to, .args = copy, .n_args = n});
}

static tp_var input(build *b, const char *name) {
  tp_var v = build_var(b, name, word(b));
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "in"});
  return v;
}

static tp_term minus_one(build *b, tp_var v) { return tp_mk_sub(b->tt, term(b, v), num(b, 1)); }
static tp_term is(build *b, tp_var v, int64_t n) { return tp_mk_eq(b->tt, term(b, v), num(b, n)); }

/* Sum over a claim's error location: is it reached? */
typedef struct {
  bool proved;
  size_t n_contracts;
  tp_str first_pre, first_post;
} answer;

static answer ask(build *b, const char *text) {
  answer a = {0};
  tp_stats stats = {0};
  tp_str why = {0};
  tp_composition *c = tp_composition_open(b->p, TP_P_UNREACH_CALL, text, &stats, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  tp_recursion *r = tp_recursion_new(c->cpa, c->order);
  tp_cpa_result result = tp_recursion_run(r, (tp_cpa_limits){.steps = 5000});
  assert_int_equal(result.end, TP_CPA_DONE);
  a.proved = true;
  for (uint32_t i = 1; i <= tp_reached_n(tp_recursion_reached(r)); i++)
    a.proved &=
        tp_loc_of(b->p, tp_reached_node(tp_recursion_reached(r), i)->loc)->error == TP_P_NONE;
  a.n_contracts = tp_recursion_n(r);
  tp_summaries s = {0};
  tp_recursion_summaries(r, "test", &s);
  assert_int_equal(s.list.n ? s.list.n - 1 : 0, a.n_contracts);
  if (a.n_contracts) {
    tp_print_c(b->tt, s.list.at[1].pre, TP_C_READABLE, &a.first_pre);
    tp_print_c(b->tt, s.list.at[1].post, TP_C_READABLE, &a.first_post);
  }
  tp_summaries_clear(&s);
  tp_recursion_free(r);
  tp_composition_close(c);
  tp_str_clear(&why);
  return a;
}

static void clear(answer *a) {
  tp_str_clear(&a->first_pre);
  tp_str_clear(&a->first_post);
}

static const char *const constants[] = {
    "analysis = location callstack value",
    "analysis = location callstack value\nvalue.merge = join\nmerge = join",
    "analysis = location callstack constant\nmerge = join",
    "analysis = location callstack constant", "analysis = location constant\nmerge = join"};

static void expect(build *b, bool proved) {
  build_done(b);
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    answer a = ask(b, constants[i]);
    if (a.proved != proved) fail_msg("%s: %s", constants[i], a.proved ? "proved" : "not proved");
    clear(&a);
  }
  build_free(b);
}

// ------------------------------------------------------------------------- cases

/* int f(int n) { if (n == 0) return 7; return f(n - 1); } */
static tp_func seven(build *b) {
  tp_func f = build_func(b, "f", word(b));
  tp_var n = build_param(b, "n", word(b)), r = build_var(b, "r", word(b));
  tp_loc no = build_branch(b, is(b, n, 0));
  build_return(b, num(b, 7));
  b->at = no;
  tp_term arg = minus_one(b, n);
  call(b, f, r, &arg, 1);
  build_return(b, term(b, r));
  return f;
}

static void F06_a_constant_comes_back(void **state) {
  (void)state;
  for (int claim = 7; claim <= 8; claim++) {
    build b = build_new(64);
    tp_func f = seven(&b);
    build_func(&b, "main", (tp_sort){0});
    tp_var x = input(&b, "x"), y = build_var(&b, "y", word(&b));
    tp_term arg = term(&b, x);
    call(&b, f, y, &arg, 1);
    build_assert(&b, is(&b, y, claim));
    build_return(&b, TP_TERM_NONE);
    expect(&b, claim == 7);
  }
}

/* The callee is the caller's own function: its variables are others. */
static void F06_frames_of_one_function_differ(void **state) {
  (void)state;
  for (int claim = 3; claim <= 4; claim++) {
    build b = build_new(64);
    tp_func f = build_func(&b, "f", (tp_sort){0});
    tp_var n = build_param(&b, "n", word(&b)), a = build_var(&b, "a", word(&b));
    build_assign(&b, a, num(&b, 3));
    tp_loc no = build_branch(&b, is(&b, n, 0)), zero = b.at;
    b.at = no;
    tp_term arg = minus_one(&b, n);
    call(&b, f, TP_VAR_NONE, &arg, 1);
    build_assert(&b, is(&b, a, claim));  // the own a, not the callee's, which is 4 at its end
    build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = zero});
    build_assign(&b, a, num(&b, 4));
    build_return(&b, TP_TERM_NONE);
    build_func(&b, "main", (tp_sort){0});
    tp_var x = input(&b, "x");
    arg = term(&b, x);
    call(&b, f, TP_VAR_NONE, &arg, 1);
    build_return(&b, TP_TERM_NONE);
    expect(&b, claim == 3);
  }
}

/* A global that the recursion changes, one that it does not, and a local of the caller. */
static void effects_on_globals(void **state) {
  (void)state;
  for (int claim = 0; claim < 4; claim++) {
    build b = build_new(64);
    tp_var kept = build_global(&b, "kept", word(&b), num(&b, 5)),
           changed = build_global(&b, "changed", word(&b), num(&b, 1));
    tp_func f = build_func(&b, "f", (tp_sort){0});
    tp_var n = build_param(&b, "n", word(&b));
    tp_loc no = build_branch(&b, is(&b, n, 0));
    build_return(&b, TP_TERM_NONE);
    b.at = no;
    build_assign(&b, changed, num(&b, 2));
    tp_term arg = minus_one(&b, n);
    call(&b, f, TP_VAR_NONE, &arg, 1);
    build_return(&b, TP_TERM_NONE);
    build_func(&b, "main", (tp_sort){0});
    tp_var x = input(&b, "x"), mine = build_var(&b, "mine", word(&b));
    build_assign(&b, mine, num(&b, 6));
    arg = term(&b, x);
    call(&b, f, TP_VAR_NONE, &arg, 1);
    tp_term claims[] = {is(&b, kept, 5), is(&b, mine, 6), is(&b, changed, 1), is(&b, changed, 2)};
    build_assert(&b, claims[claim]);
    build_return(&b, TP_TERM_NONE);
    expect(&b, claim < 2);
  }
}

/* even(n) calls odd(n - 1) calls even(n - 2): both under contracts; an error deep in the second is
 * found. */
static void F06_mutual_recursion(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    build b = build_new(64);
    tp_func even = build_func(&b, "even", word(&b));
    tp_var n = build_param(&b, "n", word(&b)), r = build_var(&b, "r", word(&b));
    tp_loc entry = b.at, even_exit = b.exit;
    tp_func odd = build_func(&b, "odd", word(&b));
    tp_var m = build_param(&b, "m", word(&b)), q = build_var(&b, "q", word(&b));
    tp_loc no = build_branch(&b, is(&b, m, 0));
    if (wrong) build_assert(&b, tp_mk_false(b.tt));
    build_return(&b, num(&b, 0));
    b.at = no;
    tp_term arg = minus_one(&b, m);
    call(&b, even, q, &arg, 1);
    build_return(&b, term(&b, q));
    b.func = even, b.at = entry, b.exit = even_exit;
    no = build_branch(&b, is(&b, n, 0));
    build_return(&b, num(&b, 0));
    b.at = no;
    arg = minus_one(&b, n);
    call(&b, odd, r, &arg, 1);
    build_return(&b, term(&b, r));
    build_func(&b, "main", (tp_sort){0});
    tp_var x = input(&b, "x"), y = build_var(&b, "y", word(&b));
    arg = term(&b, x);
    call(&b, even, y, &arg, 1);
    build_assert(&b, is(&b, y, 0));
    build_return(&b, TP_TERM_NONE);
    expect(&b, !wrong);
  }
}

/* Through a pointer to a function that has no body: globals and result are unknown behind it,
 * locals are not. */
static void a_function_without_body(void **state) {
  (void)state;
  for (int claim = 0; claim < 3; claim++) {
    build b = build_new(64);
    tp_var g = build_global(&b, "g", word(&b), num(&b, 5));
    tp_func nobody = tp_program_add_func(b.p, (tp_func_info){.name = "nobody"});
    uint32_t o = tp_program_add_static(
        b.p, (tp_static){.name = "nobody", .kind = TP_O_FUNCTION, .size_bytes = 1, .func = nobody});
    b.p->funcs.at[nobody.id].object = o;
    build_func(&b, "main", (tp_sort){0});
    tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt)), r = build_var(&b, "r", word(&b)),
           mine = build_var(&b, "mine", word(&b));
    build_assign(&b, p, tp_mk_ptr_const(b.tt, o, 0));
    build_assign(&b, r, num(&b, 6));
    build_assign(&b, mine, num(&b, 7));
    build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .a = term(&b, p), .var = r});
    tp_term claims[] = {is(&b, mine, 7), is(&b, g, 5), is(&b, r, 6)};
    build_assert(&b, claims[claim]);
    build_return(&b, TP_TERM_NONE);
    expect(&b, claim == 0);
  }
}

/* Different callers bring different entries; there are only so many of them. */
static void entries_are_few(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", word(&b));
  tp_var n = build_param(&b, "n", word(&b));
  tp_loc no = build_branch(&b, is(&b, n, 0));
  build_return(&b, num(&b, 1));
  b.at = no;
  tp_term same = num(&b, 0);
  tp_var r = build_var(&b, "r", word(&b));
  call(&b, f, r, &same, 1);
  build_return(&b, term(&b, r));
  build_func(&b, "main", (tp_sort){0});
  tp_var y = build_var(&b, "y", word(&b));
  for (int i = 0; i < 25; i++) {
    tp_term arg = num(&b, i);
    call(&b, f, y, &arg, 1);
    build_assert(&b, is(&b, y, 1));
  }
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  answer a = ask(&b, constants[2]);
  assert_true(a.proved);
  assert_in_range(a.n_contracts, 2, 12);
  if (!strstr(tp_str_text(&a.first_post), "result == 1"))
    fail_msg("%s", tp_str_text(&a.first_post));
  if (!strstr(tp_str_text(&a.first_pre), "n == 0")) fail_msg("%s", tp_str_text(&a.first_pre));
  clear(&a);
  build_free(&b);
}

/* int f(int n) { if (n <= 0) return 0; r = f(n - 1); return r < 100 ? r + 1 : r; }: the result is
 * from 0 to 100. And an entry that grows without end, up(n) calls up(n + 1), ends by widening. */
static void numbers_under_contracts(void **state) {
  (void)state;
  for (int claim = 0; claim < 2; claim++) {
    build b = build_new(64);
    tp_func f = build_func(&b, "f", word(&b));
    tp_var n = build_param(&b, "n", word(&b)), r = build_var(&b, "r", word(&b));
    tp_loc no = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLE, term(&b, n), num(&b, 0)));
    build_return(&b, num(&b, 0));
    b.at = no;
    tp_term arg = minus_one(&b, n);
    call(&b, f, r, &arg, 1);
    no = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, term(&b, r), num(&b, 100)));
    build_return(&b, tp_mk2(b.tt, TP_OP_BV_ADD, term(&b, r), num(&b, 1)));
    b.at = no;
    build_return(&b, term(&b, r));
    tp_func up = build_func(&b, "up", (tp_sort){0});
    tp_var m = build_param(&b, "m", word(&b)), go = build_var(&b, "go", tp_sort_bool(b.tt));
    no = build_branch(&b, term(&b, go));
    build_return(&b, TP_TERM_NONE);
    b.at = no;
    arg = tp_mk2(b.tt, TP_OP_BV_ADD, term(&b, m), num(&b, 1));
    call(&b, up, TP_VAR_NONE, &arg, 1);
    build_return(&b, TP_TERM_NONE);
    build_func(&b, "main", (tp_sort){0});
    tp_var x = input(&b, "x"), y = build_var(&b, "y", word(&b));
    arg = term(&b, x);
    call(&b, f, y, &arg, 1);
    arg = num(&b, 0);
    call(&b, up, TP_VAR_NONE, &arg, 1);
    build_assert(
        &b, tp_mk2(b.tt, TP_OP_BV_SLE, num(&b, claim), term(&b, y)));  // 0 <= y; 1 <= y is wrong
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    answer a = ask(&b, "analysis = location callstack interval");
    assert_int_equal(a.proved, claim == 0);
    clear(&a);
    build_free(&b);
  }
}

/* fact(5) == 120: with a contract for each argument. */
static void arguments_that_are_known(void **state) {
  (void)state;
  for (int claim = 120; claim <= 121; claim++) {
    build b = build_new(64);
    tp_func f = build_func(&b, "fact", word(&b));
    tp_var n = build_param(&b, "n", word(&b)), r = build_var(&b, "r", word(&b));
    tp_loc no = build_branch(&b, is(&b, n, 0));
    build_return(&b, num(&b, 1));
    b.at = no;
    tp_term arg = minus_one(&b, n);
    call(&b, f, r, &arg, 1);
    build_return(&b, tp_mk2(b.tt, TP_OP_BV_MUL, term(&b, n), term(&b, r)));
    build_func(&b, "main", (tp_sort){0});
    tp_var y = build_var(&b, "y", word(&b));
    arg = num(&b, 5);
    call(&b, f, y, &arg, 1);
    build_assert(&b, is(&b, y, claim));
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    for (size_t i = 0; i < 3; i++) {
      answer a = ask(&b, constants[i]);
      assert_int_equal(a.proved, claim == 120);
      clear(&a);
    }
    build_free(&b);
  }
}

/* A loop whose turn ends with a recursive call: precisions go over the call, so widening sees the
 * turns. */
static void a_call_closes_a_loop(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", (tp_sort){0});
  tp_var more = build_var(&b, "more", tp_sort_bool(b.tt));
  tp_loc no = build_branch(&b, term(&b, more));
  call(&b, f, TP_VAR_NONE, NULL, 0);
  build_return(&b, TP_TERM_NONE);
  b.at = no;
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", word(&b)), n = input(&b, "n");
  build_assign(&b, x, num(&b, 0));
  tp_loc head = b.at, out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, term(&b, x), term(&b, n)));
  build_assign(&b, x, tp_mk2(b.tt, TP_OP_BV_ADD, term(&b, x), num(&b, 1)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .callee = f, .to = head});
  b.at = out;
  build_assert(&b, tp_mk2(b.tt, TP_OP_BV_SLE, num(&b, 0), term(&b, x)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  static const char *const numbers[] = {"analysis = location callstack interval",
                                        "analysis = location callstack octagon"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    answer a = ask(&b, numbers[i]);
    assert_true(a.proved);
    clear(&a);
  }
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F06_a_constant_comes_back),
      cmocka_unit_test(F06_frames_of_one_function_differ),
      cmocka_unit_test(effects_on_globals),
      cmocka_unit_test(F06_mutual_recursion),
      cmocka_unit_test(a_function_without_body),
      cmocka_unit_test(entries_are_few),
      cmocka_unit_test(numbers_under_contracts),
      cmocka_unit_test(a_call_closes_a_loop),
      cmocka_unit_test(arguments_that_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

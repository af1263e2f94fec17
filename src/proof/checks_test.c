// The branch at which a check begins, and the calls at which it stands, in programs built by hand.
#include "proof/checks.h"

#include "exec/testing.h"

enum { W = 32 };

static tp_sort int_sort(const build *b) { return tp_sort_bv(b->tt, W); }
static tp_term is_zero(const build *b, tp_var v) {
  return tp_mk_eq(b->tt, build_term(b, v), bv(b, W, 0));
}
static tp_loc error_loc(build *b, uint32_t line) {
  return tp_program_add_loc(
      b->p, (tp_loc_info){.func = b->func, .pos = {1, line, 1}, .error = TP_P_UNREACH_CALL});
}
static void skip_to(build *b, tp_loc to, tp_loc on) {
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = to});
  b->at = on;
}
static void branch(const build *b, tp_term c, tp_loc then, tp_loc otherwise) {
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_ASSUME, .from = b->at, .to = then, .a = c});
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_ASSUME,
                                           .from = b->at,
                                           .to = otherwise,
                                           .a = tp_mk_not(b->tt, c),
                                           .negated = true});
}

/* The locations at which the checks of a program should stand, in its order. */
typedef struct {
  tp_loc at[4];
  uint32_t lines[4];
  size_t n;
} expected;

/* x || y: the check begins where x is asked, not where y is. */
static expected disjunction(build *b) {
  tp_var x = build_var(b, "x", int_sort(b)), y = build_var(b, "y", int_sort(b));
  build_assign(b, x, bv(b, W, 1));
  tp_loc first = b->at, second = build_loc(b), fine = build_loc(b), error = error_loc(b, 7);
  branch(b, is_zero(b, x), fine, second);
  b->at = second;
  branch(b, is_zero(b, y), fine, error);
  b->at = fine;
  return (expected){{first}, {7}, 1};
}

/* x && y: two ways lead to the error, and no branch alone. */
static expected conjunction(build *b) {
  tp_var x = build_var(b, "x", int_sort(b)), y = build_var(b, "y", int_sort(b));
  build_assign(b, x, bv(b, W, 1));
  tp_loc first = b->at, second = build_loc(b), fine = build_loc(b), error = error_loc(b, 7);
  branch(b, is_zero(b, x), second, error);
  b->at = second;
  branch(b, is_zero(b, y), fine, error);
  b->at = fine;
  return (expected){{first}, {7}, 1};
}

/* if (x) { assert(y); z = 1; }: the branch on x decides more than the check. */
static expected inside_of_branch(build *b) {
  tp_var x = build_var(b, "x", int_sort(b)), y = build_var(b, "y", int_sort(b)),
         z = build_var(b, "z", int_sort(b));
  tp_loc inner = build_loc(b), behind = build_loc(b), done = build_loc(b), error = error_loc(b, 7);
  branch(b, is_zero(b, x), inner, done);
  b->at = inner;
  branch(b, is_zero(b, y), behind, error);
  b->at = behind;
  build_assign(b, z, bv(b, W, 1));
  skip_to(b, done, done);
  return (expected){{inner}, {7}, 1};
}

/* while (x) x = y; assert(y): the loop stays before the check. */
static expected behind_loop(build *b) {
  tp_var x = build_var(b, "x", int_sort(b)), y = build_var(b, "y", int_sort(b));
  build_assign(b, x, bv(b, W, 1));
  tp_loc head = b->at, body = build_loc(b), out = build_loc(b), fine = build_loc(b),
         error = error_loc(b, 7);
  branch(b, is_zero(b, x), out, body);
  b->at = body;
  build_assign(b, x, build_term(b, y));
  skip_to(b, head, out);
  branch(b, is_zero(b, y), fine, error);
  b->at = fine;
  return (expected){{out}, {7}, 1};
}

/* A function that begins with a check: one check for each call of it. */
static expected verify_called(build *b, size_t n_calls) {
  tp_func outer = b->func;
  tp_loc at = b->at, exit = b->exit;
  tp_func f = build_func(b, "verify", (tp_sort){0});
  tp_var c = build_param(b, "c", int_sort(b));
  tp_loc entry = b->at, fine = build_loc(b), error = error_loc(b, 3);
  branch(b, is_zero(b, c), error, fine);
  b->at = fine;
  build_return(b, TP_TERM_NONE);
  b->func = outer, b->at = at, b->exit = exit;
  expected e = {{entry}, {3}, 1};
  for (size_t i = 0; i < n_calls; i++) {
    tp_term *arg = tp_arena_array(&b->p->arena, tp_term, 1);
    arg[0] = bv(b, W, 1);
    if (n_calls > 1) e.at[i] = b->at, e.lines[i] = (uint32_t)(10 + i), e.n = n_calls;
    build_edge(b, (tp_edge_info){.kind = TP_E_CALL,
                                 .callee = f,
                                 .args = arg,
                                 .n_args = 1,
                                 .pos = {1, (uint32_t)(10 + i), 1}});
  }
  return e;
}
static expected called_once(build *b) { return verify_called(b, 1); }
static expected called_twice(build *b) { return verify_called(b, 2); }
static expected never_called(build *b) {
  expected e = verify_called(b, 0);
  e.n = 0;
  return e;
}

static const struct {
  const char *name;
  expected (*make)(build *b);
} rows[] = {
    {"disjunction", disjunction},           {"conjunction", conjunction},
    {"inside_of_branch", inside_of_branch}, {"behind_loop", behind_loop},
    {"called_once", called_once},           {"called_twice", called_twice},
    {"never_called", never_called},
};

static void places(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    build b = build_new(64);
    build_func(&b, "main", int_sort(&b));
    const expected e = rows[i].make(&b);
    build_return(&b, bv(&b, W, 0));
    build_done(&b);
    tp_checks checks = {0};
    tp_checks_find(b.p, TP_P_UNREACH_CALL, &checks);
    if (checks.n != e.n) fail_msg("%s: %zu checks, expected %zu", rows[i].name, checks.n, e.n);
    for (size_t k = 0; k < e.n; k++)
      if (checks.at[k].at.id != e.at[k].id || checks.at[k].pos.line != e.lines[k])
        fail_msg("%s: check %zu at L%u in line %u, expected L%u in line %u", rows[i].name, k,
                 checks.at[k].at.id, checks.at[k].pos.line, e.at[k].id, e.lines[k]);
    tp_vec_clear(&checks);
    build_free(&b);
  }
}

/* Checks of another property are not asked about. */
static void other_property(void **unused) {
  (void)unused;
  build b = build_new(64);
  build_func(&b, "main", int_sort(&b));
  (void)disjunction(&b);
  build_return(&b, bv(&b, W, 0));
  build_done(&b);
  tp_checks checks = {0};
  tp_checks_find(b.p, TP_P_NO_OVERFLOW, &checks);
  assert_int_equal(checks.n, 0);
  tp_vec_clear(&checks);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(other_property)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "exec/native/native_priv.h"

#include "exec/testing.h"

/* A loop in a called function, watched: which vectors are reported, in which order, with which
 * state; a state put in there. */

enum { TURNS = 6000, CALLS = 2, BITS = 14 };

typedef struct {
  build b;
  tp_loc head;  // of the loop in f
  tp_var i, c;  // of f
} counting;

static tp_term plus(const build *b, tp_term a, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, a, bv(b, 32, n));
}

/* f(n): c turns of i = 0 .. n - 1; main: s = the sum of CALLS calls of f(TURNS). */
static counting counting_program(void) {
  counting q = {.b = build_new(64)};
  build *b = &q.b;
  tp_sort i32 = tp_sort_bv(b->tt, 32);
  tp_func f = build_func(b, "f", i32);
  tp_var n = build_param(b, "n", i32);
  q.i = build_var(b, "i", i32);
  q.c = build_var(b, "c", i32);
  build_assign(b, q.i, bv(b, 32, 0));
  build_assign(b, q.c, bv(b, 32, 0));
  q.head = b->at;
  tp_loc out =
      build_branch(b, tp_mk_not(b->tt, tp_mk_eq(b->tt, build_term(b, q.i), build_term(b, n))));
  build_assign(b, q.c, plus(b, build_term(b, q.c), 1));
  build_edge(
      b, (tp_edge_info){
             .kind = TP_E_ASSIGN, .var = q.i, .a = plus(b, build_term(b, q.i), 1), .to = q.head});
  b->at = out;
  build_return(b, build_term(b, q.c));
  build_func(b, "main", i32);
  tp_var k = build_var(b, "k", i32), s = build_var(b, "s", i32), r = build_var(b, "r", i32);
  build_assign(b, k, bv(b, 32, 0));
  build_assign(b, s, bv(b, 32, 0));
  tp_loc again = b->at;
  out = build_branch(b, tp_mk_not(b->tt, tp_mk_eq(b->tt, build_term(b, k), bv(b, 32, CALLS))));
  tp_term arg = bv(b, 32, TURNS);
  build_edge(b,
             (tp_edge_info){.kind = TP_E_CALL, .callee = f, .var = r, .args = &arg, .n_args = 1});
  build_assign(b, s, tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, s), build_term(b, r)));
  build_edge(b, (tp_edge_info){
                    .kind = TP_E_ASSIGN, .var = k, .a = plus(b, build_term(b, k), 1), .to = again});
  b->at = out;
  build_return(b, build_term(b, s));
  build_done(b);
  assert_true(tp_loc_of(b->p, q.head)->is_cutpoint);
  return q;
}

typedef struct {
  const counting *q;
  uint64_t reports, in_order;
  tp_state *kept;  // the first state with i = 5
} reports;

static void report(void *ctx, tp_loc at, uint64_t vector, const tp_state *s) {
  reports *r = ctx;
  tp_value i;
  assert_int_equal(at.id, r->q->head.id);
  assert_int_equal(tp_state_loc(s).id, at.id);
  assert_int_equal(tp_state_depth(s), 2);
  assert_int_equal(tp_state_value(s, r->q->i, &i), TP_OK);
  assert_int_equal(vector, (uint64_t)i.bits);
  r->in_order += vector == r->reports++;
  if (vector == 5) r->kept = tp_state_copy(s);
}

static tp_native *watching(const counting *q) {
  const build *b = &q->b;
  tp_str why = {0};
  tp_native *n = tp_native_new(b->p, TP_NATIVE_RESUME, &why);
  assert_non_null(n);
  tp_term bits[BITS];
  for (uint32_t k = 0; k < BITS; k++)
    bits[k] = tp_mk_eq(b->tt, tp_mk_extract(b->tt, k, k, build_term(b, q->i)), bv(b, 1, 1));
  assert_int_equal(tp_native_monitor(n, q->head, bits, BITS, &why), TP_OK);
  assert_int_equal(tp_native_monitor(n, q->head, bits, BITS, &why), TP_ERR_ARG);  // once
  tp_str_clear(&why);
  return n;
}

static tp_run_result run_main(tp_native *n, const counting *q, reports *r) {
  tp_state *s = tp_state_initial(q->b.p);
  tp_run_result end = tp_native_run(n, s, NULL, (tp_run_limits){0}, NULL, report, r);
  tp_state_free(s);
  return end;
}

/* More vectors than the table has places: each is reported once all the same, also in a second call
 * and in a second run. */
static void vectors_are_reported_once(void **state) {
  (void)state;
  counting q = counting_program();
  reports r = {.q = &q};
  tp_native *n = watching(&q);
  for (int turn = 0; turn < 2; turn++) {
    tp_run_result end = run_main(n, &q, &r);
    assert_int_equal(end.end, TP_END_EXIT);
    assert_int_equal(end.exit_status, CALLS * TURNS);
    assert_int_equal(r.reports, TURNS + 1);
    assert_int_equal(r.in_order, TURNS + 1);
  }
  assert_true(tp_native_compile_s(n) > 0);
  tp_state_free(r.kept);
  tp_native_free(n);
  build_free(&q.b);
}

/* A state from within the loop with another i and another c: as the interpreter goes on from it,
 * and as arithmetic says. */
static void states_put_into_a_called_function(void **state) {
  (void)state;
  counting q = counting_program();
  reports r = {.q = &q};
  tp_native *n = watching(&q);
  (void)run_main(n, &q, &r);
  tp_state_set(r.kept, q.i, (tp_value){.bits = TURNS - 100});
  tp_state_set(r.kept, q.c, (tp_value){.bits = 7});
  tp_state *other = tp_state_copy(r.kept);
  tp_run_result a = tp_exec_run(q.b.p, other, NULL, (tp_run_limits){0}, NULL);
  tp_run_result b =
      tp_native_run(n, r.kept, NULL, (tp_run_limits){0}, NULL, report, &(reports){.q = &q});
  assert_int_equal(a.exit_status, 7 + 100 + TURNS);
  assert_int_equal(b.end, TP_END_EXIT);
  assert_int_equal(b.exit_status, a.exit_status);
  assert_int_equal(b.steps, a.steps);
  assert_true(tp_state_equal(r.kept, other));
  tp_state_free(other);
  tp_state_free(r.kept);
  tp_native_free(n);
  build_free(&q.b);
}

/* TRACE, and a limit that falls into every part of a turn. */
static void limits_are_exact(void **state) {
  (void)state;
  counting q = counting_program();
  tp_str why = {0};
  tp_native *n = tp_native_new(q.b.p, TP_NATIVE_TRACE, &why);
  assert_non_null(n);
  for (uint64_t steps = 5000; steps < 5010; steps++) {
    tp_state *one = tp_state_initial(q.b.p), *two = tp_state_initial(q.b.p);
    tp_run_result a = tp_exec_run(q.b.p, one, NULL, (tp_run_limits){.steps = steps}, NULL);
    tp_run_result b =
        tp_native_run(n, two, NULL, (tp_run_limits){.steps = steps}, NULL, NULL, NULL);
    assert_int_equal(b.end, TP_END_LIMIT);
    assert_int_equal(b.steps, steps);
    assert_int_equal(b.loc.id, a.loc.id);
    assert_true(tp_state_equal(one, two));
    tp_state_free(one);
    tp_state_free(two);
  }
  tp_native_free(n);
  tp_str_clear(&why);
  build_free(&q.b);
}

// --------------------------------------------------------------------- statics

enum { CELLS = 16, ROUNDS = 120, ODD_ROUND = 60 };
typedef enum { BY_STORE, BY_COPY } way;

static tp_term cell(const build *b, uint32_t object, tp_term index) {
  tp_term offset = tp_mk2(b->tt, TP_OP_BV_MUL, tp_mk_zext(b->tt, 64, index), bv(b, 64, 4));
  return tp_mk_ptr_add(b->tt, tp_mk_ptr_const(b->tt, object, 0), offset);
}

static void count_up(build *b, tp_var v, tp_loc to) {
  build_edge(b, (tp_edge_info){
                    .kind = TP_E_ASSIGN, .var = v, .a = plus(b, build_term(b, v), 1), .to = to});
}

/* A variable that nobody determines goes into cell 0 of `to`. */
static void store_indeterminate(build *b, tp_var x, uint32_t to) {
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = x, .input = TP_I_INDETERMINATE});
  build_edge(
      b, (tp_edge_info){.kind = TP_E_STORE, .a = cell(b, to, bv(b, 32, 0)), .b = build_term(b, x)});
}

/* for r < ROUNDS: { if r = ODD_ROUND: an indeterminate value in a[0], stored or copied, then 7; for
 * i < CELLS: a[i] += i + r, s += a[i] } */
static build table_program(way how, uint32_t *a) {
  build b = build_new(64);
  tp_sort i32 = tp_sort_bv(b.tt, 32);
  *a = tp_program_add_static(
      b.p,
      (tp_static){.name = "a", .kind = TP_O_GLOBAL, .size_bytes = 4 * CELLS, .align_bytes = 4});
  uint32_t other = tp_program_add_static(
      b.p, (tp_static){.name = "o", .kind = TP_O_GLOBAL, .size_bytes = 4, .align_bytes = 4});
  build_func(&b, "main", i32);
  tp_var r = build_var(&b, "r", i32), i = build_var(&b, "i", i32), s = build_var(&b, "s", i32),
         x = build_var(&b, "x", i32);
  tp_loc rounds = b.at;
  tp_loc out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, r), bv(&b, 32, ROUNDS)));
  build_assign(&b, i, bv(&b, 32, 0));
  tp_loc plain = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, r), bv(&b, 32, ODD_ROUND)));
  store_indeterminate(&b, x, how == BY_STORE ? *a : other);
  if (how == BY_COPY) {
    build_edge(&b, (tp_edge_info){.kind = TP_E_COPY,
                                  .a = cell(&b, *a, bv(&b, 32, 0)),
                                  .b = cell(&b, other, bv(&b, 32, 0)),
                                  .c = bv(&b, 64, 4)});
  }
  build_edge(
      &b,
      (tp_edge_info){
          .kind = TP_E_STORE, .a = cell(&b, *a, bv(&b, 32, 0)), .b = bv(&b, 32, 7), .to = plain});
  tp_loc cells = plain,
         next = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, i), bv(&b, 32, CELLS)));
  tp_term here = cell(&b, *a, build_term(&b, i)),
          sum = tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), build_term(&b, r));
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = here});
  build_assign(&b, x, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, x), sum));
  build_edge(&b, (tp_edge_info){.kind = TP_E_STORE, .a = here, .b = build_term(&b, x)});
  build_assign(&b, s, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, s), build_term(&b, x)));
  count_up(&b, i, cells);
  b.at = next;
  count_up(&b, r, rounds);
  b.at = out;
  build_return(&b, build_term(&b, s));
  build_done(&b);
  return b;
}

static void expect_same(const build *b, tp_native *n, uint64_t steps) {
  tp_inputs none;
  tp_inputs_init(&none);
  tp_vector_oracle zeros = {.in = &none, .then_zero = true}, more = zeros;
  tp_oracle one = tp_oracle_of_vector(&zeros), two = tp_oracle_of_vector(&more);
  tp_state *x = tp_state_initial(b->p), *y = tp_state_initial(b->p);
  tp_run_result p = tp_exec_run(b->p, x, &one, (tp_run_limits){.steps = steps}, NULL);
  tp_run_result q = tp_native_run(n, y, &two, (tp_run_limits){.steps = steps}, NULL, NULL, NULL);
  assert_int_equal(p.end, q.end);
  assert_int_equal(p.steps, q.steps);
  assert_int_equal(p.loc.id, q.loc.id);
  assert_int_equal(p.exit_status, q.exit_status);
  assert_true(tp_state_equal(x, y));
  tp_state_free(x);
  tp_state_free(y);
  tp_inputs_clear(&none);
}

/* What code takes for plain becomes odd in the middle of a run: it is made anew without that, once,
 * and goes on. */
static void statics_that_do_not_stay_plain(void **state) {
  (void)state;
  for (int turn = 0; turn < 4; turn++) {
    uint32_t a;
    build b = table_program(turn % 2 ? BY_COPY : BY_STORE, &a);
    tp_str why = {0};
    tp_native *n = tp_native_new(b.p, turn < 2 ? TP_NATIVE_TRACE : TP_NATIVE_RESUME, &why);
    assert_non_null(n);
    for (uint64_t steps = 5000; steps < 5016; steps++) expect_same(&b, n, steps);
    assert_int_equal(n->n_compiled, 1);
    assert_false(n->is_irregular[a]);
    expect_same(&b, n, 0);
    assert_int_equal(n->n_compiled, 2);
    assert_true(n->is_irregular[a]);
    for (uint64_t steps = 8000; steps < 8016; steps++) expect_same(&b, n, steps);
    assert_int_equal(n->n_compiled, 2);
    tp_native_free(n);
    tp_str_clear(&why);
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(vectors_are_reported_once),
                                     cmocka_unit_test(states_put_into_a_called_function),
                                     cmocka_unit_test(limits_are_exact),
                                     cmocka_unit_test(statics_that_do_not_stay_plain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

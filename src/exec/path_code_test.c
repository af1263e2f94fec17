#include "exec/path_code.h"

#include "exec/testing.h"

#include <stdlib.h>

/* Bits against the code of them, for many shapes; sizes; programs. */

typedef TP_VEC(uint8_t) bits;

static void expect_reads(const tp_path_code *c, const bits *want, tp_rng *rng) {
  tp_path_reader r = tp_path_read(c);
  for (size_t i = 0; i < want->n;) {
    uint32_t n = (uint32_t)tp_rng_below(rng, 33), v, w = 0;
    if (n > want->n - i) n = (uint32_t)(want->n - i);
    for (uint32_t k = 0; k < n; k++) w |= (uint32_t)want->at[i + k] << k;
    assert_true(tp_path_next(&r, n, &v));
    if (v != w) fail_msg("bits %zu to %zu: %x, not %x", i, i + n, v, w);
    i += n;
  }
  uint32_t v;
  assert_false(tp_path_next(&r, 1, &v));
}

static void code_all(tp_path_code *c, const bits *b, tp_rng *rng) {
  for (size_t i = 0; i < b->n;) {
    uint32_t n = rng ? (uint32_t)tp_rng_below(rng, 65) : 1;
    uint64_t w = 0;
    if (n > b->n - i) n = (uint32_t)(b->n - i);
    for (uint32_t k = 0; k < n; k++) w |= (uint64_t)b->at[i + k] << k;
    tp_path_code_add64(c, w, n);
    i += n;
  }
  tp_path_code_finish(c);
}

/* Coded twice, divided differently: read back and equal; another last bit: not equal. */
static size_t expect_round_trip(bits *b, tp_rng *rng) {
  tp_path_code one, two, other;
  tp_path_code_init(&one, 0);
  tp_path_code_init(&two, 0);
  tp_path_code_init(&other, 0);
  code_all(&one, b, NULL);
  code_all(&two, b, rng);
  assert_int_equal(one.n_bits, b->n);
  assert_false(one.is_cut);
  assert_true(tp_path_code_equal(&one, &two));
  expect_reads(&one, b, rng);
  if (b->n) {
    tp_vec_last(b) ^= 1;
    code_all(&other, b, rng);
    assert_false(tp_path_code_equal(&one, &other));
    tp_vec_last(b) ^= 1;
  }
  size_t bytes = one.words.n * sizeof *one.words.at;
  tp_path_code_clear(&one);
  tp_path_code_clear(&two);
  tp_path_code_clear(&other);
  return bytes;
}

/* Random nests of loops: a body is bits, or bodies repeated. */
static void add_nest(bits *b, tp_rng *rng, uint32_t depth) {
  if (depth == 0 || tp_rng_below(rng, 4) == 0) {
    for (uint64_t n = tp_rng_below(rng, 20); n-- > 0;)
      tp_vec_push(b, (uint8_t)tp_rng_below(rng, 2));
    return;
  }
  size_t from = b->n;
  for (uint64_t n = 1 + tp_rng_below(rng, 3); n-- > 0;) add_nest(b, rng, depth - 1);
  size_t body = b->n - from;
  uint64_t turns = tp_rng_below(rng, tp_rng_below(rng, 4) ? 5 : 200);
  for (; turns-- > 0 && b->n < 200000;)
    for (size_t i = 0; i < body; i++) tp_vec_push(b, b->at[from + i]);
}

static void random_codes(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 5);
  for (int turn = 0; turn < 400; turn++) {
    bits b = {0};
    if (turn % 2)
      add_nest(&b, &rng, (uint32_t)tp_rng_below(&rng, 6));
    else
      for (uint64_t n = tp_rng_below(&rng, 3000), bias = 1 + tp_rng_below(&rng, 30); n-- > 0;)
        tp_vec_push(&b, tp_rng_below(&rng, bias + 1) == 0);
    (void)expect_round_trip(&b, &rng);
    tp_vec_clear(&b);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static void random_bits_cost_little_more_than_themselves(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 7);
  bits b = {0};
  for (int i = 0; i < 100000; i++) tp_vec_push(&b, (uint8_t)tp_rng_below(&rng, 2));
  assert_true(expect_round_trip(&b, &rng) < 100000 / 8 * 3 / 2);
  tp_vec_clear(&b);
}

/* 10^7 turns with the same pattern, of any length up to some hundred bits. */
static void loops_take_few_bytes(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 9);
  static const uint32_t periods[] = {1, 2, 3, 7, 31, 32};
  for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
    uint32_t pattern = (uint32_t)tp_rng_next(&rng), p = periods[i];
    tp_path_code c;
    tp_path_code_init(&c, 0);
    tp_path_code_add(&c, 5, 3);
    for (int turn = 0; turn < 10000000; turn++) tp_path_code_add(&c, pattern, p);
    tp_path_code_add(&c, 0, 1);
    tp_path_code_finish(&c);
    assert_true(c.words.n * 8 < 100);
    tp_path_reader r = tp_path_read(&c);
    uint32_t v;
    assert_true(tp_path_next(&r, 3, &v) && v == 5);
    for (int turn = 0; turn < 10000000; turn++)
      if (!tp_path_next(&r, p, &v) || v != (p == 32 ? pattern : pattern & ((1u << p) - 1))) fail();
    assert_true(tp_path_next(&r, 1, &v) && v == 0);
    assert_false(tp_path_next(&r, 1, &v));
    tp_path_code_clear(&c);
  }
}

/* for i < a: for j < b: for k < c: a branch; a one for a turn, a zero behind the last. */
static size_t nest(uint32_t a, uint32_t b, uint32_t c) {
  tp_path_code code;
  tp_path_code_init(&code, 0);
  for (uint32_t i = 0; i < a; i++) {
    tp_path_code_add(&code, 1, 1);
    for (uint32_t j = 0; j < b; j++) {
      tp_path_code_add(&code, 1, 1);
      for (uint32_t k = 0; k < c; k++) tp_path_code_add(&code, 1, 1);
      tp_path_code_add(&code, 0, 1);
    }
    tp_path_code_add(&code, 0, 1);
  }
  tp_path_code_finish(&code);
  assert_false(code.is_cut);
  size_t bytes = code.words.n * 8;
  tp_path_code_clear(&code);
  return bytes;
}

static void nested_loops(void **state) {
  (void)state;
  static const uint32_t sizes[][3] = {{1, 3000, 1000}, {1000, 1, 1000}, {300, 100, 100},
                                      {200, 7, 1000},  {1000, 50, 11},  {100, 1000, 3},
                                      {50, 300, 300}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t bytes = nest(sizes[i][0], sizes[i][1], sizes[i][2]);
    if (bytes >= 1000)
      fail_msg("%u x %u x %u turns take %zu bytes", sizes[i][0], sizes[i][1], sizes[i][2], bytes);
  }
}

/* A body with more decisions than a pattern holds. */
static void long_bodies(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 11);
  for (uint32_t body = 33; body < 1500; body += 101) {
    bits b = {0};
    for (uint32_t i = 0; i < body; i++) tp_vec_push(&b, (uint8_t)tp_rng_below(&rng, 2));
    for (size_t i = 0; b.n < 300000; i++) tp_vec_push(&b, b.at[i]);
    size_t bytes = expect_round_trip(&b, &rng);
    if (bytes > 1000) fail_msg("body of %u decisions: %zu bytes", body, bytes);
    tp_vec_clear(&b);
  }
}

static void limit(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 13);
  bits b = {0};
  tp_path_code c;
  tp_path_code_init(&c, 1000);
  while (!c.is_cut && b.n < 100000) {
    uint32_t v = (uint32_t)tp_rng_below(&rng, 8);
    tp_path_code_add(&c, v, 3);
    for (int k = 0; k < 3; k++) tp_vec_push(&b, v >> k & 1);
  }
  assert_true(c.is_cut);
  assert_true(c.words.n * 8 <= 1000 + 64);
  assert_int_equal(c.n_bits, b.n);  // behind a whole decision
  tp_path_code_add(&c, 1, 1);
  assert_int_equal(c.n_bits, b.n);
  tp_path_code_finish(&c);
  expect_reads(&c, &b, &rng);
  tp_path_code_clear(&c);
  tp_vec_clear(&b);
}

// -------------------------------------------------------------------- programs

/* f(x) { return x; } g(x) { return x + 1; } main: pointer to either; loop that switches between
 * them as inputs say. */
static build with_pointer_calls(void) {
  build b = build_new(64);
  tp_sort i32 = tp_sort_bv(b.tt, 32);
  uint32_t object[2];
  for (int k = 0; k < 2; k++) {
    tp_func f = build_func(&b, k ? "g" : "f", i32);
    tp_var x = build_param(&b, "x", i32);
    build_return(&b, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, x), bv(&b, 32, k)));
    object[k] = tp_program_add_static(
        b.p, (tp_static){.name = k ? "g" : "f", .kind = TP_O_FUNCTION, .func = f});
    b.p->funcs.at[f.id].object = object[k];
  }
  build_func(&b, "main", i32);
  tp_var n = build_var(&b, "n", i32), s = build_var(&b, "s", i32);
  build_assign(&b, s, bv(&b, 32, 0));
  tp_loc head = b.at;
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = n, .input = TP_I_NONDET});
  tp_loc out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_SLT, build_term(&b, n), bv(&b, 32, 10)));
  tp_term which =
      tp_mk_ite(b.tt, tp_mk_eq(b.tt, build_term(&b, n), bv(&b, 32, 3)),
                tp_mk_ptr_const(b.tt, object[0], 0), tp_mk_ptr_const(b.tt, object[1], 0));
  tp_term arg = build_term(&b, s);
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_CALL, .var = s, .a = which, .args = &arg, .n_args = 1, .to = head});
  b.at = out;
  build_return(&b, build_term(&b, s));
  build_done(&b);
  return b;
}

typedef struct {
  TP_VEC(uint32_t) edges;
  tp_observer inner;
} listing;
static bool list_edge(void *ctx, const tp_state *s, tp_edge e) {
  listing *l = ctx;
  tp_vec_push(&l->edges, e.id);
  return l->inner.edge(l->inner.ctx, s, e);
}

static tp_run_result run_recorded(const build *b, const char *text, tp_path_code *code,
                                  listing *edges, const tp_path_code *against, bool *same) {
  tp_inputs in;
  tp_inputs_init(&in);
  tp_str why = {0};
  assert_int_equal(tp_inputs_read(text, &in, &why), TP_OK);
  tp_vector_oracle v = {.in = &in};
  tp_oracle o = tp_oracle_of_vector(&v);
  tp_state *s = tp_state_initial(b->p);
  tp_run_result r;
  if (against) {
    r = tp_path_replay(b->p, s, &o, (tp_run_limits){0}, against, same);
  } else {
    tp_path_recorder rec = {.program = b->p, .code = code};
    edges->inner = tp_path_recording(&rec);
    const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = edges, .edge = list_edge};
    r = tp_exec_run(b->p, s, &o, (tp_run_limits){0}, &observer);
    tp_path_code_finish(code);
  }
  tp_state_free(s);
  tp_inputs_clear(&in);
  return r;
}

static void record_walk_replay(void **state) {
  (void)state;
  build b = with_pointer_calls();
  tp_path_code c;
  tp_path_code_init(&c, 0);
  listing edges = {0};
  tp_run_result r = run_recorded(&b, "3\n4\n5\n3\n3\n11\n", &c, &edges, NULL, NULL);
  assert_int_equal(r.end, TP_END_EXIT);
  assert_int_equal(r.exit_status, 2);
  assert_int_equal(c.n_bits, 6 + 5);
  assert_int_equal(c.steps, r.steps);
  tp_path_walk w;
  tp_path_walk_start(&w, b.p, &c);
  tp_edge e;
  size_t i = 0;
  for (; tp_path_walk_next(&w, &e); i++) assert_int_equal(e.id, edges.edges.at[i]);
  assert_int_equal(i, edges.edges.n);
  tp_path_walk_clear(&w);
  bool same;
  assert_int_equal(run_recorded(&b, "3\n7\n7\n3\n3\n11\n", NULL, NULL, &c, &same).end, TP_END_EXIT);
  assert_true(same);
  r = run_recorded(&b, "3\n7\n3\n3\n3\n11\n", NULL, NULL, &c, &same);
  assert_int_equal(r.end, TP_END_STOPPED);  // another callee in the third turn
  assert_false(same);
  r = run_recorded(&b, "3\n7\n7\n3\n3\n3\n11\n", NULL, NULL, &c, &same);
  assert_int_equal(r.end, TP_END_STOPPED);  // another turn
  assert_false(same);
  tp_path_code_clear(&c);
  tp_vec_clear(&edges.edges);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_codes),
                                     cmocka_unit_test(random_bits_cost_little_more_than_themselves),
                                     cmocka_unit_test(loops_take_few_bytes),
                                     cmocka_unit_test(nested_loops),
                                     cmocka_unit_test(long_bodies),
                                     cmocka_unit_test(limit),
                                     cmocka_unit_test(record_walk_replay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Concolic runs, kind of edge by kind of edge: what a run with one vector says holds of the run
 * with another one that satisfies its conditions. */
#include "exec/concolic.h"

#include "exec/testing.h"

typedef struct {
  const tp_concolic *c;
  const tp_inputs *inputs;
} valuation;

static bool value_of_symbol(void *ctx, tp_term symbol, tp_value *out) {
  const valuation *v = ctx;
  *out = (tp_value){0};
  for (size_t i = 0; i < v->inputs->v.n && i < tp_concolic_inputs(v->c)->v.n; i++) {
    const tp_input *in = &v->inputs->v.at[i];
    if (tp_term_eq(tp_concolic_symbol(v->c, i), symbol)) return out->bits = in->bits, true;
    for (size_t k = 0; k < in->n_bytes; k++)
      if (tp_term_eq(tp_concolic_byte(v->c, i, k), symbol)) return out->bits = in->bytes[k], true;
  }
  return false;
}
static uint64_t no_base(void *ctx, uint32_t object) { return (void)ctx, (void)object, 0; }

static tp_value under(valuation v, const tp_terms *tt, tp_term t) {
  tp_arena arena;
  tp_value out = {0};
  tp_env env = {.ctx = &v, .var = value_of_symbol, .base = no_base};
  tp_arena_init(&arena);
  assert_int_equal(tp_eval(tt, t, &env, &arena, &out), TP_OK);
  tp_arena_clear(&arena);
  return out;
}

static void read_inputs(const char *text, tp_inputs *in) {
  tp_str why = {0};
  tp_inputs_init(in);
  assert_int_equal(tp_inputs_read(text, in, &why), TP_OK);
}

typedef struct {
  tp_run_end end;
  size_t branches, pins, symbolic;  // variables at the end that depend on inputs
  bool other_follows;  // the other vector satisfies the conditions; then everything is compared
} told;

/* Runs with `first`, up to `half` steps and then a copy of it, holds what it says against a plain
 * run with `other`, frees the program. */
static told run_both(build *b, const char *first, const char *other, uint64_t half) {
  tp_inputs in, given, with;
  told t = {.other_follows = true};
  read_inputs(first, &in);
  read_inputs(other, &given);
  tp_inputs_init(&with);  // as the program asks for it
  tp_vector_oracle vector = {.in = &given, .then_zero = true};
  tp_record_oracle record = {.inner = tp_oracle_of_vector(&vector), .to = &with};
  tp_oracle oracle = tp_oracle_recording(&record);
  tp_state *s = tp_state_initial(b->p);
  tp_run_result plain = tp_exec_run(b->p, s, &oracle, (tp_run_limits){.steps = 10000}, NULL);
  tp_concolic *start = tp_concolic_new(b->p, NULL, &in);
  if (half) (void)tp_concolic_run(start, half, (tp_run_limits){0}, true, 0);
  tp_concolic *c = tp_concolic_copy(start);
  tp_concolic_free(start);
  t.end = tp_concolic_run(c, 0, (tp_run_limits){.steps = 10000}, true, 0).end;
  const tp_concolic_path *path = tp_concolic_path_of(c);
  for (size_t i = 0; i < path->n; i++) {
    path->at[i].is_pin ? t.pins++ : t.branches++;
    assert_true(under((valuation){c, tp_concolic_inputs(c)}, b->tt, path->at[i].condition).bits);
    t.other_follows &= under((valuation){c, &with}, b->tt, path->at[i].condition).bits != 0;
  }
  if (t.other_follows) assert_int_equal(plain.end, t.end);
  for (uint32_t v = 1; v < b->p->vars.n; v++) {
    const tp_var_info *info = &b->p->vars.at[v];
    tp_value is;
    tp_term term;
    if (info->kind == TP_V_GHOST || tp_state_eval(tp_concolic_state(c), info->term, &is) != TP_OK)
      continue;
    assert_true(tp_concolic_value(c, info->term, &term, NULL));
    assert_true(tp_value_eq(b->tt, tp_sort_of(b->tt, term),
                            under((valuation){c, tp_concolic_inputs(c)}, b->tt, term), is));
    t.symbolic += !tp_is_const(b->tt, term);
    if (!t.other_follows) continue;
    assert_int_equal(tp_state_eval(s, info->term, &is), TP_OK);
    assert_true(
        tp_value_eq(b->tt, tp_sort_of(b->tt, term), under((valuation){c, &with}, b->tt, term), is));
  }
  tp_state_free(s);
  tp_concolic_free(c);
  tp_inputs_clear(&in);
  tp_inputs_clear(&given);
  tp_inputs_clear(&with);
  build_free(b);
  return t;
}

// ---------------------------------------------------------------------- programs

static tp_var ask(build *b, const char *name, uint32_t width) {
  tp_var v = build_var(b, name, tp_sort_bv(b->tt, width));
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
  return v;
}
static tp_var object(build *b, int64_t size) {
  tp_var p = build_var(b, "p", tp_sort_ptr(b->tt));
  build_edge(b, (tp_edge_info){.kind = TP_E_ALLOC,
                               .var = p,
                               .a = bv(b, 64, size),
                               .b = bv(b, 8, 0xa5),
                               .object_kind = TP_O_HEAP,
                               .name = "malloc"});
  return p;
}
static tp_term at(build *b, tp_var p, int64_t offset) {
  return tp_mk_ptr_add(b->tt, build_term(b, p), bv(b, 64, offset));
}
static void put(build *b, tp_term p, tp_term t) {
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = t});
}
static tp_var get(build *b, tp_term p, tp_sort s) {
  tp_var v = build_var(b, "v", s);
  build_edge(b, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = p});
  return v;
}
static build program(void) {
  build b = build_new(64);
  build_func(&b, "main", tp_sort_bv(b.tt, 32));
  return b;
}
static void finish(build *b) {
  build_return(b, bv(b, 32, 0));
  build_done(b);
}

static void cells_that_overlap(void **state) {
  (void)state;
  build b = program();
  tp_var p = object(&b, 16), x = ask(&b, "x", 32), y = ask(&b, "y", 8);
  put(&b, at(&b, p, 4), build_term(&b, x));
  (void)get(&b, at(&b, p, 6), tp_sort_bv(b.tt, 16));
  (void)get(&b, at(&b, p, 0), tp_sort_bv(b.tt, 64));
  put(&b, at(&b, p, 5), build_term(&b, y));
  (void)get(&b, at(&b, p, 4), tp_sort_bv(b.tt, 32));
  put(&b, at(&b, p, 6), bv(&b, 16, 0x1234));  // a constant over half of it
  (void)get(&b, at(&b, p, 2), tp_sort_bv(b.tt, 64));
  (void)get(&b, at(&b, p, 6), tp_sort_bv(b.tt, 16));
  finish(&b);
  told t = run_both(&b, "77\n200\n", "123456789\n3\n", 4);
  assert_int_equal(t.end, TP_END_EXIT);
  assert_true(t.other_follows);
  assert_int_equal(t.symbolic, 6);  // x, y and four of the five loads
}

static void blocks(void **state) {
  (void)state;
  build b = program();
  tp_var p = object(&b, 32), q = object(&b, 8), x = ask(&b, "x", 32), y = ask(&b, "y", 8);
  put(&b, at(&b, p, 4), build_term(&b, x));
  build_edge(&b, (tp_edge_info){.kind = TP_E_COPY,
                                .a = at(&b, p, 6),
                                .b = at(&b, p, 4),
                                .c = bv(&b, 64, 6)});  // over itself
  (void)get(&b, at(&b, p, 4), tp_sort_bv(b.tt, 64));
  build_edge(&b, (tp_edge_info){
                     .kind = TP_E_COPY, .a = at(&b, q, 1), .b = at(&b, p, 5), .c = bv(&b, 64, 4)});
  (void)get(&b, at(&b, q, 0), tp_sort_bv(b.tt, 64));
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_SET, .a = at(&b, p, 7), .b = build_term(&b, y), .c = bv(&b, 64, 3)});
  (void)get(&b, at(&b, p, 6), tp_sort_bv(b.tt, 32));
  build_edge(&b, (tp_edge_info){
                     .kind = TP_E_SET, .a = at(&b, p, 0), .b = bv(&b, 8, 1), .c = bv(&b, 64, 32)});
  (void)get(&b, at(&b, p, 4), tp_sort_bv(b.tt, 32));
  finish(&b);
  told t = run_both(&b, "77\n200\n", "123456789\n3\n", 0);
  assert_true(t.other_follows && t.end == TP_END_EXIT);
  assert_int_equal(t.symbolic, 5);
}

static void bytes_of_memory(void **state) {
  (void)state;
  build b = program();
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                .var = p,
                                .a = bv(&b, 64, 4),
                                .object_kind = TP_O_STACK,
                                .name = "a"});
  tp_var x = get(&b, at(&b, p, 1), tp_sort_bv(b.tt, 16));
  build_edge(
      &b,
      (tp_edge_info){
          .kind = TP_E_HAVOC_MEMORY, .a = at(&b, p, 2), .c = bv(&b, 64, 2), .input = TP_I_NONDET});
  tp_loc no = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, x), bv(&b, 16, 0x300)));
  (void)get(&b, at(&b, p, 0), tp_sort_bv(b.tt, 32));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = no});
  finish(&b);
  told t = run_both(&b, "bytes:01020304\nbytes:0506\n", "bytes:11120404\nbytes:1516\n", 2);
  assert_true(t.other_follows && t.branches == 1);
  assert_int_equal(t.symbolic, 1);  // what was loaded first; the branch was not taken
}

static void floats_and_bools(void **state) {
  (void)state;
  build b = program();
  tp_var p = object(&b, 16), x = ask(&b, "x", 32), f = build_var(&b, "f", tp_sort_fp(b.tt, 64)),
         c = build_var(&b, "c", tp_sort_bool(b.tt));
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = f, .input = TP_I_NONDET, .name = "nondet"});
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = c, .input = TP_I_NONDET, .name = "nondet"});
  tp_term sum = tp_mk2(b.tt, TP_OP_FP_ADD, build_term(&b, f),
                       tp_mk_fp_conv(b.tt, TP_OP_FP_OF_SBV, 64, build_term(&b, x)));
  put(&b, at(&b, p, 0), sum);
  put(&b, at(&b, p, 8), build_term(&b, c));
  (void)get(&b, at(&b, p, 4), tp_sort_bv(b.tt, 32));
  tp_var g = get(&b, at(&b, p, 0), tp_sort_fp(b.tt, 64));
  (void)get(&b, at(&b, p, 8), tp_sort_bool(b.tt));
  (void)get(&b, at(&b, p, 8), tp_sort_bv(b.tt, 16));
  tp_loc no = build_branch(&b, tp_mk2(b.tt, TP_OP_FP_LT, build_term(&b, g),
                                      tp_mk_fp(b.tt, 64, 0x4059000000000000)));  // 100.0
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = no});
  finish(&b);
  told t = run_both(&b, "7\n2.5\n1\n", "-3\n1e1\n0\n", 0);
  assert_true(t.other_follows);
  assert_int_equal(t.branches, 1);
  assert_int_equal(t.symbolic, 7);
}

/* p + (x & 8) is followed: that is a pin, which other values of x & 8 violate. */
static build pinned(void) {
  build b = program();
  tp_var p = object(&b, 16), x = ask(&b, "x", 64);
  put(&b,
      tp_mk_ptr_add(b.tt, build_term(&b, p),
                    tp_mk2(b.tt, TP_OP_BV_AND, build_term(&b, x), bv(&b, 64, 8))),
      build_term(&b, x));
  (void)get(&b, at(&b, p, 8), tp_sort_bv(b.tt, 64));
  finish(&b);
  return b;
}
static void addresses_are_pinned(void **state) {
  (void)state;
  build b = pinned();
  told t = run_both(&b, "9\n", "13\n", 0);
  assert_true(t.other_follows && t.pins == 1 && t.branches == 0 && t.symbolic == 2);
  b = pinned();
  assert_false(run_both(&b, "9\n", "5\n", 0).other_follows);
  b = pinned();
  assert_int_equal(run_both(&b, "5\n", "1\n", 0).symbolic, 1);  // the load reads what was there
}

/* An address read as a number, or half of it, could be another one. */
static void numbers_from_addresses(void **state) {
  (void)state;
  for (int way = 0; way < 3; way++) {
    build b = program();
    tp_inputs in;
    tp_inputs_init(&in);
    tp_var p = object(&b, 16);
    put(&b, at(&b, p, 0), build_term(&b, p));
    (void)get(&b, at(&b, p, way == 1 ? 6 : 0), way ? tp_sort_bv(b.tt, 32) : tp_sort_ptr(b.tt));
    finish(&b);
    tp_concolic *c = tp_concolic_new(b.p, NULL, &in);
    assert_int_equal(tp_concolic_run(c, 0, (tp_run_limits){0}, true, 0).end, TP_END_EXIT);
    assert_int_equal(tp_concolic_is_exact_but_pins(c), way == 0);
    assert_true(tp_concolic_is_exact(c));
    tp_concolic_free(c);
    tp_inputs_clear(&in);
    build_free(&b);
  }
}

/* Arguments, results, and which function is called. */
static void calls(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f[2];
  for (int i = 0; i < 2; i++) {
    f[i] = build_func(&b, i ? "twice" : "next", tp_sort_bv(b.tt, 32));
    tp_var n = build_param(&b, "n", tp_sort_bv(b.tt, 32));
    build_return(
        &b, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, n), i ? build_term(&b, n) : bv(&b, 32, 1)));
    b.p->funcs.at[f[i].id].object = tp_program_add_static(
        b.p,
        (tp_static){
            .name = "f", .kind = TP_O_FUNCTION, .size_bytes = 1, .align_bytes = 1, .func = f[i]});
  }
  build_func(&b, "main", tp_sort_bv(b.tt, 32));
  tp_var x = ask(&b, "x", 32), r = build_var(&b, "r", tp_sort_bv(b.tt, 32)),
         k = build_var(&b, "k", tp_sort_bv(b.tt, 32));
  tp_term which = tp_mk_ite(b.tt, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, x), bv(&b, 32, 10)),
                            tp_mk_ptr_const(b.tt, b.p->funcs.at[f[0].id].object, 0),
                            tp_mk_ptr_const(b.tt, b.p->funcs.at[f[1].id].object, 0));
  tp_term *args = tp_arena_array(&b.p->arena, tp_term, 2);
  args[0] = build_term(&b, x);
  args[1] = bv(&b, 32, 3);
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_CALL, .var = r, .a = which, .args = args, .n_args = 1});
  build_edge(&b, (tp_edge_info){
                     .kind = TP_E_CALL, .var = k, .callee = f[1], .args = args + 1, .n_args = 1});
  build_assert(&b, tp_mk_not(b.tt, tp_mk_eq(b.tt, build_term(&b, r), bv(&b, 32, 5))));
  finish(&b);
  told t = run_both(&b, "7\n", "9\n", 3);
  assert_true(t.other_follows && t.pins == 1 && t.branches == 1 && t.symbolic == 2);
}

/* An assumption that fails says what would have to be otherwise. */
static void failed_assumption(void **state) {
  (void)state;
  build b = program();
  tp_var x = ask(&b, "x", 32);
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSUME,
                                .a = tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 5))});
  finish(&b);
  told t = run_both(&b, "6\n", "7\n", 0);
  assert_true(t.end == TP_END_BLOCKED && t.branches == 1 && t.other_follows);
}

/* x doubled and one added, again and again: with few terms allowed it is pinned to what it is, and
 * said with a constant from then on. */
static void too_many_terms(void **state) {
  (void)state;
  build b = program();
  tp_inputs in;
  tp_var x = ask(&b, "x", 32);
  for (int i = 0; i < 50; i++)
    build_assign(
        &b, x,
        tp_mk2(b.tt, TP_OP_BV_XOR, tp_mk2(b.tt, TP_OP_BV_MUL, build_term(&b, x), build_term(&b, x)),
               bv(&b, 32, i)));
  finish(&b);
  read_inputs("3\n", &in);
  tp_concolic *c = tp_concolic_new(b.p, NULL, &in);
  assert_int_equal(tp_concolic_run(c, 0, (tp_run_limits){0}, true, 20).end, TP_END_EXIT);
  assert_false(tp_concolic_is_exact(c) || tp_concolic_is_exact_but_pins(c));
  tp_term t;
  assert_true(tp_concolic_value(c, build_term(&b, x), &t, NULL) && tp_is_const(b.tt, t));
  assert_int_equal(tp_concolic_path_of(c)->n, 1);
  assert_true(tp_term_eq(tp_concolic_path_of(c)->at[0].condition,
                         tp_mk_eq(b.tt, tp_concolic_symbol(c, 0), bv(&b, 32, 3))));
  tp_concolic_free(c);
  tp_inputs_clear(&in);
  build_free(&b);
}

static bool seven_for_words(void *ctx, tp_term symbol, tp_value *out) {
  *out = (tp_value){.bits = 7};
  return tp_width(((build *)ctx)->tt, symbol) == 32;
}

static void vectors_of_models(void **state) {
  (void)state;
  build b = program();
  tp_inputs in, out;
  (void)ask(&b, "x", 32);
  (void)ask(&b, "y", 8);
  (void)ask(&b, "z", 32);
  finish(&b);
  read_inputs("1\n2\n", &in);
  tp_inputs_init(&out);
  tp_concolic *c = tp_concolic_new(b.p, NULL, &in);
  assert_int_equal(tp_concolic_run(c, 0, (tp_run_limits){0}, true, 0).end, TP_END_EXIT);
  tp_concolic_inputs_of_model(c, seven_for_words, &b, &out);
  assert_int_equal(out.v.n, 3);
  assert_true(out.v.at[0].bits == 7 && out.v.at[1].bits == 2 && out.v.at[2].bits == 7);
  tp_concolic_free(c);
  tp_inputs_clear(&in);
  tp_inputs_clear(&out);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_that_overlap),   cmocka_unit_test(blocks),
      cmocka_unit_test(bytes_of_memory),      cmocka_unit_test(floats_and_bools),
      cmocka_unit_test(addresses_are_pinned), cmocka_unit_test(calls),
      cmocka_unit_test(failed_assumption),    cmocka_unit_test(too_many_terms),
      cmocka_unit_test(vectors_of_models),    cmocka_unit_test(numbers_from_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

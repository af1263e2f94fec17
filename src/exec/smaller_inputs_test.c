#include "exec/smaller_inputs.h"

#include "exec/testing.h"

/* Smaller inputs and variants keep the error location, and nothing else is believed of them. */

static const tp_smaller_limits enough = {1000, 1000000};

static tp_term input(build *b, const char *name, uint32_t width) {
  const tp_type_info type = {
      .kind = TP_T_INT, .name = "int", .size_bytes = 4, .align_bytes = 4, .is_signed = true};
  tp_var v = build_var(b, name, tp_sort_bv(b->tt, width));
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC,
                               .var = v,
                               .type = tp_program_add_type(b->p, type),
                               .input = TP_I_NONDET,
                               .name = name});
  return build_term(b, v);
}

static tp_term less(const build *b, tp_term x, tp_term y) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, x, y);
}

static tp_inputs vector(const int64_t *values, size_t n) {
  tp_inputs in;
  tp_inputs_init(&in);
  for (size_t i = 0; i < n; i++)
    tp_inputs_add(
        &in,
        (tp_input){
            .kind = TP_I_NONDET, .width_bits = 32, .is_signed = true, .bits = (uint32_t)values[i]});
  return in;
}

static tp_loc fails_at(const build *b, const tp_inputs *in) {
  tp_vector_oracle v = {.in = in};
  tp_oracle o = tp_oracle_of_vector(&v);
  const tp_run_result r = tp_exec_main(b->p, &o, (tp_run_limits){0}, NULL);
  return r.end == TP_END_ERROR ? r.loc : TP_LOC_NONE;
}

static int64_t value(const tp_inputs *in, size_t i) { return (int32_t)in->v.at[i].bits; }

/* if (x < -70) { if (y > 1000) error; } else if (x + y > 5) error */
static void two_errors(build *b) {
  *b = build_new(64);
  build_func(b, "main", (tp_sort){0});
  tp_term x = input(b, "x", 32), y = input(b, "y", 32);
  tp_loc other = build_branch(b, less(b, x, bv(b, 32, -70)));
  build_assert(b, tp_mk_not(b->tt, less(b, bv(b, 32, 1000), y)));
  build_return(b, TP_TERM_NONE);
  b->at = other;
  tp_term sum = tp_mk2(b->tt, TP_OP_BV_ADD, x, y);
  build_assert(b, tp_mk_not(b->tt, less(b, bv(b, 32, 5), sum)));
  build_return(b, TP_TERM_NONE);
  build_done(b);
}

static void the_location_stays(void **state) {
  (void)state;
  static const struct {
    int64_t before[2], after[2];
  } rows[] = {
      {{-12345678, 87654321}, {-71, 1001}},
      {{-71, 1001}, {-71, 1001}},
      {{123456, 654321}, {0, 6}},
      {{6, 0}, {6, 0}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    build b;
    two_errors(&b);
    tp_inputs in = vector(rows[i].before, 2);
    const tp_loc error = fails_at(&b, &in);
    assert_true(error.id);
    const bool changed = memcmp(rows[i].before, rows[i].after, sizeof rows[i].after) != 0;
    assert_int_equal(tp_inputs_make_smaller(b.p, error, enough, &in), changed);
    assert_int_equal(fails_at(&b, &in).id, error.id);
    for (size_t k = 0; k < 2; k++) assert_int_equal(value(&in, k), rows[i].after[k]);
    tp_inputs_clear(&in);
    build_free(&b);
  }
}

static void safe_inputs_stay(void **state) {
  (void)state;
  build b;
  two_errors(&b);
  tp_inputs in = vector((const int64_t[]){-80, 7}, 2), failing = vector((const int64_t[]){9, 9}, 2);
  const tp_loc error = fails_at(&b, &failing);
  assert_false(tp_inputs_make_smaller(b.p, error, enough, &in));
  assert_int_equal(value(&in, 0), -80);
  tp_inputs_clear(&in);
  tp_inputs_clear(&failing);
  build_free(&b);
}

/* Of many numbers, one matters. */
static void most_are_zero(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  enum { N = 40 };
  int64_t values[N];
  tp_term x[N];
  for (int i = 0; i < N; i++) x[i] = input(&b, "x", 32), values[i] = 1000 + 17 * i;
  build_assert(&b, less(&b, x[29], bv(&b, 32, 3)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_inputs in = vector(values, N);
  assert_true(tp_inputs_make_smaller(b.p, fails_at(&b, &in), enough, &in));
  for (size_t i = 0; i < N; i++) assert_int_equal(value(&in, i), i == 29 ? 3 : 0);
  tp_inputs_clear(&in);
  build_free(&b);
}

/* No run is made beyond the limit. */
static void limits_hold(void **state) {
  (void)state;
  build b;
  two_errors(&b);
  tp_inputs in = vector((const int64_t[]){123456, 654321}, 2);
  const tp_loc error = fails_at(&b, &in);
  assert_false(tp_inputs_make_smaller(b.p, error, (tp_smaller_limits){1, 1000}, &in));
  assert_int_equal(value(&in, 0), 123456);
  assert_int_equal(fails_at(&b, &in).id, error.id);
  tp_inputs_clear(&in);
  build_free(&b);
}

static void variants_fail_there(void **state) {
  (void)state;
  build b;
  two_errors(&b);
  tp_inputs in = vector((const int64_t[]){0, 6}, 2);
  const tp_loc error = fails_at(&b, &in);
  size_t next = 0, n = 0;
  for (;; n++) {
    tp_inputs out;
    tp_inputs_init(&out);
    const bool found = tp_inputs_vary(b.p, error, &in, enough, &next, &out);
    if (found) {
      assert_int_equal(fails_at(&b, &out).id, error.id);
      assert_true((value(&out, 0) != 0) + (value(&out, 1) != 6) == 1);
    }
    tp_inputs_clear(&out);
    if (!found) break;
  }
  assert_in_range(n, 4, 16);
  tp_inputs_clear(&in);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_location_stays),
                                     cmocka_unit_test(safe_inputs_stay),
                                     cmocka_unit_test(most_are_zero), cmocka_unit_test(limits_hold),
                                     cmocka_unit_test(variants_fail_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Objects, conditions and offsets of random pointer terms agree with evaluation; flattening changes
// no value.
#include "formula/flatten.h"
#include "formula/pointer.h"

#include "formula/testing.h"

enum { N_TERMS = 40, N_TABLES = 80, N_VALUATIONS = 16, N_OBJECTS = 5 };

typedef struct {
  tp_terms *tt;
  tp_rng rng;
  tp_term ptr[N_TERMS], array[N_TERMS], index[4], bit[4];
  int n_ptr, n_array;
} pool;

static uint64_t below(pool *p, uint64_t n) { return tp_rng_below(&p->rng, n); }
static tp_term any_ptr(pool *p) { return p->ptr[below(p, (uint64_t)p->n_ptr)]; }
static tp_term any_array(pool *p) { return p->array[below(p, (uint64_t)p->n_array)]; }
static tp_term any_index(pool *p) {
  return below(p, 2) ? p->index[below(p, 4)] : tp_mk_bv(p->tt, 64, below(p, 4));
}

static void start(pool *p, uint64_t seed) {
  *p = (pool){.tt = tp_terms_new(64)};
  tp_rng_init(&p->rng, seed);
  for (int i = 0; i < 4; i++) {
    p->index[i] = tp_mk_zext(p->tt, 64, tp_mk_var(p->tt, "i", tp_sort_bv(p->tt, 2)));
    p->bit[i] = tp_mk_eq(p->tt, tp_mk_var(p->tt, "b", tp_sort_bv(p->tt, 1)), tp_mk_bv(p->tt, 1, 1));
  }
  for (uint32_t o = 0; o < N_OBJECTS; o++) p->ptr[p->n_ptr++] = tp_mk_ptr_const(p->tt, o, 4 * o);
  tp_sort a = tp_sort_array(p->tt, tp_sort_bv(p->tt, 64), tp_sort_ptr(p->tt));
  p->array[p->n_array++] = tp_mk_const_array(p->tt, a, p->ptr[1]);
  while (p->n_ptr < N_TERMS) {
    tp_term x = any_ptr(p), y = any_ptr(p), c = p->bit[below(p, 4)], t = x;
    if (p->n_array < N_TERMS && below(p, 2)) {
      t = below(p, 3) ? tp_mk3(p->tt, TP_OP_STORE, any_array(p), any_index(p), x)
                      : tp_mk_ite(p->tt, c, any_array(p), any_array(p));
      p->array[p->n_array++] = t;
      continue;
    }
    uint64_t what = below(p, 3);
    if (what == 0) t = tp_mk_ite(p->tt, c, x, y);
    if (what == 1) t = tp_mk_ptr_add(p->tt, x, any_index(p));
    if (what == 2) t = tp_mk2(p->tt, TP_OP_SELECT, any_array(p), any_index(p));
    p->ptr[p->n_ptr++] = t;
  }
}

static bool contains(const tp_targets *s, uint32_t object) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->at[i] == object) return true;
  return false;
}

static void agrees_with_evaluation(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= N_TABLES; seed++) {
    pool p;
    start(&p, seed);
    tp_pointers m;
    tp_pointers_init(&m, p.tt);
    for (int k = 0; k < N_VALUATIONS; k++) {
      test_values values;
      test_draw(&p.rng, &values);
      for (int i = 0; i < p.n_ptr; i++) {
        tp_value v = test_eval(p.tt, p.ptr[i], &values);
        const tp_targets *s = tp_pointer_targets(&m, p.ptr[i]);
        assert_true(s->open || contains(s, v.object));
        for (uint32_t o = 0; o < N_OBJECTS; o++)
          assert_int_equal(test_eval(p.tt, tp_pointer_is(&m, p.ptr[i], o), &values).bits,
                           v.object == o);
        tp_term off = tp_pointer_offset(&m, p.ptr[i], v.object);
        assert_int_equal((uint64_t)test_eval(p.tt, off, &values).bits, (uint64_t)v.bits);
      }
    }
    tp_pointers_clear(&m);
    tp_terms_free(p.tt);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

/* An integer made from an address and back: not known where it leads, and said so. */
static void lost_origin_is_open(void **unused) {
  (void)unused;
  tp_terms *tt = tp_terms_new(64);
  tp_pointers m;
  tp_pointers_init(&m, tt);
  tp_term address = tp_mk1(tt, TP_OP_PTR_TO_INT, tp_mk_ptr_const(tt, 3, 0)),
          x = tp_mk_var(tt, "x", tp_sort_bv(tt, 64));
  tp_term hidden = tp_mk1(tt, TP_OP_INT_TO_PTR, tp_mk2(tt, TP_OP_BV_XOR, address, x));
  assert_true(tp_pointer_targets(&m, hidden)->open);
  assert_false(tp_pointer_targets(&m, tp_mk1(tt, TP_OP_INT_TO_PTR, x))->open);
  tp_pointers_clear(&m);
  tp_terms_free(tt);
}

static bool has_array_operation(const tp_terms *tt, tp_term t, tp_map *seen) {
  if (tp_map_has(seen, t.id)) return false;
  tp_map_set(seen, t.id, 1);
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_STORE || k == TP_OP_CONST_ARRAY) return true;
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (has_array_operation(tt, tp_arg(tt, t, i), seen)) return true;
  return false;
}

static void flattening_keeps_values(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= N_TABLES; seed++) {
    pool p;
    start(&p, seed);
    tp_flattener f = {0};
    for (int i = 1; i < p.n_ptr; i++) {
      tp_term t = tp_mk_eq(p.tt, p.ptr[i], p.ptr[i - 1]), flat = tp_flatten(&f, p.tt, t, 100000);
      tp_map seen = {0};
      assert_false(has_array_operation(p.tt, flat, &seen));
      tp_map_clear(&seen);
      for (int k = 0; k < N_VALUATIONS; k++) {
        test_values values;
        test_draw(&p.rng, &values);
        assert_int_equal(test_eval(p.tt, t, &values).bits, test_eval(p.tt, flat, &values).bits);
      }
    }
    tp_flattener_clear(&f);
    tp_terms_free(p.tt);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_evaluation),
                                     cmocka_unit_test(lost_origin_is_open),
                                     cmocka_unit_test(flattening_keeps_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Plain atoms mean what was asked, or its opposite, wherever no sum wraps; families complete their
 * order. All values of a width are tried. */
#include "adequacy/probe_atoms.h"

#include <setjmp.h>
#include <cmocka.h>

enum { WIDTH = 5, N = 1 << WIDTH };
static const tp_term_kind orders[] = {TP_OP_BV_SLT, TP_OP_BV_SLE, TP_OP_BV_ULT, TP_OP_BV_ULE};

typedef struct {
  tp_terms *tt;
  tp_term x, y;
  uint32_t at_x, at_y;
  tp_arena arena;
} values;

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const values *v = ctx;
  *out = (tp_value){.bits = tp_term_eq(var, v->x) ? v->at_x : v->at_y};
  return true;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool holds(values *v, tp_term t) {
  tp_value out;
  assert_int_equal(
      tp_eval(v->tt, t, &(tp_env){.var = value_of, .base = no_base, .ctx = v}, &v->arena, &out),
      TP_OK);
  return out.bits != 0;
}

static bool is_signed(tp_term_kind k) { return k == TP_OP_BV_SLT || k == TP_OP_BV_SLE; }
static int number(uint32_t bits, tp_term_kind k) {
  return is_signed(k) && bits >= N / 2 ? (int)bits - N : (int)bits;
}

/* Does x + by leave the width? What is added is small and counts as signed. */
static bool wraps(uint32_t x, int by, tp_term_kind k) {
  int sum = number(x, k) + by, low = is_signed(k) ? -N / 2 : 0;
  return sum < low || sum >= low + N;
}

static tp_term plus(tp_terms *tt, tp_term t, int by) {
  return tp_mk2(tt, TP_OP_BV_ADD, t, tp_mk_bv_signed(tt, WIDTH, by));
}

/* The same everywhere, or the opposite everywhere, but where a sum wraps. */
static void expect_same(values *v, tp_term atom, tp_term plain, int by_x, int by_y,
                        tp_term_kind k) {
  int same = 0, opposite = 0;
  for (v->at_x = 0; v->at_x < N; v->at_x++)
    for (v->at_y = 0; v->at_y < N; v->at_y++) {
      if (wraps(v->at_x, by_x, k) || wraps(v->at_y, by_y, k)) continue;
      if (holds(v, atom) == holds(v, plain))
        same++;
      else
        opposite++;
    }
  assert_true(same == 0 || opposite == 0);
}

static void start(values *v) {
  *v = (values){.tt = tp_terms_new(64)};
  tp_arena_init(&v->arena);
  v->x = tp_mk_var(v->tt, "x", tp_sort_bv(v->tt, WIDTH));
  v->y = tp_mk_var(v->tt, "y", tp_sort_bv(v->tt, WIDTH));
}

static void finish(values *v) {
  tp_arena_clear(&v->arena);
  tp_terms_free(v->tt);
}

static void Y16_sums_against_constants(void **state) {
  values v;
  (void)state;
  start(&v);
  for (size_t o = 0; o < 4; o++)
    for (int by = -2; by <= 2; by++)
      for (uint32_t c = 0; c < N; c++)
        for (int is_turned = 0; is_turned < 2; is_turned++) {
          tp_term sum = plus(v.tt, v.x, by), constant = tp_mk_bv(v.tt, WIDTH, c);
          tp_term atom = is_turned ? tp_mk2(v.tt, orders[o], constant, sum)
                                   : tp_mk2(v.tt, orders[o], sum, constant);
          expect_same(&v, atom, tp_atom_plain(v.tt, atom), by, 0, orders[o]);
        }
  finish(&v);
}

static void Y16_sums_against_each_other(void **state) {
  values v;
  (void)state;
  start(&v);
  for (size_t o = 0; o < 4; o++)
    for (int by_x = -2; by_x <= 2; by_x++)
      for (int by_y = -2; by_y <= 2; by_y++) {
        tp_term atom = tp_mk2(v.tt, orders[o], plus(v.tt, v.x, by_x), plus(v.tt, v.y, by_y));
        tp_term plain = tp_atom_plain(v.tt, atom);
        int same = 0, opposite = 0;
        for (v.at_x = 0; v.at_x < N; v.at_x++)
          for (v.at_y = 0; v.at_y < N; v.at_y++) {
            bool any = false;  // the plain form's own sum may wrap where neither of these does
            for (int d = -5; d <= 5; d++)
              any = any || wraps(v.at_x, d, orders[o]) || wraps(v.at_y, d, orders[o]);
            if (any) continue;
            if (holds(&v, atom) == holds(&v, plain))
              same++;
            else
              opposite++;
          }
        assert_true(same == 0 || opposite == 0);
        assert_true(same + opposite > 0);
      }
  finish(&v);
}

/* One question, one form: an atom and its opposite, and a form that is plain already. */
static void Y16_one_form(void **state) {
  values v;
  (void)state;
  start(&v);
  for (size_t o = 0; o < 4; o++) {
    tp_term atom = tp_mk2(v.tt, orders[o], v.x, tp_mk_bv(v.tt, WIDTH, 7)),
            plain = tp_atom_plain(v.tt, atom);
    assert_true(tp_term_eq(plain, tp_atom_plain(v.tt, tp_mk_not(v.tt, atom))));
    assert_true(tp_term_eq(plain, tp_atom_plain(v.tt, plain)));
  }
  tp_term next = tp_mk2(v.tt, TP_OP_BV_SLT, plus(v.tt, v.x, 1), v.y),
          opposite = tp_mk2(v.tt, TP_OP_BV_SLE, v.y, plus(v.tt, v.x, 1));
  assert_true(tp_term_eq(tp_atom_plain(v.tt, next), tp_atom_plain(v.tt, opposite)));
  finish(&v);
}

/* The vectors of a family tell below, equal and above apart. */
static void Y16_families_complete_an_order(void **state) {
  values v;
  (void)state;
  start(&v);
  for (uint32_t c = 2; c < N / 2; c++) {
    tp_atom_family f =
        tp_atom_family_of(v.tt, tp_mk2(v.tt, TP_OP_BV_SLT, v.x, tp_mk_bv(v.tt, WIDTH, c)));
    uint32_t seen[3];
    const uint32_t at[3] = {c - 1, c, (c + 1) % N};
    for (size_t i = 0; i < 3; i++) {
      v.at_x = at[i];
      seen[i] = 0;
      for (size_t k = 0; k < f.n; k++) seen[i] |= (uint32_t)holds(&v, f.atoms[k]) << k;
    }
    assert_true(seen[0] != seen[1]);
    if (c + 1 < N / 2) assert_true(seen[1] != seen[2]);
  }
  tp_atom_family f = tp_atom_family_of(v.tt, tp_mk2(v.tt, TP_OP_BV_SLT, v.x, v.y));
  assert_int_equal(f.n, 2);
  f = tp_atom_family_of(v.tt,
                        tp_atom_plain(v.tt, tp_mk2(v.tt, TP_OP_BV_SLT, plus(v.tt, v.x, 1), v.y)));
  assert_int_equal(f.n, 3);  // with x < y, which says that x + 1 does not wrap
  finish(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y16_sums_against_constants),
      cmocka_unit_test(Y16_sums_against_each_other),
      cmocka_unit_test(Y16_one_form),
      cmocka_unit_test(Y16_families_complete_an_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

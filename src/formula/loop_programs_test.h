/* The loops on which sources of interpolants are tested and compared: each needs an invariant that
 * is not in its text. */
#ifndef TP_FORMULA_LOOP_PROGRAMS_TEST_H
#define TP_FORMULA_LOOP_PROGRAMS_TEST_H

#include "formula/loops_test.h"

typedef struct {
  const char *name;
  uint32_t width;
  void (*build)(loop *l);
} loop_program;

static inline tp_term val(loop *l, int i) { return term_of(l->p, l->v[i]); }
static inline tp_term num(loop *l, uint64_t n) { return bv(l->p, tp_width(l->tt, val(l, 0)), n); }
static inline tp_term sum(loop *l, tp_term a, tp_term b) {
  return tp_mk2(l->tt, TP_OP_BV_ADD, a, b);
}
static inline tp_term less(loop *l, tp_term a, tp_term b) {
  return tp_mk2(l->tt, TP_OP_BV_SLT, a, b);
}
static inline tp_term below(loop *l, tp_term a, tp_term b) {
  return tp_mk2(l->tt, TP_OP_BV_ULT, a, b);
}
static inline tp_term same(loop *l, tp_term a, tp_term b) { return tp_mk_eq(l->tt, a, b); }
static inline tp_term no(loop *l, tp_term a) { return tp_mk_not(l->tt, a); }

/* a = b = 0; c any >= 0; while (b < c) a++, b++; a == c? */
static inline void counter_loop(loop *l) {
  loop_havoc(l, &l->init, l->v[2]);
  loop_assume(l, &l->init, no(l, less(l, val(l, 2), num(l, 0))));
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->init, l->v[1], num(l, 0));
  loop_assume(l, &l->turn, less(l, val(l, 1), val(l, 2)));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 1)));
  loop_set(l, &l->turn, l->v[1], sum(l, val(l, 1), num(l, 1)));
  loop_assume(l, &l->error, no(l, less(l, val(l, 1), val(l, 2))));
  loop_assume(l, &l->error, no(l, same(l, val(l, 0), val(l, 2))));
}

/* a = 0, b = c (any >= 0); while (b > 0) a++, b--; a == c? */
static inline void moving_sum(loop *l) {
  loop_havoc(l, &l->init, l->v[2]);
  loop_assume(l, &l->init, no(l, less(l, val(l, 2), num(l, 0))));
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->init, l->v[1], val(l, 2));
  loop_assume(l, &l->turn, less(l, num(l, 0), val(l, 1)));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 1)));
  loop_set(l, &l->turn, l->v[1], sum(l, val(l, 1), num(l, UINT64_MAX)));
  loop_assume(l, &l->error, no(l, less(l, num(l, 0), val(l, 1))));
  loop_assume(l, &l->error, no(l, same(l, val(l, 0), val(l, 2))));
}

/* a = 0; c any >= 0; while (a < c) a++; 0 <= a <= c? */
static inline void bounds_loop(loop *l) {
  loop_havoc(l, &l->init, l->v[2]);
  loop_assume(l, &l->init, no(l, less(l, val(l, 2), num(l, 0))));
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_assume(l, &l->turn, less(l, val(l, 0), val(l, 2)));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 1)));
  loop_assume(l, &l->error, no(l, less(l, val(l, 0), val(l, 2))));
  loop_assume(l, &l->error,
              tp_mk_or(l->tt, less(l, val(l, 0), num(l, 0)), less(l, val(l, 2), val(l, 0))));
}

/* lock a, old b, new c: do { lock = 1; old = new; if (any) { lock = 0; new++; } } while (new !=
 * old); lock == 0? The head is behind the test. */
static inline void lock_loop(loop *l) {
  tp_term any = same(l, val(l, 3), num(l, 0));
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->init, l->v[1], sum(l, val(l, 2), num(l, 1)));
  loop_assume(l, &l->turn, no(l, same(l, val(l, 1), val(l, 2))));
  loop_havoc(l, &l->turn, l->v[3]);
  loop_set(l, &l->turn, l->v[0], tp_mk_ite(l->tt, any, num(l, 0), num(l, 1)));
  loop_set(l, &l->turn, l->v[1], val(l, 2));
  loop_set(l, &l->turn, l->v[2], tp_mk_ite(l->tt, any, sum(l, val(l, 2), num(l, 1)), val(l, 2)));
  loop_assume(l, &l->error, no(l, same(l, val(l, 1), val(l, 2))));
  loop_assume(l, &l->error, no(l, same(l, val(l, 0), num(l, 0))));
}

/* a = 0, size d = c (any > 0); while (a < c) use a, a++; in use a is an index below d? */
static inline void index_loop(loop *l) {
  loop_havoc(l, &l->init, l->v[2]);
  loop_assume(l, &l->init, less(l, num(l, 0), val(l, 2)));
  loop_set(l, &l->init, l->v[3], val(l, 2));
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_assume(l, &l->turn, less(l, val(l, 0), val(l, 2)));
  loop_assume(l, &l->turn, below(l, val(l, 0), val(l, 3)));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 1)));
  loop_assume(l, &l->error, less(l, val(l, 0), val(l, 2)));
  loop_assume(l, &l->error, no(l, below(l, val(l, 0), val(l, 3))));
}

/* a = 0; while (any) a += 2; a == 7? */
static inline void parity_loop(loop *l) {
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 2)));
  loop_assume(l, &l->error, same(l, val(l, 0), num(l, 7)));
}

/* a = b = 0; while (any) a++, b += 2; b == 2a? */
static inline void twice_loop(loop *l) {
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->init, l->v[1], num(l, 0));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 1)));
  loop_set(l, &l->turn, l->v[1], sum(l, val(l, 1), num(l, 2)));
  loop_assume(l, &l->error, no(l, same(l, val(l, 1), sum(l, val(l, 0), val(l, 0)))));
}

/* a = any byte below 10, twice added to a sum b that stays below 20 after one turn, and so on: sums
 * of inputs. */
static inline void input_loop(loop *l) {
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->init, l->v[1], num(l, 0));
  loop_havoc(l, &l->turn, l->v[2]);
  loop_assume(l, &l->turn, below(l, val(l, 2), num(l, 10)));
  loop_assume(l, &l->turn, less(l, val(l, 1), num(l, 1000)));
  loop_set(l, &l->turn, l->v[1], sum(l, val(l, 1), val(l, 2)));
  loop_assume(l, &l->error, less(l, val(l, 1), num(l, 0)));
}

/* c = any in 0 .. 64, a = b = 0; while (a < c) use b, a++, b++; in use b is below 64? The turns
 * alone say so by their number. */
static inline void second_index_loop(loop *l) {
  loop_havoc(l, &l->init, l->v[2]);
  loop_assume(l, &l->init, no(l, less(l, val(l, 2), num(l, 0))));
  loop_assume(l, &l->init, no(l, less(l, num(l, 64), val(l, 2))));
  loop_set(l, &l->init, l->v[0], num(l, 0));
  loop_set(l, &l->init, l->v[1], num(l, 0));
  loop_assume(l, &l->turn, less(l, val(l, 0), val(l, 2)));
  loop_assume(l, &l->turn, less(l, val(l, 1), num(l, 64)));
  loop_set(l, &l->turn, l->v[0], sum(l, val(l, 0), num(l, 1)));
  loop_set(l, &l->turn, l->v[1], sum(l, val(l, 1), num(l, 1)));
  loop_assume(l, &l->error, less(l, val(l, 0), val(l, 2)));
  loop_assume(l, &l->error, no(l, less(l, val(l, 1), num(l, 64))));
}

/* a = any, b = 0, c = any up to 1000, e = a: while (b < c) b++, e++; e >= a unless a is large:
 * needs e = a + b and bounds of both. */
static inline void small_sum_loop(loop *l) {
  loop_havoc(l, &l->init, l->v[0]);
  loop_havoc(l, &l->init, l->v[2]);
  loop_assume(l, &l->init, below(l, val(l, 0), num(l, 1000)));
  loop_assume(l, &l->init, below(l, val(l, 2), num(l, 1000)));
  loop_set(l, &l->init, l->v[1], num(l, 0));
  loop_set(l, &l->init, l->v[4], val(l, 0));
  loop_assume(l, &l->turn, below(l, val(l, 1), val(l, 2)));
  loop_set(l, &l->turn, l->v[1], sum(l, val(l, 1), num(l, 1)));
  loop_set(l, &l->turn, l->v[4], sum(l, val(l, 4), num(l, 1)));
  loop_assume(l, &l->error, no(l, below(l, val(l, 1), val(l, 2))));
  loop_assume(l, &l->error, below(l, val(l, 4), val(l, 0)));
}

static const loop_program loop_programs[] = {
    {"x = i", 32, counter_loop},
    {"x + y = n", 32, moving_sum},
    {"0 <= i <= n", 32, bounds_loop},
    {"lock", 32, lock_loop},
    {"array index", 32, index_loop},
    {"parity", 32, parity_loop},
    {"y = 2x", 32, twice_loop},
    {"sum of inputs", 32, input_loop},
    {"second index", 32, second_index_loop},
    {"small sum", 32, small_sum_loop},
};
enum { N_LOOP_PROGRAMS = sizeof loop_programs / sizeof *loop_programs };

#endif

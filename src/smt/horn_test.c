/* Horn clauses: loops as chains of blocks and as systems, safe and broken, in every encoding. What
 * comes back is checked by the solver in bit-vectors, as callers do. */
#include "smt/horn.h"
#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// ------------------------------------------------------------------- programs

/* A program with one loop over 32-bit variables: before -> (loop)* -> error. */
enum { N_VARS = 4 };
typedef struct {
  tp_terms *tt;
  tp_term x[N_VARS], y[N_VARS];  // before and after a block
  bool broken;
} world;

static tp_term num(world *w, int64_t v) { return tp_mk_bv_signed(w->tt, 32, v); }
static tp_term add(world *w, tp_term a, int64_t c) {
  return tp_mk2(w->tt, TP_OP_BV_ADD, a, num(w, c));
}
static tp_term eq(world *w, tp_term a, tp_term b) { return tp_mk_eq(w->tt, a, b); }
static tp_term less(world *w, tp_term a, tp_term b) { return tp_mk2(w->tt, TP_OP_BV_SLT, a, b); }
static tp_term not(world * w, tp_term a) { return tp_mk_not(w->tt, a); }
static tp_term both(world *w, tp_term a, tp_term b) { return tp_mk_and(w->tt, a, b); }
static tp_term same(world *w, int i) { return eq(w, w->y[i], w->x[i]); }
static tp_term all4(world *w, tp_term a, tp_term b, tp_term c, tp_term d) {
  return both(w, both(w, a, b), both(w, c, d));
}

typedef struct {
  const char *name;
  tp_term (*before)(world *w);  // over y
  tp_term (*loop)(world *w);    // x -> y
  tp_term (*error)(world *w);   // over x
} program;

/* x = i = 0; while (i < n) { x++; i++; } x != i? broken: x starts at 1 */
static tp_term together_before(world *w) {
  return both(w, eq(w, w->y[0], num(w, w->broken)), eq(w, w->y[1], num(w, 0)));
}
static tp_term together_loop(world *w) {
  return all4(w, less(w, w->x[1], w->x[2]), eq(w, w->y[0], add(w, w->x[0], 1)),
              eq(w, w->y[1], add(w, w->x[1], 1)), same(w, 2));
}
static tp_term together_error(world *w) {
  return both(w, not(w, less(w, w->x[1], w->x[2])), not(w, eq(w, w->x[0], w->x[1])));
}

/* x = n >= 0, y = 0; while (x > 0) { x--; y++; } y != n? broken: y += 2 */
static tp_term sum_before(world *w) {
  return all4(w, eq(w, w->y[0], w->y[2]), eq(w, w->y[1], num(w, 0)),
              not(w, less(w, w->y[2], num(w, 0))), tp_mk_true(w->tt));
}
static tp_term sum_loop(world *w) {
  return all4(w, less(w, num(w, 0), w->x[0]), eq(w, w->y[0], add(w, w->x[0], -1)),
              eq(w, w->y[1], add(w, w->x[1], w->broken ? 2 : 1)), same(w, 2));
}
static tp_term sum_error(world *w) {
  return both(w, not(w, less(w, num(w, 0), w->x[0])), not(w, eq(w, w->x[1], w->x[2])));
}

/* i = 0, n >= 0; while (i < n) i++; i != n? broken: n may be negative */
static tp_term bound_before(world *w) {
  return both(w, eq(w, w->y[0], num(w, 0)),
              w->broken ? tp_mk_true(w->tt) : not(w, less(w, w->y[1], num(w, 0))));
}
static tp_term bound_loop(world *w) {
  return all4(w, less(w, w->x[0], w->x[1]), eq(w, w->y[0], add(w, w->x[0], 1)), same(w, 1),
              tp_mk_true(w->tt));
}
static tp_term bound_error(world *w) {
  return both(w, not(w, less(w, w->x[0], w->x[1])), not(w, eq(w, w->x[0], w->x[1])));
}

/* lock = 0, new = old + 1; while (new != old) { lock = 1; old = new; if (*) { lock = 0; new++; } }
 * lock == 0? broken: no lock = 1 */
static tp_term lock_before(world *w) {
  return both(w, eq(w, w->y[0], num(w, 0)), eq(w, w->y[2], add(w, w->y[1], 1)));
}
static tp_term lock_loop(world *w) {
  tp_term goes = both(w, eq(w, w->y[0], num(w, 0)), eq(w, w->y[2], add(w, w->x[2], 1)));
  tp_term stays = both(w, eq(w, w->y[0], num(w, !w->broken)), same(w, 2));
  return all4(w, not(w, eq(w, w->x[2], w->x[1])), eq(w, w->y[1], w->x[2]),
              tp_mk_or(w->tt, goes, stays), tp_mk_true(w->tt));
}
static tp_term lock_error(world *w) {
  return both(w, eq(w, w->x[2], w->x[1]), eq(w, w->x[0], num(w, 0)));
}

/* x = 0; while (*) x += 2; x odd? broken: x += 3 */
static tp_term parity_before(world *w) { return eq(w, w->y[0], num(w, 0)); }
static tp_term parity_loop(world *w) {
  return both(w, eq(w, w->y[0], add(w, w->x[0], w->broken ? 3 : 2)),
              less(w, w->x[0], num(w, 1000)));
}
static tp_term parity_error(world *w) {
  return eq(w, tp_mk2(w->tt, TP_OP_BV_UREM, w->x[0], num(w, 2)), num(w, 1));
}

static const program programs[] = {{"together", together_before, together_loop, together_error},
                                   {"sum", sum_before, sum_loop, sum_error},
                                   {"bound", bound_before, bound_loop, bound_error},
                                   {"lock", lock_before, lock_loop, lock_error},
                                   {"parity", parity_before, parity_loop, parity_error}};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

static world world_of(bool broken) {
  world w = {.tt = tp_terms_new(64), .broken = broken};
  for (int i = 0; i < N_VARS; i++)
    w.x[i] = tp_mk_var(w.tt, "x", tp_sort_bv(w.tt, 32)),
    w.y[i] = tp_mk_var(w.tt, "y", tp_sort_bv(w.tt, 32));
  return w;
}

// ---------------------------------------------------------------------- checks

/* Rename the variables `from` to `to`. */
typedef struct {
  const tp_term *from, *to;
} renaming;
static tp_term renamed(void *ctx, tp_term var) {
  const renaming *r = ctx;
  for (int i = 0; i < N_VARS; i++)
    if (tp_term_eq(var, r->from[i])) return r->to[i];
  return TP_TERM_NONE;
}
static tp_term rename_vars(world *w, tp_term t, const tp_term *from, const tp_term *to) {
  renaming r = {from, to};
  return tp_subst(w->tt, t, renamed, &r, NULL);
}

/* Is what `from` and the block allow in `to`? In bit-vectors. */
static bool holds(world *w, tp_term from, tp_term block, tp_term to) {
  tp_smt *s = tp_smt_new(w->tt, (tp_smt_options){.cpu_s = 20});
  tp_smt_assert(s, from);
  tp_smt_assert(s, block);
  tp_smt_assert(s, not(w, to));
  bool yes = tp_smt_check(s, NULL, 0) == TP_SMT_UNSAT;
  tp_smt_free(s);
  return yes;
}

/* Does the formula over x hold before the loop, is it kept, does it exclude the error? */
static bool is_inductive(world *w, const program *p, tp_term inv) {
  tp_term after = rename_vars(w, inv, w->x, w->y);
  return holds(w, tp_mk_true(w->tt), p->before(w), after) && holds(w, inv, p->loop(w), after);
}
static bool is_safe(world *w, const program *p, tp_term inv) {
  return holds(w, inv, p->error(w), tp_mk_false(w->tt));
}

static const char *const encoding_names[] = {"bits", "ints", "plain"};
static tp_horn_options options_of(int encoding) {
  return (tp_horn_options){.encoding = (tp_horn_encoding)encoding, .rlimit = 2000000, .cpu_s = 20};
}

/* The spike that ranked the encodings: bit-vectors do not find x + y = n, and without wraps `lock`
 * gets what wrapping breaks. */
static bool may_fail(int encoding, const program *p) {
  return (encoding == TP_HORN_BITS && strcmp(p->name, "sum") == 0) ||
         (encoding == TP_HORN_INTS_PLAIN && strcmp(p->name, "lock") == 0);
}

// --------------------------------------------------------------------- systems

static void loops_as_systems(void **state) {
  (void)state;
  for (int e = 0; e < 3; e++)
    for (const program *p = programs; p < programs + N_PROGRAMS; p++)
      for (int broken = 0; broken < 2; broken++) {
        world w = world_of(broken);
        tp_horn *h = tp_horn_new(w.tt, options_of(e));
        tp_horn_relation head = tp_horn_add_relation(h, w.x, N_VARS);
        tp_horn_add_clause(h, TP_HORN_RELATION_NONE, NULL, p->before(&w), head, w.y);
        tp_horn_add_clause(h, head, w.x, p->loop(&w), head, w.y);
        tp_horn_add_clause(h, head, NULL, p->error(&w), TP_HORN_RELATION_NONE, NULL);
        tp_horn_answer a = tp_horn_solve(h),
                       want = broken ? TP_HORN_REACHABLE : TP_HORN_UNREACHABLE;
        if (a == TP_HORN_UNKNOWN && may_fail(e, p)) {
          assert_true(tp_horn_reason(h)[0] != 0);
        } else {
          if (a != want)
            fail_msg("%s, %s: %d %s", encoding_names[e], p->name, (int)a, tp_horn_reason(h));
          tp_term inv = tp_horn_invariant(h, head);
          assert_int_equal(tp_term_is(inv), a == TP_HORN_UNREACHABLE);
          if (tp_term_is(inv) && !may_fail(e, p) &&
              !(is_inductive(&w, p, inv) && is_safe(&w, p, inv)))
            fail_msg("%s, %s: no invariant", encoding_names[e], p->name);
        }
        tp_horn_free(h);
        tp_terms_free(w.tt);
      }
}

/* x = i = 0; loop: (x, i) := (x + 1, i + 1), as arguments that are terms; x != i? */
static void arguments_may_be_terms(void **state) {
  (void)state;
  for (int e = 0; e < 2; e++)
    for (int broken = 0; broken < 2; broken++) {
      world w = world_of(broken);
      tp_horn *h = tp_horn_new(w.tt, options_of(e));
      tp_horn_relation r = tp_horn_add_relation(h, w.x, 2);
      tp_term start[] = {num(&w, broken), num(&w, 0)},
              next[] = {add(&w, w.y[0], 1), add(&w, w.y[1], 1)}, same_twice[] = {w.y[0], w.y[0]};
      tp_horn_add_clause(h, TP_HORN_RELATION_NONE, NULL, tp_mk_true(w.tt), r, start);
      tp_horn_add_clause(h, r, w.y, tp_mk_true(w.tt), r, next);
      tp_horn_add_clause(h, r, same_twice, less(&w, w.y[0], num(&w, -7)), r, same_twice);
      tp_horn_add_clause(h, r, NULL, not(&w, eq(&w, w.x[0], w.x[1])), TP_HORN_RELATION_NONE, NULL);
      assert_int_equal(tp_horn_solve(h), broken ? TP_HORN_REACHABLE : TP_HORN_UNREACHABLE);
      if (!broken)
        assert_true(holds(&w, tp_horn_invariant(h, r), tp_mk_true(w.tt), eq(&w, w.x[0], w.x[1])));
      tp_horn_free(h);
      tp_terms_free(w.tt);
    }
}

// ---------------------------------------------------------------------- chains

enum { CUTS_MAX = 12 };
typedef struct {
  tp_term vars[CUTS_MAX][N_VARS], blocks[CUTS_MAX];
  const tp_term *cuts[CUTS_MAX];
  size_t n_cut[CUTS_MAX];
  tp_horn_chain chain;
} unrolling;

/* The program with the loop k times, each cut with variables of its own. */
static void unroll(world *w, const program *p, size_t k, unrolling *u) {
  size_t n = k + 2;
  for (size_t i = 0; i <= n; i++) {
    u->cuts[i] = u->vars[i];
    u->n_cut[i] = N_VARS;
    for (int j = 0; j < N_VARS; j++) u->vars[i][j] = tp_mk_var(w->tt, "v", tp_sort_bv(w->tt, 32));
  }
  for (size_t i = 0; i < n; i++) {
    tp_term b = i == 0 ? p->before(w) : i == n - 1 ? p->error(w) : p->loop(w);
    u->blocks[i] = rename_vars(w, rename_vars(w, b, w->x, u->vars[i]), w->y, u->vars[i + 1]);
  }
  u->chain = (tp_horn_chain){n, u->blocks, u->cuts, u->n_cut};
}

static void sequence_is_valid(world *w, const unrolling *u, const tp_horn_sequence *s,
                              const char *name) {
  assert_true(tp_is_true(w->tt, s->at.at[0]) && tp_is_false(w->tt, tp_vec_last(&s->at)));
  assert_int_equal(s->at.n, u->chain.n_blocks + 1);
  for (size_t i = 0; i + 1 < s->at.n; i++) {
    tp_term from = both(w, s->at.at[i], s->bounds.at[i]),
            to = both(w, s->at.at[i + 1], s->bounds.at[i + 1]);
    if (!holds(w, from, u->blocks[i], to)) fail_msg("%s: step %zu", name, i);
    if (!holds(w, s->at.at[i], u->blocks[i], s->at.at[i + 1]))
      fail_msg("%s: step %zu without bounds", name, i);
  }
}

typedef TP_VEC(tp_term) candidates;

static void conjuncts(world *w, tp_term t, candidates *out) {
  if (tp_kind(w->tt, t) == TP_OP_AND) {
    conjuncts(w, tp_arg(w->tt, t, 0), out);
    conjuncts(w, tp_arg(w->tt, t, 1), out);
  } else {
    tp_vec_push(out, t);
  }
}

/* Houdini over the conjuncts of all cuts. */
static bool is_proved_by(world *w, const program *p, const unrolling *u,
                         const tp_horn_sequence *s) {
  candidates c = {0};
  for (size_t i = 1; i + 1 < s->at.n; i++)
    conjuncts(w, rename_vars(w, s->at.at[i], u->vars[i], w->x), &c);
  tp_term all = tp_mk_true(w->tt);
  for (bool again = true; again;) {
    all = tp_mk_and_n(w->tt, c.at, c.n);
    again = false;
    for (size_t i = 0; i < c.n && !again; i++) {
      tp_term after = rename_vars(w, c.at[i], w->x, w->y);
      if (holds(w, tp_mk_true(w->tt), p->before(w), after) && holds(w, all, p->loop(w), after))
        continue;
      c.at[i] = tp_vec_pop(&c);
      again = true;
    }
  }
  tp_vec_clear(&c);
  return is_safe(w, p, all);
}

/* In integers two times through the loop teach what proves it. */
static void chains_teach_invariants(void **state) {
  (void)state;
  for (const program *p = programs; p < programs + N_PROGRAMS; p++) {
    bool proved = false;
    for (size_t k = 0; k <= 2; k++) {
      world w = world_of(false);
      unrolling u;
      tp_horn_sequence s = {0};
      unroll(&w, p, k, &u);
      tp_horn_answer a = tp_horn_solve_chain(w.tt, options_of(TP_HORN_INTS), &u.chain, &s);
      if (a != TP_HORN_UNREACHABLE) fail_msg("%s: %s", p->name, s.reason);
      sequence_is_valid(&w, &u, &s, p->name);
      proved = proved || is_proved_by(&w, p, &u, &s);
      if (strcmp(p->name, "lock") != 0) assert_int_equal(s.n_wraps, 0);
      tp_horn_sequence_clear(&s);
      tp_terms_free(w.tt);
    }
    if (!proved) fail_msg("%s is not proved", p->name);
  }
}

static void broken_chains_are_feasible(void **state) {
  (void)state;
  for (int e = 0; e < 2; e++)
    for (const program *p = programs; p < programs + N_PROGRAMS; p++) {
      bool found = false;
      for (size_t k = 0; k <= 1; k++) {
        world w = world_of(true);
        unrolling u;
        tp_horn_sequence s = {0};
        unroll(&w, p, k, &u);
        tp_horn_answer a = tp_horn_solve_chain(w.tt, options_of(e), &u.chain, &s);
        assert_int_not_equal(a, TP_HORN_UNKNOWN);
        found = found || a == TP_HORN_REACHABLE;
        if (a == TP_HORN_UNREACHABLE) sequence_is_valid(&w, &u, &s, p->name);
        tp_horn_sequence_clear(&s);
        tp_terms_free(w.tt);
      }
      if (!found) fail_msg("%s, %s", encoding_names[e], p->name);
    }
}

/* Two blocks over one variable: x is `first` or not below it, then y = x + step, then the error is
 * y below 0 or, unsigned, y below 10. */
typedef struct {
  int64_t first, step;
  enum { EXACTLY, AT_LEAST } start;
  bool is_unsigned;
  tp_horn_answer answers[3];  // by encoding
} wrapping;
static const wrapping wrappings[] = {
    {0,
     1,
     AT_LEAST,
     false,
     {TP_HORN_REACHABLE, TP_HORN_REACHABLE, TP_HORN_UNREACHABLE}},  // plain integers do not wrap
    {INT32_MAX,
     1,
     EXACTLY,
     false,
     {TP_HORN_REACHABLE, TP_HORN_REACHABLE, TP_HORN_REACHABLE}},  // unless bounds say so
    {INT32_MAX - 1,
     1,
     EXACTLY,
     false,
     {TP_HORN_UNREACHABLE, TP_HORN_UNREACHABLE, TP_HORN_UNREACHABLE}},
    {0, -1, EXACTLY, true, {TP_HORN_UNREACHABLE, TP_HORN_UNREACHABLE, TP_HORN_UNREACHABLE}},
    {-1, 1, EXACTLY, true, {TP_HORN_REACHABLE, TP_HORN_REACHABLE, TP_HORN_REACHABLE}},
    {10, -1, EXACTLY, true, {TP_HORN_REACHABLE, TP_HORN_REACHABLE, TP_HORN_REACHABLE}}};

static void wraps_on_chains(void **state) {
  (void)state;
  for (size_t c = 0; c < sizeof wrappings / sizeof *wrappings; c++)
    for (int e = 0; e < 3; e++) {
      const wrapping *g = &wrappings[c];
      world w = world_of(false);
      const tp_term *cuts[] = {w.x, w.x, w.y, w.y};
      const size_t n_cut[] = {1, 1, 1, 1};
      tp_term first = num(&w, g->first),
              blocks[] = {
                  g->start == EXACTLY ? eq(&w, w.x[0], first) : not(&w, less(&w, w.x[0], first)),
                  eq(&w, w.y[0], add(&w, w.x[0], g->step)),
                  g->is_unsigned ? tp_mk2(w.tt, TP_OP_BV_ULT, w.y[0], num(&w, 10))
                                 : less(&w, w.y[0], num(&w, 0))};
      tp_horn_chain chain = {3, blocks, cuts, n_cut};
      tp_horn_sequence s = {0};
      tp_horn_answer a = tp_horn_solve_chain(w.tt, options_of(e), &chain, &s);
      if (a != g->answers[e])
        fail_msg("case %zu, %s: %d %s", c, encoding_names[e], (int)a, s.reason);
      tp_horn_sequence_clear(&s);
      tp_terms_free(w.tt);
    }
}

/* Pointers, floats (as bits), arrays and Bools are columns, too, where bit-vectors are. */
static void columns_of_all_sorts(void **state) {
  (void)state;
  for (int e = 0; e < 2; e++)
    for (int broken = 0; broken < 2; broken++) {
      tp_terms *tt = tp_terms_new(64);
      tp_sort b8 = tp_sort_bv(tt, 8);
      tp_term p = tp_mk_var(tt, "p", tp_sort_ptr(tt)), f = tp_mk_var(tt, "f", tp_sort_fp(tt, 32)),
              b = tp_mk_var(tt, "b", tp_sort_bool(tt));
      tp_term m = tp_mk_var(tt, "m", tp_sort_array(tt, b8, b8)),
              n = tp_mk_var(tt, "n", tp_sort_of(tt, m));
      tp_term five = tp_mk_bv(tt, 8, 5), six = tp_mk_bv(tt, 8, 6),
              one = tp_mk_fp(tt, 32, 0x3f800000);
      tp_term first[] = {p, f, b, m}, second[] = {p, f, b, n};
      const tp_term *cuts[] = {first, first, second, second};
      const size_t n_cut[] = {4, 4, 4, 4};
      tp_term start[] = {tp_mk_eq(tt, p, tp_mk_null(tt)), tp_mk_eq(tt, f, one), b,
                         tp_mk_eq(tt, tp_mk2(tt, TP_OP_SELECT, m, five), six)};
      tp_term safe[] = {tp_mk_eq(tt, p, tp_mk_null(tt)),
                        tp_mk_eq(tt, tp_mk1(tt, TP_OP_FP_TO_BITS, f), tp_mk_bv(tt, 32, 0x3f800000)),
                        b, tp_mk_eq(tt, tp_mk2(tt, TP_OP_SELECT, n, five), broken ? five : six)};
      tp_term blocks[] = {tp_mk_and_n(tt, start, 4),
                          tp_mk_eq(tt, n, tp_mk3(tt, TP_OP_STORE, m, six, five)),
                          tp_mk_not(tt, tp_mk_and_n(tt, safe, 4))};
      tp_horn_chain chain = {3, blocks, cuts, n_cut};
      tp_horn_sequence s = {0};
      tp_horn_answer a = tp_horn_solve_chain(tt, options_of(e), &chain, &s);
      if (e == TP_HORN_BITS)
        assert_int_equal(a, broken ? TP_HORN_REACHABLE : TP_HORN_UNREACHABLE);
      else
        assert_true(a == TP_HORN_UNKNOWN && s.reason[0]);
      world w = {.tt = tt};
      for (size_t i = 0; i + 1 < s.at.n; i++)
        assert_true(holds(&w, s.at.at[i], blocks[i], s.at.at[i + 1]));
      assert_true(e != TP_HORN_BITS || broken || s.at.n == 4);
      tp_horn_sequence_clear(&s);
      tp_terms_free(tt);
    }
}

static void what_cannot_be_done_is_unknown(void **state) {
  (void)state;
  for (int c = 0; c < 2; c++) {  // a step limit; a product of variables over integers
    world w = world_of(false);
    unrolling u;
    tp_horn_sequence s = {0};
    unroll(&w, &programs[0], 2, &u);
    if (c == 1)
      u.blocks[1] =
          both(&w, u.blocks[1],
               eq(&w, tp_mk2(w.tt, TP_OP_BV_MUL, u.vars[1][2], u.vars[1][3]), u.vars[1][2]));
    tp_horn_options o = options_of(c);
    if (c == 0) o.rlimit = 1000;
    assert_int_equal(tp_horn_solve_chain(w.tt, o, &u.chain, &s), TP_HORN_UNKNOWN);
    assert_true(s.reason[0] != 0 && s.at.n == 0);
    tp_horn_sequence_clear(&s);
    tp_terms_free(w.tt);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_as_systems),
                                     cmocka_unit_test(arguments_may_be_terms),
                                     cmocka_unit_test(chains_teach_invariants),
                                     cmocka_unit_test(broken_chains_are_feasible),
                                     cmocka_unit_test(wraps_on_chains),
                                     cmocka_unit_test(columns_of_all_sorts),
                                     cmocka_unit_test(what_cannot_be_done_is_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

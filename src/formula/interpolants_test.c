/* Interpolants: sequences for loops that need relations, and what they must not say. */
#include "formula/line_test.h"
#include "formula/loop_programs_test.h"
#include "program/cells.h"

#include <stdlib.h>

static const tp_itp_options quick = {0};

// ------------------------------------------------------------------------ loops

/* With the predicates of the sequences for 0 .. k turns together: are they enough? */
static bool proves(loop *l, tp_itp_source source, size_t turns) {
  tp_atoms atoms = {0};
  bool enough = false;
  for (size_t k = 0; k <= turns && !enough; k++) {
    tp_term out[LOOP_TURNS + 3];
    tp_str why = {0};
    loop_unroll(l, k);
    bool ok = tp_itp_sequence(&l->paths, l->blocks, l->n, NULL, source, quick, out, &why);
    for (size_t i = 1; ok && i <= k + 1; i++) tp_atoms_of(l->tt, out[i], &atoms);
    for (size_t i = 0; ok && i < l->n; i++)
      assert_true(tp_itp_holds(&l->paths, &l->blocks[i], out[i], out[i + 1], quick));
    enough = ok && predicates_prove(l, &atoms);
    tp_str_clear(&why);
  }
  tp_vec_clear(&atoms);
  return enough;
}

/* Turns that backward interpolants need until their atoms prove the loop. */
static const struct {
  const char *name;
  size_t turns;
} needed_turns[] = {{"x = i", 0},        {"x + y = n", 0}, {"0 <= i <= n", 0}, {"lock", 1},
                    {"array index", 1},  {"parity", 0},    {"y = 2x", 0},      {"sum of inputs", 0},
                    {"second index", 1}, {"small sum", 1}};

static void F65_interpolants_prove_loops(void **state) {
  (void)state;
  for (size_t i = 0; i < N_LOOP_PROGRAMS; i++) {
    loop l;
    loop_begin(&l, loop_programs[i].width);
    loop_programs[i].build(&l);
    loop_ready(&l);
    assert_string_equal(loop_programs[i].name, needed_turns[i].name);
    if (!proves(&l, TP_ITP_WP, needed_turns[i].turns))
      fail_msg("%s is not proved", loop_programs[i].name);
    loop_end(&l);
  }
}

// ------------------------------------------------------------- the list example

static bool equivalent(line *l, tp_term a, tp_term b) {
  tp_path here = tp_path_here(&l->paths);
  bool both =
      tp_itp_holds(&l->paths, &here, a, b, quick) && tp_itp_holds(&l->paths, &here, b, a, quick);
  tp_path_clear(&here);
  return both;
}

/* Theoduloz 2010, fig. 5.4: true, p = a, a->data = 0, p->data = 0, x = 0, x = 0, false behind the
 * operations. */
static void F65_list_example(void **state) {
  (void)state;
  static const tp_itp_source sources[] = {TP_ITP_WP, TP_ITP_SP};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    line l;
    tp_term out[MAX_LINE + 1];
    tp_str why = {0};
    list_example(&l, 0);
    if (!tp_itp_sequence(&l.paths, l.blocks, l.n, NULL, sources[i], quick, out, &why))
      fail_msg("%s", tp_str_text(&why));
    tp_term zero = bv(l.p, 32, 0), x_is_0 = tp_mk_eq(l.tt, line_word(&l, 0), zero);
    tp_term expected[] = {tp_mk_true(l.tt),
                          tp_mk_true(l.tt),
                          tp_mk_eq(l.tt, line_pointer(&l, 0), line_pointer(&l, 1)),
                          tp_mk_eq(l.tt, tp_cell(l.p, bv_sort(l.p, 32), line_pointer(&l, 0)), zero),
                          tp_mk_eq(l.tt, tp_cell(l.p, bv_sort(l.p, 32), line_pointer(&l, 1)), zero),
                          x_is_0,
                          x_is_0,
                          tp_mk_false(l.tt)};
    assert_int_equal(l.n, 7);
    for (size_t c = 0; c <= l.n; c++)
      if (!equivalent(&l, out[c], expected[c])) fail_msg("%s: cut %zu", tp_itp_name(sources[i]), c);
    // As predicates: the atoms behind the third and the fourth operation.
    tp_atoms atoms = {0};
    tp_atoms_of(l.tt, out[3], &atoms);
    tp_atoms_of(l.tt, out[4], &atoms);
    assert_int_equal(atoms.n, 2);
    tp_vec_clear(&atoms);
    tp_str_clear(&why);
    line_end(&l);
  }
}

// ------------------------------------------------------------- every source

/* Which sources find sequences for up to `turns` turns, each step asked again; none may for a path
 * that can be run through. */
static void F65_sources_on_loops(void **state) {
  (void)state;
  const size_t turns = getenv("TP_SOAK") ? 2 : 1;
  for (size_t i = 0; i < N_LOOP_PROGRAMS; i++)
    for (tp_itp_source source = TP_ITP_WP; source < TP_N_ITP; source++) {
      loop l;
      loop_begin(&l, loop_programs[i].width);
      loop_programs[i].build(&l);
      loop_ready(&l);
      for (size_t k = 0; k <= turns; k++) {
        tp_term out[LOOP_TURNS + 3];
        tp_str why = {0};
        loop_unroll(&l, k);
        bool ok = tp_itp_sequence(&l.paths, l.blocks, l.n, NULL, source, quick, out, &why);
        if (!ok && (source == TP_ITP_WP || source == TP_ITP_SP))
          fail_msg("%s, %zu turns: %s", loop_programs[i].name, k, tp_str_text(&why));
        if (!ok) assert_true(why.n > 0);
        for (size_t c = 0; ok && c < l.n; c++)
          assert_true(tp_itp_holds(&l.paths, &l.blocks[c], out[c], out[c + 1], quick));
        for (size_t c = 0; ok && c <= l.n; c++)
          assert_true(tp_paths_is_expressible(&l.paths, out[c]));
        tp_str_clear(&why);
      }
      loop_end(&l);
    }
}

/* a = 100; a += 50 each turn, in 8 bits: below 100 for the first time after the wrap of the fourth
 * turn. */
static void F65_wraps(void **state) {
  (void)state;
  loop l;
  loop_begin(&l, 8);
  loop_set(&l, &l.init, l.v[0], num(&l, 100));
  loop_set(&l, &l.turn, l.v[0], sum(&l, val(&l, 0), num(&l, 50)));
  loop_assume(&l, &l.error, below(&l, val(&l, 0), num(&l, 100)));
  loop_ready(&l);
  for (size_t k = 0; k <= 4; k++)
    for (tp_itp_source source = TP_ITP_WP; source < TP_N_ITP; source++) {
      tp_term out[LOOP_TURNS + 3];
      tp_str why = {0};
      loop_unroll(&l, k);
      bool ok = tp_itp_sequence(&l.paths, l.blocks, l.n, NULL, source, quick, out, &why);
      assert_int_equal(tp_itp_feasible(&l.paths, l.blocks, l.n, quick),
                       k == 4 ? TP_ITP_FEASIBLE : TP_ITP_INFEASIBLE);
      if (k == 4) assert_false(ok);
      if (k < 4 && source == TP_ITP_WP) assert_true(ok);
      tp_str_clear(&why);
    }
  loop_end(&l);
}

/* What is known at the cuts is used and not repeated. */
static void invariants_are_assumed(void **state) {
  (void)state;
  loop l;
  loop_begin(&l, 32);
  loop_set(&l, &l.turn, l.v[0], sum(&l, val(&l, 0), num(&l, 2)));
  loop_assume(&l, &l.error, same(&l, val(&l, 0), num(&l, 7)));
  loop_ready(&l);
  loop_unroll(&l, 1);
  tp_term even = same(&l, tp_mk_extract(l.tt, 0, 0, val(&l, 0)), bv(l.p, 1, 0)),
          yes = tp_mk_true(l.tt);
  tp_term known[] = {yes, yes, even, yes}, out[4];
  tp_str why = {0};
  assert_false(tp_itp_sequence(&l.paths, l.blocks, l.n, NULL, TP_ITP_WP, quick, out, &why));
  for (tp_itp_source source = TP_ITP_WP; source <= TP_ITP_SP; source++) {
    assert_true(tp_itp_sequence(&l.paths, l.blocks, l.n, known, source, quick, out, &why));
    for (int i = 0; i < 3; i++) assert_true(tp_is_true(l.tt, out[i]));
  }
  tp_str_clear(&why);
  loop_end(&l);
}

// ------------------------------------------------------------------ enumeration

enum { BITS = 3 };

typedef struct {
  loop *l;
  uint64_t value[LOOP_VARS];
  tp_term input[8];
  uint64_t input_value[8];
  size_t n_inputs;
} valuation;

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const valuation *v = ctx;
  for (int i = 0; i < LOOP_VARS; i++)
    if (tp_term_eq(var, val(v->l, i))) {
      *out = (tp_value){.bits = v->value[i]};
      return true;
    }
  for (size_t i = 0; i < v->n_inputs; i++)
    if (tp_term_eq(var, v->input[i])) {
      *out = (tp_value){.bits = v->input_value[i]};
      return true;
    }
  return false;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool is_so(valuation *v, tp_term t) {
  tp_env env = {.ctx = v, .var = value_of, .base = no_base};
  tp_arena arena;
  tp_value value;
  tp_arena_init(&arena);
  assert_int_equal(tp_eval(v->l->tt, t, &env, &arena, &value), TP_OK);
  tp_arena_clear(&arena);
  return value.bits != 0;
}

static void note_input(void *ctx, tp_term var) {
  valuation *v = ctx;
  if (!tp_paths_is_input(&v->l->paths, var)) return;
  for (size_t i = 0; i < v->n_inputs; i++)
    if (tp_term_eq(v->input[i], var)) return;
  assert_true(v->n_inputs < 8);
  v->input[v->n_inputs++] = var;
}

/* Every value of three variables and the block's inputs: from `before` only to `after`? */
static void check_step(loop *l, const tp_path *block, tp_term before, tp_term after) {
  tp_term broken = tp_mk_and(l->tt, tp_path_condition(&l->paths, block),
                             tp_mk_not(l->tt, tp_path_after(&l->paths, block, after)));
  valuation v = {.l = l};
  broken = tp_mk_and(l->tt, before, broken);
  tp_for_vars(l->tt, broken, note_input, &v);
  uint32_t bits = BITS * (3 + (uint32_t)v.n_inputs);
  assert_true(bits <= 18);
  for (uint64_t all = 0; all < UINT64_C(1) << bits; all++) {
    for (int i = 0; i < 3; i++) v.value[i] = all >> (BITS * i) & 7;
    for (size_t i = 0; i < v.n_inputs; i++) v.input_value[i] = all >> (BITS * (3 + i)) & 7;
    if (is_so(&v, broken)) fail_msg("a broken sequence was handed out");
  }
}

static tp_term random_value(loop *l, tp_rng *r) {
  tp_term a = val(l, (int)tp_rng_below(r, 3)), b = val(l, (int)tp_rng_below(r, 3));
  switch (tp_rng_below(r, 6)) {
    case 0: return num(l, tp_rng_below(r, 8));
    case 1: return tp_mk2(l->tt, TP_OP_BV_MUL, num(l, tp_rng_below(r, 8)), a);
    case 2: return tp_mk2(l->tt, TP_OP_BV_AND, a, b);
    case 3: return tp_mk_ite(l->tt, below(l, a, b), a, num(l, tp_rng_below(r, 8)));
    case 4: return sum(l, a, num(l, tp_rng_below(r, 8)));
    default: return sum(l, a, b);
  }
}

static tp_term random_condition(loop *l, tp_rng *r) {
  tp_term a = random_value(l, r), b = random_value(l, r), t;
  switch (tp_rng_below(r, 4)) {
    case 0: t = less(l, a, b); break;
    case 1: t = below(l, a, b); break;
    case 2: t = tp_mk_or(l->tt, same(l, a, b), below(l, val(l, 0), b)); break;
    default: t = same(l, a, b); break;
  }
  return tp_rng_below(r, 3) ? no(l, t) : t;
}

static void random_block(loop *l, edges_of_block *b, tp_rng *r) {
  if (tp_rng_below(r, 2)) loop_havoc(l, b, l->v[tp_rng_below(r, 3)]);
  loop_assume(l, b, random_condition(l, r));
  loop_set(l, b, l->v[tp_rng_below(r, 3)], random_value(l, r));
  if (tp_rng_below(r, 2)) loop_set(l, b, l->v[tp_rng_below(r, 3)], random_value(l, r));
  loop_assume(l, b, random_condition(l, r));
}

static void F65_no_broken_sequence(void **state) {
  (void)state;
  const uint32_t n = getenv("TP_SOAK") ? 100 : 20;
  uint32_t answered[TP_N_ITP] = {0}, n_infeasible = 0;
  for (uint64_t seed = 1; seed <= n; seed++) {
    loop l;
    tp_rng r;
    tp_rng_init(&r, seed);
    loop_begin(&l, BITS);
    loop_set(&l, &l.init, l.v[0], num(&l, tp_rng_below(&r, 8)));
    if (tp_rng_below(&r, 2)) loop_set(&l, &l.init, l.v[1], num(&l, tp_rng_below(&r, 8)));
    random_block(&l, &l.turn, &r);
    random_block(&l, &l.error, &r);
    loop_ready(&l);
    loop_unroll(&l, tp_rng_below(&r, 3));
    bool infeasible = tp_itp_feasible(&l.paths, l.blocks, l.n, quick) == TP_ITP_INFEASIBLE;
    n_infeasible += infeasible;
    for (tp_itp_source source = TP_ITP_WP; infeasible && source < TP_N_ITP; source++) {
      tp_term out[LOOP_TURNS + 3];
      tp_str why = {0};
      bool ok = tp_itp_sequence(&l.paths, l.blocks, l.n, NULL, source, quick, out, &why);
      answered[source] += ok;
      for (size_t c = 0; ok && c < l.n; c++) check_step(&l, &l.blocks[c], out[c], out[c + 1]);
      tp_str_clear(&why);
    }
    loop_end(&l);
  }
  assert_true(n_infeasible > n / 4 && n_infeasible < n);
  assert_true(answered[TP_ITP_WP] * 10 > n_infeasible * 9 &&
              answered[TP_ITP_SP] * 10 > n_infeasible * 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F65_list_example),       cmocka_unit_test(F65_interpolants_prove_loops),
      cmocka_unit_test(F65_sources_on_loops),   cmocka_unit_test(F65_wraps),
      cmocka_unit_test(invariants_are_assumed), cmocka_unit_test(F65_no_broken_sequence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

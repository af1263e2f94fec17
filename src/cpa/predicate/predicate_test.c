/* Predicate abstraction against enumeration: programs over three numbers of two bits, so a set of
 * states is 64 bits. The expected regions are computed by walking all states through the graph; the
 * analysis gives them through path formulas, a solver and BDDs. */
#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "cpa/predicate/predicate_cpa.h"
#include "program/build_test.h"
#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  VARS = 3,
  WIDTH = 2,
  STATES = 1 << (VARS * WIDTH),
  MAX_PREDS = 5,
  MAX_LOCS = 16,
  MAX_SETS = 400
};
typedef uint64_t states;  // bit s: state s; variable v has the bits WIDTH * v ...

typedef struct {
  tp_program *p;
  tp_term vars[VARS];
  tp_var var[VARS];
  tp_term preds[MAX_PREDS];
  size_t n_preds;
} model;

// ------------------------------------------------------------------- enumeration

typedef struct {
  const model *m;
  uint32_t state;
} valuation;

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const valuation *v = ctx;
  for (uint32_t i = 0; i < VARS; i++)
    if (tp_term_eq(v->m->vars[i], var))
      return *out = (tp_value){.bits = v->state >> (WIDTH * i) & 3}, true;
  return false;
}
static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  (void)object;
  return 0;
}

static uint32_t eval(const model *m, tp_term t, uint32_t state) {
  valuation v = {m, state};
  tp_env env = {.ctx = &v, .var = value_of, .base = no_base};
  tp_value r;
  tp_arena arena;
  tp_arena_init(&arena);
  assert_int_equal(tp_eval(m->p->terms, t, &env, &arena, &r), TP_OK);
  tp_arena_clear(&arena);
  return (uint32_t)r.bits;
}

static states truth(const model *m, tp_term t) {
  states s = 0;
  for (uint32_t i = 0; i < STATES; i++) s |= (states)(eval(m, t, i) & 1) << i;
  return s;
}

static uint32_t with(uint32_t state, uint32_t v, uint32_t value) {
  return (state & ~(3u << (WIDTH * v))) | value << (WIDTH * v);
}

static uint32_t index_of(const model *m, tp_var v) {
  uint32_t i = 0;
  while (m->var[i].id != v.id) i++;
  return i;
}

static states post(const model *m, tp_edge edge, states from) {
  const tp_edge_info *e = tp_edge_of(m->p, edge);
  states to = 0;
  for (uint32_t s = 0; s < STATES; s++) {
    if (!(from >> s & 1)) continue;
    if (e->kind == TP_E_ASSUME)
      to |= (states)(eval(m, e->a, s) & 1) << s;
    else if (e->kind == TP_E_ASSIGN)
      to |= (states)1 << with(s, index_of(m, e->var), eval(m, e->a, s));
    else if (e->kind == TP_E_HAVOC)
      for (uint32_t x = 0; x < 4; x++) to |= (states)1 << with(s, index_of(m, e->var), x);
    else
      to |= (states)1 << s;
  }
  return to;
}

/* The best abstraction in predicates. */
static states abstraction(const model *m, states s, bool is_boolean) {
  states kept = ~(states)0;
  for (size_t i = 0; i < m->n_preds && !is_boolean; i++) {
    states p = truth(m, m->preds[i]);
    if ((s & ~p) == 0) kept &= p;
    if ((s & p) == 0) kept &= ~p;
  }
  if (!is_boolean) return kept;
  kept = 0;
  for (uint32_t i = 0; i < STATES;
       i++) {  // the states that some state of s agrees with in all predicates
    states cell = ~(states)0;
    for (size_t k = 0; k < m->n_preds; k++) {
      states p = truth(m, m->preds[k]);
      cell &= p >> i & 1 ? p : ~p;
    }
    if (cell & s) kept |= (states)1 << i;
  }
  return kept;
}

typedef struct {
  states at[MAX_LOCS][MAX_SETS];
  size_t n[MAX_LOCS];
} region_sets;

static bool is_covered(const region_sets *r, uint32_t l, states s) {
  for (size_t i = 0; i < r->n[l]; i++)
    if ((s & ~r->at[l][i]) == 0) return true;
  return false;
}

/* Adds s unless it is covered, and drops what it covers. */
static bool add_set(region_sets *r, uint32_t l, states s) {
  size_t n = 0;
  if (is_covered(r, l, s)) return false;
  for (size_t i = 0; i < r->n[l]; i++)
    if (r->at[l][i] & ~s) r->at[l][n++] = r->at[l][i];
  assert_true(n < MAX_SETS);
  r->at[l][n++] = s;
  r->n[l] = n;
  return true;
}

typedef enum { EDGES, LOOPS_CALLS } block_mode;
static bool ends_block(const model *m, block_mode mode, tp_loc l) {
  const tp_loc_info *info = tp_loc_of(m->p, l);
  return mode == EDGES || info->is_loop_head || info->is_cutpoint ||
         l.id == exit_of(m->p, m->p->main).id;
}

/* Regions at block ends, by edge into them, from one region: sets go through the block until
 * nothing changes. */
static bool expand(const model *m, block_mode mode, bool is_boolean, tp_loc from, states region,
                   region_sets *out) {
  states inside[MAX_LOCS] = {0};
  bool grew = false, changed = true;
  while (changed) {
    changed = false;
    for (uint32_t e = 1; e < m->p->edges.n; e++) {
      const tp_edge_info *edge = tp_edge_of(m->p, (tp_edge){e});
      if (ends_block(m, mode, edge->to)) continue;
      states s =
          inside[edge->to.id] |
          post(m, (tp_edge){e}, inside[edge->from.id] | (edge->from.id == from.id ? region : 0));
      changed |= s != inside[edge->to.id];
      inside[edge->to.id] = s;
    }
  }
  for (uint32_t e = 1; e < m->p->edges.n; e++) {
    const tp_edge_info *edge = tp_edge_of(m->p, (tp_edge){e});
    states s =
        post(m, (tp_edge){e}, inside[edge->from.id] | (edge->from.id == from.id ? region : 0));
    if (s && ends_block(m, mode, edge->to))
      grew |= add_set(out, edge->to.id, abstraction(m, s, is_boolean));
  }
  return grew;
}

static void enumerate(const model *m, block_mode mode, bool is_boolean, region_sets *out) {
  memset(out, 0, sizeof *out);
  tp_loc entry = entry_of(m->p, m->p->main);
  bool changed = expand(m, mode, is_boolean, entry, ~(states)0, out);
  while (changed) {
    changed = false;
    for (uint32_t l = 1; l < m->p->locs.n; l++)
      for (size_t i = 0; i < out->n[l]; i++)
        changed |= expand(m, mode, is_boolean, (tp_loc){l}, out->at[l][i], out);
  }
}

// ----------------------------------------------------------------- random programs

static tp_term random_number(model *m, tp_rng *rng, int depth) {
  tp_terms *tt = m->p->terms;
  switch (tp_rng_below(rng, depth ? 5 : 2)) {
    case 0: return m->vars[tp_rng_below(rng, VARS)];
    case 1: return bv(m->p, WIDTH, tp_rng_below(rng, 4));
    case 2: return tp_mk2(tt, TP_OP_BV_ADD, random_number(m, rng, 0), random_number(m, rng, 0));
    case 3: return tp_mk_sub(tt, random_number(m, rng, 0), random_number(m, rng, 0));
    default: return tp_mk2(tt, TP_OP_BV_XOR, random_number(m, rng, 0), random_number(m, rng, 0));
  }
}

static tp_term random_condition(model *m, tp_rng *rng) {
  static const tp_term_kind kinds[] = {TP_OP_EQ, TP_OP_BV_ULT, TP_OP_BV_SLE};
  for (;;) {
    tp_term t = tp_mk2(m->p->terms, kinds[tp_rng_below(rng, 3)], random_number(m, rng, 1),
                       random_number(m, rng, 1));
    if (!tp_is_const(m->p->terms, t)) return t;
  }
}

static void random_edge(model *m, tp_rng *rng, tp_loc from, tp_loc to) {
  tp_var v = m->var[tp_rng_below(rng, VARS)];
  if (tp_rng_below(rng, 4))
    assign(m->p, from, to, v, random_number(m, rng, 1));
  else
    tp_program_add_edge(
        m->p,
        (tp_edge_info){.kind = TP_E_HAVOC, .from = from, .to = to, .var = v, .input = TP_I_NONDET});
}

static model random_model(uint64_t seed) {
  model m = {.p = tp_program_new(NULL, 64)};
  tp_rng rng;
  tp_rng_init(&rng, seed);
  tp_func f = m.p->main = func(m.p, "main");
  tp_loc at[MAX_LOCS];
  size_t n = 4 + tp_rng_below(&rng, 7);
  for (uint32_t i = 0; i < VARS; i++) {
    char name[2] = {(char)('x' + i), 0};
    m.var[i] = var(m.p, f, name, bv_sort(m.p, WIDTH), TP_TYPE_NONE);
    m.vars[i] = term_of(m.p, m.var[i]);
  }
  at[0] = entry_of(m.p, f);
  for (size_t i = 1; i < n; i++) at[i] = loc(m.p, f);
  for (size_t i = 0; i < n; i++) {  // forward mostly; nothing leads back to the entry
    tp_loc next = i + 1 < n ? at[i + 1] : exit_of(m.p, f), any = at[1 + tp_rng_below(&rng, n - 1)];
    if (tp_rng_below(&rng, 2) && any.id != at[i].id && any.id != next.id)
      branch(m.p, at[i], next, any, random_condition(&m, &rng));
    else
      random_edge(&m, &rng, at[i], next);
  }
  tp_program_finish(m.p);
  m.n_preds = 1 + tp_rng_below(&rng, MAX_PREDS);
  for (size_t i = 0; i < m.n_preds; i++) m.preds[i] = random_condition(&m, &rng);
  return m;
}

// ------------------------------------------------------------------------ running

typedef struct {
  tp_composition *c;
  tp_cpa *predicate;
  tp_stats stats;
} run;

static run *open_run(const model *m, const char *more) {
  run *r = TP_NEW(run);
  tp_str text = {0}, why = {0};
  tp_str_printf(&text, "analysis = location callstack predicate\n%s", more);
  r->c = tp_composition_open(m->p, TP_P_UNREACH_CALL, text.text, &r->stats, &why);
  if (!r->c) fail_msg("%s", tp_str_text(&why));
  r->predicate = tp_predicate_find(r->c->cpa);
  tp_str_clear(&text);
  return r;
}

static void close_run(run *r) {
  tp_composition_close(r->c);
  tp_free(r);
}

static tp_reached *explore(run *r, const model *m) {
  tp_func f = m->p->main;
  tp_reached *reached = tp_reached_new(r->c->cpa, r->c->order);
  tp_succ first =
      r->c->cpa->ops->initial(r->c->cpa, entry_of(m->p, f), tp_context_root(&r->c->contexts, f, 0));
  (void)tp_reached_add_initial(reached, first);
  assert_int_equal(tp_cpa_run(reached, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  return reached;
}

static void regions_of(run *r, const model *m, const tp_reached *reached, region_sets *out) {
  memset(out, 0, sizeof *out);
  for (uint32_t i = 1; i <= tp_reached_n(reached); i++) {
    const tp_node *n = tp_reached_node(reached, i);
    const tp_elem *part = tp_predicate_part(r->c->cpa, n->state.elem);
    if (n->parent && tp_predicate_is_block_end(part))
      (void)add_set(out, n->loc.id, truth(m, tp_predicate_formula(r->predicate, part)));
  }
}

static void assert_same(const model *m, const region_sets *got, const region_sets *expected,
                        uint64_t seed, const char *how) {
  for (uint32_t l = 1; l < m->p->locs.n; l++) {
    bool same = got->n[l] == expected->n[l];
    for (size_t i = 0; i < got->n[l] && same; i++)
      same = is_covered(expected, l, got->at[l][i]) && is_covered(got, l, expected->at[l][i]);
    if (!same)
      fail_msg("seed %llu, %s, location %u: %zu regions, expected %zu", (unsigned long long)seed,
               how, l, got->n[l], expected->n[l]);
  }
}

static const struct {
  const char *text;
  block_mode mode;
  bool is_boolean;
} settings[] = {
    {"predicate.blocks = edges\n", EDGES, false},
    {"predicate.blocks = edges\npredicate.abstraction = boolean\n", EDGES, true},
    {"predicate.blocks = loops-calls\n", LOOPS_CALLS, false},
    {"predicate.blocks = loops-calls\npredicate.abstraction = boolean\n", LOOPS_CALLS, true}};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

/* Regions are those of the best abstraction: Cartesian and Boolean, edge by edge and by blocks. */
static void F35_regions_are_those_of_enumeration(void **state) {
  (void)state;
  static region_sets got, expected;
  uint64_t regions = 0, sharper = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    model m = random_model(seed);
    for (size_t i = 0; i < N_SETTINGS; i++) {
      run *r = open_run(&m, settings[i].text);
      for (size_t k = 0; k < m.n_preds; k++)
        (void)tp_predicate_add_for(r->predicate, TP_LOC_NONE, TP_FUNC_NONE, m.preds[k]);
      tp_reached *reached = explore(r, &m);
      regions_of(r, &m, reached, &got);
      enumerate(&m, settings[i].mode, settings[i].is_boolean, &expected);
      assert_same(&m, &got, &expected, seed, settings[i].text);
      for (uint32_t l = 1; l < m.p->locs.n; l++) {
        regions += got.n[l];
        for (size_t k = 0; k < got.n[l]; k++)
          sharper += settings[i].is_boolean && got.at[l][k] != abstraction(&m, got.at[l][k], false);
      }
      tp_reached_free(reached);
      close_run(r);
    }
    tp_program_free(m.p);
  }
  assert_true(regions > 1000);
  assert_true(sharper > 50);  // combinations that no single predicate says
}

/* x = 1; assume(y == 2): what the printed transfer forgets at the assumption stays. */
static void F35_assumptions_keep_predicates(void **state) {
  (void)state;
  static region_sets got;
  model m = {.p = tp_program_new(NULL, 64)};
  tp_func f = m.p->main = func(m.p, "main");
  for (uint32_t i = 0; i < VARS; i++) {
    m.var[i] = var(m.p, f, "v", bv_sort(m.p, WIDTH), TP_TYPE_NONE);
    m.vars[i] = term_of(m.p, m.var[i]);
  }
  tp_loc one = loc(m.p, f);
  assign(m.p, entry_of(m.p, f), one, m.var[0], bv(m.p, WIDTH, 1));
  assume(m.p, one, exit_of(m.p, f), tp_mk_eq(m.p->terms, m.vars[1], bv(m.p, WIDTH, 2)));
  tp_program_finish(m.p);
  run *r = open_run(&m, "predicate.blocks = edges\n");
  tp_term p = tp_mk_eq(m.p->terms, m.vars[0], bv(m.p, WIDTH, 1)),
          q = tp_mk_eq(m.p->terms, m.vars[1], bv(m.p, WIDTH, 2));
  assert_true(tp_predicate_add_for(r->predicate, TP_LOC_NONE, TP_FUNC_NONE, p));
  assert_true(tp_predicate_add_for(r->predicate, TP_LOC_NONE, TP_FUNC_NONE, q));
  tp_reached *reached = explore(r, &m);
  regions_of(r, &m, reached, &got);
  uint32_t end = exit_of(m.p, f).id;
  assert_int_equal(got.n[one.id], 1);
  assert_true(got.at[one.id][0] == truth(&m, p));
  assert_int_equal(got.n[end], 1);
  assert_true(got.at[end][0] == (truth(&m, p) & truth(&m, q)));
  tp_reached_free(reached);
  close_run(r);
  tp_program_free(m.p);
}

// --------------------------------------------------------------------- precision

/* Predicates that come one after the other: exploring again with all of them gives what an analysis
 * that had them from the start gives, and what was explored with fewer stays true. Without new
 * predicates nothing is asked twice. */
static void F54_a_set_that_grows_is_the_set(void **state) {
  (void)state;
  static region_sets got, expected, before;
  for (uint64_t seed = 100; seed < 130; seed++) {
    model m = random_model(seed);
    const char *text = settings[seed % N_SETTINGS].text;
    run *grown = open_run(&m, text), *whole = open_run(&m, text);
    memset(&before, 0, sizeof before);
    for (size_t k = 0; k < m.n_preds; k++) {
      bool is_new = tp_predicate_add_for(grown->predicate, TP_LOC_NONE, TP_FUNC_NONE, m.preds[k]);
      assert_int_equal(
          tp_predicate_add_for(whole->predicate, TP_LOC_NONE, TP_FUNC_NONE, m.preds[k]), is_new);
      assert_false(tp_predicate_add_for(grown->predicate, TP_LOC_NONE, TP_FUNC_NONE, m.preds[k]));
      tp_reached *reached = explore(grown, &m);
      regions_of(grown, &m, reached, &got);
      for (uint32_t l = 1; l < m.p->locs.n && k; l++)
        for (size_t i = 0; i < got.n[l]; i++) assert_true(is_covered(&before, l, got.at[l][i]));
      before = got;
      tp_reached_free(reached);
    }
    tp_reached *reached = explore(whole, &m);
    regions_of(whole, &m, reached, &expected);
    assert_same(&m, &got, &expected, seed, "grown");
    uint64_t asked = grown->stats.solver_calls;
    tp_reached *again = explore(grown, &m);
    assert_int_equal(grown->stats.solver_calls, asked);
    tp_reached_free(again);
    tp_reached_free(reached);
    close_run(grown);
    close_run(whole);
    tp_program_free(m.p);
  }
}

typedef struct {
  TP_VEC(uint32_t) locs;
  TP_VEC(uint32_t) funcs;
  TP_VEC(tp_term) terms;
} listing;
static void list(void *ctx, tp_loc at, tp_func func, tp_term predicate) {
  listing *l = ctx;
  tp_vec_push(&l->locs, at.id);
  tp_vec_push(&l->funcs, func.id);
  tp_vec_push(&l->terms, predicate);
}

/* x = 1; skip; skip: the predicate x == 1 at the first place, in the function, everywhere. */
static void F54_predicates_count_where_they_were_put(void **state) {
  (void)state;
  static const struct {
    const char *precision;
    bool at_second, listed_loc, listed_func;
  } rows[] = {{"location", false, true, false},
              {"function", true, false, true},
              {"global", true, false, false}};
  static region_sets got;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    model m = {.p = tp_program_new(NULL, 64)};
    tp_func f = m.p->main = func(m.p, "main");
    for (uint32_t v = 0; v < VARS; v++) {
      m.var[v] = var(m.p, f, "v", bv_sort(m.p, WIDTH), TP_TYPE_NONE);
      m.vars[v] = term_of(m.p, m.var[v]);
    }
    tp_loc one = loc(m.p, f), two = loc(m.p, f);
    assign(m.p, entry_of(m.p, f), one, m.var[0], bv(m.p, WIDTH, 1));
    step(m.p, one, two);
    step(m.p, two, exit_of(m.p, f));
    tp_program_finish(m.p);
    char text[100];
    snprintf(text, sizeof text, "predicate.blocks = edges\npredicate.precision = %s\n",
             rows[i].precision);
    run *r = open_run(&m, text);
    tp_term p = tp_mk_eq(m.p->terms, m.vars[0], bv(m.p, WIDTH, 1));
    assert_true(tp_predicate_add(r->predicate, one, p));
    assert_false(
        tp_predicate_add(r->predicate, one, tp_mk_not(m.p->terms, p)));  // the same predicate
    assert_false(tp_predicate_add(r->predicate, one, tp_mk_true(m.p->terms)));
    assert_int_equal(tp_predicate_n(r->predicate), 1);
    tp_reached *reached = explore(r, &m);
    regions_of(r, &m, reached, &got);
    assert_true(got.at[one.id][0] == truth(&m, p));
    assert_int_equal(got.at[two.id][0] == truth(&m, p), rows[i].at_second);
    listing l = {0};
    tp_predicate_each(r->predicate, list, &l);
    assert_int_equal(l.terms.n, 1);
    assert_int_equal(l.terms.at[0].id, p.id);
    assert_int_equal(l.locs.at[0], rows[i].listed_loc ? one.id : 0);
    assert_int_equal(l.funcs.at[0], rows[i].listed_func ? f.id : 0);
    tp_vec_clear(&l.locs);
    tp_vec_clear(&l.funcs);
    tp_vec_clear(&l.terms);
    tp_reached_free(reached);
    close_run(r);
    tp_program_free(m.p);
  }
}

/* A solver that fails costs precision: regions may become larger, none is lost. */
static void a_solver_that_gives_up_only_weakens(void **state) {
  (void)state;
  static region_sets got, expected;
  bool weaker = false;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    model m = random_model(seed);
    enumerate(&m, LOOPS_CALLS, false, &expected);
    for (uint64_t at = 1; at <= 12; at++) {
      run *r = open_run(&m, "");
      for (size_t k = 0; k < m.n_preds; k++)
        (void)tp_predicate_add_for(r->predicate, TP_LOC_NONE, TP_FUNC_NONE, m.preds[k]);
      tp_smt_inject(TP_FAULT_UNKNOWN, at);
      tp_reached *reached = explore(r, &m);
      tp_smt_inject(TP_FAULT_NONE, 0);
      regions_of(r, &m, reached, &got);
      for (uint32_t l = 1; l < m.p->locs.n; l++)
        for (size_t i = 0; i < expected.n[l]; i++) {
          assert_true(is_covered(&got, l, expected.at[l][i]));
          weaker |= i < got.n[l] && !is_covered(&expected, l, got.at[l][i]);
        }
      tp_reached_free(reached);
      close_run(r);
    }
    tp_program_free(m.p);
  }
  assert_true(weaker);
}

/* What a solver does within one step limit can take minutes: when the time is over, nothing is
 * asked, and regions are as if no answer came. */
static void behind_the_time_limit_nothing_is_asked(void **state) {
  (void)state;
  static region_sets got, expected;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    model m = random_model(seed);
    enumerate(&m, LOOPS_CALLS, false, &expected);
    run *r = open_run(&m, "");
    r->c->env.until_s = 1e-9;
    for (size_t k = 0; k < m.n_preds; k++)
      (void)tp_predicate_add_for(r->predicate, TP_LOC_NONE, TP_FUNC_NONE, m.preds[k]);
    tp_reached *reached = explore(r, &m);
    regions_of(r, &m, reached, &got);
    assert_int_equal(r->stats.solver_calls, 0);
    for (uint32_t l = 1; l < m.p->locs.n; l++)
      for (size_t i = 0; i < expected.n[l]; i++)
        assert_true(is_covered(&got, l, expected.at[l][i]));
    tp_reached_free(reached);
    close_run(r);
    tp_program_free(m.p);
  }
}

static int no_leak(void **state) {
  (void)state;
  return tp_live_bytes() != 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F35_regions_are_those_of_enumeration),
                                     cmocka_unit_test(F35_assumptions_keep_predicates),
                                     cmocka_unit_test(F54_a_set_that_grows_is_the_set),
                                     cmocka_unit_test(F54_predicates_count_where_they_were_put),
                                     cmocka_unit_test(a_solver_that_gives_up_only_weakens),
                                     cmocka_unit_test(behind_the_time_limit_nothing_is_asked)};
  return cmocka_run_group_tests_name("predicate", tests, NULL, no_leak);
}

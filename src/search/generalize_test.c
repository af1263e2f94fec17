/* Formulas as polyhedra against enumeration; when splits are a chain; Figure 9, whose chain has no
 * end, by both methods. */
#include "search/figures_test.h"
#include "search/generalize_priv.h"
#include "search/search_engines.h"

#include <stdlib.h>

static unsigned long volume(unsigned long quick, unsigned long soak) {
  return getenv("TP_SOAK") ? soak : quick;
}

// -------------------------------------------------------------------- formulas

enum { N_VARS = 3, BITS = 4, DEPTH = 3 };

typedef struct {
  tp_terms *tt;
  tp_term var[N_VARS], flag;
  tp_rng r;
} world;

/* Values of the variables, in this order; of the flag. */
typedef struct {
  const world *w;
  unsigned value[N_VARS];
  bool flag;
} assignment;

static bool value_of_var(void *ctx, tp_term var, tp_value *out) {
  const assignment *a = ctx;
  *out = (tp_value){.bits = a->flag};
  for (int i = 0; i < N_VARS; i++)
    if (tp_term_eq(var, a->w->var[i])) out->bits = a->value[i];
  return true;
}
static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}
static bool value_of(const void *ctx, tp_term t, tp_value *out) {
  tp_arena arena;
  tp_arena_init(&arena);
  tp_env env = {.ctx = (void *)(uintptr_t)ctx, .var = value_of_var, .base = no_base};
  bool ok = tp_eval(((const assignment *)ctx)->w->tt, t, &env, &arena, out) == TP_OK;
  tp_arena_clear(&arena);
  return ok;
}
static bool holds(const assignment *a, tp_term t) {
  tp_value v;
  assert_true(value_of(a, t, &v));
  return v.bits;
}
static bool next(assignment *a) {
  for (int i = 0; i < N_VARS; i++) {
    if (++a->value[i] < 1 << BITS) return true;
    a->value[i] = 0;
  }
  a->flag = !a->flag;
  return a->flag;
}

static tp_term random_sum(world *w) {
  tp_term sum = tp_mk_bv(w->tt, BITS, tp_rng_below(&w->r, 1 << BITS));
  for (int i = 0; i < N_VARS; i++) {
    const int64_t factor = (int64_t)tp_rng_below(&w->r, 5) - 2;
    if (tp_rng_below(&w->r, 2))
      sum = tp_mk2(w->tt, TP_OP_BV_ADD, sum,
                   tp_mk2(w->tt, TP_OP_BV_MUL, w->var[i], tp_mk_bv_signed(w->tt, BITS, factor)));
  }
  if (tp_rng_below(&w->r, 12) == 0)
    sum = tp_mk2(w->tt, TP_OP_BV_ADD, sum, tp_mk2(w->tt, TP_OP_BV_MUL, w->var[0], w->var[1]));
  return sum;
}

static tp_term random_formula(world *w, int depth) {
  static const tp_term_kind orders[] = {TP_OP_BV_SLT, TP_OP_BV_SLE, TP_OP_BV_ULT, TP_OP_EQ};
  switch (depth == 0 ? 9 : tp_rng_below(&w->r, 10)) {
    case 0:
    case 1:
    case 2: return tp_mk_and(w->tt, random_formula(w, depth - 1), random_formula(w, depth - 1));
    case 3:
    case 4: return tp_mk_or(w->tt, random_formula(w, depth - 1), random_formula(w, depth - 1));
    case 5: return tp_mk_not(w->tt, random_formula(w, depth - 1));
    case 6: return w->flag;
    case 7:
      return tp_mk_ite(w->tt, random_formula(w, depth - 1), random_formula(w, depth - 1),
                       random_formula(w, depth - 1));
    default: return tp_mk2(w->tt, orders[tp_rng_below(&w->r, 4)], random_sum(w), random_sum(w));
  }
}

static world world_new(uint64_t seed) {
  world w = {.tt = tp_terms_new(64)};
  tp_rng_init(&w.r, seed);
  static const char *const names[] = {"x", "y", "z"};
  for (int i = 0; i < N_VARS; i++) w.var[i] = tp_mk_var(w.tt, names[i], tp_sort_bv(w.tt, BITS));
  w.flag = tp_mk_var(w.tt, "flag", tp_sort_bool(w.tt));
  return w;
}

/* The pieces have every model; mostly nothing else; and mean what their formula says. */
static void check_pieces(world *w, tp_polyhedra *helper, unsigned long turns,
                         unsigned long *n_exact, unsigned long *n_all) {
  while (turns--) {
    tp_space space;
    tp_poly_pieces pieces = {0};
    tp_space_init(&space, w->tt, helper);
    tp_term original[2] = {random_formula(w, DEPTH), random_formula(w, 1)}, f[2];
    for (int i = 0; i < 2; i++) f[i] = tp_space_abstract(&space, original[i]);
    bool ok = tp_space_add_dims(&space, f[0], TP_NUMERIC_POLY_DIMS) &&
              tp_space_add_dims(&space, f[1], TP_NUMERIC_POLY_DIMS);
    for (int i = 0; i < 2; i++)
      assert_true(tp_term_eq(tp_space_original(&space, f[i]), original[i]));
    if (ok && tp_space_pieces(&space, f, 2, 1 + turns % 2, &pieces)) {
      bool exact = true;
      tp_term *said = TP_NEW_ARRAY(tp_term, pieces.n + 1);
      for (size_t k = 0; k < pieces.n; k++) said[k] = tp_space_formula(&space, &pieces.at[k]);
      assignment a = {.w = w};
      do {
        bool model = holds(&a, original[0]) && holds(&a, original[1]), in = false;
        for (size_t k = 0; k < pieces.n; k++) {
          bool is_in = tp_space_is_in(&space, (tp_point){value_of, &a}, &pieces.at[k]);
          assert_int_equal(is_in, holds(&a, said[k]));
          in = in || is_in;
        }
        assert_true(in || !model);
        exact = exact && in == model;
      } while (next(&a));
      *n_exact += exact;
      ++*n_all;
      tp_free(said);
    }
    tp_poly_pieces_clear(&pieces);
    tp_space_clear(&space);
  }
}

static void pieces_are_the_models(void **state) {
  (void)state;
  unsigned long n_exact = 0, n_all = 0;
  tp_polyhedra *helper = tp_polyhedra_open(TP_NUMERIC_POLY_DIMS);
  assert_non_null(helper);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    world w = world_new(seed);
    check_pieces(&w, helper, volume(60, 2000), &n_exact, &n_all);
    tp_terms_free(w.tt);
  }
  assert_true(n_all >= 40 &&
              n_exact * 2 >
                  n_all);  // half of them refine, which may leave out what makes more pieces
  tp_polyhedra_close(helper);
  assert_int_equal(tp_live_bytes(), 0);
}

// ---------------------------------------------------------------------- chains

/* Figure 9 split by hand: at the head and in the body, by y + k x < 0. */
typedef struct {
  build b;
  figure_setting *s;
  tp_generalizer *g;
  tp_term x, y;
  uint32_t head, body, error;  // nodes
  uint32_t cell, target;  // the head's cell that is left; the cell in the body (at first: of the
                          // error) that it steps into
} nine;

static tp_loc target_of(const build *b, tp_loc from, bool error) {
  tp_edge_list out = tp_out_edges(b->p, from);
  for (uint32_t i = 0; i < out.n; i++) {
    tp_loc to = b->p->edges.at[out.at[i]].to;
    if ((tp_loc_of(b->p, to)->error != TP_P_NONE) == error) return to;
  }
  return TP_LOC_NONE;
}

static nine nine_new(tp_search_settings settings) {
  nine n = {.b = figure_9()};
  n.s = figure_open(&n.b, settings);
  n.g = tp_generalizer_new(&n.s->pt);
  tp_loc head = TP_LOC_NONE;
  for (uint32_t l = 1; l < n.b.p->locs.n; l++)
    if (n.b.p->locs.at[l].is_loop_head) head = (tp_loc){l};
  for (uint32_t v = 1; v < n.b.p->vars.n; v++) {
    if (strcmp(n.b.p->vars.at[v].name, "x") == 0) n.x = n.b.p->vars.at[v].term;
    if (strcmp(n.b.p->vars.at[v].name, "y") == 0) n.y = n.b.p->vars.at[v].term;
  }
  n.head = figure_node(n.s, head);
  n.body = figure_node(n.s, target_of(&n.b, head, false));
  n.error = figure_node(n.s, target_of(&n.b, head, true));
  n.cell = n.s->pt.root[n.head];
  n.target = n.s->pt.root[n.error];
  return n;
}

static void nine_free(nine *n) {
  tp_generalizer_free(n->g);
  figure_close(n->s);
  build_free(&n->b);
}

static tp_term wedge(const nine *n, int64_t k) {  // y + k x < 0
  tp_terms *tt = n->b.tt;
  return tp_mk2(tt, TP_OP_BV_SLT,
                tp_mk2(tt, TP_OP_BV_ADD, n->y, tp_mk2(tt, TP_OP_BV_MUL, n->x, bv(&n->b, 32, k))),
                bv(&n->b, 32, 0));
}

static tp_abstract_step step_of(const nine *n, uint32_t from, uint32_t to) {
  return (tp_abstract_step){
      tp_partition_block(&n->s->pt, n->s->pt.cells.at[from].node, n->s->pt.cells.at[to].node), from,
      to};
}

static void split(nine *n, tp_abstract_step step, tp_term rho) {
  uint32_t yes, no;
  tp_generalizer_note(n->g, step, rho);
  tp_partition_split_off(&n->s->pt, step, &rho, &yes, &no);
}

/* One turn of the loop: the head by y + k x < 0, then the body by what leads there. */
static void split_turn(nine *n, int64_t k) {
  uint32_t old = n->cell;
  split(n, step_of(n, old, n->target), wedge(n, k));
  uint32_t cut = n->s->pt.cells.at[old].yes, body = n->s->pt.root[n->body];
  n->cell = n->s->pt.cells.at[old].no;
  while (!tp_partition_is_leaf(&n->s->pt, body)) body = n->s->pt.cells.at[body].no;
  split(n, step_of(n, body, cut), wedge(n, k + 1));
  n->target = n->s->pt.cells.at[body].yes;
}

static void a_chain_is_due_when_it_has_come_round(void **state) {
  (void)state;
  static const tp_generalize_method hows[] = {TP_GENERALIZE_INTERPOLANT, TP_GENERALIZE_WIDEN,
                                              TP_GENERALIZE_NONE};
  for (size_t i = 0; i < 3; i++) {
    nine n = nine_new((tp_search_settings){.generalize = hows[i], .lazy_edges = true});
    bool due = false;
    int64_t k = 0;
    for (; k < 6 && !due; k++) {
      due = tp_generalizer_is_due(n.g, step_of(&n, n.cell, n.target), wedge(&n, k));
      if (!due) split_turn(&n, k);
    }
    assert_int_equal(due, hows[i] != TP_GENERALIZE_NONE);
    if (due) assert_int_equal(k - 1, 3);
    // a step that no chain leads to
    assert_false(
        tp_generalizer_is_due(n.g, step_of(&n, n.cell, n.s->pt.root[n.error]), wedge(&n, 7)));
    nine_free(&n);
  }
}

static bool keep_at_head(void *ctx, const tp_state *s) {
  tp_state **kept = ctx;
  if (*kept) return false;
  *kept = tp_state_copy(s);
  return false;
}

/* After three turns: x < 0 and x > 0 are what all wedges, those to come as well, have in common
 * with y >= 0. With a helper that is dead, or none: nothing. */
static void S17_wedges_are_widened_to_what_they_have_in_common(void **state) {
  (void)state;
  enum { WORKS, IS_DEAD, IS_MISSING };
  for (int helper = WORKS; helper <= IS_MISSING; helper++) {
    nine n = nine_new((tp_search_settings){.generalize = TP_GENERALIZE_WIDEN, .lazy_edges = true});
    tp_state *start = tp_state_initial(n.b.p), *seen = NULL;
    tp_observer observer = {.mask = TP_OBSERVE_CUTPOINTS, .ctx = &seen, .at = keep_at_head};
    (void)tp_exec_run(n.b.p, start, NULL, (tp_run_limits){.steps = 100}, &observer);
    assert_non_null(seen);
    if (helper == IS_DEAD) n.g->helper = tp_polyhedra_open_command("true", TP_NUMERIC_POLY_DIMS);
    n.g->has_no_helper = helper == IS_MISSING;
    for (int64_t k = 0; k < 3; k++) split_turn(&n, k);
    const tp_state *states[] = {seen};
    tp_split_problem problem = {.pt = &n.s->pt, .states = states, .n_states = 1};
    tp_abstract_step step = step_of(&n, n.cell, n.target);
    tp_abstract_path path = {0};
    tp_vec_push(&path, step);
    tp_term wide = TP_TERM_NONE;
    assert_int_equal(tp_generalizer_widen(n.g, &problem, &path, 0, wedge(&n, 3), &wide),
                     helper == WORKS);
    if (helper == WORKS) {
      tp_terms *tt = n.b.tt;
      tp_term head = tp_mk_not(tt, wedge(&n, 0)), cell = n.s->pt.cells.at[n.cell].formula;
      assert_true(tp_split_excludes(&n.s->pt, seen, wide));
      assert_true(
          tp_split_covers(&n.s->pt, n.cell, step.block, n.s->pt.cells.at[n.target].formula, wide));
      for (int64_t k = 3; k < 12; k++)  // the wedges to come, where the cell has them
        assert_int_equal(
            figure_ask(n.s, tp_mk_and(tt, tp_mk_and(tt, cell, tp_mk_and(tt, head, wedge(&n, k))),
                                      tp_mk_not(tt, wide))),
            TP_SMT_UNSAT);
      tp_term still = tp_mk_and(tt, head, tp_mk_eq(tt, n.x, bv(&n.b, 32, 0)));
      assert_int_equal(figure_ask(n.s, tp_mk_and(tt, still, wide)), TP_SMT_UNSAT);
    }
    tp_vec_clear(&path);
    tp_state_free(seen);
    tp_state_free(start);
    nine_free(&n);
  }
}

// --------------------------------------------------------------------- engines

typedef struct {
  const char *name;
  const tp_engine *engine;
} searcher;
static const searcher searchers[] = {{"synergy", &tp_engine_synergy},
                                     {"split-cegar", &tp_engine_split_cegar}};

static tp_verdict verdict_on_nine(const tp_engine *engine, tp_search_settings settings,
                                  uint64_t steps) {
  build b = figure_9();
  tp_task task = {.program = b.p, .property = TP_P_UNREACH_CALL, .search = settings};
  tp_budget budget = {.steps = steps};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  engine->run(&task, &budget, &stats, &r);
  tp_verdict v = r.verdict;
  if (v == TP_VERDICT_TRUE)
    assert_int_equal(figure_check(&b, r.certificate.text, NULL), TP_CERTIFY_ACCEPTED);
  tp_result_clear(&r);
  build_free(&b);
  return v;
}

static void S17_figure_9_by_both_methods(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof searchers / sizeof *searchers; i++) {
    const tp_search_settings off = {.split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE};
    for (uint64_t steps = 15; steps <= 60; steps *= 2)
      assert_int_equal(verdict_on_nine(searchers[i].engine, off, steps), TP_VERDICT_UNKNOWN);
    assert_int_equal(verdict_on_nine(searchers[i].engine,
                                     (tp_search_settings){.generalize = TP_GENERALIZE_WIDEN}, 60),
                     TP_VERDICT_TRUE);
    assert_int_equal(
        verdict_on_nine(searchers[i].engine,
                        (tp_search_settings){.generalize = TP_GENERALIZE_INTERPOLANT}, 60),
        TP_VERDICT_TRUE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_the_models),
      cmocka_unit_test(a_chain_is_due_when_it_has_come_round),
      cmocka_unit_test(S17_wedges_are_widened_to_what_they_have_in_common),
      cmocka_unit_test(S17_figure_9_by_both_methods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

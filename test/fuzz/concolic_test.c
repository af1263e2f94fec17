/* Concolic runs against plain ones.
 *
 * Random models are run concolically with random inputs. Then: the path condition is true of these
 * inputs, and the term of every variable and cell has the value that it has in the state; other
 * inputs that satisfy the path condition (values changed at random) drive a plain run along the
 * same edges, to the same end, to the values that the terms say; so does a model of a solver, and
 * one of a violated condition leaves the way there. A run that goes out of sight at random where
 * nothing symbolic is touched has the same path, and the same values.
 *
 *   concolic_test             some seconds; TP_SOAK=1: 100,000 models
 *   concolic_test SEED N      N models from SEED on */
#include "exec/concolic.h"
#include "exec/random_inputs.h"
#include "models.h"
#include "program/cells.h"
#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { QUICK = 200, SOAK = 100000, RUNS = 3, OTHERS = 12, CELLS = 40 };

static const tp_run_limits LIMITS = {.steps = 3000};

typedef struct {
  const tp_program *p;
  const tp_concolic *c;
  const tp_inputs *inputs;  // what its symbols are
} valuation;

typedef struct {
  uint64_t models, runs, exact, others, branches, symbolic, cells, solved, bursts;
} counts;

static bool symbol_value(void *ctx, tp_term var, tp_value *out) {
  valuation *v = ctx;
  *out = (tp_value){0};
  for (size_t i = 0; i < v->inputs->v.n; i++) {
    const tp_input *in = &v->inputs->v.at[i];
    if (tp_term_eq(tp_concolic_symbol(v->c, i), var)) return out->bits = in->bits, true;
    for (size_t k = 0; k < in->n_bytes; k++)
      if (tp_term_eq(tp_concolic_byte(v->c, i, k), var)) return out->bits = in->bytes[k], true;
  }
  return false;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  (void)object;
  return 0;  // terms over inputs have numbers in the place of bases
}

static tp_value value_under(valuation *v, tp_term t) {
  tp_arena arena;
  tp_value out = {0};
  const tp_env env = {.ctx = v, .var = symbol_value, .base = no_base};
  tp_arena_init(&arena);
  if (tp_eval(v->p->terms, t, &env, &arena, &out) != TP_OK)
    fail_msg("a term over inputs cannot be evaluated");
  tp_arena_clear(&arena);
  return out;
}

static bool holds(valuation *v) {
  const tp_concolic_path *path = tp_concolic_path_of(v->c);
  for (size_t i = 0; i < path->n; i++)
    if (!value_under(v, path->at[i].condition).bits) return false;
  return true;
}

/* Every variable that exists: what its term says under these inputs is what the state says. */
static void compare_values(tp_concolic *c, valuation *v, const tp_state *s, uint64_t seed,
                           counts *n) {
  tp_concolic_path pins = {0};
  for (uint32_t i = 1; i < v->p->vars.n; i++) {
    const tp_var_info *info = &v->p->vars.at[i];
    tp_value is = {0};
    tp_term t;
    if (info->kind == TP_V_GHOST || tp_state_eval(s, info->term, &is) != TP_OK) continue;
    if (!tp_concolic_value(c, info->term, &t, &pins))
      fail_msg("seed %llu: %s cannot be said", (unsigned long long)seed, info->name);
    n->symbolic += !tp_is_const(v->p->terms, t);
    if (!tp_value_eq(v->p->terms, tp_sort_of(v->p->terms, t), value_under(v, t), is))
      fail_msg("seed %llu: %s has another value than its term", (unsigned long long)seed,
               info->name);
  }
  assert_int_equal(pins.n, 0);
  tp_vec_clear(&pins);
}

/* The same for what memory holds: bytes, words and pointers at the first offsets of every object
 * that is alive. */
static void compare_cells(tp_concolic *c, valuation *v, const tp_state *s, uint64_t seed,
                          counts *n) {
  tp_terms *tt = v->p->terms;
  const tp_sort sorts[] = {tp_sort_bv(tt, 8), tp_sort_bv(tt, 32), tp_sort_bv(tt, 64),
                           tp_sort_ptr(tt), tp_sort_fp(tt, 32)};
  for (uint32_t id = 1; id <= tp_state_n_objects(s); id++) {
    tp_object_info o;
    if (!tp_state_object_info(s, id, &o) || !o.live || o.kind == TP_O_FUNCTION) continue;
    for (uint64_t at = 0; at < o.size && at < CELLS; at++) {
      tp_sort sort = sorts[tp_hash_mix(seed, at) % (sizeof sorts / sizeof *sorts)];
      tp_term cell = tp_cell(v->p, sort, tp_mk_ptr_const(tt, id, at)), t;
      tp_concolic_path pins = {0};
      tp_value is = {0};
      if (tp_state_eval(s, cell, &is) != TP_OK) continue;  // behind the end
      if (!tp_concolic_value(c, cell, &t, &pins))
        fail_msg("seed %llu: a cell cannot be said", (unsigned long long)seed);
      bool holds_here = true;  // a pointer made of bytes that depend on inputs is only what it is
      for (size_t i = 0; i < pins.n; i++)
        holds_here &= value_under(v, pins.at[i].condition).bits != 0;
      n->cells += !tp_is_const(tt, t);
      if (holds_here && !tp_value_eq(tt, sort, value_under(v, t), is))
        fail_msg("seed %llu: byte %llu of object %u has another value than its term",
                 (unsigned long long)seed, (unsigned long long)at, id);
      tp_vec_clear(&pins);
    }
  }
}

typedef TP_VEC(uint32_t) edge_list;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  tp_vec_push((edge_list *)ctx, e.id);
  return true;
}

static tp_run_result plain_run(const tp_program *p, const tp_inputs *inputs, edge_list *edges,
                               tp_state **end) {
  tp_vector_oracle vector = {inputs, 0, true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = edges, .edge = note_edge};
  *end = tp_state_initial(p);
  return tp_exec_run(p, *end, &oracle, LIMITS, &observer);
}

/* Other values for some of the inputs, most of them near. */
static void change(tp_rng *rng, const tp_inputs *from, tp_inputs *to) {
  for (size_t i = 0; i < from->v.n; i++) {
    tp_input in = from->v.at[i];
    if (in.width_bits && tp_rng_below(rng, 3) == 0) {
      tp_u128 mask = in.width_bits >= 128 ? ~(tp_u128)0 : ((tp_u128)1 << in.width_bits) - 1;
      in.bits =
          (tp_rng_below(rng, 2) ? in.bits + tp_rng_below(rng, 5) - 2 : tp_rng_next(rng)) & mask;
    }
    tp_inputs_add(to, in);
    for (size_t k = 0; k < in.n_bytes; k++)
      if (tp_rng_below(rng, 6) == 0)
        ((uint8_t *)(uintptr_t)tp_vec_last(&to->v).bytes)[k] = (uint8_t)tp_rng_next(rng);
  }
}

/* Other inputs that satisfy the path condition: the same way, to what the terms say. */
static void run_other(tp_concolic *c, valuation *v, const tp_inputs *other, const tp_run_result *r,
                      const edge_list *edges, uint64_t seed, counts *n) {
  valuation o = {v->p, c, other};
  edge_list taken = {0};
  tp_state *s;
  tp_run_result ran = plain_run(v->p, other, &taken, &s);
  bool same = ran.end == r->end && ran.loc.id == r->loc.id && ran.steps == r->steps &&
              taken.n == edges->n &&
              (!edges->n || memcmp(taken.at, edges->at, edges->n * sizeof *edges->at) == 0);
  if (!same)
    fail_msg("seed %llu: other inputs that satisfy the path condition take another way",
             (unsigned long long)seed);
  compare_values(c, &o, s, seed, n);
  compare_cells(c, &o, s, seed, n);
  tp_state_free(s);
  tp_vec_clear(&taken);
}

static void try_others(tp_concolic *c, valuation *v, const tp_run_result *r, const edge_list *edges,
                       tp_rng *rng, uint64_t seed, counts *n) {
  for (int i = 0; i < OTHERS; i++) {
    tp_inputs other;
    tp_inputs_init(&other);
    change(rng, v->inputs, &other);
    valuation o = {v->p, c, &other};
    if (holds(&o)) {
      run_other(c, v, &other, r, edges, seed, n);
      n->others++;
    }
    tp_inputs_clear(&other);
  }
}

/* Inputs that violate a condition follow the way up to its edge; a branch is left there, a pinned
 * address is another one there. */
static void left_at(const tp_program *p, const tp_inputs *inputs, const tp_concolic_branch *b,
                    const edge_list *edges, uint64_t seed) {
  edge_list taken = {0};
  tp_state *s;
  (void)plain_run(p, inputs, &taken, &s);
  bool same = taken.n >= b->step &&
              (!b->step || memcmp(taken.at, edges->at, b->step * sizeof *edges->at) == 0);
  if (!same)
    fail_msg("seed %llu: inputs that satisfy the first conditions leave the way before",
             (unsigned long long)seed);
  bool is_choice = tp_out_edges(p, tp_edge_of(p, b->edge)->from).n > 1;
  if (!b->is_pin && is_choice && taken.n > b->step && taken.at[b->step] == b->edge.id)
    fail_msg("seed %llu: inputs that violate a condition take its branch",
             (unsigned long long)seed);
  tp_state_free(s);
  tp_vec_clear(&taken);
}

static bool in_model(void *ctx, tp_term symbol, tp_value *out) {
  return tp_smt_value(ctx, symbol, out);
}

/* Inputs from a solver: another model of the path condition; and one that leaves it at a branch,
 * which then is where its run leaves it. */
static void try_solved(tp_concolic *c, valuation *v, const tp_run_result *r, const edge_list *edges,
                       tp_rng *rng, uint64_t seed, counts *n) {
  const tp_concolic_path *path = tp_concolic_path_of(c);
  if (!path->n) return;
  size_t leave = tp_rng_below(rng, 2) ? path->n : (size_t)tp_rng_below(rng, path->n);
  tp_terms *tt = v->p->terms;
  tp_smt *smt = tp_smt_new(tt, (tp_smt_options){.backend = "mixed", .rlimit = 200000});
  for (size_t i = 0; i < leave; i++) tp_smt_assert(smt, path->at[i].condition);
  if (leave < path->n) tp_smt_assert(smt, tp_mk_not(tt, path->at[leave].condition));
  for (size_t i = 0; i < v->inputs->v.n && leave == path->n;
       i++) {  // not the same inputs again, where others are possible
    tp_term symbol = tp_concolic_symbol(c, i);
    if (!tp_term_is(symbol)) continue;
    tp_term other = tp_mk_not(
        tt, tp_mk_eq(tt, symbol, tp_mk_bv(tt, tp_width(tt, symbol), v->inputs->v.at[i].bits)));
    if (tp_smt_check(smt, &other, 1) == TP_SMT_SAT) tp_smt_assert(smt, other);
  }
  if (tp_smt_check(smt, NULL, 0) == TP_SMT_SAT) {
    tp_inputs solved;
    tp_inputs_init(&solved);
    tp_concolic_inputs_of_model(c, in_model, smt, &solved);
    valuation o = {v->p, c, &solved};
    assert_int_equal(holds(&o), leave == path->n);
    if (leave == path->n) {
      run_other(c, v, &solved, r, edges, seed, n);
    } else {
      left_at(v->p, &solved, &path->at[leave], edges, seed);
    }
    n->solved++;
    tp_inputs_clear(&solved);
  }
  tp_smt_free(smt);
}

/* The same run with stretches of it as machine code: nothing is different but what was done where.
 */
static void compare_tiers(const tp_program *p, tp_runner *runner, const tp_inputs *made,
                          uint64_t seed) {
  tp_state *start = tp_state_initial(p);
  tp_concolic *a = tp_concolic_new(p, start, made), *b = tp_concolic_new(p, start, made);
  tp_concolic_set_runner(b, runner);
  tp_run_result one = tp_concolic_run(a, 0, LIMITS, true, 0),
                two = tp_concolic_run(b, 0, LIMITS, true, 0);
  const tp_concolic_path *x = tp_concolic_path_of(a), *y = tp_concolic_path_of(b);
  bool same = one.end == two.end && one.loc.id == two.loc.id &&
              tp_concolic_steps(a) == tp_concolic_steps(b) && x->n == y->n &&
              tp_concolic_is_exact(a) == tp_concolic_is_exact(b) &&
              tp_concolic_is_exact_but_pins(a) == tp_concolic_is_exact_but_pins(b) &&
              tp_state_equal(tp_concolic_state(a), tp_concolic_state(b));
  for (size_t i = 0; i < x->n && same; i++)
    same = tp_term_eq(x->at[i].condition, y->at[i].condition) &&
           x->at[i].edge.id == y->at[i].edge.id && x->at[i].step == y->at[i].step &&
           x->at[i].n_inputs == y->at[i].n_inputs && x->at[i].is_pin == y->at[i].is_pin;
  for (uint32_t v = 1; v < p->vars.n && same; v++) {
    tp_value ignored;
    tp_term over_a = TP_TERM_NONE, over_b = TP_TERM_NONE;
    tp_concolic_path pins = {0};
    tp_term symbol = tp_var_of(p, (tp_var){v})->term;
    if (tp_state_value(tp_concolic_state(a), (tp_var){v}, &ignored) != TP_OK) continue;
    same = tp_concolic_value(a, symbol, &over_a, &pins) ==
               tp_concolic_value(b, symbol, &over_b, &pins) &&
           tp_term_eq(over_a, over_b);
    tp_vec_clear(&pins);
  }
  if (!same)
    fail_msg("seed %llu: a concolic run in tiers is another run", (unsigned long long)seed);
  tp_concolic_free(a);
  tp_concolic_free(b);
  tp_state_free(start);
}

static void run_once(const tp_program *p, tp_runner *runner, tp_random_inputs *draw, tp_rng *rng,
                     uint64_t seed, counts *n) {
  tp_inputs made;
  edge_list edges = {0};
  tp_state *plain;
  tp_inputs_init(&made);
  tp_random_inputs_start(draw, &made);
  tp_oracle oracle = tp_random_inputs_oracle(draw);
  (void)tp_exec_main(p, &oracle, LIMITS, NULL);  // to have inputs
  tp_run_result ran = plain_run(p, &made, &edges, &plain);
  tp_concolic *c = tp_concolic_new(p, NULL, &made), *copy;
  (void)tp_concolic_run(c, ran.steps / 2, LIMITS, true, 0);
  copy = tp_concolic_copy(c);
  tp_concolic_free(c);
  tp_run_result r = tp_concolic_run(
      copy, 0, (tp_run_limits){.steps = LIMITS.steps - tp_concolic_steps(copy)}, true, 0);
  r.steps = tp_concolic_steps(copy);
  if (r.end != ran.end || r.loc.id != ran.loc.id || r.steps != ran.steps ||
      !tp_state_equal(plain, tp_concolic_state(copy)))
    fail_msg("seed %llu: a concolic run is another run", (unsigned long long)seed);
  valuation v = {p, copy, tp_concolic_inputs(copy)};
  assert_true(holds(&v));
  if (runner) compare_tiers(p, runner, &made, seed);
  compare_values(copy, &v, plain, seed, n);
  compare_cells(copy, &v, plain, seed, n);
  try_solved(copy, &v, &ran, &edges, rng, seed, n);
  try_others(copy, &v, &ran, &edges, rng, seed, n);
  n->runs++;
  n->exact += tp_concolic_is_exact(copy);
  n->branches += tp_concolic_path_of(copy)->n;
  tp_concolic_free(copy);
  tp_state_free(plain);
  tp_vec_clear(&edges);
  tp_inputs_clear(&made);
}

static void run_model(uint64_t seed, counts *n) {
  tape t;
  traits what;
  tp_random_inputs draw;
  tp_rng rng;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  tp_rng_init(&rng, seed);
  tp_program *p = model_make_rich(&t, diag, &what);
  tp_random_inputs_init(&draw, p, seed);
  tp_runner *runner =
      seed % 4 ? NULL : tp_runner_new(p, (tp_runner_options){.seed = seed + 1, .in_process = true});
  for (int i = 0; i < RUNS; i++) run_once(p, runner, &draw, &rng, seed, n);
  n->models++;
  if (runner) n->bursts += tp_runner_counted(runner).bursts;
  tp_runner_free(runner);
  tp_random_inputs_clear(&draw);
  tp_program_free(p);
  tp_diag_free(diag);
  tape_clear(&t);
}

static void run_models(uint64_t first, uint64_t n) {
  counts c = {0};
  for (uint64_t i = 0; i < n; i++) run_model(first + i, &c);
  printf(
      "%llu models, %llu runs (%llu exact), %llu conditions, %llu values and %llu cells that "
      "depend on inputs, "
      "%llu other runs along the same way, %llu by a solver\n",
      (unsigned long long)c.models, (unsigned long long)c.runs, (unsigned long long)c.exact,
      (unsigned long long)c.branches, (unsigned long long)c.symbolic, (unsigned long long)c.cells,
      (unsigned long long)c.others, (unsigned long long)c.solved);
  if (n < 100) return;
  assert_true(c.bursts > 0);
  assert_true(c.solved > c.models / 4 && c.cells > c.models / 4);
  assert_true(c.others > c.models / 2 && c.symbolic > c.models && c.branches > c.models);
}

static void other_inputs_on_the_same_path(void **state) {
  (void)state;
  run_models(1, getenv("TP_SOAK") ? SOAK : QUICK);
}

int main(int argc, char **argv) {
  if (argc == 3) return run_models(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10)), 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(other_inputs_on_the_same_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

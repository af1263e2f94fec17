/* Splits under aliases, on random heaps: six pointers into three objects, a store through the first
 * of them, and a target that reads through all of them. Laws (i) and (ii) of split.h against the
 * concrete machine, on runs; how many questions a split costs. */
#include "search/figures_test.h"
#include "search/split.h"
#include "program/cells.h"

enum { N_POINTERS = 6, N_OBJECTS = 3, N_RUNS = 40, N_TARGETS = 30 };

/* pointers := input objects; objects := inputs; at `before`: *pointer 0 := 7; `behind`. */
typedef struct {
  build b;
  tp_var pointers[N_POINTERS];
  tp_loc before, behind;
} heap_program;

static tp_term object_at(const build *b, uint32_t object) {
  return tp_mk_ptr_const(b->tt, object, 0);
}

static heap_program make(void) {
  heap_program h = {.b = figure_new()};
  build *b = &h.b;
  uint32_t objects[N_OBJECTS];
  tp_var in = build_var(b, "in", figure_int(b));
  for (int k = 0; k < N_OBJECTS; k++)
    objects[k] = tp_program_add_static(
        b->p, (tp_static){.name = "o", .kind = TP_O_GLOBAL, .size_bytes = 4, .align_bytes = 4});
  for (int i = 0; i < N_POINTERS; i++) {
    h.pointers[i] = build_var(b, "p", tp_sort_ptr(b->tt));
    figure_input(b, in);
    build_assign(b, h.pointers[i],
                 tp_mk_ite(b->tt, figure_is(b, in, 0), object_at(b, objects[0]),
                           tp_mk_ite(b->tt, figure_is(b, in, 1), object_at(b, objects[1]),
                                     object_at(b, objects[2]))));
  }
  for (int k = 0; k < N_OBJECTS; k++) {
    figure_input(b, in);
    build_edge(b, (tp_edge_info){
                      .kind = TP_E_STORE, .a = object_at(b, objects[k]), .b = build_term(b, in)});
  }
  h.before = b->at;
  build_edge(
      b, (tp_edge_info){.kind = TP_E_STORE, .a = build_term(b, h.pointers[0]), .b = bv(b, 32, 7)});
  h.behind = b->at;
  figure_branch(b, h.behind, figure_is(b, in, 100), build_error(b, TP_P_UNREACH_CALL),
                figure_end(b));
  build_done(b);
  return h;
}

typedef struct {
  const heap_program *h;
  tp_state *before, *behind;
} sample;

static bool keep(void *ctx, const tp_state *s) {
  sample *x = ctx;
  if (tp_state_loc(s).id == x->h->before.id) x->before = tp_state_copy(s);
  if (tp_state_loc(s).id == x->h->behind.id) x->behind = tp_state_copy(s);
  return true;
}

static sample run(const heap_program *h, tp_rng *rng) {
  sample x = {.h = h};
  tp_inputs in;
  tp_inputs_init(&in);
  for (int i = 0; i < N_POINTERS + N_OBJECTS; i++)
    tp_inputs_add(&in, (tp_input){.kind = TP_I_NONDET,
                                  .width_bits = 32,
                                  .bits = tp_rng_below(rng, i < N_POINTERS ? N_OBJECTS : 9)});
  tp_vector_oracle vector = {.in = &in, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &x, .at = keep};
  tp_state *s = tp_state_initial(h->b.p);
  (void)tp_exec_run(h->b.p, s, &oracle, (tp_run_limits){0}, &observer);
  tp_state_free(s);
  tp_inputs_clear(&in);
  assert_non_null(x.before);
  assert_non_null(x.behind);
  return x;
}

/* All reads are below random bounds. */
static tp_term random_target(const heap_program *h, tp_rng *rng) {
  const build *b = &h->b;
  tp_term all = tp_mk_true(b->tt);
  for (int i = 0; i < N_POINTERS; i++) {
    const tp_term read = tp_cell(b->p, tp_sort_bv(b->tt, 32), build_term(b, h->pointers[i]));
    all = tp_mk_and(b->tt, all,
                    tp_mk2(b->tt, TP_OP_BV_ULT, read, bv(b, 32, 4 + (int)tp_rng_below(rng, 6))));
  }
  return all;
}

static bool holds(const tp_state *s, tp_term t) {
  tp_value v = {0};
  assert_int_equal(tp_state_eval(s, t, &v), TP_OK);
  return v.bits != 0;
}

/* One split for each run that does not come into the target. The number of splits. */
static unsigned check_target(const heap_program *h, const sample *samples, tp_term target,
                             uint64_t *questions) {
  figure_setting *s = figure_open(&h->b, (tp_search_settings){.split = TP_SPLIT_ALIAS});
  tp_partition *pt = &s->pt;
  const uint32_t from = pt->root[figure_node(s, h->before)],
                 to = pt->root[figure_node(s, h->behind)];
  uint32_t yes, no;
  tp_partition_split(pt, pt->cells.at[to].region, &target, &yes, &no);
  const tp_abstract_step step = {
      tp_partition_block(pt, pt->cells.at[from].node, pt->cells.at[to].node), from,
      pt->cells.at[to].yes};
  unsigned n = 0;
  for (int i = 0; i < N_RUNS; i++) {
    if (holds(samples[i].behind, target)) continue;
    const tp_state *states[] = {samples[i].before};
    const tp_split_problem problem = {.pt = pt, .states = states, .n_states = 1};
    const uint64_t before = s->stats.solver_calls;
    tp_term rho;
    tp_str why = {0};
    if (!tp_split_predicate(&problem, step, &rho, &why)) fail_msg("%s", tp_str_text(&why));
    tp_str_clear(&why);
    assert_true(s->stats.solver_calls - before <= 1);
    *questions += s->stats.solver_calls - before;
    n++;
    assert_false(holds(samples[i].before, rho));  // (ii)
    for (int k = 0; k < N_RUNS; k++)              // (i)
      if (holds(samples[k].behind, target)) assert_true(holds(samples[k].before, rho));
    if (n <= 3)
      assert_true(tp_split_covers(pt, from, step.block, pt->cells.at[step.to].formula, rho));
  }
  figure_close(s);
  return n;
}

static void S23_splits_under_aliases_of_random_heaps(void **state) {
  (void)state;
  heap_program h = make();
  sample samples[N_RUNS];
  tp_rng rng;
  unsigned n = 0;
  uint64_t questions = 0;
  tp_rng_init(&rng, 23);
  for (int i = 0; i < N_RUNS; i++) samples[i] = run(&h, &rng);
  for (int i = 0; i < N_TARGETS; i++)
    n += check_target(&h, samples, random_target(&h, &rng), &questions);
  assert_true(n > 300);
  assert_true(questions <= n);
  for (int i = 0; i < N_RUNS; i++) {
    tp_state_free(samples[i].before);
    tp_state_free(samples[i].behind);
  }
  build_free(&h.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(S23_splits_under_aliases_of_random_heaps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

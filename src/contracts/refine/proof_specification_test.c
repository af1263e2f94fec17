/* Specifications of one path: the worked example of the source, and all conjuncts of nested
 * conditionals over all values. */
#include "contracts/refine/proof_specification.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contracts/rel/rel_eval.h"

enum { N = 6 };  // c1, c2, e1, e2, e3, v: sets of two atoms
static const char *const names[N] = {"c1", "c2", "e1", "e2", "e3", "v"};

typedef struct {
  tp_rel *l;
  tp_rel_universe *u;
  tp_rel_bounds *b;
  tp_rel_expr of[N];
  tp_rel_instance i;
  bool known[N];
} world;

static void init(world *w) {
  *w = (world){.l = tp_rel_new(), .u = tp_rel_universe_new()};
  tp_rel_tuples both = {0}, none = {0};
  for (uint32_t a = 0; a < 2; a++) tp_rel_tuples_add(&both, tp_rel_atom(w->u, a ? "b" : "a"));
  w->b = tp_rel_bounds_new(w->l, w->u);
  for (int k = 0; k < N; k++) {
    w->of[k] = tp_rel_relation(w->l, names[k], 1);
    assert_int_equal(tp_rel_bound(w->b, w->of[k], &none, &both), TP_OK);
    w->known[k] = k < N - 1;
  }
  tp_rel_tuples_clear(&both);
  tp_rel_instance_init(&w->i, N);
}

static void clear(world *w) {
  tp_rel_instance_clear(&w->i);
  tp_rel_bounds_free(w->b);
  tp_rel_universe_free(w->u);
  tp_rel_free(w->l);
  assert_int_equal(tp_live_bytes(), 0);
}

/* The number-th instance: two bits for each relation. */
static void set(world *w, uint32_t number) {
  for (uint32_t k = 0; k < N; k++) {
    w->i.of[k].n = 0;
    for (uint32_t a = 0; a < 2; a++)
      if (number >> (2 * k + a) & 1) tp_rel_tuples_add(&w->i.of[k], a);
  }
}

static tp_rel_truth_value value_of(const world *w, tp_rel_formula f) {
  tp_rel_eval *e = tp_rel_eval_new(w->b, &w->i, 3);
  const tp_rel_truth_value v = tp_rel_eval_formula(e, f);
  tp_rel_eval_free(e);
  return v;
}

static tp_rel_formula some(world *w, int k) {
  return tp_rel_multiplicity(w->l, TP_REL_SOME, w->of[k]);
}

/* v = if some c1 then e1 else (if some c2 then e2 else e3) */
static tp_rel_formula example(world *w) {
  const tp_rel_expr inner = tp_rel_if(w->l, some(w, 1), w->of[3], w->of[4]);
  return tp_rel_compare(w->l, TP_REL_EQUAL, w->of[5], tp_rel_if(w->l, some(w, 0), w->of[2], inner));
}

static void K32_the_worked_example(void **state) {
  (void)state;
  static const struct {
    uint32_t instance;
    const char *path;
  } cases[] = {{0, "(not (not some c1 and not some c2) or (v = e3))"},
               {4, "(not (not some c1 and some c2) or (v = e2))"},
               {1, "(not some c1 or (v = e1))"}};
  world w;
  init(&w);
  const tp_rel_formula f = example(&w);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    tp_str text = {0};
    set(&w, cases[k].instance);
    tp_rel_print(w.l, tp_proof_specification_path(w.l, w.b, &w.i, w.known, N, 3, f).id, &text);
    assert_string_equal(tp_str_text(&text), cases[k].path);
    tp_str_clear(&text);
  }
  clear(&w);
}

/* Conditionals under connectives, with conditions that are decided by one part. */
static tp_rel_formula conjunct(world *w, int which) {
  tp_rel *l = w->l;
  const tp_rel_formula c1 = some(w, 0), c2 = some(w, 1), either = tp_rel_or(l, c1, c2),
                       both = tp_rel_and(l, c1, tp_rel_not(l, c2));
  const tp_rel_expr x = tp_rel_if(l, either, w->of[2], w->of[3]),
                    y = tp_rel_if(l, both, x, w->of[4]);
  const tp_rel_formula f = tp_rel_compare(l, TP_REL_EQUAL, w->of[5], y),
                       g = tp_rel_compare(l, TP_REL_IN, tp_rel_binary(l, TP_REL_UNION, x, w->of[5]),
                                          y);
  switch (which) {
    case 0: return example(w);
    case 1: return f;
    case 2: return g;
    case 3: return tp_rel_or(l, tp_rel_not(l, either), f);
    case 4: return tp_rel_formula_if(l, both, g, f);
    case 5: return tp_rel_and(l, f, tp_rel_or(l, c2, g));
    default: return tp_rel_iff(l, tp_rel_compare(l, TP_REL_EQUAL, x, w->of[5]), either);
  }
}

/* For every pre-state: the path is implied by the conjunct in all instances, and has its value
 * where the pre-state is this one. */
static void K32_paths_are_implied_and_still_contradict(void **state) {
  (void)state;
  world w;
  init(&w);
  for (int which = 0; which < 7; which++) {
    const tp_rel_formula f = conjunct(&w, which);
    for (uint32_t pre = 0; pre < 1u << (2 * (N - 1)); pre += 7) {
      set(&w, pre);
      const tp_rel_formula path = tp_proof_specification_path(w.l, w.b, &w.i, w.known, N, 3, f);
      for (uint32_t post = 0; post < 4; post++) {
        set(&w, pre | post << (2 * (N - 1)));
        assert_int_equal(value_of(&w, path), value_of(&w, f));
      }
      for (uint32_t other = pre % 5; other < 1u << (2 * N); other += 61) {
        set(&w, other);
        if (value_of(&w, f) == TP_REL_IS_TRUE) assert_int_equal(value_of(&w, path), TP_REL_IS_TRUE);
      }
    }
  }
  clear(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(K32_the_worked_example),
                                     cmocka_unit_test(K32_paths_are_implied_and_still_contradict)};
  return cmocka_run_group_tests_name("proof_specification", tests, NULL, NULL);
}

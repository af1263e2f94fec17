/* Formulas under a fact against the evaluator: wherever the fact is true, the two have one value.
 */
#include "contracts/rel/rel_rewrite.h"

#include "contracts/rel/rel_eval.h"
#include "contracts/rel/testing.h"

enum { N_FORMULAS = 3000, N_PARTS = 40 };

typedef struct {
  uint32_t at[N_PARTS];
  size_t n;
} part_list;

/* Closed formulas below the node, as a fact can have them. */
static void find_parts(const tp_rel *l, uint32_t id, part_list *out) {
  const tp_rel_node *n = tp_rel_at(l, id);
  if (tp_rel_sort_of(n->kind) == TP_REL_SORT_FORMULA && !n->n_free && out->n < N_PARTS)
    out->at[out->n++] = id;
  for (uint32_t i = 0; i < n->n_kids; i++) find_parts(l, n->kids[i], out);
}

/* Parts of the formula or their negations, under one or two connectives, and something else. */
static tp_rel_formula any_fact(world *w, tp_rel_formula f) {
  part_list parts = {.n = 0};
  find_parts(w->l, f.id, &parts);
  tp_rel_formula fact = below(w, 3) ? tp_rel_bool(w->l, true) : any_formula(w, 1);
  for (uint64_t k = 1 + below(w, 3); k > 0; k--) {
    const tp_rel_formula part = {parts.at[below(w, parts.n)]};
    const tp_rel_formula is = below(w, 2) ? part : tp_rel_not(w->l, part);
    fact = below(w, 2)
               ? tp_rel_and(w->l, fact, is)
               : tp_rel_not(w->l, tp_rel_or(w->l, tp_rel_not(w->l, is), tp_rel_not(w->l, fact)));
  }
  return fact;
}

static void K32_a_formula_under_a_fact_has_its_value(void **state) {
  (void)state;
  uint64_t n_changed = 0, n_true = 0, n_undefined = 0;
  for (uint64_t seed = 1; seed <= N_FORMULAS; seed++) {
    world w;
    world_init(&w, seed, seed % 4 ? ANY_ATOMS : ALL_INTEGERS);
    const tp_rel_formula f = any_formula(&w, 4), fact = any_fact(&w, f),
                         given = tp_rel_given(w.l, f, fact);
    n_changed += given.id != f.id;
    tp_rel_instance i = {0};
    tp_rel_instance_init(&i, MAX_RELATIONS);
    for (uint32_t mask = 0; mask < 1u << w.n_open && given.id != f.id; mask++) {
      instance_of(&w, mask, &i);
      tp_rel_eval *e = tp_rel_eval_new(w.b, &i, WIDTH);
      if (tp_rel_eval_formula(e, fact) == TP_REL_IS_TRUE) {
        const tp_rel_truth_value v = tp_rel_eval_formula(e, f);
        n_true++;
        n_undefined += v == TP_REL_IS_UNDEFINED;
        assert_int_equal(tp_rel_eval_formula(e, given), v);
      }
      tp_rel_eval_free(e);
    }
    tp_rel_instance_clear(&i);
    world_clear(&w);
  }
  print_message("%llu of %d changed, compared at %llu instances, undefined at %llu\n",
                (unsigned long long)n_changed, N_FORMULAS, (unsigned long long)n_true,
                (unsigned long long)n_undefined);
  assert_true(n_changed > N_FORMULAS / 2 && n_true > N_FORMULAS && n_undefined > 0);
}

static void K32_conditionals_are_their_branches(void **state) {
  (void)state;
  tp_rel *l = tp_rel_new();
  const tp_rel_expr a = tp_rel_relation(l, "a", 1), b = tp_rel_relation(l, "b", 1);
  const tp_rel_formula c = tp_rel_multiplicity(l, TP_REL_SOME, a),
                       d = tp_rel_multiplicity(l, TP_REL_NO, b);
  const tp_rel_expr inner = tp_rel_if(l, d, a, b);
  // its condition is the second fact once the first has decided what is inside of it
  const tp_rel_formula nested = tp_rel_compare(l, TP_REL_IN, tp_rel_if(l, c, b, inner), a);
  const tp_rel_formula outer = tp_rel_formula_if(l, nested, d, tp_rel_not(l, d));
  const tp_rel_formula both = tp_rel_and(l, c, tp_rel_compare(l, TP_REL_IN, b, a));
  assert_int_equal(tp_rel_given(l, outer, both).id, d.id);
  assert_int_equal(
      tp_rel_given(l, outer, c).id,
      tp_rel_formula_if(l, tp_rel_compare(l, TP_REL_IN, b, a), d, tp_rel_not(l, d)).id);
  assert_int_equal(tp_rel_given(l, outer, tp_rel_bool(l, true)).id, outer.id);
  assert_int_equal(tp_rel_given(l, tp_rel_or(l, d, c), tp_rel_not(l, c)).id,
                   tp_rel_or(l, d, tp_rel_bool(l, false)).id);
  tp_rel_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(K32_a_formula_under_a_fact_has_its_value),
      cmocka_unit_test(K32_conditionals_are_their_branches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

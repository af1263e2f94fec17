/* The evaluator gives conditions over the pre-state their values; a condition becomes a conjunction
 * of its parts that imply its value (all kids of a true conjunction, one kid of a false one). */
#include "contracts/refine/proof_specification.h"

#include "contracts/rel/rel_eval.h"
#include "contracts/rel/rel_rewrite.h"

typedef struct {
  tp_rel *l;
  tp_rel_eval *e;
  const bool *known;
  uint32_t n_known;
  tp_map is_pre;  // node to 1 + whether all of its relations are known
  tp_map has_premise;
  TP_VEC(tp_rel_formula) premises;
  tp_rel_rewriter terms;  // conditionals only
} specialisation;

static bool is_pre(specialisation *s, uint32_t id) {
  uint64_t v;
  if (tp_map_get(&s->is_pre, id, &v)) return v == 2;
  const tp_rel_node *n = tp_rel_at(s->l, id);
  bool all =
      n->kind != TP_REL_RELATION || ((uint64_t)n->number < s->n_known && s->known[n->number]);
  for (uint32_t i = 0; i < n->n_kids && all; i++) all = is_pre(s, n->kids[i]);
  tp_map_set(&s->is_pre, id, all ? 2 : 1);
  return all;
}

/* A closed formula over the pre-state has a value; UNDEFINED: it has none, or is another one. */
static tp_rel_truth_value value_of(specialisation *s, uint32_t id) {
  const tp_rel_node *n = tp_rel_at(s->l, id);
  if (tp_rel_sort_of(n->kind) != TP_REL_SORT_FORMULA || n->n_free || !is_pre(s, id))
    return TP_REL_IS_UNDEFINED;
  return tp_rel_eval_formula(s->e, (tp_rel_formula){id});
}

static void add_premise(specialisation *s, tp_rel_formula f) {
  if (tp_rel_at(s->l, f.id)->kind == TP_REL_TRUE || tp_map_has(&s->has_premise, f.id)) return;
  tp_map_set(&s->has_premise, f.id, 1);
  tp_vec_push(&s->premises, f);
}

/* Premises that imply that f has the value that it has. */
static void imply(specialisation *s, uint32_t id, bool value) {
  const tp_rel_node n = *tp_rel_at(s->l, id);
  if (n.kind == TP_REL_NOT) {
    imply(s, n.kids[0], !value);
    return;
  }
  if (n.kind == TP_REL_AND || n.kind == TP_REL_OR) {
    const bool needs_all = (n.kind == TP_REL_AND) == value;
    const tp_rel_truth_value wanted = value ? TP_REL_IS_TRUE : TP_REL_IS_FALSE;
    for (uint32_t i = 0; i < n.n_kids; i++) {
      if (!needs_all && value_of(s, n.kids[i]) != wanted) continue;
      imply(s, n.kids[i], value);
      if (!needs_all) return;
    }
    return;
  }
  if (n.kind == TP_REL_FORMULA_IF) {
    const tp_rel_truth_value c = value_of(s, n.kids[0]);
    if (c != TP_REL_IS_UNDEFINED) {
      imply(s, n.kids[0], c == TP_REL_IS_TRUE);
      imply(s, n.kids[c == TP_REL_IS_TRUE ? 1 : 2], value);
      return;
    }
  }
  const tp_rel_formula f = {tp_rel_rewrite(&s->terms, id)};
  add_premise(s, value ? f : tp_rel_not(s->l, f));
}

/* Conditionals that the pre-state decides. */
static tp_rel_rewrite_step choose_branch(void *ctx, uint32_t id, uint32_t *other) {
  specialisation *s = ctx;
  const tp_rel_node n = *tp_rel_at(s->l, id);
  if (n.kind != TP_REL_IF && n.kind != TP_REL_INT_IF && n.kind != TP_REL_FORMULA_IF)
    return TP_REL_REWRITE_KEEP;
  const tp_rel_truth_value c = value_of(s, n.kids[0]);
  if (c == TP_REL_IS_UNDEFINED) return TP_REL_REWRITE_KEEP;
  imply(s, n.kids[0], c == TP_REL_IS_TRUE);
  *other = n.kids[c == TP_REL_IS_TRUE ? 1 : 2];
  return TP_REL_REWRITE_GO_ON;
}

/* And formulas that it decides, below connectives. */
static tp_rel_rewrite_step decide(void *ctx, uint32_t id, uint32_t *other) {
  specialisation *s = ctx;
  const tp_rel_truth_value v = value_of(s, id);
  if (v == TP_REL_IS_UNDEFINED) return choose_branch(ctx, id, other);
  if (tp_rel_at(s->l, id)->n_kids == 0) return TP_REL_REWRITE_KEEP;
  imply(s, id, v == TP_REL_IS_TRUE);
  *other = tp_rel_bool(s->l, v == TP_REL_IS_TRUE).id;
  return TP_REL_REWRITE_DONE;
}

tp_rel_formula tp_proof_specification_path(tp_rel *l, const tp_rel_bounds *b,
                                           const tp_rel_instance *pre, const bool *known,
                                           uint32_t n_known, uint32_t width_bits,
                                           tp_rel_formula conjunct) {
  TP_REQUIRE(l && b && pre && known && conjunct.id);
  specialisation s = {.l = l, .known = known, .n_known = n_known};
  tp_rel_rewriter formulas;
  s.e = tp_rel_eval_new(b, pre, width_bits);
  tp_rel_rewriter_init(&s.terms, l, &s, choose_branch);
  tp_rel_rewriter_init(&formulas, l, &s, decide);
  const tp_rel_formula special = {tp_rel_rewrite(&formulas, conjunct.id)};
  const tp_rel_formula premise = tp_rel_and_all(l, s.premises.at, (uint32_t)s.premises.n);
  const tp_rel_formula out = s.premises.n ? tp_rel_implies(l, premise, special) : special;
  tp_rel_rewriter_clear(&formulas);
  tp_rel_rewriter_clear(&s.terms);
  tp_rel_eval_free(s.e);
  tp_map_clear(&s.is_pre);
  tp_map_clear(&s.has_premise);
  tp_vec_clear(&s.premises);
  return out;
}

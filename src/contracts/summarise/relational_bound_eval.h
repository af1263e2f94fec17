/* Tests of relational bounds: what an expression is in one small state.
 *
 * Represents atoms by number; a set as a word, a relation of two columns as one word for each first
 *            atom. No arrays. */
#ifndef TP_CONTRACTS_SUMMARISE_RELATIONAL_BOUND_EVAL_H
#define TP_CONTRACTS_SUMMARISE_RELATIONAL_BOUND_EVAL_H

#include "contracts/summarise/relational_bound.h"

enum { TP_SMALL_ATOMS = 24 };
typedef uint32_t small_set;
typedef struct {
  small_set of[TP_SMALL_ATOMS];  // arity 2: what the atom leads to
  small_set set;                 // arity 1
  bool holds;                    // formulas
} small_value;

typedef struct {
  uint32_t n_atoms;
  small_set null, ints;  // one atom; integers
  small_value (*name)(void *ctx, const tp_rbound_name_info *name);
  small_set (*new_object)(void *ctx, uint32_t number);
  small_set (*new_set)(void *ctx, uint32_t basic);
  small_set (*integer)(void *ctx, int64_t value);  // none: no atom is that integer
  int64_t (*integer_of)(void *ctx, small_set one);
  void *ctx;
} small_state;

static inline small_set small_image(const small_state *s, small_set a, const small_value *r) {
  small_set out = 0;
  for (uint32_t i = 0; i < s->n_atoms; i++)
    if (a >> i & 1) out |= r->of[i];
  return out;
}

static inline small_value small_eval(const tp_rbounds *t, tp_rbound b, const small_state *s);

static inline small_value small_leaf(const tp_rbounds *t, tp_rbound b, const small_state *s) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  const small_set all = ((small_set)1 << s->n_atoms) - 1;
  small_value v = {0};
  const tp_rbound_kind k = n->kind;
  if (k == TP_RBOUND_UNIV) {
    v.set = all;
    for (uint32_t i = 0; i < s->n_atoms; i++) v.of[i] = all;
  }
  if (k == TP_RBOUND_INTS) v.set = s->ints;
  if (k == TP_RBOUND_NULL) v.set = s->null;
  if (k == TP_RBOUND_INT) v.set = s->integer(s->ctx, n->number);
  if (k == TP_RBOUND_NAME) v = s->name(s->ctx, tp_rbound_name_of(t, b));
  if (k == TP_RBOUND_NEW) v.set = s->new_object(s->ctx, (uint32_t)n->number);
  if (k == TP_RBOUND_NEW_SET) v.set = s->new_set(s->ctx, n->basic);
  v.holds = k == TP_RBOUND_TRUE;
  return v;
}

/* Set by set: the rows of a relation, and its set. */
static inline void small_combine(tp_rbound_kind k, small_value *v, const small_value *w,
                                 uint32_t n_atoms) {
  for (uint32_t i = 0; i <= n_atoms; i++) {
    small_set *a = i < n_atoms ? &v->of[i] : &v->set;
    const small_set b = i < n_atoms ? w->of[i] : w->set;
    if (k == TP_RBOUND_UNION)
      *a |= b;
    else if (k == TP_RBOUND_INTERSECTION)
      *a &= b;
    else if (k == TP_RBOUND_DIFFERENCE)
      *a &= ~b;
    else
      *a = b ? b : *a;
  }
}

/* is_preimage: of a relation and a set. */
static inline small_value small_join(const small_state *s, const tp_rbound_node *n, small_value a,
                                     const small_value *r, bool is_preimage) {
  small_value v = {0};
  if (n->kind == TP_RBOUND_JOIN && n->arity == 1) {
    v.set = small_image(s, a.set & ~s->null, r);
    for (uint32_t i = 0; i < s->n_atoms && is_preimage; i++)
      v.set |= a.of[i] & r->set ? (small_set)1 << i : 0;
  } else if (n->kind == TP_RBOUND_JOIN) {
    for (uint32_t i = 0; i < s->n_atoms; i++) v.of[i] = small_image(s, a.of[i] & ~s->null, r);
  } else if (n->kind == TP_RBOUND_PRODUCT) {
    for (uint32_t i = 0; i < s->n_atoms; i++) v.of[i] = a.set >> i & 1 ? r->set : 0;
  } else {
    for (v.set = a.set; (v.set | small_image(s, v.set & ~s->null, r)) != v.set;)
      v.set |= small_image(s, v.set & ~s->null, r);
  }
  return v;
}

/* x.*(r - (in -> univ)) & in */
static inline small_value small_first(const small_state *s, small_set x, const small_value *r,
                                      small_set in) {
  small_set all = x;
  while ((all | small_image(s, all & ~in & ~s->null, r)) != all)
    all |= small_image(s, all & ~in & ~s->null, r);
  return (small_value){.set = all & in};
}

static inline small_value small_eval(const tp_rbounds *t, tp_rbound b, const small_state *s) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  if (n->n_kids == 0) return small_leaf(t, b, s);
  small_value v = small_eval(t, n->kids[0], s);
  if (n->kind == TP_RBOUND_IF) return small_eval(t, n->kids[v.holds ? 1 : 2], s);
  if (n->kind == TP_RBOUND_FIRST) {
    const small_value r = small_eval(t, n->kids[1], s);
    return small_first(s, v.set, &r, small_eval(t, n->kids[2], s).set);
  }
  if (n->kind == TP_RBOUND_NOT) v.holds = !v.holds;
  for (uint32_t i = 1; i < n->n_kids; i++) {
    const small_value w = small_eval(t, n->kids[i], s);
    const tp_rbound_kind k = n->kind;
    if (k == TP_RBOUND_JOIN || k == TP_RBOUND_PRODUCT || k == TP_RBOUND_REACH)
      return small_join(s, n, v, &w, tp_rbound_at(t, n->kids[0])->arity == 2);
    if (k == TP_RBOUND_EQUAL)
      v.holds = v.set == w.set;
    else if (k == TP_RBOUND_LESS)
      v.holds = s->integer_of(s->ctx, v.set) < s->integer_of(s->ctx, w.set);
    else if (k == TP_RBOUND_AND)
      v.holds = v.holds && w.holds;
    else if (k == TP_RBOUND_OR)
      v.holds = v.holds || w.holds;
    else
      small_combine(k, &v, &w, s->n_atoms);
  }
  return v;
}

#endif

/* Interchangeable atoms and lex-leader predicates. A hash of how often each atom occurs in which
 * column of which bound filters the pairs; a swap of the remaining pairs is tried on every bound.
 * The predicates compare primary variables in a fixed order with their images under a swap: sound
 * for all swaps at once, since the smallest instance of an orbit satisfies every comparison. */
#include "contracts/rel/symmetry.h"

#include "contracts/contracts_limits.h"

static uint64_t swapped(const tp_rel_universe *u, uint64_t tuple, uint32_t arity, uint32_t a,
                        uint32_t b) {
  TP_REQUIRE(a < tp_rel_n_atoms(u) && b < tp_rel_n_atoms(u));
  uint32_t atoms[TP_CONTRACTS_ARITY];
  tp_rel_tuple_atoms(u, tuple, arity, atoms);
  for (uint32_t i = 0; i < arity; i++) atoms[i] = atoms[i] == a ? b : atoms[i] == b ? a : atoms[i];
  return tp_rel_tuple(u, atoms, arity);
}

/* A swap is its own inverse: if every tuple of the set is mapped into the set, the set is mapped
 * onto itself. */
static bool keeps(const tp_rel_universe *u, const tp_rel_tuples *s, uint32_t arity, uint32_t a,
                  uint32_t b) {
  for (size_t i = 0; i < s->n; i++) {
    const uint64_t to = swapped(u, s->at[i], arity, a, b);
    if (to != s->at[i] && !tp_rel_tuples_contain(s, to)) return false;
  }
  return true;
}

static bool are_interchangeable(const tp_rel_bounds *b, uint32_t x, uint32_t y) {
  const tp_rel *l = tp_rel_bounds_logic(b);
  const tp_rel_universe *u = tp_rel_bounds_universe(b);
  for (uint32_t r = 0; r < tp_rel_n_relations(l); r++) {
    if (!tp_rel_lower(b, r)) continue;
    const uint32_t arity = tp_rel_relation_arity(l, r);
    if (!keeps(u, tp_rel_lower(b, r), arity, x, y) || !keeps(u, tp_rel_upper(b, r), arity, x, y))
      return false;
  }
  return true;
}

/* How often each atom is in which column of which set: what a swap can keep has equal counts. A
 * hash of that. */
static void count_places(const tp_rel_bounds *b, uint64_t *hash) {
  const tp_rel *l = tp_rel_bounds_logic(b);
  const tp_rel_universe *u = tp_rel_bounds_universe(b);
  uint32_t atoms[TP_CONTRACTS_ARITY];
  for (uint32_t r = 0; r < tp_rel_n_relations(l); r++)
    for (int upper = 0; upper < 2 && tp_rel_lower(b, r); upper++) {
      const tp_rel_tuples *s = upper ? tp_rel_upper(b, r) : tp_rel_lower(b, r);
      const uint32_t arity = tp_rel_relation_arity(l, r);
      for (size_t i = 0; i < s->n; i++) {
        tp_rel_tuple_atoms(u, s->at[i], arity, atoms);
        for (uint32_t c = 0; c < arity; c++)
          hash[atoms[c]] +=
              tp_hash_u64(((uint64_t)r * 2 + (uint64_t)upper) * TP_CONTRACTS_ARITY + c + 1);
      }
    }
}

void tp_rel_symmetry_classes(const tp_rel_bounds *b, uint32_t *class_of) {
  const tp_rel_universe *u = tp_rel_bounds_universe(b);
  const uint32_t n = tp_rel_n_atoms(u);
  uint64_t *hash = TP_NEW_ARRAY(uint64_t, n + 1);
  int64_t v;
  count_places(b, hash);
  for (uint32_t a = 0; a < n; a++) {
    class_of[a] = a;
    for (uint32_t c = 0; c < a && !tp_rel_atom_is_int(u, a, &v) && class_of[a] == a; c++)
      if (class_of[c] == c && hash[c] == hash[a] && !tp_rel_atom_is_int(u, c, &v) &&
          are_interchangeable(b, c, a))
        class_of[a] = c;
    TP_INVARIANT(class_of[a] <= a && class_of[class_of[a]] == class_of[a]);
  }
  tp_free(hash);
}

/* x_1 x_2 ... <= y_1 y_2 ..., false before true: as long as all pairs so far are equal, x_i implies
 * y_i. Where a pair (x, y) was compared the pair (y, x) says nothing more: only the tuple that is
 * smaller than its image is looked at. */
typedef struct {
  const tp_rel_translation *t;
  const tp_rel_universe *u;
  tp_gates *g;
  uint32_t x, y;  // the atoms that change places
  uint32_t left;  // pairs to be looked at
  tp_lit equal, all;
} comparison;

static void compare(comparison *c, uint32_t relation, uint32_t arity) {
  const tp_rel_matrix m = tp_rel_translation_of(c->t, relation);
  for (size_t i = 0; i < m.n && c->left; i++) {
    const uint64_t to = swapped(c->u, m.at[i].tuple, arity, c->x, c->y);
    if (to <= m.at[i].tuple) continue;
    const tp_lit p = m.at[i].lit, q = tp_rel_matrix_cell(m, to);
    if (tp_lit_eq(p, q)) continue;
    c->all = tp_gate_and(
        c->g, c->all, tp_lit_not(tp_gate_and(c->g, c->equal, tp_gate_and(c->g, p, tp_lit_not(q)))));
    c->equal =
        tp_gate_and(c->g, c->equal,
                    tp_lit_not(tp_gate_and(
                        c->g, q, tp_lit_not(p))));  // p implies q, so this is all that can differ
    c->left--;
  }
}

/* Sets come before relations of more columns: what tells an atom from others is more often which
 * sets it is in, and there are few variables to compare. */
static tp_lit is_smallest(const tp_rel_translation *t, const tp_rel_bounds *b, tp_gates *g,
                          uint32_t x, uint32_t y, uint32_t max_length) {
  const tp_rel *l = tp_rel_bounds_logic(b);
  comparison c = {.t = t,
                  .u = tp_rel_bounds_universe(b),
                  .g = g,
                  .x = x,
                  .y = y,
                  .left = max_length,
                  .equal = TP_LIT_TRUE,
                  .all = TP_LIT_TRUE};
  for (uint32_t arity = 1; arity <= TP_CONTRACTS_ARITY; arity++)
    for (uint32_t r = 0; r < tp_rel_n_relations(l); r++)
      if (tp_rel_relation_arity(l, r) == arity) compare(&c, r, arity);
  return c.all;
}

/* The smallest of the instances that are one up to names stays whatever permutation it is compared
 * with, so all swaps in a class may be asked for. Those of neighbours exclude most; the others are
 * compared over fewer pairs, or they would cost more than they save. */
tp_lit tp_rel_symmetry_predicate(const tp_rel_translation *t, const tp_rel_bounds *b, tp_gates *g,
                                 uint32_t max_length) {
  TP_REQUIRE(max_length > 0);
  const uint32_t n = tp_rel_n_atoms(tp_rel_bounds_universe(b));
  uint32_t *class_of = TP_NEW_ARRAY(uint32_t, n + 1);
  tp_lit all = TP_LIT_TRUE;
  tp_rel_symmetry_classes(b, class_of);
  for (uint32_t a = 0; a < n; a++) {
    uint32_t length = max_length;
    for (uint32_t c = a; c-- > 0;) {
      if (class_of[c] != class_of[a]) continue;
      all = tp_gate_and(g, all, is_smallest(t, b, g, c, a, length));
      length = max_length * TP_CONTRACTS_SYMMETRY_FAR / TP_CONTRACTS_SYMMETRY_NEAR;
    }
  }
  tp_free(class_of);
  return all;
}

// ----------------------------------------------------------------------- orders

/* Are these atoms, all of them, interchangeable? Then every permutation of them maps bounds to
 * bounds. */
static bool is_one_class(const tp_rel_bounds *b, const tp_rel_tuples *set) {
  TP_REQUIRE(tp_rel_tuples_check(set, tp_rel_n_atoms(tp_rel_bounds_universe(b))));
  uint32_t *class_of = TP_NEW_ARRAY(uint32_t, tp_rel_n_atoms(tp_rel_bounds_universe(b)) + 1);
  tp_rel_symmetry_classes(b, class_of);
  bool all = true;
  for (size_t i = 1; i < set->n && all; i++) all = class_of[set->at[i]] == class_of[set->at[0]];
  tp_free(class_of);
  return all;
}

/* Each atom of the set before the next one. */
static void chain(const tp_rel_universe *u, const tp_rel_tuples *set, tp_rel_tuples *out) {
  for (size_t i = 1; i < set->n; i++)
    tp_rel_tuples_add(
        out,
        tp_rel_tuple(u, (const uint32_t[]){(uint32_t)set->at[i - 1], (uint32_t)set->at[i]}, 2));
}

static bool fix_order(tp_rel_bounds *b, tp_rel_expr relation, tp_rel_expr set) {
  const tp_rel *l = tp_rel_bounds_logic(b);
  if (tp_rel_at(l, relation.id)->kind != TP_REL_RELATION ||
      tp_rel_at(l, set.id)->kind != TP_REL_RELATION)
    return false;
  const uint32_t r = tp_rel_relation_number(l, relation), s = tp_rel_relation_number(l, set);
  const tp_rel_tuples *upper = tp_rel_upper(b, r), *atoms = tp_rel_upper(b, s);
  if (!upper || !atoms || !tp_rel_tuples_equal(tp_rel_lower(b, s), atoms) ||
      tp_rel_tuples_equal(tp_rel_lower(b, r), upper))
    return false;
  tp_rel_tuples value = {0};
  chain(tp_rel_bounds_universe(b), atoms, &value);
  // every permutation of the atoms keeps the bounds of r: if they allow this order, they allow all
  bool ok = is_one_class(b, atoms) && tp_rel_tuples_are_subset(&value, upper) &&
            tp_rel_tuples_are_subset(tp_rel_lower(b, r), &value);
  ok = ok && tp_rel_bound_exactly(b, relation, &value) == TP_OK;
  tp_rel_tuples_clear(&value);
  return ok;
}

static uint32_t fix_orders_of(tp_rel_bounds *b, tp_rel_formula fact) {
  const tp_rel *l = tp_rel_bounds_logic(b);
  const tp_rel_node *n = tp_rel_at(l, fact.id);
  tp_rel_expr relation, set;
  uint32_t fixed = 0;
  if (tp_rel_is_total_order(l, fact, &relation, &set)) return fix_order(b, relation, set);
  for (uint32_t i = 0; n->kind == TP_REL_AND && i < n->n_kids; i++)
    fixed += fix_orders_of(b, (tp_rel_formula){n->kids[i]});
  return fixed;
}

uint32_t tp_rel_symmetry_fix_orders(tp_rel_bounds *b, const tp_rel_formula *facts, size_t n) {
  uint32_t fixed = 0;
  for (size_t i = 0; i < n; i++) fixed += fix_orders_of(b, facts[i]);
  return fixed;
}

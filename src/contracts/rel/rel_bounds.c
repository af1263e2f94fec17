/* Universes, sets of tuples, bounds, instances. A set is a sorted array of numbers: membership is a
 * binary search, insertion at the end is constant, and equal sets are equal arrays. */
#include "contracts/rel/rel_bounds.h"

#include "contracts/contracts_limits.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint32_t name;
  bool is_int;
  int64_t value;
} atom;

struct tp_rel_universe {
  tp_names *names;
  TP_VEC(atom) atoms;
  tp_map by_value;  // integers to atoms
};

tp_rel_universe *tp_rel_universe_new(void) {
  tp_rel_universe *u = TP_NEW(tp_rel_universe);
  u->names = tp_names_new();
  return u;
}

void tp_rel_universe_free(tp_rel_universe *u) {
  if (!u) return;
  tp_names_free(u->names);
  tp_vec_clear(&u->atoms);
  tp_map_clear(&u->by_value);
  tp_free(u);
}

uint32_t tp_rel_atom(tp_rel_universe *u, const char *name) {
  TP_REQUIRE(name != NULL);
  tp_vec_push(&u->atoms, (atom){.name = tp_name_of(u->names, name)});
  return (uint32_t)u->atoms.n - 1;
}

uint32_t tp_rel_int_atom(tp_rel_universe *u, int64_t value) {
  uint32_t at;
  if (tp_rel_find_int_atom(u, value, &at)) return at;
  char name[32];
  snprintf(name, sizeof name, "%lld", (long long)value);
  at = tp_rel_atom(u, name);
  u->atoms.at[at].is_int = true;
  u->atoms.at[at].value = value;
  tp_map_set(&u->by_value, (uint64_t)value, at);
  return at;
}

void tp_rel_int_atoms(tp_rel_universe *u, uint32_t width_bits) {
  TP_REQUIRE(width_bits > 0 && width_bits < 64);
  const int64_t half = (int64_t)1 << (width_bits - 1);
  for (int64_t v = -half; v < half; v++) tp_rel_int_atom(u, v);
}

uint32_t tp_rel_n_atoms(const tp_rel_universe *u) { return (uint32_t)u->atoms.n; }
const char *tp_rel_atom_name(const tp_rel_universe *u, uint32_t a) {
  TP_REQUIRE(a < u->atoms.n);
  return tp_name_text(u->names, u->atoms.at[a].name);
}

bool tp_rel_atom_is_int(const tp_rel_universe *u, uint32_t a, int64_t *value) {
  TP_REQUIRE(a < u->atoms.n);
  *value = u->atoms.at[a].value;
  return u->atoms.at[a].is_int;
}

bool tp_rel_find_int_atom(const tp_rel_universe *u, int64_t value, uint32_t *at) {
  uint64_t found;
  if (!tp_map_get(&u->by_value, (uint64_t)value, &found)) return false;
  *at = (uint32_t)found;
  return true;
}

uint64_t tp_rel_n_tuples(const tp_rel_universe *u, uint32_t arity) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < arity; i++)
    if (__builtin_mul_overflow(n, (uint64_t)u->atoms.n, &n) || n >> 62) return 0;
  return n;
}

uint64_t tp_rel_tuple(const tp_rel_universe *u, const uint32_t *atoms, uint32_t arity) {
  TP_REQUIRE(arity <= TP_CONTRACTS_ARITY);
  uint64_t t = 0;
  for (uint32_t i = 0; i < arity; i++) {
    TP_REQUIRE(atoms[i] < u->atoms.n);
    t = t * u->atoms.n + atoms[i];
  }
  return t;
}

void tp_rel_tuple_atoms(const tp_rel_universe *u, uint64_t tuple, uint32_t arity, uint32_t *atoms) {
  TP_REQUIRE(arity <= TP_CONTRACTS_ARITY && u->atoms.n > 0);
  for (uint32_t i = arity; i-- > 0; tuple /= u->atoms.n) atoms[i] = (uint32_t)(tuple % u->atoms.n);
  TP_INVARIANT(tuple == 0);  // every digit was one column: the tuple has this arity
}

// ---------------------------------------------------------------- sets of tuples

void tp_rel_tuples_clear(tp_rel_tuples *s) { tp_vec_clear(s); }

void tp_rel_tuples_copy(tp_rel_tuples *to, const tp_rel_tuples *from) {
  tp_vec_resize(to, from->n);
  if (from->n) memcpy(to->at, from->at, from->n * sizeof *from->at);
}

/* The first index whose tuple is not smaller. */
static size_t place_of(const tp_rel_tuples *s, uint64_t tuple) {
  size_t low = 0, high = s->n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (s->at[mid] < tuple)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

bool tp_rel_tuples_contain(const tp_rel_tuples *s, uint64_t tuple) {
  const size_t at = place_of(s, tuple);
  return at < s->n && s->at[at] == tuple;
}

bool tp_rel_tuples_are_subset(const tp_rel_tuples *a, const tp_rel_tuples *b) {
  for (size_t i = 0; i < a->n; i++)
    if (!tp_rel_tuples_contain(b, a->at[i])) return false;
  return true;
}

bool tp_rel_tuples_equal(const tp_rel_tuples *a, const tp_rel_tuples *b) {
  return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

void tp_rel_tuples_add(tp_rel_tuples *s, uint64_t tuple) {
  const size_t at = s->n && s->at[s->n - 1] < tuple ? s->n : place_of(s, tuple);
  if (at < s->n && s->at[at] == tuple) return;
  tp_vec_push(s, tuple);
  memmove(s->at + at + 1, s->at + at, (s->n - 1 - at) * sizeof *s->at);
  s->at[at] = tuple;
  TP_INVARIANT((at == 0 || s->at[at - 1] < tuple) && (at + 1 == s->n || tuple < s->at[at + 1]));
}

void tp_rel_tuples_add_product(const tp_rel_universe *u, tp_rel_tuples *s, uint32_t arity,
                               const uint32_t *first, const uint32_t *last) {
  TP_REQUIRE(arity > 0 && arity <= TP_CONTRACTS_ARITY);
  uint32_t atoms[TP_CONTRACTS_ARITY];
  for (uint32_t i = 0; i < arity; i++) {
    if (first[i] > last[i]) return;
    atoms[i] = first[i];
  }
  for (;;) {
    tp_rel_tuples_add(s, tp_rel_tuple(u, atoms, arity));
    uint32_t column = arity;
    while (column > 0 && atoms[column - 1] == last[column - 1]) {
      column--;
      atoms[column] = first[column];
    }
    if (column == 0) return;
    atoms[column - 1]++;
  }
}

// ------------------------------------------------------------------------ bounds

typedef struct {
  bool is_bound;
  tp_rel_tuples lower, upper;
} bound;

struct tp_rel_bounds {
  const tp_rel *l;
  const tp_rel_universe *u;
  TP_VEC(bound) of;  // by number of relation
};

tp_rel_bounds *tp_rel_bounds_new(const tp_rel *l, const tp_rel_universe *u) {
  TP_REQUIRE(l && u);
  tp_rel_bounds *b = TP_NEW(tp_rel_bounds);
  b->l = l;
  b->u = u;
  return b;
}

void tp_rel_bounds_free(tp_rel_bounds *b) {
  if (!b) return;
  for (size_t i = 0; i < b->of.n; i++) {
    tp_vec_clear(&b->of.at[i].lower);
    tp_vec_clear(&b->of.at[i].upper);
  }
  tp_vec_clear(&b->of);
  tp_free(b);
}

const tp_rel *tp_rel_bounds_logic(const tp_rel_bounds *b) { return b->l; }
const tp_rel_universe *tp_rel_bounds_universe(const tp_rel_bounds *b) { return b->u; }

tp_status tp_rel_bound(tp_rel_bounds *b, tp_rel_expr relation, const tp_rel_tuples *lower,
                       const tp_rel_tuples *upper) {
  TP_REQUIRE(tp_rel_tuples_check(lower, UINT64_MAX) && tp_rel_tuples_check(upper, UINT64_MAX));
  if (!relation.id || tp_rel_at(b->l, relation.id)->kind != TP_REL_RELATION) return TP_ERR_ARG;
  const uint64_t n_tuples = tp_rel_n_tuples(b->u, tp_rel_at(b->l, relation.id)->arity);
  if (n_tuples == 0 && upper->n) return TP_ERR_ARG;
  if (upper->n && upper->at[upper->n - 1] >= n_tuples) return TP_ERR_ARG;
  if (!tp_rel_tuples_are_subset(lower, upper)) return TP_ERR_ARG;
  const uint32_t r = tp_rel_relation_number(b->l, relation);
  const size_t n_lower = lower->n, n_upper = upper->n;
  tp_rel_tuples new_lower = {0}, new_upper = {0};  // those given may be another relation's, in `of`
  tp_rel_tuples_copy(&new_lower, lower);
  tp_rel_tuples_copy(&new_upper, upper);
  if (r >= b->of.n) tp_vec_resize(&b->of, r + 1);
  // a relation may be bound again, more tightly: what stands is what was given last
  tp_rel_tuples_clear(&b->of.at[r].lower);
  tp_rel_tuples_clear(&b->of.at[r].upper);
  b->of.at[r].lower = new_lower;
  b->of.at[r].upper = new_upper;
  b->of.at[r].is_bound = true;
  TP_INVARIANT(b->of.at[r].lower.n == n_lower && b->of.at[r].upper.n == n_upper);
  return TP_OK;
}

tp_status tp_rel_bound_exactly(tp_rel_bounds *b, tp_rel_expr relation, const tp_rel_tuples *value) {
  return tp_rel_bound(b, relation, value, value);
}

const tp_rel_tuples *tp_rel_lower(const tp_rel_bounds *b, uint32_t r) {
  return r < b->of.n && b->of.at[r].is_bound ? &b->of.at[r].lower : NULL;
}
const tp_rel_tuples *tp_rel_upper(const tp_rel_bounds *b, uint32_t r) {
  return r < b->of.n && b->of.at[r].is_bound ? &b->of.at[r].upper : NULL;
}

// --------------------------------------------------------------------- instances

void tp_rel_instance_init(tp_rel_instance *i, uint32_t n_relations) {
  i->n = n_relations;
  i->of = n_relations ? TP_NEW_ARRAY(tp_rel_tuples, n_relations) : NULL;
}

void tp_rel_instance_clear(tp_rel_instance *i) {
  for (uint32_t r = 0; r < i->n; r++) tp_vec_clear(&i->of[r]);
  tp_free(i->of);
  *i = (tp_rel_instance){0};
}

void tp_rel_instance_copy(tp_rel_instance *to, const tp_rel_instance *from) {
  tp_rel_instance_clear(to);
  tp_rel_instance_init(to, from->n);
  for (uint32_t r = 0; r < from->n; r++) tp_rel_tuples_copy(&to->of[r], &from->of[r]);
}

bool tp_rel_instance_equal(const tp_rel_instance *a, const tp_rel_instance *b) {
  for (uint32_t r = 0; r < a->n && r < b->n; r++)
    if (!tp_rel_tuples_equal(&a->of[r], &b->of[r])) return false;
  return a->n == b->n;
}

bool tp_rel_instance_is_within(const tp_rel_instance *i, const tp_rel_bounds *b) {
  TP_REQUIRE(i->n <= tp_rel_n_relations(b->l));
  for (uint32_t r = 0; r < i->n; r++) {
    if (!tp_rel_lower(b, r)) continue;
    if (!tp_rel_tuples_are_subset(tp_rel_lower(b, r), &i->of[r]) ||
        !tp_rel_tuples_are_subset(&i->of[r], tp_rel_upper(b, r)))
      return false;
  }
  return true;
}

void tp_rel_instance_print(const tp_rel_instance *i, const tp_rel_bounds *b, tp_str *out) {
  TP_REQUIRE(i->n <= tp_rel_n_relations(b->l));
  uint32_t atoms[TP_CONTRACTS_ARITY];
  for (uint32_t r = 0; r < i->n; r++) {
    if (!tp_rel_lower(b, r)) continue;
    const uint32_t arity = tp_rel_relation_arity(b->l, r);
    tp_str_printf(out, "%s = {", tp_rel_relation_name(b->l, r));
    for (size_t k = 0; k < i->of[r].n; k++) {
      tp_rel_tuple_atoms(b->u, i->of[r].at[k], arity, atoms);
      for (uint32_t c = 0; c < arity; c++)
        tp_str_printf(out, "%s%s", c ? "->" : k ? ", " : "", tp_rel_atom_name(b->u, atoms[c]));
    }
    tp_str_add(out, "}\n");
  }
}

// ------------------------------------------------------------------------- check

bool tp_rel_tuples_check(const tp_rel_tuples *s, uint64_t n_tuples) {
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i] >= n_tuples || (i > 0 && s->at[i - 1] >= s->at[i])) return false;
  return true;
}

bool tp_rel_bounds_check(const tp_rel_bounds *b) {
  for (uint32_t r = 0; r < b->of.n; r++) {
    if (!b->of.at[r].is_bound) continue;
    const uint64_t n_tuples = tp_rel_n_tuples(b->u, tp_rel_relation_arity(b->l, r));
    if (!tp_rel_tuples_check(&b->of.at[r].lower, n_tuples) ||
        !tp_rel_tuples_check(&b->of.at[r].upper, n_tuples) ||
        !tp_rel_tuples_are_subset(&b->of.at[r].lower, &b->of.at[r].upper))
      return false;
  }
  return true;
}

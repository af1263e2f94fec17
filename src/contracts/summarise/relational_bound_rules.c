/* Constructors of relational bounds: each applies the rules of TP_RBOUND_RULES to its operands.
 *
 * A rule never makes an expression larger than the operation that it replaces, but for JOIN_LEFT
 * and JOIN_RIGHT, which show closures: x . r becomes a sum of paths, and paths that go on are what
 * widening looks for (contracts/summarise/relational_interval.c). They end, since operands of
 * the new joins are smaller than those of the old one. */
#include "contracts/summarise/relational_bound_priv.h"

typedef TP_VEC(tp_rbound) list;
typedef const tp_rbound_node node;
#define BY(rule, result) tp_rbounds_by(t, TP_RBOUND_RULE_##rule, result)

static tp_rbound two(tp_rbounds *t, tp_rbound_kind kind, tp_rbound a, tp_rbound b) {
  return tp_rbound_plain(t, kind, (tp_rbound[]){a, b}, 2);
}
static uint32_t arity_of(const tp_rbounds *t, tp_rbound b) { return tp_rbounds_node(t, b)->arity; }

/* The operation, once for each pair of operands: what it makes does not change. */
static tp_rbound once(tp_rbounds *t, tp_rbound_kind kind,
                      tp_rbound (*make)(tp_rbounds *, tp_rbound, tp_rbound), tp_rbound a,
                      tp_rbound b) {
  const uint64_t pair = tp_rbounds_pair(a, b);
  uint64_t known;
  if (tp_map_get(&t->results[kind], pair, &known)) return (tp_rbound){(uint32_t)known};
  const tp_rbound made = make(t, a, b);
  tp_rbounds_note(&t->results[kind], pair, made.id);
  return made;
}

// ------------------------------------------------------------------ n-ary operators

static void add(list *l, tp_rbound b) {
  size_t at = 0;
  while (at < l->n && l->at[at].id < b.id) at++;
  if (at < l->n && l->at[at].id == b.id) return;
  tp_vec_push(l, b);
  memmove(l->at + at + 1, l->at + at, (l->n - 1 - at) * sizeof *l->at);
  l->at[at] = b;
}

static void add_flat(const tp_rbounds *t, tp_rbound_kind kind, list *l, tp_rbound b) {
  if (!tp_rbounds_is(t, b, kind)) {
    add(l, b);
    return;
  }
  for (uint32_t i = 0; i < tp_rbounds_node(t, b)->n_kids; i++) add(l, tp_rbounds_kid(t, b, i));
}

static void take_out(list *l, size_t i) {
  memmove(l->at + i, l->at + i + 1, (l->n - i - 1) * sizeof *l->at);
  l->n--;
}

/* A list of none or one operand is that operand; else the operation. */
static tp_rbound finish(tp_rbounds *t, tp_rbound_kind kind, list *l, tp_rbound neutral) {
  const tp_rbound b = l->n == 0   ? neutral
                      : l->n == 1 ? l->at[0]
                                  : tp_rbound_plain(t, kind, l->at, (uint32_t)l->n);
  tp_vec_clear(l);
  return b;
}

// -------------------------------------------------------------------------- union

/* Products with one operand in common become one. */
static bool merge_products(tp_rbounds *t, list *l) {
  for (size_t i = 0; i < l->n; i++)
    for (size_t j = i + 1; j < l->n; j++) {
      if (!tp_rbounds_is(t, l->at[i], TP_RBOUND_PRODUCT) ||
          !tp_rbounds_is(t, l->at[j], TP_RBOUND_PRODUCT))
        continue;
      const tp_rbound a = tp_rbounds_kid(t, l->at[i], 0), b = tp_rbounds_kid(t, l->at[i], 1),
                      c = tp_rbounds_kid(t, l->at[j], 0), d = tp_rbounds_kid(t, l->at[j], 1);
      tp_rbound merged;
      if (b.id == d.id && arity_of(t, a) == arity_of(t, c))
        merged = BY(UNION_LEFT, tp_rbound_product(t, tp_rbound_union(t, a, c), b));
      else if (a.id == c.id && arity_of(t, b) == arity_of(t, d))
        merged = BY(UNION_RIGHT, tp_rbound_product(t, a, tp_rbound_union(t, b, d)));
      else
        continue;
      take_out(l, j);
      take_out(l, i);
      add_flat(t, TP_RBOUND_UNION, l, merged);
      return true;
    }
  return false;
}

/* r ++ s beside r is s. */
static bool open_override(tp_rbounds *t, list *l) {
  for (size_t i = 0; i < l->n; i++) {
    if (!tp_rbounds_is(t, l->at[i], TP_RBOUND_OVERRIDE)) continue;
    const tp_rbound r = tp_rbounds_kid(t, l->at[i], 0), s = tp_rbounds_kid(t, l->at[i], 1);
    for (size_t j = 0; j < l->n; j++)
      if (j != i && tp_rbound_leq(t, r, l->at[j])) {
        take_out(l, i);
        add_flat(t, TP_RBOUND_UNION, l, BY(UNION_OVERRIDE, s));
        return true;
      }
  }
  return false;
}

static bool absorb(tp_rbounds *t, list *l) {
  for (size_t i = 0; i < l->n; i++)
    for (size_t j = 0; j < l->n; j++)
      if (i != j && tp_rbound_leq(t, l->at[i], l->at[j])) {
        BY(UNION_ABSORBS, l->at[j]);
        take_out(l, i);
        return true;
      }
  return false;
}

static tp_rbound union_of(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  TP_REQUIRE(arity_of(t, a) == arity_of(t, b) && arity_of(t, a) > 0);
  if (a.id == b.id) return a;
  list l = {0};
  add_flat(t, TP_RBOUND_UNION, &l, a);
  add_flat(t, TP_RBOUND_UNION, &l, b);
  while (absorb(t, &l) || open_override(t, &l) || merge_products(t, &l)) {
  }
  return finish(t, TP_RBOUND_UNION, &l, tp_rbound_none(t, arity_of(t, a)));
}

tp_rbound tp_rbound_union(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  return once(t, TP_RBOUND_UNION, union_of, a, b);
}

// ------------------------------------------------------------------- intersection

static bool narrow(tp_rbounds *t, list *l) {
  for (size_t i = 0; i < l->n; i++)
    for (size_t j = 0; j < l->n; j++) {
      if (i == j) continue;
      if (tp_rbound_leq(t, l->at[i], l->at[j])) {
        BY(INTERSECTION_ABSORBS, l->at[i]);
        take_out(l, j);
        return true;
      }
      node *x = tp_rbounds_node(t, l->at[i]), *y = tp_rbounds_node(t, l->at[j]);
      if (x->kind == TP_RBOUND_DIFFERENCE && y->kind == TP_RBOUND_DIFFERENCE &&
          x->kids[0].id == y->kids[0].id) {
        const tp_rbound merged =
            BY(INTERSECTION_WITHOUT,
               tp_rbound_difference(t, x->kids[0], tp_rbound_union(t, x->kids[1], y->kids[1])));
        take_out(l, i > j ? i : j);
        take_out(l, i > j ? j : i);
        add_flat(t, TP_RBOUND_INTERSECTION, l, merged);
        return true;
      }
    }
  return false;
}

/* Parts of sums that another operand has nothing in common with are left out. */
static bool shorten(tp_rbounds *t, list *l) {
  for (size_t i = 0; i < l->n; i++) {
    if (!tp_rbounds_is(t, l->at[i], TP_RBOUND_UNION) || arity_of(t, l->at[i]) != 1) continue;
    list rest = {0};
    const uint32_t n = tp_rbounds_node(t, l->at[i])->n_kids;
    for (uint32_t k = 0; k < n; k++) {
      bool is_apart = false;
      for (size_t j = 0; j < l->n && !is_apart; j++)
        is_apart = j != i && tp_rbound_disjoint(t, tp_rbounds_kid(t, l->at[i], k), l->at[j]);
      if (!is_apart) add(&rest, tp_rbounds_kid(t, l->at[i], k));
    }
    const bool is_shorter = rest.n < n;
    const tp_rbound left = finish(t, TP_RBOUND_UNION, &rest, tp_rbound_none(t, 1));
    if (!is_shorter) continue;
    take_out(l, i);
    add_flat(t, TP_RBOUND_INTERSECTION, l, BY(INTERSECTION_PART, left));
    return true;
  }
  return false;
}

static bool is_empty_intersection(const tp_rbounds *t, const list *l) {
  for (size_t i = 0; i < l->n; i++)
    for (size_t j = i + 1; j < l->n; j++)
      if (arity_of(t, l->at[i]) == 1 && tp_rbound_disjoint(t, l->at[i], l->at[j])) return true;
  return false;
}

static tp_rbound intersection_of(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  TP_REQUIRE(arity_of(t, a) == arity_of(t, b) && arity_of(t, a) > 0);
  if (a.id == b.id) return a;
  list l = {0};
  add_flat(t, TP_RBOUND_INTERSECTION, &l, a);
  add_flat(t, TP_RBOUND_INTERSECTION, &l, b);
  while (narrow(t, &l) || shorten(t, &l)) {
  }
  if (is_empty_intersection(t, &l)) {
    tp_vec_clear(&l);
    return BY(INTERSECTION_DISJOINT, tp_rbound_none(t, arity_of(t, a)));
  }
  return finish(t, TP_RBOUND_INTERSECTION, &l, a);
}

tp_rbound tp_rbound_intersection(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  return once(t, TP_RBOUND_INTERSECTION, intersection_of, a, b);
}

// --------------------------------------------------------------------- difference

/* The operands of a union that are not in b. */
static tp_rbound without_included(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  list l = {0};
  for (uint32_t i = 0; i < tp_rbounds_node(t, a)->n_kids; i++) {
    const tp_rbound kid = tp_rbounds_kid(t, a, i);
    if (!tp_rbound_leq(t, kid, b)) add(&l, kid);
  }
  return finish(t, TP_RBOUND_UNION, &l, tp_rbound_none(t, arity_of(t, a)));
}

static tp_rbound difference_of(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  const uint32_t arity = arity_of(t, a);
  TP_REQUIRE(arity == arity_of(t, b) && arity > 0);
  if (tp_rbounds_is(t, b, TP_RBOUND_NONE)) return BY(DIFFERENCE_NONE, a);
  if (tp_rbound_leq(t, a, b)) return BY(DIFFERENCE_NONE, tp_rbound_none(t, arity));
  if (arity == 1 && tp_rbound_disjoint(t, a, b)) return BY(DIFFERENCE_DISJOINT, a);
  if (tp_rbounds_is(t, a, TP_RBOUND_UNION)) {
    const tp_rbound rest = without_included(t, a, b);
    if (rest.id != a.id) return BY(DIFFERENCE_UNION, tp_rbound_difference(t, rest, b));
  }
  if (tp_rbounds_is_all_of(t, b)) {
    const tp_rbound owners = tp_rbounds_kid(t, b, 0);
    if (arity_of(t, owners) == 1 && tp_rbound_begins_none(t, owners, a))
      return BY(DIFFERENCE_BEGINS, a);
  }
  if (tp_rbounds_is(t, a, TP_RBOUND_DIFFERENCE))
    return BY(DIFFERENCE_TWICE,
              tp_rbound_difference(t, tp_rbounds_kid(t, a, 0),
                                   tp_rbound_union(t, tp_rbounds_kid(t, a, 1), b)));
  return two(t, TP_RBOUND_DIFFERENCE, a, b);
}

tp_rbound tp_rbound_difference(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  return once(t, TP_RBOUND_DIFFERENCE, difference_of, a, b);
}

// --------------------------------------------------------------------------- join

static tp_rbound join_each(tp_rbounds *t, tp_rbound a, tp_rbound r, bool is_left) {
  const tp_rbound many = is_left ? a : r;
  const uint32_t n = tp_rbounds_node(t, many)->n_kids;
  tp_rbound all = {0};
  for (uint32_t i = 0; i < n; i++) {
    const tp_rbound kid = tp_rbounds_kid(t, many, i),
                    one = is_left ? tp_rbound_join(t, kid, r) : tp_rbound_join(t, a, kid);
    all = all.id ? tp_rbound_union(t, all, one) : one;
  }
  return all;
}

/* A relation without pairs that lead to null, where the text shows them. */
static tp_rbound to_objects(tp_rbounds *t, tp_rbound r) {
  node *n = tp_rbounds_node(t, r);
  if (n->kind == TP_RBOUND_PRODUCT && n->arity == 2)
    return tp_rbound_product(t, n->kids[0], tp_rbound_objects(t, n->kids[1]));
  if (n->kind != TP_RBOUND_UNION) return r;
  tp_rbound all = tp_rbound_none(t, n->arity);
  for (uint32_t i = 0; i < n->n_kids; i++) all = tp_rbound_union(t, all, to_objects(t, n->kids[i]));
  return all;
}

tp_rbound tp_rbound_objects(tp_rbounds *t, tp_rbound a) {
  const tp_rbound null = tp_rbound_null(t);
  node *n = tp_rbounds_node(t, a);
  if (a.id == null.id) return tp_rbound_none(t, 1);
  if (n->kind == TP_RBOUND_DIFFERENCE && n->kids[1].id == null.id)
    return tp_rbound_objects(t, n->kids[0]);
  if (n->kind == TP_RBOUND_REACH)
    return tp_rbound_reach(t, tp_rbound_objects(t, n->kids[0]), to_objects(t, n->kids[1]));
  if (n->kind != TP_RBOUND_UNION) return a;
  tp_rbound all = tp_rbound_none(t, 1);
  for (uint32_t i = 0; i < n->n_kids; i++)
    all = tp_rbound_union(t, all, tp_rbound_objects(t, n->kids[i]));
  return all;
}

/* A set before an update of a relation; id 0: no rule. */
static tp_rbound join_update(tp_rbounds *t, tp_rbound a, tp_rbound r) {
  node *n = tp_rbounds_node(t, r);
  const bool is_object = tp_rbounds_is_object(t, a);
  if (n->kind == TP_RBOUND_PRODUCT && arity_of(t, n->kids[0]) == 1 && is_object &&
      tp_rbound_leq(t, a, n->kids[0]))
    return BY(JOIN_PRODUCT, n->kids[1]);
  if (n->kind == TP_RBOUND_OVERRIDE) {
    const tp_rbound q = n->kids[0], s = n->kids[1];
    if (tp_rbound_begins_none(t, a, s)) return BY(JOIN_OVERRIDE_ELSEWHERE, tp_rbound_join(t, a, q));
    if (tp_rbounds_is(t, s, TP_RBOUND_PRODUCT) && is_object &&
        tp_rbound_leq(t, a, tp_rbounds_kid(t, s, 0)) &&
        tp_rbounds_node(t, tp_rbounds_kid(t, s, 1))->is_value)
      return BY(JOIN_OVERRIDE, tp_rbounds_kid(t, s, 1));
  }
  if (n->kind == TP_RBOUND_DIFFERENCE && tp_rbounds_is_all_of(t, n->kids[1])) {
    const tp_rbound owners = tp_rbounds_kid(t, n->kids[1], 0);
    if (tp_rbound_leq(t, a, owners)) return BY(JOIN_WITHOUT, tp_rbound_none(t, n->arity - 1));
    if (tp_rbound_disjoint(t, a, owners)) return BY(JOIN_WITHOUT, tp_rbound_join(t, a, n->kids[0]));
  }
  return (tp_rbound){0};
}

/* A choice on one side; id 0: no rule. */
static tp_rbound join_choice(tp_rbounds *t, tp_rbound a, tp_rbound r) {
  node *x = tp_rbounds_node(t, a), *y = tp_rbounds_node(t, r);
  if (x->kind == TP_RBOUND_IF) {
    const tp_rbound_kind p = tp_rbounds_node(t, x->kids[1])->kind,
                         q = tp_rbounds_node(t, x->kids[2])->kind;
    const tp_rbound c = x->kids[0], yes = x->kids[1], no = x->kids[2];
    if (p == TP_RBOUND_NULL || q == TP_RBOUND_NULL || p == TP_RBOUND_NONE || q == TP_RBOUND_NONE)
      return BY(JOIN_IF, tp_rbound_if(t, c, tp_rbound_join(t, yes, r), tp_rbound_join(t, no, r)));
  }
  if (y->kind == TP_RBOUND_IF) {
    const tp_rbound yes = y->kids[1], no = y->kids[2];
    const tp_rbound one = tp_rbound_join(t, a, yes), other = tp_rbound_join(t, a, no);
    if (one.id == other.id) return BY(JOIN_IF, one);
  }
  return (tp_rbound){0};
}

static bool is_new_object(const tp_rbounds *t, tp_rbound b) {
  return tp_rbounds_is(t, b, TP_RBOUND_NEW) || tp_rbounds_is(t, b, TP_RBOUND_NEW_SET);
}

/* Does no member of the pre-state lead to it? */
static bool is_unreferenced(const tp_rbounds *t, tp_rbound b) {
  node *n = tp_rbounds_node(t, b);
  return is_new_object(t, b) ||
         (n->kind == TP_RBOUND_NAME && (t->names.at[n->number].facts & TP_RBOUND_IS_UNREFERENCED));
}

static tp_rbound without_unreferenced(tp_rbounds *t, tp_rbound b) {
  if (is_unreferenced(t, b)) return tp_rbound_none(t, 1);
  if (!tp_rbounds_is(t, b, TP_RBOUND_UNION)) return b;
  list l = {0};
  for (uint32_t i = 0; i < tp_rbounds_node(t, b)->n_kids; i++)
    if (!is_unreferenced(t, tp_rbounds_kid(t, b, i))) add(&l, tp_rbounds_kid(t, b, i));
  return finish(t, TP_RBOUND_UNION, &l, tp_rbound_none(t, 1));
}

/* What leads into a set, of an update by one value; id 0: no rule. */
static tp_rbound join_owners_of_update(tp_rbounds *t, node *update, tp_rbound a) {
  const tp_rbound before = update->kids[0];
  node *pairs = tp_rbounds_node(t, update->kids[1]);
  if (pairs->kind != TP_RBOUND_PRODUCT || arity_of(t, pairs->kids[0]) != 1 ||
      !tp_rbounds_node(t, pairs->kids[1])->is_value)
    return (tp_rbound){0};
  const tp_rbound owners = pairs->kids[0], value = pairs->kids[1];
  if (tp_rbound_disjoint(t, value, a))
    return BY(JOIN_OWNERS_UPDATE, tp_rbound_difference(t, tp_rbound_join(t, before, a), owners));
  return tp_rbound_leq(t, value, a)
             ? BY(JOIN_OWNERS_UPDATE, tp_rbound_union(t, tp_rbound_join(t, before, a), owners))
             : (tp_rbound){0};
}

/* What leads into a set, of a sum, a product or a member; id 0: no rule. */
static tp_rbound join_owners(tp_rbounds *t, tp_rbound r, tp_rbound a) {
  node *n = tp_rbounds_node(t, r);
  if (n->kind == TP_RBOUND_NAME && (t->names.at[n->number].facts & TP_RBOUND_IS_MEMBER)) {
    const tp_rbound old = without_unreferenced(t, a);
    return old.id == a.id ? (tp_rbound){0} : BY(JOIN_OWNERS_NEW, tp_rbound_join(t, r, old));
  }
  if (n->kind == TP_RBOUND_UNION) return BY(JOIN_OWNERS, join_each(t, r, a, true));
  if (n->kind == TP_RBOUND_IF) {
    const tp_rbound c = n->kids[0], yes = n->kids[1], no = n->kids[2];
    return BY(JOIN_OWNERS_IF,
              tp_rbound_if(t, c, tp_rbound_join(t, yes, a), tp_rbound_join(t, no, a)));
  }
  if (n->kind == TP_RBOUND_OVERRIDE) return join_owners_of_update(t, n, a);
  if (n->kind != TP_RBOUND_PRODUCT) return (tp_rbound){0};
  const tp_rbound owners = n->kids[0], values = n->kids[1];
  if (tp_rbound_disjoint(t, values, a)) return BY(JOIN_OWNERS, tp_rbound_none(t, 1));
  return tp_rbounds_node(t, values)->is_value && tp_rbound_leq(t, values, a)
             ? BY(JOIN_OWNERS, owners)
             : (tp_rbound){0};
}

/* A set without parts of its sums that begin no tuple of r. */
static tp_rbound beginning(tp_rbounds *t, tp_rbound a, tp_rbound r) {
  node *n = tp_rbounds_node(t, a);
  if (n->kind == TP_RBOUND_UNION) {
    list l = {0};
    for (uint32_t i = 0; i < n->n_kids; i++)
      if (!tp_rbound_begins_none(t, n->kids[i], r)) add(&l, n->kids[i]);
    return finish(t, TP_RBOUND_UNION, &l, tp_rbound_none(t, 1));
  }
  if (n->kind != TP_RBOUND_INTERSECTION) return a;
  tp_rbound all = tp_rbound_univ(t, 1);
  for (uint32_t i = 0; i < n->n_kids; i++)
    all = tp_rbound_intersection(t, all, beginning(t, n->kids[i], r));
  return all;
}

static tp_rbound join_of(tp_rbounds *t, tp_rbound a, tp_rbound r) {
  const uint32_t arity = arity_of(t, a) + arity_of(t, r) - 2;
  TP_REQUIRE(arity > 0 && arity_of(t, a) > 0 && arity_of(t, r) > 0);
  if (tp_rbounds_is(t, r, TP_RBOUND_NONE) || tp_rbounds_is(t, a, TP_RBOUND_NONE))
    return BY(JOIN_NONE, tp_rbound_none(t, arity));
  if (arity_of(t, a) == 2 && arity_of(t, r) == 1) {
    const tp_rbound owners = join_owners(t, a, r);
    if (owners.id) return owners;
  }
  if (arity_of(t, a) != 1) return two(t, TP_RBOUND_JOIN, a, r);
  const tp_rbound objects = tp_rbound_objects(t, a);
  if (objects.id != a.id) a = BY(JOIN_NULL, objects);
  if (tp_rbounds_is(t, a, TP_RBOUND_NONE)) return BY(JOIN_NONE, tp_rbound_none(t, arity));
  if (tp_rbounds_is(t, a, TP_RBOUND_UNION)) return BY(JOIN_LEFT, join_each(t, a, r, true));
  if (tp_rbounds_is(t, r, TP_RBOUND_UNION)) return BY(JOIN_RIGHT, join_each(t, a, r, false));
  if (tp_rbound_begins_none(t, a, r)) return BY(JOIN_BEGINS, tp_rbound_none(t, arity));
  if (tp_rbounds_is(t, a, TP_RBOUND_INTERSECTION)) {
    const tp_rbound part = beginning(t, a, r);
    if (part.id != a.id) return BY(JOIN_PART, tp_rbound_join(t, part, r));
  }
  const tp_rbound updated = join_update(t, a, r);
  if (updated.id) return updated;
  const tp_rbound chosen = join_choice(t, a, r);
  return chosen.id ? chosen : two(t, TP_RBOUND_JOIN, a, r);
}

tp_rbound tp_rbound_join(tp_rbounds *t, tp_rbound a, tp_rbound r) {
  return once(t, TP_RBOUND_JOIN, join_of, a, r);
}

// ------------------------------------------------------------ product and override

tp_rbound tp_rbound_product(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  if (tp_rbounds_is(t, a, TP_RBOUND_NONE) || tp_rbounds_is(t, b, TP_RBOUND_NONE))
    return BY(PRODUCT_NONE, tp_rbound_none(t, arity_of(t, a) + arity_of(t, b)));
  return two(t, TP_RBOUND_PRODUCT, a, b);
}

/* r without tuples that its text shows to begin with an atom of a. */
static tp_rbound strip(tp_rbounds *t, tp_rbound r, tp_rbound a) {
  node *n = tp_rbounds_node(t, r);
  if (n->kind == TP_RBOUND_PRODUCT && arity_of(t, n->kids[0]) == 1 &&
      tp_rbound_leq(t, n->kids[0], a))
    return tp_rbound_none(t, n->arity);
  if (n->kind == TP_RBOUND_PRODUCT && tp_rbounds_is(t, n->kids[0], TP_RBOUND_UNION)) {
    const tp_rbound to = n->kids[1];
    return tp_rbound_product(t, without_included(t, n->kids[0], a), to);
  }
  if (n->kind == TP_RBOUND_OVERRIDE) {
    const tp_rbound q = n->kids[0], s = n->kids[1], rest = strip(t, s, a);
    return tp_rbounds_is(t, rest, TP_RBOUND_NONE) ? strip(t, q, a) : r;
  }
  if (n->kind != TP_RBOUND_UNION) return r;
  tp_rbound all = tp_rbound_none(t, n->arity);
  for (uint32_t i = 0; i < tp_rbounds_node(t, r)->n_kids; i++)
    all = tp_rbound_union(t, all, strip(t, tp_rbounds_kid(t, r, i), a));
  return all;
}

static tp_rbound override_of(tp_rbounds *t, tp_rbound r, tp_rbound s) {
  TP_REQUIRE(arity_of(t, r) == arity_of(t, s) && arity_of(t, r) > 1);
  if (tp_rbounds_is(t, s, TP_RBOUND_NONE)) return BY(OVERRIDE_NONE, r);
  if (tp_rbounds_is(t, r, TP_RBOUND_NONE)) return BY(OVERRIDE_NONE, s);
  if (!tp_rbounds_is(t, s, TP_RBOUND_PRODUCT) || arity_of(t, tp_rbounds_kid(t, s, 0)) != 1)
    return two(t, TP_RBOUND_OVERRIDE, r, s);
  const tp_rbound a = tp_rbounds_kid(t, s, 0);
  if (tp_rbounds_node(t, tp_rbounds_kid(t, s, 1))->is_value) {
    const tp_rbound rest = strip(t, r, a);
    if (rest.id != r.id) return BY(OVERRIDE_SAME, tp_rbound_override(t, rest, s));
  }
  if (tp_rbound_begins_none(t, a, r)) return BY(OVERRIDE_BEGINS, tp_rbound_union(t, r, s));
  return two(t, TP_RBOUND_OVERRIDE, r, s);
}

tp_rbound tp_rbound_override(tp_rbounds *t, tp_rbound r, tp_rbound s) {
  return once(t, TP_RBOUND_OVERRIDE, override_of, r, s);
}

// -------------------------------------------------------------------------- reach

static tp_rbound reach_of(tp_rbounds *t, tp_rbound x, tp_rbound r) {
  TP_REQUIRE(arity_of(t, x) == 1 && arity_of(t, r) == 2);
  if (tp_rbounds_is(t, r, TP_RBOUND_NONE)) return BY(REACH_NONE, x);
  if (tp_rbounds_is(t, x, TP_RBOUND_NONE) || tp_rbounds_is(t, x, TP_RBOUND_NULL))
    return BY(REACH_NONE, x);
  if (tp_rbounds_is(t, x, TP_RBOUND_REACH) && tp_rbound_leq(t, r, tp_rbounds_kid(t, x, 1)))
    return BY(REACH_TWICE, x);
  if (tp_rbounds_is(t, x, TP_RBOUND_UNION))
    for (uint32_t i = 0; i < tp_rbounds_node(t, x)->n_kids; i++) {
      const tp_rbound kid = tp_rbounds_kid(t, x, i);
      if (!tp_rbounds_is(t, kid, TP_RBOUND_REACH) || tp_rbounds_kid(t, kid, 1).id != r.id) continue;
      const tp_rbound rest = without_included(t, x, kid);
      return BY(REACH_TWICE,
                tp_rbound_reach(t, tp_rbound_union(t, rest, tp_rbounds_kid(t, kid, 0)), r));
    }
  if (tp_rbound_begins_none(t, x, r)) return BY(REACH_APART, x);
  if (tp_rbounds_is(t, x, TP_RBOUND_UNION))
    for (uint32_t i = 0; i < tp_rbounds_node(t, x)->n_kids; i++) {
      const tp_rbound kid = tp_rbounds_kid(t, x, i);
      if (!tp_rbound_begins_none(t, kid, r) || tp_rbounds_is(t, kid, TP_RBOUND_NULL)) continue;
      const tp_rbound rest = tp_rbound_reach(t, without_included(t, x, kid), r);
      return BY(REACH_APART, tp_rbound_union(t, kid, rest));
    }
  if (tp_rbounds_is(t, x, TP_RBOUND_UNION))
    for (uint32_t i = 0; i < tp_rbounds_node(t, x)->n_kids; i++) {
      const tp_rbound kid = tp_rbounds_kid(t, x, i), rest = without_included(t, x, kid);
      if (tp_rbound_leq(t, kid, two(t, TP_RBOUND_REACH, rest, r)))
        return BY(REACH_TWICE, tp_rbound_reach(t, rest, r));
    }
  return two(t, TP_RBOUND_REACH, x, r);
}

tp_rbound tp_rbound_reach(tp_rbounds *t, tp_rbound x, tp_rbound r) {
  return once(t, TP_RBOUND_REACH, reach_of, x, r);
}

static bool is_old(const tp_rbounds *t, tp_rbound b) {
  return !tp_rbounds_node(t, b)->has_new && !tp_rbounds_node(t, b)->has_any;
}

/* The operands of a union but for new objects, and for pairs that begin in one. */
static tp_rbound without_new(tp_rbounds *t, tp_rbound b) {
  if (!tp_rbounds_is(t, b, TP_RBOUND_UNION)) return b;
  list l = {0};
  for (uint32_t i = 0; i < tp_rbounds_node(t, b)->n_kids; i++) {
    const tp_rbound kid = tp_rbounds_kid(t, b, i);
    const bool is_new = is_new_object(t, kid) || (tp_rbounds_is(t, kid, TP_RBOUND_PRODUCT) &&
                                                  is_new_object(t, tp_rbounds_kid(t, kid, 0)));
    if (!is_new) add(&l, kid);
  }
  return finish(t, TP_RBOUND_UNION, &l, tp_rbound_none(t, arity_of(t, b)));
}

tp_rbound tp_rbound_first(tp_rbounds *t, tp_rbound x, tp_rbound r, tp_rbound s) {
  TP_REQUIRE(arity_of(t, x) == 1 && arity_of(t, r) == 2 && arity_of(t, s) == 1);
  if (tp_rbound_leq(t, x, s)) return BY(FIRST_HERE, x);
  const tp_rbound old_r = without_new(t, r), old_s = without_new(t, s);
  if (is_old(t, x) && is_old(t, old_r) && (old_r.id != r.id || old_s.id != s.id))
    return BY(FIRST_OLD, tp_rbound_first(t, x, old_r, old_s));
  return tp_rbound_plain(t, TP_RBOUND_FIRST, (tp_rbound[]){x, r, s}, 3);
}

// ------------------------------------------------------------------------ choices

tp_rbound tp_rbound_if(tp_rbounds *t, tp_rbound c, tp_rbound a, tp_rbound b) {
  TP_REQUIRE(arity_of(t, c) == 0 && arity_of(t, a) == arity_of(t, b));
  if (a.id == b.id || tp_rbounds_is(t, c, TP_RBOUND_TRUE)) return BY(IF_DECIDED, a);
  if (tp_rbounds_is(t, c, TP_RBOUND_FALSE)) return BY(IF_DECIDED, b);
  if (tp_rbounds_is(t, c, TP_RBOUND_NOT))
    return BY(IF_NOT, tp_rbound_if(t, tp_rbounds_kid(t, c, 0), b, a));
  if (tp_rbounds_is(t, a, TP_RBOUND_IF) && tp_rbounds_kid(t, a, 0).id == c.id)
    return BY(IF_NESTED, tp_rbound_if(t, c, tp_rbounds_kid(t, a, 1), b));
  if (tp_rbounds_is(t, b, TP_RBOUND_IF) && tp_rbounds_kid(t, b, 0).id == c.id)
    return BY(IF_NESTED, tp_rbound_if(t, c, a, tp_rbounds_kid(t, b, 2)));
  return tp_rbound_plain(t, TP_RBOUND_IF, (tp_rbound[]){c, a, b}, 3);
}

tp_rbound tp_rbound_true(tp_rbounds *t) {
  return tp_rbounds_intern(t, (tp_rbound_node){.kind = TP_RBOUND_TRUE});
}
tp_rbound tp_rbound_false(tp_rbounds *t) {
  return tp_rbounds_intern(t, (tp_rbound_node){.kind = TP_RBOUND_FALSE});
}

static tp_rbound equal_of(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  TP_REQUIRE(arity_of(t, a) == 1 && arity_of(t, b) == 1);
  if (a.id == b.id) return BY(EQUAL_DECIDED, tp_rbound_true(t));
  if (tp_rbounds_node(t, a)->is_value && tp_rbounds_node(t, b)->is_value) {
    if (tp_rbound_disjoint(t, a, b)) return BY(EQUAL_DECIDED, tp_rbound_false(t));
    if (tp_rbound_leq(t, a, b) || tp_rbound_leq(t, b, a))
      return BY(EQUAL_INCLUDED, tp_rbound_true(t));
  }
  for (int turn = 0; turn < 2; turn++) {
    const tp_rbound x = turn ? b : a, d = turn ? a : b;
    if (!tp_rbounds_is(t, x, TP_RBOUND_IF)) continue;
    const tp_rbound c = tp_rbounds_kid(t, x, 0), p = tp_rbounds_kid(t, x, 1),
                    q = tp_rbounds_kid(t, x, 2);
    const tp_rbound yes = tp_rbound_equal(t, p, d), no = tp_rbound_equal(t, q, d);
    if (yes.id == no.id) return BY(EQUAL_IF, yes);
    if (tp_rbounds_is(t, yes, TP_RBOUND_TRUE)) return BY(EQUAL_IF, tp_rbound_or(t, c, no));
    if (tp_rbounds_is(t, no, TP_RBOUND_FALSE)) return BY(EQUAL_IF, tp_rbound_and(t, c, yes));
    const tp_rbound not_c = tp_rbound_not(t, c);
    if (tp_rbounds_is(t, yes, TP_RBOUND_FALSE)) return BY(EQUAL_IF, tp_rbound_and(t, not_c, no));
    if (tp_rbounds_is(t, no, TP_RBOUND_TRUE)) return BY(EQUAL_IF, tp_rbound_or(t, not_c, yes));
  }
  return a.id < b.id ? two(t, TP_RBOUND_EQUAL, a, b) : two(t, TP_RBOUND_EQUAL, b, a);
}

tp_rbound tp_rbound_equal(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  return once(t, TP_RBOUND_EQUAL, equal_of, a, b);
}

tp_rbound tp_rbound_less(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  TP_REQUIRE(arity_of(t, a) == 1 && arity_of(t, b) == 1);
  node *x = tp_rbounds_node(t, a), *y = tp_rbounds_node(t, b);
  if (a.id == b.id) return tp_rbound_false(t);
  if (x->kind == TP_RBOUND_INT && y->kind == TP_RBOUND_INT)
    return x->number < y->number ? tp_rbound_true(t) : tp_rbound_false(t);
  return two(t, TP_RBOUND_LESS, a, b);
}

// ----------------------------------------------------------------------- formulas

tp_rbound tp_rbound_not(tp_rbounds *t, tp_rbound f) {
  if (tp_rbounds_is(t, f, TP_RBOUND_TRUE)) return tp_rbound_false(t);
  if (tp_rbounds_is(t, f, TP_RBOUND_FALSE)) return tp_rbound_true(t);
  if (tp_rbounds_is(t, f, TP_RBOUND_NOT)) return tp_rbounds_kid(t, f, 0);
  if (tp_rbounds_is(t, f, TP_RBOUND_OR)) {
    tp_rbound all = tp_rbound_true(t);
    for (uint32_t i = 0; i < tp_rbounds_node(t, f)->n_kids; i++)
      all = tp_rbound_and(t, all, tp_rbound_not(t, tp_rbounds_kid(t, f, i)));
    return all;
  }
  return tp_rbound_plain(t, TP_RBOUND_NOT, &f, 1);
}

static tp_rbound connect(tp_rbounds *t, tp_rbound_kind kind, tp_rbound f, tp_rbound g);

/* f or (not f and g) = f or g; f and (not f or g) = f and g: the operand without what another one
 * denies. */
static tp_rbound without_others(tp_rbounds *t, tp_rbound_kind kind, const list *l, size_t which) {
  const tp_rbound_kind dual = kind == TP_RBOUND_AND ? TP_RBOUND_OR : TP_RBOUND_AND;
  const tp_rbound f = l->at[which];
  if (!tp_rbounds_is(t, f, dual)) return f;
  tp_rbound all = dual == TP_RBOUND_AND ? tp_rbound_true(t) : tp_rbound_false(t);
  bool is_shorter = false;
  for (uint32_t i = 0; i < tp_rbounds_node(t, f)->n_kids; i++) {
    const tp_rbound kid = tp_rbounds_kid(t, f, i), not_kid = tp_rbound_not(t, kid);
    bool is_denied = false;
    for (size_t j = 0; j < l->n; j++) is_denied = is_denied || l->at[j].id == not_kid.id;
    is_shorter = is_shorter || is_denied;
    if (!is_denied) all = connect(t, dual, all, kid);
  }
  return is_shorter ? all : f;
}

/* AND: neutral true, absorbing false; OR: the other way round. */
static tp_rbound connect(tp_rbounds *t, tp_rbound_kind kind, tp_rbound f, tp_rbound g) {
  const tp_rbound neutral = kind == TP_RBOUND_AND ? tp_rbound_true(t) : tp_rbound_false(t),
                  absorbing = tp_rbound_not(t, neutral);
  list l = {0};
  add_flat(t, kind, &l, f);
  add_flat(t, kind, &l, g);
  bool is_absorbed = false;
  for (size_t i = l.n; i-- > 0;) {
    if (l.at[i].id == absorbing.id) is_absorbed = true;
    for (size_t j = 0; j < l.n; j++)
      if (tp_rbounds_is(t, l.at[j], TP_RBOUND_NOT) &&
          tp_rbounds_kid(t, l.at[j], 0).id == l.at[i].id)
        is_absorbed = true;
    if (l.at[i].id == neutral.id) take_out(&l, i);
  }
  if (is_absorbed) l.n = 0;
  for (size_t i = 0; i < l.n; i++) {
    const tp_rbound shorter = without_others(t, kind, &l, i);
    if (shorter.id == l.at[i].id) continue;
    tp_rbound all = shorter;
    take_out(&l, i);
    for (size_t j = 0; j < l.n; j++) all = connect(t, kind, all, l.at[j]);
    tp_vec_clear(&l);
    return all;
  }
  return finish(t, kind, &l, is_absorbed ? absorbing : neutral);
}

tp_rbound tp_rbound_and(tp_rbounds *t, tp_rbound f, tp_rbound g) {
  return connect(t, TP_RBOUND_AND, f, g);
}
tp_rbound tp_rbound_or(tp_rbounds *t, tp_rbound f, tp_rbound g) {
  return connect(t, TP_RBOUND_OR, f, g);
}

/* Inclusion, disjointness and contradiction of relational bounds, as far as their texts show.
 *
 * What the pre-state holds and what the function makes are different objects: an expression without
 * new objects and without `univ` stands for objects of the pre-state, null and integers. */
#include "contracts/contracts_limits.h"
#include "contracts/summarise/relational_bound_priv.h"

typedef const tp_rbound_node node;

// --------------------------------------------------------------------- inclusion

static bool leq(const tp_rbounds *t, tp_rbound a, tp_rbound b, int depth);

static bool any_leq(const tp_rbounds *t, node *a, tp_rbound b, int depth) {
  for (uint32_t i = 0; i < a->n_kids; i++)
    if (leq(t, a->kids[i], b, depth)) return true;
  return false;
}

static bool all_leq(const tp_rbounds *t, node *a, tp_rbound b, int depth) {
  for (uint32_t i = 0; i < a->n_kids; i++)
    if (!leq(t, a->kids[i], b, depth)) return false;
  return true;
}

static bool in_any(const tp_rbounds *t, tp_rbound a, node *b, int depth) {
  for (uint32_t i = 0; i < b->n_kids; i++)
    if (leq(t, a, b->kids[i], depth)) return true;
  return false;
}

static bool in_all(const tp_rbounds *t, tp_rbound a, node *b, int depth) {
  for (uint32_t i = 0; i < b->n_kids; i++)
    if (!leq(t, a, b->kids[i], depth)) return false;
  return true;
}

/* x.*r has x, and with y all of y.q for q in r. */
static bool in_reach(const tp_rbounds *t, node *x, tp_rbound a, tp_rbound b, int depth) {
  node *y = tp_rbounds_node(t, b);
  if (leq(t, a, y->kids[0], depth)) return true;
  if (x->kind == TP_RBOUND_JOIN || x->kind == TP_RBOUND_REACH)
    return leq(t, x->kids[1], y->kids[1], depth) && leq(t, x->kids[0], b, depth);
  return false;
}

/* Operators that are monotone, or antitone, in their operands. */
static bool by_operands(const tp_rbounds *t, node *x, node *y, int depth) {
  if (x->kind != y->kind) return false;
  const tp_rbound *a = x->kids, *b = y->kids;
  if (x->kind == TP_RBOUND_JOIN || x->kind == TP_RBOUND_PRODUCT)
    return leq(t, a[0], b[0], depth) && leq(t, a[1], b[1], depth);
  if (x->kind == TP_RBOUND_DIFFERENCE)
    return leq(t, a[0], b[0], depth) && leq(t, b[1], a[1], depth);
  return false;
}

static bool is_included(const tp_rbounds *t, tp_rbound a, tp_rbound b, int depth) {
  node *x = tp_rbounds_node(t, a), *y = tp_rbounds_node(t, b);
  if (x->kind == TP_RBOUND_UNION) return all_leq(t, x, b, depth);
  if (y->kind == TP_RBOUND_INTERSECTION) return in_all(t, a, y, depth);
  if (x->kind == TP_RBOUND_IF) return leq(t, x->kids[1], b, depth) && leq(t, x->kids[2], b, depth);
  if (y->kind == TP_RBOUND_REACH && in_reach(t, x, a, b, depth)) return true;
  if (by_operands(t, x, y, depth)) return true;
  if (y->kind == TP_RBOUND_UNION && in_any(t, a, y, depth)) return true;
  if (y->kind == TP_RBOUND_IF && leq(t, a, y->kids[1], depth) && leq(t, a, y->kids[2], depth))
    return true;
  if (x->kind == TP_RBOUND_FIRST) {  // it is in s, and where its walk leads
    if (leq(t, x->kids[2], b, depth)) return true;
    return y->kind == TP_RBOUND_REACH && leq(t, x->kids[1], y->kids[1], depth) &&
           leq(t, x->kids[0], b, depth);
  }
  if (x->kind == TP_RBOUND_INTERSECTION) return any_leq(t, x, b, depth);
  if (x->kind == TP_RBOUND_DIFFERENCE) return leq(t, x->kids[0], b, depth);
  if (x->kind == TP_RBOUND_OVERRIDE)
    return leq(t, x->kids[0], b, depth) && leq(t, x->kids[1], b, depth);
  if (y->kind == TP_RBOUND_NEW_SET) return x->kind == TP_RBOUND_NEW && x->basic == y->basic;
  if (y->kind == TP_RBOUND_INTS) return x->kind == TP_RBOUND_INT;
  return false;
}

static bool leq(const tp_rbounds *t, tp_rbound a, tp_rbound b, int depth) {
  node *x = tp_rbounds_node(t, a), *y = tp_rbounds_node(t, b);
  tp_map *known = &t->answers->of[TP_RBOUNDS_INCLUDED];
  uint64_t yes;
  if (x->arity != y->arity) return false;
  if (a.id == b.id || x->kind == TP_RBOUND_NONE || y->kind == TP_RBOUND_UNIV) return true;
  if (depth > TP_CONTRACTS_BOUND_LEVELS) return false;
  if (tp_map_get(known, tp_rbounds_pair(a, b), &yes)) return yes;
  const bool is = is_included(t, a, b, depth + 1);
  tp_rbounds_note(known, tp_rbounds_pair(a, b), is);
  return is;
}

bool tp_rbound_leq(const tp_rbounds *t, tp_rbound a, tp_rbound b) {
  TP_REQUIRE(tp_rbounds_node(t, a)->arity == tp_rbounds_node(t, b)->arity);
  return leq(t, a, b, 0);
}

// ------------------------------------------------------------------ disjointness

static bool begins_no_member(const tp_rbounds *t, tp_rbound a);

/* Does it hold for all operands from this one on; for any of them? */
static bool all_begin_no_member(const tp_rbounds *t, node *x, uint32_t from) {
  for (uint32_t i = from; i < x->n_kids; i++)
    if (!begins_no_member(t, x->kids[i])) return false;
  return true;
}
static bool any_begins_no_member(const tp_rbounds *t, node *x) {
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (begins_no_member(t, x->kids[i])) return true;
  return false;
}

/* Objects that the pre-state does not have, or null: nothing that begins a tuple of a member. */
static bool begins_no_member(const tp_rbounds *t, tp_rbound a) {
  node *x = tp_rbounds_node(t, a);
  const tp_rbound_kind k = x->kind;
  if (k == TP_RBOUND_UNION) return all_begin_no_member(t, x, 0);
  if (k == TP_RBOUND_IF) return all_begin_no_member(t, x, 1);
  if (k == TP_RBOUND_INTERSECTION) return any_begins_no_member(t, x);
  if (k == TP_RBOUND_DIFFERENCE) return begins_no_member(t, x->kids[0]);
  if (k == TP_RBOUND_FIRST) return begins_no_member(t, x->kids[2]);
  return k == TP_RBOUND_NONE || k == TP_RBOUND_NULL || k == TP_RBOUND_INT || k == TP_RBOUND_INTS ||
         k == TP_RBOUND_NEW || k == TP_RBOUND_NEW_SET;
}

static bool is_constant(const tp_rbounds *t, tp_rbound a) {
  return tp_rbounds_is(t, a, TP_RBOUND_NAME) &&
         (tp_rbound_name_of(t, a)->facts & TP_RBOUND_IS_CONSTANT);
}

static bool is_unreferenced(const tp_rbounds *t, tp_rbound a) {
  return tp_rbounds_is(t, a, TP_RBOUND_NAME) &&
         (tp_rbound_name_of(t, a)->facts & TP_RBOUND_IS_UNREFERENCED);
}

/* Owners of tuples of a member: objects of the pre-state. */
static bool are_owners(const tp_rbounds *t, node *x) {
  return x->kind == TP_RBOUND_JOIN && x->arity == 1 &&
         tp_rbounds_is(t, x->kids[0], TP_RBOUND_NAME) &&
         (tp_rbound_name_of(t, x->kids[0])->facts & TP_RBOUND_IS_MEMBER);
}

/* Of leaves, and of what has no new object inside. */
static bool leaves_disjoint(const tp_rbounds *t, tp_rbound a, tp_rbound b) {
  node *x = tp_rbounds_node(t, a), *y = tp_rbounds_node(t, b);
  const bool x_is_old = !x->has_new && !x->has_any, y_is_old = !y->has_new && !y->has_any;
  if (x->kind == TP_RBOUND_NEW)
    return y_is_old || (y->kind == TP_RBOUND_NEW && a.id != b.id) || y->kind == TP_RBOUND_INTS ||
           (y->kind == TP_RBOUND_NEW_SET && x->basic != y->basic);
  if (x->kind == TP_RBOUND_NEW_SET)
    return y_is_old || (y->kind == TP_RBOUND_NEW_SET && a.id != b.id) || y->kind == TP_RBOUND_INTS;
  if (x->kind == TP_RBOUND_INT) return y->kind == TP_RBOUND_INT && a.id != b.id;
  if (x->kind == TP_RBOUND_NULL)
    return y->kind == TP_RBOUND_INT || y->kind == TP_RBOUND_INTS || is_constant(t, b) ||
           is_unreferenced(t, b);
  return is_constant(t, a) && is_constant(t, b) && a.id != b.id && x_is_old;
}

static bool disjoint(const tp_rbounds *t, tp_rbound a, tp_rbound b, int depth);

static bool left_disjoint(const tp_rbounds *t, tp_rbound a, tp_rbound b, int depth) {
  node *x = tp_rbounds_node(t, a);
  if (x->kind == TP_RBOUND_NONE) return true;
  if (x->kind == TP_RBOUND_UNION) {
    for (uint32_t i = 0; i < x->n_kids; i++)
      if (!disjoint(t, x->kids[i], b, depth)) return false;
    return true;
  }
  if (x->kind == TP_RBOUND_INTERSECTION)
    for (uint32_t i = 0; i < x->n_kids; i++)
      if (disjoint(t, x->kids[i], b, depth)) return true;
  if (x->kind == TP_RBOUND_DIFFERENCE)
    return leq(t, b, x->kids[1], depth) || disjoint(t, x->kids[0], b, depth);
  if (x->kind == TP_RBOUND_IF)
    return disjoint(t, x->kids[1], b, depth) && disjoint(t, x->kids[2], b, depth);
  if (x->kind == TP_RBOUND_FIRST && disjoint(t, x->kids[2], b, depth)) return true;
  if (are_owners(t, x) && begins_no_member(t, b)) return true;
  if (x->kind == TP_RBOUND_JOIN && x->arity == 1 &&
      tp_rbounds_is(t, x->kids[0], TP_RBOUND_PRODUCT) &&
      disjoint(t, tp_rbounds_kid(t, x->kids[0], 0), b, depth))
    return true;
  return leaves_disjoint(t, a, b);
}

static bool disjoint(const tp_rbounds *t, tp_rbound a, tp_rbound b, int depth) {
  tp_map *known = &t->answers->of[TP_RBOUNDS_DISJOINT];
  const uint64_t pair = a.id < b.id ? tp_rbounds_pair(a, b) : tp_rbounds_pair(b, a);
  uint64_t yes;
  if (depth++ > TP_CONTRACTS_BOUND_LEVELS) return false;
  if (tp_map_get(known, pair, &yes)) return yes;
  const bool are = left_disjoint(t, a, b, depth) || left_disjoint(t, b, a, depth);
  tp_rbounds_note(known, pair, are);
  return are;
}

bool tp_rbound_disjoint(const tp_rbounds *t, tp_rbound a, tp_rbound b) {
  return disjoint(t, a, b, 0);
}

static bool begins_none(const tp_rbounds *t, tp_rbound a, tp_rbound r, int depth);

static bool none_of_all(const tp_rbounds *t, tp_rbound a, node *x, uint32_t from, int depth) {
  for (uint32_t i = from; i < x->n_kids; i++)
    if (!begins_none(t, a, x->kids[i], depth)) return false;
  return true;
}
static bool none_of_any(const tp_rbounds *t, tp_rbound a, node *x, int depth) {
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (begins_none(t, a, x->kids[i], depth)) return true;
  return false;
}

static bool is_apart(const tp_rbounds *t, tp_rbound a, tp_rbound r, int depth) {
  node *x = tp_rbounds_node(t, r);
  const tp_rbound_kind k = x->kind;
  if (k == TP_RBOUND_NONE) return true;
  if (k == TP_RBOUND_NAME)
    return (t->names.at[x->number].facts & TP_RBOUND_IS_MEMBER) && begins_no_member(t, a);
  if (k == TP_RBOUND_UNION || k == TP_RBOUND_OVERRIDE) return none_of_all(t, a, x, 0, depth);
  if (k == TP_RBOUND_IF) return none_of_all(t, a, x, 1, depth);
  if (k == TP_RBOUND_INTERSECTION) return none_of_any(t, a, x, depth);
  if (k == TP_RBOUND_PRODUCT)
    return tp_rbounds_node(t, x->kids[0])->arity == 1 && disjoint(t, a, x->kids[0], depth);
  if (k != TP_RBOUND_DIFFERENCE) return false;
  const bool is_covered =
      tp_rbounds_is_all_of(t, x->kids[1]) && leq(t, a, tp_rbounds_kid(t, x->kids[1], 0), depth);
  return is_covered || begins_none(t, a, x->kids[0], depth);
}

static bool begins_none(const tp_rbounds *t, tp_rbound a, tp_rbound r, int depth) {
  tp_map *known = &t->answers->of[TP_RBOUNDS_BEGINS_NONE];
  uint64_t yes;
  if (depth > TP_CONTRACTS_BOUND_LEVELS) return false;
  if (tp_map_get(known, tp_rbounds_pair(a, r), &yes)) return yes;
  const bool none = is_apart(t, a, r, depth + 1);
  tp_rbounds_note(known, tp_rbounds_pair(a, r), none);
  return none;
}

bool tp_rbound_begins_none(const tp_rbounds *t, tp_rbound a, tp_rbound r) {
  return begins_none(t, a, r, 0);
}

// ----------------------------------------------------------------- contradiction

static bool stands(const tp_rbounds *t, const tp_rbound *facts, uint32_t n, tp_rbound f,
                   bool negated) {
  for (uint32_t i = 0; i < n; i++) {
    const bool is_not = tp_rbounds_is(t, facts[i], TP_RBOUND_NOT);
    if (negated ? is_not && tp_rbounds_kid(t, facts[i], 0).id == f.id : facts[i].id == f.id)
      return true;
  }
  return false;
}

/* Are all of them facts? A conjunction among facts stands there as its parts. */
static bool all_stand(const tp_rbounds *t, const tp_rbound *facts, uint32_t n, node *x) {
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (!stands(t, facts, n, x->kids[i], false)) return false;
  return true;
}

bool tp_rbound_contradicts(const tp_rbounds *t, const tp_rbound *facts, uint32_t n, tp_rbound f) {
  node *x = tp_rbounds_node(t, f);
  TP_REQUIRE(x->arity == 0);
  if (x->kind == TP_RBOUND_FALSE) return true;
  if (x->kind == TP_RBOUND_NOT && stands(t, facts, n, x->kids[0], false)) return true;
  if (x->kind == TP_RBOUND_NOT && tp_rbounds_is(t, x->kids[0], TP_RBOUND_AND) &&
      all_stand(t, facts, n, tp_rbounds_node(t, x->kids[0])))
    return true;
  if (stands(t, facts, n, f, true)) return true;
  if (x->kind == TP_RBOUND_AND)
    for (uint32_t i = 0; i < x->n_kids; i++)
      if (tp_rbound_contradicts(t, facts, n, x->kids[i])) return true;
  if (x->kind != TP_RBOUND_OR) return false;
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (!tp_rbound_contradicts(t, facts, n, x->kids[i])) return false;
  return true;
}

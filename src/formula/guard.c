/* Path guards. */
#include "formula/guard.h"

#include "formula/formula_limits.h"

void tp_guards_init(tp_guards *gs, tp_terms *tt) {
  memset(gs, 0, sizeof *gs);
  gs->tt = tt;
  tp_guards_reset(gs);
}

void tp_guards_clear(tp_guards *gs) { tp_vec_clear(&gs->nodes); }

void tp_guards_reset(tp_guards *gs) {
  gs->nodes.n = 0;
  tp_vec_push(&gs->nodes,
              (tp_guard_node){.all = tp_mk_false(gs->tt), .literal = tp_mk_false(gs->tt)});
  tp_vec_push(&gs->nodes,
              (tp_guard_node){.all = tp_mk_true(gs->tt), .literal = tp_mk_true(gs->tt)});
}

static const tp_guard_node *node(const tp_guards *gs, tp_guard g) {
  TP_REQUIRE(g.id < gs->nodes.n);
  return &gs->nodes.at[g.id];
}

/* Climbs from two guards meet because depths count the steps to the root. */
static bool is_below_parent(const tp_guards *gs, tp_guard g) {
  const tp_guard_node *n = node(gs, g);
  return n->parent.id < g.id && n->depth == node(gs, n->parent)->depth + 1;
}

tp_term tp_guard_term(const tp_guards *gs, tp_guard g) { return node(gs, g)->all; }

tp_guard tp_guard_and(tp_guards *gs, tp_guard g, tp_term condition) {
  TP_REQUIRE(tp_sort_kind_of(gs->tt, tp_sort_of(gs->tt, condition)) == TP_SORT_BOOL);
  if (tp_guard_is_false(g) || tp_is_false(gs->tt, condition)) return TP_GUARD_FALSE;
  if (tp_is_true(gs->tt, condition)) return g;
  tp_term opposite = tp_mk_not(gs->tt, condition);
  tp_guard up = g;
  for (uint32_t i = 0; i < TP_FORMULA_GUARD_LOOK_BACK && up.id != TP_GUARD_TRUE.id;
       i++, up = node(gs, up)->parent) {
    if (tp_term_eq(node(gs, up)->literal, condition)) return g;
    if (tp_term_eq(node(gs, up)->literal, opposite)) return TP_GUARD_FALSE;
  }
  tp_term all = tp_mk_and(gs->tt, node(gs, g)->all, condition);
  if (tp_is_false(gs->tt, all)) return TP_GUARD_FALSE;
  if (tp_term_eq(all, node(gs, g)->all)) return g;
  tp_guard_node n = {g, node(gs, g)->depth + 1, condition, all};
  TP_INVARIANT(!tp_is_const(gs->tt, condition));
  tp_vec_push(&gs->nodes, n);
  const tp_guard made = {(uint32_t)gs->nodes.n - 1};
  TP_INVARIANT(is_below_parent(gs, made));
  return made;
}

bool tp_guard_is_above(const tp_guards *gs, tp_guard g, tp_guard h) {
  TP_REQUIRE(!tp_guard_is_false(g) && !tp_guard_is_false(h));
  while (node(gs, h)->depth > node(gs, g)->depth) h = node(gs, h)->parent;
  return g.id == h.id;
}

/* Where the paths from the root part: the last shared node, and the first own nodes (false: the
 * path ends there). */
typedef struct {
  tp_guard shared, first_a, first_b;
} fork;

static fork find_fork(const tp_guards *gs, tp_guard a, tp_guard b) {
  fork f = {TP_GUARD_TRUE, TP_GUARD_FALSE, TP_GUARD_FALSE};
  while (a.id != b.id) {
    if (node(gs, a)->depth >= node(gs, b)->depth) {
      TP_INVARIANT(is_below_parent(gs, a));
      f.first_a = a;
      a = node(gs, a)->parent;
    } else {
      TP_INVARIANT(is_below_parent(gs, b));
      f.first_b = b;
      b = node(gs, b)->parent;
    }
  }
  f.shared = a;
  return f;
}

/* Conjunction of the literals below `top` down to g, without the literal of `skip`. */
static tp_term rest(const tp_guards *gs, tp_guard top, tp_guard g, tp_guard skip) {
  tp_term all = tp_mk_true(gs->tt);
  for (; g.id != top.id; g = node(gs, g)->parent)
    if (g.id != skip.id) all = tp_mk_and(gs->tt, node(gs, g)->literal, all);
  return all;
}

tp_guard tp_guard_join(tp_guards *gs, tp_guard a, tp_guard b, tp_term *selector) {
  TP_REQUIRE(!tp_guard_is_false(a) && !tp_guard_is_false(b) && selector);
  tp_terms *tt = gs->tt;
  fork f = find_fork(gs, a, b);
  tp_term la = node(gs, f.first_a)->literal, lb = node(gs, f.first_b)->literal, either;
  if (tp_guard_is_false(f.first_a) || tp_guard_is_false(f.first_b)) {
    // One path continues the other: they do not exclude each other; the longer one is the special
    // case.
    *selector = rest(gs, f.shared, a, TP_GUARD_FALSE);
    return f.shared;
  }
  if (tp_term_eq(la, tp_mk_not(tt, lb))) {
    *selector = la;
    either = tp_mk_ite(tt, la, rest(gs, f.shared, a, f.first_a), rest(gs, f.shared, b, f.first_b));
  } else {
    tp_term ra = rest(gs, f.shared, a, TP_GUARD_FALSE), rb = rest(gs, f.shared, b, TP_GUARD_FALSE);
    *selector = f.first_b.id == b.id && f.first_a.id != a.id ? tp_mk_not(tt, rb) : ra;
    either = tp_mk_or(tt, ra, rb);
  }
  return tp_guard_and(gs, f.shared, either);
}

/* Path guards: under which condition a symbolic state is reached.
 *
 * What       a tree of literals; a guard is a node, its condition the conjunction of the literals
 *            from the root down.
 * Represents branching adds two children with complementary literals, an assumption adds one child.
 *            Joining two states keeps the part that both paths share and adds one literal for
 *            "either of the rests", so that a diamond without assumptions leaves no trace in the
 *            guard.
 * Invariants a child's literal is neither true nor false.
 * Ownership  nodes live as long as the table; a handle is an index into it.
 * Cost       joining is linear in the lengths of the two rests. */
#ifndef TP_FORMULA_GUARD_H
#define TP_FORMULA_GUARD_H

#include "term/term.h"

typedef struct {
  uint32_t id;
} tp_guard;
#define TP_GUARD_FALSE ((tp_guard){0})
#define TP_GUARD_TRUE ((tp_guard){1})
static inline bool tp_guard_is_false(tp_guard g) { return g.id == 0; }

typedef struct {
  tp_guard parent;
  uint32_t depth;
  tp_term literal;
  tp_term all;  // conjunction from the root
} tp_guard_node;

typedef struct {
  tp_terms *tt;
  TP_VEC(tp_guard_node) nodes;  // [0] false, [1] true
} tp_guards;

void tp_guards_init(tp_guards *gs, tp_terms *tt);
void tp_guards_clear(tp_guards *gs);
void tp_guards_reset(tp_guards *gs);  // removes all guards but true and false
tp_term tp_guard_term(const tp_guards *gs, tp_guard g);
/* g and condition; false if the condition or its contradiction with a literal of g shows
 * syntactically. */
tp_guard tp_guard_and(tp_guards *gs, tp_guard g, tp_term condition);
/* Is g part of h: the same, or a condition on the way from the root to it? */
bool tp_guard_is_above(const tp_guards *gs, tp_guard g, tp_guard h);
/* The two guards must exclude each other and not be false. selector: true exactly in a, provided a
 * or b holds. */
tp_guard tp_guard_join(tp_guards *gs, tp_guard a, tp_guard b, tp_term *selector);

#endif

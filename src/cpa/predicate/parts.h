/* A formula in parts: conjuncts that share variables, directly or by others, belong together.
 *
 * What       a query about a formula uses only the parts that share variables with the query.
 *            Before that, conjuncts of the form t = constant, or a condition, are substituted in
 *            the others, and in the query: many queries are decided by that alone.
 * Represents the formula has a model iff each part has one, and where it has one, it implies t iff
 *            the parts that share variables with t's meaning do. No two parts have a variable in
 *            common. Pointers and memory count as one variable: facts that tp_paths_query
 *            adds to a formula relate them. A conjunct x = constant is no part: nothing
 *            else mentions x any more.
 * Ownership  terms live in the program's table.
 * Cost       linear in the size of the formula, for a few rounds.
 * Source     Cadar, Dunbar, Engler 2008 (KLEE), sec. 3.3: constraint independence, implied values;
 *            we differ: it is used for abstraction. */
#ifndef TP_CPA_PREDICATE_PARTS_H
#define TP_CPA_PREDICATE_PARTS_H

#include "formula/path.h"

typedef struct {
  const tp_paths *paths;
  tp_term_list conjuncts;
  tp_map known;     // term -> what it is where the formula holds
  bool is_settled;  // nothing more can be put into conjuncts
  tp_map group_of;  // variable -> its group
  TP_VEC(uint32_t)
  joined;  // by group: one that it was joined with, of a smaller number; itself: none
  TP_VEC(tp_term) parts;  // by group: TRUE if it was joined with another
} tp_parts;

void tp_parts_init(tp_parts *p, const tp_paths *paths, tp_term formula);
void tp_parts_clear(tp_parts *p);
/* t where the formula holds. */
tp_term tp_parts_meaning(tp_parts *p, tp_term t);
/* The conjunction of the parts that share variables with t, which is a meaning. */
tp_term tp_parts_about(const tp_parts *p, tp_term t);

#endif

/* A formula in parts: conjuncts that share variables, directly or by others, belong together.
 *
 * What       a question about a formula asks only the parts that speak of the same variables.
 * Represents the formula is the conjunction of its parts; no two parts have a variable in common. So it has a model iff each part has one, and
 *            where it has one, it implies t iff the parts that share variables with t do. Pointers and memory count as one variable: facts
 *            that are said beside a formula (tp_paths_question) relate them.
 * Ownership  terms live in the program's table.
 * Cost       linear in the size of the formula.
 * Source     Cadar, Dunbar, Engler 2008 (KLEE), sec. 3.3: constraint independence; we differ: it is used for abstraction. */
#ifndef TP_CPA_PREDICATE_PARTS_H
#define TP_CPA_PREDICATE_PARTS_H

#include "formula/path.h"

typedef struct {
  const tp_paths *paths;
  tp_map group_of;             // variable -> its group
  TP_VEC(uint32_t) joined;     // by group: one that it was joined with, of a smaller number; itself: none
  TP_VEC(tp_term) parts;       // by group: TRUE if it was joined with another
} tp_parts;

void tp_parts_init(tp_parts *p, const tp_paths *paths, tp_term formula);
void tp_parts_clear(tp_parts *p);
/* The conjunction of the parts that share variables with t. */
tp_term tp_parts_about(const tp_parts *p, tp_term t);

#endif

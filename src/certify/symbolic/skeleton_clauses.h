/* Skeletons as clauses, with a search for their models.
 *
 * What       Boolean terms over symbols; what is not a connective is a symbol, whatever it is.
 * Represents clauses that have a model if the facts have one, and whose models meet the facts: of a
 *            term within a fact a variable implies it, or is implied by it, as its place needs
 *            (polarity).
 * Ownership  the terms are the caller's.
 * Source     Plaisted, Greenbaum 1986 (one direction of definitions). */
#ifndef TP_CERTIFY_SYMBOLIC_SKELETON_CLAUSES_H
#define TP_CERTIFY_SYMBOLIC_SKELETON_CLAUSES_H

#include "certify/unsat/clause_search.h"
#include "term/term.h"

typedef struct {
  tp_terms *tt;
  tp_clause_search *search;
  int n_variables;
  tp_map variable_of;          // term -> variable
  TP_VEC(uint8_t) is_defined;  // by variable: the directions that clauses have
  TP_VEC(tp_term) todo;        // terms whose definition is missing, with its direction
  TP_VEC(uint8_t) directions;  // of these
  TP_VEC(int) clause;          // scratch
} tp_chk_skeleton_clauses;

void tp_chk_skeleton_clauses_init(tp_chk_skeleton_clauses *c, tp_terms *tt);
void tp_chk_skeleton_clauses_clear(tp_chk_skeleton_clauses *c);
void tp_chk_skeleton_clauses_add(tp_chk_skeleton_clauses *c, tp_term fact);
/* Of a symbol, in the last model; false if no fact has it. */
bool tp_chk_skeleton_clauses_holds(const tp_chk_skeleton_clauses *c, tp_term symbol);

#endif

/* Clauses that grow, and a search for their model that proves its refutations.
 *
 * What       adds clauses, looks for a model, goes on with more clauses; for many small questions
 *            of which most have a model.
 * Represents REFUTED: the checker of proofs (drat.h) found the clauses refuted by the clauses that
 *            were learnt. The search is not trusted.
 * Invariants the two literals in front of a clause are watched: as long as no conflict was found,
 *            neither is false unless the other is true or was given its value no later.
 * Ownership  clauses are copied; a model stays until the next search.
 * Cost       of a clause its literals; of a search its propagations. Nothing is deleted: for
 *            clauses and conflicts by the thousand.
 * Errors     LIMIT: more conflicts than allowed, and another search goes on; or a proof that was
 *            refused.
 * Source     Marques-Silva, Sakallah 1999 (learning); Moskewicz et al. 2001 (watched literals,
 *            activities); Luby, Sinclair, Zuckerman 1993 (restarts). */
#ifndef TP_CERTIFY_UNSAT_CLAUSE_SEARCH_H
#define TP_CERTIFY_UNSAT_CLAUSE_SEARCH_H

#include "base/base.h"

typedef struct tp_clause_search tp_clause_search;
typedef enum {
  TP_CLAUSE_SEARCH_REFUTED,
  TP_CLAUSE_SEARCH_MODEL,
  TP_CLAUSE_SEARCH_LIMIT
} tp_clause_search_answer;

tp_clause_search *tp_clause_search_new(void);
void tp_clause_search_free(tp_clause_search *s);  // NULL is fine
/* Literals as in DIMACS, without the 0 at the end. */
void tp_clause_search_add(tp_clause_search *s, const int *lits, size_t n);
/* conflicts: of this search, 0: no limit. */
tp_clause_search_answer tp_clause_search_run(tp_clause_search *s, uint64_t conflicts);
/* In the last model that was found; variables that no clause had then are false. */
bool tp_clause_search_holds(const tp_clause_search *s, int literal);

/* A fault for tests, from now on: learnt clauses lack their first literal. */
void tp_clause_search_inject(bool shortens);

#endif

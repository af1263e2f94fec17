/* Assignments to ghosts as statements of the program.
 *
 * What       a preprocessed source in which each assignment of a contract comment is a call of a
 *            function without body, and from such a call back to the assignment: so control flow,
 *            scopes and loops around the comment are those that the compiler sees.
 * Represents one function for each assignment, named by the clause's number; it has no arguments,
 *            because the variables of the scope are the executor's.
 * Ownership  borrows clauses and texts. */
#ifndef TP_CONTRACTS_SPEC_GHOST_STATEMENTS_H
#define TP_CONTRACTS_SPEC_GHOST_STATEMENTS_H

#include "contracts/spec/resolved_contracts.h"

/* The text that tp_clauses_read_c has read, with calls for its assignments, which are the clauses
 * from number `first` on. False: it has none, and nothing is added. path: as for tp_clauses_read_c.
 */
bool tp_ghost_statements_insert(const tp_clauses *c, size_t first, const char *path,
                                const char *text, tp_str *out);
/* Is the function one of these? */
bool tp_is_ghost_statement(const char *function);
/* What a call of the function assigns; NULL: it is none of these. */
const tp_resolved_clause *tp_ghost_statement_of(const tp_contracts *m, const char *function);
/* Summaries are those of the program without its ghosts: adds to what `modifies` names the ghosts
 * that the functions, and those that they may call, assign to. Summaries without such a clause
 * allow every change. */
void tp_ghost_statements_extend_frames(const tp_program *p, const tp_clauses *with_ghosts,
                                       tp_clauses *summaries);

#endif

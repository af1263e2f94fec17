/* Proofs of unsatisfiability: a checker for DRAT.
 *
 * What       reads a CNF (DIMACS text, or clause by clause) and a proof (DRAT, text or binary; a
 *            binary one also in pieces, while it is being written), checks every step, says whether
 *            the CNF is refuted.
 * Represents a proof is a list of clauses to add and to delete. A clause may be added if assuming
 *            its negation leads to a conflict by unit propagation (RUP), or if that is so for its
 *            resolvents on its first literal with every clause that has the opposite one (RAT):
 *            then whatever was satisfiable before is so afterwards. The empty clause, or a conflict
 *            of units, ends the proof.
 * Invariants VERIFIED only if every step up to the conflict was checked. Deleting a clause that
 *            gave a unit its value is ignored: more clauses make RUP easier and RAT harder, both
 *            stay right.
 * Ownership  tp_drat_check keeps nothing; a tp_drat owns its clauses, and what is fed is copied.
 * Cost       memory: the clauses that are there, and as much again of deleted ones; never the
 * proof. Time: one unit propagation with two watched literals for each clause added; occurrence
 * lists from the first RAT step on. Source     Wetzler, Heule, Hunt 2014; Jarvisalo, Heule, Biere
 * 2012 (RAT); we differ: forward, every step is checked. */
#ifndef TP_CERTIFY_UNSAT_DRAT_H
#define TP_CERTIFY_UNSAT_DRAT_H

#include "base/base.h"

typedef enum {
  TP_DRAT_VERIFIED,
  TP_DRAT_REJECTED,   // a step does not follow, or the proof ends without a conflict
  TP_DRAT_MALFORMED,  // not a CNF, not a proof
  TP_DRAT_GAVE_UP     // more work than allowed
} tp_drat_answer;
typedef enum { TP_DRAT_TEXT, TP_DRAT_BINARY } tp_drat_format;

typedef struct {
  uint64_t n_added, n_deleted, n_kept,
      n_rat;             // clauses added; deleted; asked to be deleted but kept; added as RAT
  uint64_t n_compacted;  // how often deleted clauses were taken out of memory
  uint64_t n_assigned;   // literals that propagation and assumptions made true
} tp_drat_stats;

/* max_assigned: limit of work, 0: none. why: what was wrong, for people. */
tp_drat_answer tp_drat_check(const char *cnf, size_t n_cnf, const char *proof, size_t n_proof,
                             tp_drat_format format, uint64_t max_assigned, tp_drat_stats *stats,
                             tp_str *why);

/* A proof that is checked while it is written (streamed). */
typedef struct tp_drat tp_drat;
/* max_assigned: as above. */
tp_drat *tp_drat_new(uint64_t max_assigned);
void tp_drat_free(tp_drat *d);
/* A clause of the CNF, before the proof; literals as in DIMACS. False: a literal is out of range.
 */
bool tp_drat_clause(tp_drat *d, const int *lits, size_t n);
/* The next bytes of a binary proof, which may end within a step. False: more bytes change nothing,
 * because the CNF is refuted or the proof refused. */
bool tp_drat_feed(tp_drat *d, const void *bytes, size_t n);
bool tp_drat_is_refuted(const tp_drat *d);
/* The answer to what was fed so far: REJECTED also if the proof ends without a conflict. */
tp_drat_answer tp_drat_conclude(tp_drat *d, tp_drat_stats *stats, tp_str *why);

#endif

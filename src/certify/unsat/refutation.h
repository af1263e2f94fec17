/* Refutations: clauses without a model, shown by a proof that is checked here.
 *
 * What       asks a solver (CaDiCaL) for a DRAT proof and checks each step of it while the solver
 *            writes it.
 * Represents PROVED: the checker of proofs (drat.h) found the clauses refuted. The solver is not
 *            trusted: what it answers decides only what is tried.
 * Ownership  nothing is kept, neither proof nor clauses.
 * Cost       that of solving, and about as much for the check; memory: the clauses that the solver
 *            has at a time, twice (the proof is never stored).
 * Errors     limits: LIMIT. Exhausted memory ends the process, as everywhere (base/base.h).
 * Source     Wetzler, Heule, Hunt 2014 (DRAT); Biere et al. 2020 (CaDiCaL, release 1.5.3). */
#ifndef TP_CERTIFY_UNSAT_REFUTATION_H
#define TP_CERTIFY_UNSAT_REFUTATION_H

#include "certify/unsat/drat.h"

typedef enum {
  TP_REFUTATION_PROVED,
  TP_REFUTATION_MODEL,  // the solver says that there is a model
  TP_REFUTATION_LIMIT,
  TP_REFUTATION_REFUSED  // the solver says that there is none, and its proof was refused
} tp_refutation_answer;

typedef struct {
  uint64_t conflicts;  // of the solver, 0: no limit; reproducible
  uint64_t assigned;   // literals that the check of the proof may assign, 0: no limit; reproducible
  double cpu_s;        // of solving and checking together, 0: no limit
} tp_refutation_limits;

typedef struct {
  tp_drat_stats proof;
  uint64_t proof_bytes;
  double cpu_s, check_s;  // altogether; in the checker of proofs
} tp_refutation_stats;

/* clauses: literals as in DIMACS, n of them; each clause ends in 0. why (may be NULL): what was
 * wrong with the proof, for people. */
tp_refutation_answer tp_refute_clauses(const int *clauses, size_t n, tp_refutation_limits limits,
                                       tp_refutation_stats *stats, tp_str *why);

/* Faults for tests, in every refutation until NONE. SHORTEN: the proof ends before byte `at`;
 * FORGE: the lowest bit of byte `at` is another one (a literal becomes its opposite); LIE: the
 * solver's proof is the empty clause alone, whatever the clauses are. */
typedef enum {
  TP_PROOF_FAULT_NONE,
  TP_PROOF_FAULT_SHORTEN,
  TP_PROOF_FAULT_FORGE,
  TP_PROOF_FAULT_LIE
} tp_proof_fault;
void tp_refutation_inject(tp_proof_fault fault, uint64_t at);

#endif

/* A SAT solver over gates: CaDiCaL.
 *
 * What       clauses of literals of a circuit, solving under assumptions, values, failed
 *            assumptions.
 * Represents what is asserted, together with the definitions of all gates below it. Definitions are
 *            added when a clause or an assumption needs them, and stay: they exclude nothing.
 * Ownership  borrows the circuit, which may grow meanwhile.
 * Errors     limits: GAVE_UP. Limits of conflicts are reproducible; CPU time is a net.
 * Source     Biere et al. 2020 (CaDiCaL, release 1.5.3); Tseitin 1968; Een & Sorensson 2003
 *            (assumptions). */
#ifndef TP_CIRCUIT_SAT_H
#define TP_CIRCUIT_SAT_H

#include "circuit/gates.h"

typedef struct tp_sat tp_sat;
typedef enum {
  TP_SAT_SATISFIABLE,
  TP_SAT_UNSATISFIABLE,
  TP_SAT_CONFLICT_LIMIT,
  TP_SAT_CPU_LIMIT
} tp_sat_answer;

tp_sat *tp_sat_new(const tp_gates *g);
void tp_sat_free(tp_sat *s);
const char *tp_sat_solver_version(void);  // "cadical-1.5.3"; static
void tp_sat_clause(tp_sat *s, const tp_lit *lits, size_t n);
/* Variables and clauses that the solver was given. */
void tp_sat_size(const tp_sat *s, uint64_t *variables, uint64_t *clauses);
/* Before the first clause: of a gate's definition only the direction is given that clauses and
 * assumptions need (Plaisted, Greenbaum 1986): fewer clauses, where circuits are no arithmetic.
 * Another direction is added when it is needed. */
void tp_sat_use_polarity(tp_sat *s);
/* Before the first clause: keep what the solver is given, so that it can be written as DIMACS text.
 */
void tp_sat_record_clauses(tp_sat *s);
void tp_sat_dimacs(const tp_sat *s, tp_str *out);
/* The same as numbers: literals of DIMACS, 0 at the end of each clause; until the next clause. */
const int *tp_sat_recorded(const tp_sat *s, size_t *n);
/* The variable of the literal's node in these clauses; 0: none of them has it. */
int tp_sat_variable(const tp_sat *s, tp_lit a);
/* conflicts: 0: no limit. cpu_s: of this thread, 0: no limit. */
tp_sat_answer tp_sat_solve(tp_sat *s, const tp_lit *assumptions, size_t n, uint64_t conflicts,
                           double cpu_s);
/* After SATISFIABLE, until the next clause: the value of any literal; gates and inputs made since
 * are computed, inputs that the solver has not seen are false. */
bool tp_sat_value(tp_sat *s, tp_lit a);
tp_u128 tp_sat_word(tp_sat *s, const tp_lit *word, uint32_t n);
/* After UNSATISFIABLE: was this assumption used? */
bool tp_sat_failed(tp_sat *s, tp_lit assumption);

#endif

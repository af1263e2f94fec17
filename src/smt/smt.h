/* One interface for all solvers.
 *
 * What       assert, push, pop, check under assumptions, model, core, limits; back ends are the
 *            rows of the table in smt/backends.h.
 * Represents satisfiability of Bool terms of one term table. Lowering: PTR is BV(32 + ptr_bits),
 *            object in the high part; PTR_TO_INT is base(object) + offset with an uninterpreted
 *            base, base(0) = 0.
 * Ownership  a solver owns its assertions, models and cores; answers are valid until the next call.
 * Errors     a solver that aborts, hangs or lies costs an answer: TP_SMT_UNKNOWN with a reason.
 *            Models are evaluated on the asserted terms before they are believed, unless
 *            `trusts_models`. */
#ifndef TP_SMT_SMT_H
#define TP_SMT_SMT_H

#include "diag/stats.h"
#include "term/term.h"

typedef enum { TP_SMT_SAT, TP_SMT_UNSAT, TP_SMT_UNKNOWN } tp_smt_answer;
typedef struct tp_smt tp_smt;

typedef struct {
  const char
      *backend;  // a name of smt/backends.h; NULL: "z3"; another name: every check is UNKNOWN
  const char *command;  // "pipe": "cvc5 --lang smt2 --incremental ..."; words, quotes as in a shell
  uint64_t rlimit;      // solver steps per check, 0: none; machine-independent
  double cpu_s;         // net only: give up past this much CPU per check, 0: none
  bool
      accept_unchecked;  // also say SAT where no model can be evaluated (quantifiers); off: UNKNOWN
  bool looks_at_bounds;  // intervals are tried before a back end (value_bounds.h): for questions
                         // that are asked once
  bool trusts_models;    // SAT is no claim to the caller: models are not evaluated, answers not
                         // remembered (for many small checks)
  tp_stats *stats;       // may be NULL
} tp_smt_options;

tp_smt *tp_smt_new(tp_terms *tt, tp_smt_options options);
void tp_smt_free(tp_smt *s);
void tp_smt_push(tp_smt *s);
void tp_smt_pop(tp_smt *s);
void tp_smt_assert(tp_smt *s, tp_term fact);
/* Are the assertions and all assumptions satisfiable together? */
tp_smt_answer tp_smt_check(tp_smt *s, const tp_term *assumptions, size_t n);
/* After SAT: the value of any term (variables the solver did not need are 0). False if it cannot be
 * had. */
bool tp_smt_value(tp_smt *s, tp_term t, tp_value *out);
/* After UNSAT: a subset of the assumptions that is already unsatisfiable with the assertions; core
 * has room for n. May cost another check. The solver's word: re-check a core that carries a proof.
 */
size_t tp_smt_core(tp_smt *s, tp_term *core);
const char *tp_smt_reason(const tp_smt *s);  // after UNKNOWN: "resource limit", ...

/* Faults for tests: fail in this way at the n-th check (from 1) that reaches a back end, counted
 * from this call; NONE disarms. A HANG needs options.cpu_s, which ends it. */
typedef enum {
  TP_FAULT_NONE,
  TP_FAULT_UNKNOWN,
  TP_FAULT_ERROR,
  TP_FAULT_WRONG_MODEL,
  TP_FAULT_HANG,
  TP_FAULT_CRASH
} tp_smt_fault;
void tp_smt_inject(tp_smt_fault fault, uint64_t at_check);
/* The same at every check, until NONE disarms. */
void tp_smt_inject_always(tp_smt_fault fault);

/* The current assertions and these assumptions as an SMT-LIB 2 script; false if one cannot be
 * written. */
bool tp_smt_print(tp_smt *s, const tp_term *assumptions, size_t n, tp_str *out);

/* "Z3 4.8.12.0"; static. */
const char *tp_smt_z3_version(void);

#endif

/* What a solver back end is: a table of functions over lowered queries.
 *
 * What       the contract between smt.c and z3.c, pipe.c, bits.c, mixed.c.
 * Represents a query is the whole problem each time; a back end that works incrementally finds the
 *            common prefix with what it has asserted itself. So nothing needs to be undone when a
 *            solver dies: the next query rebuilds it.
 * Ownership  queries are borrowed for one call; a back end owns its processes and contexts. */
#ifndef TP_SMT_BACKEND_H
#define TP_SMT_BACKEND_H

#include "smt/smt.h"

/* Which theories occur, as bits: decides the logic and the strategy. */
enum {
  TP_THEORY_BV = 1,
  TP_THEORY_ARRAY = 2,
  TP_THEORY_FP = 4,
  TP_THEORY_INT = 8,
  TP_THEORY_QUANTIFIER = 16
};

typedef struct {
  const tp_term *facts;  // lowered assertions, with the facts that lowering adds
  size_t n_facts;
  const size_t *frames;  // index of the first fact of each pushed frame
  size_t n_frames;
  const tp_term *assumptions;  // lowered
  size_t n_assumptions;
  const tp_term *vars;  // every variable that occurs
  size_t n_vars;
  unsigned theories;
  uint64_t rlimit;
  double cpu_s;
  tp_smt_fault fault;  // to be committed in this check
} tp_smt_query;

typedef struct {
  const char *name;
  void *(*open)(tp_terms *tt, const tp_smt_options *options);
  void (*close)(void *self);
  /* *reason: static text or owned by self; set on UNKNOWN. *broke: the solver failed rather than
   * gave up. */
  tp_smt_answer (*check)(void *self, const tp_smt_query *q, const char **reason, bool *broke);
  /* After SAT on the same query: the value of each of q->vars. */
  bool (*model)(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values);
  /* After UNSAT on the same query: which assumptions were used; false if that cannot be had. */
  bool (*core)(void *self, const tp_smt_query *q, bool *used);
} tp_smt_backend;

extern const tp_smt_backend tp_smt_z3;
extern const tp_smt_backend tp_smt_pipe;
extern const tp_smt_backend tp_smt_bits;
extern const tp_smt_backend tp_smt_mixed;
extern const tp_smt_backend tp_smt_ints;
extern const tp_smt_backend tp_smt_ints_exact;

#endif

/* What a solver back end is: a table of functions over lowered queries.
 *
 * What       the contract between smt.c, which every caller goes through, and the files
 *            backend_*.c.
 * Represents a query is the whole problem each time; a back end that works incrementally finds the
 *            common prefix with what it has asserted itself (smt/sync.h). So nothing needs to be
 *            undone when a solver dies: the next query rebuilds it.
 * Law        SAT and UNSAT must be right; smt.c validates models (tp_eval on the original terms),
 *            UNSAT is the back end's word. UNKNOWN is always allowed. A theory that a back end does
 *            not have is UNKNOWN with a reason that starts "NAME: no ", NAME being its name in the
 *            table: tests tell such refusals from failures by it.
 * Ownership  queries are borrowed for one call; a back end owns its processes and contexts.
 * Adding     a file backend_NAME.c with one `const tp_smt_backend`, a row in smt/backends.h;
 *            no other code (doc/solvers.md, "A further back end"). */
#ifndef TP_SMT_BACKEND_H
#define TP_SMT_BACKEND_H

#include "smt/backends.h"
#include "smt/smt.h"

/* Which theories occur, as bits: decides the logic and the strategy. */
enum {
  TP_THEORY_BV = 1,
  TP_THEORY_ARRAY = 2,
  TP_THEORY_FP = 4,
  TP_THEORY_INT = 8,
  TP_THEORY_QUANTIFIER = 16
};

/* The assertions and assumptions of one check. Lowered (smt/lower.h): no pointers, floats only over
 * bits and as elements of arrays. */
typedef struct {
  const tp_term *facts;  // assertions, with the facts that lowering adds
  size_t n_facts;
  const size_t *frames;  // index of the first fact of each pushed frame, ascending
  size_t n_frames;
  const tp_term *assumptions;
  size_t n_assumptions;
  const tp_term *vars;  // every variable that occurs
  size_t n_vars;
  unsigned theories;
  uint64_t rlimit;     // as tp_smt_options
  double cpu_s;        // as tp_smt_options
  tp_smt_fault fault;  // to be committed in this check
} tp_smt_query;

/* The operators of a back end; all are required. `self` is what open returned. */
typedef struct {
  /* Never NULL: what cannot be started is an UNKNOWN of each check. options: borrowed for the call.
   */
  void *(*open)(tp_terms *tt, const tp_smt_options *options);
  void (*close)(void *self);
  /* Decide facts and assumptions together, within q->rlimit and q->cpu_s. *reason: static text or
   * owned by self; set on UNKNOWN. *broke: the solver failed rather than gave up; set always.
   * q->fault other than NONE and WRONG_MODEL: fail in this way, for tests. */
  tp_smt_answer (*check)(void *self, const tp_smt_query *q, const char **reason, bool *broke);
  /* After SAT on the same query: the value of each of q->vars. False: the model cannot be read. */
  bool (*model)(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values);
  /* After UNSAT on the same query: which assumptions were used; false if that cannot be had. May
   * check again: the answer may have come from the cache. */
  bool (*core)(void *self, const tp_smt_query *q, bool *used);
} tp_smt_backend;

#define TP_SMT_DECLARE_ROW(symbol, name, use, what) extern const tp_smt_backend tp_smt_##symbol;
TP_SMT_BACKENDS(TP_SMT_DECLARE_ROW)
#undef TP_SMT_DECLARE_ROW

/* Are the parts of a query consistent: frames ascending within the facts, Bool facts and
 * assumptions, variables that are variables? */
bool tp_smt_query_check(const tp_terms *tt, const tp_smt_query *q);

#endif

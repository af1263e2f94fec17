/* Abstract states of the summary of a function, and the function's results.
 *
 * What       for each variable, member, global and for the objects that exist, an interval of
 *            relations over the state in which the function was called.
 * Represents the states c in which a run of the function can be: there is a state in which it was
 *            called, and objects that it made, so that each relation of c lies in its interval. The
 *            intervals of different relations are independent, but for `facts`: formulas over the
 *            pre-state that hold in every run that comes here.
 * Limits     those of contracts/modular/relational_heap.h on heaps: pointers in memory lead to the
 *            start of objects, pointers to scalars lead into arrays.
 * Ownership  states live in the arena of their summaries, and are changed only by whoever made
 *            them.
 * Source     Taghdiri 2008, sec. 4.2. We differ: facts, pointers to members, control-flow graphs.
 */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARY_STATE_H
#define TP_CONTRACTS_SUMMARISE_SUMMARY_STATE_H

#include "contracts/contracts_limits.h"
#include "contracts/spec/object_model.h"
#include "contracts/summarise/relational_interval.h"

/* How an integer is read from its bits. */
typedef enum { TP_RSUM_SIGNED, TP_RSUM_UNSIGNED, TP_RSUM_EITHER } tp_rsum_reading;

/* Where a value was read from: a path of members that starts at a variable, neither of which has
 * changed since. */
typedef struct {
  tp_var from;  // NONE: not known
  uint32_t places[TP_CONTRACTS_BOUND_STEPS];
  uint32_t n;
} tp_rsum_origin;

typedef struct {
  tp_rinterval at;        // of its value; of a pointer: the object that it leads into
  const tp_symbol *cell;  // pointer: the member that it leads to; NULL: the object itself
  tp_type view;           // pointer: what it is taken to lead to; NONE: not known
  bool is_anywhere;       // pointer: it may lead to any place in memory
  tp_rsum_reading reading;
  tp_rsum_origin origin;
  tp_term means;  // Bool: a condition over variables that have not changed since; or NONE
} tp_rsum_value;

/* DECIDED: a branch was taken. GIVEN: other runs fail, which parts no two paths. */
typedef enum { TP_RSUM_DECIDED, TP_RSUM_GIVEN } tp_rsum_fact_kind;

typedef struct {
  bool is_dead;          // no run comes here
  tp_rsum_value *vars;   // by slot of the function's variables and the globals
  tp_rinterval *places;  // by place
  tp_rinterval alloc;    // the objects that exist
  tp_rbound *facts;
  tp_rsum_fact_kind *kinds;  // of the facts
  uint32_t n_facts;
} tp_rsum_state;

/* A symbol of the object model with a value in memory. */
typedef struct {
  const tp_symbol *symbol;
  tp_rbound name;  // its value in the pre-state
  uint32_t arity;
} tp_rsum_place;

#define TP_RSUM_NO_PLACE UINT32_MAX

/* A function's results over the names of the state in which it was called; the template of its
 * calls. */
typedef struct {
  tp_func func;
  uint32_t unreferenced;  // context: parameters (a bit each) to which no member leads; 0: any call
  tp_rsum_state after;    // is_dead: it never returns
  tp_rsum_value result;
  uint32_t n_new;  // objects that it makes are numbered below this
  bool is_done;
  bool is_running;      // outside of a fixpoint
  const char *refused;  // the reason why nothing is said of the function; or NULL
  tp_pos refused_pos;
  TP_VEC(const char *) forgotten;  // operations after which more may have changed than did
} tp_rsum_template;

#endif

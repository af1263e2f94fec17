/* The body of a function as relations: symbolic execution without intermediate relations.
 *
 * What       runs a function once, for all heaps at the same time. Each variable, each member, the
 *            last object of each type becomes an expression over the relations of the start
 *            (contracts/modular/heap.h); where ways meet, a conditional of the two.
 * Represents all executions within the limits: every one of them ends in exactly one of `ends`, or
 * returns, or is stopped by the program itself
 *            (abort, assume). An end is a formula over the start and over what contracts leave
 *            open: when it is reached. Calls are inlined, or a contract stands for them.
 * Limits     a loop goes back to its head `unroll` times for each time it is entered, a function is
 *            active `unroll` + 1 times; objects and integers as in the heap. Executions that need
 *            more end in an UNROLL or OBJECTS; those with an integer that does not fit have
 *            formulas that are undefined (contracts/rel/logic.h).
 * Unknown    what has no relations ends in a REFUSED, with its position. Nobody may say "holds"
 *            while one of these can be reached.
 * Ownership  borrows the heap; everything else lives in the arena of the run.
 * Source     Taghdiri 2008, sec. 5.2; we differ: control-flow graphs, pointers to members and
 *            elements, free. */
#ifndef TP_CONTRACTS_MODULAR_BODY_H
#define TP_CONTRACTS_MODULAR_BODY_H

#include "contracts/modular/heap.h"
#include "contracts/spec/meaning.h"

/* Calls that are not expanded. */
typedef struct {
  tp_meanings *meanings;  // NULL: nobody has a contract
  bool for_bodies;        // contracts stand for bodies; else only for functions that have none
} tp_rbody_contracts;

typedef enum {
  TP_RBODY_FAILS,
  TP_RBODY_UNROLL,
  TP_RBODY_OBJECTS,
  TP_RBODY_REFUSED,
  TP_RBODY_N_ENDS
} tp_rbody_end_kind;
typedef struct {
  tp_rbody_end_kind kind;
  tp_rel_formula when;
  tp_pos pos;
  const char *what;  // "null pointer dereference", "a loop that goes on", "floating point"
} tp_rbody_end;

/* Values of all that can change, in one state. */
typedef struct {
  const tp_rel_expr *fields;  // by field of the heap
  const tp_rel_expr *last;    // by basic type
  tp_rel_expr gone;           // objects whose life has ended
} tp_rbody_state;

/* A call for which a contract stands, in the order of execution. */
typedef struct {
  const tp_contract *contract;
  tp_pos pos;
  tp_rel_formula asked, when, returns;  // it is called; all that is required holds, too; it returns
  tp_rbody_state before, after;
  const tp_rel_expr *args;  // sets of one
  uint32_t n_args;
  tp_rel_expr result;  // id 0: none
} tp_rbody_call;

/* What was executed, in an order that agrees with every execution. */
typedef struct {
  tp_edge edge;
  uint32_t depth;  // of calls, from 0
  tp_rel_formula when;
  tp_rel_expr value;  // of the variable that it sets, as a set of one atom; id 0: none
} tp_rbody_step;

typedef struct {
  tp_arena arena;
  TP_VEC(tp_rbody_end) ends;
  TP_VEC(tp_rbody_step) steps;
  TP_VEC(tp_rbody_call) calls;
  TP_VEC(tp_rbody_end)
  doubts;  // OBJECTS: a contract may want one more object here, but the execution goes on with
           // those that there are
  const tp_rel_expr *params;    // sets of one: what the function is called with
  uint32_t n_params, n_fields;  // n_fields: of the states
  tp_rel_formula returns;
  tp_rbody_state before, after;  // after: where it returns
  tp_rel_expr result;            // id 0: none
} tp_rbody;

void tp_rbody_init(tp_rbody *r);
void tp_rbody_clear(tp_rbody *r);
/* The function has a body. */
void tp_rbody_run(tp_rbody *r, tp_rheap *h, tp_func f, tp_rbody_contracts contracts);

#endif

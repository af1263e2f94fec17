/* Symbolic execution of a function over relations, without intermediate relations.
 *
 * What       executes a function once, for all heaps at the same time. Each variable, each member,
 *            the last object of each type becomes an expression over the relations of the pre-state
 *            (contracts/modular/relational_heap.h); where paths join, a conditional of the two.
 * Represents all executions within the limits: every one of them ends in exactly one of `ends`, or
 *            returns, or is stopped by the program itself (abort, assume). An end is a formula over
 *            the pre-state and over what contracts leave open: the condition under which it is
 *            reached. Calls are inlined, or a contract replaces them.
 * Limits     a loop goes back to its head `unroll` times for each time it is entered, a function is
 *            active `unroll` + 1 times; objects and integers as in the heap. Executions that need
 *            more end in UNROLL or OBJECTS; those with an integer that does not fit have formulas
 *            that are undefined (contracts/rel/logic.h).
 * Unknown    operations without relations end in UNSUPPORTED, with their position. There is no
 *            verdict HOLDS while one of these can be reached.
 * Ownership  borrows the heap; everything else lives in the arena of the execution.
 * Source     Taghdiri 2008, sec. 5.2. We differ: control-flow graphs, pointers to members and
 *            elements, free. */
#ifndef TP_CONTRACTS_MODULAR_RELATIONAL_EXEC_H
#define TP_CONTRACTS_MODULAR_RELATIONAL_EXEC_H

#include "contracts/modular/relational_heap.h"
#include "contracts/spec/resolved_contracts.h"

/* What is to be known of a function before calls of it are abstracted. */
typedef struct {
  uint32_t component;      // functions that call each other have equal ones
  bool may_allocate;       // it or what it calls makes or ends objects
  bool may_end[4];         // by tp_rexec_end_kind: an execution of its body can end so
  bool keeps_freed;        // it ends no object
  bool may_show_locals;    // what it returns or leaves in memory may lead to variables of its own
                           // that are gone, or of what it calls
  const bool *keeps_last;  // by basic type: it makes none of its objects; NULL: not known
} tp_rexec_callee;

/* Calls that are not expanded. */
typedef struct {
  tp_contracts *contracts;  // NULL: nobody has a contract
  bool for_bodies;          // contracts stand for bodies; else only for functions that have none
  const tp_rexec_callee *callees;  // by function: calls by what was computed from a body can be
                                   // validated, all its ends are ends of the call; NULL: only what
                                   // returns counts
  const char *name;                // in names of havocked relations; NULL: none
  tp_contract_origin computed;     // which of the contracts that were computed stand for bodies
} tp_rexec_call_policy;

typedef enum {
  TP_REXEC_FAILS,
  TP_REXEC_UNROLL,
  TP_REXEC_OBJECTS,
  TP_REXEC_UNSUPPORTED,
  TP_REXEC_N_ENDS
} tp_rexec_end_kind;
typedef struct {
  tp_rexec_end_kind kind;
  tp_rel_formula when;
  tp_pos pos;
  const char *what;  // "null pointer dereference", "a loop that goes on", "floating point"
  bool in_call;      // inside of a call that is not executed
} tp_rexec_end;

/* Values of all that can change, in one state. */
typedef struct {
  const tp_rel_expr *fields;  // by field of the heap
  const tp_rel_expr *last;    // by basic type
  tp_rel_expr freed;          // objects whose life has ended
  tp_rel_expr stack;          // local variables that were made, gone or not; id 0: none
} tp_rexec_store;

/* A call for which a contract stands, in the order of execution. */
typedef struct {
  const tp_function_contract *contract;
  tp_pos pos;
  tp_rel_formula asked, when, returns;  // it is called; all that is required holds, too; it returns
  tp_rexec_store before, after;
  const tp_rel_expr *args;  // sets of one
  uint32_t n_args;
  tp_rel_expr result;      // id 0: none
  bool is_abstract;        // its body can be asked, and has ends of its own
  bool is_exact;           // nothing was havocked
  tp_rel_formula ends[4];  // is_abstract: by tp_rexec_end_kind, it ends so; id 0: it cannot
} tp_rexec_call;

/* What was executed, in an order that agrees with every execution. */
typedef struct {
  tp_edge edge;
  uint32_t depth;  // of calls, from 0
  tp_rel_formula when;
  tp_rel_expr value;         // of the variable that it sets, as a set of one atom; id 0: none
  const tp_clause *assigns;  // the edge is this assignment of a contract; NULL: it is none
} tp_rexec_step;

typedef struct {
  tp_arena arena;
  TP_VEC(tp_rexec_end) ends;
  TP_VEC(tp_rexec_step) steps;
  TP_VEC(tp_rexec_call) calls;
  TP_VEC(tp_rel_formula)
  demanded;  // of calls whose bodies can be asked: where one of these is not
             // true there is no execution, whatever the ends say
  TP_VEC(tp_rexec_end)
  unproved_bounds;  // OBJECTS: a contract may want one more object here, but the execution goes on
                    // with those that there are
  const tp_rel_expr *params;    // sets of one: what the function is called with
  uint32_t n_params, n_fields;  // n_fields: of the states
  tp_rel_formula returns;
  tp_rexec_store before, after;  // after: where it returns
  tp_rel_expr result;            // id 0: none
  tp_rel_expr locals;            // its own local variables, and what lies inside of them
  bool shows_locals;             // tp_rexec_callee.may_show_locals
  uint32_t n_inlined;            // calls of bodies that were executed although contracts stand for
                                 // bodies
  uint32_t n_trusted;            // clauses of users that were assumed of bodies that can be asked
} tp_rexec;

void tp_rexec_init(tp_rexec *r);
void tp_rexec_clear(tp_rexec *r);
/* The function has a body. */
void tp_rexec_run(tp_rexec *r, tp_rheap *h, tp_func f, tp_rexec_call_policy policy);
/* Does a summary stand for one of the calls? */
bool tp_rexec_has_summaries(const tp_rexec *r);
/* From another state than that of the heap: arguments, and values of the first n_fields fields. */
typedef struct {
  tp_rexec_store before;
  const tp_rel_expr *args;
  uint32_t n_fields;
} tp_rexec_start;
void tp_rexec_run_from(tp_rexec *r, tp_rheap *h, tp_func f, tp_rexec_call_policy policy,
                       const tp_rexec_start *from);

#endif

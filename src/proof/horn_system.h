/* The block graph as Horn clauses.
 *
 * What       one relation for each node from which an error may follow, one clause for each block
 *            between them; a query for bad nodes. What the solver finds comes back as candidates
 *            for invariants at the nodes.
 * Represents the columns of a node's relation are what errors depend on from there: scalar
 *            variables, the parts of pointers, and reads of memory at fixed addresses or through
 *            pointers. What a clause reads besides (elements of arrays at changing indices, what
 *            integers cannot express) is an input: more runs, never fewer.
 * Ownership  the system until _clear; formulas live in the program's table.
 * Source     Bjorner, Gurfinkel, McMillan, Rybalchenko 2015, "Horn clause solvers for program
 *            verification"; blocks as clauses: large-block encoding. The solver: smt/horn.h. */
#ifndef TP_PROOF_HORN_SYSTEM_H
#define TP_PROOF_HORN_SYSTEM_H

#include "blocks/houdini.h"
#include "smt/horn.h"

typedef struct {
  tp_term term;       // over the state: a variable, a part of a pointer, a read
  tp_term now, next;  // what stands for it in clauses, before and behind the block
} tp_horn_column;

typedef TP_VEC(uint32_t) tp_horn_columns;
typedef struct {
  tp_term condition;  // over the state before it and inputs, without updates of arrays
  TP_VEC(tp_term)
  equations;  // by column of the target: `next` is its value behind the block; NONE: it does not
              // change
} tp_horn_clause_parts;

typedef struct {
  const tp_blocks *b;
  TP_VEC(tp_horn_column) columns;
  tp_map column_of;             // term -> column
  bool *matters;                // by node: can something bad follow?
  tp_horn_columns *at;          // by node: its columns
  tp_map is_at;                 // (node, column)
  tp_horn_clause_parts *parts;  // by block
  bool has_holes;               // something is an input only because integers cannot express it
  const char *refused;          // why there is no system, or NULL; static
} tp_horn_system;

/* known: by node; what is false there is left out. */
void tp_horn_system_init(tp_horn_system *s, const tp_blocks *b, const tp_term *known);
void tp_horn_system_clear(tp_horn_system *s);

typedef enum {
  TP_HORN_AS_IT_IS,  // the solver may refuse it
  TP_HORN_LINEAR     // what is not linear arithmetic becomes an input
} tp_horn_abstraction;
typedef struct {
  tp_horn_answer answer;
  bool is_exact;     // nothing but path formulas was over-approximated: REACHABLE is a path through
                     // them
  char reason[160];  // UNKNOWN
} tp_horn_outcome;
/* known: by node, invariants that are inductive together; they help. UNREACHABLE: conjuncts of what
 * was found are added to `candidates`, whatever they are worth. */
tp_horn_outcome tp_horn_system_solve(tp_horn_system *s, const tp_term *known, tp_horn_options o,
                                     tp_horn_abstraction how, tp_node_formulas *candidates);

#endif

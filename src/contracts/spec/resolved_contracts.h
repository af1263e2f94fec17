/* Contracts of a program: names and types resolved, nothing left open.
 *
 * What       from clauses (contracts/spec/clause.h) and an object model
 *            (contracts/spec/object_model.h) to contracts of functions, invariants of structs and
 *            files, model fields, ghosts, named formulas and relations; frame conditions, as
 *            formulas of the same language.
 * Represents resolved expressions: every NAME, TYPE, THIS, RESULT and ALLOC has its symbol;
 *            is_primed: read in the post-state (instead of PRIME); BOX remains for calls
 *            of named formulas and relations only, whose kid 0 is the NAME; TO_INT, TO_SET, PLUS,
 *            MINUS and "!= 0" stand where a conversion was meant; UNION and DIFFERENCE are of
 *            relations. Printed, a resolved expression reads back and resolves to itself.
 * Invariants kids have the sorts that their operator needs: relations of fitting arity, integers,
 *            formulas. Every bound of a quantifier is a set (tp_contracts_check).
 * Errors     reported through the diag of the clauses, one for each wrong clause, which is then
 *            left out. Contracts of libraries that come with the tool are taken or left function by
 *            function, without a message.
 * Ownership  everything lives in the arena of the tp_contracts; object model and clauses are
 *            borrowed. */
#ifndef TP_CONTRACTS_SPEC_RESOLVED_CONTRACTS_H
#define TP_CONTRACTS_SPEC_RESOLVED_CONTRACTS_H

#include "contracts/spec/object_model.h"

/* The two states that a contract relates: at the call, and where the function returns [ACSL: Pre,
 * Post]. */
typedef enum { TP_PRE_STATE, TP_POST_STATE } tp_contract_state;

/* One part of a frame condition: a symbol that may change. */
typedef struct {
  const tp_symbol *symbol;      // may change
  const tp_spec_expr *objects;  // of these objects only; NULL: of all (or it is a global)
  const tp_spec_expr *indices;  // at these indices only; NULL: at all
} tp_modifies_target;

typedef struct {
  const tp_clause *clause;
  const tp_symbol *symbol;            // what it declares; ASSIGN: the ghost that changes
  const tp_spec_expr *expr;           // resolved; PRESERVES: over the pre-state
  const tp_spec_expr *after;          // PRESERVES: the same over the post-state
  const tp_modifies_target *targets;  // MODIFIES, ASSIGN
  uint32_t n_targets;
  tp_reltype type;  // of what it declares, or of the value
} tp_resolved_clause;

typedef struct {
  const char *name;
  tp_func func;
  const tp_symbol *const *params;
  uint32_t n_params;
  const tp_symbol *result;  // NULL: it returns nothing
  bool has_modifies;        // else all may change
  bool is_library;          // comes with the tool
  tp_contract_origin origin;
  TP_VEC(uint32_t) clauses;  // indices into `all`
} tp_function_contract;

typedef struct {
  tp_arena arena;
  tp_object_model *object_model;
  tp_clauses *clauses;
  tp_reltypes types;
  TP_VEC(tp_resolved_clause) all;  // of the clauses that are right, in their order
  TP_VEC(tp_function_contract *)
  of_functions;       // one for each function that clauses are about, and for each origin
  size_t n_symbols;   // of the universe before; clearing takes the others out again
  uint32_t n_absent;  // clauses on optional functions or types that the program does not have
} tp_contracts;

/* Resolve all clauses. */
void tp_contracts_init(tp_contracts *m, tp_object_model *u, tp_clauses *c);
void tp_contracts_clear(tp_contracts *m);
/* Every clause is resolved, every contract's clauses exist. For assertions. */
bool tp_contracts_check(const tp_contracts *m);

/* The contract of this origin; NULL: there is none. */
const tp_function_contract *tp_contracts_of(const tp_contracts *m, tp_func f, tp_contract_origin o);

/* Is the clause, an index into `all`, one of the contract? contract NULL: of none. */
bool tp_function_contract_has(const tp_function_contract *c, size_t clause);

/* The resolved clause as text. */
void tp_resolved_clause_print(const tp_resolved_clause *c, tp_str *out);

/* The constraint of the contract on a symbol that changes, in every run of the function: it keeps
 * its value, entirely or at objects and indices that no target names. Of objects that exist before
 * and after. NULL: the contract allows every change. */
const tp_spec_expr *tp_function_contract_frame(tp_contracts *m, const tp_function_contract *c,
                                               const tp_symbol *symbol);
/* The contract allows no change of the symbol at all. */
bool tp_function_contract_keeps(const tp_contracts *m, const tp_function_contract *c,
                                const tp_symbol *symbol);

#endif

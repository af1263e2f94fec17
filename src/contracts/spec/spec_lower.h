/* Lowering: contracts as formulas of relational logic, over the pre-state and the post-state.
 *
 * What       from a resolved expression (contracts/spec/resolved_contracts.h) and the values of
 *            symbols in both states to an expression, integer or formula of contracts/rel/logic.h;
 *            preconditions, postconditions, frame conditions, invariants.
 *
 *     tp_lowering *w = tp_lowering_new(contracts, logic, states);
 *     tp_rel_formula pre = tp_lower_requires(w, contract), post = tp_lower_ensures(w, contract);
 *     if (tp_lowering_error(w)) ...
 *
 * Represents for all values of the relations in the states the formula has the value that
 *            doc/specifications.md gives to the expression, in integers of the width that the
 *            formula is translated or evaluated with. Where an integer leaves the width the formula
 *            is undefined, as in contracts/rel/logic.h: such a state is outside of the bounds.
 *            Named formulas and relations, model fields and lets are replaced by their bodies:
 *            `p[x]` by p's body over the value of x, `x.m` by m's body over `this`, where x is one
 *            object of the struct, and by nothing where x is none.
 * Requires   is_function and type of a symbol are true of its value; every atom of the universe is
 *            an object of one basic type (null and each integer of the width are such atoms), and
 *            no two basic types share an atom. `univ` and `iden` mean all atoms.
 * Errors     id 0, and tp_lowering_error gives the reason: a symbol without a value, more than 8
 *            variables in one quantifier, nesting too deep. Whatever is made of an id 0 is id 0.
 * Ownership  nodes live in the logic; a tp_lowering borrows contracts, logic and states. */
#ifndef TP_CONTRACTS_SPEC_SPEC_LOWER_H
#define TP_CONTRACTS_SPEC_SPEC_LOWER_H

#include "contracts/rel/logic.h"
#include "contracts/spec/resolved_contracts.h"

/* Two states, as relations. */
typedef struct {
  void *ctx;
  /* The value of a symbol, a relation of the arity of symbol->type: FIELD, ELEMENTS, GLOBAL,
   * FUNCTION, PARAM, RESULT, LOCAL, ALLOC, GHOST. What never changes (symbol->changes) is asked for
   * before only. Parameters are identified by their number: each clause has symbols of its own for
   * them. Id 0: there is none in this state. */
  tp_rel_expr (*value)(void *ctx, const tp_symbol *symbol, tp_contract_state when);
  /* The set of all objects of a basic type within the bounds, existing or not; of null: a set of
   * one; of integers: all. Id 0: there are none. */
  tp_rel_expr (*objects)(void *ctx, uint32_t basic);
} tp_state_relations;

typedef struct tp_lowering tp_lowering;
tp_lowering *tp_lowering_new(tp_contracts *m, tp_rel *l, tp_state_relations s);
void tp_lowering_free(tp_lowering *w);
const char *tp_lowering_error(const tp_lowering *w);  // the first one; NULL: none

// ---------------------------------------------------------------------- expressions

/* Names without ' are read at `when`. */
tp_rel_formula tp_lower_formula(tp_lowering *w, const tp_spec_expr *x, tp_contract_state when);
/* arity: of the result if the expression is `none`. */
tp_rel_expr tp_lower_relation(tp_lowering *w, const tp_spec_expr *x, uint32_t arity,
                              tp_contract_state when);
tp_rel_int tp_lower_integer(tp_lowering *w, const tp_spec_expr *x, tp_contract_state when);
/* The objects of all columns' basic types: an upper bound of a relation of this type. */
tp_rel_expr tp_lower_type(tp_lowering *w, tp_reltype type);

// -------------------------------------------------------------------- contracts

/* One clause, where it is to hold at `when`: REQUIRES, PRESERVES, INVARIANT (of a struct: for every
 * object of it that exists then). ENSURES is about both states. Others are true. */
tp_rel_formula tp_lower_clause(tp_lowering *w, const tp_resolved_clause *c, tp_contract_state when);
/* All that the contract requires; that it ensures (what it preserves is in both). Invariants are no
 * part of them. */
tp_rel_formula tp_lower_requires(tp_lowering *w, const tp_function_contract *c);
tp_rel_formula tp_lower_ensures(tp_lowering *w, const tp_function_contract *c);
/* What stays as it is: of a symbol; of all that can change. Symbols without a value in the states
 * are left out of the latter: whoever has none for what a function can change must look after it.
 */
tp_rel_formula tp_lower_frame_of(tp_lowering *w, const tp_function_contract *c,
                                 const tp_symbol *symbol);
tp_rel_formula tp_lower_frame(tp_lowering *w, const tp_function_contract *c);
/* All invariants of structs and files. */
tp_rel_formula tp_lower_invariants(tp_lowering *w, tp_contract_state when);

#endif

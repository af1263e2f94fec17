/* Resolving one expression: names, types, conversions.
 *
 * What       from an expression as it was parsed to the resolved one, in a scope.
 * Errors     false: an error, which has been reported. */
#ifndef TP_CONTRACTS_SPEC_RESOLVE_H
#define TP_CONTRACTS_SPEC_RESOLVE_H

#include "contracts/spec/resolved_contracts.h"

typedef struct {
  tp_contracts *m;
  TP_VEC(const tp_symbol *) bound;  // variables in scope, inner ones last
  const tp_symbol *const *params;   // of the function; locals and parameters of a body
  uint32_t n_params;
  const tp_symbol *this_symbol, *result;  // NULL: not in scope
  bool after_allowed;                     // there is a post-state
  const char *where;                      // "a precondition": for messages
  // while resolving, and its result
  bool is_primed, failed, reads_before, reads_after;
} tp_spec_scope;

typedef struct {
  const tp_spec_expr *expr;
  tp_reltype type;  // relations; integers are {int}
  tp_spec_sort sort;
  bool is_function;  // see tp_symbol
} tp_resolved_expr;

bool tp_resolve(tp_spec_scope *s, const tp_spec_expr *x, tp_resolved_expr *out);
/* Converted to the sort that the context requires. */
bool tp_resolve_formula(tp_spec_scope *s, const tp_spec_expr *x, const tp_spec_expr **out);
bool tp_resolve_relation(tp_spec_scope *s, const tp_spec_expr *x, tp_resolved_expr *out);
/* Always false. */
bool tp_spec_scope_wrong(tp_spec_scope *s, tp_pos pos, const char *fmt, ...) TP_PRINTF(3, 4);
/* For messages; in the arena of the meanings. */
const char *tp_spec_scope_type_text(const tp_spec_scope *s, tp_reltype type);

/* Types of declared symbols; bodies. Each symbol is done once; one that needs itself is an error
 * (contracts/spec/resolved_contracts.c). */
bool tp_symbol_type(tp_spec_scope *from, tp_pos pos, tp_symbol *symbol);
bool tp_symbol_body(tp_spec_scope *from, tp_pos pos, tp_symbol *symbol);

/* How a declared multiplicity and a type make a symbol's function property. */
bool tp_multiplicity_is_single(tp_multiplicity many);

#endif

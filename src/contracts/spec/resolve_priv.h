/* Inside of resolving: expressions whose names are still ambiguous, and the passes over them
 * (bounding types, relevance types, elaboration). */
#ifndef TP_CONTRACTS_SPEC_RESOLVE_PRIV_H
#define TP_CONTRACTS_SPEC_RESOLVE_PRIV_H

#include "contracts/spec/resolve.h"

typedef struct tp_unresolved_expr tp_unresolved_expr;
struct tp_unresolved_expr {
  tp_spec_expr_kind kind;  // brackets are joins or calls (BOX) here
  const tp_spec_expr *x;   // as it was read
  tp_pos pos;
  bool is_formula, is_primed;
  tp_reltype bound;           // upper bound of its type over all meanings of its names
  tp_unresolved_expr **kids;  // of calls: the arguments
  uint32_t n_kids, n_decls, n_candidates;
  const tp_spec_expr_decl *decls;  // resolved
  const tp_symbol **candidates;    // NAME
  uint32_t *ranks;
  const tp_symbol *symbol;  // NAME: once it is settled
};

static inline bool tp_unresolved_is_none(const tp_unresolved_expr *item) {
  return item->kind == TP_SPEC_NONE;
}
static inline bool tp_is_comparison(tp_spec_expr_kind k) {
  return k == TP_SPEC_IN || k == TP_SPEC_NOT_IN || k == TP_SPEC_EQUAL || k == TP_SPEC_UNEQUAL;
}

// -------------------------------------------------------------------------- names

typedef struct {
  const tp_symbol *symbol;
  uint32_t rank;  // of its scope: a lower one hides the others
} tp_name_candidate;
typedef TP_VEC(tp_name_candidate) tp_name_candidate_list;

/* False: nothing is called so, which has been reported. */
bool tp_find_candidates(tp_spec_scope *s, const tp_spec_expr *x, tp_name_candidate_list *out);
/* Those with types; false: none, which has been reported. */
bool tp_keep_usable(tp_spec_scope *s, const tp_spec_expr *x, tp_name_candidate_list *list);
/* The named formula or relation that a name calls; NULL: it means something else. */
const tp_symbol *tp_callee_of(const tp_name_candidate_list *list);

// ------------------------------------------------------------------------- passes

/* An operator whose kids have bounds: its own. NULL: something is wrong, which has been reported.
 */
tp_unresolved_expr *tp_bounding_type(tp_spec_scope *s, tp_unresolved_expr *item);
/* Not a formula; can be an integer; can be a formula. False has been reported. */
bool tp_unresolved_is_relation(tp_spec_scope *s, const tp_unresolved_expr *item);
bool tp_unresolved_is_integral(tp_spec_scope *s, const tp_unresolved_expr *item);
bool tp_unresolved_is_condition(tp_spec_scope *s, const tp_unresolved_expr *item);
/* wanted: the part of its type that matters. */
bool tp_relevance_type(tp_spec_scope *s, tp_unresolved_expr *item, tp_reltype wanted);

/* Report an error. Always NULL. */
tp_unresolved_expr *tp_unresolved_wrong(tp_spec_scope *s, tp_pos pos, const char *text);
/* Report that a relation is no formula. Always false. */
bool tp_not_a_formula(tp_spec_scope *s, tp_pos pos, tp_reltype type);
bool tp_elaborate(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *out);

#endif

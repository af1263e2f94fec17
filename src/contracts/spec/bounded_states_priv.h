/* Inside of small states (contracts/spec/bounded_states.c, contracts/spec/bounded_states_axioms.c).
 */
#ifndef TP_CONTRACTS_SPEC_BOUNDED_STATES_PRIV_H
#define TP_CONTRACTS_SPEC_BOUNDED_STATES_PRIV_H

#include "contracts/contracts_limits.h"
#include "contracts/spec/bounded_states.h"

/* The relation of a symbol at a state. */
typedef struct {
  const tp_symbol *symbol;
  tp_contract_state when;
  tp_rel_expr relation;
  const char *name;
} tp_bounded_states_entry;

/* The set of the indices of an array of n elements. */
typedef struct {
  uint64_t n;
  tp_rel_expr set;
} tp_bounded_states_indices;

struct tp_bounded_states {
  tp_contracts *m;
  const tp_object_model *u;
  tp_rel *l;
  tp_state_scope b;
  tp_arena arena;
  tp_rel_expr *objects;     // by basic type
  uint32_t *first, *count;  // atoms, by basic type; once there is a universe
  TP_VEC(tp_bounded_states_entry) asked;
  TP_VEC(tp_bounded_states_indices) indices;
  tp_rel_universe *universe;
  tp_rel_bounds *bounds;
};

/* Which columns of a symbol's relation are indices of arrays, and how many elements these have. */
typedef struct {
  uint32_t n_before;  // columns before the first index: 1 for the object that the member or the
                      // elements are of
  uint32_t n;         // of indices
  uint64_t size[TP_CONTRACTS_TYPE_ARITY];  // 0: as many as the state says
} tp_bounded_states_shape;
tp_bounded_states_shape tp_bounded_states_shape_of(const tp_bounded_states *h, const tp_symbol *s);
/* A struct that lies inside of another one, or is a variable: where it lies never changes. */
bool tp_bounded_states_is_inner(const tp_bounded_states *h, const tp_symbol *s);
/* The basic type of the symbol's last column, if there is one only; else TP_OTHER_BASIC. */
uint32_t tp_bounded_states_value_basic(const tp_bounded_states *h, const tp_symbol *s);

#endif

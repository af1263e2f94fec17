/* Inside of small states (contracts/spec/small.c, contracts/spec/small_typed.c). */
#ifndef TP_CONTRACTS_SPEC_SMALL_PRIV_H
#define TP_CONTRACTS_SPEC_SMALL_PRIV_H

#include "contracts/spec/small.h"

/* The relation of a symbol at a moment. */
typedef struct {
  const tp_symbol *symbol;
  tp_moment when;
  tp_rel_expr relation;
  const char *name;
} tp_small_entry;

/* The set of the indices of an array of n elements. */
typedef struct {
  uint64_t n;
  tp_rel_expr set;
} tp_small_indices;

struct tp_small {
  tp_meanings *m;
  const tp_universe *u;
  tp_rel *l;
  tp_small_size b;
  tp_arena arena;
  tp_rel_expr *objects;     // by basic type
  uint32_t *first, *count;  // atoms, by basic type; once there is a universe
  TP_VEC(tp_small_entry) asked;
  TP_VEC(tp_small_indices) indices;
  tp_rel_universe *universe;
  tp_rel_bounds *bounds;
};

/* Which columns of a symbol's relation are indices of arrays, and how many elements these have. */
typedef struct {
  uint32_t n_before;  // columns before the first index: 1 for the object that the member or the
                      // elements are of
  uint32_t n;         // of indices
  uint64_t size[TP_RELTYPE_MAX_ARITY];  // 0: as many as the state says
} tp_small_shape;
tp_small_shape tp_small_shape_of(const tp_small *h, const tp_symbol *s);
/* A struct that lies inside of another one, or is a variable: where it lies never changes. */
bool tp_small_is_inner(const tp_small *h, const tp_symbol *s);
/* The basic type of the symbol's last column, if there is one only; else TP_OTHER_BASIC. */
uint32_t tp_small_value_basic(const tp_small *h, const tp_symbol *s);

#endif

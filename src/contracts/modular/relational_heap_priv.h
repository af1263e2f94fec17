/* Inside of heaps as relations: what collecting (relational_heap.c) and bounding
 * (relational_heap_bounds.c) both read of the program. */
#ifndef TP_CONTRACTS_MODULAR_RELATIONAL_HEAP_PRIV_H
#define TP_CONTRACTS_MODULAR_RELATIONAL_HEAP_PRIV_H

#include "contracts/modular/relational_heap.h"

static inline const tp_type_info *tp_rheap_info_of(const tp_rheap *h, tp_type t) {
  return tp_type_of(h->program, t);
}
static inline bool tp_rheap_is_kind(const tp_rheap *h, tp_type t, tp_type_kind k) {
  return t.id && tp_rheap_info_of(h, t)->kind == k;
}
/* Is it a used type whose objects are atoms: structs and arrays? */
static inline bool tp_rheap_is_object_type(const tp_rheap *h, uint32_t b) {
  return h->types[b].is_used && b > TP_OTHER_BASIC;
}
/* How many elements a static object has: 1 where it is no array. */
static inline uint64_t tp_rheap_n_elements(const tp_rheap *h, uint32_t object) {
  const tp_type type = h->program->statics.at[object].type;
  return tp_rheap_is_kind(h, type, TP_T_ARRAY) ? tp_rheap_info_of(h, type)->n_elements : 1;
}

#endif

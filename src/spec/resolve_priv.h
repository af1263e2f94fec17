/* Items: phrases while they are being resolved. Inside of spec/resolve.c and spec/elaborate.c only. */
#ifndef TP_SPEC_RESOLVE_PRIV_H
#define TP_SPEC_RESOLVE_PRIV_H

#include "spec/resolve.h"

typedef struct tp_item tp_item;
struct tp_item {
  tp_phrase_kind kind;         // brackets are joins or calls (BOX) here
  const tp_phrase *x;          // as it was read
  tp_pos pos;
  bool is_formula, is_primed;
  tp_reltype bound;            // upper bound of its type over all meanings of its names
  tp_item **kids;              // of calls: the arguments
  uint32_t n_kids, n_decls, n_candidates;
  const tp_phrase_decl *decls; // resolved
  const tp_symbol **candidates;            // NAME
  uint32_t *ranks;
  const tp_symbol *symbol;     // NAME: once it is settled
};

/* Say that a relation is no formula. Always false. */
bool tp_no_formula(tp_scope *s, tp_pos pos, tp_reltype type);
bool tp_elaborate(tp_scope *s, const tp_item *item, tp_resolved *out);

#endif

/* Inside of relational bounds: the table, interning, what the rules share. */
#ifndef TP_CONTRACTS_SUMMARISE_RELATIONAL_BOUND_PRIV_H
#define TP_CONTRACTS_SUMMARISE_RELATIONAL_BOUND_PRIV_H

#include "contracts/summarise/relational_bound.h"

/* Questions about pairs of expressions that were answered, so that an operand that expressions have
 * in common is looked at once. */
typedef enum {
  TP_RBOUNDS_INCLUDED,
  TP_RBOUNDS_DISJOINT,
  TP_RBOUNDS_BEGINS_NONE,
  TP_RBOUNDS_N_QUESTIONS
} tp_rbounds_question;
typedef struct {
  tp_map of[TP_RBOUNDS_N_QUESTIONS];  // pair to 1 (yes) or 0
} tp_rbounds_answers;

struct tp_rbounds {
  tp_arena arena;
  TP_VEC(const tp_rbound_node *) nodes;  // [0] unused; they never move
  TP_VEC(tp_rbound_name_info) names;     // by number
  tp_map name_of;                        // symbol to node
  uint32_t *slots;                       // hash table of ids, 0: free
  size_t n_slots;
  uint64_t used[TP_RBOUND_N_RULES];
  tp_rbounds_answers *answers;
  tp_map results[TP_RBOUND_N_KINDS];  // of operations on pairs of expressions
  tp_map change_of;                   // expression to 1 + index of its change; 0: it has none
  TP_VEC(tp_rbound) changes;          // base, owners, added
};

static inline uint64_t tp_rbounds_pair(tp_rbound a, tp_rbound b) {
  return (uint64_t)a.id << 32 | b.id;
}
/* Notes in a map that forgets everything when it is full. */
void tp_rbounds_note(tp_map *m, uint64_t key, uint64_t value);

/* The node of this kind; kids are copied if it is new. */
tp_rbound tp_rbounds_intern(tp_rbounds *t, tp_rbound_node node);

static inline const tp_rbound_node *tp_rbounds_node(const tp_rbounds *t, tp_rbound b) {
  return t->nodes.at[b.id];
}
static inline bool tp_rbounds_is(const tp_rbounds *t, tp_rbound b, tp_rbound_kind kind) {
  return t->nodes.at[b.id]->kind == kind;
}
static inline tp_rbound tp_rbounds_kid(const tp_rbounds *t, tp_rbound b, uint32_t i) {
  return t->nodes.at[b.id]->kids[i];
}
/* Count the rule. */
static inline tp_rbound tp_rbounds_by(tp_rbounds *t, tp_rbound_rule rule, tp_rbound result) {
  t->used[rule]++;
  return result;
}
/* Is it a -> univ? */
static inline bool tp_rbounds_is_all_of(const tp_rbounds *t, tp_rbound b) {
  return tp_rbounds_is(t, b, TP_RBOUND_PRODUCT) &&
         tp_rbounds_is(t, tp_rbounds_kid(t, b, 1), TP_RBOUND_UNIV);
}
/* An object: one atom that is not null in all executions in which a member of it was written. */
static inline bool tp_rbounds_is_object(const tp_rbounds *t, tp_rbound b) {
  return t->nodes.at[b.id]->is_value && !tp_rbounds_is(t, b, TP_RBOUND_NULL);
}

#endif

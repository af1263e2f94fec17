/* Inside of blast.h: what the translation of scalars (blast.c) and of arrays (blast_arrays.c)
 * share. */
#ifndef TP_CIRCUIT_BLAST_PRIV_H
#define TP_CIRCUIT_BLAST_PRIV_H

#include "circuit/blast.h"
#include "circuit/circuit_limits.h"
#include "circuit/words.h"

typedef struct {
  size_t trail, pool, equalities;  // sizes when the level began
  bool defines;
} tp_blast_level;

/* An equality of arrays that is an atom. */
typedef struct {
  tp_term left, right;
  tp_lit equal;      // an input
  size_t n_indices;  // so many of the indices it has been compared at
} tp_blast_equality;

struct tp_blast {
  tp_terms *tt;
  tp_gates *g;
  TP_VEC(uint8_t) fragment;  // by term
  TP_VEC(uint32_t) at;  // by term: where its literals are in the pool + 1; arrays: 1; 0: no circuit
  TP_VEC(tp_lit) pool;
  TP_VEC(tp_term) trail;  // terms with circuits, in order
  TP_VEC(tp_blast_level) levels;
  TP_VEC(tp_term) todo;
  tp_map inputs;  // variable -> where its inputs are in `fixed`
  TP_VEC(tp_lit) fixed;
  // arrays
  tp_reads reads;
  tp_map array_is;  // array variable -> its definition, 0: none
  tp_map read_at;   // array term << 32 | index -> where the literals are in `read`
  TP_VEC(tp_lit) read;
  TP_VEC(tp_term) read_todo;
  TP_VEC(tp_blast_equality) equalities;
};

static inline bool tp_blast_has(const tp_blast *b, tp_term t) {
  return t.id < b->at.n && b->at.at[t.id];
}
/* The literals of a scalar term that has a circuit; until the next circuit is added. */
static inline const tp_lit *tp_blast_circuit(const tp_blast *b, tp_term t) {
  TP_REQUIRE(tp_blast_has(b, t) && b->at.at[t.id] <= b->pool.n);
  return b->pool.at + b->at.at[t.id] - 1;
}
static inline bool tp_blast_is_array(const tp_blast *b, tp_term t) {
  return tp_sort_kind_of(b->tt, tp_sort_of(b->tt, t)) == TP_SORT_ARRAY;
}

static inline bool tp_blast_is_too_large(const tp_blast *b) {
  return b->g->nodes.n > TP_CIRCUIT_GATES || b->reads.indices.n > TP_CIRCUIT_INDICES;
}

/* The element of an array term, all of whose scalars have circuits. False: too large. */
bool tp_blast_read(tp_blast *b, tp_term array, tp_term index, tp_lit *out) TP_MUST_USE;
/* An array term has got all its circuits. */
void tp_blast_mark_array(tp_blast *b, tp_term array);
/* A new atom for the equality of two array terms; its meaning is given by
 * tp_blast_constrain_equalities. */
tp_lit tp_blast_equal_arrays(tp_blast *b, tp_term left, tp_term right);
void tp_blast_define_array(tp_blast *b, tp_term var, tp_term is);
/* Circuits since some level are forgotten: so is what was read of them. */
void tp_blast_drop_reads(tp_blast *b, size_t n_equalities);
void tp_blast_clear_arrays(tp_blast *b);

#endif

/* Terms as clauses.
 *
 * What       clauses that have a model if facts have one: bit-vectors bit by bit, pointers as
 *            object and offset, floats as their bits.
 * Represents a weaker question than the facts: what is not translated (arithmetic of floats,
 * arrays, mathematical integers, quantifiers, pointers made of integers) is an input, the same for
 * equal terms. So clauses without a model mean facts without a model; a model of the clauses means
 * nothing unless `n_opaque` is 0. Invariants every evaluation of the facts (tp_eval) in which they
 * are true extends to a model of the clauses; tested term by term against tp_eval. Ownership
 * borrows the term table. Cost       linear in the terms, for each its gates (gate_clauses.h). The
 * bases of objects are compared in pairs, up to a limit. Source     Kroening & Strichman, ch. 6;
 * Ackermann 1954 (bases of objects). */
#ifndef TP_CERTIFY_CIRCUITS_TERM_CLAUSES_H
#define TP_CERTIFY_CIRCUITS_TERM_CLAUSES_H

#include "certify/circuits/gate_clauses.h"
#include "term/term.h"

typedef struct {
  uint32_t object, base;  // where their words start
} tp_chk_base;

typedef struct {
  tp_terms *tt;
  tp_chk_circuit circuit;
  TP_VEC(tp_chk_bit) bits;  // words, one after the other
  tp_map word_of;           // term -> where its word starts
  TP_VEC(tp_term) todo;
  TP_VEC(tp_chk_base) bases;
  uint64_t n_opaque;  // terms that became inputs because they are not translated
} tp_chk_term_clauses;

/* most_gates: more, and the circuit is full: 0: no limit. */
void tp_chk_term_clauses_init(tp_chk_term_clauses *s, tp_terms *tt, uint64_t most_gates);
void tp_chk_term_clauses_clear(tp_chk_term_clauses *s);
/* All these facts (Bool) hold. Once: facts that define a variable are substituted in the others. */
void tp_chk_term_clauses_assert(tp_chk_term_clauses *s, const tp_term *facts, size_t n);
/* The word of a scalar term: its width, of a pointer the offset with the object above it. */
void tp_chk_term_word(tp_chk_term_clauses *s, tp_term t, tp_chk_bit *out);
/* Bits of such a word; 0: the sort has none (arrays, mathematical integers). */
uint32_t tp_chk_sort_bits(const tp_terms *tt, tp_sort s);

#endif

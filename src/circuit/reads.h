/* Reads of array variables: an uninterpreted element for each variable and index.
 *
 * What       the elements as inputs of a circuit; functional consistency, added where a solution
 *            violates it.
 * Represents of each array variable a finite map from index words to element words, and its
 *            default: what it holds wherever nobody looks (index TP_INDEX_DEFAULT).
 * Invariants equal words of literals are one index, so a read is made once. Lemmas "equal indices,
 *            equal elements" hold for every array: they are never taken back.
 * Ownership  embedded; literals stay in place until cleared, pointers to them until the next call.
 * Source     Ackermann 1954; Brummayer & Biere 2009 (lemmas on demand). */
#ifndef TP_CIRCUIT_READS_H
#define TP_CIRCUIT_READS_H

#include "circuit/sat.h"

#define TP_INDEX_DEFAULT 0u

typedef struct {
  uint32_t at, n;  // literals; n may be 0
  uint32_t next;   // word of the same hash + 1
} tp_reads_word;

typedef struct {
  uint32_t array;    // any number that names the variable
  uint32_t index;    // word; TP_INDEX_DEFAULT: the default
  uint32_t element;  // word
} tp_read;

typedef struct {
  tp_gates *g;
  TP_VEC(tp_lit) lits;
  TP_VEC(tp_reads_word) words;
  tp_map heads;              // hash -> word + 1
  TP_VEC(uint32_t) indices;  // words that were used as indices, in order
  TP_VEC(tp_read) reads;
  tp_map of;  // array << 32 | index -> read
} tp_reads;

void tp_reads_init(tp_reads *r, tp_gates *g);
void tp_reads_clear(tp_reads *r);
/* The number of a word of literals, from 1. */
uint32_t tp_reads_index(tp_reads *r, const tp_lit *word, uint32_t n);
const tp_lit *tp_reads_word_of(const tp_reads *r, uint32_t word);
uint32_t tp_reads_width(const tp_reads *r, uint32_t word);
/* The element of the array at this index; width literals. */
const tp_lit *tp_reads_element(tp_reads *r, uint32_t array, uint32_t index, uint32_t width);
/* After a solution: add a lemma for each read that differs from an earlier one of the same array
 * and the same value of the index. Returns how many; 0: the solution is consistent. */
size_t tp_reads_refine(tp_reads *r, tp_sat *sat);

#endif

/* Canonical abstraction, and when one structure abstracts another.
 *
 * What       blur: nodes that agree on every abstraction predicate become one; embedding of a
 *            structure into another.
 * Represents blur(s) stands for every heap that s stands for. s embeds into t: there is a map of
 * the nodes of s onto those of t
 *            such that every value, equality included, is the value of the images or 1/2 there;
 *            then t stands for every heap of s. The map is searched for, so for structures of one
 *            class that are blurred it is found by names.
 * Names      after blur every node has its own vector of values of the abstraction predicates, its
 *            canonical name, and nodes are ordered by it (true before unknown before false):
 *            blurred structures are isomorphic iff they are the same words. There are at most 3^k
 *            names for k predicates.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 4.3 (bounded structures), def. 3.4 (embedding);
 *            Theoduloz 2010, sec. 2.3.3. */
#ifndef TP_SHAPE_BLUR_H
#define TP_SHAPE_BLUR_H

#include "shape/shape_limits.h"
#include "shape/structure.h"

/* Unary predicates, as bits. */
typedef struct {
  uint64_t word[TP_SHAPE_MAX_UNARY / 64];
} tp_unary_set;
static inline void tp_unary_set_add(tp_unary_set *s, uint32_t p) {
  s->word[p / 64] |= tp_k64_bit(p % 64);
}
static inline bool tp_unary_set_has(const tp_unary_set *s, uint32_t p) {
  return (s->word[p / 64] >> (p % 64)) & 1;
}

/* to: initialised, other than from. */
void tp_structure_blur(tp_structure *to, const tp_structure *from, const tp_unary_set *abstraction);
/* Every node has a name of its own, and they are in order. */
bool tp_structure_is_blurred(const tp_structure *s, const tp_unary_set *abstraction);

/* Errors: TP_ERR_LIMIT: the search was given up (it is exponential where names do not decide);
 * *embeds is false. */
tp_status tp_structure_embeds(const tp_structure *s, const tp_structure *t,
                              bool *embeds) TP_MUST_USE;

#endif

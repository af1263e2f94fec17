/* Small states: those of a program within bounds, for a model finder to choose.
 *
 * What       a universe of atoms (null, the integers of a width, some objects of each basic type),
 *            and one relation for each symbol and moment that a formula asks for, with its bounds;
 *            what is true of every state of C.
 *
 *                tp_small *h = tp_small_new(meanings, logic, bounds);
 *                tp_lowering *w = tp_lowering_new(meanings, logic, tp_small_states(h));
 *                tp_rel_formula f = tp_lower_requires(w, contract), typed = tp_small_typed(h, w);
 *                tp_rel_finder *finder = tp_rel_finder_new(tp_small_bounds(h), ...);
 *
 * Represents a state: \alloc says which objects exist; members are functions on those; null is an
 * atom of its own. Objects are interchangeable.
 *            Only what was asked for has relations: a heap is as small as the formulas that speak
 *            of it. Parameters and results are of one function at a time: formulas of two contracts
 *            do not share a tp_small.
 * Requires   all formulas are lowered before the bounds are asked for.
 * Limits     arrays have as many elements as there are integers of the width that can be an index.
 * Ownership  borrows meanings and logic; owns universe and bounds. */
#ifndef TP_CONTRACTS_SPEC_SMALL_H
#define TP_CONTRACTS_SPEC_SMALL_H

#include "contracts/rel/bounds.h"
#include "contracts/spec/lower.h"

typedef struct {
  uint32_t width_bits;        // of integers, 2 or more
  uint32_t n_each;            // objects of each struct and kind of array
  const uint32_t *n_objects;  // by basic type, in place of n_each; NULL: n_each of all
} tp_small_size;

typedef struct tp_small tp_small;
tp_small *tp_small_new(tp_meanings *m, tp_rel *l, tp_small_size b);
void tp_small_free(tp_small *h);
tp_states tp_small_states(tp_small *h);
/* Was the symbol asked for, at any moment? */
bool tp_small_has(const tp_small *h, const tp_symbol *symbol);

/* What is true of every state of C, of all that was asked for until now: each member of an existing
 * object has one value of its type, and only those have any; a variable has one; arrays begin at 0
 * and have no gaps; structs inside of others are nobody else's; ghosts are what they were declared
 * to be. Pointers lead to objects that exist, to functions or to null. */
tp_rel_formula tp_small_typed(tp_small *h, tp_lowering *w);

/* NULL: the universe would be too large. */
const tp_rel_bounds *tp_small_bounds(tp_small *h);

#endif

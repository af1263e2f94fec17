/* Bounded states: the states of a program within a scope, for the model finder to choose.
 *
 * What       a universe of atoms (null, the integers of a width, some objects of each basic type),
 *            and one relation for each symbol and state that a formula uses, with its bounds; the
 *            axioms that every state of C satisfies.
 *
 *     tp_bounded_states *h = tp_bounded_states_new(contracts, logic, scope);
 *     tp_lowering *w = tp_lowering_new(contracts, logic, tp_bounded_states_relations(h));
 *     tp_rel_formula f = tp_lower_requires(w, contract), typed = tp_bounded_states_axioms(h, w);
 *     tp_rel_finder *finder = tp_rel_finder_new(tp_bounded_states_bounds(h), ...);
 *
 * Represents a state: \alloc is the set of allocated objects; members are functions on them; null
 *            is an atom of its own. Objects are interchangeable. Only symbols that a formula uses
 *            have relations: a heap is as small as the formulas about it. Parameters and results
 *            are of one function at a time: formulas of two contracts do not share a
 *            tp_bounded_states.
 * Requires   all formulas are lowered before the bounds are made.
 * Limits     arrays have as many elements as there are integers of the width that can be an index.
 * Ownership  borrows contracts and logic; owns universe and bounds. */
#ifndef TP_CONTRACTS_SPEC_BOUNDED_STATES_H
#define TP_CONTRACTS_SPEC_BOUNDED_STATES_H

#include "contracts/rel/rel_bounds.h"
#include "contracts/spec/spec_lower.h"

typedef struct {
  uint32_t width_bits;        // of integers, 2 or more
  uint32_t n_each;            // objects of each struct and kind of array
  const uint32_t *n_objects;  // by basic type, in place of n_each; NULL: n_each of all
} tp_state_scope;

typedef struct tp_bounded_states tp_bounded_states;
tp_bounded_states *tp_bounded_states_new(tp_contracts *m, tp_rel *l, tp_state_scope b);
void tp_bounded_states_free(tp_bounded_states *h);
tp_state_relations tp_bounded_states_relations(tp_bounded_states *h);
/* Has the symbol a relation, in either state? */
bool tp_bounded_states_has(const tp_bounded_states *h, const tp_symbol *symbol);

/* What is true of every state of C, of all that was collected until now: each member of an existing
 * object has one value of its type, and only those have any; a variable has one; arrays begin at 0
 * and have no gaps; structs inside of others are nobody else's; ghosts are what they were declared
 * to be. Pointers lead to objects that exist, to functions or to null. */
tp_rel_formula tp_bounded_states_axioms(tp_bounded_states *h, tp_lowering *w);

/* NULL: the universe would be too large. */
const tp_rel_bounds *tp_bounded_states_bounds(tp_bounded_states *h);

#endif

/* Lowering: from our terms to what every SMT-LIB solver understands.
 *
 * What       pointers become bit-vectors (object in the high 32 bits, offset below); PTR_TO_INT
 *            becomes base(object) + offset; float variables become their bits; C's fmin, fmax,
 *            fmod and out-of-range conversions become what SMT-LIB has, or a fresh variable.
 * Represents the lowered term has the values of the original: every evaluation of the original
 *            extends to one of the lowered term and its facts. So UNSAT carries over; SAT is
 *            believed only after the model was evaluated on the original.
 * Invariants lowered terms have no PTR sort; FP only as terms over bits and as array elements.
 * Cost       each term is lowered once; terms without pointers and floats map to themselves.
 * Ownership  helper variables live in the term table, the maps here. */
#ifndef TP_SMT_LOWER_H
#define TP_SMT_LOWER_H

#include "term/term.h"

typedef struct tp_lower tp_lower;
tp_lower *tp_lower_new(tp_terms *tt);
void tp_lower_free(tp_lower *l);

/* False: cannot be lowered (an operation that needs a helper variable under a quantifier). */
bool tp_lower_term(tp_lower *l, tp_term t, tp_term *lowered) TP_MUST_USE;
/* The variable that a lowered variable stands for; NONE for helpers. */
tp_term tp_lower_origin(const tp_lower *l, tp_term var);
/* The fact that must be asserted with a helper variable; NONE: none. */
tp_term tp_lower_fact(const tp_lower *l, tp_term var);
/* A value of the lowered sort of `sort` as a value of `sort`. */
tp_value tp_lower_raise(tp_lower *l, tp_sort sort, tp_value v, tp_arena *arena);

/* base(object): for a constant object a variable, else the array `tp_lower_base_array` at the
 * object. Where the array occurs, each constant's link (array at object = variable) must be
 * asserted too. */
tp_term tp_lower_base_array(const tp_lower *l);  // NONE until needed
size_t tp_lower_n_bases(const tp_lower *l);
void tp_lower_base(const tp_lower *l, size_t i, uint32_t *object, tp_term *var);
tp_term tp_lower_base_link(tp_lower *l, size_t i);

/* The variable that a quantifier binds, as it occurs below it; NONE: it does not occur. */
tp_term tp_bound_of(const tp_terms *tt, tp_term quantified);

#endif

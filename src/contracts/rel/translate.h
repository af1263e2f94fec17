/* From relational logic to circuits.
 *
 * What       the value of expressions, integers and formulas as gates over primary variables.
 * Represents a relation is a matrix: true in its lower bound, an input (a primary variable) between
 *            the bounds. A formula is two literals, "is true" and "is false"; where integers leave
 *            their width both are false. Where nothing can be undefined one is the negation of the
 *            other and costs no gate.
 * Invariants a node is translated once for each binding of its free variables.
 * Ownership  borrows bounds and circuit, which live longer. The bounds do not change any more.
 * Errors     is_full: a matrix exceeded max_cells; nothing translated may be used then.
 * Source     Torlak & Jackson 2007. We differ: overflow is undefined (Milicevic & Jackson 2012
 *            follow polarity, we follow Kleene). */
#ifndef TP_CONTRACTS_REL_TRANSLATE_H
#define TP_CONTRACTS_REL_TRANSLATE_H

#include "contracts/rel/rel_bounds.h"
#include "contracts/rel/matrix.h"

typedef struct {
  uint32_t width_bits;
  bool memoize;  // a node and its variables once; off: each time
  bool skolemize;
  uint64_t max_cells;
} tp_rel_translate_options;

typedef struct tp_rel_translation tp_rel_translation;
tp_rel_translation *tp_rel_translation_new(const tp_rel_bounds *b, tp_gates *g,
                                           tp_rel_translate_options options);
void tp_rel_translation_free(tp_rel_translation *t);
/* Relations of the logic that were made since, with their bounds, or without any. */
void tp_rel_translation_grow(tp_rel_translation *t);
bool tp_rel_translation_is_full(const tp_rel_translation *t);
/* The matrix of a relation, by number; primary variables are made for all bound relations at the
 * start, in order of number, then of tuple. */
tp_rel_matrix tp_rel_translation_of(const tp_rel_translation *t, uint32_t relation);
const tp_lit *tp_rel_primary(const tp_rel_translation *t, size_t *n);

/* A literal that, asserted, makes f true: if skolemisation is on, it may be about witnesses, and
 * says nothing when it is false. f has no free variables and uses bound relations only. */
tp_lit tp_rel_assertion(tp_rel_translation *t, tp_rel_formula f);
/* Asserted, it keeps f from being false, about witnesses as above: where no integer is computed, it
 * is true. */
tp_lit tp_rel_possibility(tp_rel_translation *t, tp_rel_formula f);
/* False where f is undefined, and, if f is a disjunction, where those of its disjuncts that compute
 * integers would be undefined by themselves. */
tp_lit tp_rel_definedness(tp_rel_translation *t, tp_rel_formula f);
typedef struct {
  tp_lit is_true, is_false;
} tp_rel_truth_lits;
tp_rel_truth_lits tp_rel_translate(tp_rel_translation *t, tp_rel_formula f);
/* The invariants: the matrix of a relation has a cell for each tuple of its upper bound, and an
 * input for each tuple between the bounds. For assertions, before the first formula. */
bool tp_rel_translation_check(const tp_rel_translation *t);
uint64_t tp_rel_n_translations(
    const tp_rel_translation *t);  // nodes, each as often as it was translated

#endif

/* Symmetry breaking: atoms that bounds do not distinguish, and lex-leader predicates that exclude
 * most instances that differ in the names of such atoms only.
 *
 * What       classes of interchangeable atoms; lexicographic order predicates over primary
 *            variables.
 * Represents two atoms are interchangeable if swapping them maps every lower and every upper bound
 *            to itself. Formulas cannot distinguish them either: the logic names no atom but
 *            integers, and an integer is interchangeable with no other atom. Interchangeability is
 *            an equivalence: (a c) = (a b)(b c)(a b).
 * Invariants of the instances that permutations of classes make of one another at least one
 *            satisfies the predicate: the one whose primary variables, read in order, are smallest.
 * Limits     questions that do name atoms (fixed tuples, a target to be close to, instances
 *            excluded by their tuples) do without the predicate, or state what they mean up to
 *            names.
 * Source     Crawford et al. 1996; Torlak & Jackson 2007, sec. 4. We differ: classes are exact, not
 *            a greedy partition; all swaps of a class are used, not those of neighbours only. */
#ifndef TP_CONTRACTS_REL_SYMMETRY_H
#define TP_CONTRACTS_REL_SYMMETRY_H

#include "contracts/rel/translate.h"

/* class_of: n_atoms numbers, the least atom of the class. */
void tp_rel_symmetry_classes(const tp_rel_bounds *b, uint32_t *class_of);
/* For every two atoms of a class: the primary variables are not larger than what the swap makes of
 * them. A comparison looks at up to max_length pairs of variables if they are neighbours, at fewer
 * otherwise. */
tp_lit tp_rel_symmetry_predicate(const tp_rel_translation *t, const tp_rel_bounds *b, tp_gates *g,
                                 uint32_t max_length);

/* Where a fact says that a relation is a total order of a set of interchangeable atoms, one order
 * is as good as all others: the relation is bound to that of their numbers. Returns how many.
 * Before a finder is made of the bounds. There is an instance within the new bounds if and only if
 * there is one within the old ones; as elsewhere, instances that differ in names only are lost.
 * Errors: none; what does not fit stays as it is. Source: Torlak & Jackson 2007, sec. 4 (predicates
 * that are known). */
uint32_t tp_rel_symmetry_fix_orders(tp_rel_bounds *b, const tp_rel_formula *facts, size_t n);

#endif

/* Polynomials modulo 2^n: equations with products that bit-blasting does not get through.
 *
 * What       facts that are equations of bit-vectors become polynomials over what is not a sum or
 *            product (the atoms); with them, equations in the other facts are shown to hold or not
 *            to hold, and a fact that becomes false is a refutation.
 * Represents consequences by linear combination and by substitution of atoms that an equation
 *            gives, in each of a few cases: the conditions of choices. Orders bear on it through
 *            bounds alone (value_bounds.h): whether an extension distributes, and which atoms have
 *            one value. Of divisions by a constant it knows what remains. It is a quick look before
 *            a solver is asked: most questions without products are not looked at at all.
 * Law        true means that the facts have no model (tested against enumeration); false means
 *            nothing.
 * Source     Mueller-Olm, Seidl 2007 (modular polynomial invariants): elimination with pivots of
 *            least 2-adic valuation. */
#ifndef TP_SMT_ALGEBRA_H
#define TP_SMT_ALGEBRA_H

#include "term/term.h"

/* Terms that were searched for products, kept between questions. */
typedef struct {
  tp_map visited;  // term -> 1: it has a product, 0: none
} tp_algebra;
void tp_algebra_clear(tp_algebra *a);  // a zeroed one is ready

/* Has t a product of two terms that are not constants? */
bool tp_algebra_has_product(tp_algebra *a, const tp_terms *tt, tp_term t);
/* Are these facts together impossible? Cases are distinguished (algebra_cases.c). */
bool tp_algebra_refutes(tp_terms *tt, const tp_term *facts, size_t n);
bool tp_algebra_refutes_conjunction(tp_terms *tt, const tp_term *facts, size_t n);  // they are not

#endif

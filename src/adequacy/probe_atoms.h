/* Atoms: one form for one question, and the questions that come with it.
 *
 * What       comparisons of machine integers as default predicates ask them: strict, a constant
 *            last, what is added to a variable brought to the other side. With a comparison come
 *            the others that complete the order: below, equal, above.
 * Represents predicates, which are never wrong, only useless: x + 1 < c is asked as x < c - 1,
 *            which differs where x + 1 wraps. In the program's words it is shorter, and many atoms
 *            that come from turns of a loop become the same.
 * Ownership  terms live in the table. */
#ifndef TP_ADEQUACY_PROBE_ATOMS_H
#define TP_ADEQUACY_PROBE_ATOMS_H

#include "adequacy/adequacy_limits.h"
#include "term/term.h"

/* Without negation at its top, in the one form. */
tp_term tp_atom_plain(tp_terms *tt, tp_term atom);

typedef struct {
  tp_term atoms[TP_ADEQUACY_NEIGHBOURS];
  uint32_t extra[TP_ADEQUACY_NEIGHBOURS];  // how much farther each is from what was asked
  size_t n;
} tp_atom_family;
/* A plain atom, and those that complete its order. */
tp_atom_family tp_atom_family_of(tp_terms *tt, tp_term atom);

#endif

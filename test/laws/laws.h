/* The laws of configurable program analysis, tried on one composition and one random model.
 *
 * Elements come from running the analysis on the model, and from joins of what was reached;
 * concrete states from random runs of the same model. What an element means is what its formula
 * says in a state (and its location and call string). Each law is the obligation of that letter in
 * cpa/cpa.h:
 *   (a) top means every state            (b) leq means inclusion, and every element is leq itself
 *   (c) join and widen are above both    (d) successors cover concrete steps
 *   (e) merge is above its second        (f) stop only on what is covered
 *   (g) adjusting only weakens           (h) every state of a completed run is reached
 * Cost       some 120 steps, 60 elements; pairs of elements with equal merge keys, six partners
 *            each. */
#ifndef TP_LAWS_LAWS_H
#define TP_LAWS_LAWS_H

#include "cpa/cpa.h"

enum { LAWS_N = 8, LAWS_MODELS = 12 };  // models: the default volume

/* Changes operators of an opened analysis, to see whether the laws notice; NULL: none. */
typedef void (*laws_change)(tp_cpa *whole);

/* Adds the numbers of comparisons to checks, by law. False: a law is broken; then `say` prints the
 * composition, the elements a and b, and a state that should be a member and is none: for (b), (c),
 * (e) and (g) of b, for (f) of a candidate, b the first of them; for (d) a is the element before
 * the step, b its first successor, the state is behind the step. */
bool laws_of_model(const char *composition, uint64_t seed, laws_change change, bool say,
                   unsigned long checks[LAWS_N]);

#endif

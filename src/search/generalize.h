/* Generalisation: from the pre-images of one step to where they lead.
 *
 * What       RefineWithGeneralization: when a node is split again and again by pre-images that are
 *            each other's pre-images, a predicate that contains all of them, those to come as well.
 * Represents a candidate for rho of split.h; (i) and (ii) are checked there, as for any other.
 * When       a split says which region it keeps its states from stepping into. Where that region
 *            was cut off by an earlier split, whose own target was cut off by one before, ..., the
 *            splits are a chain; it has come round a loop as often as it has been at this node
 *            before. That is exact: splits that are not each other's pre-images (diamonds, two
 *            checks in a row) never count.
 * Methods    WIDEN: the regions cut off at the node so far as polyhedra over its integer variables
 *            (numeric/polyhedra.h), hull and widening, with bounds and constraints that all of them
 *            satisfy as landmarks. INTERPOLANT: interpolants of the whole abstract path (all
 *            sources, in the order of formula/interpolants.h), the one at the frontier that speaks
 *            of the fewest constants.
 * Source     Synergy sec. 2.4; Gulavani, Rajamani 2006 (widening); Henzinger, Jhala, Majumdar,
 *            McMillan 2004 (interpolants). */
#ifndef TP_SEARCH_GENERALIZE_H
#define TP_SEARCH_GENERALIZE_H

#include "search/split.h"

typedef struct tp_generalizer tp_generalizer;
tp_generalizer *tp_generalizer_new(tp_partition *pt);
void tp_generalizer_free(tp_generalizer *g);
/* Remembers that rho was (or is about to be) split off from the cell step.from, because of the
 * step. What tp_generalizer_widen gave is noted like any other. */
void tp_generalizer_note(tp_generalizer *g, tp_abstract_step step, tp_term rho);
/* Would splitting step.from by rho continue a chain that has been at this node often enough? Never
 * with generalize = none. After a failure at a node more turns are waited for than before. */
bool tp_generalizer_is_due(tp_generalizer *g, tp_abstract_step step, tp_term rho);
/* A predicate with states that rho has not, for splitting the region of step.from (one cell only);
 * path: the abstract path, `frontier` the index of `step` in it. rho TRUE: no rho is known (its
 * inputs could not be eliminated, say); any predicate will do. False: none that satisfies (i) and
 * (ii). */
bool tp_generalizer_widen(tp_generalizer *g, const tp_split_problem *problem,
                          const tp_abstract_path *path, size_t frontier, tp_term rho, tp_term *out);

#endif

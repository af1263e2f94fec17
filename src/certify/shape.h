/* Three-valued graphs at labels: what they say of the start of a segment, and whether they describe where it gets to.
 *
 * What       the check of kind `shapes`, beside the formulas: graphs as formulas over addresses.
 * Represents a question to the solver: a state that one graph of each class describes at the start, and that is here now. Unknown
 *            heaps are seen through places: addresses that matter. What holds of all elements of a heap, of nodes, and of paths is
 *            asserted for places.
 * Law        everything that is asserted is true of every run that is here, for the elements that the places stand for; so "no such
 *            state" is right, and anything else is an answer that was not found.
 * Source     Yorsh, Reps, Sagiv 2004, sec. 3 (graphs as formulas); Itzhaky et al. 2013, sec. 3 (paths along one field
 *            by universal formulas); we differ: cycles, several fields, instances of our own choice. */
#ifndef TP_CERTIFY_SHAPE_H
#define TP_CERTIFY_SHAPE_H

#include "certify/segment.h"

typedef struct tp_cshape {
  const tp_cgraphs *graphs;
  uint32_t *chosen;            // by class: the graph that describes the start of the segment; 0: none
  bool is_chosen;              // some graph is
  tp_cmoment start;            // to come back to
  tp_cvalue *values;           // by variable, at the start
} tp_cshape;

tp_cshape *tp_cshape_new(const tp_csegment *g, const tp_cgraphs *graphs);
void tp_cshape_free(tp_cshape *s);

/* The start of the segment, where formulas are assumed already, is described by these graphs (by class; 0: nothing is known). */
void tp_cshape_start(tp_csegment *g, const uint32_t *chosen);
/* Does one of the goals hold in every state that is here? Never REFUTED. */
tp_cgoal tp_cshape_prove(tp_csegment *g, const tp_term *goals, size_t n);
/* Does one of the label's formulas hold here, together with what it says of shapes? Never REFUTED. */
tp_cgoal tp_cshape_meets(tp_csegment *g, uint32_t label);

#endif

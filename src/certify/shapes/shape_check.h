/* Three-valued graphs at labels: what they say of the start of a segment, and whether they describe
 * where it gets to.
 *
 * What       the check of kind `shapes`, beside the formulas: graphs as formulas over addresses.
 * Represents a question to the solver: a state that one graph of each class describes at the start,
 * and that is here now. Unknown
 *            heaps are seen through places: addresses that matter. What holds of all elements of a
 *            heap, of nodes, and of paths is asserted for places.
 * Law        everything that is asserted is true of every run that is here, for the elements that
 *            the places stand for; so "no such state" is right, and anything else is an answer that
 *            was not found.
 * Source     Yorsh, Reps, Sagiv 2004, sec. 3 (graphs as formulas); Itzhaky et al. 2013, sec. 3
 *            (paths along one field by universal formulas); we differ: cycles, several fields,
 *            instances of our own choice. */
#ifndef TP_CERTIFY_SHAPES_SHAPE_CHECK_H
#define TP_CERTIFY_SHAPES_SHAPE_CHECK_H

#include "certify/symbolic/executor.h"

typedef struct tp_chk_shape_start {
  const tp_chk_graphs *graphs;
  uint32_t *chosen;      // by class: the graph that describes the start of the segment; 0: none
  bool is_chosen;        // some graph is
  tp_chk_state start;    // to come back to
  tp_chk_value *values;  // by variable, at the start
  struct tp_chk_batch *closure;  // the walk is for many graphs at once (closure.h); NULL: it is not
  struct tp_chk_rule_proofs *rules;  // of the class descriptions; NULL: not needed yet
} tp_chk_shape_start;

tp_chk_shape_start *tp_chk_shape_start_new(const tp_chk_exec *g, const tp_chk_graphs *graphs);
void tp_chk_shape_start_free(tp_chk_shape_start *s);

/* Of which predicates of the class can be spoken in this context? out: by predicate. */
void tp_chk_readable_predicates(const tp_chk_exec *g, const tp_chk_class *c, uint32_t context,
                                bool *out);
/* The start of the segment, where formulas are assumed already, is described by these graphs (by
 * class; 0: nothing is known). */
void tp_chk_shape_begin(tp_chk_exec *g, const uint32_t *chosen);
/* Does the object to which the variable led at the start, if it is a cell of the class, change on
 * the way? */
bool tp_chk_shape_is_changed(const tp_chk_exec *g, tp_var v);
/* Does one of the goals hold in every state that is here? Never REFUTED. Of many graphs, those for
 * which it cannot be shown are given up; without goals none is. */
tp_chk_answer tp_chk_shape_prove(tp_chk_exec *g, const tp_term *goals, size_t n);
/* The same, where it makes no difference but in what is known: of many graphs none is given up if
 * it can be shown for none. */
tp_chk_answer tp_chk_shape_try(tp_chk_exec *g, tp_term goal);
/* Without what graphs say. */
tp_chk_answer tp_chk_prove_without_graphs(tp_chk_exec *g, const tp_term *goals, size_t n);
/* Does one of the label's formulas hold here, together with what it says of shapes? Never REFUTED.
 */
tp_chk_answer tp_chk_shape_arrives(tp_chk_exec *g, uint32_t label);

#endif

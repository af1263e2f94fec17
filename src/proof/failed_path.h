/* Why shapes could not exclude an error: the path to it, and what graphs lost on the way.
 *
 * What       the nodes from the start to the first error that was reached, by parents; the step
 *            behind which graphs do not say any more what they said before, although the step is no
 *            reason for that: where a link of a cell leads that a pointer leads to, or anything at
 *            all; the predicates of the class that were not used.
 * Law        an explanation for people: no run need take the path, and nothing rests on it. The
 * same reached set gives the same text. Source     the sharpenings that are missing: Sagiv, Reps,
 * Wilhelm 2002, sec. 5 (where blur loses); ours: the search for the place. */
#ifndef TP_PROOF_FAILED_PATH_H
#define TP_PROOF_FAILED_PATH_H

#include "cpa/reached.h"

typedef TP_VEC(uint32_t) tp_node_list;

/* The nodes on the path to the first node with an error of the property, the start first; none: no
 * error was reached. The caller clears the list. */
void tp_failed_path_nodes(const tp_reached *r, const tp_program *p, tp_property property,
                          tp_node_list *out);
/* "x->f = y at a.c:3:4": the step from the node's parent; "the start". */
const char *tp_failed_path_step(const tp_reached *r, const tp_program *p, uint32_t node,
                                tp_arena *arena);
/* "behind x->f = y at a.c:3:4 it is not known whether p->next is null: ...", for the cells of one
 * kind; NULL: the composition has no shapes, or they lost nothing that explains the error. */
const char *tp_failed_path_loss(tp_cpa *composite, const tp_reached *r, tp_property property,
                                tp_arena *arena);

#endif

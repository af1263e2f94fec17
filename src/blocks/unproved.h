/* Unproved assumptions of a proof: operations whose meaning it has to assume, and what the model
 * leaves open.
 *
 * What       visits every operation that a node of a reached set leads to, or that a block has.
 * Represents assumptions: operations that end a run where they have no meaning, that the property
 *            does not check, and that the analysis does not show to have one. Gaps: what no proof
 *            may pass, because the model does not say what happens.
 * Law        an operation that may lack meaning in some run is listed; more may be listed. */
#ifndef TP_BLOCKS_UNPROVED_H
#define TP_BLOCKS_UNPROVED_H

#include "cpa/recursion.h"

typedef struct {
  TP_VEC(const char *) assumptions;  // "no division by zero at a.c:3:4"; by edge, each text once
  const char *gap;  // a call without a meaning: "external function f may write memory at a.c:3:4",
                    // or NULL
  tp_pos gap_pos;
  tp_arena arena;  // texts
} tp_unproved;
void tp_unproved_find(tp_recursion *r, const tp_cpa_env *env, tp_cpa *cpa, tp_unproved *out);
/* The same for all operations of these edges, by edge, where nothing is known of the states that
 * come there; contracts apart. */
void tp_unproved_of_edges(const tp_program *p, tp_property property, const bool *edges,
                          tp_unproved *out);
void tp_unproved_clear(tp_unproved *d);

#endif

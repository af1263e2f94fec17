/* Lee-Yannakakis: minimisation of the part of a quotient that can be reached.
 *
 * What       regions that were visited are made stable, first in, first out: one that some but not
 *            all states of a visited region step into splits it by its pre-image; a region not
 *            visited yet that a visited state steps into is visited.
 * Represents when nothing is left to do, every visited region steps, with all its states or with
 *            none, into any other, and into visited ones only: those are the reachable part of the
 *            coarsest bisimulation that respects the first partition.
 * Use        an engine of its own; a step of it now and then makes the splits of engine synergy
 *            fair.
 * Ownership  the search is borrowed.
 * Source     Lee, Yannakakis 1992; Synergy sec. 3 (fig. 5). One witness for each first region; the
 *            choice is fair, which the paper leaves open and its termination needs. */
#ifndef TP_SEARCH_LEE_YANNAKAKIS_H
#define TP_SEARCH_LEE_YANNAKAKIS_H

#include "search/search.h"

typedef struct {
  tp_search *x;
  TP_VEC(uint32_t)
  queue;  // cells, from `next` on: one of each region that waits. What it is split into keeps its
          // place
  size_t next;
  tp_map waits;            // region -> it is in the queue
  size_t n_seen;           // states of the forest that were looked at
  const char *incomplete;  // a pair that nobody could decide; NULL: none
  /* Told before a region of one cell is split by a pre-image. May be NULL. */
  void (*on_split)(void *ctx, tp_abstract_step step, tp_term rho);
  void *ctx;
} tp_ly;

typedef enum { TP_LY_VISITED, TP_LY_SPLIT, TP_LY_DONE } tp_ly_step;

void tp_ly_init(tp_ly *l, tp_search *x);
void tp_ly_clear(tp_ly *l);
/* Somebody else split what is at these nodes (by node: true). */
void tp_ly_changed(tp_ly *l, const bool *nodes);
/* One state visited, or one region split; DONE: every visited region is stable, as far as the
 * solver can tell. */
tp_ly_step tp_ly_iterate(tp_ly *l);

#endif

/* What engines that split regions share: the block graph with its partition and forest, limits,
 * splits, verdicts.
 *
 * Law        TRUE only from a partition without an open path to an error in which nothing was
 *            given up (`incomplete`); FALSE only with the inputs of a test that failed;
 *            everything else is UNKNOWN with a reason.
 * Ownership  everything is the search's own, until _end. */
#ifndef TP_SEARCH_SEARCH_H
#define TP_SEARCH_SEARCH_H

#include "blocks/graph_run.h"
#include "blocks/learn.h"
#include "search/suitable.h"

/* What runs teach when splits go round a loop without end. */
typedef struct {
  tp_blocks own;                // with nodes at loop heads, unless the search has those
  tp_term *imported_at;         // by its nodes
  tp_node_formulas candidates;  // not proved yet
  tp_learner learner;
  uint32_t n_stages;  // that were tried
} tp_search_learned;

typedef struct {
  tp_graph_run run;
  bool has_imported;           // what there is to import: others' invariants, or of intervals
  tp_search_learned *learned;  // NULL: not needed yet
  tp_partition pt;
  tp_forest forest;
  tp_suitable suitable;
  const char *incomplete;  // something was given up for this reason: no proof any more; NULL: none.
                           // From the result's arena
} tp_search;

/* False: it is settled already, `out` says how. In both cases _end is called. */
bool tp_search_begin(tp_search *x, const tp_task *task, const tp_budget *budget, tp_stats *stats,
                     tp_result *out);
void tp_search_end(tp_search *x);

/* Is one of the limits reached? */
bool tp_search_is_over(const tp_search *x);
typedef TP_VEC(uint32_t) tp_leaf_list;
/* The leaves that a cell was split into; appended. */
void tp_search_leaves(const tp_partition *pt, uint32_t cell, tp_leaf_list *out);
/* Splits the region of step.from as tp_partition_split_off does. States go to where they are now.
 */
void tp_search_split_off(tp_search *x, tp_abstract_step step, const tp_term *by);
/* Splits a region by the pre-image of another, exactly: by has one predicate for each of its cells.
 * Steps from the other part are closed. */
void tp_search_split_exactly(tp_search *x, uint32_t region, uint32_t target, const tp_term *by,
                             uint32_t *yes, uint32_t *no);
/* Nobody knows about this step: other paths come first, and there is no proof any more. */
void tp_search_give_up_step(tp_search *x, tp_abstract_step step, const char *why);

/* After each test: FALSE if it failed; then the search is over. If it came to a place whose meaning
 * is open, there is no proof any more. */
bool tp_search_settles(tp_search *x);
/* Lets an abstract interpretation (intervals) say what holds at the nodes and takes that for
 * granted from now on; certificates say it, too. False: that was done before, or it says nothing.
 */
bool tp_search_assume_bounds(tp_search *x);
/* Invariants that runs suggest and that are inductive, at loop heads: from now on they are taken
 * for granted, and certificates say them. Each call tries more candidates; false: there are none
 * left, or none of them could be proved. */
bool tp_search_learn(tp_search *x);
/* There is no abstract path to an error: TRUE, or UNKNOWN if there is incomplete. */
void tp_search_conclude(tp_search *x);
/* The limit came first. */
void tp_search_report_limit(tp_search *x);

#endif

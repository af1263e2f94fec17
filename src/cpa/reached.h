/* The reached set, the frontier, and the abstract reachability graph in one.
 *
 * What       nodes with element, precision, parents and covered-by links; index by merge key; the
 *            frontier in a chosen order.
 * Represents the pair (reached, frontier) of CPA+, so a run can be interrupted between any two
 *            steps, edited, saved in memory and resumed.
 * Invariants a node is in the frontier iff `waiting`; nodes that merge replaced stay as nodes with
 *            the new element. Node 0 is unused. Each successor of a node that does not wait is a
 *            node (parent), went into one (merge link), or is covered (cover link).
 * Source     Theoduloz 2010, sec. 3.2.3, 4.3.2, 5.4.1. */
#ifndef TP_CPA_REACHED_H
#define TP_CPA_REACHED_H

#include "cpa/cpa.h"

typedef enum {
  TP_WAIT_DFS,
  TP_WAIT_BFS,
  TP_WAIT_REVERSE_POSTORDER,
  TP_WAIT_CALLSTACK
} tp_wait_order;
const char *tp_wait_order_name(tp_wait_order o);  // "dfs", "bfs", "reverse-postorder", "callstack"
bool tp_wait_order_parse(const char *name, tp_wait_order *out);

typedef struct {
  tp_succ state;
  uint64_t key;     // merge key
  uint32_t parent;  // node it was first reached from, 0: initial
  tp_step step;     // from the parent
  tp_loc loc;       // hint of the location, NONE: any
  tp_context context;
  bool waiting;
  bool removed;  // no part of the reached set any more: descending steps took it out
} tp_node;

typedef struct {
  uint32_t from;  // node whose successor along `step` was covered
  uint32_t by;    // a node that covers it
  tp_step step;
  uint32_t which;  // of the successors along the step
  bool together;   // not alone: all nodes with the merge key of `by` do
} tp_cover;

/* A node that was weakened by what came from another one: a second parent. */
typedef struct {
  uint32_t from, into;
  tp_step step;
} tp_merge_link;

typedef struct tp_reached tp_reached;
tp_reached *tp_reached_new(tp_cpa *cpa, tp_wait_order order);
void tp_reached_free(tp_reached *r);
/* Adds an initial element to reached and frontier. */
uint32_t tp_reached_start(tp_reached *r, tp_succ initial);
size_t tp_reached_n(const tp_reached *r);  // nodes are 1 .. n
const tp_node *tp_reached_node(const tp_reached *r, uint32_t node);
size_t tp_reached_waiting(const tp_reached *r);
const tp_cover *tp_reached_covers(const tp_reached *r, size_t *n);
const tp_merge_link *tp_reached_merges(const tp_reached *r, size_t *n);  // each once
/* The path to a node by parents: steps in order; arena owned. */
tp_step *tp_reached_path(const tp_reached *r, uint32_t node, tp_arena *arena, size_t *n);
/* Editing between runs, for outer loops. `again` puts a node back into the frontier. `edit` gives
 * it another element and precision and puts it back; what the old element covered must stay covered
 * or be reached again: the caller's promise. */
void tp_reached_again(tp_reached *r, uint32_t node);
void tp_reached_edit(tp_reached *r, uint32_t node, tp_succ state);
/* Lazy abstraction: takes out of the set whatever came from `node` (by parents and merges), and
 * node itself if that is asked or if it took something in that is taken out. Whoever had a
 * successor that is gone, was merged into or covered by one, is expanded again, and so is node;
 * initial elements come back as they were. The set covers as much as before once it has run to its
 * end. Source: Theoduloz 2010, sec. 5.4.7, step 1; repaired there, since what was removed may have
 * covered something elsewhere. The number of nodes that were removed. */
typedef enum { TP_CUT_BELOW, TP_CUT_WITH_NODE } tp_cut_extent;
size_t tp_reached_cut(tp_reached *r, uint32_t node, tp_cut_extent extent);

/* A node that is not initial gets a smaller element, which still covers what its parent brings: the
 * caller's promise. What else it covered or took in is opened again; what came from the node stays.
 */
void tp_reached_strengthen(tp_reached *r, uint32_t node, tp_succ state);

/* An initial element is none any more: it goes with everything that came from it, and does not come
 * back. */
void tp_reached_end(tp_reached *r, uint32_t node);

/* How SUMMARY steps go on: adds the successors of s, an element of `node`. Without a hook the
 * callee gives any state, and is itself analysed from any state. */
typedef struct {
  void (*take)(void *ctx, uint32_t node, tp_succ s, const tp_step *step, tp_out *out);
  void *ctx;
} tp_summary_hook;
void tp_reached_set_summary(tp_reached *r, tp_summary_hook hook);

void tp_reached_print_dot(const tp_reached *r, tp_str *out);

#endif

/* The reached set, the waitlist, and the abstract reachability graph in one.
 *
 * What       nodes with element, precision, parents and covered-by links; index by merge key; the
 *            waitlist in a chosen order.
 * Represents the pair (reached, waitlist) of CPA+, so a run can be interrupted between any two
 *            steps, edited, saved in memory and resumed.
 * Invariants a node is in the waitlist iff `waiting`; a node stays when merge replaces its
 *            element. Node 0 is unused. Each successor of a node that does not wait is a
 *            node (parent), was merged into one (merge link), or is covered (cover link).
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
  bool removed;  // no longer in the reached set
} tp_node;

typedef struct {
  uint32_t from;  // node whose successor along `step` was covered
  uint32_t by;    // a node that covers it
  tp_step step;
  uint32_t successor;  // of the successors along the step
  bool by_several;     // all nodes with the merge key of `by` cover together
} tp_cover;

/* A node whose element was merged with a successor of another node: a second parent. */
typedef struct {
  uint32_t from, into;
  tp_step step;
} tp_merge_link;

typedef struct tp_reached tp_reached;
tp_reached *tp_reached_new(tp_cpa *cpa, tp_wait_order order);
void tp_reached_free(tp_reached *r);
/* Adds an initial element to reached set and waitlist. */
uint32_t tp_reached_add_initial(tp_reached *r, tp_succ initial);
size_t tp_reached_n(const tp_reached *r);  // nodes are 1 .. n
bool tp_reached_has(const tp_reached *r, uint32_t node);
const tp_node *tp_reached_node(const tp_reached *r, uint32_t node);
size_t tp_reached_waiting(const tp_reached *r);
const tp_cover *tp_reached_covers(const tp_reached *r, size_t *n);
const tp_merge_link *tp_reached_merges(const tp_reached *r, size_t *n);  // each once
/* The path to a node by parents: steps in order; arena owned. */
tp_step *tp_reached_path(const tp_reached *r, uint32_t node, tp_arena *arena, size_t *n);
/* Editing between runs, for outer loops. requeue puts a node into the waitlist. edit replaces
 * a node's element and precision and requeues the node. Requires: what the old element covered
 * stays covered, or is reached again. */
void tp_reached_requeue(tp_reached *r, uint32_t node);
void tp_reached_edit(tp_reached *r, uint32_t node, tp_succ state);
/* Lazy abstraction: removes all descendants of `node` (by parents and merge links), and node itself
 * with CUT_WITH_NODE, or if a removed node was merged into node. Every node that has a removed
 * successor, or one that was merged into or covered by a removed node, is requeued, and so is node;
 * initial elements are restored. When the algorithm has run to its end, the set covers the same
 * states as before. The number of nodes that were removed.
 * Source: Theoduloz 2010, sec. 5.4.7, step 1; we differ: removed nodes may have covered successors
 * of other nodes, which the printed step loses. */
typedef enum { TP_CUT_BELOW, TP_CUT_WITH_NODE } tp_cut_extent;
size_t tp_reached_cut(tp_reached *r, uint32_t node, tp_cut_extent extent);

/* Replaces the element of a node that is not initial by a smaller one. Requires: the element still
 * covers the successor of the parent. All else that the node covered or that was merged into the
 * node is explored again; the node's descendants stay. */
void tp_reached_strengthen(tp_reached *r, uint32_t node, tp_succ state);

/* Removes an initial element with all its descendants; later cuts do not restore it. */
void tp_reached_remove_initial(tp_reached *r, uint32_t node);

/* The transfer along SUMMARY steps: adds the successors of s, an element of `node`. Without a hook
 * the callee's summary is any state, and its body is analysed from any state. */
typedef struct {
  void (*apply)(void *ctx, uint32_t node, tp_succ s, const tp_step *step, tp_out *out);
  void *ctx;
} tp_summary_hook;
void tp_reached_set_summary(tp_reached *r, tp_summary_hook hook);

void tp_reached_print_dot(const tp_reached *r, tp_str *out);

#endif

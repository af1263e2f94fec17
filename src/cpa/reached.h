/* The reached set, the frontier, and the abstract reachability graph in one.
 *
 * What       nodes with element, precision, parents and covered-by links; index by merge key; the frontier in a chosen order.
 * Represents the pair (reached, frontier) of CPA+, so a run can be interrupted between any two steps, edited,
 *            saved in memory and resumed.
 * Invariants a node is in the frontier iff `waiting`; nodes that merge replaced stay as nodes with the new element. Node 0 is unused.
 * Source     Theoduloz 2010, sec. 3.2.3, 4.3.2, 5.4.1. */
#ifndef TP_CPA_REACHED_H
#define TP_CPA_REACHED_H

#include "cpa/cpa.h"

typedef enum { TP_WAIT_DFS, TP_WAIT_BFS, TP_WAIT_REVERSE_POSTORDER, TP_WAIT_CALLSTACK } tp_wait_order;
const char *tp_wait_order_name(tp_wait_order o);               // "dfs", "bfs", "reverse-postorder", "callstack"
bool tp_wait_order_parse(const char *name, tp_wait_order *out);

typedef struct {
  tp_succ state;
  uint64_t key;                              // merge key
  uint32_t parent;                           // node it was first reached from, 0: initial
  tp_step step;                              // from the parent
  tp_loc loc;                                // hint of the location, NONE: any
  tp_context context;
  bool waiting;
  bool removed;                              // no part of the reached set any more: descending steps took it out
} tp_node;

typedef struct {
  uint32_t from;                             // node whose successor along `step` was covered
  uint32_t by;                               // a node that covers it (alone or together with others)
  tp_step step;
} tp_cover;

typedef struct tp_reached tp_reached;
tp_reached *tp_reached_new(tp_cpa *cpa, tp_wait_order order);
void tp_reached_free(tp_reached *r);
/* Adds an initial element to reached and frontier. */
uint32_t tp_reached_start(tp_reached *r, tp_succ initial);
size_t tp_reached_n(const tp_reached *r);                      // nodes are 1 .. n
const tp_node *tp_reached_node(const tp_reached *r, uint32_t node);
size_t tp_reached_waiting(const tp_reached *r);
const tp_cover *tp_reached_covers(const tp_reached *r, size_t *n);
/* The path to a node by parents: steps in order; arena owned. */
tp_step *tp_reached_path(const tp_reached *r, uint32_t node, tp_arena *arena, size_t *n);
/* Editing between runs, for outer loops. `again` puts a node back into the frontier. `edit` gives it another element and
 * precision and puts it back; what the old element covered must stay covered or be reached again: the caller's promise. */
void tp_reached_again(tp_reached *r, uint32_t node);
void tp_reached_edit(tp_reached *r, uint32_t node, tp_succ state);
/* How SUMMARY steps go on: adds the successors of s, an element of `node`. Without a hook the callee gives any state, and is
 * itself analysed from any state. */
typedef struct {
  void (*take)(void *ctx, uint32_t node, tp_succ s, const tp_step *step, tp_out *out);
  void *ctx;
} tp_summary_hook;
void tp_reached_set_summary(tp_reached *r, tp_summary_hook hook);

void tp_reached_print_dot(const tp_reached *r, tp_str *out);

#endif

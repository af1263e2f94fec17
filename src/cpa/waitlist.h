/* The order of the waitlist: which waiting node is expanded next.
 *
 * What       a priority queue of nodes by location and call string. dfs: newest first; bfs: oldest
 * first. reverse-postorder: first in the program with all calls inlined, the locations of a loop
 * contiguous (their exits come after their bodies). callstack: deeper call strings first, then as
 * reverse-postorder. Ties: oldest first. Law        the order is total and depends on locations,
 * call strings and tickets (the order of arrival) only: runs are deterministic. Ownership  borrows
 * program and contexts. */
#ifndef TP_CPA_WAITLIST_H
#define TP_CPA_WAITLIST_H

#include "cpa/reached.h"

typedef struct {
  uint32_t node;
  tp_loc loc;
  tp_context context;
  uint64_t ticket;  // from 1, in order of arrival
} tp_wait;

typedef struct {
  tp_wait_order order;
  const tp_program *p;
  const tp_contexts *contexts;
  uint32_t *rank;  // by location: position in its function's weak topological order
  TP_VEC(tp_wait) heap;
  uint64_t n_tickets;
} tp_waitlist;
void tp_waitlist_init(tp_waitlist *w, tp_wait_order order, const tp_program *p,
                      const tp_contexts *contexts);
void tp_waitlist_clear(tp_waitlist *w);
/* ticket 0: a new one; else that of an entry that was popped, which returns to its old position.
 * Returns the ticket. */
uint64_t tp_waitlist_push(tp_waitlist *w, uint32_t node, tp_loc loc, tp_context context,
                          uint64_t ticket);
bool tp_waitlist_check(const tp_waitlist *w);  // the order of the heap; tickets are issued ones
bool tp_waitlist_pop(tp_waitlist *w, tp_wait *out);  // false: empty

#endif

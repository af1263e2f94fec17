/* Which place is next: paths between cutpoints meet before they go on.
 *
 * What       moments of a segment's walk that wait at a place, in an order in which all that leads
 *            to a place comes before it.
 * Represents a place is (context, location) together with how often the path arrived at a counted
 *            cutpoint; places are ordered by the reverse postorder of the location in its function
 *            without the edges into such cutpoints, behind the order of the calls below it. Two
 *            places are compared from the top of the stack down to the first frame that both share.
 * Law        the order is a matter of cost alone: paths that come too late go on on their own. A
 *            move that does not lead to a greater place is counted as a turn; a cycle without a
 *            cutpoint takes some such move to the same place again and again.
 * Cost       of a comparison: the calls that the two places do not share. */
#ifndef TP_CERTIFY_SYMBOLIC_WORKLIST_H
#define TP_CERTIFY_SYMBOLIC_WORKLIST_H

#include "certify/inductive/inductive_cert.h"
#include "certify/bounded/order.h"
#include "certify/symbolic/store_history.h"

/* A frame of an unrolled program: the visit where it stands, under its caller's. */
typedef struct tp_chk_frame {
  const struct tp_chk_frame *caller;  // NULL: main
  uint32_t depth;                     // callers
  uint32_t context;
  uint64_t way;  // at its call (bounded/ways.h)
  tp_chk_visit at;
} tp_chk_frame;

/* The place of a state in a program that is not unrolled. */
typedef struct {
  bool is_located;
  uint32_t arrivals, n_back_moves;
  uint32_t context, position;  // of the location, in the order of its context
} tp_chk_place;

/* Where a path is and what it needs to be gone on with. */
typedef struct {
  uint32_t context;
  tp_loc loc;
  const tp_chk_frame *frame;  // of an unrolled program; NULL: not unrolled
  tp_edge edge;               // the edge to take; NONE: something arrives at loc
  tp_func callee;             // of a call through a pointer: this candidate
  uint32_t memory, ghosts;    // logs
  tp_chk_epoch age;
  tp_term heap;           // ghost: number of live heap objects
  tp_term lost;           // ghost; NONE: not known
  uint32_t changes;       // values and facts: a node of the segment's tree of changes
  uint32_t arrivals;      // at counted cutpoints, since the start
  uint32_t n_back_moves;  // moves against the order since the last arrival
  uint32_t back_moves;    // to where: a list of the segment's; 0: empty
  tp_chk_place place;     // where it waited last
  uint64_t way;           // states with different ones do not meet there
} tp_chk_state;
typedef TP_VEC(tp_chk_state) tp_chk_states;

typedef struct {
  const tp_program *p;
  const tp_chk_cert *e;
  tp_map positions;     // context << 32 | location -> place in its order, from 1
  bool *has_positions;  // by context
  bool passes_cutpoints;
  TP_VEC(uint32_t) depths;    // by context: calls above it
  uint32_t *first_cutpoint;   // by context, 0: none
  uint32_t *next_cutpoint;    // by cutpoint: the next one of its context, 0: none
  const tp_chk_order *order;  // of an unrolled program
  tp_chk_states waiting;      // greatest place first
} tp_chk_worklist;
void tp_chk_worklist_init(tp_chk_worklist *a, const tp_program *p, const tp_chk_cert *e);
void tp_chk_worklist_clear(tp_chk_worklist *a);
void tp_chk_worklist_restart(tp_chk_worklist *a);

/* Paths go on behind cutpoints that do not count (true), or end at all of them. */
void tp_chk_worklist_pass_cutpoints(tp_chk_worklist *a, bool passes);

/* Notes the place where m is. */
void tp_chk_worklist_locate(tp_chk_worklist *a, tp_chk_state *m);
/* < 0, 0, > 0: m's place comes before, is, comes after that of n; of one place the smaller way. */
int tp_chk_worklist_compare(tp_chk_worklist *a, const tp_chk_state *m, const tp_chk_state *n);
/* m waits where it is located. */
void tp_chk_worklist_add(tp_chk_worklist *a, tp_chk_state m);
/* All that waits at the first place on one way, in order of arrival; false: nothing waits. */
bool tp_chk_worklist_next(tp_chk_worklist *a, tp_chk_states *out);

#endif

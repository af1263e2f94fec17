/* Which place is next: ways between labels meet before they go on.
 *
 * What       moments of a segment's walk that wait at a place, in an order in which all that leads
 *            to a place comes before it.
 * Represents a place is (context, location) together with how often the way arrived at a counted
 * label; its key is the reverse postorder
 *            of the location in its function without the edges into such labels, behind the keys of
 *            the calls below it.
 * Law        the order is a matter of cost alone: ways that come too late go on on their own. A
 *            move that does not lead to a greater key is counted as a turn; a cycle without a label
 *            takes some such move to the same place again and again.
 * Ownership  keys live until the next restart. */
#ifndef TP_CERTIFY_INDUCTIVE_AGENDA_H
#define TP_CERTIFY_INDUCTIVE_AGENDA_H

#include "certify/inductive/entries.h"
#include "certify/symbolic/past.h"

/* Where a way is and what it needs to be gone on with. */
typedef struct {
  uint32_t context;
  tp_loc loc;
  tp_edge edge;             // the edge to take; NONE: something arrives at loc
  tp_func callee;           // of a call through a pointer: this candidate
  uint32_t memory, ghosts;  // logs
  tp_cage age;
  tp_term heap;         // ghost: number of live heap objects
  tp_term lost;         // ghost; NONE: not known
  uint32_t changes;     // values and facts: a node of the segment's tree of changes
  uint32_t arrivals;    // at counted labels, since the start
  uint32_t turns;       // moves against the order since the last arrival
  uint32_t turned;      // to where: a list of the segment's; 0: empty
  const uint32_t *key;  // of the place where it waited last; NULL: none
  uint32_t n_key;
} tp_cmoment;
typedef TP_VEC(tp_cmoment) tp_cmoments;

typedef struct {
  const tp_program *p;
  const tp_entries *e;
  tp_map positions;     // context << 32 | location -> place in its order, from 1
  bool *has_positions;  // by context
  bool passes_labels;
  tp_arena keys;
  tp_cmoments waiting;  // greatest key first
} tp_cagenda;
void tp_cagenda_init(tp_cagenda *a, const tp_program *p, const tp_entries *e);
void tp_cagenda_clear(tp_cagenda *a);
void tp_cagenda_restart(tp_cagenda *a);

/* Ways go on behind labels that do not count (true), or end at all of them. */
void tp_cagenda_pass_labels(tp_cagenda *a, bool passes);

/* Makes the key of the place where m is. */
void tp_cagenda_locate(tp_cagenda *a, tp_cmoment *m);
/* < 0, 0, > 0: m's place comes before, is, comes after that of n. */
int tp_cagenda_compare(const tp_cmoment *m, const tp_cmoment *n);
/* m waits where it is located. */
void tp_cagenda_add(tp_cagenda *a, tp_cmoment m);
/* All that waits at the first place, in order of arrival; false: nothing waits. */
bool tp_cagenda_next(tp_cagenda *a, tp_cmoments *out);

#endif

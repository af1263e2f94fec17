/* The body of a reached set, for the algorithm and for operations on reached sets. */
#ifndef TP_CPA_REACHED_PRIV_H
#define TP_CPA_REACHED_PRIV_H

#include "cpa/algorithm.h"
#include "cpa/steps.h"
#include "cpa/waitlist.h"

/* The nodes of one merge key, oldest first: the candidates of merge and stop. */
typedef struct {
  TP_VEC(tp_succ) states;
  TP_VEC(uint32_t) nodes;  // in parallel
} tp_bucket;

/* An initial element: the state of its node before any merge. */
typedef struct {
  uint32_t node;
  tp_succ state;
} tp_initial_node;

struct tp_reached {
  tp_cpa *cpa;
  tp_steps *steps;
  tp_waitlist wait;
  size_t n_waiting;
  uint32_t n_looks;           // times that tp_reached_look was called
  TP_VEC(tp_node) nodes;      // [0] unused
  TP_VEC(uint64_t) tickets;   // by node: of its entry in the waitlist
  TP_VEC(tp_bucket) buckets;  // [0] unused
  tp_map bucket_of;           // merge key -> index of its bucket
  TP_VEC(tp_cover) covers;
  tp_map cover_of;  // hash of (node, step, successor) -> index of its cover + 1
  TP_VEC(tp_merge_link) merges;
  tp_map merge_of;  // hash of (from, step, into) -> index + 1
  TP_VEC(tp_initial_node) initials;
  tp_summary_hook summary;
  // scratch of the algorithm
  tp_out out;
  tp_step_list steps_out;
};

uint32_t tp_reached_add(tp_reached *r, tp_succ state, uint32_t parent, tp_step step);
/* Replaces the node's element; the merge key may change. */
void tp_reached_replace(tp_reached *r, uint32_t node, tp_succ state);
/* Removes a node that is not waiting from its bucket; restore appends the node to its bucket. */
void tp_reached_remove(tp_reached *r, uint32_t node);
void tp_reached_restore(tp_reached *r, uint32_t node);
/* Removes the first node from the waitlist. 0: the waitlist is empty. */
uint32_t tp_reached_pop(tp_reached *r);
/* Puts a popped node back at its old position. */
void tp_reached_undo_pop(tp_reached *r, uint32_t node);
/* The invariants of the data structure: buckets partition the nodes that are not removed, by key
 * and with their states; the waitlist has each waiting node; links lead to nodes; parents are older
 * than their children. Linear. */
bool tp_reached_is_linked(const tp_reached *r);
/* In check builds: asserts that, of more than CHECKED_NODES nodes the first, second, fourth ...
 * time, then each LOOK_EACH-th: runs and cuts of a few steps come by the thousand. */
void tp_reached_look(tp_reached *r);
/* Index into buckets; 0: no node has had this key. */
size_t tp_reached_bucket(const tp_reached *r, uint64_t key);
typedef enum { TP_COVER_BY_ONE, TP_COVER_BY_SEVERAL } tp_cover_kind;
void tp_reached_cover(tp_reached *r, uint32_t from, tp_step step, uint32_t successor, uint32_t by,
                      tp_cover_kind kind);
void tp_reached_merge(tp_reached *r, uint32_t from, tp_step step, uint32_t into);
/* Removes the links from and to removed nodes. */
void tp_reached_remove_stale_links(tp_reached *r);
/* Removes the node from the waitlist, if it is there. */
void tp_reached_unqueue(tp_reached *r, uint32_t node);

#endif

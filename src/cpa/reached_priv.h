/* The inside of a reached set, for the algorithm. */
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

/* An initial element: what its node has before anything is merged into it. */
typedef struct {
  uint32_t node;
  tp_succ state;
} tp_start;

struct tp_reached {
  tp_cpa *cpa;
  tp_steps *steps;
  tp_waitlist wait;
  size_t n_waiting;
  uint32_t n_looks;           // times that tp_reached_look was called
  TP_VEC(tp_node) nodes;      // [0] unused
  TP_VEC(uint64_t) tickets;   // by node: the one it waits with
  TP_VEC(tp_bucket) buckets;  // [0] unused
  tp_map bucket_of;           // merge key -> index of its bucket
  TP_VEC(tp_cover) covers;
  tp_map cover_of;  // hash of (node, step, which successor) -> index of its cover + 1
  TP_VEC(tp_merge_link) merges;
  tp_map merge_of;  // hash of (from, step, into) -> index + 1
  TP_VEC(tp_start) starts;
  tp_summary_hook summary;
  // scratch of the algorithm
  tp_out out;
  tp_step_list steps_out;
};

uint32_t tp_reached_add(tp_reached *r, tp_succ state, uint32_t parent, tp_step step);
/* The node's element becomes another one with the same or another merge key. */
void tp_reached_replace(tp_reached *r, uint32_t node, tp_succ state);
/* A node that nothing leads to any more leaves its bucket; and back, at the end of it. */
void tp_reached_remove(tp_reached *r, uint32_t node);
void tp_reached_restore(tp_reached *r, uint32_t node);
/* Takes a node out of the frontier; it is not in the frontier any more. 0: the frontier is empty.
 */
uint32_t tp_reached_take(tp_reached *r);
/* Back to where it was taken from. */
void tp_reached_put_back(tp_reached *r, uint32_t node);
/* Do buckets, frontier and nodes fit each other: a node that is not removed stands in the bucket of
 * its key with its state, and waiting nodes are counted. Linear; for assertions. */
bool tp_reached_is_linked(const tp_reached *r);
/* In check builds: asserts that, the first, second, fourth ... time, then each 32nd: runs and cuts
 * of a few steps come by the thousand. */
void tp_reached_look(tp_reached *r);
/* May be empty, never moves the view of another key. Index into buckets; 0: none. */
size_t tp_reached_bucket(const tp_reached *r, uint64_t key);
typedef enum { TP_COVER_ALONE, TP_COVER_TOGETHER } tp_cover_kind;
void tp_reached_cover(tp_reached *r, uint32_t from, tp_step step, uint32_t which, uint32_t by,
                      tp_cover_kind kind);
void tp_reached_merge(tp_reached *r, uint32_t from, tp_step step, uint32_t into);
/* Links from and to removed nodes go. */
void tp_reached_drop_links(tp_reached *r);
/* Out of the frontier, wherever it stands there. */
void tp_reached_withdraw(tp_reached *r, uint32_t node);

#endif

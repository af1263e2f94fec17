/* What the files of the partition share: cells by node, distances from the start, the solver. */
#ifndef TP_SEARCH_PARTITION_PRIV_H
#define TP_SEARCH_PARTITION_PRIV_H

#include "search/partition.h"

#define TP_UNREACHED UINT32_MAX

/* A cell among its neighbours. */
typedef struct {
  uint32_t level;                           // steps on a shortest path from the start; TP_UNREACHED
  uint32_t before;                          // the cell before it on such a path; 0: none
  bool is_affected;                         // while distances are brought up to date
  TP_VEC(uint32_t) closed_to, closed_from;  // cells; some were split since
} tp_cell_links;

typedef TP_VEC(uint32_t) tp_cell_list;

struct tp_partition_distances {
  TP_VEC(tp_cell_links) links;  // by cell
  tp_cell_list *leaves;         // by node
  uint32_t *first_in, *in;  // blocks by target: in[first_in[node]] .. in[first_in[node + 1] - 1]
  tp_cell_list stale;       // leaves whose last step on a shortest path was closed
  TP_VEC(uint64_t) heap;    // level << 32 | cell, smallest first
};

// partition_distances.c
void tp_partition_distances_new(tp_partition *pt);
void tp_partition_distances_free(tp_partition *pt);
void tp_partition_distances_add_root(tp_partition *pt, uint32_t cell);
void tp_partition_distances_split(tp_partition *pt, uint32_t cell);  // behind the split
void tp_partition_distances_close(tp_partition *pt, uint32_t from, uint32_t to);
/* Are leaves listed by their nodes, closed steps known at both ends, and distances shortest? Linear
 * in the steps between leaves; for assertions. */
bool tp_partition_distances_check(const tp_partition *pt);
/* Brings the distances up to date. */
void tp_partition_distances_update(tp_partition *pt);

// partition_query.c
void tp_partition_solver_new(tp_partition *pt);
void tp_partition_solver_free(tp_partition *pt);

static inline uint64_t tp_step_key(uint32_t from, uint32_t to) { return (uint64_t)from << 32 | to; }

#endif

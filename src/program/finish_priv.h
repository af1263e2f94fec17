/* Steps of tp_program_finish, in the order in which they run.
 *
 * What       adjacency and reachability (finish.c), loops and cutpoints (loops.c), recursion
 *            (callgraph.c). Each step reads the results of the earlier ones.
 * Ownership  results live in the program; a search tree lives in the scratch arena of one finish.
 */
#ifndef TP_PROGRAM_FINISH_PRIV_H
#define TP_PROGRAM_FINISH_PRIV_H

#include "program/program.h"

/* The tree of one depth-first search through all functions' locations. Numbers start at 1 and are
 * given in preorder; a subtree is the interval number .. last. 0: not reached. */
typedef struct {
  uint32_t *number;  // of a location
  uint32_t *last;    // largest number in the location's subtree
  tp_loc *at;        // location with a number; [0] unused
  uint32_t n;        // locations reached
} tp_dfs_tree;

static inline bool tp_dfs_is_ancestor(const tp_dfs_tree *w, tp_loc a, tp_loc b) {
  return w->number[a.id] <= w->number[b.id] && w->number[b.id] <= w->last[a.id];
}

/* requires: adjacency and search tree. provides: loops, is_loop_head, loop. */
void tp_program_find_loops(tp_program *p, const tp_dfs_tree *w, tp_arena *scratch);
/* requires: loops. provides: is_cutpoint. */
void tp_program_choose_cutpoints(tp_program *p, const tp_dfs_tree *w, tp_arena *scratch);
/* requires: unreachable edges unlinked. provides: is_recursive, by function, zeroed before. */
void tp_program_find_recursion(const tp_program *p, bool *is_recursive, tp_arena *scratch);

/* cells.c: the symbols of memory cells. */
void tp_program_add_memories(tp_program *p);

/* By term id: does it occur in a linked edge or an initial value, subterms included? (callgraph.c)
 */
bool *tp_program_used_terms(const tp_program *p, tp_arena *scratch);

#endif

/* What the files of path formulas share: keys of values, inputs, memory operations.
 *
 * What       a path's values are one persistent map: variables by their numbers, then the memories,
 *            the counter of objects, and how often each source of inputs was used. */
#ifndef TP_FORMULA_PATH_PRIV_H
#define TP_FORMULA_PATH_PRIV_H

#include "formula/path.h"
#include "program/cells.h"

/* A local that was not written since its function was entered: an input when it is read. */
enum { TP_PATH_UNDEFINED = INT32_MAX };

static inline uint64_t tp_path_key_memory(const tp_paths *x, size_t i) { return x->p->vars.n + i; }
static inline uint64_t tp_path_key_next(const tp_paths *x) { return x->p->vars.n + TP_N_MEMORIES; }
/* How many inputs an edge drew; for an undefined variable the source is edges.n + its number. */
static inline uint64_t tp_path_key_count(const tp_paths *x, uint64_t source) {
  return x->p->vars.n + TP_N_MEMORIES + 1 + source;
}

/* The next input of an edge (or other source) on this path. */
tp_term tp_path_input(tp_paths *x, tp_path *a, uint64_t source, const char *name, tp_sort sort);
/* An input that becomes a value of this sort: pointers are integers that became pointers. */
tp_term tp_path_input_value(tp_paths *x, tp_path *a, tp_edge e, tp_sort sort);
/* A value that nothing is known of, such as what a callee left in a variable: a pointer may lead to
 * any object. */
tp_term tp_path_any_value(tp_paths *x, tp_path *a, tp_edge e, tp_sort sort);
/* A term of an edge in the state behind the path; undefined variables become inputs, once. */
tp_term tp_path_eval(tp_paths *x, tp_path *a, tp_term t);
void tp_path_set(tp_path *a, uint64_t key, tp_term value);
tp_term tp_path_get_key(tp_paths *x, const tp_path *a, uint64_t key);  // memories, next

// path_memory.c
void tp_path_memory_edge(tp_paths *x, tp_path *a, tp_edge id, const tp_edge_info *e);
void tp_path_havoc_memory(tp_paths *x, tp_path *a, uint64_t source);
void tp_paths_find_sorts(tp_paths *x);

// path_lost.c
void tp_path_set_lost(tp_paths *x, tp_path *a, tp_term is_lost);  // unless nothing is on the heap
/* Whether some heap object is lost: an edge that makes an object, or changes a pointer in memory or
 * in a variable, may decide it. */
void tp_path_havoc_leaked(tp_paths *x, tp_path *a, tp_edge e);
/* Before an assumption about it: what variables say of it. */
void tp_path_ask_lost(tp_paths *x, tp_path *a, const tp_edge_info *e);
// path_aligned.c, after that
void tp_paths_find_crossing(tp_paths *x);
bool tp_paths_may_cross(const tp_paths *x, uint32_t region, size_t sort);

// path_facts.c
/* t with reads of statics' sizes, and of statics before main, replaced by what they are. */
tp_term tp_paths_fold_statics(tp_paths *x, tp_term t);

#endif

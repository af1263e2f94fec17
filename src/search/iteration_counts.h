/* How often loops turn and functions are active, counted in concrete runs: what a certificate of a
 * completed unrolling says.
 *
 * What       runs the program with given inputs and keeps the largest counts over all runs.
 * Represents turns as doc/certificates.md defines them, for the heads of the weak topological
 *            order. The last edge of a run that ends in the middle of one counts: never too few.
 * Ownership  tp_iteration_counts_clear frees the tables. */
#ifndef TP_SEARCH_ITERATION_COUNTS_H
#define TP_SEARCH_ITERATION_COUNTS_H

#include "engine/unrolling.h"
#include "exec/exec.h"
#include "formula/wto.h"

typedef struct {
  const tp_program *p;
  TP_VEC(tp_wto *) orders;               // by function
  TP_VEC(uint64_t) active, most_active;  // by function
  TP_VEC(uint32_t) arrivals;             // by edge: what it does to the count of a head
  tp_map most;                           // head -> turns
  TP_VEC(tp_func) frames;                // of the run
  TP_VEC(uint64_t) counts;               // of the frames' heads, one after the other
} tp_iteration_counts;
void tp_iteration_counts_init(tp_iteration_counts *t, const tp_program *p);
void tp_iteration_counts_clear(tp_iteration_counts *t);
/* start: a state at main's entry. After the vector: zeros. */
tp_run_result tp_iteration_counts_run(tp_iteration_counts *t, const tp_state *start,
                                      const tp_inputs *inputs, tp_run_limits limits);
/* Loops of all functions with a body; depths of those that were active more than once. */
void tp_iteration_counts_describe(const tp_iteration_counts *t, tp_unrolling *out);

#endif

/* Two runs of bench side by side.
 *
 * What       which tasks are newly wrong, lost, gained, faster, slower; CPU time of tasks that both
 *            decided, in all and by class (the folder of the task). */
#ifndef TP_APP_BENCH_COMPARE_H
#define TP_APP_BENCH_COMPARE_H

#include "app/bench/run_store.h"

typedef struct {
  size_t n_common, n_only_a, n_only_b;
  size_t n_new_wrong, n_lost, n_gained, n_faster, n_slower;
  double cpu_a, cpu_b;  // of tasks that both decided in the same way
  double worst_ratio;   // cpu_b / cpu_a of the class that got slower most, of classes that matter
} tp_bench_comparison;

/* Compares the labels and appends the report. */
tp_bench_comparison tp_bench_compare(tp_bench_store *a, const char *label_a, tp_bench_store *b,
                                     const char *label_b, tp_str *out);

#endif

/* Verification tasks as SV-COMP defines them: a .yml file names sources, properties, expected
 * verdicts. */
#ifndef TP_APP_BENCH_TASK_H
#define TP_APP_BENCH_TASK_H

#include "program/program.h"

typedef enum { TP_EXPECT_TRUE, TP_EXPECT_FALSE, TP_EXPECT_NOTHING } tp_expected;

/* One task with one of its properties. Texts are in the arena of the list. */
typedef struct {
  const char *yml;
  const char *property;  // path of the .prp file
  const char *const *files;
  size_t n_files;
  const char *machine;  // "lp64", "ilp32"
  tp_expected expected;
  const char *subproperty;  // expected violated part, or NULL
} tp_bench_task;

typedef struct {
  TP_VEC(tp_bench_task) v;
  tp_arena arena;
} tp_bench_tasks;

/* path: a .yml file, a directory (all .yml below it, by name), or a file that lists paths or
 * patterns of .yml files, one per line, relative to itself. On failure `why` says what is wrong;
 * what was read stays. */
tp_status tp_bench_tasks_read(tp_bench_tasks *tasks, const char *path, tp_str *why) TP_MUST_USE;
void tp_bench_tasks_clear(tp_bench_tasks *tasks);

#endif

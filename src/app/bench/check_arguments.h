/* The command line of `check` for a task of bench.
 *
 * Ownership  texts live in the arena. */
#ifndef TP_APP_BENCH_CHECK_ARGUMENTS_H
#define TP_APP_BENCH_CHECK_ARGUMENTS_H

#include "app/bench/task.h"
#include "app/options.h"

/* What is the same for all tasks: "--engine=auto --timelimit=60 ...", without and with quotes for
 * people. */
const char *tp_bench_options_text(const tp_options *o, tp_arena *arena);
/* All of it, ended by NULL. is_json: the tool knows --format. */
const char *const *tp_bench_arguments(const tp_options *o, const tp_bench_task *task, bool is_json,
                                      tp_arena *arena);
/* CPU seconds that a task may use: --timelimit, or the default. */
double tp_bench_cpu_s(const tp_options *o);

#endif

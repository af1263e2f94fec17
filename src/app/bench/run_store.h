/* Runs of bench in an SQLite file: one row for each task and property.
 *
 * What       the table `runs` (doc/bench.md); rows are added one by one, each in a transaction of
 * its own, so that a run which is killed goes on where it was. Represents a run is a label with one
 * tool and one set of options. Ownership  a row's texts are borrowed: by `add` during the call,
 * from `find` and `compare` until the next call. Errors     false with the reason in `why`. */
#ifndef TP_APP_BENCH_RUN_STORE_H
#define TP_APP_BENCH_RUN_STORE_H

#include "base/base.h"

typedef struct {
  const char *task, *property;  // path of the definition, name of the property
  const char *inputs;           // hash of the definition, its sources and its property
  const char *verdict;          // "true", "false(valid-deref)", "unknown", "bounded(unroll=8)"
  const char *expected;         // "true", "false", "false(valid-deref)", ""
  const char *grade;            // "right", "wrong", "unknown", "unchecked"
  const char *reason;           // unknown: why
  const char *end;              // "ended", or the limit that ended it (bench/contain.h)
  double cpu_s, wall_s, memory_mb;
  const char *statistics;   // JSON, "" without
  const char *certificate;  // hash, "" without
} tp_bench_row;

typedef struct tp_bench_store tp_bench_store;
/* Opens or makes the file. NULL: it cannot be used. */
tp_bench_store *tp_bench_store_open(const char *path, tp_str *why);
void tp_bench_store_close(tp_bench_store *s);
/* The run to add to. False: the label has rows of another tool or of other options. */
bool tp_bench_store_begin(tp_bench_store *s, const char *label, const char *tool,
                          const char *options, tp_str *why);
/* The row of this run for the task, if it is about the same inputs. */
bool tp_bench_store_find(tp_bench_store *s, const char *task, const char *property,
                         const char *inputs, tp_bench_row *out);
/* Adds a row to the run, in place of one about other inputs. */
bool tp_bench_store_add(tp_bench_store *s, const tp_bench_row *row, tp_str *why);

/* The label that was added to last; "" in an empty file. Lives until the store is closed. */
const char *tp_bench_store_last_label(tp_bench_store *s);
/* Calls `visit` for each row of the label, by task and property. */
void tp_bench_store_each(tp_bench_store *s, const char *label,
                         void (*visit)(void *ctx, const tp_bench_row *row), void *ctx);

#endif

/* What the tool answered to a task: from its JSON, or from the last line of its text.
 *
 * Ownership  texts live in the arena. */
#ifndef TP_APP_BENCH_ANSWER_H
#define TP_APP_BENCH_ANSWER_H

#include "app/bench/contain.h"
#include "app/bench/run_store.h"
#include "app/bench/task.h"

typedef enum {
  TP_GRADE_RIGHT,
  TP_GRADE_WRONG,
  TP_GRADE_UNKNOWN,
  TP_GRADE_UNCHECKED,  // decided, and nobody says what is right
  TP_N_GRADES
} tp_grade;
extern const char *const tp_grade_names[TP_N_GRADES];

/* The row of the store for what became of the task; task, property and inputs are set by the
 * caller. */
tp_grade tp_bench_answer(const tp_bench_task *task, const tp_contained *c, tp_arena *arena,
                         tp_bench_row *out);

/* "true", "false(valid-deref)"; "" where the definition expects nothing. */
const char *tp_bench_expected_text(const tp_bench_task *t, tp_arena *arena);

#endif

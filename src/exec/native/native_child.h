/* Machine code in a process of its own.
 *
 * What       a forked child compiles the program, closes itself into the sandbox (base/sandbox.h),
 *            and then serves one stay after the other: receives a state, runs code from the state
 *            (tp_native_burst), and sends the final state.
 * Represents hints: the parent checks that an answer is a state of the program, not that it is the
 *            right one. Runs that a verdict rests on are repeated by the interpreter.
 * Law        a child that crashes, hangs, grows too large or sends malformed records costs the
 *            stay: the state is unchanged, the child is replaced at the next stay. After several
 *            lost children, or if the program cannot be compiled, there are no further stays.
 * Limits     steps bound a stay; CPU time in proportion to the steps is the safety net. Resident
 * memory is bounded. The child's CPU time is charged to tp_cpu_s(). Ownership  the caller frees it;
 * the program and the layout of visits are borrowed. */
#ifndef TP_EXEC_NATIVE_NATIVE_CHILD_H
#define TP_EXEC_NATIVE_NATIVE_CHILD_H

#include "exec/native/native.h"

typedef struct tp_child tp_child;
/* Nothing is started before the first stay. Countdowns of all stays lie in blocks like those of
 * `like`. */
tp_child *tp_child_new(const tp_program *p, const tp_visits *like);
void tp_child_free(tp_child *c);

typedef enum {
  TP_BURST_DONE,      // s, v, steps, last, code are as tp_native_burst leaves them
  TP_BURST_NO_ENTRY,  // code cannot be entered at this state; nothing has changed
  TP_BURST_LOST       // the child was lost; nothing has changed
} tp_burst_end;
/* code: decisions are appended; may be NULL. */
tp_burst_end tp_child_burst(tp_child *c, tp_state *s, tp_run_limits limits, tp_visits *v,
                            tp_visit_block root, tp_path_code *code, uint64_t *steps,
                            tp_edge *last);
/* Are there no further stays? */
bool tp_child_has_given_up(const tp_child *c);
/* Children that were lost so far; why the last one was (static until the next stay). */
uint32_t tp_child_n_lost(const tp_child *c);
const char *tp_child_why(const tp_child *c);

/* For tests: the fault at stay number `at` (from 1 on; counted over all children; UINT64_MAX:
 * at each). */
typedef enum {
  TP_CHILD_NONE,
  TP_CHILD_CRASH,
  TP_CHILD_HANG,
  TP_CHILD_NONSENSE,
  TP_CHILD_OTHER_STATE,
  TP_CHILD_GREED,
  TP_CHILD_FORBIDDEN,
  TP_CHILD_EXIT
} tp_child_fault;
void tp_child_inject(tp_child *c, tp_child_fault fault, uint64_t at);
/* Limit of resident memory of later children, beyond that of this process at the fork. */
void tp_child_limit(tp_child *c, uint64_t bytes);

#endif

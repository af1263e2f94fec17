/* Are these tests enough, for heaps? Proofs from tests, with fabricated heaps.
 *
 * What       runs the tests and abstracts the heap at every place by canonical abstraction; asks
 *            the shape analysis whether one step from any heap that the abstract states represent
 *            stays inside of them; where not, fabricates a heap just outside, in a state of the
 *            machine, and runs on from there. What is closed in the end contains every run: without
 *            an error in it that is a proof.
 * Represents abstract states: adequacy/heap_abstraction.h. One is covered if another one at the
 *            same place with the same calls represents all of its heaps.
 * Law        the final set is closed under the steps of the shape analysis, whichever heaps are
 *            fabricated. A state that no heap could be fabricated of is added all the same
 *            (abstract_steps), so nothing is lost.
 * Differs    the source's prototype runs the abstract engine without abstraction; here the machine
 *            runs the program. A fabricated heap is one of the abstract state behind the step; that
 *            the step leads to that heap is not asked.
 * Source     Yorsh, Ball, Sagiv 2006, sec. 5 and figure 7. */
#ifndef TP_ADEQUACY_HEAP_ADEQUACY_H
#define TP_ADEQUACY_HEAP_ADEQUACY_H

#include "adequacy/adequacy.h"

/* Rows of the statistics; all are counts. */
#define TP_HEAP_ADEQUACY_COUNTERS(C) \
  C(abstract_states)                 \
  C(abstract_states_from_tests)      \
  C(abstract_states_missed)          \
  C(fabricated_states)               \
  C(abstract_steps)                  \
  C(longest_list)                    \
  C(rounds)                          \
  C(runs)                            \
  C(steps)                           \
  C(visits)                          \
  C(cutpoints)                       \
  C(elements)                        \
  C(models)
typedef struct {
#define TP_C(name) uint64_t name;
  TP_HEAP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
} tp_heap_adequacy_counters;

/* Abstract states of one place; counted where statements start (TP_CUTPOINTS_ALL, unless the
 * question names fewer cutpoints). */
typedef struct {
  tp_loc loc;
  tp_context context;
  uint32_t n, n_missed;
  const char *example;  // of what was missed: a heap; NULL: none was fabricated
} tp_heap_place;

typedef struct {
  tp_func func;
  uint64_t abstract_states, missed, fabricated;
} tp_heap_function;

typedef struct {
  tp_loc error;
  const char *heap;  // fabricated, from which a run fails; NULL: none
} tp_heap_potential;

typedef struct {
  bool is_closed, is_adequate;
  TP_VEC(tp_heap_place) places;        // in the order of locations
  TP_VEC(tp_heap_function) functions;  // with abstract states, in the order of the program
  TP_VEC(tp_heap_potential) potential;
  uint32_t failing_test;  // test of the user that violates the property + 1; 0: none
  tp_heap_adequacy_counters counters;
  tp_arena arena;
} tp_heap_adequacy_report;
void tp_heap_adequacy_report_init(tp_heap_adequacy_report *r);
void tp_heap_adequacy_report_clear(tp_heap_adequacy_report *r);

/* Answers both questions: of q task, tests (by inputs), and cutpoints are used. out, report:
 * initialised. FALSE comes from a run of the program only. */
void tp_heap_adequacy_run(const tp_adequacy_question *q, const tp_budget *budget, tp_stats *stats,
                          tp_result *out, tp_heap_adequacy_report *report);

#endif

/* Are these tests enough? Proofs from tests, with fabricated states.
 *
 * What       runs the tests and abstracts the states at cutpoints as they pass; asks whether one
 *            segment of the program from any state that the abstract states represent stays inside
 *            of them; where not, makes a concrete state just outside and runs on from there. What
 *            is closed in the end contains every run: together with safety that is a proof.
 * Represents two answers. For the tests: which abstract states the proof needs that no test was in
 *            (before anything is fabricated). For the property: TRUE with a certificate of kind
 *            `invariants`; FALSE with inputs, confirmed as everywhere; or UNKNOWN, with the
 *            potential errors of the closed set.
 * Law        the final set of abstract states is the least one that is closed under segments of the
 *            program, whichever models the solver gives and wherever runs are cut off. A question
 *            that no solver decides is never read as "closed"; what is done instead adds more
 *            abstract states, never fewer, and is recorded (fallback).
 * Differs    that all initial states are covered is asked, too; models of that question are real
 *            tests. States are fabricated before a segment, inside of what is covered, and the
 *            segment is run: the state behind it is one that the machine can be in.
 * Ownership  reports are made with _init and end with _clear; the program must outlive them.
 * Source     Yorsh, Ball, Sagiv 2006 (Testing, abstraction, theorem proving: better together!). */
#ifndef TP_ADEQUACY_ADEQUACY_H
#define TP_ADEQUACY_ADEQUACY_H

#include "adequacy/coverage.h"
#include "engine/engine.h"
#include "smt/smt.h"

// -------------------------------------------------------------------- questions

/* Where states are abstracted. Each choice contains the ones before it. */
typedef enum {
  TP_CUTPOINTS_LOOPS,  // where the cycles of the program are cut: segments are as long as can be
  TP_CUTPOINTS_CALLS,  // entries and exits of functions, before and behind every call
  TP_CUTPOINTS_ALL     // before every statement: where no intermediate value is pending
} tp_cutpoints;

typedef enum {
  TP_ABSTRACT_PREDICATES,
  TP_ABSTRACT_INTERVALS,
  TP_ABSTRACT_OCTAGONS,
  TP_ABSTRACT_POLYHEDRA
} tp_abstract_domain;

/* Zero is the default of each. */
typedef struct {
  tp_cutpoints cutpoints;
  tp_abstract_domain
      domain;  // other than predicates: probes are not used; values of integer variables instead
  bool only_models;    // nothing is executed beyond the one segment that a model describes: the
                       // method without tests
  bool only_steps;     // no state is fabricated: each open question is answered by an abstract step
  bool steady;         // no stall detection: runs go on until their limit, and none is repeated
  bool stops_at_seen;  // runs end at an abstract state that was seen before
  bool assumes_initial;  // initial states that no test starts in are not asked about: for tests of
                         // the checker of certificates, which then refuses
  bool classifies;  // missed abstract states are told apart: those that runs come to, those that
                    // none does
  bool leaves_potential;  // potential errors are reported, and no run is searched for that fails
  uint32_t models;  // candidates for each open question, the one whose run covers most comes first;
                    // 0: 1, which asks least
  tp_run_limits run_limits;  // of one run; steps 0: 10^6
  tp_smt_options smt;        // of the questions; backend NULL: the task's, else mixed
} tp_adequacy_settings;

/* A test: inputs in the order of asking (zeros when they end), from main's entry or from a whole
 * state. Runs from a whole state count as coverage of the user, but what fails on them is only a
 * potential error. */
typedef struct {
  const tp_inputs *inputs;  // NULL: none
  const tp_state *state;    // NULL: main's entry
} tp_adequacy_test;

typedef struct {
  const tp_task *task;
  TP_VEC(tp_adequacy_test) tests;
  tp_probes probes;
  tp_adequacy_settings settings;
} tp_adequacy_question;

// ---------------------------------------------------------------------- answers

/* The weakest means that was needed, from strongest to weakest. Each is sound; from
 * FALLBACK_CARTESIAN on the set may be larger than the least one. */
typedef enum {
  TP_FALLBACK_NONE,
  TP_FALLBACK_OTHER_SOLVER,  // a question went to another back end, or cube by cube
  TP_FALLBACK_STEP,       // a model that no concrete state could be made of: its abstract state was
                          // added without one
  TP_FALLBACK_CARTESIAN,  // undecided: all vectors that no single predicate excludes were added
  TP_FALLBACK_ALL         // undecided even so: all vectors of the cutpoint were added
} tp_fallback;
const char *tp_fallback_name(tp_fallback f);  // "none", "other-solver", ...

typedef struct {
  uint32_t before;   // abstract state where its segment starts (index into coverage.states)
  uint32_t after;    // the new one
  tp_state *pre;     // the concrete state at `before` that was made of a model
  tp_state *state;   // where the machine came from it, at `after`
  tp_inputs inputs;  // what the segment asked for
} tp_fabricated;

typedef enum { TP_POTENTIAL_SYMBOLIC, TP_POTENTIAL_ON_RUN } tp_potential_kind;
typedef struct {
  tp_potential_kind kind;  // found by the solver; or a run from a fabricated state failed
  tp_loc error;            // error location; open cutpoint if that is one
  uint32_t from;           // last abstract state before it
  tp_state *state;         // a concrete state in `from` that fails next; NULL: none could be made
  tp_inputs inputs;        // what it is told on the way to the error
  bool is_open;            // no error: what happens there is not modelled
} tp_potential_error;

/* Rows of the statistics of one answer; all are counts. */
#define TP_ADEQUACY_COUNTERS(C) \
  C(abstract_states)            \
  C(abstract_states_from_tests) \
  C(abstract_states_missed)     \
  C(fabricated_states)          \
  C(initial_tests_added)        \
  C(tests_drawn)                \
  C(rounds)                     \
  C(adequacy_checks)            \
  C(initiation_checks)          \
  C(safety_checks)              \
  C(segments)                   \
  C(segments_checked_again)     \
  C(runs)                       \
  C(steps)                      \
  C(visits)                     \
  C(stalls)                     \
  C(cutpoints)                  \
  C(predicates)                 \
  C(solver_calls)               \
  C(layout_calls)               \
  C(classification_calls)       \
  C(missed_reachable)           \
  C(missed_unreachable)         \
  C(model_calls)                \
  C(models_rejected)            \
  C(injections_refused)         \
  C(widenings)
typedef struct {
#define TP_C(name) uint64_t name;
  TP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
} tp_adequacy_counters;

typedef struct {
  tp_contexts contexts;  // of the cutpoints
  tp_coverage coverage;
  bool is_closed;           // the set is invariant and contains all initial states
  bool is_adequate;         // closed, and no abstract state was missed by the tests
  TP_VEC(tp_inputs) added;  // real tests: drawn, or found by the initiation check
  TP_VEC(tp_fabricated) fabricated;
  TP_VEC(tp_potential_error) potential;
  TP_VEC(tp_inputs) witnesses;  // inputs of runs that come to missed abstract states
  TP_VEC(tp_term)
  invariants;  // by cutpoint: what is proved there once the set is closed; about addresses, and the
               // abstract states
  uint32_t failing_test;  // test of the user that violates the property + 1; 0: none
  tp_fallback fallback;   // weakest
  tp_adequacy_counters counters;
  tp_arena arena;
} tp_adequacy_report;
void tp_adequacy_report_init(tp_adequacy_report *r, const tp_program *p);
void tp_adequacy_report_clear(tp_adequacy_report *r);

/* Answers both questions. out, report: initialised. The verdict FALSE comes from a run of the
 * program only: a test, an added real test, or a directed search for a potential error within the
 * budget. */
void tp_adequacy_run(const tp_adequacy_question *q, const tp_budget *budget, tp_stats *stats,
                     tp_result *out, tp_adequacy_report *report);

#endif

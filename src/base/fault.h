/* Faults on purpose: the n-th event of a kind fails, in check builds only.
 *
 * What       events are counted where they happen (an allocation, an answer of a solver, a phase
 *            that begins, a program that is started); a fault names the event, which one of them,
 *            and what goes wrong. Campaigns (test/faults) run every n.
 * Represents counters and faults lie in one page that all forked processes share, so that the n-th
 * event is the n-th of the run.
 * Phases     each process is in one phase ("load", "bmc", "certificate check"); a fault may be
 *            limited to a phase.
 * Cost       nothing in a release build; one comparison per event in a check build without faults.
 */
#ifndef TP_BASE_FAULT_H
#define TP_BASE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* name: as in the text of a fault */
#define TP_FAULT_EVENTS(E)                                                                         \
  E(ALLOC, "alloc")   /* tp_alloc, tp_realloc */                                                   \
  E(SOLVER, "solver") /* an answer of a back end of smt/, or of the solver of Horn clauses */      \
  E(MODEL, "model")   /* values that a back end gives after SAT */                                 \
  E(CORE, "core")     /* what it gives after UNSAT: a core, or formulas of Horn clauses */         \
  E(PHASE,                                                                                         \
    "phase") /* a phase begins; of a worker also: the answer is there, the answer is sent */       \
  E(PROGRAM, "program") /* in a child that is about to become another program */                   \
  E(MALLOC, "malloc") /* the rest is counted by the library of test/faults that is loaded first */ \
  E(WRITE, "write")
#define TP_FAULT_ACTIONS(A)                                                                      \
  A(FAIL, "fail")       /* the event reports failure */                                          \
  A(UNKNOWN, "unknown") /* solver: no answer */                                                  \
  A(FLIP, "flip")       /* solver: the opposite answer; model: other values; core: too little */ \
  A(KILL, "kill")       /* the process ends with SIGKILL */                                      \
  A(SEGV, "segv")       /* the process ends with SIGSEGV */                                      \
  A(SPIN, "spin")       /* the process computes for ever */                                      \
  A(SLEEP, "sleep")     /* the process waits for ever */

typedef enum {
#define TP_E(name, text) TP_FAULT_EVENT_##name,
  TP_FAULT_EVENTS(TP_E)
#undef TP_E
      TP_N_FAULT_EVENTS
} tp_fault_event;
typedef enum {
  TP_FAULT_ACTION_NONE,
#define TP_A(name, text) TP_FAULT_ACTION_##name,
  TP_FAULT_ACTIONS(TP_A)
#undef TP_A
      TP_N_FAULT_ACTIONS
} tp_fault_action;

/* One fault. at 0: only count. */
typedef struct {
  tp_fault_event event;
  tp_fault_action action;
  uint64_t at;            // which event, from 1
  bool is_lasting;        // and all later ones
  bool is_periodic;       // and its multiples
  char phase[24];         // events of this phase only; "": of all
  uint64_t seen, struck;  // events so far; how often the fault happened
} tp_fault;
enum { TP_MOST_FAULTS = 2 };
typedef struct {
  tp_fault at[TP_MOST_FAULTS];
} tp_faults;

/* "EVENT:N[+|*]:ACTION[@PHASE]", N+: the N-th and all later ones, N*: each N-th. False: the text is
 * wrong. */
bool tp_fault_parse(const char *text, tp_fault *out);

#ifdef TP_CHECKED
extern tp_faults *tp_faults_shared;  // NULL: none
/* A page for this process and those that it forks. path: a file, for other programs too; NULL:
 * none. NULL: no page can be had. */
tp_faults *tp_faults_share(const char *path);
/* $TWOPROOF_FAULT: a fault, or two with a semicolon between them. $TWOPROOF_FAULT_FILE: where they
 * are counted; it may have them already. */
void tp_faults_from_environment(void);
tp_fault_action tp_fault_count(tp_fault_event event);
void tp_fault_enter_phase(const char *phase);  // static text

/* An event happens. Returns how it is to fail; what ends or stops the process happens inside. */
static inline tp_fault_action tp_fault_pass(tp_fault_event event) {
  return tp_faults_shared ? tp_fault_count(event) : TP_FAULT_ACTION_NONE;
}
#else
static inline void tp_faults_from_environment(void) {}
static inline tp_fault_action tp_fault_pass(tp_fault_event event) {
  return (void)event, TP_FAULT_ACTION_NONE;
}
static inline void tp_fault_enter_phase(const char *phase) { (void)phase; }
#endif

#endif

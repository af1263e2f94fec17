/* Monitors: automata over the calls that a program makes.
 *
 * What       protocols ("lock and unlock alternate") as automata over events, read from a file and
 *            composed with a program.
 * Represents the product of program and automata as an ordinary program: the state of each
 *            automaton is a global variable, its transitions are edges at each event, its errors
 * are error locations. Engines, the concrete machine and the checkers of certificates treat the
 * product as any program. Events     calls in the program's own text, observed at the location of
 * the call, and the end of the program; the front end marks these locations with SKIP edges and
 * lists them (tp_event).
 * Ownership  a tp_monitors owns its texts and tables. Language: doc/monitors.md.
 * Source     Theoduloz 2010, sec. 2.1 (specifications as error locations); monitor automata as in
 *            SLIC and BLAST. */
#ifndef TP_PROGRAM_MONITOR_H
#define TP_PROGRAM_MONITOR_H

#include "program/program.h"
#include "program/program_limits.h"

typedef enum { TP_EVENT_CALL, TP_EVENT_RETURN, TP_EVENT_EXIT } tp_event_kind;

// ------------------------------------------------------------------------- text

typedef enum {
  TP_OPERAND_CONSTANT,
  TP_OPERAND_ARGUMENT,
  TP_OPERAND_RESULT,
  TP_OPERAND_NAME
} tp_operand_kind;
typedef struct {
  tp_operand_kind kind;
  int64_t number;  // the constant; the argument, from 0; index of the name
  tp_pos pos;
} tp_operand;

typedef enum {
  TP_COMPARE_EQ,
  TP_COMPARE_NE,
  TP_COMPARE_LT,
  TP_COMPARE_LE,
  TP_COMPARE_GT,
  TP_COMPARE_GE
} tp_compare;
typedef struct {
  tp_compare how;
  tp_operand left, right;
  bool is_alternative;  // `||` stands before it; `&&` binds more tightly
} tp_monitor_test;

/* A transition of one state at one event, enabled where the condition holds. The first enabled one
 * is taken; without one the state stays. */
typedef struct {
  tp_pos pos;
  uint32_t state, target;
  tp_event_kind event;
  uint32_t function;             // index in `functions`; EXIT: 0
  const tp_monitor_test *tests;  // none: true
  uint32_t n_tests;
  bool is_optional;  // taken or not, as an input decides
  uint32_t bound;    // name that gets a value, + 1; 0: none
  tp_operand value;
  const char *error;  // message: an error instead of a target
} tp_transition;

typedef struct {
  const char *name;
  tp_pos pos;
  tp_property property;         // what its errors violate
  TP_VEC(const char *) states;  // the first is the initial one
  TP_VEC(const char *) names;
  TP_VEC(tp_transition) transitions;  // by state, in the order of the file
} tp_monitor;

/* A value of an event as the machine passes it. */
typedef struct {
  uint32_t bits;  // 0: not observable
  bool is_signed, is_float, is_pointer;
} tp_value_format;

/* A function whose calls are events of some monitor, and the values that its calls pass. */
typedef struct {
  const char *name;
  bool wants_return;  // some transition waits for its return
  bool is_called, has_result;
  uint32_t n_values;  // arguments that all calls pass in the same format
  tp_value_format values[TP_PROGRAM_MONITOR_VALUES], result;
} tp_monitored_function;

typedef struct {
  tp_arena arena;
  TP_VEC(tp_monitor) list;
  TP_VEC(tp_monitored_function) functions;  // [0] unused
  bool observes_exit, has_choice;
  TP_VEC(tp_loc) errors;  // of the product
} tp_monitors;

/* An empty tp_monitors is zeroed. Errors: TP_ERR_SYSTEM (errno), TP_ERR_INPUT: the mistake has
 * been reported with line and caret. */
tp_status tp_monitors_read(tp_monitors *m, const char *path, tp_diag *diag) TP_MUST_USE;
void tp_monitors_clear(tp_monitors *m);
uint32_t tp_monitors_function(const tp_monitors *m, const char *name);  // 0: no monitor observes it

// ---------------------------------------------------------------------- product

typedef struct {
  tp_term term;  // NONE: it has no term (a struct)
  bool is_signed;
} tp_event_value;

/* An event of the program: a SKIP edge, and the values that the event has when the edge is taken.
 */
typedef struct {
  tp_edge edge;
  tp_event_kind kind;
  uint32_t function;
  const tp_event_value *values;  // the arguments of the call, for CALL and RETURN
  uint32_t n_values;
  tp_event_value result;  // RETURN
} tp_event;

/* Replace the marked edges by the automata's transitions; before tp_program_finish. Errors:
 * TP_ERR_INPUT: a transition reads a value that a call does not have (reported with the positions
 * of the transition and of the call). */
tp_status tp_monitors_apply(tp_monitors *m, tp_program *p, const tp_event *events,
                            size_t n_events) TP_MUST_USE;
bool tp_monitors_is_error(const tp_monitors *m,
                          tp_loc error);  // is it an error location of a monitor?

/* The function that answers whether an optional transition is taken. */
#define TP_MONITOR_CHOICE "monitor_choice"

#endif

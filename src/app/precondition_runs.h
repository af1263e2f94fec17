/* Calls of a function that were seen to fail or to come back, and the conditions that tell them
 * apart.
 *
 * What       runs of the entry's program, with the values of the numbers at the call; the choice of
 *            conditions that hold in no run that fails, and in as many others as possible.
 * Represents runs of the concrete machine only. A run counts as failing if it ends in an error of
 *            the property or in an operation without meaning, as coming back if the program ends.
 * Law        the result depends on (program, property, conditions, inputs that were added, seed).
 * Ownership  program and arena are borrowed. */
#ifndef TP_APP_PRECONDITION_RUNS_H
#define TP_APP_PRECONDITION_RUNS_H

#include "app/precondition_grammar.h"
#include "exec/exec.h"

typedef TP_VEC(tp_i128 *) tp_precondition_calls;

typedef struct {
  const tp_program *p;
  tp_property property;
  tp_func func;
  tp_arena *arena;
  tp_precondition_numbers numbers;
  tp_term *terms;  // by number
  tp_state *start;
  tp_precondition_calls failing, passing;
} tp_precondition_runs;

/* has_null: arguments may be null. */
void tp_precondition_runs_init(tp_precondition_runs *r, const tp_program *p, tp_property property,
                               tp_func f, bool has_null, tp_arena *arena);
void tp_precondition_runs_clear(tp_precondition_runs *r);
/* Runs the inputs. True: the run came to the call, and its end counts. */
bool tp_precondition_runs_add(tp_precondition_runs *r, const tp_inputs *inputs);
/* Random inputs, for so many seconds of CPU. */
void tp_precondition_runs_sample(tp_precondition_runs *r, uint64_t seed, double cpu_s);

/* Conditions (their numbers in the list) that exclude all failing runs together, at most
 * TP_APP_PRECONDITION_LENGTH, each of them needed. is_out: those that do not count. False: there
 * are none. */
typedef TP_VEC(uint32_t) tp_condition_choice;
bool tp_precondition_choose(const tp_precondition_runs *r, const tp_condition_list *conditions,
                            const bool *is_out, tp_condition_choice *out);

#endif

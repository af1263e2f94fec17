/* Answers of functions without body that are declared const or pure: are those of a run possible?
 *
 * What       watches a run of the concrete machine, which asks for a result at each call of such a
 *            function.
 * Represents const: the same arguments, the same result, in the whole run. pure: the same, unless
 * something was written in between that the
 *            function may read: an object that an argument points to, a variable or object that
 *            other files see, or whatever another function without body changes. Other writes
 *            (through pointers from pointers, for example) are taken for invisible.
 * Law        where nothing is said no call contradicts an earlier one. What is said may be wrong
 *            for a pure function: a run is then refused that might be one.
 * Ownership  borrows the program and the inner oracle; why() lives as long as the watcher. */
#ifndef TP_CERTIFY_RUNS_ANSWERS_H
#define TP_CERTIFY_RUNS_ANSWERS_H

#include "exec/exec.h"

typedef struct tp_canswers tp_canswers;
/* NULL: the program has no such function, and nothing needs to be watched. */
tp_canswers *tp_canswers_new(const tp_program *p, tp_oracle inner);
void tp_canswers_free(tp_canswers *a);  // NULL is fine
/* Both belong to the same run. */
tp_observer tp_canswers_observer(tp_canswers *a);
tp_oracle tp_canswers_oracle(tp_canswers *a);
/* The first contradiction, a sentence; NULL: none. */
const char *tp_canswers_why(const tp_canswers *a);

#endif

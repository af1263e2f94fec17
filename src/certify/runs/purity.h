/* Results of functions without body that are declared const or pure: are those of a run possible?
 *
 * What       observes a run of the concrete machine, which asks for a result at each call of such a
 *            function.
 * Represents const: the same arguments, the same result, in the whole run. pure: the same, unless
 *            something was written in between that the function may read: an object that an
 *            argument points to, a variable or object that other files see, or whatever another
 *            function without body changes. Other writes (through pointers from pointers, for
 *            example) are taken for invisible.
 * Law        without a contradiction no call contradicts an earlier one. A contradiction may be
 *            wrong for a pure function: a run is then refused that might be one.
 * Ownership  borrows the program and the inner oracle; why() lives as long as the observer. */
#ifndef TP_CERTIFY_RUNS_PURITY_H
#define TP_CERTIFY_RUNS_PURITY_H

#include "exec/exec.h"

typedef struct tp_chk_purity tp_chk_purity;
/* NULL: the program has no such function. The inner oracle answers. */
tp_chk_purity *tp_chk_purity_new(const tp_program *p, tp_oracle inner);
void tp_chk_purity_free(tp_chk_purity *a);  // NULL is fine
/* Observer and oracle of one run. */
tp_observer tp_chk_purity_observer(tp_chk_purity *a);
tp_oracle tp_chk_purity_oracle(tp_chk_purity *a);
/* The first contradiction, a sentence for users; NULL: none. */
const char *tp_chk_purity_why(const tp_chk_purity *a);

#endif

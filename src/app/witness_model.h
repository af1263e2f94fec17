/* The model of a woven program: which of its error locations count.
 *
 * Law        an error location that does not count becomes a dead end: runs that come there are no
 *            failures and go nowhere. */
#ifndef TP_APP_WITNESS_MODEL_H
#define TP_APP_WITNESS_MODEL_H

#include "app/witness_source.h"
#include "program/program.h"

/* The failures of chosen invariants, by the functions that check them (TP_WITNESS_CHECK). */
void tp_witness_keep_invariants(tp_program *p, const bool *chosen, size_t n);
/* The number of the invariant whose function this is; false: it is of none. */
bool tp_witness_invariant_of(const char *function, size_t *number);

/* The failures of `property` at the target, in the segment of the target only. Those in models of
 * the C library have the place of their call, which the model does not show: they are all kept. */
void tp_witness_keep_target(tp_program *p, tp_property property, const tp_witness_task *t,
                            const tp_witness_spot *target, uint32_t segment);

#endif

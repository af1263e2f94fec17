/* Which of a cutpoint's many formulas can hold in a state?
 *
 * What       formulas that say `place = constant` for the same places, variables or cells of
 *            memory, are found by the values that these have: constants, or one of several
 *            constants where paths have met.
 * Law        leaves out only formulas that are false there. (To leave out more would cost answers,
 *            never soundness.)
 * Cost       one table for each set of places whose values are known where paths arrive; cutpoints
 *            with few formulas have none. */
#ifndef TP_CERTIFY_INDUCTIVE_DISJUNCTS_H
#define TP_CERTIFY_INDUCTIVE_DISJUNCTS_H

#include "certify/inductive/inductive_cert.h"

typedef struct tp_chk_disjuncts tp_chk_disjuncts;
tp_chk_disjuncts *tp_chk_disjuncts_new(const tp_program *p, const tp_chk_cert *e);
void tp_chk_disjuncts_free(tp_chk_disjuncts *c);
/* The formulas of a cutpoint that can hold where places have these values (NONE: not known); into
 * out, which has room for all. */
uint32_t tp_chk_disjuncts_find(tp_chk_disjuncts *c, uint32_t cutpoint,
                               tp_term (*value)(void *ctx, tp_term place), void *ctx, tp_term *out);

/* Is t the conjunct `place = constant`? A place is a variable or a cell, (SELECT (memory SORT)
 * POINTER). Booleans count; floats do not, for NaN has many forms. */
bool tp_chk_is_binding(const tp_program *p, tp_term t, tp_term *place, tp_term *value);

#endif

/* twoproof spec --summaries: what each function does, as contracts. */
#ifndef TP_APP_SPEC_SUMMARIES_H
#define TP_APP_SPEC_SUMMARIES_H

#include "app/options.h"
#include "contracts/spec/object_model.h"

/* Prints a file of contracts; the exit status. read: the contracts of the program, whose ghosts may
 * change. */
int tp_spec_summaries(const tp_options *o, tp_object_model *u, const tp_clauses *read,
                      tp_diag *diag);

/* --calls=summary, frame, havoc: the summaries of all functions with bodies, as far as that says,
 * as contracts of theirs, beside those in `read`. own: their clauses, which have to live as long as
 * those of `read`. False: wrong usage, which has been said. */
bool tp_spec_add_summaries(const tp_options *o, tp_object_model *u, tp_clauses *own,
                           tp_clauses *read) TP_MUST_USE;

#endif

/* Preconditions inferred from counterexamples: for which calls does a function hold that fails for
 * some?
 *
 * What       an entry that fails: runs that fail and runs that come back say which conditions over
 *            the parameters and what they lead to (app/precondition_grammar.h) exclude the failures
 *            and keep the others; the weakest is verified as an assumption, and each failure with
 *            it is one more run. Before that, where the failure leaves an argument's object, more
 *            room than the environment gives it (app/entry_object.h).
 * Represents a condition under which the property is proved, with a checked certificate, and under
 *            which calls come to every return that they were seen to come to without it.
 * Law        the verdict for all calls stays what it is: a precondition is an assumption, shown, to
 *            be edited (--requires).
 * Ownership  texts live in the arena of the session that answers.
 * Source     counterexample-guided inference of preconditions: Seghir, Kroening 2013; conditions
 *            from runs that fail and pass: Gehr, Dimitrov, Vechev 2015. */
#ifndef TP_APP_PRECONDITION_H
#define TP_APP_PRECONDITION_H

#include "app/hints.h"

/* by_types: the session whose program takes arguments by their types, with its failure; answer:
 * whose report says the precondition, may be the same. files: of the command line; o->files may
 * have other names afterwards. */
void tp_precondition_find(const tp_session *by_types, tp_session *answer, tp_options *o,
                          tp_hints *hints, const char *const *files);

#endif

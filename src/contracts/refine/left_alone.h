/* What a body leaves alone: members and globals that are behind a call as they were before it.
 *
 * What       candidates, read off the expressions of a body: where nothing is stored to a member,
 *            its value behind the call is its value in front of it, in both branches of each
 *            conditional, through calls that leave it alone themselves.
 * Represents a specification of the callee, over the relations of its template: objects that there
 *            were before, and are there still, have the same values in these members.
 * Invariants a candidate is no proof: whoever uses it shows that the body implies it.
 * Cost       linear in the body's expressions, once for each member; kept.
 * Source     Taghdiri 2008, sec. 7.4 (frame conditions as specifications). We differ: they are not
 *            assumed from the start but used where a call changes what its body does not. */
#ifndef TP_CONTRACTS_REFINE_LEFT_ALONE_H
#define TP_CONTRACTS_REFINE_LEFT_ALONE_H

#include "contracts/modular/call_templates.h"

typedef struct tp_left_alone tp_left_alone;
tp_left_alone *tp_left_alone_new(const tp_call_templates *t);
void tp_left_alone_free(tp_left_alone *a);
/* id 0: nothing. */
tp_rel_formula tp_left_alone_of(tp_left_alone *a, const tp_call_template *f);

#endif

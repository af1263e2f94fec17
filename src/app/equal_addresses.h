/* Does a run make numbers of addresses that matter? Two copies of an object have different ones.
 *
 * Represents differences of addresses and comparisons of them with each other, as pointers within
 *            one object have, do not count: the base of the object cancels.
 * Source     the polynomial of bases in a term, of which only the degree is kept. */
#ifndef TP_APP_EQUAL_ADDRESSES_H
#define TP_APP_EQUAL_ADDRESSES_H

#include "exec/exec.h"

/* Of the run with these inputs. May say yes where the number does not matter. */
bool tp_equal_uses_addresses(const tp_program *p, const tp_inputs *inputs, tp_run_limits limits);

#endif

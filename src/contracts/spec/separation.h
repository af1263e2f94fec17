/* separate[a, b, ...]: these objects share nothing.
 *
 * What       the formula that it stands for: no object is reached from two of them through members
 *            and elements that are pointers or structs, themselves included; null and functions
 *            are nothing that could be shared.
 * Source     the separating conjunction says it of heaps (Reynolds 2002), \separated of ranges of
 *            addresses (ACSL); here it is a set of objects, by reachability. */
#ifndef TP_CONTRACTS_SPEC_SEPARATION_H
#define TP_CONTRACTS_SPEC_SEPARATION_H

#include "contracts/spec/resolved_contracts.h"

#define TP_SEPARATE "separate"

/* args: expressions as they were read, of sets of these types. NULL: it would be too deep. */
const tp_spec_expr *tp_separation(const tp_contracts *m, tp_pos pos,
                                  const tp_spec_expr *const *args, const tp_reltype *types,
                                  uint32_t n_args);

#endif

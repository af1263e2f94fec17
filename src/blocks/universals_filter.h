/* Candidates for facts about all elements that some run contradicts.
 *
 * What       runs the program on random inputs; in states at nodes of the block graph each
 * candidate is evaluated at some small indices, and dropped for good where it is false. Represents
 * nothing that is relied on: what is left is still to be proved. Solvers are asked about a tenth of
 * what a grammar suggests. Source     Ernst et al. 2007 (Daikon); Garg, Madhusudan, Neider, Roth
 * 2016 (Horn-ICE): states that an invariant has to contain. */
#ifndef TP_BLOCKS_UNIVERSALS_FILTER_H
#define TP_BLOCKS_UNIVERSALS_FILTER_H

#include "blocks/universals.h"

typedef struct {
  uint64_t runs, states, dropped;
  uint64_t failed;  // runs that came to an error: there is nothing to prove
} tp_filter_counts;

/* cpu_s: 0 none. keeps_unmet: else candidates are left out, too, whose range no state is in though
 * many were seen. Deterministic unless cpu_s or o.should_stop end it. */
tp_filter_counts tp_universals_filter(tp_universals *u, tp_houdini_options o, double cpu_s,
                                      bool keeps_unmet);

#endif

/* One way through each of some blocks.
 *
 * What       blocks are many ways merged; here each is cut down to the one way that a model takes:
 *            conditionals become the branch that was taken, the conditions that chose it become the
 *            guard. Formulas about one way are short, and so are their interpolants.
 * Represents fewer runs than the blocks: if no run takes the blocks, none takes the ways. The ways
 *            fit together as far as a run can go (each model continues the ways before it); behind
 *            that, each fits to what is known at its own two ends.
 * Ownership  the ways are the caller's (tp_path_clear). */
#ifndef TP_FORMULA_ALONG_H
#define TP_FORMULA_ALONG_H

#include "formula/interpolants.h"

/* known: n + 1 formulas at the cuts that every run meets (the abstraction there). out: n paths,
 * made if true is returned. False: the solver gave up, or some block has no way between what is
 * known at its ends. */
bool tp_along_ways(tp_paths *x, const tp_path *blocks, size_t n, const tp_term *known,
                   tp_itp_options o, tp_path *out);

#endif

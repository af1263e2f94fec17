/* Precisions as text: what one run found out can be used by the next, also for a changed program.
 *
 * What       writer and reader of what refinement gave to the analyses `predicate` and `value`:
 *              precision 2
 *              in FUNCTION                       entries that follow belong to it; `program`: to
 *                                                all
 *              at N TEXT                         ... to the N-th location among those of its line,
 *                                                which reads TEXT
 *              predicate TERM | track TERM       for `predicate`, for `value`
 *              untracked TERM                    `value`: a variable with too many values
 *              candidate TERM                    a predicate that may be inferred for a variable
 *                                                that is not tracked any more (cpa/infer.h);
 *                                                written by people, not by us
 *              feasibility                       `predicate`: whether a run gets there is queried
 *            # starts a comment, empty lines mean nothing. TERM is the notation of term/text.h with
 *            names in place of numbers: (local FUNCTION::NAME N SORT) is the N-th variable of that
 *            name in the function, (global NAME N SORT), (memory SORT).
 * Represents nothing that must be true: a precision says what to look at. Entries of which a name
 *            does not exist in this program are left out; an entry whose line does not exist
 *            belongs to the function, in whatever scope the analysis was set to.
 * Law        in the same program what is read is what was written. Lines that move stay what they
 *            are.
 * Errors     what cannot be read at all is told with its line.
 * Source     Beyer, Loewe, Novikov, Stahlbauer, Wendler 2013 (precision reuse); we differ: places
 *            go by the text of their line. */
#ifndef TP_PROOF_PRECISION_H
#define TP_PROOF_PRECISION_H

#include "cpa/cpa.h"

/* Of all analyses of the composite that are refined. */
void tp_precision_write(tp_cpa *cpa, tp_str *out);

typedef struct {
  size_t used, unknown;  // entries that were taken over, left out
} tp_precision_read;
/* False: why says what is wrong ("line 3: ..."); what came before it was taken over. */
bool tp_precision_take(tp_cpa *cpa, const char *text, tp_precision_read *done, tp_str *why);

#endif

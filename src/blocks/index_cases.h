/* What is said of an index, by cases: at each place that it is compared with, and elsewhere.
 *
 * What       behind a write a statement about all cells asks whether the index is the place that
 *            was written. At that place it is said in words of the place, so that what is known
 *            there is the same term; elsewhere the write is not seen.
 * Represents the same truth for all values: a case is a conditional on index = place, whatever
 *            place is chosen.
 * Cost       a copy of the statement for each place, TP_BLOCKS_UNIVERSAL_CASES at most. */
#ifndef TP_BLOCKS_INDEX_CASES_H
#define TP_BLOCKS_INDEX_CASES_H

#include "term/term.h"

/* t, a formula, by cases of these symbols. */
tp_term tp_index_cases(tp_terms *tt, tp_term t, const tp_term *indices, size_t n);

#endif

/* Summaries in one line of English.
 *
 * What       which members of which objects a function changes, which globals, whether it makes and
 *            ends objects. Nothing else changes.
 * Represents the frame of contracts/summarise/summary_contract.h; no more than the contract says.
 */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARY_SENTENCE_H
#define TP_CONTRACTS_SUMMARISE_SUMMARY_SENTENCE_H

#include "contracts/summarise/summarise.h"

/* "changes `next` of objects reachable from `l->head` only", without an end of line. */
void tp_summary_sentence(tp_rsums *s, const tp_rsum_template *f, tp_str *out);

#endif

/* Invariants of cutpoints, in C over the user's names.
 *
 * What       what holds in every abstract state of a cutpoint: exactly, where that is short; else
 *            as facts: predicates that always have the same value, how two quantities compare,
 *            bounds of one.
 * Represents a conjunction that every abstract state of the cutpoint implies. Facts may say less
 *            than the list of abstract states does; that is in the certificate.
 * Ownership  texts live in the arena. */
#ifndef TP_REPORT_INVARIANT_TEXT_H
#define TP_REPORT_INVARIANT_TEXT_H

#include "adequacy/adequacy.h"

typedef struct {
  const char *text;
  bool is_plain;  // C that a compiler understands: nothing is asked about objects
} tp_fact;
typedef TP_VEC(tp_fact) tp_facts;

/* Does a compiler understand the predicate? */
bool tp_fact_is_plain(const char *text);
/* Adds the facts of a cutpoint that something reaches. The set is closed. */
void tp_invariant_facts(const tp_adequacy_report *r, uint32_t cutpoint, tp_arena *arena,
                        tp_facts *out);
/* The invariant in one line; false: it says nothing, or nothing reaches the cutpoint. */
bool tp_invariant_print(const tp_adequacy_report *r, uint32_t cutpoint, tp_str *out);
/* The predicates of the cutpoint that `mask` selects, each as it is in `values`. */
void tp_cube_print(const tp_cutpoint_coverage *at, uint64_t values, uint64_t mask, tp_str *out);
uint64_t tp_cube_mask(const tp_cutpoint_coverage *at);  // all of them

#endif

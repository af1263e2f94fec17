/* The part of the page that is about tests: which abstract states they were in, and which none was
 * in.
 *
 * What       a JSON object as text, so that a worker can hand it to the process that writes the
 *            page: cutpoints with their predicates, invariant and abstract states; potential
 *            errors.
 * Represents of an abstract state the test that was in it first; of a missed one whether a run
 *            comes there, and with which inputs. */
#ifndef TP_REPORT_PAGE_ADEQUACY_H
#define TP_REPORT_PAGE_ADEQUACY_H

#include "adequacy/adequacy.h"

/* tests: the names of the user's tests, in their order. */
void tp_page_adequacy(const tp_adequacy_report *r, const char *const *tests, size_t n_tests,
                      tp_str *out);

#endif

/* The answers about tests and heaps, for people and for machines.
 *
 * What       missed abstract states by place with a heap as an example, potential errors with the
 *            fabricated heap that a run fails from, a line for each function, the line `TESTS:
 *            ...`; counters as JSON.
 * Law        the same report gives the same bytes. */
#ifndef TP_REPORT_HEAP_ADEQUACY_REPORT_H
#define TP_REPORT_HEAP_ADEQUACY_REPORT_H

#include "adequacy/heap_adequacy.h"

void tp_heap_adequacy_print(const tp_heap_adequacy_report *r, const tp_program *p,
                            const tp_diag *diag, tp_str *out);
/* Members of a JSON object, without braces. */
void tp_heap_adequacy_json(const tp_heap_adequacy_report *r, const tp_program *p, tp_str *out);

#endif

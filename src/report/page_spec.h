/* The page of contracts: for each function whether it keeps its contract within the bounds, and of
 * one that does not the heap before and after, with what was executed.
 *
 * What       the same template as report/page.h, with an object of its own.
 * Ownership  everything is borrowed. */
#ifndef TP_REPORT_PAGE_SPEC_H
#define TP_REPORT_PAGE_SPEC_H

#include "report/page.h"

typedef enum { TP_PAGE_HOLDS, TP_PAGE_FAILS, TP_PAGE_NOT_KNOWN } tp_page_contract_answer;

/* One question: a function within bounds. */
typedef struct {
  const char *name;
  tp_pos pos, failure;  // of the function; where it fails, or TP_POS_NONE
  tp_page_contract_answer answer;
  const char *bounds;                  // "objects=3, unroll=3, width=4"
  const char *said;                    // lines below it, as on the console
  const char *before, *steps, *after;  // FAILS: text; or NULL
  const char *svg;                     // FAILS: both heaps, with what differs marked; or NULL
  double cpu_s, solver_s;
} tp_page_contract;

typedef struct {
  const char *result;  // "false(contract)"
  tp_page_contract_answer worst;
  const tp_page_contract *contracts;
  size_t n_contracts;
} tp_page_spec;

/* r: program and diag are read. more: version, command, files, options. */
void tp_page_write_spec(const tp_report *r, const tp_page_extra *more, const tp_page_spec *spec,
                        tp_str *out);

#endif

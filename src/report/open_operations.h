/* Operations that a proof takes to be valid: what the answer says of them, and of the property that
 * verifies them.
 *
 * What       clauses of the first line of a TRUE; the property to ask for; and the answer as it
 *            stands when another property of the same run found a failure at such an operation.
 * Ownership  texts are appended to the caller's strings. */
#ifndef TP_REPORT_OPEN_OPERATIONS_H
#define TP_REPORT_OPEN_OPERATIONS_H

#include "report/report.h"

/* Is this assumption one about an operation of the program ("no division by zero at ...")? Others
 * are about what surrounds the program. */
bool tp_assumes_operation(const char *assumption);
/* Does the proof rest on operations of which neither a proof nor a failing run is known? */
bool tp_has_open_operations(const tp_report *r);
/* " without undefined behaviour, which was not excluded", or that some runs have it (of an answer
 * about two versions of a function), or nothing. */
void tp_open_operations_clause(const tp_report *r, tp_str *out);
/* Of an UNKNOWN: "some runs have undefined behaviour, and behind that anything may happen:
 * OPERATION". */
void tp_open_operations_headline(const char *operation, tp_str *reason);
/* The same in the last line: "some runs have undefined behaviour: OPERATION at POSITION". */
void tp_open_operations_reason(const char *operation, const char *position, tp_str *reason);
/* "unreach-call holds in every run up to there, certificate checked". */
void tp_open_operations_known(const tp_report *r, tp_str *out);
/* What verifies these operations and was not asked for: "valid-memsafety,undefined"; empty:
 * nothing.
 */
void tp_open_operations_property(const tp_report *r, tp_str *out);

/* A failure that another property found. */
typedef struct {
  const char *property;  // as the user asked for it
  const char *operation;
  const char *position;  // "a.c:3:4"
  bool is_access;        // of valid-deref, valid-free
} tp_refutation;
/* Is the failure one of the operation that the assumption takes to be valid? */
bool tp_refutes(const tp_refutation *by, const char *assumption);
/* The answer of a report with open operations (as tp_report_console or tp_report_json gave it),
 * whose assumption is refuted: it becomes an UNKNOWN, and says what was proved. */
void tp_open_operations_refute(const char *answer, bool is_json, const tp_refutation *by,
                               tp_str *out);

#endif

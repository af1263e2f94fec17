/* Rules of findings: what a failure is called, explained, and numbered in the Common Weakness
 * Enumeration.
 *
 * What       one table; a failure's rule is the first row whose property and words fit its message.
 * Source     CWE 4.x, cwe.mitre.org. */
#ifndef TP_REPORT_SARIF_RULES_H
#define TP_REPORT_SARIF_RULES_H

#include "program/program.h"

typedef struct {
  tp_property property;
  const char *word, *other;  // the message has one of them; "": any message; NULL: no other
  const char *id;
  unsigned cwe;
  const char *name, *text, *help;
} tp_sarif_rule;

extern const tp_sarif_rule tp_sarif_rules[];
extern const size_t tp_n_sarif_rules;
/* Its number in the table. Every property that can fail has a row. */
size_t tp_sarif_rule_of(tp_property violated, const char *message);

#endif

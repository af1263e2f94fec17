/* Refutations of a CNF that others can check: the program cadical.
 *
 * What       runs it on DIMACS text (tp_sat_dimacs) and hands back the proof it wrote, binary DRAT.
 * Represents a claim: whoever relies on it has it checked (certify/unsat/drat.h).
 * Ownership  files are in a temporary directory and go with it; the text is the caller's.
 * Errors     TP_ERR_INPUT: satisfiable; TP_ERR_LIMIT: no answer in time; TP_ERR_SYSTEM: no such
 *            program, no room. */
#ifndef TP_TEST_CERTIFY_REFUTE_H
#define TP_TEST_CERTIFY_REFUTE_H

#include "base/base.h"

/* cpu_s: 0: no limit. proof: added to. */
tp_status tp_refute(const tp_str *cnf, double cpu_s, tp_str *proof) TP_MUST_USE;

#endif

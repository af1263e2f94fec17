/* Mutants of certificates of invariants: the text with one thing changed. */
#ifndef TP_TEST_MUTANT_H
#define TP_TEST_MUTANT_H

#include "program/program.h"

/* A dropped or added conjunct, a changed bound, comparison or variable, a formula swapped with
 * another one, a missing or moved location, a context of another call, a widened or narrowed
 * contract, other steps of k-induction. what: which, in words. False: this text has none. */
bool mutant_make(const tp_program *p, const char *text, tp_rng *rng, tp_str *out,
                 const char **what);

#endif

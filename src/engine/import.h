/* Facts that others proved, made ready for a run: certificates of kind `invariants` without a claim
 * become entries of the environment of the analysis `facts`.
 *
 * What       reads the texts, one after the other; contexts are entered into the run's table;
 *            several formulas of one place become their disjunction, several certificates' formulas
 *            their conjunction; a label that a certificate leaves out of a context it speaks of is
 *            a place where no run comes, and a call that it does not follow from there is one that
 *            no run makes.
 * Law        what cannot be read is left out: facts only help. So is a certificate with contracts:
 *            what it says of places behind a call rests on the contract of the callee, which
 *            another run does not have and could not prove. */
#ifndef TP_ENGINE_IMPORT_H
#define TP_ENGINE_IMPORT_H

#include "cpa/cpa.h"

typedef struct {
  TP_VEC(tp_imported_invariant) list;
} tp_imported;
void tp_import_read(const char *text, const tp_program *p, tp_contexts *contexts, tp_imported *out);
void tp_imported_clear(tp_imported *f);
/* The composition with `facts` in front of its components, from the arena. */
const char *tp_import_compose(const char *composition, tp_arena *arena);

#endif

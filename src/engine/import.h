/* Imported invariants: what another engine proved, made ready for a run. They become entries of the
 * environment of the analysis `facts`, or formulas at the nodes of a block graph
 * (blocks/import_nodes.h).
 *
 * What       takes records (of an engine of this process), or reads texts (of other processes), one
 *            after the other; contexts are entered into the run's table; several formulas of one
 *            location become their disjunction, several records' formulas their conjunction; a
 *            cutpoint that a record leaves out of a context it has is one where no run comes, and a
 *            call that it does not follow from there is one that no run makes.
 * Law        what cannot be read is left out: imports only help. So is a record with contracts:
 *            what it says of locations behind a call rests on the contract of the callee, which
 *            another run does not have and could not prove; and a record with graphs, whose
 *            formulas are not all that it says. */
#ifndef TP_ENGINE_IMPORT_H
#define TP_ENGINE_IMPORT_H

#include "cpa/cpa.h"
#include "engine/invariants.h"

typedef struct {
  TP_VEC(tp_imported_invariant) list;  // one for each context and location
} tp_imported;
void tp_import_read(const char *text, const tp_program *p, tp_contexts *contexts, tp_imported *out);
/* NULL: nothing. */
void tp_import_record(const tp_invariants *v, const tp_program *p, tp_contexts *contexts,
                      tp_imported *out);
void tp_imported_clear(tp_imported *f);
/* The composition with `facts` in front of its components, from the arena. */
const char *tp_import_compose(const char *composition, tp_arena *arena);

#endif

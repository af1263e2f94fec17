/* Witnesses of our own verdicts: what certificates and failing runs say, as the format has it.
 *
 * What       for TRUE the facts of the certificate at heads of loops, as C expressions over the
 *            user's variables that are visible there; for FALSE the inputs of the failing run and
 *            its branches in the order of execution, and where it fails.
 * Law        an invariant that is written follows from the checked certificate; it is an expression
 *            without effect that has a meaning in every state of the place. A waypoint that is
 *            written was passed by the run, and all earlier visits of its place have waypoints,
 * too. What cannot be said is left out, and a remark of the witness counts it. Source     see
 * report/witness.h. */
#ifndef TP_REPORT_WITNESS_WRITE_H
#define TP_REPORT_WITNESS_WRITE_H

#include "exec/exec.h"
#include "report/c_outline.h"
#include "report/witness.h"

/* The user's files, in which places are looked up. */
typedef struct {
  tp_program *program;
  const tp_outline *files;
  size_t n_files;
} tp_witness_source;

/* A place of the program model in the user's files; NULL: in none of them. */
const tp_outline *tp_witness_find(const tp_witness_source *s, tp_pos pos, uint32_t *token);
/* Fills the place of an item with that of a token and the function around it (in the arena). */
void tp_witness_place(const tp_outline *o, uint32_t token, tp_arena *arena, tp_witness_item *item);

/* Invariants of a certificate of kind `invariants`; other kinds have none that the format can
 * express, which a remark says. */
void tp_witness_add_invariants(const tp_witness_source *s, const char *certificate, tp_witness *w);

/* The waypoints of the run on these inputs, and the target. False: the place of the failure is in
 * none of the user's files, and there is no witness. */
bool tp_witness_add_path(const tp_witness_source *s, const tp_inputs *inputs, tp_pos error,
                         tp_run_limits limits, tp_witness *w);

/* Where a target stands for a failure at this token: the first token of the statement, or of the
 * condition that is evaluated; 0: it stands in none. */
uint32_t tp_witness_target(const tp_outline *o, uint32_t token);

#endif

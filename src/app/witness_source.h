/* A witness woven into the source of its program: what it claims becomes part of the program, so
 * that the verifier decides it as it decides everything else.
 *
 * What       finds the places of a witness in the files of a program; writes these files with
 *            checks (invariants) or with the automaton that a violation sequence is (waypoints).
 * Represents invariant number k as a call of a function that is an error function if its argument
 *            is 0; the segment of a violation sequence as a global variable: a waypoint assumes its
 *            constraint where it is evaluated in its segment, and goes on to the next one.
 * Law        the woven program makes the steps of the original one, in the same lines; a constraint
 *            or invariant has no effect. Runs of the automaton are runs of the program.
 * Source     Beyer, Spiessl, Umbricht: Cooperation between automatic and interactive software
 *            verifiers, 2022 (witness2assert); Beyer, Spiessl: MetaVal, 2020. We differ: violation
 *            witnesses, too. */
#ifndef TP_APP_WITNESS_SOURCE_H
#define TP_APP_WITNESS_SOURCE_H

#include "report/c_outline.h"
#include "report/witness.h"

#define TP_WITNESS_SEGMENT "__twoproof_segment"   // the variable
#define TP_WITNESS_CHECK "__twoproof_invariant_"  // and the number: functions

typedef struct {
  const tp_witness *w;
  const tp_outline *files;  // of the program, in the order of the command line
  size_t n_files;
} tp_witness_task;

/* Where an item stands. */
typedef struct {
  size_t file;
  uint32_t token;  // the keyword, the first token, or the closing parenthesis
  const tp_outline_statement *statement;  // the loop, branch or statement; NULL: a call
} tp_witness_spot;

/* Errors: TP_ERR_INPUT: there is no such place, or the expression cannot stand there;
 * TP_ERR_UNSUPPORTED: the format has it, and it is not followed here. */
tp_status tp_witness_locate(const tp_witness_task *t, const tp_witness_item *item,
                            tp_witness_spot *out, tp_str *why) TP_MUST_USE;

/* Does a failure at this token happen at the target? */
bool tp_witness_is_target(const tp_witness_task *t, const tp_witness_spot *target, size_t file,
                          uint32_t token);

/* The text of each file, with the items that `chosen` selects. */
void tp_witness_weave(const tp_witness_task *t, const tp_witness_spot *spots, const bool *chosen,
                      tp_str *texts);

#endif

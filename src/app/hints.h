/* Help from the user: facts about the program that a proof may use.
 *
 * What       __twoproof_invariant(e) and __twoproof_assume(e) in the sources, and lines of the file
 *            that --hints names; each becomes a candidate of proofs (tp_task.candidates) at its
 *            place. The answer says what became of each: proved, or the two states that show that
 *            it is not kept.
 * Law        nothing is believed: a fact is proved by the engine, as part of a certificate that is
 *            checked, or it is left out. A wrong one costs time and changes no verdict. The macros
 *            expand to nothing (lib/include/twoproof.h): the program is the same with and without.
 * Places     an invariant belongs to the loop in whose body it stands, an assumption to the
 *            statement that follows it; in a file: "invariant FILE:LINE EXPRESSION", the loop or
 *            statement that starts in this line.
 * Ownership  texts live in the arena of the hints. */
#ifndef TP_APP_HINTS_H
#define TP_APP_HINTS_H

#include "app/session.h"
#include "report/c_outline.h"

typedef struct {
  bool is_invariant;  // of a loop; else of a place
  const char *text;
  size_t file;                            // in `files`
  uint32_t line, column;                  // column 0: of a file of hints
  const tp_outline_statement *statement;  // the loop, or what follows; NULL: see `why`
  const char *why;                        // it is not used, or NULL
  bool is_offered;
} tp_hint;

typedef struct {
  TP_VEC(tp_hint) list;
  TP_VEC(tp_outline *) files;
  tp_arena arena;
} tp_hints;

/* Flags of the compiler for files that use the macros: they find the header. */
void tp_hints_add_flags(tp_options *o);
/* Before the program is read: the hints of its files and of --hints. Errors: the file of hints
 * cannot be read, or a line of it is no hint, which has been said. */
tp_status tp_hints_read(const tp_options *o, tp_hints *out) TP_MUST_USE;
/* Behind that: candidates of the session's proofs. A hint that is no expression over names that are
 * visible at its place is told as a warning. */
void tp_hints_offer(tp_hints *h, tp_session *s);
/* When the search has ended: what became of them, for the report. */
void tp_hints_answer(const tp_hints *h, tp_session *s);
void tp_hints_clear(tp_hints *h);

#endif

/* The site of a native failure.
 *
 * What       from the messages of a run (a sanitizer's report, the harness's own) and the debug
 *            information of the compiled program to the line of the user's source; and whether that
 *            is the failure that the interpreter found.
 * Represents a failure is the same if it is of the same kind (tp_chk_native_shows), in the same
 *            line of the same file, and if the run had asked for every input of the vector before.
 *            A failure within a function of the library or of the harness belongs to the user's
 *            call.
 * Law        a crash
 * whose site is not known matches nothing. Differs    gcc's positions of an expression are those of
 * its statement: there the function must be the same. clang's build, which must confirm every
 * verdict, is held to the line. */
#ifndef TP_CERTIFY_RUNS_SITE_H
#define TP_CERTIFY_RUNS_SITE_H

#include "certify/runs/native_replay_priv.h"

/* Did this run of the program built by `compiler`, which showed a failure, show the expected one
 * (r->failure)?
 * why  gets the difference in words, if there is one. */
bool tp_chk_site_matches(tp_chk_native_job *j, int compiler, const tp_process *p, tp_str *why);

// Parts, for tests.
/* Return addresses or addresses of instructions in the messages, innermost first; returns how many
 * (at most `room`). */
size_t tp_chk_site_addresses(const char *messages, uint64_t *out, size_t room);
/* Do two paths name the same file, if one may be relative? */
bool tp_chk_site_same_file(const char *a, const char *b);

#endif

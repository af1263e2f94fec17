/* Two versions of a function: do they return, write and fail alike, for all inputs?
 *
 * What       writes a program that calls the old version, then the new one, each with its own copy
 *            of the same arguments and file-scope variables, and compares what they did; has the
 *            session verify that for the property `equal`; says the answer in the words of the two
 *            versions.
 * Represents runs in which the old version has no undefined behaviour: where it has, the new one is
 *            free. The new version must then have none (invalid accesses and frees, and what
 *            `undefined` checks), and end as the old one does: return, abort (failed assertions
 *            too), or exit with the same status.
 * Failures   each version's abort, exit and failed assertion call a function of the program, which
 *            goes on with the other version: no jump is needed.
 * Assumed    what is not compared is one of the answer's assumptions: whether functions return at
 *            all, what is printed, static variables of functions, deep objects.
 * Source     Godlin, Strichman 2009, "Regression verification" (partial equivalence: equal if both
 *            terminate); we differ: no proof rules for pairs of loops, memory is compared as a
 *            graph.
 * Ownership  texts live in the session's arena. */
#ifndef TP_APP_EQUAL_H
#define TP_APP_EQUAL_H

#include "app/environment.h"
#include "app/equal_compare.h"
#include "app/session.h"

typedef struct {
  const char *function;
  const char *old, *new;            // the files, as the user names them
  const char *old_path, *new_path;  // resolved
  const char *harness;              // the file of main
  tp_program *program;              // the new version alone: its types are those of draws and sites
  uint32_t first_draw, first_site;  // lines of the harness in front of those that are counted
  TP_VEC(tp_env_draw) draws;
  TP_VEC(tp_equal_site) sites;
  TP_VEC(const char *) assumptions;  // of the comparison
  tp_environment_assumptions calls;  // which calls are meant
} tp_equal;
void tp_equal_clear(tp_equal *e);

/* Has o->files name the program that compares o->equal with the first file; with o->harness it is
 * printed. Errors: TP_ERR_INPUT: there is no such function, or the versions have different types,
 * which has been said; those of the front end. */
tp_status tp_equal_prepare(tp_options *o, tp_diag *diag, tp_arena *arena, tp_equal *e);
/* The program that was read: undefined behaviour of the old version ends the run. */
void tp_equal_restrict(tp_session *s, const tp_equal *e);
/* The session's answer in words; a difference that rests on what differs anyway is UNKNOWN. */
void tp_equal_answer(tp_session *s, const tp_equal *e);

#endif

/* Functions as entries: a program without main, or with one that is not wanted, is verified from a
 * function of it.
 *
 * What       reads the files as a module, writes the environment of the function
 *            (app/environment.h) to a file, and has the session read that in place of the file
 *            that it includes.
 * Ownership  texts live in the arena that is given, that of the session. */
#ifndef TP_APP_ENTRY_H
#define TP_APP_ENTRY_H

#include "app/environment.h"
#include "app/session.h"

/* Of a function everything is asked where nothing was chosen, since few have asserts; but for
 * leaks: what is still in use, callers know. */
extern const char tp_entry_properties[];

/* How structures among the arguments get their content. */
typedef enum { TP_ENTRY_BY_TYPES, TP_ENTRY_BY_CALLS } tp_entry_arguments;

/* The environment of o->entry becomes a file (entry.c in o->output, else a temporary one), and
 * o->files names it. With o->harness it is printed instead. Errors: TP_ERR_INPUT: there is no such
 * function, or it cannot be called so, which has been said (BY_CALLS with --arguments=auto: it has
 * not); those of the front end. */
tp_status tp_entry_prepare(tp_options *o, tp_entry_arguments how, tp_diag *diag, tp_arena *arena,
                           tp_environment_assumptions *assumptions);
/* Is the exported function f one that --all-functions verifies: of the files that were named? */
bool tp_entry_is_listed(const tp_options *o, const tp_diag *diag, const tp_func_info *f);
/* The text of the environment of function `number`, with what it assumes, in the arena. n_exported:
 * structures are made by calls of the first n functions; 0: filled by their types. NULL, or why the
 * function cannot be called. */
const char *tp_entry_environment(const tp_options *o, const tp_diag *diag, const tp_program *p,
                                 uint32_t number, uint32_t n_exported, tp_arena *arena,
                                 tp_str *text, tp_environment_assumptions *assumptions);
/* The environment of all functions of the first file whose names start with o->module (* or "":
 * all that other files could call) becomes a file, which o->files names. calls: of these functions,
 * the caller clears their lists; stubs: see tp_environment_write_module. Errors as above. */
typedef TP_VEC(tp_environment_call) tp_entry_calls;
tp_status tp_entry_prepare_module(tp_options *o, tp_diag *diag, tp_arena *arena,
                                  tp_entry_calls *calls, tp_str *stubs);
/* The files read as a module, with the function of o->entry: what environments are written from. */
typedef struct {
  tp_program *p;
  uint32_t n_exported;
  tp_func func;
  size_t at;         // of o->files: the file of the function
  const char *file;  // its path
  const char *seen;  // the file as the preprocessor leaves it
  tp_environment_options options;
} tp_entry_module;
/* NULL, or why there is none; texts in the arena; tp_program_free(m->p), also where it is NULL. */
const char *tp_entry_open(const tp_options *o, tp_diag *diag, tp_arena *arena, tp_entry_module *m);
/* What was assumed becomes part of the program's assumptions. */
void tp_entry_assume(tp_session *s, const tp_environment_assumptions *assumptions);

/* check --all-functions: check(o) with each function as the entry that other files could call, in
 * the order of the source; then a line for each. Returns the worst status. */
int tp_entry_check_all(tp_options *o, int (*check)(tp_options *o));

#endif

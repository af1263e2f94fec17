/* The compilation database of a build: compile_commands.json, as CMake, Meson, Bear and `twoproof
 * cc` write it.
 *
 * What       every unit of C with the flags that say what its source means; how the object is made
 *            does not count (app/compiler_flags.h).
 * Errors     TP_ERR_INPUT with `why`: there is no such file, it is not JSON, or no list of entries.
 *            Entries of other languages are left out.
 * Ownership  texts live in the arena. */
#ifndef TP_APP_COMPILE_DATABASE_H
#define TP_APP_COMPILE_DATABASE_H

#include "app/options.h"

typedef struct {
  const char *file;         // absolute; as realpath gives it where the file exists
  tp_option_paths folders;  // -I, -isystem, ... with absolute values, in their order
  tp_option_paths macros;   // -D, -U, -include
  tp_option_paths dialect;  // everything else that is passed on
  const char *refused;      // a flag that cannot be verified, with the reason; or NULL
  const char *unknown;      // flags that nobody here knows, separated by spaces; or NULL
} tp_compile_unit;

typedef TP_VEC(tp_compile_unit) tp_compile_database;

/* path: the file, or the folder that it is in. The first entry of a file counts. */
tp_status tp_compile_database_read(const char *path, tp_arena *arena, tp_compile_database *out,
                                   tp_str *why) TP_MUST_USE;
void tp_compile_database_clear(tp_compile_database *d);
/* Lines of C that stand for the unit's macros. */
void tp_compile_unit_head(const tp_compile_unit *u, tp_str *out);

#endif

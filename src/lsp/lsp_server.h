/* The language server: editors ask, `twoproof check` answers.
 *
 * What       documents that are open are verified when they are opened and saved: a program as a
 *            whole, a file without main function by function. Failures become diagnostics with the
 *            failing run as related places, proofs are shown where the pointer rests, the failing
 *            input becomes a test. doc/editors.md describes it for users.
 * Represents one thread: it reads messages, follows at most two workers (one that reads programs,
 *            one that verifies), and writes. A worker is a forked process that may hang, crash or
 *            run out of whatever there is: the server answers on.
 * Law        a diagnostic says what the tool's answer says, no more. An answer is kept after a
 *            change only where the identity of its target is the same (app/survey.h); else it is
 *            shown as stale until there is a new one. Nothing that comes in ends the server but
 *            `exit` and the end of the stream.
 * Source     Language Server Protocol 3.17. */
#ifndef TP_LSP_LSP_SERVER_H
#define TP_LSP_LSP_SERVER_H

#include "base/base.h"

typedef struct {
  /* Both as commands: standard output is read, the status returned. argv[0] is a name. They run in
   * a forked process, in the folder of the project. */
  int (*check)(int argc, char **argv);
  int (*survey)(int argc, char **argv);
  /* Does the compilation database in this folder have this file? Both paths are absolute. */
  bool (*is_in_database)(const char *folder, const char *file);
  const char *version;
} tp_lsp_services;

/* Serves until `exit` or the end of the stream. Returns 0, or 1 after an exit that no shutdown came
 * before. */
int tp_lsp_serve(const tp_lsp_services *services, int in, int out);

#endif

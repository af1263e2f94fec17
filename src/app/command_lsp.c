/* twoproof lsp: the language server (lsp/lsp_server.h) over `check` and the survey of a file. */
#include "app/commands.h"

#include "app/compile_database.h"
#include "app/exit.h"
#include "app/process_guard.h"
#include "app/survey.h"
#include "app/version.h"
#include "base/process.h"
#include "lsp/lsp_server.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

const char tp_command_lsp_usage[] = "[--stdio]";
const char tp_command_lsp_details[] =
    "The language server of editors: reads messages of the Language Server Protocol on standard\n"
    "input and answers on standard output. C files are verified when they are opened and saved;\n"
    "failures become diagnostics, proved invariants and contracts stand in hovers, a failing "
    "input\n"
    "can be written as a test. Settings are those of the editor (twoproof.property,\n"
    "twoproof.timelimit, twoproof.entry, twoproof.arguments, ...) and of the file .twoproof.conf;\n"
    "compile_commands.json is used where it is there. doc/editors.md has them all.\n"
    "The exit status is 0 after shutdown and exit, else 1.";

static bool is_in_database(const char *folder, const char *file) {
  tp_arena arena;
  tp_compile_database d = {0};
  tp_str why = {0};
  bool found = false;
  tp_arena_init(&arena);
  if (tp_compile_database_read(folder, &arena, &d, &why) == TP_OK)
    for (size_t i = 0; i < d.n && !found; i++) found = strcmp(d.at[i].file, file) == 0;
  tp_compile_database_clear(&d);
  tp_str_clear(&why);
  tp_arena_clear(&arena);
  return found;
}

static void on_signal(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

int tp_command_lsp(int argc, char **argv) {
  bool is_good = true, wants_help = false;
  for (int i = 1; i < argc; i++) {
    const bool is_help = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    wants_help |= is_help;
    is_good &= is_help || strcmp(argv[i], "--stdio") == 0;
  }
  if (wants_help && is_good) {
    printf("Usage: twoproof lsp %s\n\n%s\n", tp_command_lsp_usage, tp_command_lsp_details);
    return fflush(stdout) ? TP_EXIT_OUTPUT : 0;
  }
  if (!is_good) {
    fputs("twoproof lsp: the only argument is --stdio\nTry 'twoproof lsp --help'.\n", stderr);
    return TP_EXIT_USAGE;
  }
  tp_guard_own_memory(false);
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGTERM, &a, NULL);
  sigaction(SIGINT, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  const tp_lsp_services services = {.check = tp_command_check,
                                    .survey = tp_survey,
                                    .is_in_database = is_in_database,
                                    .version = tp_version_text()};
  return tp_lsp_serve(&services, STDIN_FILENO, STDOUT_FILENO);
}

/* twoproof: the command line. */
#include "app/commands.h"
#include "app/completion.h"
#include "app/exit.h"
#include "app/manual.h"
#include "app/options.h"
#include "app/version.h"
#include "base/fault.h"
#include "base/nearest.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const tp_command table[] = {
    {"check", tp_command_check, "verify a C program", NULL, NULL},
    {"replay", tp_command_replay, "run one test on the concrete machine and natively", NULL, NULL},
    {"dump", tp_command_dump, "print the program model", NULL, NULL},
    {"bench", tp_command_bench, "verify many tasks, compare with expected verdicts", NULL, NULL},
    {"adequacy", tp_command_adequacy, "are these tests enough?", NULL, NULL},
    {"test", tp_command_test, "write a suite of tests for coverage, prove the rest dead", NULL,
     NULL},
    {"cc", tp_command_cc, "a compiler that also notes what it compiles, for --project",
     tp_command_cc_usage, tp_command_cc_details},
    {"lsp", tp_command_lsp, "the language server, for editors", tp_command_lsp_usage,
     tp_command_lsp_details},
    {"spec", tp_command_spec, "contracts of functions and data structures, within bounds", NULL,
     NULL},
};
enum { N_COMMANDS = sizeof table / sizeof *table, HELP_COLUMNS = 100 };
static const tp_commands commands = {table, N_COMMANDS};

static void print_help(FILE *to) {
  fprintf(to, "Usage: twoproof COMMAND [options] FILE...\n\n");
  for (size_t i = 0; i < N_COMMANDS; i++) fprintf(to, "  %-10s%s\n", table[i].name, table[i].about);
  fprintf(to,
          "\ntwoproof COMMAND --help lists the options of a command; man twoproof-COMMAND has them "
          "in full.\n"
          "Exit status:");
  for (size_t i = 0, column = 12; i < tp_n_exit_rows; i++) {
    const size_t n = strlen(tp_exit_rows[i].meaning) + 5;
    column = column + n > HELP_COLUMNS ? n : column + n;
    fprintf(to, "%s%d %s%s", column == n ? "\n" : " ", tp_exit_rows[i].status,
            tp_exit_rows[i].meaning, i + 1 < tp_n_exit_rows ? "," : ".\n");
  }
}

/* A misspelt command, or one that was left out: `twoproof a.c` means `twoproof check a.c`. */
static void refuse_command(const char *name) {
  const char *names[N_COMMANDS + 1] = {NULL};
  for (size_t i = 0; i < N_COMMANDS; i++) names[i] = table[i].name;
  const char *near = tp_nearest_name(name, names);
  const bool is_file = strchr(name, '.') != NULL;
  fprintf(stderr, "twoproof: unknown command '%s'", name);
  if (is_file && name[0] != '-')
    fprintf(stderr, "; to verify a file: twoproof check %s", name);
  else if (near)
    fprintf(stderr, "; did you mean '%s'?", near);
  fputs("\nTry 'twoproof --help'.\n", stderr);
}

static void print_text(void (*print)(tp_str *out)) {
  tp_str text = {0};
  print(&text);
  fputs(tp_str_text(&text), stdout);
  tp_str_clear(&text);
}

/* Standard streams that are closed would become whatever is opened first. Writing to what stands
 * for them fails, so no result is lost silently. */
static void open_standard_streams(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);
}

/* What manuals and shells are made of: doc/options.md, manual pages, completions. */
static bool print_document(const char *what, tp_str *out) {
  if (strcmp(what, "options") == 0) return tp_options_document(out), true;
  if (strcmp(what, "manual") == 0) return tp_manual_overview(commands, out), true;
  if (strncmp(what, "manual=", 7) == 0) return tp_manual_command(commands, what + 7, out);
  if (strncmp(what, "completion=", 11) == 0) return tp_completion(commands, what + 11, out);
  for (size_t i = 0; strcmp(what, "commands") == 0 && i < N_COMMANDS; i++)
    tp_str_printf(out, "%s\n", table[i].name);
  return out->n > 0;
}

static int document(const char *what) {
  tp_str text = {0};
  const bool is_known = print_document(what, &text);
  fputs(tp_str_text(&text), stdout);
  tp_str_clear(&text);
  if (is_known) return 0;
  fprintf(stderr,
          "twoproof: no document '%s'; there are options, commands, manual, manual=COMMAND and "
          "completion=bash|zsh|fish\n",
          what);
  return TP_EXIT_USAGE;
}

static int run(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    print_help(stdout);
    return 0;
  }
  if (strcmp(name, "--version") == 0) {
    print_text(tp_version_print);
    return 0;
  }
  if (strncmp(name, "--document-", 11) == 0) return document(name + 11);
  for (size_t i = 0; i < N_COMMANDS; i++) {
    if (strcmp(name, table[i].name) == 0) return table[i].run(argc - 1, argv + 1);
  }
  if (!name[0])
    print_help(stderr);
  else
    refuse_command(name);
  return TP_EXIT_USAGE;
}

int main(int argc, char **argv) {
  open_standard_streams();
  tp_faults_from_environment();
  const int status = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  perror("twoproof: standard output cannot be written");
  return TP_EXIT_OUTPUT;
}

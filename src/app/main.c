/* twoproof: the command line. */
#include "app/commands.h"
#include "app/exit.h"
#include "app/options.h"
#include "app/version.h"
#include "base/fault.h"
#include "base/nearest.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *about;
} table[] = {
    {"check", tp_command_check, "verify a C program"},
    {"replay", tp_command_replay, "run one test on the concrete machine and natively"},
    {"dump", tp_command_dump, "print the program model"},
    {"bench", tp_command_bench, "verify many tasks, compare with expected verdicts"},
    {"adequacy", tp_command_adequacy, "are these tests enough?"},
    {"test", tp_command_test, "write a suite of tests for coverage, prove the rest dead"},
    {"cc", tp_command_cc, "a compiler that also notes what it compiles, for --project"},
    {"spec", tp_command_spec, "contracts of functions and data structures, within bounds"},
};
enum { N_COMMANDS = sizeof table / sizeof *table };

static void print_help(FILE *to) {
  fprintf(to, "Usage: twoproof COMMAND [options] FILE...\n\n");
  for (size_t i = 0; i < N_COMMANDS; i++) fprintf(to, "  %-10s%s\n", table[i].name, table[i].about);
  fprintf(to,
          "\ntwoproof COMMAND --help lists the options of a command.\n"
          "Exit status: 0 true, 1 bounded, 10 false, 5 unknown, 6 the input cannot be handled, 64 "
          "wrong usage,\n"
          "69 a program that is needed is missing, 70 internal error, 74 the result cannot be "
          "written.\n");
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
  if (strcmp(name, "--document-options") == 0) {
    print_text(tp_options_document);
    return 0;
  }
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

/* The subcommands. Each takes its own arguments (argv[0] is its name) and returns the exit status.
 */
#ifndef TP_APP_COMMANDS_H
#define TP_APP_COMMANDS_H

#include <stddef.h>

int tp_command_check(int argc, char **argv);
int tp_command_replay(int argc, char **argv);
int tp_command_dump(int argc, char **argv);
int tp_command_bench(int argc, char **argv);
int tp_command_adequacy(int argc, char **argv);
/* adequacy --tests=FILE.c: below a guard; options: tp_options. In command_suite.c, which has the
 * search. */
int tp_command_adequacy_of_c_tests(void *options, int channel);
int tp_command_test(int argc, char **argv);
int tp_command_spec(int argc, char **argv);
int tp_command_cc(int argc, char **argv);
int tp_command_lsp(int argc, char **argv);

extern const char tp_command_cc_usage[], tp_command_cc_details[];
extern const char tp_command_lsp_usage[], tp_command_lsp_details[];

/* A row for each, in the order of --help. */
typedef struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *about;  // a few words
  const char *usage,
      *details;  // of a command without a row in the options table: its arguments, what it does
} tp_command;
typedef struct {
  const tp_command *at;
  size_t n;
} tp_commands;

#endif

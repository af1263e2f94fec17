/* The subcommands. Each takes its own arguments (argv[0] is its name) and returns the exit status.
 */
#ifndef TP_APP_COMMANDS_H
#define TP_APP_COMMANDS_H

int tp_command_check(int argc, char **argv);
int tp_command_replay(int argc, char **argv);
int tp_command_dump(int argc, char **argv);
int tp_command_bench(int argc, char **argv);
int tp_command_adequacy(int argc, char **argv);
int tp_command_test(int argc, char **argv);
int tp_command_spec(int argc, char **argv);
int tp_command_cc(int argc, char **argv);

#endif

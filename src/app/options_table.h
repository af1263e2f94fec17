/* The rows of the options table, for who parses, explains and documents them.
 *
 * What       one row for each option, in the order of app/options.h; one for each subcommand.
 * Ownership  static. */
#ifndef TP_APP_OPTIONS_TABLE_H
#define TP_APP_OPTIONS_TABLE_H

#include "app/options.h"

typedef enum {
  TP_OPTION_FLAG,
  TP_OPTION_COUNT,
  TP_OPTION_TEXT,
  TP_OPTION_UINT,
  TP_OPTION_SECONDS,
  TP_OPTION_PATHS,
  TP_OPTION_LIST,
  TP_OPTION_SETTING
} tp_option_type;

/* Groups of --help. */
typedef enum {
  TP_OPTION_EVERYDAY,
  TP_OPTION_ENGINES,
  TP_OPTION_EXPERIMENTS,
  TP_N_OPTION_GROUPS
} tp_option_group;

typedef struct {
  tp_option_type type;
  tp_option_group group;
  size_t offset;  // of the field in tp_options
  const char *name;
  int letter;
  const char *argument, *value, *choices;
  unsigned commands;
  const char *help;
} tp_option_row;
extern const tp_option_row tp_option_rows[];
extern const size_t tp_n_option_rows;

/* Subcommands, in the order of the bits TP_FOR_... */
typedef struct {
  const char *name, *usage, *about;
  const char *other_usages;  // lines of --help below the usage, or NULL
  const char *words;         // what can stand in the place of a file, as in "a|b", or NULL
  struct {
    const char *line, *meaning;
  } examples[3];  // of the manual, over a file a.c; those behind the last have no line
} tp_option_command;
extern const tp_option_command tp_option_commands[];
extern const size_t tp_n_option_commands;
const tp_option_command *tp_option_command_of(unsigned command);

/* Of the group: "everyday", and "Every day". */
extern const struct tp_option_group_row {
  const char *name, *title;
} tp_option_groups[TP_N_OPTION_GROUPS];
/* How many characters of the row's help its first clause has: enough where there is little room. */
size_t tp_option_clause(const tp_option_row *r);

/* --help: the everyday options with their meaning on one screen, the names of the others; or, with
 * a group's name or "all", those in full. columns: of the screen. False: no group has this name. */
bool tp_options_help(unsigned command, const char *group, size_t columns, tp_str *out);
/* All options of the command line that the subcommand does not have, a line for each with what it
 * could mean; false: all are known. */
bool tp_options_find_unknown(unsigned command, int argc, char *const *argv, tp_str *why);

#endif

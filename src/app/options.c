/* From the table to argp, to configuration files and to the manual page. */
#include "app/options.h"
#include "app/app_limits.h"
#include "app/options_table.h"

#include "app/compiler_flags.h"
#include "app/compose.h"
#include "app/exit.h"
#include "app/foreign_options.h"
#include "app/settings.h"
#include "app/version.h"
#include "base/files.h"
#include "base/process.h"
#include "proof/configurations.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef tp_option_row row;

// --------------------------------------------------------------------- setting

/* Is `value` one of the words of "a|b|c"? */
static bool is_choice(const char *choices, const char *value) {
  size_t n = strlen(value);
  for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
    if (strncmp(at, value, n) == 0 && (at[n] == '|' || at[n] == 0)) return true;
  return false;
}

static bool check_choice(const row *r, const char *value, tp_str *why) {
  if (!r->choices || !value[0] || is_choice(r->choices, value)) return true;
  tp_str_printf(why, "--%s: '%s' is not one of %s", r->name, value, r->choices);
  const char *hint = tp_foreign_value_hint(r->name, value);
  if (hint) tp_str_printf(why, "; %s", hint);
  return false;
}

/* A line of a composition. --set has the name in its value. */
static bool add_setting(tp_options *o, const row *r, const char *value, const char *origin,
                        tp_str *why) {
  tp_option_setting s = {r->name, value, origin};
  if (strcmp(r->name, "set") == 0) {
    const char *equals = strchr(value, '='), *dot = strchr(value, '.');
    if (!equals || !dot || dot > equals) {
      tp_str_printf(why, "--set: '%s' is not NAME.KEY=VALUE", value);
      return false;
    }
    s.name = tp_arena_strndup(&o->arena, value, (size_t)(equals - value));
    s.value = equals + 1;
  }
  tp_vec_push(&o->settings, s);
  return true;
}

/* Set one option; on failure says why. origin: where it stands, for SETTING rows. */
static bool set_option(tp_options *o, const row *r, const char *value, const char *origin,
                       tp_str *why) {
  void *field = (char *)o + r->offset;
  char *end = NULL;
  errno = 0;
  switch (r->type) {
    case TP_OPTION_FLAG: *(unsigned *)field = 1; return true;
    case TP_OPTION_COUNT: ++*(unsigned *)field; return true;
    case TP_OPTION_PATHS: tp_vec_push((tp_option_paths *)field, value); return true;
    case TP_OPTION_LIST:
      ++*(unsigned *)field;
      tp_vec_push(&o->clang_args, tp_arena_printf(&o->arena, "-%c%s", r->letter, value));
      return true;
    case TP_OPTION_TEXT:
      if (!check_choice(r, value, why)) return false;
      *(const char **)field = value;
      return true;
    case TP_OPTION_SETTING:
      return check_choice(r, value, why) && add_setting(o, r, value, origin, why);
    case TP_OPTION_UINT: {
      unsigned long long n = strtoull(value, &end, 10);
      if (value[0] < '0' || value[0] > '9' || *end || errno) break;
      *(uint64_t *)field = n;
      return true;
    }
    case TP_OPTION_SECONDS: {
      double s = strtod(value, &end);
      if (end != value && strcmp(end, "s") == 0) end++;  // the unit may be written
      if (end == value || *end || errno || !(s >= 0) || s > 1e9) break;
      *(double *)field = s;
      return true;
    }
  }
  tp_str_printf(why, "--%s: '%s' is not a number that fits", r->name, value);
  return false;
}

static void set_defaults(tp_options *o) {
  tp_str why = {0};
  for (size_t i = 0; i < tp_n_option_rows; i++)
    if (tp_option_rows[i].type == TP_OPTION_TEXT || tp_option_rows[i].type == TP_OPTION_UINT ||
        tp_option_rows[i].type == TP_OPTION_SECONDS)
      set_option(o, &tp_option_rows[i], tp_option_rows[i].value, NULL, &why);
  tp_str_clear(&why);
}

// ---------------------------------------------------------- configuration files

static char *trim(char *s) {
  while (*s == ' ' || *s == '\t') s++;
  size_t n = strlen(s);
  while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r')) s[--n] = 0;
  return s;
}

static bool read_line(tp_options *o, char *line, const char *origin, tp_str *why) {
  char *hash = strchr(line, '#');
  if (hash) *hash = 0;
  line = trim(line);
  if (!*line) return true;
  char *equals = strchr(line, '=');
  if (equals) *equals = 0;
  const char *name = tp_arena_strdup(&o->arena, trim(line)),
             *value = tp_arena_strdup(&o->arena, equals ? trim(equals + 1) : "");
  for (size_t i = 0; i < tp_n_option_rows; i++)
    if (strcmp(tp_option_rows[i].name, name) == 0 && strcmp(name, "config") != 0)
      return set_option(o, &tp_option_rows[i], value, origin, why);
  if (strchr(name, '.')) {  // NAME.KEY: read with the composition
    tp_vec_push(&o->settings, (tp_option_setting){name, value, origin});
    return true;
  }
  tp_str_printf(why, "unknown option '%s'", name);
  return false;
}

/* A file, or else the configuration of that name that comes with the tool. */
static bool read_config(tp_options *o, const char *path, tp_str *why) {
  tp_str text = {0};
  const char *built_in = tp_configuration_text(path);
  if (access(path, R_OK) != 0 && built_in) {
    tp_str_add(&text, built_in);
  } else if (tp_read_file(path, &text) != TP_OK) {
    tp_str_printf(why, "cannot read configuration %s: %s; built in:", path, strerror(errno));
    for (const tp_configuration *c = tp_configurations; c->name; c++)
      tp_str_printf(why, " %s", c->name);
    const char *hint = tp_foreign_value_hint("config", path);
    if (hint) tp_str_printf(why, "; of CPAchecker's: %s", hint);
    return false;
  }
  bool ok = true;
  unsigned number = 1;
  for (char *line = text.text; ok && line; number++) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    ok = read_line(o, line, tp_arena_printf(&o->arena, "%s:%u", path, number), why);
    line = end ? end + 1 : NULL;
  }
  if (!ok) tp_str_printf(why, " (%s:%u)", path, number - 1);
  tp_str_clear(&text);
  return ok;
}

// ------------------------------------------------------------------------ argp

/* Wrong usage. name: "twoproof check"; why: one or several lines. */
static void refuse(const char *name, const char *why) {
  for (const char *line = why, *end; line; line = *end ? end + 1 : NULL) {
    end = line + strcspn(line, "\n");
    fprintf(stderr, "%s: %.*s\n", name, (int)(end - line), line);
  }
  fprintf(stderr, "Try '%s --help'.\n", name);
  exit(TP_EXIT_USAGE);
}

enum { FIRST_KEY = 1000 };

static error_t parse_one(int key, char *arg, struct argp_state *state) {
  tp_options *o = state->input;
  if (key == ARGP_KEY_ARG) {
    tp_vec_push(&o->files, arg);
    return 0;
  }
  if (key == ARGP_KEY_NO_ARGS && !o->limits && !o->project[0])
    refuse(state->argv[0], "no file given");
  for (size_t i = 0; i < tp_n_option_rows; i++) {
    const row *r = &tp_option_rows[i];
    if (key != (r->letter ? r->letter : FIRST_KEY + (int)i)) continue;
    tp_str why = {0};
    bool ok = set_option(o, r, arg ? arg : "", tp_arena_printf(&o->arena, "--%s", r->name), &why);
    if (ok && strcmp(r->name, "config") == 0) ok = read_config(o, arg, &why);
    if (!ok) refuse(state->argv[0], why.text);
    tp_str_clear(&why);
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static void parse_all(tp_options *o, unsigned command, char *name, int argc, char **argv) {
  struct argp_option *options = TP_NEW_ARRAY(struct argp_option, tp_n_option_rows + 1);
  for (size_t i = 0, n = 0; i < tp_n_option_rows; i++) {
    const row *r = &tp_option_rows[i];
    if (!(r->commands & command)) continue;
    options[n++] = (struct argp_option){
        r->name, r->letter ? r->letter : FIRST_KEY + (int)i, r->argument, 0, r->help, 0};
  }
  const tp_option_command *c = tp_option_command_of(command);
  struct argp argp = {options, parse_one, c->usage, c->about, NULL, NULL, NULL};
  argv[0] = name;
  argp_err_exit_status = TP_EXIT_USAGE;
  const int failure = argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, o);
  tp_free(options);
  if (failure == ENOMEM) tp_out_of_memory(0);
  if (failure) exit(TP_EXIT_USAGE);
}

static size_t columns_of_output(void) {
  struct winsize w;
  if (ioctl(1, TIOCGWINSZ, &w) != 0 || w.ws_col == 0) return TP_APP_HELP_COLUMNS;
  return w.ws_col < TP_APP_HELP_LEAST_COLUMNS  ? TP_APP_HELP_LEAST_COLUMNS
         : w.ws_col > TP_APP_HELP_MOST_COLUMNS ? TP_APP_HELP_MOST_COLUMNS
                                               : w.ws_col;
}

/* -h, --help, --help=GROUP, --version end the process. */
static void answer_help(unsigned command, int argc, char *const *argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *group = NULL;
    if (strcmp(argv[i], "--version") == 0) {
      tp_str text = {0};
      tp_version_print(&text);
      fputs(tp_str_text(&text), stdout);
      tp_str_clear(&text);
      exit(fflush(stdout) ? TP_EXIT_OUTPUT : 0);
    }
    if (strncmp(argv[i], "--help=", 7) == 0)
      group = argv[i] + 7;
    else if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0)
      continue;
    tp_str text = {0};
    const bool is_known = tp_options_help(command, group, columns_of_output(), &text);
    if (is_known)
      fputs(tp_str_text(&text), stdout);
    else
      fprintf(stderr,
              "twoproof: --help: no group '%s'; groups are everyday, engines, experiments, all\n",
              group);
    tp_str_clear(&text);
    exit(!is_known ? TP_EXIT_USAGE : fflush(stdout) ? TP_EXIT_OUTPUT : 0);
  }
}

/* What stands behind "--" is for the compiler. Returns how many arguments stand before. */
static int take_compiler_flags(tp_options *o, unsigned command, int argc, char **argv,
                               tp_str *why) {
  int n = 1;
  while (n < argc && strcmp(argv[n], "--") != 0) n++;
  if (n < argc - 1 && !(command & TP_FOR_SOURCE))
    tp_str_add(why, "nothing is compiled here: flags behind '--' have no use");
  for (int i = n + 1, used; i < argc && !why->n; i += 1 + used) {
    tp_str reason = {0};
    if (tp_compiler_flag_take(&o->clang_args, argc - i, argv + i, &used, &reason) ==
        TP_COMPILER_FLAG_UNKNOWN)
      tp_str_printf(why, "'%s' behind '--' is no flag of the compiler that is understood here%s",
                    argv[i], argv[i][0] == '-' ? "" : "; files stand before '--'");
    else if (reason.n)
      tp_str_printf(why, "'%s' behind '--': %s", argv[i], tp_str_text(&reason));
    tp_str_clear(&reason);
  }
  return n;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n > n_end && strcmp(text + n - n_end, end) == 0;
}

/* A source file in the place of another file: it would be overwritten, or read as C. */
static bool files_are_in_place(const tp_options *o, unsigned command, tp_str *why) {
  if (ends_with(o->stats, ".c") || ends_with(o->stats, ".i")) {
    tp_str_printf(why, "--stats=FILE is written: '%s' is a source file", o->stats);
    return false;
  }
  for (size_t i = 0; i < o->files.n && command & TP_FOR_SOURCE; i++)
    if (ends_with(o->files.at[i], ".yml")) {
      tp_str_printf(why, "'%s' is no C file; task definitions are run by 'twoproof bench %s'",
                    o->files.at[i], o->files.at[i]);
      return false;
    }
  return true;
}

/* Options that contradict each other. */
static bool fits_together(const tp_options *o, unsigned command, tp_str *why) {
  if (!files_are_in_place(o, command, why)) return false;
  if (o->unroll > UINT32_MAX) {
    tp_str_add(why, "--unroll: at most 4294967295");
    return false;
  }
  const bool knows_bounds = strcmp(o->engine, "auto") == 0 || strcmp(o->engine, "bmc") == 0;
  if (!(command & TP_FOR_RUNS) || !o->unroll || knows_bounds) return true;
  tp_str_printf(why, "--unroll: engine %s knows no bounds; --engine=bmc does", o->engine);
  return false;
}

void tp_options_parse(tp_options *o, unsigned command, int argc, char **argv) {
  TP_REQUIRE(argc >= 1);
  memset(o, 0, sizeof *o);
  o->command = command;
  set_defaults(o);
  char name[64];
  snprintf(name, sizeof name, "twoproof %s", tp_option_command_of(command)->name);
  answer_help(command, argc, argv);
  tp_str why = {0};
  argc = take_compiler_flags(o, command, argc, argv, &why);
  if (!why.n && !tp_options_find_unknown(command, argc, argv, &why)) {
    parse_all(o, command, name, argc, argv);
    if (fits_together(o, command, &why) && tp_options_compose(o, &why) &&
        tp_options_read_precision(o, &why) && tp_options_set_search(o, &why))
      return;
  }
  refuse(name, tp_str_text(&why));
}

static const row *text_row(const char *name) {
  for (size_t i = 0; i < tp_n_option_rows; i++)
    if (tp_option_rows[i].type == TP_OPTION_TEXT && strcmp(tp_option_rows[i].name, name) == 0)
      return &tp_option_rows[i];
  TP_INVARIANT(false && "names are of the table");
  return NULL;
}

const char *tp_option_text(const tp_options *o, const char *name) {
  return *(const char *const *)((const char *)o + text_row(name)->offset);
}

bool tp_option_is_default(const tp_options *o, const char *name) {
  // a value that was given is a text of its own, even if it is equal
  return tp_option_text(o, name) == text_row(name)->value;
}

bool tp_option_offer(tp_options *o, const char *name, const char *value, tp_str *why) {
  TP_REQUIRE(o && value && why);
  return !tp_option_is_default(o, name) || set_option(o, text_row(name), value, NULL, why);
}

void tp_options_clear(tp_options *o) {
  tp_vec_clear(&o->clang_args);
  tp_vec_clear(&o->files);
  tp_vec_clear(&o->heads);
  tp_vec_clear(&o->settings);
  for (size_t i = 0; i < tp_n_option_rows; i++)
    if (tp_option_rows[i].type == TP_OPTION_PATHS)
      tp_vec_clear((tp_option_paths *)((char *)o + tp_option_rows[i].offset));
  tp_arena_clear(&o->arena);
  tp_intake_clear();
}

// ---------------------------------------------------------------------- manual

void tp_options_document(tp_str *out) {
  tp_str_add(out,
             "# Options\n\nGenerated from the options table (`src/app/options.h`) by "
             "`tools/options-doc`.\n");
  for (size_t c = 0; c < tp_n_option_commands; c++) {
    tp_str_printf(out, "\n## twoproof %s [options] %s\n\n%s\n\n", tp_option_commands[c].name,
                  tp_option_commands[c].usage, tp_option_commands[c].about);
    tp_str_add(out, "| option | meaning | values | default |\n|---|---|---|---|\n");
    for (size_t i = 0; i < tp_n_option_rows; i++) {
      const row *r = &tp_option_rows[i];
      if (!(r->commands & (1u << c))) continue;
      tp_str_add(out, "| ");
      if (r->letter) tp_str_printf(out, "`-%c`, ", r->letter);
      tp_str_printf(out, "`--%s%s%s` | %s | ", r->name, r->argument ? "=" : "",
                    r->argument ? r->argument : "", r->help);
      for (const char *p = r->choices; p && *p; p++)
        tp_str_add(out, *p == '|' ? ", " : (char[2]){*p, 0});
      tp_str_printf(out, " | %s |\n", r->value);
    }
  }
}

// ------------------------------------------------------------------------ uses

tp_front_options tp_options_front(const tp_options *o, tp_property property) {
  return (tp_front_options){
      .files = (const char *const *)o->files.at,
      .n_files = o->files.n,
      .property = property,
      .machine = strcmp(o->machine, "ilp32") == 0 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64,
      .shows_choices = o->command == TP_FOR_TEST,
      .clang_memory_mb = (uint32_t)o->memlimit,
      .clang_args = (const char *const *)o->clang_args.at,
      .n_clang_args = o->clang_args.n};
}

bool tp_options_colour(const tp_options *o) {
  const char *refused = getenv("NO_COLOR");  // no-color.org: any value but the empty one
  if (strcmp(o->color, "auto") == 0) return isatty(2) != 0 && !(refused && refused[0]);
  return strcmp(o->color, "always") == 0;
}

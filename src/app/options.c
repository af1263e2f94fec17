/* From the table to argp, to configuration files and to the manual page. */
#include "app/options.h"

#include "app/compose.h"
#include "app/exit.h"
#include "app/settings.h"
#include "base/files.h"
#include "base/process.h"
#include "proof/configurations.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef enum { FLAG, COUNT, TEXT, UINT, SECONDS, PATHS, LIST, SETTING } option_type;

typedef struct {
  option_type type;
  size_t offset;
  const char *name;
  int letter;
  const char *argument, *value, *choices;
  unsigned commands;
  const char *help;
} row;

static const row rows[] = {
#define TP_O(type, field, name, letter, argument, value, choices, commands, help) \
  {type, offsetof(tp_options, field), name, letter, argument, value, choices, commands, help},
    TP_OPTIONS(TP_O)
#undef TP_O
};
enum { N_ROWS = sizeof rows / sizeof *rows, FIRST_KEY = 1000 };

static const struct {
  const char *name, *usage, *about;
} commands[] = {
    {"check", "FILE.c...",
     "Verify a C program: TRUE with a checked proof, FALSE with inputs that make the compiled "
     "program fail, or UNKNOWN."},
    {"replay", "FILE.c... TEST",
     "Run a test (inputs in the order of asking) on the concrete machine and on builds of clang "
     "and gcc."},
    {"dump", "FILE.c...", "Print the program model."},
    {"bench", "DIR|SET|TASK.yml...",
     "Verify many tasks and compare with the verdicts that their .yml files expect."},
    {"adequacy", "FILE.c...",
     "Are these tests enough? Lists the abstract states that they miss, and verifies the program "
     "from what they reach."},
    {"spec", "FILE.c...", "Contracts of functions and data structures (doc/specifications.md)."},
};

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
    case FLAG: *(unsigned *)field = 1; return true;
    case COUNT: ++*(unsigned *)field; return true;
    case PATHS: tp_vec_push((tp_option_paths *)field, value); return true;
    case LIST:
      ++*(unsigned *)field;
      tp_vec_push(&o->clang_args, tp_arena_printf(&o->arena, "-%c%s", r->letter, value));
      return true;
    case TEXT:
      if (!check_choice(r, value, why)) return false;
      *(const char **)field = value;
      return true;
    case SETTING: return check_choice(r, value, why) && add_setting(o, r, value, origin, why);
    case UINT: {
      unsigned long long n = strtoull(value, &end, 10);
      if (value[0] < '0' || value[0] > '9' || *end || errno) break;
      *(uint64_t *)field = n;
      return true;
    }
    case SECONDS: {
      double s = strtod(value, &end);
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
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].type == TEXT || rows[i].type == UINT || rows[i].type == SECONDS)
      set_option(o, &rows[i], rows[i].value, NULL, &why);
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
  for (size_t i = 0; i < N_ROWS; i++)
    if (strcmp(rows[i].name, name) == 0 && strcmp(name, "config") != 0)
      return set_option(o, &rows[i], value, origin, why);
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
    tp_str_printf(why, "cannot read configuration %s: %s", path, strerror(errno));
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

static error_t parse_one(int key, char *arg, struct argp_state *state) {
  tp_options *o = state->input;
  if (key == ARGP_KEY_ARG) {
    tp_vec_push(&o->files, arg);
    return 0;
  }
  if (key == ARGP_KEY_NO_ARGS && !o->limits) argp_error(state, "no file given");
  for (size_t i = 0; i < N_ROWS; i++) {
    const row *r = &rows[i];
    if (key != (r->letter ? r->letter : FIRST_KEY + (int)i)) continue;
    tp_str why = {0};
    bool ok = set_option(o, r, arg ? arg : "", tp_arena_printf(&o->arena, "--%s", r->name), &why);
    if (ok && strcmp(r->name, "config") == 0) ok = read_config(o, arg, &why);
    if (!ok) argp_error(state, "%s", why.text);
    tp_str_clear(&why);
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

void tp_options_parse(tp_options *o, unsigned command, int argc, char **argv) {
  memset(o, 0, sizeof *o);
  set_defaults(o);
  struct argp_option options[N_ROWS + 1] = {{0}};
  for (size_t i = 0, n = 0; i < N_ROWS; i++) {
    const row *r = &rows[i];
    if (!(r->commands & command)) continue;
    options[n++] = (struct argp_option){
        r->name, r->letter ? r->letter : FIRST_KEY + (int)i, r->argument, 0, r->help, 0};
  }
  size_t c = 0;
  while (command >> (c + 1)) c++;
  char name[64];
  snprintf(name, sizeof name, "twoproof %s", commands[c].name);
  argv[0] = name;
  struct argp argp = {options, parse_one, commands[c].usage, commands[c].about, NULL, NULL, NULL};
  argp_err_exit_status = TP_EXIT_USAGE;
  const int failure = argp_parse(&argp, argc, argv, 0, NULL, o);
  if (failure == ENOMEM) tp_out_of_memory(0);
  if (failure) exit(TP_EXIT_USAGE);
  tp_str why = {0};
  if (tp_options_compose(o, &why) && tp_options_read_precision(o, &why) &&
      tp_options_set_search(o, &why))
    return;
  fprintf(stderr, "%s: %s\n", name, tp_str_text(&why));
  exit(TP_EXIT_USAGE);
}

void tp_options_clear(tp_options *o) {
  tp_vec_clear(&o->clang_args);
  tp_vec_clear(&o->files);
  tp_vec_clear(&o->settings);
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].type == PATHS) tp_vec_clear((tp_option_paths *)((char *)o + rows[i].offset));
  tp_arena_clear(&o->arena);
  tp_intake_clear();
}

static bool take_in(const char *path, tp_intake_kind kind) {
  tp_str why = {0};
  const bool ok = !path || !path[0] || tp_intake(path, kind, &why) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: %s: %s\n", path, tp_str_text(&why));
  tp_str_clear(&why);
  return ok;
}

bool tp_options_take_in(const tp_options *o, bool has_result) {
  const char *const texts[] = {strchr(o->property, '/') ? o->property : NULL, o->monitor,
                               o->contracts, o->predicates, o->tests};
  bool ok = true;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    ok = ok && take_in(texts[i], TP_INTAKE_TEXT);
  for (size_t i = 0; i < o->shape_class.n; i++)
    ok = ok && take_in(o->shape_class.at[i], TP_INTAKE_TEXT);
  for (size_t i = 0; i < o->files.n; i++) ok = ok && take_in(o->files.at[i], TP_INTAKE_SOURCE);
  if (ok) return true;
  tp_temp_remove_all();
  if (has_result)
    puts("UNKNOWN: the input cannot be read\nRESULT: unknown(the input cannot be read)");
  return false;
}

// ---------------------------------------------------------------------- manual

void tp_options_document(tp_str *out) {
  tp_str_add(out,
             "# Options\n\nGenerated from the options table (`src/app/options.h`) by "
             "`tools/options-doc`.\n");
  for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
    tp_str_printf(out, "\n## twoproof %s [options] %s\n\n%s\n\n", commands[c].name,
                  commands[c].usage, commands[c].about);
    tp_str_add(out, "| option | meaning | values | default |\n|---|---|---|---|\n");
    for (size_t i = 0; i < N_ROWS; i++) {
      const row *r = &rows[i];
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
      .clang_memory_mb = (uint32_t)o->memlimit,
      .clang_args = (const char *const *)o->clang_args.at,
      .n_clang_args = o->clang_args.n};
}

bool tp_options_colour(const tp_options *o) {
  if (strcmp(o->color, "auto") == 0) return isatty(2) != 0;
  return strcmp(o->color, "always") == 0;
}

/* --help from the options table, and what an unknown option could have meant. */
#include "app/options_table.h"

#include "app/foreign_options.h"
#include "base/nearest.h"

const struct tp_option_group_row tp_option_groups[TP_N_OPTION_GROUPS] = {
    [TP_OPTION_EVERYDAY] = {"everyday", "Every day"},
    [TP_OPTION_ENGINES] = {"engines", "Engines"},
    [TP_OPTION_EXPERIMENTS] = {"experiments", "Experiments"}};

enum { NAME_COLUMNS = 28 };

// ---------------------------------------------------------------------- layout

/* Words in lines of at most `columns`, each line behind the first indented. column: where the first
 * word stands. */
static void add_words(const char *text, size_t column, size_t indent, size_t columns, tp_str *out) {
  bool is_first = true;
  while (*text) {
    text += strspn(text, " ");
    const size_t n = strcspn(text, " ");
    if (!n) break;
    if (!is_first && column + 1 + n > columns) {
      tp_str_printf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!is_first) {
      tp_str_add_char(out, ' ');
      column++;
    }
    tp_str_add_n(out, text, n);
    column += n;
    text += n;
    is_first = false;
  }
  tp_str_add_char(out, '\n');
}

size_t tp_option_clause(const tp_option_row *r) {
  static const char *const ends[] = {"; ", ": ", ". ", " (", ", which"};
  size_t n = strlen(r->help);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const char *end = strstr(r->help, ends[i]);
    if (end && (size_t)(end - r->help) < n) n = (size_t)(end - r->help);
  }
  return n;
}

/* "what malloc does (never-fails, may-fail, zeroed) [never-fails]": the first clause, and values
 * where there is room. */
static void add_short(const tp_option_row *r, size_t room, tp_str *out) {
  const size_t n = tp_option_clause(r);
  tp_str_add_n(out, r->help, n);
  if (r->choices && n + strlen(r->choices) + 3 <= room) {
    tp_str_add(out, " (");
    for (const char *c = r->choices; *c; c++) tp_str_add_char(out, *c == '|' ? '/' : *c);
    tp_str_add_char(out, ')');
  }
  if (r->value[0] && strcmp(r->value, "0") != 0 && out->n + strlen(r->value) + 3 <= room)
    tp_str_printf(out, " [%s]", r->value);
}

static void add_long(const tp_option_row *r, tp_str *out) {
  tp_str_add(out, r->help);
  if (r->choices) {
    tp_str_add(out, ": ");
    for (const char *c = r->choices; *c; c++) tp_str_add(out, *c == '|' ? ", " : (char[]){*c, 0});
  }
  if (r->value[0] && strcmp(r->value, "0") != 0) tp_str_printf(out, " [%s]", r->value);
}

/* "  -v, --verbose           say more ..." */
static void add_row(const tp_option_row *r, bool is_short, size_t columns, tp_str *out) {
  const size_t start = out->n;
  tp_str_add(out, "  ");
  if (r->letter) tp_str_printf(out, "-%c, ", r->letter);
  tp_str_printf(out, "--%s%s%s", r->name, r->argument ? "=" : "", r->argument ? r->argument : "");
  size_t column = out->n - start;
  if (column + 1 > NAME_COLUMNS) {
    tp_str_printf(out, "\n%*s", NAME_COLUMNS, "");
    column = NAME_COLUMNS;
  }
  for (; column < NAME_COLUMNS; column++) tp_str_add_char(out, ' ');
  tp_str text = {0};
  if (is_short)
    add_short(r, columns - NAME_COLUMNS, &text);
  else
    add_long(r, &text);
  add_words(text.text, column, NAME_COLUMNS, columns, out);
  tp_str_clear(&text);
}

static void add_group(unsigned command, tp_option_group group, bool is_short, size_t columns,
                      tp_str *out) {
  bool is_first = true;
  for (size_t i = 0; i < tp_n_option_rows; i++) {
    const tp_option_row *r = &tp_option_rows[i];
    if (r->group != group || !(r->commands & command)) continue;
    if (is_first)
      tp_str_printf(out, "\n%s%s:\n", tp_option_groups[group].title,
                    is_short ? " (in full: --help=everyday)" : "");
    is_first = false;
    add_row(r, is_short, columns, out);
  }
}

/* "Engines (--help=engines): --analysis --config ..." */
static void add_names(unsigned command, tp_option_group group, size_t columns, tp_str *out) {
  tp_str names = {0};
  for (size_t i = 0; i < tp_n_option_rows; i++) {
    const tp_option_row *r = &tp_option_rows[i];
    if (r->group == group && (r->commands & command)) tp_str_printf(&names, "--%s ", r->name);
  }
  if (names.n) {
    tp_str_printf(out, "\n%s (explained by --help=%s):\n  ", tp_option_groups[group].title,
                  tp_option_groups[group].name);
    add_words(names.text, 2, 2, columns, out);
  }
  tp_str_clear(&names);
}

bool tp_options_help(unsigned command, const char *group, size_t columns, tp_str *out) {
  TP_REQUIRE(out && columns >= 40);
  const tp_option_command *c = tp_option_command_of(command);
  const bool is_all = group && strcmp(group, "all") == 0;
  bool is_known = !group || is_all;
  tp_str_printf(out, "Usage: twoproof %s [options] %s\n", c->name, c->usage);
  if (c->other_usages) tp_str_add(out, c->other_usages);
  add_words(c->about, 0, 0, columns, out);
  for (tp_option_group g = 0; g < TP_N_OPTION_GROUPS; g++) {
    const bool is_asked = group && strcmp(group, tp_option_groups[g].name) == 0;
    is_known |= is_asked;
    if (is_all || is_asked || (!group && g == TP_OPTION_EVERYDAY))
      add_group(command, g, !group, columns, out);
    else if (!group)
      add_names(command, g, columns, out);
  }
  return is_known;
}

// ------------------------------------------------------------------- suggestions

/* Names of the subcommand's options, ended by NULL. */
static const char **names_of(unsigned command) {
  const char **names = TP_NEW_ARRAY(const char *, tp_n_option_rows + 3);
  size_t n = 0;
  for (size_t i = 0; i < tp_n_option_rows; i++)
    if (tp_option_rows[i].commands & command) names[n++] = tp_option_rows[i].name;
  names[n++] = "help";
  return names;
}

/* As for getopt_long, the beginning of a name is enough if no other name begins so. */
static bool is_option(const char *const *names, const char *text, size_t n) {
  size_t n_found = 0;
  for (size_t i = 0; names[i]; i++) {
    if (strncmp(names[i], text, n) != 0) continue;
    if (names[i][n] == 0) return true;
    n_found++;
  }
  return n_found == 1;
}

/* Options of other verifiers often have one dash. True: `text`, behind one dash, is a word and no
 * option of one letter. */
static bool is_word(unsigned command, const char *text) {
  if (!text[0] || !text[1]) return false;
  if (strcmp(text, "help") == 0 || tp_foreign_option_hint(text)) return true;
  for (size_t i = 0; i < tp_n_option_rows; i++)
    if ((tp_option_rows[i].commands & command) && strcmp(tp_option_rows[i].name, text) == 0)
      return true;
  return false;
}

static void explain_unknown(const char *dashes, const char *name, const char *const *names,
                            tp_str *why) {
  const char *hint = tp_foreign_option_hint(name), *near = tp_nearest_name(name, names);
  tp_str_printf(why, "unknown option '%s%s'", dashes, name);
  if (hint)
    tp_str_printf(why, ": %s", hint);
  else if (near)
    tp_str_printf(why, "; did you mean '--%s'?", near);
}

bool tp_options_find_unknown(unsigned command, int argc, char *const *argv, tp_str *why) {
  TP_REQUIRE(argc >= 1 && argv && why);
  const char **names = names_of(command);
  bool found = false;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const bool has_two = strncmp(argv[i], "--", 2) == 0;
    if (argv[i][0] != '-') continue;
    const char *name = argv[i] + (has_two ? 2 : 1);
    const size_t n = strcspn(name, "=");
    tp_str text = {0};
    tp_str_add_n(&text, name, n);
    if (has_two ? !is_option(names, name, n) : is_word(command, tp_str_text(&text))) {
      if (found) tp_str_add_char(why, '\n');
      explain_unknown(has_two ? "--" : "-", tp_str_text(&text), names, why);
      found = true;
    }
    tp_str_clear(&text);
  }
  tp_free(names);
  return found;
}

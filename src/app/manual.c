/* Texts of the tables as source of man(7). */
#include "app/manual.h"

#include "app/exit.h"
#include "app/options_table.h"
#include "app/version.h"

#include <ctype.h>

// ------------------------------------------------------------------------ text

/* Plain words: a dash that can be copied, no escape, no request at the beginning. */
static void add_n(tp_str *out, const char *text, size_t n) {
  if (n && (text[0] == '.' || text[0] == '\'') && (!out->n || out->text[out->n - 1] == '\n'))
    tp_str_add(out, "\\&");
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '\\')
      tp_str_add(out, "\\e");
    else if (text[i] == '-')
      tp_str_add(out, "\\-");
    else
      tp_str_add_char(out, text[i]);
  }
}

static void add(tp_str *out, const char *text) { add_n(out, text, strlen(text)); }

static void add_bold(tp_str *out, const char *text) {
  tp_str_add(out, "\\fB");
  add(out, text);
  tp_str_add(out, "\\fR");
}

static void add_heading(tp_str *out, const char *title) { tp_str_printf(out, ".SH %s\n", title); }

/* .TH and NAME. command: NULL for twoproof(1). */
static void add_head(const char *command, const char *about, tp_str *out) {
  tp_str_add(out, ".\\\" Generated from the tables of commands and options.\n.TH TWOPROOF");
  if (command) tp_str_add(out, "\\-");
  for (const char *c = command; c && *c; c++)
    tp_str_add_char(out, (char)toupper((unsigned char)*c));
  tp_str_printf(out, " 1 \"\" \"Twoproof %s\" \"User Commands\"\n", tp_version_number);
  add_heading(out, "NAME");
  tp_str_printf(out, "twoproof%s%s \\- ", command ? "\\-" : "", command ? command : "");
  add(out, about);
  tp_str_add_char(out, '\n');
}

static void add_statuses(tp_str *out) {
  add_heading(out, "EXIT STATUS");
  for (size_t i = 0; i < tp_n_exit_rows; i++) {
    tp_str_printf(out, ".TP\n%d\n", tp_exit_rows[i].status);
    add(out, tp_exit_rows[i].meaning);
    tp_str_add_char(out, '\n');
  }
}

/* Where the documents are that help texts name. */
static void add_files(tp_str *out) {
  add_heading(out, "FILES");
  tp_str_add(out, ".TP\n.I share/doc/twoproof\n");
  add(out,
      "of the prefix of the installation (/usr, /usr/local): documents, which help texts name "
      "as doc/NAME.md, and examples.\n");
  tp_str_add(out, ".TP\n.I lib/twoproof\n");
  add(out,
      "library models, shape classes, contracts of the C library and headers of containers.\n");
}

/* Both for twoproof(1), whose list has no command left out, and for the others. */
static void add_see_also(tp_commands commands, const char *command, tp_str *out) {
  add_heading(out, "SEE ALSO");
  bool is_first = true;
  for (size_t i = 0; i <= commands.n; i++) {
    const char *name = i ? commands.at[i - 1].name : "";
    if (i ? command && strcmp(name, command) == 0 : !command) continue;
    tp_str_printf(out, "%s.BR twoproof%s%s (1)", is_first ? "" : ",\n", i ? "\\-" : "", name);
    is_first = false;
  }
  tp_str_add_char(out, '\n');
}

// --------------------------------------------------------------------- overview

void tp_manual_overview(tp_commands commands, tp_str *out) {
  TP_REQUIRE(out && commands.n > 0);
  add_head(NULL, "verify C programs: proofs, and inputs that make them fail", out);
  add_heading(out, "SYNOPSIS");
  add_bold(out, "twoproof");
  tp_str_add(out, " \\fICOMMAND\\fR [\\fIoptions\\fR] \\fIFILE\\fR...\n.br\n");
  add_bold(out, "twoproof");
  tp_str_add(out, " \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n");
  add_heading(out, "DESCRIPTION");
  add(out,
      "Twoproof looks for a proof that a C program keeps a safety property, and for inputs that "
      "break it, at the same time.\n"
      "TRUE comes with a certificate that code which shares nothing with the engines has checked; "
      "FALSE comes with inputs that were replayed on the compiled program; UNKNOWN says why, "
      "where, "
      "and what to do next.\n");
  add_heading(out, "COMMANDS");
  for (size_t i = 0; i < commands.n; i++) {
    tp_str_printf(out, ".TP\n.BR twoproof\\-%s (1)\n", commands.at[i].name);
    add(out, commands.at[i].about);
    tp_str_add_char(out, '\n');
  }
  add_statuses(out);
  add_files(out);
  add_see_also(commands, NULL, out);
}

// ---------------------------------------------------------------------- command

static void add_option(const tp_option_row *r, tp_str *out) {
  tp_str_add(out, ".TP\n");
  if (r->letter) {
    add_bold(out, (char[]){'-', (char)r->letter, 0});
    tp_str_add(out, ", ");
  }
  tp_str_add(out, "\\fB\\-\\-");
  add(out, r->name);
  tp_str_add(out, "\\fR");
  if (r->argument) {
    tp_str_add(out, "=\\fI");
    add(out, r->argument);
    tp_str_add(out, "\\fR");
  }
  tp_str_add_char(out, '\n');
  add(out, r->help);
  for (const char *c = r->choices, *end; c; c = *end ? end + 1 : NULL) {
    end = c + strcspn(c, "|");
    tp_str_add(out, c == r->choices ? ": \\fB" : ", \\fB");
    add_n(out, c, (size_t)(end - c));
    tp_str_add(out, "\\fR");
  }
  if (r->value[0] && strcmp(r->value, "0") != 0) {
    tp_str_add(out, " [");
    add(out, r->value);
    tp_str_add_char(out, ']');
  }
  tp_str_add_char(out, '\n');
}

static void add_options(unsigned command, tp_str *out) {
  add_heading(out, "OPTIONS");
  for (tp_option_group g = 0; g < TP_N_OPTION_GROUPS; g++) {
    bool is_first = true;
    for (size_t i = 0; i < tp_n_option_rows; i++) {
      const tp_option_row *r = &tp_option_rows[i];
      if (r->group != g || !(r->commands & command)) continue;
      if (is_first) tp_str_printf(out, ".SS %s\n", tp_option_groups[g].title);
      is_first = false;
      add_option(r, out);
    }
  }
}

static void add_examples(const tp_option_command *c, tp_str *out) {
  const size_t n = sizeof c->examples / sizeof *c->examples;
  if (c->examples[0].line) add_heading(out, "EXAMPLES");
  for (size_t i = 0; i < n && c->examples[i].line; i++) {
    tp_str_add(out, ".TP\n");
    add_bold(out, c->examples[i].line);
    tp_str_add_char(out, '\n');
    add(out, c->examples[i].meaning);
    tp_str_add_char(out, '\n');
  }
}

/* What stands in the table of options, for a command that takes its options from there. */
static void add_row(unsigned command, tp_str *out) {
  const tp_option_command *c = tp_option_command_of(command);
  tp_str_add(out, " [\\fIoptions\\fR] ");
  add(out, c->usage);
  tp_str_add_char(out, '\n');
  for (const char *at = c->other_usages; at && *at;) {
    at += strspn(at, " \n");
    const size_t n = strcspn(at, "\n");
    if (n) tp_str_add(out, ".br\n");
    add_n(out, at, n);
    if (n) tp_str_add_char(out, '\n');
    at += n;
  }
  add_heading(out, "DESCRIPTION");
  add(out, c->about);
  tp_str_add_char(out, '\n');
  add_options(command, out);
  add_examples(c, out);
}

/* Of a command that takes its arguments itself. */
static void add_own_words(const tp_command *c, tp_str *out) {
  TP_REQUIRE(c->usage && c->details);
  tp_str_add_char(out, ' ');
  add(out, c->usage);
  tp_str_add_char(out, '\n');
  add_heading(out, "DESCRIPTION");
  add(out, c->details);
  tp_str_add_char(out, '\n');
}

bool tp_manual_command(tp_commands commands, const char *name, tp_str *out) {
  TP_REQUIRE(name && out);
  for (size_t i = 0; i < commands.n; i++) {
    if (strcmp(commands.at[i].name, name) != 0) continue;
    add_head(name, commands.at[i].about, out);
    add_heading(out, "SYNOPSIS");
    tp_str_add(out, "\\fBtwoproof ");
    add(out, name);
    tp_str_add(out, "\\fR");
    size_t row = 0;
    while (row < tp_n_option_commands && strcmp(tp_option_commands[row].name, name) != 0) row++;
    if (row < tp_n_option_commands) {
      add_row(1u << row, out);
      add_statuses(out);
    } else {
      add_own_words(&commands.at[i], out);
    }
    add_files(out);
    add_see_also(commands, name, out);
    return true;
  }
  return false;
}

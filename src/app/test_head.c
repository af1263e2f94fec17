/* Options are read back only if they are of this table: a test is data, it does not say which files
 * are read or written, but for the monitor that the run was watched by. */
#include "app/test_head.h"

static const char *const keys[] = {"property", "machine", "malloc",
                                   "missing",  "monitor", "confirm"};
enum { N_KEYS = sizeof keys / sizeof *keys, N_ALWAYS = 2 /* others where they were given */ };

static bool has_control(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ') return true;
  return false;
}

// --------------------------------------------------------------------- writing

static bool is_plain_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr("_-+./=,:@%", c));
}

static void add_word(const char *text, tp_str *out) {
  if (out->n) tp_str_add_char(out, ' ');
  bool is_plain = *text;
  for (const char *c = text; *c; c++) is_plain &= is_plain_character(*c);
  if (is_plain) {
    tp_str_add(out, text);
    return;
  }
  tp_str_add_quoted(out, text);
}

void tp_test_replay_command(const tp_options *o, tp_str *out) {
  TP_REQUIRE(o && out && o->output[0]);
  tp_str command = {0};
  add_word("twoproof", &command);
  add_word("replay", &command);
  if (o->project[0]) {
    tp_str project = {0};
    tp_str_printf(&project, "--project=%s", o->project);
    add_word(tp_str_text(&project), &command);
    tp_str_clear(&project);
  }
  for (size_t i = 0; i + o->n_linked < o->files.n; i++) add_word(o->files.at[i], &command);
  tp_str test = {0};
  tp_str_printf(&test, "%s/inputs.txt", o->output);
  add_word(tp_str_text(&test), &command);
  const size_t n_args = o->project[0] ? o->n_own_args : o->clang_args.n;
  if (n_args) add_word("--", &command);
  for (size_t i = 0; i < n_args; i++) add_word(o->clang_args.at[i], &command);
  if (!has_control(command.text)) tp_str_add_n(out, command.text, command.n);
  tp_str_clear(&test);
  tp_str_clear(&command);
}

/* In comments of XML "--" has no place; such a value is left to the command line. */
static void add_comment(const char *key, const char *value, tp_test_form form, tp_str *out) {
  if (!value[0] || has_control(value)) return;
  if (form == TP_TEST_PLAIN)
    tp_str_printf(out, "# %s: %s\n", key, value);
  else if (!strstr(value, "--") && value[strlen(value) - 1] != '-')
    tp_str_printf(out, "  <!-- %s: %s -->\n", key, value);
}

void tp_test_head_write(const tp_options *o, tp_property property, tp_test_form form, tp_str *out) {
  TP_REQUIRE(o && out);
  for (size_t k = 0; k < N_KEYS; k++) {
    const bool is_said = k < N_ALWAYS || !tp_option_is_default(o, keys[k]);
    const char *value = k == 0 ? tp_property_name(property) : tp_option_text(o, keys[k]);
    if (is_said) add_comment(keys[k], value, form, out);
  }
  if (!o->output[0]) return;
  tp_str command = {0};
  tp_test_replay_command(o, &command);
  add_comment("replay", tp_str_text(&command), form, out);
  tp_str_clear(&command);
}

// --------------------------------------------------------------------- reading

/* The value of "# KEY: VALUE" or "<!-- KEY: VALUE -->" between line and end; NULL: another line. */
static const char *value_of(const char *line, const char *end, const char *key, tp_arena *arena) {
  static const char plain[] = "# ", open[] = "<!-- ", close[] = " -->";
  const size_t n = strlen(key);
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  while (end > line && (end[-1] == '\r' || end[-1] == ' ')) end--;
  const bool is_xml = strncmp(line, open, sizeof open - 1) == 0;
  if (is_xml && ((size_t)(end - line) < sizeof close - 1 ||
                 strncmp(end - (sizeof close - 1), close, sizeof close - 1) != 0))
    return NULL;
  if (!is_xml && strncmp(line, plain, sizeof plain - 1) != 0) return NULL;
  line += is_xml ? sizeof open - 1 : sizeof plain - 1;
  if (is_xml) end -= sizeof close - 1;
  if (line + n + 2 >= end || strncmp(line, key, n) != 0 || line[n] != ':' || line[n + 1] != ' ')
    return NULL;
  line += n + 2;
  return tp_arena_strndup(arena, line, (size_t)(end - line));
}

bool tp_test_head_take(const char *text, tp_options *o, tp_str *why) {
  TP_REQUIRE(text && o && why);
  bool ok = true;
  for (const char *line = text; *line && ok;) {
    const char *end = line + strcspn(line, "\n");
    for (size_t k = 0; k < N_KEYS && ok; k++) {
      const char *value = value_of(line, end, keys[k], &o->arena);
      if (value) ok = tp_option_offer(o, keys[k], value, why);
    }
    line = *end ? end + 1 : end;
  }
  return ok;
}

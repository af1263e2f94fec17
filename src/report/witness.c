/* Strings stand in double quotes, as JSON has them: such a text is YAML, too, and no name of a file
 * or text of a program can end it. */
#include "report/witness.h"

#include "base/sha256.h"

void tp_witness_init(tp_witness *w) {
  memset(w, 0, sizeof *w);
  tp_arena_init(&w->arena);
}

void tp_witness_clear(tp_witness *w) {
  tp_vec_clear(&w->files);
  tp_vec_clear(&w->items);
  tp_vec_clear(&w->remarks);
  tp_arena_clear(&w->arena);
}

/* Bytes from 0x80 on pass where they are UTF-8; others would break the file and stand as '?'. */
static size_t utf8_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  const size_t n = *c < 0x80                 ? 1
                   : *c >= 0xf0 && *c < 0xf5 ? 4
                   : *c >= 0xe0              ? 3
                   : *c >= 0xc2              ? 2
                                             : 0;
  if (*c >= 0xf5) return 0;
  for (size_t i = 1; i < n; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] >= 0xa0) || (*c == 0xf0 && c[1] < 0x90) ||
      (*c == 0xf4 && c[1] >= 0x90))
    return 0;
  return n;
}

static void add_quoted(const char *text, tp_str *out) {
  tp_str_add_char(out, '"');
  for (const char *c = text; *c;) {
    const size_t n = utf8_length(c);
    if (n == 0)
      tp_str_add_char(out, '?');
    else if (*c == '"' || *c == '\\')
      tp_str_printf(out, "\\%c", *c);
    else if (*c == '\n')
      tp_str_add(out, "\\n");
    else if ((unsigned char)*c < ' ' || *c == 127)
      tp_str_printf(out, "\\u%04x", (unsigned)(unsigned char)*c);
    // line ends of Unicode, and what YAML does not let stand unescaped
    else if (n == 2 && (unsigned char)c[0] == 0xc2 && (unsigned char)c[1] < 0xa0)
      tp_str_printf(out, "\\u%04x", (unsigned)(unsigned char)c[1]);
    else if (n == 3 && strncmp(c, "\xe2\x80\xa8", 3) == 0)
      tp_str_add(out, "\\u2028");
    else if (n == 3 && strncmp(c, "\xe2\x80\xa9", 3) == 0)
      tp_str_add(out, "\\u2029");
    else if (n == 3 && strncmp(c, "\xef\xbb\xbf", 3) == 0)
      tp_str_add(out, "\\ufeff");
    else if (n == 3 && (unsigned char)c[0] == 0xef && (unsigned char)c[1] == 0xbf &&
             (unsigned char)c[2] >= 0xbe)
      tp_str_add_char(out, '?');
    else
      tp_str_add_n(out, c, n);
    c += n ? n : 1;
  }
  tp_str_add_char(out, '"');
}

static void add_member(const char *indent, const char *key, const char *value, tp_str *out) {
  if (!value) return;
  tp_str_printf(out, "%s%s: ", indent, key);
  add_quoted(value, out);
  tp_str_add_char(out, '\n');
}

static void add_location(const char *indent, const tp_witness_item *item, tp_str *out) {
  tp_str inner = {0};
  tp_str_printf(&inner, "%s  ", indent);
  tp_str_printf(out, "%slocation:\n", indent);
  add_member(tp_str_text(&inner), "file_name", item->file, out);
  tp_str_printf(out, "%sline: %u\n", inner.text, item->line);
  if (item->column) tp_str_printf(out, "%scolumn: %u\n", inner.text, item->column);
  add_member(tp_str_text(&inner), "function", item->function, out);
  tp_str_clear(&inner);
}

static void add_waypoint(const tp_witness_item *item, bool is_first, tp_str *out) {
  if (is_first) tp_str_add(out, "    - segment:\n");
  tp_str_add(out, "        - waypoint:\n");
  add_member("            ", "type", item->type, out);
  add_member("            ", "action", item->is_avoided ? "avoid" : "follow", out);
  if (item->value) {
    tp_str_add(out, "            constraint:\n");
    add_member("              ", "value", item->value, out);
    add_member("              ", "format", item->format, out);
  }
  add_location("            ", item, out);
}

static void add_invariant(const tp_witness_item *item, tp_str *out) {
  tp_str_add(out, "    - invariant:\n");
  add_member("        ", "type", item->type, out);
  add_location("        ", item, out);
  add_member("        ", "value", item->value, out);
  add_member("        ", "format", item->format, out);
}

static void add_task(const tp_witness *w, tp_str *out) {
  tp_str_add(out, "    task:\n      input_files:\n");
  for (size_t i = 0; i < w->files.n; i++) {
    tp_str_add(out, "        - ");
    add_quoted(w->files.at[i].path, out);
    tp_str_add_char(out, '\n');
  }
  tp_str_add(out, "      input_file_hashes:\n");
  for (size_t i = 0; i < w->files.n; i++) {
    tp_str_add(out, "        ");
    add_quoted(w->files.at[i].path, out);
    tp_str_printf(out, ": \"%s\"\n", w->files.at[i].hash);
  }
  add_member("      ", "specification", w->specification, out);
  add_member("      ", "data_model", w->data_model, out);
  add_member("      ", "language", "C", out);
}

static void add_content(const tp_witness *w, tp_str *out) {
  tp_str_add(out, w->items.n ? "  content:\n" : "  content: []\n");
  for (size_t i = 0; i < w->items.n; i++) {
    const tp_witness_item *item = &w->items.at[i];
    if (w->kind == TP_WITNESS_VIOLATION)
      add_waypoint(item, i == 0 || item->segment != item[-1].segment, out);
    else
      add_invariant(item, out);
  }
}

void tp_witness_print(const tp_witness *w, tp_str *out) {
  TP_REQUIRE(w && out);
  for (size_t i = 0; i < w->remarks.n; i++) {
    tp_str_add(out, "# ");
    tp_str_add_line_text(out, w->remarks.at[i]);
    tp_str_add_char(out, '\n');
  }
  tp_str_printf(out, "- entry_type: \"%s\"\n",
                w->kind == TP_WITNESS_VIOLATION ? "violation_sequence" : "invariant_set");
  tp_str_add(out, "  metadata:\n");
  add_member("    ", "format_version", w->version, out);
  add_member("    ", "uuid", w->uuid, out);
  add_member("    ", "creation_time", w->created, out);
  tp_str_add(out, "    producer:\n");
  add_member("      ", "name", w->producer, out);
  add_member("      ", "version", w->producer_version, out);
  add_member("      ", "configuration", w->configuration, out);
  add_task(w, out);
  add_content(w, out);
}

void tp_witness_name(tp_witness *w) {
  const char *created = w->created;
  tp_str text = {0};
  char hash[TP_SHA256_DIGITS + 1];
  w->uuid = w->created = NULL;
  tp_witness_print(w, &text);
  tp_sha256(tp_str_text(&text), text.n, hash);
  w->created = created;
  w->uuid = tp_arena_printf(&w->arena, "%.8s-%.4s-5%.3s-8%.3s-%.12s", hash, hash + 8, hash + 13,
                            hash + 17, hash + 20);
  tp_str_clear(&text);
}

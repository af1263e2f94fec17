/* Messages for people: severity, text, and the source line with a caret.
 *
 * A source file is read once, when its first line is asked for, and kept with
 * an index of its line starts. Names come from line markers of preprocessed
 * input, so anything may stand there: only regular files of a sane size are
 * opened, everything else has no source lines and its messages go without. */
#include "diag/diag.h"

#include "base/files.h"
#include "diag/diag_limits.h"

#include <stdlib.h>
#include <sys/stat.h>

typedef struct {
  char *path, *shown;     // the name; the same for people, in one line
  bool is_read;           // tried; no lines means: cannot be had
  tp_str text;            // line ends are replaced by 0
  TP_VEC(size_t) starts;  // of each line, in text
} source_file;

struct tp_diag {
  FILE *to;
  bool colour;
  tp_names *names;            // path -> file number
  TP_VEC(source_file) files;  // [0] unused
  size_t counts[TP_ERROR + 1];
};

tp_diag *tp_diag_new(FILE *to, bool colour) {
  tp_diag *d = TP_NEW(tp_diag);
  d->to = to;
  d->colour = colour;
  d->names = tp_names_new();
  tp_vec_push(&d->files, (source_file){0});
  return d;
}

void tp_diag_free(tp_diag *d) {
  if (!d) return;
  for (size_t i = 0; i < d->files.n; i++) {
    tp_free(d->files.at[i].path);
    tp_free(d->files.at[i].shown);
    tp_str_clear(&d->files.at[i].text);
    tp_vec_clear(&d->files.at[i].starts);
  }
  tp_vec_clear(&d->files);
  tp_names_free(d->names);
  tp_free(d);
}

uint32_t tp_diag_file(tp_diag *d, const char *path) {
  if (!path || !*path) return 0;
  uint32_t id = tp_name_of(d->names, path);
  while (d->files.n <= id) tp_vec_push(&d->files, (source_file){0});
  if (!d->files.at[id].path) {
    size_t n = strlen(path) + 1;
    d->files.at[id].path = tp_alloc(n);
    memcpy(d->files.at[id].path, path, n);
    tp_str shown = {0};
    tp_str_add_line_text(&shown, path);
    d->files.at[id].shown = shown.text;
    TP_INVARIANT(shown.text != NULL);  // of a path that is not empty
  }
  return id;
}

const char *tp_diag_path(const tp_diag *d, uint32_t file) {
  return file && file < d->files.n && d->files.at[file].shown ? d->files.at[file].shown : "";
}

const char *tp_diag_path_as_given(const tp_diag *d, uint32_t file) {
  return file && file < d->files.n && d->files.at[file].path ? d->files.at[file].path : "";
}

// ---------------------------------------------------------------- source lines

static bool is_readable_source(const char *path) {
  struct stat st;
  if (tp_intake_text(path)) return true;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= TP_DIAG_SOURCE_BYTES;
}

static void index_lines(source_file *f) {
  TP_REQUIRE(f->starts.n == 0);
  size_t start = 0;
  for (size_t i = 0; i < f->text.n; i++) {
    if (f->text.text[i] != '\n') continue;
    f->text.text[i] = 0;
    if (i > start && f->text.text[i - 1] == '\r') f->text.text[i - 1] = 0;
    tp_vec_push(&f->starts, start);
    start = i + 1;
  }
  if (start < f->text.n) tp_vec_push(&f->starts, start);
}

const char *tp_diag_source_line(tp_diag *d, uint32_t file, uint32_t line) {
  if (!file || file >= d->files.n || !line) return NULL;
  source_file *f = &d->files.at[file];
  if (!f->is_read) {
    f->is_read = true;
    if (f->path && is_readable_source(f->path) && tp_read_file(f->path, &f->text) == TP_OK)
      index_lines(f);
  }
  return line <= f->starts.n ? f->text.text + f->starts.at[line - 1] : NULL;
}

void tp_pos_print(const tp_diag *d, tp_pos pos, tp_str *out) {
  if (!tp_pos_known(pos)) {
    tp_str_add(out, "?");
    return;
  }
  const char *path = tp_diag_path(d, pos.file);
  tp_str_printf(out, "%s:%u", *path ? path : "?", pos.line);
  if (pos.column) tp_str_printf(out, ":%u", pos.column);
}

// -------------------------------------------------------------------- messages

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Bytes to underline from `at`: a name with the members selected from it (p->next.x), a number,
 * or one character. */
static size_t token_length(const char *at) {
  size_t n = 0;
  while (n < TP_DIAG_UNDERLINE_COLUMNS) {
    while (is_word(at[n]) && n < TP_DIAG_UNDERLINE_COLUMNS) n++;
    size_t link = at[n] == '.' ? 1 : at[n] == '-' && at[n + 1] == '>' ? 2 : 0;
    if (n == 0 || link == 0 || !is_word(at[n + link])) break;
    n += link;
  }
  return n ? n : 1;
}

static bool is_utf8_tail(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* The part of a line that is shown: all of it, or a window around the caret. */
static void choose_window(const char *text, size_t column, size_t *from, size_t *to) {
  TP_REQUIRE(text != NULL);
  size_t n = strlen(text);
  *from = 0;
  *to = n;
  if (n <= TP_DIAG_WINDOW_COLUMNS) return;
  if (column > TP_DIAG_WINDOW_COLUMNS / 2) *from = column - TP_DIAG_WINDOW_COLUMNS / 2;
  if (*from + TP_DIAG_WINDOW_COLUMNS > n) *from = n - TP_DIAG_WINDOW_COLUMNS;
  *to = *from + TP_DIAG_WINDOW_COLUMNS;
  TP_INVARIANT(*from <= *to && *to <= n);
  while (*from > 0 && is_utf8_tail(text[*from])) --*from;
  while (*to < n && is_utf8_tail(text[*to])) ++*to;
}

/* The line as it stands in the file; control characters would disturb a terminal. */
static void add_source_text(tp_str *out, const char *text, size_t from, size_t to) {
  TP_REQUIRE(from <= to);
  if (from > 0) tp_str_add(out, "...");
  for (size_t i = from; i < to; i++) {
    unsigned char c = (unsigned char)text[i];
    tp_str_add_char(out, (c < ' ' && c != '\t') || c == 127 ? '?' : text[i]);
  }
  if (text[to]) tp_str_add(out, "...");
}

static void add_source_line(tp_diag *d, tp_pos pos, tp_str *out) {
  const char *text = tp_diag_source_line(d, pos.file, pos.line);
  if (!text) return;
  size_t column = pos.column, from, to;
  choose_window(text, column, &from, &to);
  tp_str_printf(out, "%5u | ", pos.line);
  add_source_text(out, text, from, to);
  tp_str_add(out, "\n");
  if (column == 0 || column > strlen(text)) return;
  tp_str_add(out, "      | ");
  if (from > 0) tp_str_add(out, "   ");
  for (size_t i = from; i < column - 1; i++) {
    if (text[i] == '\t')
      tp_str_add_char(out, '\t');
    else if (!is_utf8_tail(text[i]))
      tp_str_add_char(out, ' ');
  }
  size_t n = token_length(text + column - 1);
  if (d->colour) tp_str_add(out, "\033[1;32m");
  tp_str_add_char(out, '^');
  for (size_t i = 1; i < n && column - 1 + i < to; i++) tp_str_add_char(out, '~');
  if (d->colour) tp_str_add(out, "\033[0m");
  tp_str_add_char(out, '\n');
}

static const struct {
  const char *name, *colour;
} severities[] = {
    [TP_NOTE] = {"note", "\033[1;36m"},
    [TP_WARNING] = {"warning", "\033[1;35m"},
    [TP_ERROR] = {"error", "\033[1;31m"},
};

void tp_diag_say(tp_diag *d, tp_severity sev, tp_pos pos, const char *tag, const char *fmt, ...) {
  TP_REQUIRE(sev <= TP_ERROR && pos.file < d->files.n);
  d->counts[sev]++;
  if (!d->to) return;
  tp_str out = {0};
  if (tp_pos_known(pos)) {
    tp_pos_print(d, pos, &out);
    tp_str_add(&out, ": ");
  }
  if (d->colour) tp_str_add(&out, severities[sev].colour);
  tp_str_printf(&out, "%s:", severities[sev].name);
  if (d->colour) tp_str_add(&out, "\033[0m");
  tp_str_add_char(&out, ' ');
  va_list args;
  va_start(args, fmt);
  char *text = NULL;
  if (vasprintf(&text, fmt, args) >= 0) {
    tp_str_add(&out, text);
    free(text);
  }
  va_end(args);
  if (tag) tp_str_printf(&out, " [%s]", tag);
  tp_str_add_char(&out, '\n');
  if (tp_pos_known(pos)) add_source_line(d, pos, &out);
  fwrite(out.text, 1, out.n, d->to);  // a failing standard error has no one to tell
  tp_str_clear(&out);
}

size_t tp_diag_count(const tp_diag *d, tp_severity sev) {
  TP_REQUIRE(sev <= TP_ERROR);
  return d->counts[sev];
}

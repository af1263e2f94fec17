/* The starts of lines are found again after each change: documents are small beside what verifying
 * them costs. A text that comes as a whole is compared with the last one line by line: where they
 * differ, the nearest pair of equal lines is looked for. */
#include "lsp/text_document.h"

#include "lsp/lsp_limits.h"

size_t tp_text_character(const char *at, size_t n) {
  TP_REQUIRE(n > 0);
  const unsigned char *c = (const unsigned char *)at;
  const size_t length = *c < 0xc2 ? 1 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 1;
  if (length > n) return 1;
  for (size_t i = 1; i < length; i++)
    if ((c[i] & 0xc0) != 0x80) return 1;
  return length;
}

static uint32_t units_of(size_t bytes, tp_position_unit unit) {
  switch (unit) {
    case TP_POSITIONS_UTF8: return (uint32_t)bytes;
    case TP_POSITIONS_UTF16: return bytes == 4 ? 2 : 1;
    case TP_POSITIONS_UTF32: return 1;
  }
  return 1;
}

uint32_t tp_text_units(const char *line, size_t n, size_t column, tp_position_unit unit) {
  uint32_t units = 0;
  for (size_t at = 0; at < n && at < column;) {
    const size_t bytes = tp_text_character(line + at, n - at);
    if (at + bytes > column) break;  // inside of a character
    units += units_of(bytes, unit);
    at += bytes;
  }
  return units;
}

size_t tp_text_bytes(const char *line, size_t n, uint32_t units, tp_position_unit unit) {
  size_t at = 0;
  for (uint32_t seen = 0; at < n && seen < units;) {
    const size_t bytes = tp_text_character(line + at, n - at);
    seen += units_of(bytes, unit);
    if (seen > units) break;
    at += bytes;
  }
  return at;
}

static void find_lines(tp_text_document *d) {
  d->lines.n = 0;
  tp_vec_push(&d->lines, 0);
  const char *text = tp_str_text(&d->text);
  for (size_t i = 0; i < d->text.n; i++) {
    const bool is_pair = text[i] == '\r' && i + 1 < d->text.n && text[i + 1] == '\n';
    if ((text[i] == '\n' || text[i] == '\r') && !is_pair) tp_vec_push(&d->lines, i + 1);
  }
}

static void put(tp_text_document *d, const char *text, size_t n) {
  tp_str fresh = {0};
  tp_str_add(&fresh, "");
  if (n) tp_str_add_n(&fresh, text, n);
  tp_str_clear(&d->text);
  d->text = fresh;
  find_lines(d);
}

void tp_text_set(tp_text_document *d, const char *text, size_t n) {
  put(d, text, n);
  d->edits.n = 0;
}

void tp_text_clear(tp_text_document *d) {
  tp_str_clear(&d->text);
  tp_vec_clear(&d->lines);
  tp_vec_clear(&d->edits);
}

/* Start of the line, or the end of the text. */
static size_t start_of(const tp_text_document *d, size_t line) {
  return line < d->lines.n ? d->lines.at[line] : d->text.n;
}

const char *tp_text_line(const tp_text_document *d, uint32_t line, size_t *n) {
  TP_REQUIRE(n);
  if (line >= d->lines.n) return NULL;
  const char *text = tp_str_text(&d->text);
  const size_t start = d->lines.at[line];
  size_t end = start_of(d, (size_t)line + 1);
  while (end > start && (text[end - 1] == '\n' || text[end - 1] == '\r')) end--;
  *n = end - start;
  return text + start;
}

size_t tp_text_offset(const tp_text_document *d, tp_text_position at, tp_position_unit unit) {
  size_t n;
  const char *line = tp_text_line(d, at.line, &n);
  return line ? d->lines.at[at.line] + tp_text_bytes(line, n, at.character, unit) : d->text.n;
}

static size_t line_of(const tp_text_document *d, size_t offset) {
  size_t low = 0, high = d->lines.n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (d->lines.at[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

bool tp_text_replace(tp_text_document *d, tp_text_position from, tp_text_position to,
                     tp_position_unit unit, const char *text, size_t n) {
  TP_REQUIRE(text || n == 0);
  const size_t start = tp_text_offset(d, from, unit), end = tp_text_offset(d, to, unit);
  if (end < start) return false;
  const size_t first = line_of(d, start), last = line_of(d, end), before = d->lines.n;
  // Whole lines in place of whole lines, or of none, leave the line behind them as it is.
  const bool is_whole = start == d->lines.at[first] && end == d->lines.at[last] &&
                        (n == 0 || text[n - 1] == '\n' || text[n - 1] == '\r');
  tp_str fresh = {0};
  tp_str_add_n(&fresh, tp_str_text(&d->text), start);
  if (n) tp_str_add_n(&fresh, text, n);
  tp_str_add_n(&fresh, tp_str_text(&d->text) + end, d->text.n - end);
  put(d, fresh.text, fresh.n);
  tp_str_clear(&fresh);
  const uint32_t removed = (uint32_t)(last - first) + (is_whole ? 0 : 1);
  const int64_t added = (int64_t)removed + (int64_t)d->lines.n - (int64_t)before;
  tp_vec_push(&d->edits,
              ((tp_text_edit){(uint32_t)first, removed, added > 0 ? (uint32_t)added : 0}));
  return true;
}

static bool are_equal(const tp_text_document *a, size_t i, const tp_text_document *b, size_t j) {
  size_t n, m;
  const char *x = tp_text_line(a, (uint32_t)i, &n), *y = tp_text_line(b, (uint32_t)j, &m);
  return n == m && memcmp(x, y, n) == 0;
}

/* The nearest pair of equal lines from (*i, *j) on; lines without text meet everywhere and do not
 * count. False: there is none near. */
static bool meet_again(const tp_text_document *a, const tp_text_document *b, size_t *i, size_t *j) {
  for (size_t sum = 1; sum <= TP_LSP_DIFFERENT_LINES; sum++)
    for (size_t k = 0; k <= sum; k++) {
      const size_t x = *i + k, y = *j + sum - k;
      size_t n = 0;
      if (x >= a->lines.n || y >= b->lines.n || !are_equal(a, x, b, y)) continue;
      const char *text = tp_text_line(a, (uint32_t)x, &n);
      while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t')) n--;
      if (n < 2) continue;  // also a brace alone
      *i = x;
      *j = y;
      return true;
    }
  return false;
}

void tp_text_replace_all(tp_text_document *d, const char *text, size_t n) {
  tp_text_document fresh = {0};
  put(&fresh, text, n);
  const size_t n_old = d->lines.n, n_new = fresh.lines.n;
  size_t back = 0, i = 0, j = 0;
  while (back < n_old && back < n_new && are_equal(d, n_old - 1 - back, &fresh, n_new - 1 - back))
    back++;
  // Lines before i are those before j by now, so that an edit counts from j.
  while (i < n_old - back || j < n_new - back) {
    const size_t from = i, to = j;
    if (i < n_old - back && j < n_new - back && are_equal(d, i, &fresh, j)) {
      i++;
      j++;
      continue;
    }
    const bool meets = meet_again(d, &fresh, &i, &j) && i <= n_old - back && j <= n_new - back;
    if (!meets) i = n_old - back, j = n_new - back;
    tp_vec_push(&d->edits,
                ((tp_text_edit){(uint32_t)to, (uint32_t)(i - from), (uint32_t)(j - to)}));
  }
  put(d, text, n);
  tp_text_clear(&fresh);
}

void tp_text_forget_edits(tp_text_document *d, size_t n) {
  TP_REQUIRE(n <= d->edits.n);
  if (n) memmove(d->edits.at, d->edits.at + n, (d->edits.n - n) * sizeof *d->edits.at);
  d->edits.n -= n;
}

uint32_t tp_text_moved_line(const tp_text_document *d, size_t n, uint32_t line) {
  for (size_t i = n; i < d->edits.n; i++) {
    const tp_text_edit *e = &d->edits.at[i];
    if (line >= e->from + e->removed)
      line = line - e->removed + e->added;
    else if (line >= e->from + e->added)
      line = e->added ? e->from + e->added - 1 : e->from;
  }
  return line;
}

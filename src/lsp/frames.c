/* One header at a time: its end is looked for, its lines are read, then the body is waited for. */
#include "lsp/frames.h"

#include "lsp/lsp_limits.h"

#include <ctype.h>
#include <strings.h>

static const char length_name[] = "Content-Length:";

typedef struct {
  uint64_t length;
  bool has_length, is_wrong, has_other_charset;
} header;

void tp_lsp_reader_add(tp_lsp_reader *r, const char *bytes, size_t n) {
  const uint64_t skipped = n < r->to_skip ? n : r->to_skip;
  r->to_skip -= skipped;
  if (r->at > 0) {
    memmove(r->buffer.text, r->buffer.text + r->at, r->buffer.n - r->at);
    r->buffer.n -= r->at;
    r->at = 0;
  }
  if (n > skipped) tp_str_add_n(&r->buffer, bytes + skipped, n - skipped);
}

/* Bytes up to and with the empty line; 0: it has not come. */
static size_t header_length(const char *text, size_t n) {
  for (size_t i = 0; i + 1 < n; i++) {
    if (text[i] != '\n') continue;
    if (text[i + 1] == '\n') return i + 2;
    if (i + 2 < n && text[i + 1] == '\r' && text[i + 2] == '\n') return i + 3;
  }
  return 0;
}

static void read_length(const char *value, size_t n, header *h) {
  h->has_length = true;
  h->is_wrong |= n == 0;
  for (size_t i = 0; i < n; i++) {
    h->is_wrong |= !isdigit((unsigned char)value[i]) || h->length > UINT64_MAX / 16;
    if (!h->is_wrong) h->length = h->length * 10 + (uint64_t)(value[i] - '0');
  }
}

/* "Content-Type: application/vscode-jsonrpc; charset=utf-8" */
static bool is_other_charset(const char *value, size_t n) {
  static const char key[] = "charset=";
  for (size_t i = 0; i + sizeof key - 1 <= n; i++) {
    if (strncasecmp(value + i, key, sizeof key - 1) != 0) continue;
    const char *name = value + i + sizeof key - 1;
    const size_t left = n - i - (sizeof key - 1);
    return !(left >= 5 && strncasecmp(name, "utf-8", 5) == 0) &&
           !(left >= 4 && strncasecmp(name, "utf8", 4) == 0);
  }
  return false;
}

static header read_header(const char *text, size_t n) {
  header h = {0};
  for (size_t at = 0, end; at < n; at = end + 1) {
    for (end = at; end < n && text[end] != '\n';) end++;
    const char *line = text + at;
    size_t length = end - at;
    while (length && isspace((unsigned char)line[length - 1])) length--;
    const char *colon = memchr(line, ':', length);
    if (!colon) {
      h.is_wrong |= length > 0;
      continue;
    }
    const char *value = colon + 1;
    while (value < line + length && *value == ' ') value++;
    const size_t n_value = (size_t)(line + length - value);
    const size_t n_name = (size_t)(colon + 1 - line);
    if (n_name == sizeof length_name - 1 && strncasecmp(line, length_name, n_name) == 0)
      read_length(value, n_value, &h);
    else if (n_name == 13 && strncasecmp(line, "Content-Type:", n_name) == 0)
      h.has_other_charset = is_other_charset(value, n_value);
  }
  return h;
}

/* Drops what lies before the next name of a length; true: there is one. */
static bool find_header(tp_lsp_reader *r) {
  const char *text = tp_str_text(&r->buffer);
  const size_t n_name = sizeof length_name - 1;
  for (; r->at + n_name <= r->buffer.n; r->at++)
    if (strncasecmp(text + r->at, length_name, n_name) == 0) return true;
  return false;
}

static tp_lsp_frame broken(tp_lsp_reader *r, size_t consumed, const char *why, const char **text) {
  r->at += consumed;
  r->is_lost = r->to_skip == 0;
  *text = why;
  return TP_LSP_FRAME_BROKEN;
}

tp_lsp_frame tp_lsp_reader_next(tp_lsp_reader *r, const char **text, size_t *n) {
  TP_REQUIRE(r->at <= r->buffer.n);
  if (r->is_lost && !find_header(r)) return TP_LSP_FRAME_WAIT;
  r->is_lost = false;
  const char *start = tp_str_text(&r->buffer) + r->at;
  const size_t there = r->buffer.n - r->at, n_header = header_length(start, there);
  if (n_header > TP_LSP_HEADER_BYTES || (!n_header && there > TP_LSP_HEADER_BYTES))
    return broken(r, n_header ? n_header : there, "the header of a message is too long", text);
  if (!n_header) return TP_LSP_FRAME_WAIT;
  const header h = read_header(start, n_header);
  if (!h.has_length) return broken(r, n_header, "a header without Content-Length", text);
  if (h.is_wrong) return broken(r, n_header, "a header that cannot be read", text);
  if (h.length > TP_LSP_MESSAGE_BYTES) {
    const size_t here = there - n_header;
    // nobody sends that much: the number is wrong, what follows may be another message
    const bool is_believed = h.length <= (uint64_t)TP_LSP_SKIPPED_BYTES;
    if (!is_believed) return broken(r, n_header, "the message is too long", text);
    r->to_skip = h.length > here ? h.length - here : 0;
    return broken(r, n_header + (h.length < here ? (size_t)h.length : here),
                  "the message is too long", text);
  }
  if (there - n_header < h.length) return TP_LSP_FRAME_WAIT;
  r->at += n_header + (size_t)h.length;
  *text = start + n_header;
  *n = (size_t)h.length;
  if (!h.has_other_charset) return TP_LSP_FRAME_MESSAGE;
  *text = "the message is not in UTF-8";
  return TP_LSP_FRAME_BROKEN;
}

bool tp_lsp_reader_is_inside(const tp_lsp_reader *r) {
  return r->to_skip > 0 || r->at < r->buffer.n;
}

void tp_lsp_reader_clear(tp_lsp_reader *r) {
  tp_str_clear(&r->buffer);
  *r = (tp_lsp_reader){0};
}

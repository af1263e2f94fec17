/* Tokens of small languages: blanks and comments skipped, positions kept, errors with what was
 * expected. */
#include "diag/scan.h"

#include <string.h>

tp_scan tp_scan_start(tp_diag *diag, const char *tag, const char *path, const char *text) {
  return (tp_scan){.diag = diag,
                   .tag = tag,
                   .comment = "#",
                   .file = tp_diag_file(diag, path),
                   .at = text,
                   .line_start = text,
                   .line = 1,
                   .text = text};
}

static void skip_blanks(tp_scan *s) {
  for (; *s->at; s->at++) {
    if (strncmp(s->at, s->comment, strlen(s->comment)) == 0) s->at += strcspn(s->at, "\n");
    if (*s->at == '\n') {
      s->line++;
      s->line_start = s->at + 1;
    } else if (*s->at != ' ' && *s->at != '\t' && *s->at != '\r') {
      return;
    }
  }
}

bool tp_scan_token(tp_scan *s) {
  skip_blanks(s);
  s->pos = (tp_pos){s->file, s->line, (uint32_t)(s->at - s->line_start) + 1};
  s->text = s->at;
  s->n = 0;
  return *s->at != 0;
}

size_t tp_scan_sign(const tp_scan *s, const char *const *signs, size_t n) {
  TP_REQUIRE(n == 0 || signs);
  for (size_t i = 0; i < n; i++)
    if (strncmp(s->at, signs[i], strlen(signs[i])) == 0) return strlen(signs[i]);
  return 0;
}

void tp_scan_past(tp_scan *s) {
  TP_REQUIRE(s->n <= strlen(s->at));
  if (*s->at && s->n == 0) tp_scan_fail(s, s->pos, "nothing starts with this character");
  s->at += s->n;
}

bool tp_scan_is(const tp_scan *s, const char *text) {
  return s->n == strlen(text) && s->n && memcmp(s->text, text, s->n) == 0;
}

bool tp_scan_fail(tp_scan *s, tp_pos pos, const char *fmt, ...) {
  if (s->failed) return false;
  char text[400];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  tp_diag_say(s->diag, TP_ERROR, pos, s->tag, "%s", text);
  s->failed = true;
  return false;
}

bool tp_scan_expected(tp_scan *s, const char *what) {
  if (!*s->text) return tp_scan_fail(s, s->pos, "expected %s, but the file ends", what);
  return tp_scan_fail(s, s->pos, "expected %s, not '%.*s'", what, s->n > 40 ? 40 : (int)s->n,
                      s->text);
}

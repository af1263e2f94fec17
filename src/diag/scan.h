/* Tokens of files that people write for the tool: monitors, structures.
 *
 * What       white space and comments (# or another sign, to the end of the line) are skipped,
 *            positions kept, signs of a table found. Which tokens there are beside signs is the
 *            language's own business: it takes them from `at`.
 * Use        tp_scan_start; then for each token tp_scan_token, which sets text and pos and n = 0;
 *            the language sets n; tp_scan_past.
 * Errors     the first thing that is wrong is said, with its position; then `failed`, and nothing
 *            is said any more.
 * Ownership  the text is the caller's, and stays as long as the tokens are looked at. */
#ifndef TP_DIAG_SCAN_H
#define TP_DIAG_SCAN_H

#include "diag/diag.h"

typedef struct {
  tp_diag *diag;
  const char *tag;  // of messages
  const char
      *comment;  // how comments start: "#" unless the language says otherwise after tp_scan_start
  uint32_t file;
  const char *at, *line_start;
  uint32_t line;
  bool failed;
  // the current token
  const char *text;  // in the file; at its end: ""
  size_t n;
  tp_pos pos;
} tp_scan;

tp_scan tp_scan_start(tp_diag *diag, const char *tag, const char *path, const char *text);
/* To the next token. False: the file ends here. */
bool tp_scan_token(tp_scan *s);
/* The length of the first of the signs that stands here; 0: none. Longer ones come first in the
 * table. */
size_t tp_scan_sign(const tp_scan *s, const char *const *signs, size_t n);
void tp_scan_past(tp_scan *s);

bool tp_scan_is(const tp_scan *s, const char *text);
/* Always false. */
bool tp_scan_fail(tp_scan *s, tp_pos pos, const char *fmt, ...) TP_PRINTF(3, 4);
bool tp_scan_expected(tp_scan *s, const char *what);

#endif

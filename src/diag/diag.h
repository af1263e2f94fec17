/* Source positions and messages for people.
 *
 * What       positions (file, line, column), diagnostics with the source line and a caret.
 * Ownership  a tp_diag owns its file names and remembered messages; positions are values.
 * Errors     nothing here fails: a message that cannot be shown with its source line is
 *            shown without. */
#ifndef TP_DIAG_DIAG_H
#define TP_DIAG_DIAG_H

#include "base/base.h"

#include <stdio.h>

typedef struct {
  uint32_t file;          // name in tp_diag, 0: unknown
  uint32_t line, column;  // from 1; 0: unknown
} tp_pos;
#define TP_POS_NONE ((tp_pos){0, 0, 0})
static inline bool tp_pos_known(tp_pos p) { return p.line != 0; }

typedef enum { TP_NOTE, TP_WARNING, TP_ERROR } tp_severity;

typedef struct tp_diag tp_diag;
/* to: where messages go (standard error); colour: escape sequences wanted. */
tp_diag *tp_diag_new(FILE *to, bool colour);
void tp_diag_free(tp_diag *d);
uint32_t tp_diag_file(tp_diag *d, const char *path);        // intern a path
const char *tp_diag_path(const tp_diag *d, uint32_t file);  // "" for 0
/* The same as it was given to tp_diag_file: for who opens or compares it; the path above is for
 * people, in one line. */
const char *tp_diag_path_as_given(const tp_diag *d, uint32_t file);
/* One line of the file without its end, NULL if it cannot be had; read once and kept. */
const char *tp_diag_source_line(tp_diag *d, uint32_t file, uint32_t line);
/* tag: the kind in brackets behind the text ("unsupported"), or NULL. */
void tp_diag_say(tp_diag *d, tp_severity sev, tp_pos pos, const char *tag, const char *fmt, ...)
    TP_PRINTF(5, 6);
size_t tp_diag_count(const tp_diag *d, tp_severity sev);
/* "list.c:41:9", or "?" */
void tp_pos_print(const tp_diag *d, tp_pos pos, tp_str *out);

#endif

/* The text of a document as the editor has it, with its edits.
 *
 * What       the whole text, changes by ranges, positions in the units of the protocol, and where
 *            lines of an earlier text are now.
 * Represents lines end with \n, \r\n or \r. A position counts lines from 0 and units of the
 *            encoding in the line; one that lies behind the end of its line, or inside of a
 *            character, stands for the nearest place before it. Bytes that are no UTF-8 count as a
 *            character each.
 * Ownership  the document owns its text.
 * Source     Language Server Protocol 3.17, Text Documents. */
#ifndef TP_LSP_TEXT_DOCUMENT_H
#define TP_LSP_TEXT_DOCUMENT_H

#include "base/base.h"

typedef enum { TP_POSITIONS_UTF8, TP_POSITIONS_UTF16, TP_POSITIONS_UTF32 } tp_position_unit;

typedef struct {
  uint32_t line, character;  // from 0
} tp_text_position;

/* The lines [from, from + removed) became `added` lines. */
typedef struct {
  uint32_t from, removed, added;
} tp_text_edit;

typedef struct {
  tp_str text;
  TP_VEC(size_t) lines;        // where each starts; at least one
  TP_VEC(tp_text_edit) edits;  // since tp_text_forget_edits
} tp_text_document;

void tp_text_set(tp_text_document *d, const char *text, size_t n);
void tp_text_clear(tp_text_document *d);
/* The whole text, as an edit of the lines that differ. */
void tp_text_replace_all(tp_text_document *d, const char *text, size_t n);
/* Replaces a range; positions that do not exist are moved to where the text ends. False: the range
 * ends before it begins. */
bool tp_text_replace(tp_text_document *d, tp_text_position from, tp_text_position to,
                     tp_position_unit unit, const char *text, size_t n) TP_MUST_USE;
/* Forgets the first `n` edits: the text before them is no longer of interest. */
void tp_text_forget_edits(tp_text_document *d, size_t n);
/* Where a line of the text before all edits but the first `n` is now, both from 0. Of lines that
 * were replaced by others, the k-th is at the k-th, those beyond at the last. */
uint32_t tp_text_moved_line(const tp_text_document *d, size_t n, uint32_t line);

/* One line without its end; NULL: there is no such line. */
const char *tp_text_line(const tp_text_document *d, uint32_t line, size_t *n);
/* The offset in the text. */
size_t tp_text_offset(const tp_text_document *d, tp_text_position at, tp_position_unit unit);
/* Units before the byte `column` of a line (from 0), and back. */
uint32_t tp_text_units(const char *line, size_t n, size_t column, tp_position_unit unit);
size_t tp_text_bytes(const char *line, size_t n, uint32_t units, tp_position_unit unit);
/* Bytes of the character at `at`, 1 .. 4. */
size_t tp_text_character(const char *at, size_t n);

#endif

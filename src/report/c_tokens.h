/* The tokens of a C file, with their positions: what places in witnesses are looked up in.
 *
 * What       splits the text of a file into identifiers, numbers, literals and punctuators; matches
 *            brackets; follows line markers.
 * Represents the text as it stands in the file: nothing is preprocessed, directives are skipped,
 *            both branches of an #if are there.
 * Positions  lines and columns (bytes, from 1) of the file; beside them the file and line that line
 *            markers (`# 12 "a.c"`, `#line`) give, which are those of the program model.
 * Invariants token 0 is unused; `partner` of a bracket is the other one, or 0 where there is none.
 * Cost       linear in the text.
 * Source     C11 5.1.1.2, 6.4, 6.10.4. */
#ifndef TP_REPORT_C_TOKENS_H
#define TP_REPORT_C_TOKENS_H

#include "base/base.h"

typedef enum {
  TP_C_TOKEN_NAME,
  TP_C_TOKEN_NUMBER,
  TP_C_TOKEN_LITERAL,
  TP_C_TOKEN_PUNCTUATOR
} tp_c_token_kind;

typedef struct {
  tp_c_token_kind kind;
  size_t at, n;           // in the text, bytes
  uint32_t line, column;  // in the file
  uint32_t named_file;    // by line markers: index in `files`; 0: the file itself
  uint32_t named_line;
  uint32_t partner;
} tp_c_token;

typedef struct {
  const char *text;  // borrowed
  size_t n;
  TP_VEC(tp_c_token) v;
  TP_VEC(const char *) files;  // [0]: NULL
  tp_arena arena;
} tp_c_tokens;

void tp_c_tokens_read(tp_c_tokens *t, const char *text, size_t n);
void tp_c_tokens_clear(tp_c_tokens *t);

/* Is token i (0 or behind the end: no) this text? */
bool tp_c_token_is(const tp_c_tokens *t, uint32_t i, const char *text);
/* Where the token ends in the text. */
static inline size_t tp_c_token_end(const tp_c_token *token) { return token->at + token->n; }

#endif

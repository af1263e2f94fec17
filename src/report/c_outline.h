/* The outline of a C file: functions, statements, loops and calls, with where they begin and end.
 *
 * What       the places that verification witnesses speak of: the first character of a statement or
 *            declaration within a function, the keyword of a loop or a branch and its condition,
 *            the closing parenthesis of a call; and the blocks in which names are visible.
 * Represents statements in the order of the text, an outer one before those within it. Nothing is
 *            preprocessed, so a statement that a macro makes is the macro's name.
 * Limits     deeper nesting than TP_REPORT_OUTLINE_DEPTH is left out, and so is what stands behind
 *            brackets that do not match.
 * Positions  those of the file (tp_c_token); tp_outline_at takes those of the program model.
 * Source     C11 6.8; places: the format of verification witnesses 2.0. */
#ifndef TP_REPORT_C_OUTLINE_H
#define TP_REPORT_C_OUTLINE_H

#include "diag/diag.h"
#include "report/c_tokens.h"

typedef enum {
  TP_OUTLINE_SIMPLE,  // a declaration, an expression, a jump
  TP_OUTLINE_BLOCK,
  TP_OUTLINE_IF,
  TP_OUTLINE_SWITCH,
  TP_OUTLINE_WHILE,
  TP_OUTLINE_DO,
  TP_OUTLINE_FOR
} tp_outline_kind;

/* Numbers are those of tokens, 0: none; ranges end with their last token. */
typedef struct {
  tp_outline_kind kind;
  uint32_t label;        // first token of its labels; without any, `first`
  uint32_t first, last;  // behind the labels
  uint32_t open, close;  // parentheses of the condition, or of the header of `for`
  uint32_t body;         // first token of what is repeated or chosen
  uint32_t block;        // the { around it
  bool is_item;          // stands in a block itself, so that a statement can be put before it
  uint32_t function;     // index in functions
} tp_outline_statement;

typedef struct {
  uint32_t name, open, close;  // token of the name; braces
} tp_outline_function;

typedef struct {
  tp_str text;
  tp_c_tokens tokens;
  const char *path;  // of the file; borrowed
  TP_VEC(tp_outline_statement) statements;
  TP_VEC(tp_outline_function) functions;  // [0] unused
  tp_map by_name;                         // named position -> token
} tp_outline;

/* Takes the text over. */
void tp_outline_read(tp_outline *o, const char *path, tp_str text);
void tp_outline_clear(tp_outline *o);

/* The token that stands at a position of the program model; 0: none, or it is of another file. */
uint32_t tp_outline_at(const tp_outline *o, const tp_diag *diag, tp_pos pos);
/* The first token of this line of the file; 0: none. */
uint32_t tp_outline_line(const tp_outline *o, uint32_t line);
/* The token at this place of the file; 0: none starts there. */
uint32_t tp_outline_place(const tp_outline *o, uint32_t line, uint32_t column);

/* The smallest statement around the token; NULL: none. */
const tp_outline_statement *tp_outline_around(const tp_outline *o, uint32_t token);
/* The plain statement that is the last of the block that ends at this brace; NULL: there is none.
 */
const tp_outline_statement *tp_outline_before_end(const tp_outline *o, uint32_t brace);
/* Is the name declared at `declaration` visible at `token`: in the block of the declaration, or one
 * within, behind it? Parameters are visible in the body of their function. */
bool tp_outline_sees(const tp_outline *o, uint32_t declaration, uint32_t token);
/* The statement or declaration that follows s in its block; NULL: it is the last. */
const tp_outline_statement *tp_outline_next(const tp_outline *o, const tp_outline_statement *s);
/* The semicolons of the header of a `for`. False: it has not got two. */
bool tp_outline_header(const tp_outline *o, const tp_outline_statement *s, uint32_t semicolons[2]);
/* Has any of these tokens an effect: an assignment, an increment, a call? */
bool tp_outline_has_effect(const tp_c_tokens *t, uint32_t from, uint32_t to);

#endif

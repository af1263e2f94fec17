/* Parsing expressions of contracts: shared by the readers of clauses.
 *
 * What       tokens of a text, and the expression that starts at one of them.
 * Errors     the first error of a clause is reported; then `failed` is set, and nothing more is
 *            reported until it is cleared. */
#ifndef TP_CONTRACTS_SPEC_SPEC_PARSER_H
#define TP_CONTRACTS_SPEC_SPEC_PARSER_H

#include "contracts/spec/clause.h"

typedef enum {
  TP_TOKEN_END,
  TP_TOKEN_WORD,
  TP_TOKEN_NUMBER,
  TP_TOKEN_SIGN,
  TP_TOKEN_INVALID
} tp_token_kind;
typedef struct {
  tp_token_kind kind;
  const char *text;  // a copy of its own
  tp_pos pos;
  bool starts_line;
} tp_token;

typedef struct {
  tp_clauses *clauses;
  tp_arena *arena;
  TP_VEC(tp_token) tokens;  // the last one is END
  size_t at;
  uint32_t depth;  // of expressions that are being read
  bool failed;
  bool has_blocks;  // a file of contracts
} tp_spec_parser;

void tp_spec_parser_init(tp_spec_parser *r, tp_clauses *c, const char *path, uint32_t line,
                         const char *text);
void tp_spec_parser_clear(tp_spec_parser *r);

const tp_token *tp_spec_parser_now(const tp_spec_parser *r);
const tp_token *tp_spec_parser_ahead(const tp_spec_parser *r, size_t n);
bool tp_spec_parser_is(const tp_spec_parser *r, const char *text);
bool tp_spec_parser_accept(tp_spec_parser *r, const char *text);
bool tp_spec_parser_take(tp_spec_parser *r, const char *text);  // reports that it is missing
/* A word that is free to be a name; NULL: there is none, which has been reported. */
const char *tp_spec_parser_name(tp_spec_parser *r, const char *what);
/* Reports what was expected instead of the current token, and an alternative. Always false. */
bool tp_spec_parser_expected(tp_spec_parser *r, const char *what);
bool tp_spec_parser_fail(tp_spec_parser *r, tp_pos pos, const char *fmt, ...) TP_PRINTF(3, 4);

/* A expression of operators that bind at least this closely (0: any); NULL: wrong. */
const tp_spec_expr *tp_spec_parser_expr(tp_spec_parser *r, uint32_t least);
/* What stands for a type: an optional word for how many, and a relation. */
const tp_spec_expr *tp_spec_parser_type(tp_spec_parser *r, tp_multiplicity *many);
typedef TP_VEC(tp_spec_expr_decl) tp_decl_list;
/* names ":" type { "," names ":" type } */
bool tp_spec_parser_decls(tp_spec_parser *r, tp_decl_list *out);

#endif

/* Expressions of contracts: the abstract syntax, and its printer.
 *
 * What       the abstract syntax of Alloy's kernel over the names of a C program.
 * Represents a relation, an integer or a formula: which of the three an expression is, and what its
 *            names mean, is decided when names are resolved (contracts/spec/resolved_contracts.h).
 *            Resolving makes the same nodes again with nothing left open: every name has its
 *            symbol, every conversion is a node.
 * Invariants a node has as many kids as the row of its kind; no expression is deeper than
 *            TP_CONTRACTS_CONTRACT_LEVELS, so recursion over expressions is bounded. Names bound
 *            together (`x, y : e`) have the same `bound`.
 * Ownership  expressions live in the arena that they were made in, and never change once they are
 *            returned.
 * Law        the text of tp_spec_expr_print is parsed to an equal expression.
 * Source     D. Jackson, Software Abstractions, appendix B (operators, precedence); differences are
 *            listed in doc/specifications.md. */
#ifndef TP_CONTRACTS_SPEC_SPEC_EXPR_H
#define TP_CONTRACTS_SPEC_SPEC_EXPR_H

#include "contracts/contracts_limits.h"
#include "diag/diag.h"

/* How a kind is written. */
typedef enum {
  TP_FORM_ATOM,    // its text alone, or a name
  TP_FORM_PREFIX,  // text kid
  TP_FORM_LEFT,    // kid text kid, a chain groups to the left
  TP_FORM_RIGHT,   // ... to the right
  TP_FORM_WORD,    // text [ kid , kid ]
  TP_FORM_BINDER,  // text decls "|" kid
  TP_FORM_OTHER    // has a case of its own wherever it matters
} tp_spec_expr_form;

/* kind, text, form, precedence (higher binds closer), kids */
#define TP_SPEC_KINDS(P)                                                               \
  P(NAME, "", ATOM, 20, 0) /* name; owner::name; resolved: symbol */                   \
  P(NUMBER, "", ATOM, 20, 0)                                                           \
  P(TYPE, "", ATOM, 20, 0) /* "struct cell": the set of its objects */                 \
  P(NULL, "null", ATOM, 20, 0)                                                         \
  P(NONE, "none", ATOM, 20, 0)                                                         \
  P(UNIV, "univ", ATOM, 20, 0)                                                         \
  P(IDEN, "iden", ATOM, 20, 0)                                                         \
  P(INTS, "int", ATOM, 20, 0)       /* the set of integers */                          \
  P(OBJECTS, "object", ATOM, 20, 0) /* everything that a void * can lead to */         \
  P(THIS, "this", ATOM, 20, 0)                                                         \
  P(RESULT, "\\result", ATOM, 20, 0)                                                   \
  P(ALLOC, "\\alloc", ATOM, 20, 0) /* objects that exist in a state */                 \
  P(TRUE, "true", ATOM, 20, 0)                                                         \
  P(FALSE, "false", ATOM, 20, 0)                                                       \
  P(SET_OF, "", OTHER, 20, 0)        /* {a, b} */                                      \
  P(COMPREHENSION, "", OTHER, 20, 1) /* {decls | kid} */                               \
  P(TO_INT, "int", WORD, 20, 1)      /* the sum of a set of integers, as an integer */ \
  P(TO_SET, "Int", WORD, 20, 1)      /* the set of one integer */                      \
  P(PLUS, "plus", WORD, 20, 2)                                                         \
  P(MINUS, "minus", WORD, 20, 2)                                                       \
  P(TRANSPOSE, "~", PREFIX, 18, 1)                                                     \
  P(CLOSURE, "^", PREFIX, 18, 1)                                                       \
  P(REFLEXIVE, "*", PREFIX, 18, 1)                                                     \
  P(PRIME, "'", OTHER, 19, 1) /* kid in the post-state */                              \
  P(JOIN, ".", LEFT, 17, 2)                                                            \
  P(BOX, "[", OTHER, 17, 0) /* kid 0 [ the others ] */                                 \
  P(RANGE, ":>", LEFT, 16, 2)                                                          \
  P(DOMAIN, "<:", LEFT, 15, 2)                                                         \
  P(PRODUCT, "->", LEFT, 14, 2)                                                        \
  P(INTERSECTION, "&", LEFT, 13, 2)                                                    \
  P(OVERRIDE, "++", LEFT, 12, 2)                                                       \
  P(SIZE, "#", PREFIX, 11, 1)                                                          \
  P(SUM, "sum", PREFIX, 11, 1)                                                         \
  P(NEGATIVE, "-", PREFIX, 11, 1)                                                      \
  P(TIMES, "*", LEFT, 10, 2)                                                           \
  P(DIVIDED, "/", LEFT, 10, 2)                                                         \
  P(REMAINDER, "%", LEFT, 10, 2)                                                       \
  P(UNION, "+", LEFT, 9, 2) /* not resolved yet: or a sum */                           \
  P(DIFFERENCE, "-", LEFT, 9, 2)                                                       \
  P(SOME, "some", PREFIX, 8, 1)                                                        \
  P(NO, "no", PREFIX, 8, 1)                                                            \
  P(ONE, "one", PREFIX, 8, 1)                                                          \
  P(LONE, "lone", PREFIX, 8, 1)                                                        \
  P(IN, "in", LEFT, 7, 2)                                                              \
  P(EQUAL, "=", LEFT, 7, 2)                                                            \
  P(NOT_IN, "!in", LEFT, 7, 2)                                                         \
  P(UNEQUAL, "!=", LEFT, 7, 2)                                                         \
  P(LESS, "<", LEFT, 7, 2)                                                             \
  P(AT_MOST, "<=", LEFT, 7, 2)                                                         \
  P(GREATER, ">", LEFT, 7, 2)                                                          \
  P(AT_LEAST, ">=", LEFT, 7, 2)                                                        \
  P(NOT, "not", PREFIX, 6, 1)                                                          \
  P(AND, "and", LEFT, 5, 2)                                                            \
  P(IMPLIES, "=>", RIGHT, 4, 2)                                                        \
  P(IFF, "<=>", LEFT, 3, 2)                                                            \
  P(OR, "or", LEFT, 2, 2)                                                              \
  P(IF, "if", OTHER, 1, 3)   /* if kid then kid else kid */                            \
  P(LET, "let", OTHER, 1, 1) /* let name = bound | kid */                              \
  P(ALL, "all", BINDER, 1, 1)                                                          \
  P(EXISTS, "some", BINDER, 1, 1)                                                      \
  P(NONE_SUCH, "no", BINDER, 1, 1)                                                     \
  P(ONE_SUCH, "one", BINDER, 1, 1)                                                     \
  P(LONE_SUCH, "lone", BINDER, 1, 1)                                                   \
  P(SUM_OVER, "sum", BINDER, 1, 1)

typedef enum {
#define TP_P(kind, text, form, precedence, kids) TP_SPEC_##kind,
  TP_SPEC_KINDS(TP_P)
#undef TP_P
      TP_SPEC_N_KINDS
} tp_spec_expr_kind;

/* How many: of a quantified name, a declared field, a result. */
typedef enum {
  TP_MULTIPLICITY_UNSAID,
  TP_MULTIPLICITY_ONE,
  TP_MULTIPLICITY_LONE,
  TP_MULTIPLICITY_SOME,
  TP_MULTIPLICITY_SET
} tp_multiplicity;

typedef struct tp_spec_expr tp_spec_expr;
typedef struct tp_symbol tp_symbol;  // contracts/spec/object_model.h
typedef struct {
  const char *name;
  tp_pos pos;
  const tp_spec_expr *bound;  // the set it is from; LET: its value
  tp_multiplicity many;       // in front of the bound
  bool is_disjoint;           // from the others of its bound
  const tp_symbol *symbol;    // resolved
} tp_spec_expr_decl;

struct tp_spec_expr {
  tp_spec_expr_kind kind;
  tp_pos pos;         // of its operator, or of its only token
  const char *name;   // NAME; TYPE: as the program calls it ("struct cell")
  const char *owner;  // NAME: the qualifier before "::": a type, "" for the program's own names,
                      // NULL: no "::"
  int64_t number;
  tp_multiplicity many;  // PRODUCT in a declared type: how many on the right for each on the left
  uint32_t depth;
  uint32_t n_kids, n_decls;
  const tp_spec_expr *const *kids;
  const tp_spec_expr_decl *decls;
  // added by resolving
  const tp_symbol *symbol;  // NAME, TYPE, THIS, RESULT, ALLOC
  bool is_primed;           // a name, a call (BOX): in the post-state
};

// ----------------------------------------------------------------- construction

tp_spec_expr_form tp_spec_expr_form_of(tp_spec_expr_kind kind);
const char *tp_spec_expr_text(tp_spec_expr_kind kind);
uint32_t tp_spec_expr_precedence(tp_spec_expr_kind kind);
/* Does the word mean something in the language, so that a name of the program needs "::" before it?
 */
bool tp_spec_expr_is_reserved(const char *word);

/* A node of that kind; kids and decls are copied. NULL: it would be too deep. */
const tp_spec_expr *tp_spec_expr_make(tp_arena *a, tp_spec_expr node,
                                      const tp_spec_expr *const *kids, uint32_t n_kids,
                                      const tp_spec_expr_decl *decls, uint32_t n_decls);
const tp_spec_expr *tp_spec_expr_atom(tp_arena *a, tp_spec_expr_kind kind, tp_pos pos);
const tp_spec_expr *tp_spec_expr_unary(tp_arena *a, tp_spec_expr_kind kind, tp_pos pos,
                                       const tp_spec_expr *x);
const tp_spec_expr *tp_spec_expr_binary(tp_arena *a, tp_spec_expr_kind kind, tp_pos pos,
                                        const tp_spec_expr *x, const tp_spec_expr *y);

/* The same text but for blanks; resolved: the same meaning of names as well. Positions do not
 * count. */
bool tp_spec_expr_equal(const tp_spec_expr *x, const tp_spec_expr *y);
void tp_spec_expr_print(const tp_spec_expr *x, tp_str *out);
/* "lone ", "" for TP_MULTIPLICITY_UNSAID */
const char *tp_multiplicity_text(tp_multiplicity many);

#endif

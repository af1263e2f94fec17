/* Clauses: what users specify of functions, structs and files.
 *
 * What       the clauses of contracts as they stand in comments of C files (`//@ requires ...`) and
 *            in files of their own, with their subjects; their reader.
 * Represents one clause each: a kind, its expressions, its position, and its subject by name. Names
 *            are resolved later (contracts/spec/resolved_contracts.h).
 * Errors     reported through `diag` with the position, and counted; the other clauses are read all
 *            the same.
 * Ownership  everything lives in the arena of the tp_clauses.
 * Source     requires, ensures, modifies, invariant, model, ghost: JML (Leavens et al. 2006) and
 *            ACSL. */
#ifndef TP_CONTRACTS_SPEC_CLAUSE_H
#define TP_CONTRACTS_SPEC_CLAUSE_H

#include "contracts/spec/spec_expr.h"

typedef enum {
  TP_CLAUSE_REQUIRES,   // expression: holds when the function is called
  TP_CLAUSE_ENSURES,    // expression: holds when it returns, over both states
  TP_CLAUSE_PRESERVES,  // expression: both
  TP_CLAUSE_MODIFIES,   // targets: all that it may change
  TP_CLAUSE_INVARIANT,  // expression: of every object of the struct (`this`), or of the file's
                        // globals, between calls
  TP_CLAUSE_MODEL,      // name, type, expression: a field that is computed from others
  TP_CLAUSE_GHOST,      // name, type: a field or global that only contracts see
  TP_CLAUSE_ASSIGN,     // target 0, expression: an assignment to a ghost at this location of a body
  TP_CLAUSE_PRED,       // name, params, expression: a named formula
  TP_CLAUSE_FUN         // name, params, type, expression: a named relation
} tp_clause_kind;
const char *tp_clause_word(tp_clause_kind kind);  // "requires"
bool tp_clause_is_word(const char *word);

typedef enum {
  TP_SUBJECT_FILE,
  TP_SUBJECT_FUNCTION,
  TP_SUBJECT_STRUCT,
  TP_SUBJECT_BODY
} tp_subject_kind;

/* What a clause is about. */
typedef struct {
  tp_subject_kind about;
  const char *name;  // of the function; of the struct as C calls it: "struct list", or a typedef
                     // name; NULL: not known
  tp_pos pos;        // of that name in the source, if it is known
  const char *const *params;  // FUNCTION: names of the parameters as they stand beside the clause;
                              // NULL: as in the definition
  uint32_t n_params;
  bool may_be_absent;  // the program need not have it: a declaration of C that it does not use, a
                       // function of a library
} tp_subject;

/* Where a contract comes from: somebody wrote it; it was computed from the function's body
 * (contracts/summarise) and stands for its calls; or it was computed, and is a specification that
 * refinement may use where it shows that the body keeps it (contracts/refine). */
typedef enum { TP_CONTRACT_WRITTEN, TP_CONTRACT_SUMMARY, TP_CONTRACT_PROPOSED } tp_contract_origin;

typedef struct {
  tp_clause_kind kind;
  tp_pos pos;  // of its first word
  tp_subject subject;
  const char *name;  // of what is declared
  tp_pos name_pos;
  const tp_spec_expr_decl *params;
  uint32_t n_params, n_targets;
  const tp_spec_expr *type;
  tp_multiplicity many;  // in front of the type
  const tp_spec_expr *const *targets;
  const tp_spec_expr *expr;
  size_t text_offset;  // ASSIGN: where its comment starts in the text that was read
  tp_contract_origin origin;
  bool is_library;  // part of the tool: overridden by the user's contract of the same function
} tp_clause;

typedef struct {
  tp_arena arena;
  tp_diag *diag;
  TP_VEC(tp_clause) all;  // in order of reading
  uint32_t n_wrong;       // errors reported
  bool is_muted;          // nothing is reported, nothing counted
} tp_clauses;

void tp_clauses_init(tp_clauses *c, tp_diag *diag);
void tp_clauses_clear(tp_clauses *c);

/* Text of clauses that starts at line `line` of a file; columns are those of the text. Clauses that
 * may not stand at such a subject are errors. */
void tp_clauses_read(tp_clauses *c, const char *path, uint32_t line, const char *text,
                     tp_subject subject);
/* A file of contracts: clauses, and blocks of them: `function NAME { ... }`, `function
 * NAME(PARAMETER, ...) { ... }`, `struct NAME { ... }`. */
void tp_clauses_read_file(tp_clauses *c, const char *path, const char *text);
/* One that comes with the tool. */
void tp_clauses_read_library(tp_clauses *c, const char *path, const char *text);
/* The contracts in comments of a preprocessed C file with its line marks
 * (contracts/spec/contract_comments.c). path: the file of text without line marks. */
void tp_clauses_read_c(tp_clauses *c, const char *path, const char *text);

/* One expression, all of the text. NULL: wrong, which has been reported. */
const tp_spec_expr *tp_spec_expr_read(tp_clauses *c, const char *path, const char *text);
/* One line, or one for each part: it reads back as an equal clause. */
void tp_clause_print(const tp_clause *clause, tp_str *out);

/* The same in the arena, without an end of line. */
const char *tp_clause_text(const tp_clause *clause, tp_arena *arena);

/* Count and report an error. Always false. */
bool tp_clauses_wrong(tp_clauses *c, tp_pos pos, const char *fmt, ...) TP_PRINTF(3, 4);

#endif

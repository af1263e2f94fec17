/* The program that compares two versions, as C: a unit that includes the new version and has main,
 * and one that includes the old version under other names.
 *
 * Ownership  texts are appended to the caller's strings. */
#ifndef TP_APP_EQUAL_WRITE_H
#define TP_APP_EQUAL_WRITE_H

#include "app/equal_types.h"
#include "app/equal_compare.h"

/* A file-scope variable of both versions. */
typedef struct {
  const char *name;
  tp_type type;  // in the new version
  bool is_scalar, is_old_static, is_free;
} tp_equal_global;

typedef struct {
  tp_equal_version old, new;
  const char *name;  // of the function
  tp_func old_function, new_function;
  bool is_old_static;
  uint32_t n_old_exported;
  TP_VEC(const char *) old_names;  // functions and variables that files of the old version define
  const char *old_path, *new_path;
  TP_VEC(tp_equal_global) globals;
  tp_env_twins twins;
  tp_equal_comparer comparer;
  uint32_t first_draw, first_site;  // answers: lines in front of statements and comparisons
  tp_arena *arena;
} tp_equal_program;

/* The function that compares; every end of both versions comes there. */
#define TP_EQUAL_COMPARISON "twoproof_compare"

/* The unit of the new version. Sites of globals and of the result are added to the comparer. */
void tp_equal_write_main(tp_equal_program *e, tp_str *out);
/* A unit of the old version: file is included. is_first: that of the function itself, which gets
 * functions that lead to what is static there. */
void tp_equal_write_old(const tp_equal_program *e, const char *file, bool is_first, tp_str *out);
/* An expression for a variable in the old version: a value, or an lvalue where it is no scalar. */
const char *tp_equal_old_global(const tp_equal_program *e, const tp_equal_global *g);

#endif

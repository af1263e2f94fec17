/* What two versions of a function did is compared in C: a text of comparisons, each on a line of
 * its own that stands for one sentence.
 *
 * Represents numbers are equal as C's == says, floats also where both are NaN, but not a zero and
 *            its negative; structs member by member, padding aside. Pointers are equal if both are
 *            null, lead to the same place of an object that both versions were given, or to objects
 *            of the versions' own that are equal, `depth` pointers deep.
 * Names      lvalues of the first copy begin with TP_ENV_NEW (app/environment_priv.h); the text
 * uses the functions and variables that app/equal_write.c declares. Ownership  sentences live in
 * the arena, the text is the caller's to clear. */
#ifndef TP_APP_EQUAL_COMPARE_H
#define TP_APP_EQUAL_COMPARE_H

#include "app/environment.h"

typedef enum {
  TP_DIFFERS_RESULT,  // the number that is returned
  TP_DIFFERS_NUMBER,  // a number in memory
  TP_DIFFERS_PLACE,   // where a pointer leads to
  TP_DIFFERS_FREED,   // an object is freed by one version only
  TP_DIFFERS_END,     // one returns, the other does not
  TP_DIFFERS_STATUS   // with what exit is called
} tp_equal_difference;

typedef struct {
  tp_equal_difference kind;
  uint32_t line;      // of the text, from 1 on
  const char *shown;  // "list->next->value"; counters of loops by their names
  tp_type type;       // of the value, NONE: none
} tp_equal_site;

typedef struct {
  const tp_program *program;
  tp_arena *arena;
  tp_str text;
  TP_VEC(tp_equal_site) sites;
  uint32_t n_counters;
  uint32_t depth;      // pointers to own objects that are followed
  bool is_cut;         // deeper objects are not compared
  bool has_arrays;     // of an own object behind a pointer only the first element is compared
  bool has_unions;     // of a union with pointers the first member is compared
  bool has_functions;  // pointers to functions are compared with null only
} tp_equal_comparer;
void tp_equal_comparer_clear(tp_equal_comparer *c);

/* Lines that compare an lvalue of the first copy, and `other`, the same one of the second. */
void tp_equal_compare(tp_equal_comparer *c, tp_type type, const char *lvalue, const char *other,
                      const char *shown);
/* The number or pointer that is returned. */
void tp_equal_compare_result(tp_equal_comparer *c, tp_type type, const char *lvalue,
                             const char *other);
/* An object that both were given: whether it was freed, its elements. */
void tp_equal_compare_object(tp_equal_comparer *c, const tp_env_object *o, size_t number);
/* A line that ends the program as different where the condition holds. */
void tp_equal_compare_line(tp_equal_comparer *c, tp_equal_difference kind, const char *condition,
                           const char *shown);

#endif

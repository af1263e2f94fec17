/* Name lookup: the meaning of a name at a location of the program.
 *
 * What       finds variables, objects and functions by the names that the user gave them.
 * Represents C's scopes as far as the program model keeps them: parameters and locals of the
 *            location's function hide globals. Of several locals of one name the one declared last
 *            before the location is meant.
 * Limits     the model does not tell where a block ends: behind an inner block whose variable hides
 *            an outer one the inner one is still found. Temporaries have no names, and neither have
 *            const globals that the model keeps as mere values.
 * Source     C11 6.2.1. */
#ifndef TP_EXPRESSION_SCOPE_H
#define TP_EXPRESSION_SCOPE_H

#include "program/program.h"

typedef enum { TP_NAME_UNKNOWN, TP_NAME_VAR, TP_NAME_STATIC } tp_name_kind;
typedef struct {
  tp_name_kind kind;
  tp_var var;       // VAR
  uint32_t object;  // STATIC: a global in memory, or a function
} tp_name_meaning;

/* at: the place; its function's variables are visible. */
tp_name_meaning tp_scope_find(const tp_program *p, tp_loc at, const char *name);
/* The type that the user calls so ("struct list", a typedef name); NONE: the program has none. */
tp_type tp_scope_type(const tp_program *p, const char *name);
/* A function with this name, or NONE. */
tp_func tp_scope_function(const tp_program *p, const char *name);

#endif

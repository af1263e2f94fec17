/* Do two versions of a function agree on their types, so that what one gets can be given to the
 * other?
 *
 * What       compares types of two programs: sizes, offsets, signs, names of members (C11 6.2.7p1),
 *            as far as pointers lead.
 * Ownership  texts live in the caller's arena. */
#ifndef TP_APP_EQUAL_TYPES_H
#define TP_APP_EQUAL_TYPES_H

#include "program/program.h"

/* One of two versions, and how it is called. */
typedef struct {
  const tp_program *program;
  const char *name;
} tp_equal_version;

/* NULL, or the first difference: "member `tail` of struct ring is only in b". where: what has
 * the types, "argument 1", "the result". */
const char *tp_equal_types_differ(tp_equal_version old, tp_type of_old, tp_equal_version new,
                                  tp_type of_new, const char *where, tp_arena *arena);

#endif

/* Values in the user's notation. */
#ifndef TP_REPORT_VALUE_TEXT_H
#define TP_REPORT_VALUE_TEXT_H

#include "program/program.h"

/* Names of objects that exist only during a run (from ALLOC edges); statics are known to the
 * program. */
typedef struct {
  const tp_program *program;
  tp_map alloc_of;  // object id -> edge that made it
} tp_object_names;

/* type: the C type, or NONE: from the sort alone. */
void tp_value_print(const tp_object_names *names, tp_type type, tp_sort sort, tp_value v,
                    tp_str *out);

#endif

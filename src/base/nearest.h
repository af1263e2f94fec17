/* Names that are spelled like another one: for messages about unknown names. */
#ifndef TP_BASE_NEAREST_H
#define TP_BASE_NEAREST_H

#include "base/base.h"

/* The name in the list (ended by NULL) that is spelled most like `name`; NULL if none is near. */
const char *tp_nearest_name(const char *name, const char *const *names);
/* Adds "; did you mean 'interval'? Known: a, b, c". */
void tp_add_known_names(tp_str *why, const char *name, const char *const *names);

#endif

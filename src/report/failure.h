/* What exactly went wrong at the end of a run that reached an error.
 *
 * What       the error location says which check failed ("invalid pointer in a read: null, ...");
 *            the concrete state says which of these it was, of which object, with which values.
 * Law        what is said has been evaluated in the state; where nothing certain is known nothing
 *            is said, and the location's own message stays.
 * Ownership  texts are the caller's. */
#ifndef TP_REPORT_FAILURE_H
#define TP_REPORT_FAILURE_H

#include "exec/exec.h"

/* Where an object of a run began and ended, as places in the user's code. */
typedef struct {
  tp_pos made, ended;
  const char *maker;  // "malloc", or the user's variable; NULL: unknown
  tp_type type;       // of the user's variable, or NONE
} tp_lifetime;

/* By object id; objects with very high ids are not recorded. */
typedef struct {
  TP_VEC(tp_lifetime) of;
} tp_lifetimes;

/* edge is about to be taken in s; pos: its place in the user's code. */
void tp_lifetimes_record(tp_lifetimes *l, const tp_program *p, const tp_state *s, tp_edge edge,
                         tp_pos pos);
void tp_lifetimes_clear(tp_lifetimes *l);

/* edge is about to be taken in s and leads to an error location.
 * what   stays empty if nothing better than the location's message is known.
 * notes  lines like "f.c:38:3: note: freed here". */
void tp_failure_describe(const tp_program *p, const tp_state *s, tp_edge edge,
                         const tp_lifetimes *l, tp_str *what, tp_str *notes);

#endif

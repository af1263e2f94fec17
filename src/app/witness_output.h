/* The witness of an answer: witness.yml.
 *
 * What       reads the user's files once more for their places and hashes, and fills a record
 *            (report/witness_write.h).
 * Law        an answer that the format has no place for has no witness, which standard error says
 *            with -v; nothing else of the answer depends on it. */
#ifndef TP_APP_WITNESS_OUTPUT_H
#define TP_APP_WITNESS_OUTPUT_H

#include "app/session.h"

/* Appends the text, or nothing. */
void tp_witness_output(const tp_session *s, tp_str *out);
/* The specification of a property as property files have it; NULL: there is none. */
const char *tp_witness_specification(tp_property p);

#endif

/* Terms as one-line text that can be read back: the notation of certificates and of exchanged facts.
 *
 * What       writer and reader of prefix expressions: (BV_ADD (var 12) (bv 32 5)), kinds by their names in
 *            TP_TERM_KINDS, payloads in front of the arguments, shared subterms through (let ...).
 * Law        reading what was written gives the same term (same id in the same table). The reader believes nothing:
 *            ill-sorted, unknown, too deep or too long texts are errors with a position, never an abort. */
#ifndef TP_TERM_TEXT_H
#define TP_TERM_TEXT_H

#include "term/term.h"

/* Names for variables: both directions. */
typedef struct {
  void *ctx;
  bool (*name)(void *ctx, tp_term var, tp_str *out);           // writes what stands for it: "(var 12)", "(memory bv32)"
  tp_term (*parse)(void *ctx, const char *text, size_t n);     // the inside of such a form, without parentheses; NONE: unknown
} tp_text_vars;

/* False: a variable has no name (nothing is written). */
bool tp_term_write(const tp_terms *tt, tp_term t, tp_text_vars vars, tp_str *out) TP_MUST_USE;
/* Errors: TP_ERR_INPUT with why (position in the text, what was expected). */
tp_status tp_term_read(tp_terms *tt, const char *text, tp_text_vars vars, tp_term *out, tp_str *why) TP_MUST_USE;

#endif

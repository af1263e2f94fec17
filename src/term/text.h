/* Terms as one-line text that can be read back: the notation of certificates and of exchanged
 * facts.
 *
 * What       writer and reader of prefix expressions: (BV_ADD (var 12) (bv 32 5)), kinds by their
 *            names in TP_TERM_KINDS, payloads in front of the arguments, shared subterms through
 *            one `let` around the whole:
 *              text  = term | (let ($1 term) ($2 term) ... term)
 *              term  = TRUE | FALSE | $N | (bv WIDTH VALUE) | (fp WIDTH BITS) | (ptr OBJECT OFFSET)
 *                    | (int VALUE) | (bound N SORT) | VARIABLE | (KIND term ...) | (BV_EXTRACT HI
 *                    LO term) | (BV_ZEXT WIDTH term), BV_SEXT, FP_OF_*, FP_TO_SBV, FP_TO_UBV alike
 *                    | (FP_ROUND MODE term) | (CONST_ARRAY SORT term) | (FORALL N term) | (EXISTS N
 *                    term)
 *              SORT  = bool | ptr | int | fp32 | fp64 | bvWIDTH | (array SORT SORT)
 *            Numbers are decimal. A binding may use those before it. MODE is the number of the
 *            tp_round.
 * Law        reading what was written gives the same term (same id in the same table; in another
 *            one the normal form that its mk gives). The reader believes nothing: ill-sorted,
 *            unknown, too deep or too long texts are errors with a position, never an abort. Bound
 *            variables are bound, and one number has one sort.
 * Cost       linear in the number of different subterms; nothing recurses on the depth of a term.
 */
#ifndef TP_TERM_TEXT_H
#define TP_TERM_TEXT_H

#include "term/term.h"

/* Names for variables: both directions. */
typedef struct {
  void *ctx;
  bool (*name)(void *ctx, tp_term var,
               tp_str *out);  // writes what stands for it: "(var 12)", "(memory bv32)"
  tp_term (*parse)(void *ctx, const char *text,
                   size_t n);  // the inside of such a form, without parentheses; NONE: unknown
} tp_text_vars;

/* False: a variable has no name, or a bound variable is not bound (nothing is written). */
bool tp_term_write(const tp_terms *tt, tp_term t, tp_text_vars vars, tp_str *out) TP_MUST_USE;
/* Errors: TP_ERR_INPUT with why (position in the text from 1, what was expected). */
tp_status tp_term_read(tp_terms *tt, const char *text, tp_text_vars vars, tp_term *out,
                       tp_str *why) TP_MUST_USE;

/* Sorts alone. The reader takes a SORT from the start of text[0 .. n) and says how long it was; 0:
 * there is none. */
void tp_sort_write(const tp_terms *tt, tp_sort s, tp_str *out);
size_t tp_sort_read(tp_terms *tt, const char *text, size_t n, tp_sort *out);

#endif

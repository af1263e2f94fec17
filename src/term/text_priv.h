/* What the writer and the reader of terms share. */
#ifndef TP_TERM_TEXT_PRIV_H
#define TP_TERM_TEXT_PRIV_H

#include "term/term.h"

enum { TP_TEXT_BOUNDS_MAX = 64 };  // bound variables have numbers below
/* Is every bound variable of t under its quantifier, with a number in range, and does each number
 * have one sort? */
bool tp_text_bounds_are_closed(const tp_terms *tt, tp_term t);

#endif

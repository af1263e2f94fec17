/* Bit-vectors as mathematical integers, exactly.
 *
 * What       translates a conjunction of facts over BV and Bool variables into facts over integers
 *            whose models are the same ones; translates linear integer formulas back.
 * Represents each BV variable is an integer variable in its signed or unsigned range (its reading,
 * chosen
 *            by how the variable is compared). An operation on bit-vectors becomes an integer that
 *            is congruent to it modulo 2^width; the wrap into a reading is made only where one is
 *            needed (comparison, extension, division) and only if the bounds of the operands allow
 *            values outside. Bounds come from the facts; what is used of them is asserted again, so
 *            that dropping a wrap never changes the models.
 * Fragment   sums, products and quotients by constants, ite, extensions, slices, concatenations,
 *            shifts and masks by constants. Not: products of variables, bit operations and shifts
 *            by variables, arrays, floats, pointers (lower them first), variables of more than 64
 *            bits.
 * Invariants translations of one table of readings share their integer variables; helper variables
 *            (quotients) are determined by the others, so they may be added to any formula.
 * Ownership  integer variables live in the term table, the maps here.
 * Source     Griggio 2011, "Effective word-level interpolation for software verification", for the
 *            congruences. We differ: wraps are delayed, and dropped where bounds allow. */
#ifndef TP_SMT_INTEGERS_H
#define TP_SMT_INTEGERS_H

#include "term/term.h"

typedef struct tp_integers tp_integers;
tp_integers *tp_integers_new(tp_terms *tt);
void tp_integers_free(tp_integers *n);

/* Before the first translation that uses a variable its reading may be influenced: the comparisons
 * in t vote, and linked variables (of the same width) take the same reading. What a translation is
 * asked about votes anyway. */
void tp_integers_vote(tp_integers *n, tp_term t);
void tp_integers_link(tp_integers *n, tp_term a, tp_term b);

/* An integer interval; both ends belong to it. */
typedef struct {
  tp_i128 lo, hi;
} tp_span;
/* A BV variable lies in `span`, in its reading (tp_integers_is_signed). */
typedef struct {
  tp_term var;
  tp_span span;
} tp_integers_bound;

typedef enum {
  TP_WRAP_EXACT,  // wraps that bounds do not exclude are translated
  TP_WRAP_NONE    // they are left out: for candidates only, models differ
} tp_wrap;
typedef enum {
  TP_RANGE_DERIVED,  // side facts give every variable the bounds that were found
  TP_RANGE_TYPE  // only the range of its type; bounds justify dropped wraps all the same, so the
                 // translation is exact only where they hold
} tp_integers_range;

typedef struct {
  const tp_term *facts;  // bounds are taken from these
  size_t n_facts;
  const tp_term *assumptions;  // translated as well, but nothing is concluded from them
  size_t n_assumptions;
  const tp_integers_bound *bounds;  // known to the caller
  size_t n_bounds;
  tp_wrap wrap;
  tp_integers_range range;
} tp_integers_query;

typedef struct {
  TP_VEC(tp_term) facts, assumptions;  // as asked, in the same order
  TP_VEC(tp_term) side;                // ranges and definitions of helpers: belong to the facts
  TP_VEC(tp_term) vars;                // integer and Bool variables that occur, helpers included
  size_t n_wraps;       // wraps left (NONE: wraps left out that bounds do not exclude)
  const char *refused;  // why it is not in the fragment; static
} tp_integers_translation;
/* False: not in the fragment; what is before the fact (assumption) that is not was translated. The
 * answer may be reused; clear it at the end. */
bool tp_integers_translate(tp_integers *n, const tp_integers_query *q,
                           tp_integers_translation *out);
void tp_integers_translation_clear(tp_integers_translation *a);

/* The integer variable of a BV variable (made now, if it is new), a Bool variable itself. */
tp_term tp_integers_var(tp_integers *n, tp_term var);
bool tp_integers_is_signed(tp_integers *n, tp_term var);
/* Bounds of a BV variable after the last translation, in its reading: a consequence of facts and
 * bounds. */
tp_span tp_integers_span(tp_integers *n, tp_term var);
/* Is the span more than the range of the variable's type says? As a BV formula: `lo <= var <= hi`.
 */
tp_term tp_integers_span_fact(tp_integers *n, tp_integers_bound b);

/* floor(e / d) and e - d * floor(e / d) for an integer term e, d > 0: helper variables that
 * translations back understand (terms have no kind for them). */
tp_term tp_integers_div(tp_integers *n, tp_term e, int64_t d);
tp_term tp_integers_mod(tp_integers *n, tp_term e, int64_t d);
/* The facts that define a helper; NONE: no helper. */
tp_term tp_integers_definition(tp_integers *n, tp_term helper);

typedef enum {
  TP_BACK_EXACT,   // means the same for all values: computed in enough bits
  TP_BACK_MODULAR  // equations over variables of one width hold modulo 2^width: for candidates
} tp_integers_to_bits_mode;
/* A formula over integers of this table (linear, ite, helpers) and Bools as one over their BV
 * variables. NONE: it has variables of its own, is not linear, or needs more than 128 bits. */
tp_term tp_integers_to_bits(tp_integers *n, tp_term formula, tp_integers_to_bits_mode how);

#endif

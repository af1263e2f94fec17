/* The integer encoding from inside: spans, the table, one translation.
 *
 * What       shared by integers.c (variables, readings, helpers), integers_translate.c (a
 *            conjunction, in rounds), integers_span.c (bounds), integers_terms.c (one operation
 *            after the other), integers_linear.c (normal forms) and integers_to_bits.c.
 * Invariants a span holds for every model of the facts; SPAN_FAR and beyond means without bound. */
#ifndef TP_SMT_INTEGERS_PRIV_H
#define TP_SMT_INTEGERS_PRIV_H

#include "smt/integers.h"

#define TP_SPAN_FAR ((tp_i128)1 << 120)

static inline tp_i128 tp_power2(uint32_t n) { return (tp_i128)1 << n; }
static inline tp_i128 tp_floor_div(tp_i128 a, tp_i128 d) {
  return a / d - (a % d != 0 && (a < 0) != (d < 0));
}
static inline bool tp_span_is_point(tp_span s) { return s.lo == s.hi; }
static inline bool tp_span_is_inside(tp_span a, tp_span b) { return a.lo >= b.lo && a.hi <= b.hi; }
tp_span tp_span_add(tp_span a, tp_span b);
tp_span tp_span_scale(tp_span a, tp_i128 factor);
tp_span tp_span_hull(tp_span a, tp_span b);
tp_span tp_span_of_type(uint32_t width_bits, bool is_signed);

/* floor(of / by), or of - by * floor(of / by) */
typedef struct {
  tp_term var, of;
  tp_i128 by;
  bool is_mod;
} tp_integers_helper;

typedef struct {
  tp_term integer, origin;
  uint32_t width_bits;
  bool is_signed;
} tp_integers_variable;

struct tp_integers {
  tp_terms *tt;
  // readings: classes of BV terms that take the same one, by union-find; votes of the root
  tp_map parent, votes, visited;
  // variables and helpers
  TP_VEC(tp_integers_variable) variables;
  tp_map of_var, of_integer;  // BV variable, integer variable -> index
  TP_VEC(tp_integers_helper) helpers;
  tp_map of_helper, of_quotient;  // variable -> index; (term, divisor) -> index
  // bounds of the translation at hand, by integer variable
  tp_map bound;  // variable -> index into spans
  TP_VEC(tp_span) spans;
  bool contradiction, narrowed;
  size_t work;  // of propagation
  tp_map span_memo,
      span_given;  // integer term -> index into memo_spans; given ones are known better
  TP_VEC(tp_span) memo_spans;
  bool type_only;  // ignore bounds
  TP_VEC(tp_term) todo;
  // one round of it
  tp_map translated, wrapped;  // BV or Bool term -> translation; (term, width, reading) -> wrapped
  tp_wrap wrap;
  bool may_fold;  // bounds are asserted, so that a value that they fix is a constant
  size_t n_wraps;
  const char *refused;
};

// integers.c
tp_term tp_integers_constant(tp_integers *n, tp_i128 v);  // |v| < 2^120
bool tp_integers_constant_value(const tp_integers *n, tp_term t, tp_i128 *v);
tp_term tp_integers_sum(tp_integers *n, tp_term a, tp_term b);
tp_term tp_integers_product(tp_integers *n, tp_i128 factor, tp_term a);
tp_term tp_integers_quotient(tp_integers *n, tp_term e, tp_i128 d, bool is_mod);
/* The reading that suits a BV term. */
bool tp_integers_prefers_signed(tp_integers *n, tp_term t);
const tp_integers_helper *tp_integers_find_helper(const tp_integers *n, tp_term var);
const tp_integers_variable *tp_integers_find(const tp_integers *n, tp_term integer);

// integers_span.c
tp_span tp_integers_span_of(tp_integers *n, tp_term e);  // of an integer term
tp_span tp_integers_bound_of(tp_integers *n,
                             tp_term integer);      // of a variable: its type and what was learnt
void tp_integers_invalidate_spans(tp_integers *n);  // bounds have changed
void tp_integers_assume_span(tp_integers *n, tp_term e, tp_span s);  // for this round: e lies in s
void tp_integers_restrict(tp_integers *n, tp_term integer, tp_span s);
/* What the integer facts say about variables. False: nothing new. */
bool tp_integers_propagate(tp_integers *n, const tp_term *facts, size_t n_facts);

// integers_linear.c
/* The same formula with linear atoms in normal form, opposite inequalities joined. */
tp_term tp_integers_normalise(tp_integers *n, tp_term formula);

// integers_terms.c
tp_term tp_integers_term(tp_integers *n, tp_term t);  // NONE: n->refused says why

#endif

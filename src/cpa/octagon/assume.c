/* Restriction of octagons by conditions.
 *
 * Both sides of a comparison are linear forms; a comparison in a reading is a constraint on the
 * forms if each settles in that reading. The comparison itself restricts the values: x <u 10 leaves
 * few values for x, and if only one multiple of 2^width takes x's form there, x is known as
 * an integer, whatever its type's reading is. A form that is at most 0 bounds each of its
 * variables, and each pair of them, by the others' bounds.
 *
 * A disjunction is the join of its branches. Nested ones share a budget, and so do the subterms of
 * a condition, which may be a graph with many paths: what exceeds the budget is no restriction. */
#include "cpa/octagon/octagon_priv.h"

#include "cpa/cpa_limits.h"

typedef struct {
  tp_octagon_draft *d;
  const tp_terms *tt;
  unsigned splits, fuel;
} assumption;

// ------------------------------------------------------------------ constraints

/* c1 * V(a) + c2 * V(b) + rest <= 0 with c1, c2 > 0. */
static bool bound_literals(tp_octagon_draft *d, uint32_t a, uint32_t b, tp_i128 c,
                           tp_i128 rest_lower) {
  const tp_i128 least = -rest_lower;
  const tp_i128 quotient =
      least / c - (least % c < 0);  // rounded down: the left side is an integer
  const int64_t bound = tp_oct_bound(quotient);
  return a == b ? tp_oct_meet(&d->oct, a, bound) : tp_oct_meet_sum(&d->oct, a, b, bound);
}

static int64_t magnitude(int64_t c) { return c < 0 ? -c : c; }

bool tp_octagon_impose(tp_octagon_draft *d, const tp_octagon_form *f) {
  TP_REQUIRE(f->n <= TP_CPA_OCTAGON_MONOMIALS && f->lo <= f->hi);
  const tp_octagon_view v = tp_octagon_view_draft(d);
  if (tp_octagon_lower(v, f) > 0) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    const uint32_t a = tp_octagon_literal(f->at[i].dim, f->at[i].c);
    const tp_octagon_form others = tp_octagon_without(f, i, f->at[i].c);
    if (!bound_literals(d, a, a, magnitude(f->at[i].c), tp_octagon_lower(v, &others))) return false;
  }
  for (uint32_t i = 0; i < f->n; i++)
    for (uint32_t j = i + 1; j < f->n; j++) {
      const int64_t ci = f->at[i].c, cj = f->at[j].c,
                    c = magnitude(ci) < magnitude(cj) ? magnitude(ci) : magnitude(cj);
      tp_octagon_form others = *f;  // c of both taken out
      others.at[i].c -= ci < 0 ? -c : c;
      others.at[j].c -= cj < 0 ? -c : c;
      const uint32_t a = tp_octagon_literal(f->at[i].dim, ci),
                     b = tp_octagon_literal(f->at[j].dim, cj);
      if (!bound_literals(d, a, b, c, tp_octagon_lower(v, &others))) return false;
    }
  return true;
}

// ------------------------------------------------------------------ comparisons

static bool is_readable(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV && tp_width(tt, t) <= 64;
}

/* lo <= f <= hi. */
static bool impose_range(tp_octagon_draft *d, const tp_octagon_form *f, tp_i128 lo, tp_i128 hi) {
  tp_octagon_form above = *f,
                  below = tp_octagon_minus(tp_octagon_view_draft(d), &(tp_octagon_form){0}, f);
  above.lo -= hi, above.hi -= hi;
  below.lo += lo, below.hi += lo;
  return tp_octagon_impose(d, &above) && tp_octagon_impose(d, &below);
}

/* The terms' values in one reading: a + gap <= b. Each also stays in what that leaves of its own
 * range: it may be all that is known of the other one. */
static bool assume_order(tp_octagon_draft *d, tp_term a, tp_term b, bool is_signed, int gap) {
  const tp_octagon_view v = tp_octagon_view_draft(d);
  const uint32_t width = tp_width(d->self->tt, a);
  tp_octagon_form fa = tp_octagon_value(v, a, is_signed), fb = tp_octagon_value(v, b, is_signed);
  tp_i128 a_lo = tp_octagon_lower(v, &fa), a_hi = tp_octagon_upper(v, &fa),
          b_lo = tp_octagon_lower(v, &fb), b_hi = tp_octagon_upper(v, &fb);
  if (a_hi > b_hi - gap) a_hi = b_hi - gap;
  if (b_lo < a_lo + gap) b_lo = a_lo + gap;
  if (a_lo > a_hi || b_lo > b_hi) return false;
  if (fa.n == 0) {
    fa = tp_octagon_ring(v, a);
    if (tp_octagon_settle(v, &fa, width, a_lo, a_hi) == TP_OCTAGON_IMPOSSIBLE) return false;
  }
  if (fb.n == 0) {
    fb = tp_octagon_ring(v, b);
    if (tp_octagon_settle(v, &fb, width, b_lo, b_hi) == TP_OCTAGON_IMPOSSIBLE) return false;
  }
  tp_octagon_form excess = tp_octagon_minus(v, &fa, &fb);
  excess.lo += gap;
  excess.hi += gap;
  if (!tp_octagon_impose(d, &excess)) return false;
  return impose_range(d, &fa, a_lo, a_hi) && impose_range(d, &fb, b_lo, b_hi);
}

static bool impose_zero(tp_octagon_draft *d, const tp_octagon_form *f) {
  const tp_octagon_form opposite =
      tp_octagon_minus(tp_octagon_view_draft(d), &(tp_octagon_form){0}, f);
  return tp_octagon_impose(d, f) && tp_octagon_impose(d, &opposite);
}

static bool assume_equal(tp_octagon_draft *d, tp_term a, tp_term b) {
  const uint32_t width = tp_width(d->self->tt, a);
  tp_octagon_view v = tp_octagon_view_draft(d);
  const tp_octagon_form fa = tp_octagon_ring(v, a), fb = tp_octagon_ring(v, b);
  tp_octagon_form difference = tp_octagon_minus(v, &fa, &fb);
  switch (tp_octagon_settle(v, &difference, width, 0, 0)) {
    case TP_OCTAGON_IMPOSSIBLE: return false;
    case TP_OCTAGON_EXACT: return impose_zero(d, &difference);
    case TP_OCTAGON_RANGE: break;
  }
  return assume_order(d, a, b, true, 0) && assume_order(d, b, a, true, 0) &&
         assume_order(d, a, b, false, 0) && assume_order(d, b, a, false, 0);
}

/* Unequal values push a bound of the difference on if it stands at a multiple of 2^width. */
static bool assume_unequal(tp_octagon_draft *d, tp_term a, tp_term b) {
  const uint32_t width = tp_width(d->self->tt, a);
  const tp_octagon_view v = tp_octagon_view_draft(d);
  const tp_octagon_form fa = tp_octagon_ring(v, a), fb = tp_octagon_ring(v, b);
  tp_octagon_form f = tp_octagon_minus(v, &fa, &fb);
  const tp_i128 lo = tp_octagon_lower(v, &f), hi = tp_octagon_upper(v, &f),
                low_bits = ((tp_i128)1 << width) - 1;
  const bool at_lo = (lo & low_bits) == 0, at_hi = (hi & low_bits) == 0;
  if (lo == hi) return !at_lo;
  if (at_hi) {
    tp_octagon_form less = f;  // f <= hi - 1
    less.lo -= hi - 1, less.hi -= hi - 1;
    if (!tp_octagon_impose(d, &less)) return false;
  }
  if (at_lo) {
    tp_octagon_form more = tp_octagon_minus(v, &(tp_octagon_form){0}, &f);
    more.lo += lo + 1, more.hi += lo + 1;
    if (!tp_octagon_impose(d, &more)) return false;
  }
  return true;
}

// --------------------------------------------------------------- combinations

static bool assume(assumption *x, tp_term t, bool truth, unsigned depth);

/* (a1 and a2) or (b1 and b2), each with its truth; NONE: true. */
typedef struct {
  tp_term t;
  bool truth;
} literal;

static bool assume_either(assumption *x, const literal a[2], const literal b[2], unsigned depth) {
  if (x->splits == 0) return true;
  x->splits--;
  tp_octagon_draft other = {0};
  tp_octagon_copy_draft(&other, x->d);
  bool first = true, second = true;
  for (int i = 0; i < 2 && first; i++)
    first = !tp_term_is(a[i].t) || assume(x, a[i].t, a[i].truth, depth);
  assumption y = {&other, x->tt, x->splits, x->fuel};
  for (int i = 0; i < 2 && second; i++)
    second = !tp_term_is(b[i].t) || assume(&y, b[i].t, b[i].truth, depth);
  x->splits = y.splits;
  x->fuel = y.fuel;
  if (first && second)
    tp_oct_join(&x->d->oct, &other.oct);
  else if (second)
    tp_oct_copy(&x->d->oct, &other.oct);
  tp_octagon_drop_draft(&other);
  return first || second;
}

static bool assume_both_or_either(assumption *x, tp_term a, tp_term b, bool truth, bool is_and,
                                  unsigned depth) {
  if (is_and == truth) return assume(x, a, truth, depth) && assume(x, b, truth, depth);
  // the second branch may take the first one's opposite along
  return assume_either(x, (literal[2]){{a, truth}}, (literal[2]){{a, !truth}, {b, truth}}, depth);
}

/* Different (or equal) truth values. */
static bool assume_differ(assumption *x, tp_term a, tp_term b, bool differ, unsigned depth) {
  return assume_either(x, (literal[2]){{a, true}, {b, !differ}},
                       (literal[2]){{a, false}, {b, differ}}, depth);
}

static bool compare(assumption *x, tp_term_kind k, tp_term a, tp_term b, bool truth) {
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE,
             is_strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  if (!is_readable(x->tt, a)) return true;
  return truth ? assume_order(x->d, a, b, is_signed, is_strict)
               : assume_order(x->d, b, a, is_signed, !is_strict);
}

static bool assume(assumption *x, tp_term t, bool truth, unsigned depth) {
  const tp_terms *tt = x->tt;
  const tp_term_kind k = tp_kind(tt, t);
  const tp_term a = tp_n_args(tt, t) > 0 ? tp_arg(tt, t, 0) : TP_TERM_NONE,
                b = tp_n_args(tt, t) > 1 ? tp_arg(tt, t, 1) : TP_TERM_NONE;
  if (depth == 0 || x->fuel == 0) return true;
  x->fuel--;
  switch ((int)k) {
    case TP_OP_TRUE: return truth;
    case TP_OP_FALSE: return !truth;
    case TP_OP_NOT: return assume(x, a, !truth, depth - 1);
    case TP_OP_AND: return assume_both_or_either(x, a, b, truth, true, depth - 1);
    case TP_OP_OR: return assume_both_or_either(x, a, b, truth, false, depth - 1);
    case TP_OP_XOR: return assume_differ(x, a, b, truth, depth - 1);
    case TP_OP_ITE:
      return assume_either(x, (literal[2]){{a, true}, {b, truth}},
                           (literal[2]){{a, false}, {tp_arg(tt, t, 2), truth}}, depth - 1);
    case TP_OP_EQ:
      if (tp_sort_kind_of(tt, tp_sort_of(tt, a)) == TP_SORT_BOOL)
        return assume_differ(x, a, b, !truth, depth - 1);
      if (!is_readable(tt, a)) return true;
      return truth ? assume_equal(x->d, a, b) : assume_unequal(x->d, a, b);
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: return compare(x, k, a, b, truth);
    default: return true;
  }
}

bool tp_octagon_assume(tp_octagon_draft *d, tp_term condition, bool truth) {
  TP_REQUIRE(tp_sort_kind_of(d->self->tt, tp_sort_of(d->self->tt, condition)) == TP_SORT_BOOL);
  assumption x = {d, d->self->tt, TP_CPA_OCTAGON_ASSUME_SPLITS, TP_CPA_OCTAGON_ASSUME_STEPS};
  return assume(&x, condition, truth, TP_CPA_OCTAGON_ASSUME_LEVELS);
}

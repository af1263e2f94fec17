/* Assignments x := t.
 *
 * If t's value in x's reading is a linear form, each of its variables y gives x = +-y + rest, with the rest bounded by the
 * octagon before the assignment. The tightest of them (x itself, if x := +-x + rest: what was known of x moves along) is made
 * exactly, the others are added. A choice between two terms is the join of two assignments. Remainders and the like
 * are intervals, but below their operands: i % n < n is what keeps a ring buffer's index in range. */
#include "cpa/octagon/octagon_priv.h"

enum { MOST_SPLITS = 4 };

static int64_t upper_bound(tp_i128 hi) { return tp_oct_bound(hi); }
static int64_t lower_bound(tp_i128 lo) { return -tp_oct_bound(-lo); }

typedef struct { tp_i128 lo, hi; } range;

static range bounds_of(tp_octagon_view v, const tp_octagon_form *f) {
  return (range){tp_octagon_lower(v, f), tp_octagon_upper(v, f)};
}

static int sign(int64_t c) { return c < 0 ? -1 : 1; }

/* Which monomial moves into x: x itself with coefficient +-1; else the one with the narrowest rest. */
static uint32_t choose_main(const tp_octagon_form *f, const range *rests, uint32_t dim) {
  uint32_t best = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    if (f->at[i].dim == dim && (f->at[i].c == 1 || f->at[i].c == -1)) return i;
    if (rests[i].hi - rests[i].lo < rests[best].hi - rests[best].lo) best = i;
  }
  return best;
}

static bool assign_form(tp_octagon_draft *d, uint32_t dim, const tp_octagon_form *f) {
  const tp_octagon_view v = tp_octagon_view_draft(d);
  const range whole = bounds_of(v, f);
  if (f->n == 0) {
    tp_oct_assign_range(&d->oct, dim, lower_bound(whole.lo), upper_bound(whole.hi));
    return true;
  }
  range rests[TP_OCTAGON_MONOMIALS];
  for (uint32_t i = 0; i < f->n; i++) {
    const tp_octagon_form rest = tp_octagon_without(f, i, sign(f->at[i].c));
    rests[i] = bounds_of(v, &rest);
  }
  const uint32_t first = choose_main(f, rests, dim);
  tp_oct_assign(&d->oct, dim, tp_octagon_literal(f->at[first].dim, f->at[first].c), lower_bound(rests[first].lo), upper_bound(rests[first].hi));
  for (uint32_t i = 0; i < f->n; i++) {
    if (i == first || f->at[i].dim == dim) continue;         // old values of x have no name any more
    const uint32_t y = tp_octagon_literal(f->at[i].dim, f->at[i].c);
    if (!tp_oct_meet_sum(&d->oct, tp_oct_plus(dim), y ^ 1, upper_bound(rests[i].hi))) return false;
    if (!tp_oct_meet_sum(&d->oct, tp_oct_minus(dim), y, upper_bound(-rests[i].lo))) return false;
  }
  return tp_oct_meet(&d->oct, tp_oct_plus(dim), upper_bound(whole.hi)) && tp_oct_meet(&d->oct, tp_oct_minus(dim), upper_bound(-whole.lo));
}

// ------------------------------------------------------- not linear, but below

/* x <= form + gap after the assignment. */
typedef struct {
  tp_octagon_form form;
  int gap;
} ceiling;

static bool mentions(const tp_octagon_form *f, uint32_t dim) {
  for (uint32_t i = 0; i < f->n; i++)
    if (f->at[i].dim == dim) return true;
  return false;
}

static size_t add_ceiling(tp_octagon_view v, uint32_t dim, tp_term t, bool is_signed, int gap, ceiling *out, size_t n) {
  const tp_octagon_form f = tp_octagon_value(v, t, is_signed);
  if (f.n == 0 || mentions(&f, dim)) return n;
  if (tp_octagon_lower(v, &f) + gap < 0) return n;           // zero divisors, negative numbers
  out[n].form = f;
  out[n].gap = gap;
  return n + 1;
}

/* What bounds t's value from above. It must be the same in x's reading: in the signed one only if it is not negative. */
static size_t ceilings_of(tp_octagon_view v, uint32_t dim, bool is_signed, tp_term t, ceiling out[2]) {
  const tp_terms *tt = v.self->tt;
  while (tp_kind(tt, t) == TP_OP_BV_ZEXT) t = tp_arg(tt, t, 0);
  const tp_term_kind k = tp_kind(tt, t);
  if (tp_n_args(tt, t) != 2) return 0;
  const tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  const tp_interval result = tp_octagon_interval(v, t);
  if (tp_interval_is_none(&result)) return 0;
  if (is_signed && tp_interval_umax(&result) > (tp_u128)tp_octagon_max_of(result.width, true)) return 0;
  switch ((int)k) {
    case TP_OP_BV_UREM: {
      const size_t n = add_ceiling(v, dim, b, false, -1, out, 0);
      return add_ceiling(v, dim, a, false, 0, out, n);
    }
    case TP_OP_BV_UDIV: case TP_OP_BV_LSHR: {                // not by zero: that run has ended
      const tp_octagon_form divisor = tp_octagon_value(v, b, false);
      return k == TP_OP_BV_LSHR || tp_octagon_lower(v, &divisor) > 0 ? add_ceiling(v, dim, a, false, 0, out, 0) : 0;
    }
    case TP_OP_BV_AND: return add_ceiling(v, dim, b, false, 0, out, add_ceiling(v, dim, a, false, 0, out, 0));
    case TP_OP_BV_SREM: case TP_OP_BV_SDIV: {                // of numbers that are not negative, by positive ones
      const tp_octagon_form dividend = tp_octagon_value(v, a, true), divisor = tp_octagon_value(v, b, true);
      if (tp_octagon_lower(v, &dividend) < 0 || tp_octagon_lower(v, &divisor) <= 0) return 0;
      const size_t n = k == TP_OP_BV_SREM ? add_ceiling(v, dim, b, true, -1, out, 0) : 0;
      return add_ceiling(v, dim, a, true, 0, out, n);
    }
    default: return 0;
  }
}

// ------------------------------------------------------------------ assignments

static void count_havoc(const tp_octagon_draft *d) {
  if (d->self->cpa->env->stats) d->self->cpa->env->stats->havocs++;
}

static bool assign_simple(tp_octagon_draft *d, tp_var x, uint32_t dim, tp_term t) {
  const tp_octagon_var *info = &d->self->vars[x.id];
  const tp_octagon_view v = tp_octagon_view_draft(d);
  const tp_octagon_form f = tp_octagon_value(v, t, info->is_signed);
  ceiling above[2];
  const size_t n = f.n == 0 ? ceilings_of(v, dim, info->is_signed, t, above) : 0;
  if (f.n == 0 && n == 0 && f.lo == tp_octagon_type_min(info) && f.hi == tp_octagon_type_max(info)) count_havoc(d);
  if (!assign_form(d, dim, &f)) return false;
  for (size_t i = 0; i < n; i++) {
    tp_octagon_form excess = {.n = 1, .at = {{dim, 1}}};
    excess = tp_octagon_minus(v, &excess, &above[i].form);
    excess.lo -= above[i].gap, excess.hi -= above[i].gap;
    if (!tp_octagon_impose(d, &excess)) return false;
  }
  return true;
}

static bool assign(tp_octagon_draft *d, tp_var x, uint32_t dim, tp_term t, unsigned splits) {
  const tp_terms *tt = d->self->tt;
  if (tp_kind(tt, t) != TP_OP_ITE || splits == 0) return assign_simple(d, x, dim, t);
  const tp_term condition = tp_arg(tt, t, 0);
  tp_octagon_draft other = {0};
  tp_octagon_copy_draft(&other, d);
  const bool first = tp_octagon_assume(d, condition, true) && assign(d, x, dim, tp_arg(tt, t, 1), splits - 1);
  const bool second = tp_octagon_assume(&other, condition, false) && assign(&other, x, dim, tp_arg(tt, t, 2), splits - 1);
  if (first && second) tp_oct_join(&d->oct, &other.oct);
  else if (second) tp_oct_copy(&d->oct, &other.oct);
  tp_octagon_drop_draft(&other);
  return first || second;
}

bool tp_octagon_assign(tp_octagon_draft *d, tp_var x, tp_term t) {
  const uint32_t dim = tp_octagon_dim(tp_octagon_view_draft(d), x);
  return dim == TP_OCTAGON_NO_DIM || assign(d, x, dim, t, MOST_SPLITS);
}

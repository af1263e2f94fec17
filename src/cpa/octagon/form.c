/* Terms as linear forms over mathematical integers.
 *
 * A bit-vector term is first read as an element of the ring of integers modulo 2^width: there sums,
 * negations, products with constants and truncations are exact, whatever wraps, and a variable may
 * stand for its value in either reading. What is not linear becomes an interval by the bounds of
 * its arguments. Only then the form is settled: if the bounds of the octagon leave one multiple of
 * 2^width that takes it into the required reading, the form minus that multiple is the
 * value as an integer; otherwise only the reading's range is known.
 *
 * Forms have few monomials, evaluation has little fuel: larger terms are intervals. */
#include "cpa/octagon/octagon_priv.h"

#include "cpa/cpa_limits.h"

static const tp_i128 huge = (tp_i128)1 << 100;  // forms stay below
static const int64_t big = (int64_t)1
                           << 40;  // coefficients: times a value, times all, far from overflow

tp_i128 tp_octagon_min_of(uint32_t width, bool is_signed) {
  TP_REQUIRE(width >= 1 && width <= 64);
  return is_signed ? -((tp_i128)1 << (width - 1)) : 0;
}
tp_i128 tp_octagon_max_of(uint32_t width, bool is_signed) {
  TP_REQUIRE(width >= 1 && width <= 64);
  return ((tp_i128)1 << (is_signed ? width - 1 : width)) - 1;
}
tp_i128 tp_octagon_type_min(const tp_octagon_var *v) {
  return tp_octagon_min_of(v->width, v->is_signed);
}
tp_i128 tp_octagon_type_max(const tp_octagon_var *v) {
  return tp_octagon_max_of(v->width, v->is_signed);
}

// ---------------------------------------------------------------------- bounds

static tp_i128 min_i128(tp_i128 a, tp_i128 b) { return a < b ? a : b; }

static const tp_octagon_var *var_of_dim(tp_octagon_view v, uint32_t dim) {
  TP_REQUIRE(dim < v.n);
  return &v.self->vars[v.vars[dim].id];
}

static tp_i128 type_upper(tp_octagon_view v, uint32_t literal) {
  const tp_octagon_var *x = var_of_dim(v, literal / 2);
  return literal & 1 ? -tp_octagon_type_min(x) : tp_octagon_type_max(x);
}

/* Bounds of wide types do not fit into octagons: they are applied here, also through differences to
 * other wide variables, so that i < n shows that i + 1 does not wrap. */
tp_i128 tp_octagon_upper_of(tp_octagon_view v, uint32_t literal) {
  enum { FITS = 58 };
  tp_i128 best = type_upper(v, literal);
  const int64_t direct = tp_oct_upper(v.oct, literal);
  if (direct < TP_OCT_INF) best = min_i128(best, direct);
  if (var_of_dim(v, literal / 2)->width <= FITS) return best;
  for (uint32_t j = 0; j < 2 * v.n; j++) {
    const int64_t c = tp_oct_entry(v.oct, j, literal);
    if (c < TP_OCT_INF && j / 2 != literal / 2) best = min_i128(best, type_upper(v, j) + c);
  }
  return best;
}

static tp_i128 upper_of_pair(tp_octagon_view v, uint32_t a, uint32_t b) {
  const tp_i128 apart = tp_octagon_upper_of(v, a) + tp_octagon_upper_of(v, b);
  const int64_t c = tp_oct_upper_sum(v.oct, a, b);
  return c < TP_OCT_INF ? min_i128(apart, c) : apart;
}

/* Monomials with coefficients 1 and -1 are bounded in pairs. */
tp_i128 tp_octagon_upper(tp_octagon_view v, const tp_octagon_form *f) {
  tp_i128 sum = f->hi;
  bool used[TP_CPA_OCTAGON_MONOMIALS] = {false};
  for (uint32_t i = 0; i < f->n; i++) {
    if (used[i]) continue;
    const int64_t c = f->at[i].c;
    const uint32_t a = tp_octagon_literal(f->at[i].dim, c);
    uint32_t best = i;
    tp_i128 least = (tp_i128)(c < 0 ? -c : c) * tp_octagon_upper_of(v, a), gain = 0;
    for (uint32_t j = i + 1; j < f->n && (c == 1 || c == -1); j++) {
      if (used[j] || (f->at[j].c != 1 && f->at[j].c != -1)) continue;
      const uint32_t b = tp_octagon_literal(f->at[j].dim, f->at[j].c);
      const tp_i128 pair = upper_of_pair(v, a, b),
                    apart = tp_octagon_upper_of(v, a) + tp_octagon_upper_of(v, b);
      if (apart - pair <= gain) continue;
      gain = apart - pair;
      best = j;
      least = pair;
    }
    used[best] = true;
    sum += least;
  }
  return sum;
}

static tp_octagon_form negated(const tp_octagon_form *f) {
  tp_octagon_form g = *f;
  for (uint32_t i = 0; i < g.n; i++) g.at[i].c = -g.at[i].c;
  g.lo = -f->hi;
  g.hi = -f->lo;
  return g;
}

tp_i128 tp_octagon_lower(tp_octagon_view v, const tp_octagon_form *f) {
  const tp_octagon_form g = negated(f);
  return -tp_octagon_upper(v, &g);
}

// ---------------------------------------------------------- arithmetic on forms

static tp_octagon_form range_form(tp_i128 lo, tp_i128 hi) {
  return (tp_octagon_form){.lo = lo, .hi = hi};
}

/* c * value of dim goes into the range. */
static void absorb(tp_octagon_view v, tp_octagon_form *f, uint32_t dim, int64_t c) {
  TP_REQUIRE(dim < v.n);
  const tp_i128 size = c < 0 ? -(tp_i128)c : c;
  f->hi += size * tp_octagon_upper_of(v, tp_octagon_literal(dim, c));
  f->lo -= size * tp_octagon_upper_of(v, tp_octagon_literal(dim, -c));
}

static void add_monomial(tp_octagon_view v, tp_octagon_form *f, uint32_t dim, int64_t c) {
  for (uint32_t i = 0; i < f->n; i++) {
    if (f->at[i].dim != dim) continue;
    f->at[i].c += c;  // both below big
    if (f->at[i].c == 0) f->at[i] = f->at[--f->n];
    return;
  }
  if (f->n == TP_CPA_OCTAGON_MONOMIALS) {
    absorb(v, f, dim, c);
    return;
  }
  f->at[f->n].dim = dim;
  f->at[f->n++].c = c;
}

static bool is_small(const tp_octagon_form *f) {
  for (uint32_t i = 0; i < f->n; i++)
    if (f->at[i].c >= big / 2 || f->at[i].c <= -big / 2) return false;
  return f->lo > -huge && f->hi < huge;
}

static tp_octagon_form sum(tp_octagon_view v, const tp_octagon_form *a, const tp_octagon_form *b) {
  tp_octagon_form f = *a;
  f.lo += b->lo;
  f.hi += b->hi;
  for (uint32_t i = 0; i < b->n; i++) add_monomial(v, &f, b->at[i].dim, b->at[i].c);
  return f;
}

/* c * f; false: too big. */
static bool scaled(tp_octagon_form *f, tp_i128 c) {
  if (c >= big || c <= -big) return false;
  for (uint32_t i = 0; i < f->n; i++)
    if (__builtin_mul_overflow(f->at[i].c, (int64_t)c, &f->at[i].c)) return false;
  tp_i128 lo, hi;
  if (__builtin_mul_overflow(c < 0 ? f->hi : f->lo, c, &lo) ||
      __builtin_mul_overflow(c < 0 ? f->lo : f->hi, c, &hi))
    return false;
  f->lo = lo;
  f->hi = hi;
  if (c == 0) f->n = 0;
  return true;
}

tp_octagon_form tp_octagon_minus(tp_octagon_view v, const tp_octagon_form *a,
                                 const tp_octagon_form *b) {
  const tp_octagon_form minus_b = negated(b);
  return sum(v, a, &minus_b);
}

tp_octagon_form tp_octagon_without(const tp_octagon_form *f, uint32_t i, int64_t c) {
  TP_REQUIRE(i < f->n);
  tp_octagon_form g = *f;
  g.at[i].c -= c;
  if (g.at[i].c == 0) g.at[i] = g.at[--g.n];
  return g;
}

// ------------------------------------------------------------------ evaluation

typedef struct {
  tp_octagon_view v;
  const tp_terms *tt;
  unsigned fuel;
} evaluation;

static tp_octagon_form ring(evaluation *x, tp_term t, unsigned depth);

tp_octagon_settled tp_octagon_settle_within(tp_octagon_form *f, uint32_t width, tp_i128 lo,
                                            tp_i128 hi, tp_i128 from, tp_i128 to) {
  TP_REQUIRE(lo <= hi && width >= 1 && width <= 64);
  const tp_i128 modulus = (tp_i128)1 << width;
  // the least k with hi + k * modulus >= from, the greatest with lo + k * modulus <= to; >> rounds
  // down
  const tp_i128 k_min = -((hi - from) >> width), k_max = (to - lo) >> width;
  if (k_min > k_max) return TP_OCTAGON_IMPOSSIBLE;
  if (k_min < k_max) {
    *f = range_form(lo, hi);
    return TP_OCTAGON_RANGE;
  }
  f->lo -= k_min * modulus;
  f->hi -= k_min * modulus;
  return TP_OCTAGON_EXACT;
}

tp_octagon_settled tp_octagon_settle(tp_octagon_view v, tp_octagon_form *f, uint32_t width,
                                     tp_i128 lo, tp_i128 hi) {
  return tp_octagon_settle_within(f, width, lo, hi, tp_octagon_lower(v, f), tp_octagon_upper(v, f));
}

static bool is_bits(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV;
}

static tp_octagon_form value(evaluation *x, tp_term t, bool is_signed, unsigned depth) {
  const uint32_t width = tp_width(x->tt, t);
  const tp_i128 lo = tp_octagon_min_of(width, is_signed), hi = tp_octagon_max_of(width, is_signed);
  tp_octagon_form f = ring(x, t, depth);
  return tp_octagon_settle(x->v, &f, width, lo, hi) == TP_OCTAGON_IMPOSSIBLE ? range_form(lo, hi)
                                                                             : f;
}

static tp_interval interval(evaluation *x, tp_term t, unsigned depth) {
  const uint32_t width = tp_width(x->tt, t);
  if (width > 64) return tp_interval_full(width);
  const tp_octagon_form f = ring(x, t, depth);
  const tp_i128 lo = tp_octagon_lower(x->v, &f), hi = tp_octagon_upper(x->v, &f);
  if (hi - lo >= tp_octagon_max_of(width, false)) return tp_interval_full(width);
  return tp_interval_signed(width, lo, hi);
}

/* The narrower reading; a form of everything if neither says anything. */
static tp_octagon_form of_interval(const tp_interval *i) {
  if (tp_interval_is_none(i)) return range_form(0, tp_octagon_max_of(i->width, false));
  const tp_u128 signed_span = (tp_u128)(tp_interval_smax(i) - tp_interval_smin(i)),
                unsigned_span = tp_interval_umax(i) - tp_interval_umin(i);
  if (signed_span < unsigned_span) return range_form(tp_interval_smin(i), tp_interval_smax(i));
  return range_form((tp_i128)tp_interval_umin(i), (tp_i128)tp_interval_umax(i));
}

static tp_octagon_form hull(tp_octagon_view v, const tp_octagon_form *a, const tp_octagon_form *b) {
  const tp_octagon_form d = tp_octagon_minus(v, a, b);
  if (d.n == 0 && a->n == b->n) {  // the same monomials
    tp_octagon_form f = *a;
    f.lo = min_i128(a->lo, b->lo);
    f.hi = a->hi > b->hi ? a->hi : b->hi;
    return f;
  }
  const tp_i128 a_hi = tp_octagon_upper(v, a), b_hi = tp_octagon_upper(v, b);
  return range_form(min_i128(tp_octagon_lower(v, a), tp_octagon_lower(v, b)),
                    a_hi > b_hi ? a_hi : b_hi);
}

static tp_octagon_form of_variable(evaluation *x, tp_term t) {
  const tp_var var = tp_program_var_of(x->v.self->p, t);
  const uint32_t dim = tp_octagon_dim(x->v, var);
  if (dim == TP_OCTAGON_NO_DIM) {
    const uint32_t width = tp_width(x->tt, t);
    const bool is_signed = var.id && x->v.self->vars[var.id].is_signed;
    return range_form(tp_octagon_min_of(width, is_signed), tp_octagon_max_of(width, is_signed));
  }
  tp_octagon_form f = range_form(0, 0);
  f.at[f.n].dim = dim;
  f.at[f.n++].c = 1;
  return f;
}

/* What linear forms do not know, by intervals of the arguments. */
static tp_octagon_form by_intervals(evaluation *x, tp_term t, unsigned depth) {
  const uint32_t width = tp_width(x->tt, t), n = tp_n_args(x->tt, t);
  const tp_term_kind k = tp_kind(x->tt, t);
  tp_interval result = tp_interval_full(width);
  switch ((int)k) {
    case TP_OP_BV_MUL:
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM:
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR:
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR:
    case TP_OP_BV_CONCAT: {
      const tp_interval a = interval(x, tp_arg(x->tt, t, 0), depth),
                        b = interval(x, tp_arg(x->tt, t, n - 1), depth);
      result = tp_interval_binary(k, &a, &b);
      break;
    }
    case TP_OP_BV_EXTRACT: {
      const tp_interval a = interval(x, tp_arg(x->tt, t, 0), depth);
      result = tp_interval_extract(tp_extract_hi(x->tt, t), tp_extract_lo(x->tt, t), &a);
      break;
    }
    default: break;
  }
  return of_interval(&result);
}

static tp_octagon_form product(evaluation *x, tp_term t, tp_term factor, tp_i128 by,
                               unsigned depth) {
  tp_octagon_form f = ring(x, factor, depth);
  return scaled(&f, by) ? f : by_intervals(x, t, depth);
}

static tp_i128 centred(tp_u128 c, uint32_t width) { return tp_interval_to_signed(width, c); }

static tp_octagon_form linear(evaluation *x, tp_term t, unsigned depth) {
  const tp_terms *tt = x->tt;
  const uint32_t width = tp_width(tt, t);
  const tp_term a = tp_n_args(tt, t) > 0 ? tp_arg(tt, t, 0) : TP_TERM_NONE,
                b = tp_n_args(tt, t) > 1 ? tp_arg(tt, t, 1) : TP_TERM_NONE;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_CONST: {
      const tp_i128 c = centred(tp_bv_value(tt, t), width);
      return range_form(c, c);
    }
    case TP_OP_VAR: return of_variable(x, t);
    case TP_OP_BV_ADD: {
      const tp_octagon_form f = ring(x, a, depth), g = ring(x, b, depth);
      return sum(x->v, &f, &g);
    }
    case TP_OP_BV_NEG: {
      const tp_octagon_form f = ring(x, a, depth);
      return negated(&f);
    }
    case TP_OP_BV_NOT: {
      const tp_octagon_form f = ring(x, a, depth), all = range_form(-1, -1);
      return tp_octagon_minus(x->v, &all, &f);
    }
    case TP_OP_BV_MUL:
      if (tp_kind(tt, b) == TP_OP_BV_CONST)
        return product(x, t, a, centred(tp_bv_value(tt, b), width), depth);
      if (tp_kind(tt, a) == TP_OP_BV_CONST)
        return product(x, t, b, centred(tp_bv_value(tt, a), width), depth);
      break;
    case TP_OP_BV_SHL:
      if (tp_kind(tt, b) == TP_OP_BV_CONST && tp_bv_value(tt, b) < width && width <= 64)
        return product(x, t, a, (tp_i128)1 << (unsigned)tp_bv_value(tt, b), depth);
      break;
    case TP_OP_BV_ZEXT: return value(x, a, false, depth);
    case TP_OP_BV_SEXT: return value(x, a, true, depth);
    case TP_OP_BV_EXTRACT:
      if (tp_extract_lo(tt, t) == 0 && tp_width(tt, a) <= 64) return ring(x, a, depth);
      break;
    case TP_OP_ITE: {
      const tp_octagon_form f = ring(x, b, depth), g = ring(x, tp_arg(tt, t, 2), depth);
      return hull(x->v, &f, &g);
    }
    default: break;
  }
  return by_intervals(x, t, depth);
}

static tp_octagon_form ring(evaluation *x, tp_term t, unsigned depth) {
  const uint32_t width = tp_width(x->tt, t);
  TP_INVARIANT(width <= 64);
  const tp_octagon_form anything =
      range_form(tp_octagon_min_of(width, true), tp_octagon_max_of(width, true));
  if (depth == 0 || x->fuel == 0 || !is_bits(x->tt, t)) return anything;
  x->fuel--;
  const tp_octagon_form f = linear(x, t, depth - 1);
  return is_small(&f) ? f : anything;
}

tp_octagon_form tp_octagon_ring(tp_octagon_view v, tp_term t) {
  evaluation x = {v, v.self->tt, TP_CPA_OCTAGON_FORM_STEPS};
  return ring(&x, t, TP_CPA_OCTAGON_FORM_LEVELS);
}

tp_octagon_form tp_octagon_value(tp_octagon_view v, tp_term t, bool is_signed) {
  evaluation x = {v, v.self->tt, TP_CPA_OCTAGON_FORM_STEPS};
  return value(&x, t, is_signed, TP_CPA_OCTAGON_FORM_LEVELS);
}

tp_interval tp_octagon_interval(tp_octagon_view v, tp_term t) {
  evaluation x = {v, v.self->tt, TP_CPA_OCTAGON_FORM_STEPS};
  return interval(&x, t, TP_CPA_OCTAGON_FORM_LEVELS);
}

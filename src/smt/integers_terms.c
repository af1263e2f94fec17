/* From bit-vector terms to integer terms, one operation after the other.
 *
 * A bit-vector term of width w is represented by an integer term that is congruent to it modulo
 * 2^w. Sums, products by constants, negation, conditionals and the low bits of a term need nothing
 * else. Where the value itself is needed (comparisons, extensions, quotients, the low part of a
 * concatenation) the representative is brought into the signed or the unsigned range: by nothing at
 * all if its span lies in one period of 2^w, by a conditional if it meets two or three, else by a
 * quotient. Equations need a multiple of 2^w as difference, of which spans leave one or a few. */
#include "smt/integers_priv.h"

#include "smt/smt_limits.h"

static tp_term refuse(tp_integers *n, const char *why) {
  if (!n->refused) n->refused = why;
  return TP_TERM_NONE;
}

static tp_term translation(const tp_integers *n, tp_term t) {
  TP_REQUIRE(tp_map_has(&n->translated, t.id));  // arguments first
  uint64_t id;
  return tp_map_get(&n->translated, t.id, &id) ? (tp_term){(uint32_t)id} : TP_TERM_NONE;
}

static tp_term shifted(tp_integers *n, tp_term e, tp_i128 by) {
  return tp_integers_sum(n, e, tp_integers_constant(n, by));
}
static tp_term at_least(tp_integers *n, tp_term e, tp_i128 c) {
  return tp_mk2(n->tt, TP_OP_INT_LE, tp_integers_constant(n, c), e);
}
static tp_term below(tp_integers *n, tp_term e, tp_i128 c) {
  return tp_mk2(n->tt, TP_OP_INT_LT, e, tp_integers_constant(n, c));
}

/* floor(e / d), d > 0 */
static tp_term quotient(tp_integers *n, tp_term e, tp_i128 d) {
  tp_span s = tp_integers_span_of(n, e);
  tp_i128 lo = tp_floor_div(s.lo, d), hi = tp_floor_div(s.hi, d);
  if (d == 1) return e;
  return lo == hi && n->may_fold ? tp_integers_constant(n, lo)
                                 : tp_integers_quotient(n, e, d, false);
}

/* d * floor(e / d) */
static tp_term rounded(tp_integers *n, tp_term e, tp_i128 d) {
  return tp_integers_product(n, d, quotient(n, e, d));
}

// ---------------------------------------------------------------------- wraps

/* Periods of 2^w that a span meets, counted from the one that starts at `start`. */
typedef struct {
  tp_i128 first, last;
} periods;

static periods periods_of(tp_span s, tp_i128 start, tp_i128 size) {
  TP_REQUIRE(s.lo <= s.hi && size > 0);
  return (periods){tp_floor_div(s.lo - start, size), tp_floor_div(s.hi - start, size)};
}

static tp_i128 nearest_to_zero(periods p) {
  return p.first > 0 ? p.first : p.last < 0 ? p.last : 0;
}

/* e, congruent modulo 2^w, in the range that starts at `start`. */
static tp_term wrap_cases(tp_integers *n, tp_term e, tp_span range, tp_i128 size, periods p) {
  tp_term r = shifted(n, e, -p.last * size);
  tp_span s = tp_integers_span_of(n, e), met = {range.lo, s.hi - p.last * size};
  for (tp_i128 k = p.last - 1; k >= p.first; k--) {
    r = tp_mk_ite(n->tt, below(n, e, range.lo + (k + 1) * size), shifted(n, e, -k * size), r);
    met = tp_span_hull(met, (tp_span){k == p.first ? s.lo - k * size : range.lo, range.hi});
  }
  tp_integers_assume_span(n, r, met);  // all of it: what is inside holds only where it is chosen
  return r;
}

static tp_term wrap(tp_integers *n, tp_term e, uint32_t w, bool is_signed) {
  uint64_t key = (uint64_t)e.id << 32 | w << 1 | is_signed, known;
  if (tp_map_get(&n->wrapped, key, &known)) return (tp_term){(uint32_t)known};
  tp_span range = tp_span_of_type(w, is_signed);
  tp_i128 size = tp_power2(w);
  periods p = periods_of(tp_integers_span_of(n, e), range.lo, size);
  tp_term r;
  if (p.first != p.last) n->n_wraps++;
  if (p.first == p.last || n->wrap == TP_WRAP_NONE) {
    r = shifted(n, e, -nearest_to_zero(p) * size);
  } else if (p.last - p.first < TP_SMT_INTS_WRAP_CASES) {
    r = wrap_cases(n, e, range, size, p);
  } else {
    r = tp_integers_sum(
        n, e,
        tp_integers_product(n, -size,
                            tp_integers_quotient(n, shifted(n, e, -range.lo), size, false)));
    tp_integers_assume_span(n, r, range);
  }
  TP_INVARIANT(tp_sort_kind_of(n->tt, tp_sort_of(n->tt, r)) == TP_SORT_INT);
  tp_map_set(&n->wrapped, key, r.id);
  return r;
}

/* The value of an argument in one reading; arguments are translated before. */
static tp_term read(tp_integers *n, tp_term t, bool is_signed) {
  return wrap(n, translation(n, t), tp_width(n->tt, t), is_signed);
}

static tp_term equal_bits(tp_integers *n, tp_term t, tp_term u) {
  tp_terms *tt = n->tt;
  tp_term a = translation(n, t), b = translation(n, u), any = tp_mk_false(tt);
  tp_i128 size = tp_power2(tp_width(tt, t));
  tp_span s = tp_span_add(tp_integers_span_of(n, a), tp_span_scale(tp_integers_span_of(n, b), -1));
  periods p = {-tp_floor_div(-s.lo, size),
               tp_floor_div(s.hi, size)};  // multiples of 2^w in the span
  if (p.first > p.last && n->may_fold) return any;
  if (p.first > p.last)
    p.first = p.last = p.first > 0 ? p.last : p.first;  // false where the bounds hold
  if (p.first == p.last) return tp_mk_eq(tt, a, shifted(n, b, p.first * size));
  if (n->wrap == TP_WRAP_NONE) {
    n->n_wraps++;
    return tp_mk_eq(tt, a, shifted(n, b, nearest_to_zero(p) * size));
  }
  if (p.last - p.first < TP_SMT_INTS_WRAP_CASES) {
    n->n_wraps++;
    for (tp_i128 k = p.first; k <= p.last; k++)
      any = tp_mk_or(tt, any, tp_mk_eq(tt, a, shifted(n, b, k * size)));
    return any;
  }
  bool is_signed = tp_integers_prefers_signed(n, t);
  return tp_mk_eq(tt, read(n, t, is_signed), read(n, u, is_signed));
}

// ----------------------------------------------------------------- bit patterns

/* The constant in the reading that keeps it small; a single bit counts from 0. */
static tp_i128 constant_of(const tp_integers *n, tp_term t) {
  uint32_t w = tp_width(n->tt, t);
  tp_i128 v = (tp_i128)tp_bv_value(n->tt, t);
  return w > 1 && v >= tp_power2(w - 1) ? v - tp_power2(w) : v;
}

static bool is_constant(const tp_integers *n, tp_term t) {
  return tp_kind(n->tt, t) == TP_OP_BV_CONST;
}

/* e & mask for w bits: each run of ones from bit `from` below bit `to` keeps what lies between two
 * rounded values. */
static tp_term masked(tp_integers *n, tp_term e, tp_u128 mask, uint32_t w) {
  tp_term sum = tp_mk_int(n->tt, 0);
  int runs = 0;
  for (uint32_t from = 0, to; from < w; from = to + 1) {
    while (from < w && !(mask >> from & 1)) from++;
    if (from == w) break;
    for (to = from; to < w && (mask >> to & 1);) to++;
    if (++runs > TP_SMT_INTS_MASK_RUNS) return refuse(n, "a mask with many runs of ones");
    tp_term part = rounded(n, e, tp_power2(from));
    if (to < w) {
      part = tp_integers_sum(n, part, tp_integers_product(n, -1, rounded(n, e, tp_power2(to))));
      tp_integers_assume_span(n, part, (tp_span){0, tp_power2(to) - tp_power2(from)});
    }
    sum = tp_integers_sum(n, sum, part);
  }
  return sum;
}

/* Operations on single bits that are known to be 0 or 1. */
static tp_term on_flags(tp_integers *n, tp_term_kind k, tp_term t, tp_term u) {
  tp_terms *tt = n->tt;
  static const tp_span flag = {0, 1};
  if (tp_width(tt, t) > 1 && (!tp_span_is_inside(tp_integers_span_of(n, translation(n, t)), flag) ||
                              !tp_span_is_inside(tp_integers_span_of(n, translation(n, u)), flag)))
    return refuse(n, "a bit operation on two variables");
  tp_term one = tp_mk_int(tt, 1), a = tp_mk_eq(tt, read(n, t, false), one),
          b = tp_mk_eq(tt, read(n, u, false), one);
  tp_term both = k == TP_OP_BV_AND  ? tp_mk_and(tt, a, b)
                 : k == TP_OP_BV_OR ? tp_mk_or(tt, a, b)
                                    : tp_mk_xor(tt, a, b);
  return tp_mk_ite(tt, both, one, tp_mk_int(tt, 0));
}

/* x | c = (x & ~c) + c and x ^ c = x + c - 2 (x & c) */
static tp_term bitwise(tp_integers *n, tp_term_kind k, tp_term t) {
  tp_term x = tp_arg(n->tt, t, 0), c = tp_arg(n->tt, t, 1);
  if (is_constant(n, x)) x = c, c = tp_arg(n->tt, t, 0);
  if (!is_constant(n, c)) return on_flags(n, k, x, c);
  uint32_t w = tp_width(n->tt, t);
  tp_u128 mask = tp_bv_value(n->tt, c);
  tp_term e = translation(n, x), kept = masked(n, e, k == TP_OP_BV_OR ? ~mask : mask, w);
  if (!tp_term_is(kept) || k == TP_OP_BV_AND) return kept;
  if (k == TP_OP_BV_OR) return shifted(n, kept, constant_of(n, c));
  return shifted(n, tp_integers_sum(n, e, tp_integers_product(n, -2, kept)), constant_of(n, c));
}

// ------------------------------------------------------------------ arithmetic

static tp_term scaled(tp_integers *n, tp_term t, tp_i128 factor) {
  tp_term e = translation(n, t);
  tp_span s = tp_span_scale(tp_integers_span_of(n, e), factor);
  if (s.lo <= -TP_SPAN_FAR || s.hi >= TP_SPAN_FAR) e = read(n, t, tp_integers_prefers_signed(n, t));
  return tp_integers_product(n, factor, e);
}

static tp_term product(tp_integers *n, tp_term a, tp_term b) {
  tp_span sa = tp_integers_span_of(n, translation(n, a)),
          sb = tp_integers_span_of(n, translation(n, b));
  if (tp_span_is_point(sa)) return scaled(n, b, sa.lo);
  return tp_span_is_point(sb) ? scaled(n, a, sb.lo) : refuse(n, "a product of variables");
}

/* Towards zero, by d > 0. */
static tp_term truncated(tp_integers *n, tp_term e, tp_i128 d) {
  tp_span s = tp_integers_span_of(n, e);
  if (s.lo >= 0) return quotient(n, e, d);
  tp_term negative = tp_integers_product(n, -1, quotient(n, tp_integers_product(n, -1, e), d));
  return s.hi <= 0 ? negative : tp_mk_ite(n->tt, at_least(n, e, 0), quotient(n, e, d), negative);
}

/* SMT-LIB: by zero the quotient is -1, signed also 1 for negative numbers; the remainder is the
 * number. */
static tp_term division(tp_integers *n, tp_term_kind k, tp_term t) {
  tp_terms *tt = n->tt;
  bool is_signed = k == TP_OP_BV_SDIV || k == TP_OP_BV_SREM,
       is_rest = k == TP_OP_BV_UREM || k == TP_OP_BV_SREM;
  tp_term c = tp_arg(tt, t, 1);
  if (!is_constant(n, c)) return refuse(n, "a division by a variable");
  tp_term e = read(n, tp_arg(tt, t, 0), is_signed);
  tp_i128 d = (tp_i128)tp_bv_value(tt, c), size = tp_power2(tp_width(tt, t));
  if (is_signed && d >= size / 2) d -= size;
  if (d == 0 && is_rest) return e;
  if (d == 0)
    return is_signed ? tp_mk_ite(tt, at_least(n, e, 0), tp_mk_int(tt, -1), tp_mk_int(tt, 1))
                     : tp_mk_int(tt, -1);
  tp_i128 m = d < 0 ? -d : d;
  tp_term q = is_signed ? truncated(n, e, m) : quotient(n, e, m);
  if (!is_rest) return d < 0 ? tp_integers_product(n, -1, q) : q;
  tp_term rest = tp_integers_sum(n, e, tp_integers_product(n, -m, q));
  tp_span s = tp_integers_span_of(n, e);
  tp_integers_assume_span(n, rest,
                          (tp_span){s.lo < 0 ? (s.lo > -m ? s.lo : 1 - m) : 0,
                                    s.hi > 0 ? (s.hi < m ? s.hi : m - 1) : 0});
  return rest;
}

static tp_term shift(tp_integers *n, tp_term_kind k, tp_term t) {
  tp_term x = tp_arg(n->tt, t, 0), by = tp_arg(n->tt, t, 1);
  uint32_t w = tp_width(n->tt, t);
  if (!is_constant(n, by)) return refuse(n, "a shift by a variable");
  tp_u128 v = tp_bv_value(n->tt, by);
  uint32_t d = v >= w ? w : (uint32_t)v;
  if (k == TP_OP_BV_ASHR) return quotient(n, read(n, x, true), tp_power2(d == w ? w - 1 : d));
  if (d == w) return tp_mk_int(n->tt, 0);
  return k == TP_OP_BV_SHL ? scaled(n, x, tp_power2(d))
                           : quotient(n, read(n, x, false), tp_power2(d));
}

/* Branches in the same period where that costs nothing, so that their hull is no larger than it
 * must be. */
static tp_term choice(tp_integers *n, tp_term t) {
  tp_terms *tt = n->tt;
  tp_term e[2];
  uint32_t w = tp_width(tt, t);
  tp_span range = tp_span_of_type(w, tp_integers_prefers_signed(n, t));
  for (uint32_t i = 0; i < 2; i++) {
    e[i] = translation(n, tp_arg(tt, t, i + 1));
    periods p = periods_of(tp_integers_span_of(n, e[i]), range.lo, tp_power2(w));
    if (p.first == p.last) e[i] = shifted(n, e[i], -p.first * tp_power2(w));
  }
  return tp_mk_ite(tt, translation(n, tp_arg(tt, t, 0)), e[0], e[1]);
}

// -------------------------------------------------------------------- one term

static tp_term bits(tp_integers *n, tp_term t) {
  tp_terms *tt = n->tt;
  tp_term_kind k = tp_kind(tt, t);
  tp_term a = tp_n_args(tt, t) > 0 ? tp_arg(tt, t, 0) : TP_TERM_NONE,
          b = tp_n_args(tt, t) > 1 ? tp_arg(tt, t, 1) : TP_TERM_NONE;
  if (tp_width(tt, t) > TP_SMT_INTS_WIDTH) return refuse(n, "a bit-vector of more than 96 bits");
  switch ((int)k) {
    case TP_OP_BV_CONST: return tp_integers_constant(n, constant_of(n, t));
    case TP_OP_VAR:
      return tp_width(tt, t) <= TP_SMT_INTS_VARIABLE_WIDTH
                 ? tp_integers_var(n, t)
                 : refuse(n, "a variable of more than 64 bits");
    case TP_OP_BV_ADD: return tp_integers_sum(n, translation(n, a), translation(n, b));
    case TP_OP_BV_NEG: return tp_integers_product(n, -1, translation(n, a));
    case TP_OP_BV_NOT: return shifted(n, tp_integers_product(n, -1, translation(n, a)), -1);
    case TP_OP_BV_MUL: return product(n, a, b);
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM: return division(n, k, t);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shift(n, k, t);
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR: return bitwise(n, k, t);
    case TP_OP_BV_ZEXT: return read(n, a, false);
    case TP_OP_BV_SEXT: return read(n, a, true);
    case TP_OP_BV_EXTRACT: return quotient(n, translation(n, a), tp_power2(tp_extract_lo(tt, t)));
    case TP_OP_BV_CONCAT:
      return tp_integers_sum(n, scaled(n, a, tp_power2(tp_width(tt, b))), read(n, b, false));
    case TP_OP_ITE: return choice(n, t);
    default: return refuse(n, "an array, a float or a pointer");
  }
}

/* Representatives that have run far away come back, so that numbers stay small enough to reckon
 * with. */
static tp_term near(tp_integers *n, tp_term t, tp_term e) {
  uint32_t w = tp_width(n->tt, t);
  if (!tp_term_is(e)) return e;
  tp_span s = tp_integers_span_of(n, e),
          far = {-tp_power2(w + TP_SMT_INTS_SLACK_BITS), tp_power2(w + TP_SMT_INTS_SLACK_BITS)};
  if (s.lo <= -TP_SPAN_FAR || s.hi >= TP_SPAN_FAR)
    return refuse(n, "numbers of more than 120 bits");
  return tp_span_is_inside(s, far) ? e : wrap(n, e, w, tp_integers_prefers_signed(n, t));
}

static tp_term compare(tp_integers *n, tp_term t, tp_term_kind order, bool is_signed) {
  return tp_mk2(n->tt, order, read(n, tp_arg(n->tt, t, 0), is_signed),
                read(n, tp_arg(n->tt, t, 1), is_signed));
}

/* Bools and integers; a and what follows are translated. */
static tp_term other(tp_integers *n, tp_term t) {
  tp_terms *tt = n->tt;
  tp_term a[3] = {TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE};
  uint32_t n_args = tp_n_args(tt, t);
  for (uint32_t i = 0; i < n_args; i++) a[i] = translation(n, tp_arg(tt, t, i));
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_TRUE:
    case TP_OP_FALSE:
    case TP_OP_INT_CONST:
    case TP_OP_VAR: return t;
    case TP_OP_BV_ULT: return compare(n, t, TP_OP_INT_LT, false);
    case TP_OP_BV_ULE: return compare(n, t, TP_OP_INT_LE, false);
    case TP_OP_BV_SLT: return compare(n, t, TP_OP_INT_LT, true);
    case TP_OP_BV_SLE: return compare(n, t, TP_OP_INT_LE, true);
    case TP_OP_INT_OF_SBV: return read(n, tp_arg(tt, t, 0), true);
    case TP_OP_INT_OF_UBV: return read(n, tp_arg(tt, t, 0), false);
    case TP_OP_EQ:
      if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BV)
        return equal_bits(n, tp_arg(tt, t, 0), tp_arg(tt, t, 1));
      return tp_mk_eq(tt, a[0], a[1]);
    case TP_OP_NOT:
    case TP_OP_AND:
    case TP_OP_OR:
    case TP_OP_XOR:
    case TP_OP_ITE:
    case TP_OP_INT_ADD:
    case TP_OP_INT_MUL:
    case TP_OP_INT_LE:
    case TP_OP_INT_LT: return tp_remake(tt, t, a);
    default: return refuse(n, "quantifiers, or Bools in arrays");
  }
}

static bool is_known_sort(const tp_integers *n, tp_term t) {
  switch (tp_sort_kind_of(n->tt, tp_sort_of(n->tt, t))) {
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_INT: return true;
    case TP_SORT_PTR:
    case TP_SORT_FP:
    case TP_SORT_ARRAY: break;
  }
  return false;
}

static tp_term one(tp_integers *n, tp_term t) {
  if (!is_known_sort(n, t)) return refuse(n, "an array, a float or a pointer");
  return tp_sort_kind_of(n->tt, tp_sort_of(n->tt, t)) == TP_SORT_BV ? near(n, t, bits(n, t))
                                                                    : other(n, t);
}

tp_term tp_integers_term(tp_integers *n, tp_term t) {
  size_t floor = n->todo.n;
  tp_vec_push(&n->todo, t);
  while (n->todo.n > floor) {
    tp_term top = tp_vec_last(&n->todo);
    bool ready = true;
    if (!tp_map_has(&n->translated, top.id))
      for (uint32_t i = tp_n_args(n->tt, top); i-- > 0;)
        if (!tp_map_has(&n->translated, tp_arg(n->tt, top, i).id)) {
          tp_vec_push(&n->todo, tp_arg(n->tt, top, i));
          ready = false;
        }
    if (!ready) continue;
    (void)tp_vec_pop(&n->todo);
    if (tp_map_has(&n->translated, top.id)) continue;
    tp_term e = one(n, top);
    if (!tp_term_is(e)) {
      n->todo.n = floor;
      return TP_TERM_NONE;
    }
    tp_map_set(&n->translated, top.id, e.id);
  }
  return translation(n, t);
}

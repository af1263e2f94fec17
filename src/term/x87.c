/* Extended precision as terms.
 *
 * A number is taken apart into sign, exponent and significand; an operation computes a significand
 * of 128 bits, whose lowest bit is set if anything was lost below it ("jam": rounding to 64 bits is
 * then the same), moves its first 1 to the front, and one function rounds and packs. Exponents are
 * signed numbers of 20 bits, which no operation leaves. Nothing loops: the square root is 64
 * subtractions in a row. */
#include "term/x87.h"

enum { EXP = 20, SIG = 64, WIDE = 128, BIAS = 16383, SPECIAL_EXP = 0x7fff };

typedef struct {
  tp_term sign, nan, inf, zero, invalid;  // Bool; nan: a number's encoding
  tp_term exp, sig;                       // that of a denormal is 1
} parts;

// -------------------------------------------------------------------- shorthands

static tp_term bv(tp_terms *tt, uint32_t width, uint64_t value) {
  return tp_mk_bv(tt, width, value);
}
static tp_term exponent(tp_terms *tt, int64_t value) { return tp_mk_bv_signed(tt, EXP, value); }
static tp_term add(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_ADD, a, b); }
static tp_term bit(tp_terms *tt, uint32_t i, tp_term a) {
  return tp_mk_eq(tt, tp_mk_extract(tt, i, i, a), bv(tt, 1, 1));
}
static tp_term is_zero(tp_terms *tt, tp_term a) {
  return tp_mk_eq(tt, a, bv(tt, tp_width(tt, a), 0));
}
static tp_term any_bit(tp_terms *tt, tp_term a) { return tp_mk_not(tt, is_zero(tt, a)); }
static tp_term high_half(tp_terms *tt, tp_term sig) {
  return tp_mk2(tt, TP_OP_BV_CONCAT, sig, bv(tt, SIG, 0));
}
static tp_term shift_left(tp_terms *tt, tp_term a, uint32_t n) {
  return tp_mk2(tt, TP_OP_BV_SHL, a, bv(tt, tp_width(tt, a), n));
}
static tp_term shift_right(tp_terms *tt, tp_term a, uint32_t n) {
  return tp_mk2(tt, TP_OP_BV_LSHR, a, bv(tt, tp_width(tt, a), n));
}

static tp_term pack(tp_terms *tt, tp_term sign, tp_term exp15, tp_term sig) {
  tp_term front = tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_bool_to_bv(tt, 1, sign), exp15);
  return tp_mk2(tt, TP_OP_BV_CONCAT, front, sig);
}
static tp_term infinity(tp_terms *tt, tp_term sign) {
  return pack(tt, sign, bv(tt, 15, SPECIAL_EXP), bv(tt, SIG, UINT64_C(1) << 63));
}
static tp_term zero_of(tp_terms *tt, tp_term sign) {
  return pack(tt, sign, bv(tt, 15, 0), bv(tt, SIG, 0));
}
/* The machine's "real indefinite". */
static tp_term default_nan(tp_terms *tt) {
  return pack(tt, tp_mk_true(tt), bv(tt, 15, SPECIAL_EXP), bv(tt, SIG, UINT64_C(3) << 62));
}
static tp_term quiet(tp_terms *tt, tp_term a) {
  return tp_mk2(tt, TP_OP_BV_OR, a, bv(tt, TP_X87_BITS, UINT64_C(1) << 62));
}

static parts take_apart(tp_terms *tt, tp_term a) {
  TP_INVARIANT(tp_width(tt, a) == TP_X87_BITS);
  tp_term exp15 = tp_mk_extract(tt, 78, 64, a), sig = tp_mk_extract(tt, 63, 0, a);
  tp_term is_lowest = is_zero(tt, exp15), leads = bit(tt, 63, a);
  tp_term is_highest = tp_mk_eq(tt, exp15, bv(tt, 15, SPECIAL_EXP));
  tp_term has_fraction = any_bit(tt, tp_mk_extract(tt, 62, 0, a));
  tp_term special = tp_mk_and(tt, is_highest, leads);
  return (parts){.sign = bit(tt, 79, a),
                 .nan = tp_mk_and(tt, special, has_fraction),
                 .inf = tp_mk_and(tt, special, tp_mk_not(tt, has_fraction)),
                 .zero = tp_mk_and(tt, is_lowest, is_zero(tt, sig)),
                 .invalid = tp_mk_and(tt, tp_mk_not(tt, is_lowest), tp_mk_not(tt, leads)),
                 .exp = tp_mk_zext(tt, EXP, tp_mk_ite(tt, is_lowest, bv(tt, 15, 1), exp15)),
                 .sig = sig};
}

/* A 128-bit significand with its first 1 moved to the front, and how far it was moved. */
typedef struct {
  tp_term sig, moved;
} normal;
static normal normalise(tp_terms *tt, tp_term sig) {
  const uint32_t width = tp_width(tt, sig);
  normal n = {sig, exponent(tt, 0)};
  for (uint32_t step = width / 2; step; step /= 2) {
    tp_term empty = is_zero(tt, tp_mk_extract(tt, width - 1, width - step, n.sig));
    n.sig = tp_mk_ite(tt, empty, shift_left(tt, n.sig, step), n.sig);
    n.moved = tp_mk_ite(tt, empty, add(tt, n.moved, exponent(tt, step)), n.moved);
  }
  return n;
}

/* sig >> by, the lowest bit set if a 1 was lost; by: 20 bits, not negative. */
static tp_term shift_jam(tp_terms *tt, tp_term sig, tp_term by) {
  const uint32_t width = tp_width(tt, sig);
  TP_INVARIANT((width & (width - 1)) == 0);
  tp_term most = bv(tt, EXP, width - 1);
  by = tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_ULT, by, most), by, most);
  for (uint32_t i = 0; (1u << i) < width; i++) {
    const uint32_t step = 1u << i;
    tp_term lost = any_bit(tt, tp_mk_extract(tt, step - 1, 0, sig));
    tp_term moved =
        tp_mk2(tt, TP_OP_BV_OR, shift_right(tt, sig, step), tp_mk_bool_to_bv(tt, width, lost));
    sig = tp_mk_ite(tt, bit(tt, i, by), moved, sig);
  }
  return sig;
}

/* How far a significand with this exponent has to be moved to the right to be a denormal's. */
typedef struct {
  tp_term is_denormal, by;
} denormal;
static denormal denormal_shift(tp_terms *tt, tp_term exp) {
  tp_term low = tp_mk2(tt, TP_OP_BV_SLE, exp, exponent(tt, 0));
  return (denormal){low, tp_mk_ite(tt, low, tp_mk_sub(tt, exponent(tt, 1), exp), exponent(tt, 0))};
}

/* The number sig / 2^127 * 2^(exp - BIAS) for a sig of 128 bits whose first bit is 1, rounded. */
static tp_term round_and_pack(tp_terms *tt, tp_term sign, tp_term exp, tp_term sig) {
  denormal d = denormal_shift(tt, exp);
  sig = shift_jam(tt, sig, d.by);
  tp_term high = tp_mk_extract(tt, 127, 64, sig);
  tp_term above_half = tp_mk_or(tt, any_bit(tt, tp_mk_extract(tt, 62, 0, sig)), bit(tt, 0, high));
  tp_term up = tp_mk_and(tt, bit(tt, 63, sig), above_half);
  tp_term sum = add(tt, tp_mk_zext(tt, SIG + 1, high), tp_mk_bool_to_bv(tt, SIG + 1, up));
  tp_term carry = bit(tt, SIG, sum), leads = bit(tt, SIG - 1, sum);
  tp_term out =
      tp_mk_ite(tt, carry, bv(tt, SIG, UINT64_C(1) << 63), tp_mk_extract(tt, SIG - 1, 0, sum));
  tp_term low_exp = tp_mk_bool_to_bv(tt, EXP, leads);  // rounded up to the least normal number
  exp = tp_mk_ite(tt, d.is_denormal, low_exp, add(tt, exp, tp_mk_bool_to_bv(tt, EXP, carry)));
  tp_term too_large = tp_mk2(tt, TP_OP_BV_SLE, exponent(tt, SPECIAL_EXP), exp);
  return tp_mk_ite(tt, too_large, infinity(tt, sign),
                   pack(tt, sign, tp_mk_extract(tt, 14, 0, exp), out));
}

// --------------------------------------------------------------------------- NaNs

/* The larger significand wins; of equal ones the positive number. A signalling NaN counts only
 * beside another one. */
static tp_term larger_nan(tp_terms *tt, tp_term a, tp_term b) {
  tp_term x = tp_mk_extract(tt, 63, 0, a), y = tp_mk_extract(tt, 63, 0, b);
  tp_term same = tp_mk_eq(tt, x, y);
  tp_term less = tp_mk2(tt, TP_OP_BV_ULT, x, y);
  tp_term is_b = tp_mk_ite(tt, same, bit(tt, 79, a), less);
  tp_term a_quiet = bit(tt, 62, a), b_quiet = bit(tt, 62, b);
  is_b = tp_mk_ite(tt, tp_mk_xor(tt, a_quiet, b_quiet), b_quiet, is_b);
  return quiet(tt, tp_mk_ite(tt, is_b, b, a));
}

static tp_term either(tp_terms *tt, tp_term a, tp_term b) { return tp_mk_or(tt, a, b); }

/* The result where an operand is no number: else `value`. */
static tp_term with_nans(tp_terms *tt, tp_term a, const parts *x, tp_term b, const parts *y,
                         tp_term value) {
  tp_term both = tp_mk_and(tt, x->nan, y->nan);
  tp_term one = tp_mk_ite(tt, x->nan, quiet(tt, a), quiet(tt, b));
  value = tp_mk_ite(tt, either(tt, x->nan, y->nan), tp_mk_ite(tt, both, larger_nan(tt, a, b), one),
                    value);
  return tp_mk_ite(tt, either(tt, x->invalid, y->invalid), default_nan(tt), value);
}

static tp_term with_nan(tp_terms *tt, tp_term a, const parts *x, tp_term value) {
  value = tp_mk_ite(tt, x->nan, quiet(tt, a), value);
  return tp_mk_ite(tt, x->invalid, default_nan(tt), value);
}

// --------------------------------------------------------------------- operations

/* Finite numbers, with room for a carry in front of the larger one. */
static tp_term sum(tp_terms *tt, const parts *x, const parts *y) {
  tp_term mag_x = tp_mk2(tt, TP_OP_BV_CONCAT, x->exp, x->sig),
          mag_y = tp_mk2(tt, TP_OP_BV_CONCAT, y->exp, y->sig);
  tp_term swap = tp_mk2(tt, TP_OP_BV_ULT, mag_x, mag_y);
  tp_term exp = tp_mk_ite(tt, swap, y->exp, x->exp), other = tp_mk_ite(tt, swap, x->exp, y->exp);
  tp_term big = tp_mk_ite(tt, swap, y->sig, x->sig), small = tp_mk_ite(tt, swap, x->sig, y->sig);
  tp_term sign = tp_mk_ite(tt, swap, y->sign, x->sign);
  big = shift_right(tt, high_half(tt, big), 1);
  small = shift_jam(tt, shift_right(tt, high_half(tt, small), 1), tp_mk_sub(tt, exp, other));
  tp_term differ = tp_mk_xor(tt, x->sign, y->sign);
  tp_term total = tp_mk_ite(tt, differ, tp_mk_sub(tt, big, small), add(tt, big, small));
  normal n = normalise(tt, total);
  exp = add(tt, exp, tp_mk_sub(tt, exponent(tt, 1), n.moved));
  // x - x is +0; the sum of two zeros of one sign has that sign
  tp_term zero_sign = tp_mk_and(tt, x->sign, y->sign);
  return tp_mk_ite(tt, is_zero(tt, total), zero_of(tt, zero_sign),
                   round_and_pack(tt, sign, exp, n.sig));
}

static tp_term add_numbers(tp_terms *tt, tp_term a, tp_term b, bool subtract) {
  parts x = take_apart(tt, a), y = take_apart(tt, b), minus_y = y;
  if (subtract) minus_y.sign = tp_mk_not(tt, y.sign);
  tp_term opposite = tp_mk_xor(tt, x.sign, minus_y.sign);
  tp_term infinite = tp_mk_ite(tt, x.inf, infinity(tt, x.sign), infinity(tt, minus_y.sign));
  tp_term none = tp_mk_and(tt, tp_mk_and(tt, x.inf, y.inf), opposite);
  tp_term value = tp_mk_ite(tt, either(tt, x.inf, y.inf),
                            tp_mk_ite(tt, none, default_nan(tt), infinite), sum(tt, &x, &minus_y));
  return with_nans(tt, a, &x, b, &y, value);
}

static tp_term product(tp_terms *tt, tp_term a, tp_term b) {
  parts x = take_apart(tt, a), y = take_apart(tt, b);
  tp_term sign = tp_mk_xor(tt, x.sign, y.sign);
  normal n = normalise(
      tt, tp_mk2(tt, TP_OP_BV_MUL, tp_mk_zext(tt, WIDE, x.sig), tp_mk_zext(tt, WIDE, y.sig)));
  tp_term exp = tp_mk_sub(tt, add(tt, add(tt, x.exp, y.exp), exponent(tt, 1 - BIAS)), n.moved);
  tp_term some_zero = either(tt, x.zero, y.zero), some_inf = either(tt, x.inf, y.inf);
  tp_term value = tp_mk_ite(tt, some_zero, zero_of(tt, sign), round_and_pack(tt, sign, exp, n.sig));
  value =
      tp_mk_ite(tt, some_inf, tp_mk_ite(tt, some_zero, default_nan(tt), infinity(tt, sign)), value);
  return with_nans(tt, a, &x, b, &y, value);
}

/* Significands with their first bits at the front; the quotient has 64 bits, the remainder says how
 * to round. A divisor of zero is replaced: the result is not used. */
static tp_term quotient(tp_terms *tt, tp_term a, tp_term b) {
  parts x = take_apart(tt, a), y = take_apart(tt, b);
  tp_term sign = tp_mk_xor(tt, x.sign, y.sign);
  normal n = normalise(tt, x.sig), d = normalise(tt, y.sig);
  tp_term divisor = tp_mk_ite(tt, bit(tt, SIG - 1, d.sig), d.sig, bv(tt, SIG, UINT64_C(1) << 63));
  tp_term less = tp_mk2(tt, TP_OP_BV_ULT, n.sig, divisor);
  tp_term wide = high_half(tt, n.sig), by = tp_mk_zext(tt, WIDE, divisor);
  wide = tp_mk_ite(tt, less, wide, shift_right(tt, wide, 1));
  tp_term q = tp_mk2(tt, TP_OP_BV_UDIV, wide, by), r = tp_mk2(tt, TP_OP_BV_UREM, wide, by);
  tp_term twice = shift_left(tt, r, 1), half = tp_mk2(tt, TP_OP_BV_ULE, by, twice);
  tp_term rest = tp_mk_and(tt, any_bit(tt, r), tp_mk_not(tt, tp_mk_eq(tt, twice, by)));
  tp_term low = tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_bool_to_bv(tt, 1, half),
                       tp_mk_bool_to_bv(tt, SIG - 1, rest));
  tp_term sig = tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_extract(tt, SIG - 1, 0, q), low);
  tp_term exp = tp_mk_sub(tt, tp_mk_sub(tt, x.exp, n.moved), tp_mk_sub(tt, y.exp, d.moved));
  exp = tp_mk_sub(tt, add(tt, exp, exponent(tt, BIAS)), tp_mk_bool_to_bv(tt, EXP, less));
  tp_term none = either(tt, tp_mk_and(tt, x.zero, y.zero), tp_mk_and(tt, x.inf, y.inf));
  tp_term value = round_and_pack(tt, sign, exp, sig);
  value = tp_mk_ite(tt, either(tt, x.zero, y.inf), zero_of(tt, sign), value);
  value = tp_mk_ite(tt, either(tt, x.inf, y.zero), infinity(tt, sign), value);
  value = tp_mk_ite(tt, none, default_nan(tt), value);
  return with_nans(tt, a, &x, b, &y, value);
}

tp_term tp_x87_apply(tp_terms *tt, tp_x87_operation k, tp_term a, tp_term b) {
  switch (k) {
    case TP_X87_ADD: return add_numbers(tt, a, b, false);
    case TP_X87_SUB: return add_numbers(tt, a, b, true);
    case TP_X87_MUL: return product(tt, a, b);
    case TP_X87_DIV: return quotient(tt, a, b);
  }
  return TP_TERM_NONE;
}

/* The root digit by digit: 64 binary digits of a radicand of 128, and what remains. */
static tp_term root_digits(tp_terms *tt, tp_term *rest) {
  tp_term root = bv(tt, WIDE, 0);
  for (uint32_t i = 0; i < SIG; i++) {
    tp_term one = tp_mk_bv(tt, WIDE, (tp_u128)1 << (WIDE - 2 - 2 * i));
    tp_term part = add(tt, root, one), fits = tp_mk2(tt, TP_OP_BV_ULE, part, *rest);
    *rest = tp_mk_ite(tt, fits, tp_mk_sub(tt, *rest, part), *rest);
    root = shift_right(tt, root, 1);
    root = tp_mk_ite(tt, fits, add(tt, root, one), root);
  }
  return root;
}

tp_term tp_x87_sqrt(tp_terms *tt, tp_term a) {
  parts x = take_apart(tt, a);
  normal n = normalise(tt, x.sig);
  tp_term exp = tp_mk_sub(tt, tp_mk_sub(tt, x.exp, exponent(tt, BIAS)), n.moved);
  tp_term is_odd = bit(tt, 0, exp), wide = high_half(tt, n.sig);
  tp_term rest = tp_mk_ite(tt, is_odd, wide, shift_right(tt, wide, 1));
  tp_term root = root_digits(tt, &rest);
  // no root lies in the middle of two numbers
  tp_term up = tp_mk2(tt, TP_OP_BV_ULT, root, rest);
  tp_term low = tp_mk_ite(tt, up, bv(tt, SIG, UINT64_MAX), bv(tt, SIG, 0));
  tp_term sig = tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_extract(tt, SIG - 1, 0, root), low);
  tp_term half = tp_mk2(tt, TP_OP_BV_ASHR, exp, exponent(tt, 1));
  tp_term value = round_and_pack(tt, tp_mk_false(tt), add(tt, half, exponent(tt, BIAS)), sig);
  value = tp_mk_ite(tt, x.sign, default_nan(tt), value);
  value = tp_mk_ite(tt, tp_mk_and(tt, x.inf, tp_mk_not(tt, x.sign)), a, value);
  value = tp_mk_ite(tt, x.zero, a, value);
  return with_nan(tt, a, &x, value);
}

tp_term tp_x87_neg(tp_terms *tt, tp_term a) {
  return tp_mk2(tt, TP_OP_BV_XOR, a, tp_mk_bv(tt, TP_X87_BITS, (tp_u128)1 << 79));
}
tp_term tp_x87_abs(tp_terms *tt, tp_term a) {
  return tp_mk2(tt, TP_OP_BV_CONCAT, bv(tt, 1, 0), tp_mk_extract(tt, 78, 0, a));
}

// --------------------------------------------------------------------- comparison

tp_term tp_x87_is_nan(tp_terms *tt, tp_term a) {
  parts x = take_apart(tt, a);
  return tp_mk_or(tt, x.nan, x.invalid);
}
tp_term tp_x87_is_inf(tp_terms *tt, tp_term a) { return take_apart(tt, a).inf; }
tp_term tp_x87_is_zero(tp_terms *tt, tp_term a) { return take_apart(tt, a).zero; }
tp_term tp_x87_is_subnormal(tp_terms *tt, tp_term a) {
  return tp_mk_and(tt, is_zero(tt, tp_mk_extract(tt, 78, 64, a)),
                   any_bit(tt, tp_mk_extract(tt, 63, 0, a)));
}

typedef struct {
  tp_term ordered, zeros, x, y, sign_x, sign_y;  // x, y: the magnitudes
} pair;
static pair pair_of(tp_terms *tt, tp_term a, tp_term b) {
  parts x = take_apart(tt, a), y = take_apart(tt, b);
  tp_term no_order = tp_mk_or(tt, tp_mk_or(tt, x.nan, x.invalid), tp_mk_or(tt, y.nan, y.invalid));
  return (pair){tp_mk_not(tt, no_order),
                tp_mk_and(tt, x.zero, y.zero),
                tp_mk2(tt, TP_OP_BV_CONCAT, x.exp, x.sig),
                tp_mk2(tt, TP_OP_BV_CONCAT, y.exp, y.sig),
                x.sign,
                y.sign};
}

tp_term tp_x87_eq(tp_terms *tt, tp_term a, tp_term b) {
  pair p = pair_of(tt, a, b);
  tp_term same = tp_mk_and(tt, tp_mk_eq(tt, p.sign_x, p.sign_y), tp_mk_eq(tt, p.x, p.y));
  return tp_mk_and(tt, p.ordered, tp_mk_or(tt, p.zeros, same));
}

tp_term tp_x87_less(tp_terms *tt, tp_term a, tp_term b) {
  pair p = pair_of(tt, a, b);
  tp_term above = tp_mk2(tt, TP_OP_BV_ULT, p.y, p.x), below = tp_mk2(tt, TP_OP_BV_ULT, p.x, p.y);
  tp_term less = tp_mk_ite(tt, p.sign_x, tp_mk_ite(tt, p.sign_y, above, tp_mk_true(tt)),
                           tp_mk_ite(tt, p.sign_y, tp_mk_false(tt), below));
  return tp_mk_and(tt, p.ordered, tp_mk_and(tt, tp_mk_not(tt, p.zeros), less));
}

// ------------------------------------------------------------------------ rounding

/* Is 1 added to the magnitude's integral part? fraction, half: of 128 bits; `odd`: that part is. */
static tp_term goes_up(tp_terms *tt, tp_round mode, tp_term sign, tp_term fraction, tp_term half,
                       tp_term odd) {
  tp_term inexact = any_bit(tt, fraction), tie = tp_mk_eq(tt, fraction, half);
  tp_term above = tp_mk2(tt, TP_OP_BV_ULT, half, fraction);
  switch (mode) {
    case TP_ROUND_NEAREST_EVEN: return tp_mk_or(tt, above, tp_mk_and(tt, tie, odd));
    case TP_ROUND_NEAREST_AWAY: return tp_mk_or(tt, above, tie);
    case TP_ROUND_TO_ZERO: return tp_mk_false(tt);
    case TP_ROUND_UP: return tp_mk_and(tt, inexact, tp_mk_not(tt, sign));
    case TP_ROUND_DOWN: return tp_mk_and(tt, inexact, sign);
  }
  return TP_TERM_NONE;
}

/* Below 1/2 the number is treated as 1/4: its fraction is less than a half and not zero. */
tp_term tp_x87_round(tp_terms *tt, tp_round mode, tp_term a) {
  parts x = take_apart(tt, a);
  tp_term e = tp_mk_sub(tt, x.exp, exponent(tt, BIAS)), least = exponent(tt, -2);
  e = tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_SLT, e, least), least, e);
  tp_term whole = tp_mk2(tt, TP_OP_BV_SLE, exponent(tt, 63), e);
  tp_term n = tp_mk_ite(tt, whole, exponent(tt, 0), tp_mk_sub(tt, exponent(tt, 63), e));
  tp_term unit = tp_mk2(tt, TP_OP_BV_SHL, bv(tt, WIDE, 1), tp_mk_zext(tt, WIDE, n));
  tp_term mask = tp_mk_sub(tt, unit, bv(tt, WIDE, 1)), sig = tp_mk_zext(tt, WIDE, x.sig);
  tp_term fraction = tp_mk2(tt, TP_OP_BV_AND, sig, mask);
  tp_term odd = any_bit(tt, tp_mk2(tt, TP_OP_BV_AND, sig, unit));
  tp_term up = goes_up(tt, mode, x.sign, fraction, shift_right(tt, unit, 1), odd);
  tp_term down = tp_mk_sub(tt, sig, fraction);
  tp_term out = tp_mk_ite(tt, up, add(tt, down, unit), down);
  normal moved = normalise(tt, out);
  tp_term exp = tp_mk_sub(tt, add(tt, e, exponent(tt, WIDE - SIG + BIAS)), moved.moved);
  tp_term value = tp_mk_ite(tt, is_zero(tt, out), zero_of(tt, x.sign),
                            round_and_pack(tt, x.sign, exp, moved.sig));
  value = tp_mk_ite(tt, tp_mk_or(tt, whole, x.zero), a, value);  // infinities, too
  return with_nan(tt, a, &x, value);
}

// --------------------------------------------------------------------- conversions

/* binary32 and binary64. */
typedef struct {
  uint32_t width, fraction, exponent;
  int bias;
} format;
static format format_of(uint32_t width) {
  return width == 32 ? (format){32, 23, 8, 127} : (format){64, 52, 11, 1023};
}

tp_term tp_x87_of_fp(tp_terms *tt, tp_term a) {
  const format f = format_of(tp_width(tt, a));
  tp_term bits = tp_mk1(tt, TP_OP_FP_TO_BITS, a), sign = bit(tt, f.width - 1, bits);
  tp_term exp = tp_mk_extract(tt, f.width - 2, f.fraction, bits);
  tp_term fraction = tp_mk_extract(tt, f.fraction - 1, 0, bits);
  tp_term low = is_zero(tt, exp), high = is_zero(tt, tp_mk1(tt, TP_OP_BV_NOT, exp));
  tp_term front =
      tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_bool_to_bv(tt, 1, tp_mk_not(tt, low)), fraction);
  tp_term sig = tp_mk2(tt, TP_OP_BV_CONCAT, front, bv(tt, SIG - 1 - f.fraction, 0));
  normal n = normalise(tt, sig);
  tp_term wide = tp_mk_ite(tt, low, exponent(tt, 1), tp_mk_zext(tt, EXP, exp));
  wide = tp_mk_sub(tt, add(tt, wide, exponent(tt, BIAS - f.bias)), n.moved);
  tp_term value = pack(tt, sign, tp_mk_extract(tt, 14, 0, wide), n.sig);
  value = tp_mk_ite(tt, is_zero(tt, sig), zero_of(tt, sign), value);
  tp_term special = pack(tt, sign, bv(tt, 15, SPECIAL_EXP), sig);
  special = tp_mk_ite(tt, is_zero(tt, fraction), special, quiet(tt, special));
  return tp_mk_ite(tt, high, special, value);
}

/* Exponent and fraction are one number that rounding adds 1 to; a carry goes into the exponent. */
static tp_term narrow(tp_terms *tt, const format *f, const parts *x) {
  const uint32_t cut = SIG - 1 - f->fraction, width = f->fraction + EXP;
  tp_term exp = add(tt, x->exp, exponent(tt, f->bias - BIAS));
  denormal d = denormal_shift(tt, exp);
  tp_term sig = shift_jam(tt, x->sig, d.by);
  tp_term rest = any_bit(tt, tp_mk_extract(tt, cut - 2, 0, sig));
  tp_term up = tp_mk_and(tt, bit(tt, cut - 1, sig), tp_mk_or(tt, rest, bit(tt, cut, sig)));
  tp_term field = tp_mk_ite(tt, d.is_denormal, exponent(tt, 0), add(tt, exp, exponent(tt, -1)));
  tp_term all = tp_mk2(tt, TP_OP_BV_CONCAT, field, bv(tt, f->fraction, 0));
  all = add(tt, all, tp_mk_zext(tt, width, tp_mk_extract(tt, SIG - 1, cut, sig)));
  all = add(tt, all, tp_mk_bool_to_bv(tt, width, up));
  tp_term most = bv(tt, width, ((UINT64_C(1) << f->exponent) - 1) << f->fraction);
  all = tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_ULT, all, most), all, most);
  return tp_mk_extract(tt, f->width - 2, 0, all);
}

tp_term tp_x87_to_fp(tp_terms *tt, uint32_t width_bits, tp_term a) {
  const format f = format_of(width_bits);
  parts x = take_apart(tt, a);
  const uint64_t inf = ((UINT64_C(1) << f.exponent) - 1) << f.fraction,
                 quiet_bit = UINT64_C(1) << (f.fraction - 1);
  tp_term special = bv(tt, width_bits - 1, inf);
  tp_term payload =
      tp_mk_zext(tt, width_bits - 1, tp_mk_extract(tt, SIG - 2, SIG - 1 - f.fraction, a));
  tp_term nan = tp_mk2(tt, TP_OP_BV_OR, payload, bv(tt, width_bits - 1, inf | quiet_bit));
  tp_term bits = tp_mk_ite(tt, x.inf, special, narrow(tt, &f, &x));
  bits = tp_mk_ite(tt, x.nan, nan, bits);
  bits = tp_mk_ite(tt, x.invalid, bv(tt, width_bits - 1, inf | quiet_bit), bits);
  tp_term sign = tp_mk_bool_to_bv(tt, 1, tp_mk_or(tt, x.sign, x.invalid));
  return tp_mk1(tt, TP_OP_FP_OF_BITS, tp_mk2(tt, TP_OP_BV_CONCAT, sign, bits));
}

/* Up to 64 bits nothing is lost, and nothing has to be rounded. */
tp_term tp_x87_of_int(tp_terms *tt, bool is_signed, tp_term a) {
  const uint32_t width = tp_width(tt, a), wide = width <= SIG ? SIG : WIDE;
  tp_term sign = is_signed ? bit(tt, width - 1, a) : tp_mk_false(tt);
  tp_term size = tp_mk_ite(tt, sign, tp_mk1(tt, TP_OP_BV_NEG, a), a);
  normal n = normalise(tt, tp_mk_zext(tt, wide, size));
  tp_term exp = tp_mk_sub(tt, exponent(tt, BIAS + wide - 1), n.moved);
  tp_term value = wide == SIG ? pack(tt, sign, tp_mk_extract(tt, 14, 0, exp), n.sig)
                              : round_and_pack(tt, sign, exp, n.sig);
  return tp_mk_ite(tt, is_zero(tt, a), zero_of(tt, tp_mk_false(tt)), value);
}

/* The integral part of |x| modulo 2^width; width: 64 or 128. */
static tp_term integral(tp_terms *tt, uint32_t width, const parts *x, tp_term e) {
  tp_term sig = tp_mk_zext(tt, width, x->sig), first = exponent(tt, SIG - 1);
  tp_term left = tp_mk_zext(tt, width, tp_mk_sub(tt, e, first)),
          right = tp_mk_zext(tt, width, tp_mk_sub(tt, first, e));
  tp_term down = tp_mk2(tt, TP_OP_BV_LSHR, sig, right);
  if (width == SIG) return down;
  return tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_SLE, first, e), tp_mk2(tt, TP_OP_BV_SHL, sig, left),
                   down);
}
static uint32_t work_width(uint32_t width_bits) { return width_bits <= SIG ? SIG : WIDE; }

tp_term tp_x87_to_int(tp_terms *tt, uint32_t width_bits, tp_term a) {
  parts x = take_apart(tt, a);
  tp_term size = integral(tt, work_width(width_bits), &x, tp_mk_sub(tt, x.exp, exponent(tt, BIAS)));
  size = tp_mk_trunc(tt, width_bits, size);
  return tp_mk_ite(tt, x.sign, tp_mk1(tt, TP_OP_BV_NEG, size), size);
}

tp_term tp_x87_in_range(tp_terms *tt, uint32_t width_bits, bool is_signed, tp_term a) {
  parts x = take_apart(tt, a);
  tp_term e = tp_mk_sub(tt, x.exp, exponent(tt, BIAS));
  tp_term fits = tp_mk2(tt, TP_OP_BV_SLT, e, exponent(tt, (int64_t)width_bits - is_signed));
  tp_term small = tp_mk2(tt, TP_OP_BV_SLT, e, exponent(tt, 0));
  if (is_signed) {
    const uint32_t wide = work_width(width_bits);
    tp_term least = tp_mk_bv(tt, wide, (tp_u128)1 << (width_bits - 1));
    tp_term same = tp_mk_eq(tt, integral(tt, wide, &x, e), least);
    tp_term at = tp_mk_eq(tt, e, exponent(tt, (int64_t)width_bits - 1));
    fits = tp_mk_or(tt, fits, tp_mk_and(tt, x.sign, tp_mk_and(tt, at, same)));
  } else {
    fits = tp_mk_or(tt, small, tp_mk_and(tt, tp_mk_not(tt, x.sign), fits));
  }
  tp_term none = tp_mk_or(tt, x.invalid, tp_mk_or(tt, x.nan, x.inf));
  return tp_mk_and(tt, tp_mk_not(tt, none), fits);
}

/* One operation on values: the meaning of every scalar kind, in one place. The evaluator and
 * constant folding in mk both come here, so they cannot disagree.
 *
 * Bit-vectors are unsigned 128-bit numbers below 2^width; the SMT-LIB values of division by
 * zero and of long shifts are spelled out. Floats use the host's operations, round to nearest
 * even; conversions to integers do what amd64's cvtts* instructions do out of range. */
#include "term/term_priv.h"

#include <math.h>

// --------------------------------------------------------------- bit-vectors

static tp_u128 negate(tp_u128 v, uint32_t width) { return tp_cut(~v + 1, width); }

static tp_u128 unsigned_div(tp_u128 a, tp_u128 b, uint32_t width) {
  return b ? a / b : tp_mask(width);
}
static tp_u128 unsigned_rem(tp_u128 a, tp_u128 b) { return b ? a % b : a; }

/* SMT-LIB: signed division through the magnitudes, so MIN / -1 = MIN and x / 0 = x < 0 ? 1 : -1. */
static tp_u128 signed_div(tp_u128 a, tp_u128 b, uint32_t width) {
  bool na = tp_sign_bit(a, width), nb = tp_sign_bit(b, width);
  tp_u128 q = unsigned_div(na ? negate(a, width) : a, nb ? negate(b, width) : b, width);
  return na != nb ? negate(q, width) : q;
}
static tp_u128 signed_rem(tp_u128 a, tp_u128 b, uint32_t width) {
  bool na = tp_sign_bit(a, width), nb = tp_sign_bit(b, width);
  tp_u128 r = unsigned_rem(na ? negate(a, width) : a, nb ? negate(b, width) : b);
  return na ? negate(r, width) : r;
}

static tp_u128 shift(tp_term_kind k, tp_u128 a, tp_u128 by, uint32_t width) {
  bool far = by >= width;
  if (k == TP_OP_BV_SHL) return far ? 0 : tp_cut(a << (uint32_t)by, width);
  if (k == TP_OP_BV_LSHR) return far ? 0 : a >> (uint32_t)by;
  tp_u128 fill = tp_sign_bit(a, width) ? tp_mask(width) : 0;
  if (far) return fill;
  uint32_t n = (uint32_t)by;
  return a >> n | (n ? tp_cut(fill << (width - n), width) : 0);
}

// -------------------------------------------------------------------- floats

static double to_double(tp_u128 bits, uint32_t width) {
  if (width == 32) {
    float f;
    uint32_t b = (uint32_t)bits;
    memcpy(&f, &b, sizeof f);
    return (double)f;
  }
  double d;
  uint64_t b = (uint64_t)bits;
  memcpy(&d, &b, sizeof d);
  return d;
}
static float to_float(tp_u128 bits) {
  float f;
  uint32_t b = (uint32_t)bits;
  memcpy(&f, &b, sizeof f);
  return f;
}
static tp_u128 of_double(double d) {
  uint64_t b;
  memcpy(&b, &d, sizeof b);
  return b;
}
static tp_u128 of_float(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}

static bool is_nan(tp_u128 bits, uint32_t width) {
  return width == 32 ? (bits & 0x7fffffff) > 0x7f800000
                     : (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}
static bool is_inf(tp_u128 bits, uint32_t width) {
  return width == 32 ? (bits & 0x7fffffff) == 0x7f800000
                     : (bits & 0x7fffffffffffffff) == 0x7ff0000000000000;
}

static float arith32(tp_term_kind k, float a, float b, float c) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch (k) {
    case TP_OP_FP_ADD: return a + b;
    case TP_OP_FP_SUB: return a - b;
    case TP_OP_FP_MUL: return a * b;
    case TP_OP_FP_DIV: return a / b;
    case TP_OP_FP_REM: return fmodf(a, b);
    case TP_OP_FP_SQRT: return sqrtf(a);
    case TP_OP_FP_FMA: return fmaf(a, b, c);
    case TP_OP_FP_MIN: return isnan(a) ? b : isnan(b) || a < b ? a : b;
    default: return isnan(a) ? b : isnan(b) || a > b ? a : b;
  }
}
static double arith64(tp_term_kind k, double a, double b, double c) {
  switch (k) {
    case TP_OP_FP_ADD: return a + b;
    case TP_OP_FP_SUB: return a - b;
    case TP_OP_FP_MUL: return a * b;
    case TP_OP_FP_DIV: return a / b;
    case TP_OP_FP_REM: return fmod(a, b);
    case TP_OP_FP_SQRT: return sqrt(a);
    case TP_OP_FP_FMA: return fma(a, b, c);
    case TP_OP_FP_MIN:
      return isnan(a) ? b : isnan(b) || a < b ? a : b;  // of two zeros the second, as minsd
    default: return isnan(a) ? b : isnan(b) || a > b ? a : b;
  }
#pragma GCC diagnostic pop
}

static double round_to_integral(tp_round mode, double d) {
  switch (mode) {
    case TP_ROUND_NEAREST_EVEN: return rint(d);
    case TP_ROUND_TO_ZERO: return trunc(d);
    case TP_ROUND_UP: return ceil(d);
    case TP_ROUND_DOWN: return floor(d);
    case TP_ROUND_NEAREST_AWAY: return round(d);
  }
  return d;
}

/* cvttsd2si: truncation to a signed integer of 32, 64 or 128 bits, MIN when it does not fit. */
static tp_u128 truncate_signed(double d, uint32_t width) {
  double limit = ldexp(1.0, (int)width - 1);
  double t = trunc(d);
  if (!(t >= -limit && t < limit)) return (tp_u128)1 << (width - 1);
  return tp_cut((tp_u128)(tp_i128)t, width);
}

/* Widths below 32 go through 32 bits (unsigned 32 through 64), as compilers do. Unsigned 64 is
 * the usual pair of conversions, x and x - 2^63, the second one taken if the first is negative. */
static tp_u128 to_integer(double d, uint32_t width, bool is_signed) {
  const uint32_t n = width > 64 ? 128 : (is_signed || width < 32) && width <= 32 ? 32 : 64;
  tp_u128 low = truncate_signed(d, n);
  if (!is_signed && width > 32 && tp_sign_bit(low, n))
    low |= truncate_signed(d - ldexp(1.0, (int)n - 1), n);
  return tp_cut(low, width);
}

static tp_u128 of_integer(tp_u128 v, uint32_t from, uint32_t to, bool is_signed) {
  if (is_signed) {
    tp_i128 i = (tp_i128)tp_sign_extend(v, from);
    return to == 32 ? of_float((float)i) : of_double((double)i);
  }
  return to == 32 ? of_float((float)v) : of_double((double)v);
}

static tp_u128 convert_float(tp_u128 v, uint32_t from, uint32_t to) {
  if (from == to) return v;
  return to == 32 ? of_float((float)to_double(v, 64)) : of_double(to_double(v, 32));
}

static bool same_float(tp_u128 a, tp_u128 b, uint32_t width) {
  return a == b || (is_nan(a, width) && is_nan(b, width));
}

// ---------------------------------------------------------------- everything

/* Provenance of a sum: that of the one summand that has it. */
static uint32_t provenance(const tp_value *v) {
  return v[0].object && v[1].object ? 0 : v[0].object | v[1].object;
}

/* Of bits that are combined: that of the one operand that has it, or of both. */
static uint32_t provenance_of_bits(const tp_value *v) {
  return v[0].object == v[1].object ? v[0].object : provenance(v);
}

bool tp_fold(const tp_operation *op, const tp_value *v, tp_value *out) {
  TP_REQUIRE(op->kind < TP_N_OPS && op->width <= TP_BV_MAX_BITS && op->arg_width <= TP_BV_MAX_BITS);
  TP_REQUIRE(op->arg_sort != TP_SORT_BV || v[0].bits == tp_cut(v[0].bits, op->arg_width));
  const uint32_t w = op->width, aw = op->arg_width;
  const tp_u128 a = v[0].bits, b = v[1].bits;
  const uint64_t signbit = (uint64_t)1 << (aw <= 64 ? aw - 1 : 63);
  tp_u128 r = 0;
  uint32_t object = 0;
  int64_t n;
  switch (op->kind) {
    case TP_OP_TRUE: r = 1; break;
    case TP_OP_FALSE: r = 0; break;
    case TP_OP_NOT: r = !a; break;
    case TP_OP_AND: r = a & b; break;
    case TP_OP_OR: r = a | b; break;
    case TP_OP_XOR: r = a ^ b; break;
    case TP_OP_EQ:
      if (op->arg_sort == TP_SORT_FP)
        r = same_float(a, b, aw);
      else
        r = a == b && (op->arg_sort != TP_SORT_PTR || v[0].object == v[1].object);
      break;
    case TP_OP_ITE: *out = a ? v[1] : v[2]; return true;
    case TP_OP_BV_ADD: r = tp_cut(a + b, w), object = provenance(v); break;
    case TP_OP_BV_MUL: r = tp_cut(a * b, w); break;
    case TP_OP_BV_NEG: r = negate(a, w); break;
    case TP_OP_BV_UDIV: r = unsigned_div(a, b, w); break;
    case TP_OP_BV_SDIV: r = signed_div(a, b, w); break;
    case TP_OP_BV_UREM: r = unsigned_rem(a, b); break;
    case TP_OP_BV_SREM: r = signed_rem(a, b, w); break;
    case TP_OP_BV_AND: r = a & b, object = provenance_of_bits(v); break;
    case TP_OP_BV_OR: r = a | b, object = provenance_of_bits(v); break;
    case TP_OP_BV_XOR: r = a ^ b, object = provenance(v); break;
    case TP_OP_BV_NOT: r = tp_cut(~a, w); break;
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: r = shift(op->kind, a, b, w); break;
    case TP_OP_BV_ULT: r = a < b; break;
    case TP_OP_BV_ULE: r = a <= b; break;
    case TP_OP_BV_SLT: r = tp_signed_less(a, b, aw); break;
    case TP_OP_BV_SLE: r = !tp_signed_less(b, a, aw); break;
    case TP_OP_BV_CONCAT: r = a << (w - aw) | b; break;
    case TP_OP_BV_EXTRACT:
      r = tp_cut(a >> (uint32_t)op->payload, w);
      if ((uint32_t)op->payload == 0 && w >= op->ptr_bits) object = v[0].object;
      break;
    case TP_OP_BV_ZEXT: r = a, object = v[0].object; break;
    case TP_OP_BV_SEXT: r = tp_cut(tp_sign_extend(a, aw), w), object = v[0].object; break;
    case TP_OP_FP_ADD:
    case TP_OP_FP_SUB:
    case TP_OP_FP_MUL:
    case TP_OP_FP_DIV:
    case TP_OP_FP_REM:
    case TP_OP_FP_SQRT:
    case TP_OP_FP_FMA:
    case TP_OP_FP_MIN:
    case TP_OP_FP_MAX: {
      tp_u128 c = op->kind == TP_OP_FP_FMA ? v[2].bits : 0, d = op->kind == TP_OP_FP_SQRT ? 0 : b;
      r = w == 32
              ? of_float(arith32(op->kind, to_float(a), to_float(d), to_float(c)))
              : of_double(arith64(op->kind, to_double(a, 64), to_double(d, 64), to_double(c, 64)));
      break;
    }
    case TP_OP_FP_NEG: r = a ^ signbit; break;
    case TP_OP_FP_ABS: r = a & ~(tp_u128)signbit; break;
    case TP_OP_FP_ROUND:
      r = w == 32 ? of_float((float)round_to_integral((tp_round)op->payload, to_double(a, 32)))
                  : of_double(round_to_integral((tp_round)op->payload, to_double(a, 64)));
      break;
    case TP_OP_FP_EQ: r = to_double(a, aw) == to_double(b, aw); break;
    case TP_OP_FP_LT: r = to_double(a, aw) < to_double(b, aw); break;
    case TP_OP_FP_LE: r = to_double(a, aw) <= to_double(b, aw); break;
    case TP_OP_FP_IS_NAN: r = is_nan(a, aw); break;
    case TP_OP_FP_IS_INF: r = is_inf(a, aw); break;
    case TP_OP_FP_OF_BITS:
    case TP_OP_FP_TO_BITS: r = a; break;
    case TP_OP_FP_OF_FP: r = convert_float(a, aw, w); break;
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV: r = of_integer(a, aw, w, op->kind == TP_OP_FP_OF_SBV); break;
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV: r = to_integer(to_double(a, aw), w, op->kind == TP_OP_FP_TO_SBV); break;
    case TP_OP_PTR_MK: r = b, object = (uint32_t)a; break;
    case TP_OP_PTR_OBJ: r = v[0].object; break;
    case TP_OP_PTR_OFF: r = a; break;
    case TP_OP_PTR_ADD: r = tp_cut(a + b, w), object = v[0].object; break;
    case TP_OP_PTR_TO_INT:
      if (v[0].object) return false;
      r = a;
      break;
    case TP_OP_INT_TO_PTR:
      if (v[0].object) return false;
      r = a;
      break;
    case TP_OP_INT_ADD:
      if (__builtin_add_overflow((int64_t)a, (int64_t)b, &n)) return false;
      r = (uint64_t)n;
      break;
    case TP_OP_INT_MUL:
      if (__builtin_mul_overflow((int64_t)a, (int64_t)b, &n)) return false;
      r = (uint64_t)n;
      break;
    case TP_OP_INT_LE: r = (int64_t)a <= (int64_t)b; break;
    case TP_OP_INT_LT: r = (int64_t)a < (int64_t)b; break;
    case TP_OP_INT_OF_SBV: {
      tp_i128 i = (tp_i128)tp_sign_extend(a, aw);
      if (i < INT64_MIN || i > INT64_MAX) return false;
      r = (uint64_t)i;
      break;
    }
    case TP_OP_INT_OF_UBV:
      if (a > INT64_MAX) return false;
      r = a;
      break;
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST:
    case TP_OP_PTR_CONST:
    case TP_OP_INT_CONST:
    case TP_OP_VAR:
    case TP_OP_BOUND:
    case TP_OP_SELECT:
    case TP_OP_STORE:
    case TP_OP_CONST_ARRAY:
    case TP_OP_FORALL:
    case TP_OP_EXISTS:
    case TP_N_OPS: return false;
  }
  *out = (tp_value){.bits = r, .object = object};
  return true;
}

tp_value tp_const_value(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_is_scalar_const(tt, t));
  tp_value v = {0};
  switch ((int)tp_k(tt, t)) {
    case TP_OP_TRUE: v.bits = 1; break;
    case TP_OP_PTR_CONST: v.object = tt->arg[t.id][0], v.bits = tt->payload[t.id]; break;
    case TP_OP_INT_CONST: v.bits = tt->payload[t.id]; break;
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST: v.bits = tp_bits(tt, t); break;
    default: break;
  }
  return v;
}

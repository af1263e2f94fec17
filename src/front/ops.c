/* Arithmetic, comparisons, conversions, selections: instructions that are terms.
 *
 * Terms are total, C's operations are not: where an operand could make the operation end the run
 * (division by zero, MIN / -1, a shift by the width or more, a float out of range) an ASSUME stands
 * before it; constants that are in range need none. Small vectors are handled lane by lane. */
#include "front/front_priv.h"

#include "term/x87.h"
#include "program/undefined_names.h"

#include <math.h>

static bool is_bool(tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
}

// ------------------------------------------------------------------- integers

/* clang's own checks stand before the operation in code that is compiled with them; models are not.
 */
static bool is_instrumented(const tp_fb *fb) { return !tp_func_of(fb->p, fb->func)->is_model; }

static void assume_divisible(tp_fb *fb, tp_term a, tp_term b, bool is_signed) {
  tp_terms *tt = fb->tt;
  if (fb->fe->check_undefined && is_instrumented(fb)) return;
  uint32_t w = tp_width(tt, b);
  tp_term zero = tp_mk_bv(tt, w, 0);
  tp_fb_assume(fb, tp_mk_not(tt, tp_mk_eq(tt, b, zero)), TP_DIVISION_BY_ZERO);
  if (!is_signed || (fb->fe->check_overflow && is_instrumented(fb))) return;
  tp_term min = tp_mk_bv(tt, w, (tp_u128)1 << (w - 1)), minus_one = tp_mk_bv_signed(tt, w, -1);
  tp_term bad = tp_mk_and(tt, tp_mk_eq(tt, a, min), tp_mk_eq(tt, b, minus_one));
  tp_fb_assume(fb, tp_mk_not(tt, bad), "overflow in a division");
}

static void assume_shift(tp_fb *fb, tp_term amount) {
  tp_terms *tt = fb->tt;
  if (fb->fe->check_undefined && is_instrumented(fb)) return;
  uint32_t w = tp_width(tt, amount);
  tp_fb_assume(fb, tp_mk2(tt, TP_OP_BV_ULT, amount, tp_mk_bv(tt, w, w)),
               "shift by the width or more");
}

/* Bool operands: i1 arithmetic. */
static tp_term bool_binary(tp_terms *tt, LLVMOpcode op, tp_term a, tp_term b) {
  switch ((int)op) {
    case LLVMAnd:
    case LLVMMul: return tp_mk_and(tt, a, b);
    case LLVMOr: return tp_mk_or(tt, a, b);
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub: return tp_mk_xor(tt, a, b);
    default: return TP_TERM_NONE;
  }
}

static tp_term binary(tp_fb *fb, LLVMOpcode op, tp_term a, tp_term b) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(fb->tt, a), tp_sort_of(fb->tt, b)));
  tp_terms *tt = fb->tt;
  if (is_bool(tt, a)) return bool_binary(tt, op, a, b);
  switch ((int)op) {
    case LLVMAdd: return tp_mk2(tt, TP_OP_BV_ADD, a, b);
    case LLVMSub: return tp_mk_sub(tt, a, b);
    case LLVMMul: return tp_mk2(tt, TP_OP_BV_MUL, a, b);
    case LLVMUDiv: assume_divisible(fb, a, b, false); return tp_mk2(tt, TP_OP_BV_UDIV, a, b);
    case LLVMURem: assume_divisible(fb, a, b, false); return tp_mk2(tt, TP_OP_BV_UREM, a, b);
    case LLVMSDiv: assume_divisible(fb, a, b, true); return tp_mk2(tt, TP_OP_BV_SDIV, a, b);
    case LLVMSRem: assume_divisible(fb, a, b, true); return tp_mk2(tt, TP_OP_BV_SREM, a, b);
    case LLVMShl: assume_shift(fb, b); return tp_mk2(tt, TP_OP_BV_SHL, a, b);
    case LLVMLShr: assume_shift(fb, b); return tp_mk2(tt, TP_OP_BV_LSHR, a, b);
    case LLVMAShr: assume_shift(fb, b); return tp_mk2(tt, TP_OP_BV_ASHR, a, b);
    case LLVMAnd: return tp_mk2(tt, TP_OP_BV_AND, a, b);
    case LLVMOr: return tp_mk2(tt, TP_OP_BV_OR, a, b);
    case LLVMXor: return tp_mk2(tt, TP_OP_BV_XOR, a, b);
    case LLVMFAdd: return tp_mk2(tt, TP_OP_FP_ADD, a, b);
    case LLVMFSub: return tp_mk2(tt, TP_OP_FP_SUB, a, b);
    case LLVMFMul: return tp_mk2(tt, TP_OP_FP_MUL, a, b);
    case LLVMFDiv: return tp_mk2(tt, TP_OP_FP_DIV, a, b);
    case LLVMFRem: return tp_mk2(tt, TP_OP_FP_REM, a, b);
    default: return TP_TERM_NONE;
  }
}

// ----------------------------------------------------------------- comparisons

static tp_term compare_ints(tp_terms *tt, LLVMIntPredicate p, tp_term a, tp_term b) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(tt, a), tp_sort_of(tt, b)));
  switch (p) {
    case LLVMIntEQ: return tp_mk_eq(tt, a, b);
    case LLVMIntNE: return tp_mk_not(tt, tp_mk_eq(tt, a, b));
    case LLVMIntUGT: return tp_mk2(tt, TP_OP_BV_ULT, b, a);
    case LLVMIntUGE: return tp_mk2(tt, TP_OP_BV_ULE, b, a);
    case LLVMIntULT: return tp_mk2(tt, TP_OP_BV_ULT, a, b);
    case LLVMIntULE: return tp_mk2(tt, TP_OP_BV_ULE, a, b);
    case LLVMIntSGT: return tp_mk2(tt, TP_OP_BV_SLT, b, a);
    case LLVMIntSGE: return tp_mk2(tt, TP_OP_BV_SLE, b, a);
    case LLVMIntSLT: return tp_mk2(tt, TP_OP_BV_SLT, a, b);
    case LLVMIntSLE: return tp_mk2(tt, TP_OP_BV_SLE, a, b);
  }
  return TP_TERM_NONE;
}

static tp_term compare(tp_terms *tt, LLVMIntPredicate p, tp_term a, tp_term b) {
  bool equality = p == LLVMIntEQ || p == LLVMIntNE;
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, a));
  uint64_t value;
  // match: ite(c, 1, 0) != 0   result: c
  if (equality && k == TP_SORT_BV && tp_kind(tt, a) == TP_OP_ITE &&
      tp_bv_value_u64(tt, b, &value) && value == 0) {
    uint64_t yes, no;
    if (tp_bv_value_u64(tt, tp_arg(tt, a, 1), &yes) && tp_bv_value_u64(tt, tp_arg(tt, a, 2), &no) &&
        yes == 1 && no == 0)
      return p == LLVMIntNE ? tp_arg(tt, a, 0) : tp_mk_not(tt, tp_arg(tt, a, 0));
  }
  if (k == TP_SORT_BOOL && !equality) {
    a = tp_fe_bool_bv(tt, 1, a);
    b = tp_fe_bool_bv(tt, 1, b);
  } else if (k == TP_SORT_PTR && !equality) {
    a = tp_mk1(tt, TP_OP_PTR_TO_INT, a);
    b = tp_mk1(tt, TP_OP_PTR_TO_INT, b);
  }
  return compare_ints(tt, p, a, b);
}

static tp_term compare_floats(tp_terms *tt, LLVMRealPredicate p, tp_term a, tp_term b) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(tt, a), tp_sort_of(tt, b)));
  tp_term nan = tp_mk_or(tt, tp_mk1(tt, TP_OP_FP_IS_NAN, a), tp_mk1(tt, TP_OP_FP_IS_NAN, b));
  switch (p) {
    case LLVMRealPredicateFalse: return tp_mk_false(tt);
    case LLVMRealOEQ: return tp_mk2(tt, TP_OP_FP_EQ, a, b);
    case LLVMRealOGT: return tp_mk2(tt, TP_OP_FP_LT, b, a);
    case LLVMRealOGE: return tp_mk2(tt, TP_OP_FP_LE, b, a);
    case LLVMRealOLT: return tp_mk2(tt, TP_OP_FP_LT, a, b);
    case LLVMRealOLE: return tp_mk2(tt, TP_OP_FP_LE, a, b);
    case LLVMRealONE:
      return tp_mk_and(tt, tp_mk_not(tt, nan), tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_EQ, a, b)));
    case LLVMRealORD: return tp_mk_not(tt, nan);
    case LLVMRealUNO: return nan;
    case LLVMRealUEQ: return tp_mk_or(tt, nan, tp_mk2(tt, TP_OP_FP_EQ, a, b));
    case LLVMRealUGT: return tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_LE, a, b));
    case LLVMRealUGE: return tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_LT, a, b));
    case LLVMRealULT: return tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_LE, b, a));
    case LLVMRealULE: return tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_LT, b, a));
    case LLVMRealUNE: return tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_EQ, a, b));
    case LLVMRealPredicateTrue: return tp_mk_true(tt);
  }
  return TP_TERM_NONE;
}

// ----------------------------------------------------------------- conversions

static tp_term widen(tp_terms *tt, tp_term t, uint32_t width, bool is_signed) {
  if (!is_bool(tt, t)) return tp_mk_resize(tt, width, is_signed, t);
  if (!is_signed) return tp_fe_bool_bv(tt, width, t);
  return tp_mk_ite(tt, t, tp_mk_bv_signed(tt, width, -1), tp_mk_bv(tt, width, 0));
}

/* Same bits, other sort. */
static tp_term bit_cast(tp_fb *fb, tp_term t, tp_sort to) {
  tp_terms *tt = fb->tt;
  if (tp_sort_eq(tp_sort_of(tt, t), to)) return t;
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, t)), goal = tp_sort_kind_of(tt, to);
  if (k == TP_SORT_FP) t = tp_mk1(tt, TP_OP_FP_TO_BITS, t), k = TP_SORT_BV;
  if (k != TP_SORT_BV || tp_width(tt, t) != tp_sort_width(tt, to)) return TP_TERM_NONE;
  if (goal == TP_SORT_FP) return tp_mk1(tt, TP_OP_FP_OF_BITS, t);
  return goal == TP_SORT_BV ? t : TP_TERM_NONE;
}

/* The float of `width` bits nearest to value. */
static tp_term float_of(tp_terms *tt, uint32_t width, double value) {
  uint64_t bits = 0;
  const float narrow = (float)value;
  if (width == 32)
    memcpy(&bits, &narrow, sizeof narrow);
  else
    memcpy(&bits, &value, sizeof value);
  return tp_mk_fp(tt, width, bits);
}

static const char out_of_range[] = "float out of the range of the integer that it is converted to";

/* C11 6.3.1.4: the integral part of x must be a value of the integer type. Bounds are floats: below
 * the least value of the type lies least - 1 or, where that is no float, nothing that truncates to
 * least. */
static void assume_converts(tp_fb *fb, tp_term x, uint32_t width, bool is_signed) {
  tp_terms *tt = fb->tt;
  if (fb->fe->check_undefined && is_instrumented(fb)) return;
  const uint32_t float_width = tp_width(tt, x), mantissa = float_width == 32 ? 24 : 53;
  const double least = is_signed ? -ldexp(1, (int)width - 1) : 0,
               above = ldexp(1, (int)width - is_signed);
  const bool has_below = !is_signed || width <= mantissa;
  tp_term low = has_below ? tp_mk2(tt, TP_OP_FP_LT, float_of(tt, float_width, least - 1), x)
                          : tp_mk2(tt, TP_OP_FP_LE, float_of(tt, float_width, least), x);
  tp_term high = tp_mk2(tt, TP_OP_FP_LT, x, float_of(tt, float_width, above));
  tp_fb_assume(fb, tp_mk_and(tt, low, high), out_of_range);
}

static tp_term convert(tp_fb *fb, LLVMOpcode op, tp_term t, tp_sort to) {
  tp_terms *tt = fb->tt;
  uint32_t width = tp_sort_width(tt, to);
  bool to_bool = tp_sort_kind_of(tt, to) == TP_SORT_BOOL;
  bool is_signed = op == LLVMSExt || op == LLVMSIToFP;
  switch ((int)op) {
    case LLVMTrunc: return to_bool ? tp_fe_to_bool(tt, t) : tp_mk_trunc(tt, width, t);
    case LLVMZExt:
    case LLVMSExt: return widen(tt, t, width, is_signed);
    case LLVMFPToUI:
    case LLVMFPToSI: {
      tp_term_kind k = op == LLVMFPToSI ? TP_OP_FP_TO_SBV : TP_OP_FP_TO_UBV;
      assume_converts(fb, t, to_bool ? 8 : width, op == LLVMFPToSI);
      return to_bool ? tp_fe_to_bool(tt, tp_mk_fp_conv(tt, k, 8, t))
                     : tp_mk_fp_conv(tt, k, width, t);
    }
    case LLVMUIToFP:
    case LLVMSIToFP:
      if (is_bool(tt, t)) t = widen(tt, t, 32, is_signed);
      return tp_mk_fp_conv(tt, is_signed ? TP_OP_FP_OF_SBV : TP_OP_FP_OF_UBV, width, t);
    case LLVMFPTrunc:
    case LLVMFPExt: return tp_mk_fp_conv(tt, TP_OP_FP_OF_FP, width, t);
    case LLVMPtrToInt: return tp_mk_resize(tt, width, false, tp_mk1(tt, TP_OP_PTR_TO_INT, t));
    case LLVMIntToPtr:
      return tp_mk1(tt, TP_OP_INT_TO_PTR, tp_mk_resize(tt, fb->fe->ptr_bits, false, t));
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return bit_cast(fb, t, to);
    default: return TP_TERM_NONE;
  }
}

// --------------------------------------------------------------------- vectors

typedef struct {
  uint32_t n, width;  // lanes and bits of each
  tp_sort lane;
} vector_shape;

static bool shape_of(tp_fb *fb, LLVMTypeRef type, vector_shape *out) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
      !tp_fe_sort(fb->fe, LLVMGetElementType(type), &out->lane))
    return false;
  out->n = LLVMGetVectorSize(type);
  out->width = tp_sort_width(fb->tt, out->lane);
  return true;
}

static tp_term lane_of(tp_fb *fb, vector_shape s, tp_term v, uint32_t i) {
  tp_term bits = tp_mk_extract(fb->tt, (i + 1) * s.width - 1, i * s.width, v);
  if (tp_sort_kind_of(fb->tt, s.lane) == TP_SORT_FP) return tp_mk1(fb->tt, TP_OP_FP_OF_BITS, bits);
  return tp_sort_kind_of(fb->tt, s.lane) == TP_SORT_BOOL ? tp_fe_to_bool(fb->tt, bits) : bits;
}

static tp_term join_lanes(tp_fb *fb, const tp_term *lanes, uint32_t n) {
  TP_REQUIRE(n > 0);
  tp_term all = TP_TERM_NONE;
  for (uint32_t i = 0; i < n; i++) {
    tp_term bits = lanes[i];
    tp_sort_kind k = tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, bits));
    if (k == TP_SORT_FP) bits = tp_mk1(fb->tt, TP_OP_FP_TO_BITS, bits);
    if (k == TP_SORT_BOOL) bits = tp_fe_bool_bv(fb->tt, 1, bits);
    all = tp_term_is(all) ? tp_mk2(fb->tt, TP_OP_BV_CONCAT, bits, all) : bits;
  }
  return all;
}

enum { MAX_LANES = 128 };

/* A vector operand; one without a value (the start of a sequence of insertions) counts as zero. */
static bool get_vector(tp_fb *fb, LLVMValueRef v, tp_fe_value *out) {
  return LLVMIsUndef(v) ? tp_fe_zero(fb->fe, LLVMTypeOf(v), out) : tp_fb_get(fb, v, out);
}

static tp_term shuffle(tp_fb *fb, LLVMValueRef inst, vector_shape from, tp_term a, tp_term b) {
  tp_term lanes[MAX_LANES];
  unsigned n = LLVMGetNumMaskElements(inst);
  for (unsigned i = 0; i < n; i++) {
    int k = LLVMGetMaskValue(inst, i);
    uint32_t lane = k == LLVMGetUndefMaskElem() ? 0 : (uint32_t)k;
    lanes[i] = lane < from.n ? lane_of(fb, from, a, lane) : lane_of(fb, from, b, lane - from.n);
  }
  return join_lanes(fb, lanes, n);
}

/* Element-wise: binary operations and conversions. */
static tp_term lanewise(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op, vector_shape from, tp_term a,
                        tp_term b) {
  tp_term lanes[MAX_LANES];
  vector_shape to;
  if (!shape_of(fb, LLVMTypeOf(inst), &to) || to.n != from.n) return TP_TERM_NONE;
  for (uint32_t i = 0; i < from.n; i++) {
    tp_term x = lane_of(fb, from, a, i);
    if (LLVMIsACastInst(inst))
      lanes[i] = convert(fb, op, x, to.lane);
    else if (op == LLVMFNeg)
      lanes[i] = tp_mk1(fb->tt, TP_OP_FP_NEG, x);
    else if (op == LLVMICmp)
      lanes[i] = compare(fb->tt, LLVMGetICmpPredicate(inst), x, lane_of(fb, from, b, i));
    else if (op == LLVMFCmp)
      lanes[i] = compare_floats(fb->tt, LLVMGetFCmpPredicate(inst), x, lane_of(fb, from, b, i));
    else
      lanes[i] = binary(fb, op, x, lane_of(fb, from, b, i));
    if (!tp_term_is(lanes[i])) return TP_TERM_NONE;
  }
  return join_lanes(fb, lanes, from.n);
}

/* The index of a lane; a run relies on there being one. */
static bool lane_index(tp_fb *fb, LLVMValueRef v, vector_shape s, tp_fe_value *out) {
  if (!tp_fb_get(fb, v, out)) return false;
  tp_term n = tp_mk_bv(fb->tt, tp_width(fb->tt, out->t), s.n);
  tp_fb_rely_on(fb, tp_mk2(fb->tt, TP_OP_BV_ULT, out->t, n), "index beyond the end of a vector",
                "index beyond the end of a vector");
  return true;
}

static tp_term is_lane(tp_fb *fb, tp_term index, uint32_t k) {
  return tp_mk_eq(fb->tt, index, tp_mk_bv(fb->tt, tp_width(fb->tt, index), k));
}

static bool lower_vector(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  vector_shape s;
  tp_fe_value a, b = {0}, c;
  if (!shape_of(fb, LLVMTypeOf(LLVMGetOperand(inst, 0)), &s) || op == LLVMBitCast ||
      op == LLVMSelect)
    return false;
  if (!get_vector(fb, LLVMGetOperand(inst, 0), &a)) return true;
  tp_term t = TP_TERM_NONE;
  if (op == LLVMExtractElement) {
    if (!lane_index(fb, LLVMGetOperand(inst, 1), s, &c)) return true;
    for (uint32_t k = 0; k < s.n; k++) {
      tp_term lane = lane_of(fb, s, a.t, k);
      t = k == 0 ? lane : tp_mk_ite(fb->tt, is_lane(fb, c.t, k), lane, t);
    }
    b.mask = c.mask;
    b.reads_global = c.reads_global;
  } else if (op == LLVMInsertElement) {
    tp_term lanes[MAX_LANES];
    if (!tp_fb_get(fb, LLVMGetOperand(inst, 1), &b) ||
        !lane_index(fb, LLVMGetOperand(inst, 2), s, &c))
      return true;
    for (uint32_t k = 0; k < s.n; k++)
      lanes[k] = tp_mk_ite(fb->tt, is_lane(fb, c.t, k), b.t, lane_of(fb, s, a.t, k));
    t = join_lanes(fb, lanes, s.n);
    b.mask |= c.mask;
    b.reads_global |= c.reads_global;
  } else {
    bool two = !LLVMIsACastInst(inst) && op != LLVMFNeg;
    if (two && !get_vector(fb, LLVMGetOperand(inst, 1), &b)) return true;
    t = op == LLVMShuffleVector ? shuffle(fb, inst, s, a.t, b.t)
                                : lanewise(fb, inst, op, s, a.t, b.t);
  }
  if (tp_term_is(t))
    tp_fb_set_term(fb, inst, t, &a, &b);
  else
    tp_fb_unsupported(fb, "vector operation");
  return true;
}

// ------------------------------------------------- checks that clang does not make

/* <ctype.h> looks characters up in tables: (*__ctype_b_loc())[c]. */
static bool is_character_table(LLVMValueRef p) {
  static const char *const tables[] = {"__ctype_b_loc", "__ctype_tolower_loc",
                                       "__ctype_toupper_loc"};
  LLVMValueRef call = LLVMIsALoadInst(p) ? LLVMGetOperand(p, 0) : NULL;
  LLVMValueRef callee = call && LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  size_t n;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (strcmp(name, tables[i]) == 0) return true;
  return false;
}

/* Does C ask for an order of pointers, or for their difference? A difference of integers made from
 * pointers is none: clang names what comes from a difference of pointers. */
static bool is_of_pointers(LLVMValueRef inst, LLVMOpcode op) {
  static const char difference[] = "sub.ptr.sub";
  if (op == LLVMICmp) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(inst);
    return p != LLVMIntEQ && p != LLVMIntNE &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, 0))) == LLVMPointerTypeKind;
  }
  size_t n;
  return op == LLVMSub &&
         strncmp(LLVMGetValueName2(inst, &n), difference, sizeof difference - 1) == 0;
}

bool tp_fe_has_check(const tp_fe *fe, LLVMValueRef inst) {
  if (!fe->check_undefined) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  if (op == LLVMLoad)
    return tp_map_has(&fe->uninitialised, (uint64_t)(uintptr_t)LLVMGetOperand(inst, 0));
  if (op == LLVMGetElementPtr) return is_character_table(LLVMGetOperand(inst, 0));
  return (op == LLVMICmp || op == LLVMSub) && is_of_pointers(inst, op);
}

// -------------------------------------------------------------- instructions

static void lower_select(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsASelectInst(inst));
  tp_fe_value c, a, b;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &c) || !tp_fb_get(fb, LLVMGetOperand(inst, 1), &a) ||
      !tp_fb_get(fb, LLVMGetOperand(inst, 2), &b))
    return;
  if (!tp_term_is(a.t) || !is_bool(fb->tt, c.t)) {
    tp_fb_unsupported(fb, "selection between values of this type");
    return;
  }
  tp_fb_show_choice(fb, c.t);
  tp_fe_value v = {.t = tp_mk_ite(fb->tt, c.t, a.t, b.t),
                   .mask = a.mask | b.mask | c.mask,
                   .pointee = a.pointee,
                   .type = a.type,
                   .reads_global = a.reads_global || b.reads_global || c.reads_global};
  tp_fb_set(fb, inst, v);
}

static void lower_extract_value(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsAExtractValueInst(inst));
  tp_fe_value v;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &v)) return;
  unsigned i = *LLVMGetIndices(inst);
  if (LLVMGetNumIndices(inst) != 1 || i >= v.n_parts) {
    tp_fb_unsupported(fb, "nested struct in registers");
    return;
  }
  tp_fb_set_term(fb, inst, v.parts[i], &v, NULL);
}

static void lower_insert_value(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsAInsertValueInst(inst));
  LLVMValueRef into = LLVMGetOperand(inst, 0);
  tp_fe_value v, x;
  bool ok = LLVMIsUndef(into) ? tp_fe_zero(fb->fe, LLVMTypeOf(into), &v) : tp_fb_get(fb, into, &v);
  if (!ok || !tp_fb_get(fb, LLVMGetOperand(inst, 1), &x)) return;
  unsigned i = *LLVMGetIndices(inst);
  if (LLVMGetNumIndices(inst) != 1 || i >= v.n_parts || !tp_term_is(x.t)) {
    tp_fb_unsupported(fb, "nested struct in registers");
    return;
  }
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, v.n_parts);
  memcpy(parts, v.parts, v.n_parts * sizeof *parts);
  parts[i] = x.t;
  tp_fe_value r = {.parts = parts,
                   .n_parts = v.n_parts,
                   .mask = v.mask | x.mask,
                   .reads_global = v.reads_global || x.reads_global};
  tp_fb_set(fb, inst, r);
}

/* A character that is looked up is EOF or an unsigned char (7.4p1). */
static void check_character(tp_fb *fb, LLVMValueRef gep) {
  tp_terms *tt = fb->tt;
  tp_fe_value c;
  if (!fb->fe->check_undefined || LLVMGetNumOperands(gep) != 2 ||
      !is_character_table(LLVMGetOperand(gep, 0)))
    return;
  if (!tp_fb_get(fb, LLVMGetOperand(gep, 1), &c)) return;
  uint32_t w = tp_width(tt, c.t);
  tp_term low = tp_mk2(tt, TP_OP_BV_SLE, tp_mk_bv_signed(tt, w, -1), c.t),
          high = tp_mk2(tt, TP_OP_BV_SLE, c.t, tp_mk_bv(tt, w, 255));
  tp_fb_check(fb, tp_mk_and(tt, low, high), TP_P_UNDEFINED,
              "character that is neither EOF nor an unsigned char");
}

static void lower_gep(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value v;
  check_character(fb, inst);
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMVectorTypeKind) {
    tp_fb_unsupported(fb, "vector of pointers");
    return;
  }
  if (tp_fe_gep(fb->fe, inst, tp_fb_get, fb, &v))
    tp_fb_set(fb, inst, v);
  else
    tp_fb_unsupported(fb, "address computation");
}

static bool converts_long_double(LLVMValueRef inst) {
  return tp_fe_is_long_double(LLVMTypeOf(inst)) ||
         tp_fe_is_long_double(LLVMTypeOf(LLVMGetOperand(inst, 0)));
}

static tp_term convert_long_double(tp_fb *fb, LLVMValueRef inst, tp_term t, tp_sort to) {
  tp_term fits, value = tp_fe_long_double_convert(fb->tt, inst, t, to, &fits);
  if (!fb->fe->check_undefined || !is_instrumented(fb)) tp_fb_assume(fb, fits, out_of_range);
  return value;
}

static void lower_cast(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  tp_fe_value a;
  tp_sort to;
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &a)) return;
  tp_term t = TP_TERM_NONE;
  if (tp_term_is(a.t) && tp_fe_sort(fb->fe, LLVMTypeOf(inst), &to))
    t = converts_long_double(inst) ? convert_long_double(fb, inst, a.t, to)
                                   : convert(fb, op, a.t, to);
  if (!tp_term_is(t)) {
    tp_fb_unsupported(fb, "conversion to or from a type that is not supported");
    return;
  }
  tp_fe_value v = {.t = t, .mask = a.mask, .reads_global = a.reads_global};
  tp_fb_set(fb, inst, v);
}

/* The static object to which p certainly points. */
static uint32_t static_object(tp_fb *fb, tp_term p, tp_term *offset) {
  *offset = tp_mk1(fb->tt, TP_OP_PTR_OFF, p);
  if (tp_kind(fb->tt, p) == TP_OP_PTR_ADD) p = tp_arg(fb->tt, p, 0);
  uint32_t object = tp_kind(fb->tt, p) == TP_OP_PTR_CONST ? tp_ptr_const_object(fb->tt, p) : 0;
  return object && fb->p->statics.at[object].kind != TP_O_FUNCTION ? object : 0;
}

/* Pointers to different objects are different terms, but one past the end of an object may be the
 * next one's address. A comparison that such a pointer may be part of is kept from being decided
 * here. */
static tp_term keep_comparison_open(tp_fb *fb, tp_term p, tp_term q) {
  tp_terms *tt = fb->tt;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, p)) != TP_SORT_PTR) return p;
  tp_term p_off, q_off, zero = tp_fe_size_term(fb->fe, 0);
  uint32_t x = static_object(fb, p, &p_off), y = static_object(fb, q, &q_off);
  if (!x || !y || x == y) return p;
  const tp_static *a = &fb->p->statics.at[x], *b = &fb->p->statics.at[y];
  tp_term behind_p = tp_mk_and(tt, tp_mk_eq(tt, p_off, tp_fe_size_term(fb->fe, a->size_bytes)),
                               tp_mk_eq(tt, q_off, zero));
  tp_term behind_q = tp_mk_and(tt, tp_mk_eq(tt, q_off, tp_fe_size_term(fb->fe, b->size_bytes)),
                               tp_mk_eq(tt, p_off, zero));
  bool literals = a->kind == TP_O_LITERAL && b->kind == TP_O_LITERAL;
  if (!literals && tp_is_false(tt, behind_p) && tp_is_false(tt, behind_q)) return p;
  tp_var v = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE);
  tp_fb_assign(fb, v, p);
  return tp_var_of(fb->p, v)->term;
}

/* The pointer that an integer was made from. */
static LLVMValueRef pointer_of(LLVMValueRef v) {
  bool is_cast =
      LLVMIsAPtrToIntInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt);
  return is_cast ? LLVMGetOperand(v, 0) : v;
}

/* Only pointers into one object have an order and a difference (6.5.6p9, 6.5.8p5). */
static void check_one_object(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b;
  if (!fb->fe->check_undefined || !is_instrumented(fb) || !is_of_pointers(inst, op)) return;
  if (!tp_fb_get(fb, pointer_of(LLVMGetOperand(inst, 0)), &a) ||
      !tp_fb_get(fb, pointer_of(LLVMGetOperand(inst, 1)), &b))
    return;
  tp_sort ptr = tp_sort_ptr(tt);
  if (!tp_sort_eq(tp_sort_of(tt, a.t), ptr) || !tp_sort_eq(tp_sort_of(tt, b.t), ptr)) return;
  tp_term same = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, a.t), tp_mk1(tt, TP_OP_PTR_OBJ, b.t));
  tp_fb_check_manner(fb, same, TP_P_UNDEFINED, TP_FAILS_POINTER_PAIR,
                     op == LLVMSub ? "difference of pointers into different objects"
                                   : "order of pointers into different objects");
}

static void lower_binary(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  tp_fe_value a, b;
  check_one_object(fb, inst, op);
  if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &a) || !tp_fb_get(fb, LLVMGetOperand(inst, 1), &b))
    return;
  tp_term t = TP_TERM_NONE;
  if (op == LLVMICmp)
    t = compare(fb->tt, LLVMGetICmpPredicate(inst), keep_comparison_open(fb, a.t, b.t), b.t);
  else if (op == LLVMFCmp)
    t = tp_fe_is_long_double(LLVMTypeOf(LLVMGetOperand(inst, 0)))
            ? tp_fe_long_double_compare(fb->tt, LLVMGetFCmpPredicate(inst), a.t, b.t)
            : compare_floats(fb->tt, LLVMGetFCmpPredicate(inst), a.t, b.t);
  else if (tp_fe_is_long_double(LLVMTypeOf(inst)))
    t = tp_fe_long_double_binary(fb->tt, op, a.t, b.t);
  else
    t = binary(fb, op, a.t, b.t);
  if (tp_term_is(t))
    tp_fb_set_term(fb, inst, t, &a, &b);
  else
    tp_fb_unsupported(fb, "operation on a type that is not supported");
}

void tp_fb_lower_op(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op) {
  tp_fe_value a;
  if (LLVMGetNumOperands(inst) > 0 && lower_vector(fb, inst, op)) return;
  if (LLVMIsACastInst(inst)) {
    lower_cast(fb, inst, op);
    return;
  }
  switch ((int)op) {
    case LLVMGetElementPtr: lower_gep(fb, inst); return;
    case LLVMSelect: lower_select(fb, inst); return;
    case LLVMExtractValue: lower_extract_value(fb, inst); return;
    case LLVMInsertValue: lower_insert_value(fb, inst); return;
    case LLVMFNeg:
      if (tp_fb_get(fb, LLVMGetOperand(inst, 0), &a))
        tp_fb_set_term(fb, inst,
                       tp_fe_is_long_double(LLVMTypeOf(inst)) ? tp_x87_neg(fb->tt, a.t)
                                                              : tp_mk1(fb->tt, TP_OP_FP_NEG, a.t),
                       &a, NULL);
      return;
    case LLVMFreeze:
      if (tp_fb_get(fb, LLVMGetOperand(inst, 0), &a)) tp_fb_set(fb, inst, a);
      return;
    default: break;
  }
  if (LLVMIsABinaryOperator(inst) || op == LLVMICmp || op == LLVMFCmp)
    lower_binary(fb, inst, op);
  else
    tp_fb_unsupported(fb, "instruction that is not supported");
}

/* LLVM's intrinsic functions, as far as clang makes them of C without optimising.
 *
 * A table maps the name (by prefix, since types are part of the name) to the function that lowers
 * it. */
#include "front/front_priv.h"

#include "front/front_limits.h"
#include "term/x87.h"

#include <stdlib.h>

typedef bool (*lower_fn)(tp_fb *fb, LLVMValueRef inst);

static bool operand(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_fe_value *out) {
  return tp_fb_get(fb, LLVMGetOperand(inst, i), out) && tp_term_is(out->t);
}

static bool set1(tp_fb *fb, LLVMValueRef inst, tp_term t, const tp_fe_value *a,
                 const tp_fe_value *b) {
  if (!tp_term_is(t)) return false;
  tp_fb_set_term(fb, inst, t, a, b);
  return true;
}

static bool is_constant_one(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 1;
}
static bool is_vector(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static bool nothing(tp_fb *fb, LLVMValueRef inst) {
  (void)fb, (void)inst;
  return true;
}

static bool declare(tp_fb *fb, LLVMValueRef inst) {
  tp_fb_declare(fb, inst);
  return true;
}

static bool first_operand(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value v;
  if (tp_fb_get(fb, LLVMGetOperand(inst, 0), &v)) tp_fb_set(fb, inst, v);
  return true;
}

// ------------------------------------------------------------------ memory blocks

static bool block_operands(tp_fb *fb, LLVMValueRef inst, tp_fe_value *to, tp_fe_value *from,
                           tp_fe_value *n) {
  if (!operand(fb, inst, 0, to) || !operand(fb, inst, 1, from) || !operand(fb, inst, 2, n))
    return false;
  n->t = tp_mk_resize(fb->tt, fb->fe->ptr_bits, false, n->t);
  return true;
}

static bool is_no_bytes(tp_fb *fb, tp_term n) {
  uint64_t value;
  return tp_bv_value_u64(fb->tt, n, &value) && value == 0;
}

/* What an initialiser leaves open is indeterminate in the variable. */
static void havoc_undefined(tp_fb *fb, tp_term to, LLVMValueRef image) {
  tp_byte_ranges ranges = {0};
  tp_fe_undefined_ranges(fb->fe, image, &ranges);
  for (size_t i = 0; i < ranges.n && i < TP_FRONT_OPEN_RANGES; i++) {
    tp_term at = tp_mk_ptr_add(fb->tt, to, tp_fe_size_term(fb->fe, ranges.at[i].start));
    tp_term n = tp_fe_size_term(fb->fe, ranges.at[i].end - ranges.at[i].start);
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                        .a = at,
                                        .c = n,
                                        .input = TP_I_INDETERMINATE,
                                        .name = "bytes without initial value"});
  }
  if (ranges.n > TP_FRONT_OPEN_RANGES)
    tp_fb_unsupported(fb, "initialiser with many bytes left open");
  tp_vec_clear(&ranges);
}

static tp_term ule(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_ULE, a, b); }

/* The n bytes at two places of memcpy are apart, or the same: an assignment between structs may be
 * one to itself (6.5.16.1p3), and clang copies structs as memcpy does. */
static void check_apart(tp_fb *fb, tp_term to, tp_term from, tp_term n) {
  tp_terms *tt = fb->tt;
  if (!fb->fe->check_undefined || tp_fb_are_distinct(fb, to, from)) return;
  tp_term other_object =
      tp_mk_not(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, to), tp_mk1(tt, TP_OP_PTR_OBJ, from)));
  tp_term x = tp_mk1(tt, TP_OP_PTR_OFF, to), y = tp_mk1(tt, TP_OP_PTR_OFF, from);
  tp_term before = tp_mk_and(tt, ule(tt, x, y), ule(tt, n, tp_mk_sub(tt, y, x)));
  tp_term behind = tp_mk_and(tt, ule(tt, y, x), ule(tt, n, tp_mk_sub(tt, x, y)));
  tp_term ok =
      tp_mk_or(tt, tp_mk_or(tt, other_object, tp_mk_eq(tt, x, y)), tp_mk_or(tt, before, behind));
  tp_fb_check(fb, ok, TP_P_UNDEFINED, "copy between objects that overlap");
}

/* The library functions want pointers to objects even if there is nothing to copy (7.24.1p2). */
static void check_not_null(tp_fb *fb, tp_term p) {
  if (fb->fe->check_undefined)
    tp_fb_check(fb, tp_mk_not(fb->tt, tp_mk_eq(fb->tt, p, tp_mk_null(fb->tt))), TP_P_UNDEFINED,
                "null pointer as an argument that must not be null");
}

/* What clang initialises a local from. */
static bool is_image(LLVMValueRef from) {
  return LLVMIsAGlobalVariable(from) && LLVMGetLinkage(from) == LLVMPrivateLinkage &&
         LLVMIsGlobalConstant(from);
}

static bool copy(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value to, from, n;
  if (!block_operands(fb, inst, &to, &from, &n)) return true;
  check_not_null(fb, to.t);
  check_not_null(fb, from.t);
  if (is_no_bytes(fb, n.t)) return true;
  tp_fb_check_access(fb, from.t, n.t, TP_FRONT_READ);
  tp_fb_check_access(fb, to.t, n.t, TP_FRONT_WRITE);
  (void)tp_fb_emit(
      fb, (tp_edge_info){.kind = TP_E_COPY, .a = to.t, .b = from.t, .c = n.t, .type = to.pointee});
  havoc_undefined(fb, to.t, LLVMGetOperand(inst, 1));
  if (is_image(LLVMGetOperand(inst, 1)) || tp_fe_is_struct_copy(fb->fe, inst))
    tp_fb_havoc_padding(fb, &to, LLVMGetOperand(inst, 0), n.t);
  return true;
}

/* Is this memset an initialiser? Then it stands at its variable's declaration in the source, as
 * clang says. */
static bool initialises(LLVMValueRef inst) {
  LLVMValueRef local = LLVMGetOperand(inst, 0);
  if (!LLVMIsAAllocaInst(local)) return false;
  LLVMMetadataRef here = LLVMInstructionGetDebugLoc(inst);
  for (LLVMValueRef i = LLVMGetPreviousInstruction(inst); i && here;
       i = LLVMGetPreviousInstruction(i))
    if (LLVMIsADbgDeclareInst(i) && LLVMInstructionGetDebugLoc(i) == here) return true;
  return false;
}

/* memcpy, and assignments between structs. */
static bool copy_apart(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value to, from, n;
  if (block_operands(fb, inst, &to, &from, &n)) check_apart(fb, to.t, from.t, n.t);
  return copy(fb, inst);
}

static bool fill(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value to, byte, n;
  if (!block_operands(fb, inst, &to, &byte, &n)) return true;
  check_not_null(fb, to.t);
  if (is_no_bytes(fb, n.t)) return true;
  tp_fb_check_access(fb, to.t, n.t, TP_FRONT_WRITE);
  (void)tp_fb_emit(
      fb, (tp_edge_info){.kind = TP_E_SET, .a = to.t, .b = byte.t, .c = n.t, .type = to.pointee});
  if (initialises(inst)) tp_fb_havoc_padding(fb, &to, LLVMGetOperand(inst, 0), n.t);
  return true;
}

// --------------------------------------------------------- arithmetic with a flag

static tp_term max_signed(tp_terms *tt, uint32_t w) {
  return tp_mk_bv(tt, w, ((tp_u128)1 << (w - 1)) - 1);
}
static tp_term min_signed(tp_terms *tt, uint32_t w) {
  return tp_mk_bv(tt, w, (tp_u128)1 << (w - 1));
}
static tp_term slt(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_SLT, a, b); }
static tp_term ult(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_ULT, a, b); }

/* b >= 0 and a > MAX - b, or b < 0 and a < MIN - b: bounds become constants where b is one. */
static tp_term sadd_wraps(tp_terms *tt, tp_term a, tp_term b) {
  TP_REQUIRE(tp_width(tt, a) == tp_width(tt, b));
  uint32_t w = tp_width(tt, a);
  if (tp_is_const(tt, a)) {
    tp_term other = a;
    a = b;
    b = other;
  }
  tp_term negative = slt(tt, b, tp_mk_bv(tt, w, 0));
  return tp_mk_ite(tt, negative, slt(tt, a, tp_mk_sub(tt, min_signed(tt, w), b)),
                   slt(tt, tp_mk_sub(tt, max_signed(tt, w), b), a));
}

/* b >= 0 and a < MIN + b, or b < 0 and a > MAX + b. */
static tp_term ssub_wraps(tp_terms *tt, tp_term a, tp_term b) {
  TP_REQUIRE(tp_width(tt, a) == tp_width(tt, b));
  uint32_t w = tp_width(tt, a);
  tp_term zero = tp_mk_bv(tt, w, 0);
  if (tp_term_eq(a, zero)) return tp_mk_eq(tt, b, min_signed(tt, w));
  tp_term negative = slt(tt, b, zero);
  return tp_mk_ite(tt, negative, slt(tt, tp_mk2(tt, TP_OP_BV_ADD, max_signed(tt, w), b), a),
                   slt(tt, a, tp_mk2(tt, TP_OP_BV_ADD, min_signed(tt, w), b)));
}

/* a * c for a constant c: the quotients of the limits bound a. */
static tp_term smul_const_wraps(tp_terms *tt, tp_term a, tp_term c) {
  uint32_t w = tp_width(tt, a);
  tp_term zero = tp_mk_bv(tt, w, 0), minus_one = tp_mk_bv_signed(tt, w, -1);
  if (tp_term_eq(c, zero)) return tp_mk_false(tt);
  if (tp_term_eq(c, minus_one)) return tp_mk_eq(tt, a, min_signed(tt, w));
  tp_term by_max = tp_mk2(tt, TP_OP_BV_SDIV, max_signed(tt, w), c),
          by_min = tp_mk2(tt, TP_OP_BV_SDIV, min_signed(tt, w), c);
  bool negative = tp_is_true(tt, slt(tt, c, zero));
  tp_term lo = negative ? by_max : by_min, hi = negative ? by_min : by_max;
  return tp_mk_or(tt, slt(tt, a, lo), slt(tt, hi, a));
}

/* The product of twice the width is outside of what the width holds: a comparison with constants,
 * which says most to whoever knows bounds. */
static tp_term mul_wraps(tp_terms *tt, tp_term a, tp_term b, bool is_signed) {
  TP_REQUIRE(tp_width(tt, a) == tp_width(tt, b));
  uint32_t w = tp_width(tt, a);
  if (tp_is_const(tt, a)) {
    tp_term other = a;
    a = b;
    b = other;
  }
  if (is_signed && tp_is_const(tt, b)) return smul_const_wraps(tt, a, b);
  if (2 * w > TP_BV_MAX_BITS) return TP_TERM_NONE;
  tp_term wide = tp_mk2(tt, TP_OP_BV_MUL, tp_mk_resize(tt, 2 * w, is_signed, a),
                        tp_mk_resize(tt, 2 * w, is_signed, b));
  if (!is_signed) return ult(tt, tp_mk_zext(tt, 2 * w, tp_mk_bv_signed(tt, w, -1)), wide);
  tp_term least = tp_mk_sext(tt, 2 * w, min_signed(tt, w)),
          most = tp_mk_sext(tt, 2 * w, max_signed(tt, w));
  return tp_mk_or(tt, slt(tt, wide, least), slt(tt, most, wide));
}

typedef enum { F_ADD, F_SUB, F_MUL } flag_op;

static bool with_overflow(tp_fb *fb, LLVMValueRef inst, flag_op op, bool is_signed) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b;
  if (is_vector(LLVMGetOperand(inst, 0))) return false;
  if (!operand(fb, inst, 0, &a) || !operand(fb, inst, 1, &b)) return true;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, a.t)) != TP_SORT_BV) return false;
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, 2);
  switch (op) {
    case F_ADD:
      parts[0] = tp_mk2(tt, TP_OP_BV_ADD, a.t, b.t);
      parts[1] = is_signed ? sadd_wraps(tt, a.t, b.t) : ult(tt, parts[0], a.t);
      break;
    case F_SUB:
      parts[0] = tp_mk_sub(tt, a.t, b.t);
      parts[1] = is_signed ? ssub_wraps(tt, a.t, b.t) : ult(tt, a.t, b.t);
      break;
    case F_MUL:
      parts[0] = tp_mk2(tt, TP_OP_BV_MUL, a.t, b.t);
      parts[1] = mul_wraps(tt, a.t, b.t, is_signed);
      break;
  }
  if (!tp_term_is(parts[1])) return false;
  tp_fb_set(fb, inst,
            (tp_fe_value){.parts = parts,
                          .n_parts = 2,
                          .mask = a.mask | b.mask,
                          .reads_global = a.reads_global || b.reads_global});
  return true;
}

static bool sadd(tp_fb *fb, LLVMValueRef i) { return with_overflow(fb, i, F_ADD, true); }
static bool ssub(tp_fb *fb, LLVMValueRef i) { return with_overflow(fb, i, F_SUB, true); }
static bool smul(tp_fb *fb, LLVMValueRef i) { return with_overflow(fb, i, F_MUL, true); }
static bool uadd(tp_fb *fb, LLVMValueRef i) { return with_overflow(fb, i, F_ADD, false); }
static bool usub(tp_fb *fb, LLVMValueRef i) { return with_overflow(fb, i, F_SUB, false); }
static bool umul(tp_fb *fb, LLVMValueRef i) { return with_overflow(fb, i, F_MUL, false); }

static bool absolute(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value a;
  if (is_vector(inst)) return false;
  if (!operand(fb, inst, 0, &a)) return true;
  uint32_t w = tp_width(tt, a.t);
  if (is_constant_one(LLVMGetOperand(inst, 1)) &&
      (fb->fe->check_overflow || fb->fe->check_undefined))
    tp_fb_check(fb, tp_mk_not(tt, tp_mk_eq(tt, a.t, min_signed(tt, w))),
                fb->fe->check_overflow ? TP_P_NO_OVERFLOW : TP_P_UNDEFINED, "overflow in abs");
  tp_term t = tp_mk_ite(tt, slt(tt, a.t, tp_mk_bv(tt, w, 0)), tp_mk1(tt, TP_OP_BV_NEG, a.t), a.t);
  return set1(fb, inst, t, &a, NULL);
}

/* One of two by a comparison. */
static bool choose(tp_fb *fb, LLVMValueRef inst, tp_term_kind less, bool smaller) {
  tp_fe_value a, b;
  if (is_vector(inst)) return false;
  if (!operand(fb, inst, 0, &a) || !operand(fb, inst, 1, &b)) return true;
  tp_term lt = tp_mk2(fb->tt, less, a.t, b.t);
  return set1(fb, inst, smaller ? tp_mk_ite(fb->tt, lt, a.t, b.t) : tp_mk_ite(fb->tt, lt, b.t, a.t),
              &a, &b);
}
static bool smin(tp_fb *fb, LLVMValueRef i) { return choose(fb, i, TP_OP_BV_SLT, true); }
static bool smax(tp_fb *fb, LLVMValueRef i) { return choose(fb, i, TP_OP_BV_SLT, false); }
static bool umin(tp_fb *fb, LLVMValueRef i) { return choose(fb, i, TP_OP_BV_ULT, true); }
static bool umax(tp_fb *fb, LLVMValueRef i) { return choose(fb, i, TP_OP_BV_ULT, false); }

static bool stackrestore(tp_fb *fb, LLVMValueRef inst) {
  tp_fb_end_arrays(fb, inst);
  return true;
}

// --------------------------------------------------------------------------- bits

static LLVMValueRef only_user(LLVMValueRef v) {
  LLVMUseRef use = LLVMGetFirstUse(v);
  return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

/* __builtin_ffs counts zeros, adds 1, and takes 0 instead if there was no bit: for it 0 is a good
 * argument. */
static bool is_in_ffs(LLVMValueRef inst) {
  LLVMValueRef sum = only_user(inst),
               choice = sum && LLVMIsABinaryOperator(sum) ? only_user(sum) : NULL;
  return choice && LLVMIsASelectInst(choice) && LLVMGetOperand(choice, 0) != sum;
}

/* First set bit from the top (or bottom): a chain from the far end, the nearest bit decides last.
 */
static bool count_zeros(tp_fb *fb, LLVMValueRef inst, bool from_top) {
  tp_terms *tt = fb->tt;
  tp_fe_value a;
  if (is_vector(inst)) return false;
  if (!operand(fb, inst, 0, &a)) return true;
  uint32_t w = tp_width(tt, a.t);
  if (is_constant_one(LLVMGetOperand(inst, 1)) && !is_in_ffs(inst))
    tp_fb_assume(fb, tp_mk_not(tt, tp_mk_eq(tt, a.t, tp_mk_bv(tt, w, 0))),
                 "count of leading or trailing zeros of 0");
  tp_term t = tp_mk_bv(tt, w, w);
  for (uint32_t i = 0; i < w; i++) {
    uint32_t bit = from_top ? i : w - 1 - i;
    tp_term set = tp_mk_eq(tt, tp_mk_extract(tt, bit, bit, a.t), tp_mk_bv(tt, 1, 1));
    t = tp_mk_ite(tt, set, tp_mk_bv(tt, w, from_top ? w - 1 - bit : bit), t);
  }
  return set1(fb, inst, t, &a, NULL);
}
static bool ctlz(tp_fb *fb, LLVMValueRef i) { return count_zeros(fb, i, true); }
static bool cttz(tp_fb *fb, LLVMValueRef i) { return count_zeros(fb, i, false); }

static bool ctpop(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value a;
  if (is_vector(inst)) return false;
  if (!operand(fb, inst, 0, &a)) return true;
  uint32_t w = tp_width(tt, a.t);
  tp_term sum = tp_mk_bv(tt, w, 0);
  for (uint32_t i = 0; i < w; i++)
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum, tp_mk_zext(tt, w, tp_mk_extract(tt, i, i, a.t)));
  return set1(fb, inst, sum, &a, NULL);
}

/* Pieces of `step` bits in the opposite order. */
static bool reverse(tp_fb *fb, LLVMValueRef inst, uint32_t step) {
  tp_terms *tt = fb->tt;
  tp_fe_value a;
  if (is_vector(inst)) return false;
  if (!operand(fb, inst, 0, &a)) return true;
  uint32_t w = tp_width(tt, a.t);
  tp_term t = TP_TERM_NONE;
  for (uint32_t i = 0; i + step <= w; i += step) {
    tp_term piece = tp_mk_extract(tt, i + step - 1, i, a.t);
    t = tp_term_is(t) ? tp_mk2(tt, TP_OP_BV_CONCAT, t, piece) : piece;
  }
  return set1(fb, inst, t, &a, NULL);
}
static bool bswap(tp_fb *fb, LLVMValueRef i) { return reverse(fb, i, 8); }
static bool bitreverse(tp_fb *fb, LLVMValueRef i) { return reverse(fb, i, 1); }

/* fshl(a, b, n): high half of (a:b) << (n mod w); fshr: low half of (a:b) >> (n mod w). */
static bool funnel(tp_fb *fb, LLVMValueRef inst, bool left) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b, n;
  if (is_vector(inst)) return false;
  if (!operand(fb, inst, 0, &a) || !operand(fb, inst, 1, &b) || !operand(fb, inst, 2, &n))
    return true;
  uint32_t w = tp_width(tt, a.t);
  tp_term width = tp_mk_bv(tt, w, w);
  tp_term by = tp_mk2(tt, TP_OP_BV_UREM, n.t, width), rest = tp_mk_sub(tt, width, by);
  tp_term hi = tp_mk2(tt, TP_OP_BV_SHL, a.t, left ? by : rest),
          lo = tp_mk2(tt, TP_OP_BV_LSHR, b.t, left ? rest : by);
  tp_term t = tp_mk_ite(tt, tp_mk_eq(tt, by, tp_mk_bv(tt, w, 0)), left ? a.t : b.t,
                        tp_mk2(tt, TP_OP_BV_OR, hi, lo));
  a.mask |= n.mask;
  a.reads_global |= n.reads_global;
  return set1(fb, inst, t, &a, &b);
}
static bool fshl(tp_fb *fb, LLVMValueRef i) { return funnel(fb, i, true); }
static bool fshr(tp_fb *fb, LLVMValueRef i) { return funnel(fb, i, false); }

static bool ptrmask(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value p, mask;
  if (!operand(fb, inst, 0, &p) || !operand(fb, inst, 1, &mask)) return true;
  tp_term cut =
      tp_mk2(tt, TP_OP_BV_AND, tp_mk1(tt, TP_OP_PTR_TO_INT, p.t), tp_mk1(tt, TP_OP_BV_NOT, mask.t));
  return set1(fb, inst, tp_mk_ptr_add(tt, p.t, tp_mk1(tt, TP_OP_BV_NEG, cut)), &p, &mask);
}

// ------------------------------------------------------------------------- floats

static bool is_float(tp_fb *fb, LLVMValueRef v) {
  tp_sort s;
  return tp_fe_sort(fb->fe, LLVMTypeOf(v), &s) && tp_sort_kind_of(fb->tt, s) == TP_SORT_FP;
}

typedef tp_term (*long_double_function)(tp_terms *tt, tp_term a);
static bool long_double1(tp_fb *fb, LLVMValueRef inst, long_double_function f) {
  tp_fe_value a;
  return !operand(fb, inst, 0, &a) || set1(fb, inst, f(fb->tt, a.t), &a, NULL);
}

static bool float1(tp_fb *fb, LLVMValueRef inst, tp_term_kind k) {
  tp_fe_value a;
  if (tp_fe_is_long_double(LLVMTypeOf(inst)))
    return long_double1(fb, inst, k == TP_OP_FP_ABS ? tp_x87_abs : tp_x87_sqrt);
  if (!is_float(fb, inst)) return false;
  return !operand(fb, inst, 0, &a) || set1(fb, inst, tp_mk1(fb->tt, k, a.t), &a, NULL);
}
static bool fabs_(tp_fb *fb, LLVMValueRef i) { return float1(fb, i, TP_OP_FP_ABS); }
static bool sqrt_(tp_fb *fb, LLVMValueRef i) { return float1(fb, i, TP_OP_FP_SQRT); }

static bool rounded(tp_fb *fb, LLVMValueRef inst, tp_round mode) {
  tp_fe_value a;
  const bool is_long = tp_fe_is_long_double(LLVMTypeOf(inst));
  if (!is_long && !is_float(fb, inst)) return false;
  if (!operand(fb, inst, 0, &a)) return true;
  tp_term t = is_long ? tp_x87_round(fb->tt, mode, a.t) : tp_mk_fp_round(fb->tt, mode, a.t);
  return set1(fb, inst, t, &a, NULL);
}
static bool ceil_(tp_fb *fb, LLVMValueRef i) { return rounded(fb, i, TP_ROUND_UP); }
static bool floor_(tp_fb *fb, LLVMValueRef i) { return rounded(fb, i, TP_ROUND_DOWN); }
static bool trunc_(tp_fb *fb, LLVMValueRef i) { return rounded(fb, i, TP_ROUND_TO_ZERO); }
static bool rint_(tp_fb *fb, LLVMValueRef i) { return rounded(fb, i, TP_ROUND_NEAREST_EVEN); }
static bool round_(tp_fb *fb, LLVMValueRef i) { return rounded(fb, i, TP_ROUND_NEAREST_AWAY); }

static tp_term is_zero_float(tp_terms *tt, bool is_long, tp_term a) {
  return is_long ? tp_x87_is_zero(tt, a)
                 : tp_mk2(tt, TP_OP_FP_EQ, a, tp_mk_fp(tt, tp_width(tt, a), 0));
}

/* fmin, fmax. Of zeros with different signs either may be the result: a guess, as in the model of
 * the library. */
static bool extremum(tp_fb *fb, LLVMValueRef inst, tp_term_kind k, const char *guess) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b;
  const bool is_long = tp_fe_is_long_double(LLVMTypeOf(inst));
  if (!is_long && !is_float(fb, inst)) return false;
  if (!operand(fb, inst, 0, &a) || !operand(fb, inst, 1, &b)) return true;
  tp_term t = is_long ? tp_fe_long_double_extremum(tt, k == TP_OP_FP_MAX, a.t, b.t)
                      : tp_mk2(tt, k, a.t, b.t);
  tp_term zeros = tp_mk_and(tt, is_zero_float(tt, is_long, a.t), is_zero_float(tt, is_long, b.t));
  tp_term open = tp_mk_and(tt, zeros, tp_mk_not(tt, tp_mk_eq(tt, a.t, b.t)));
  if (tp_is_false(tt, open)) return set1(fb, inst, t, &a, &b);
  tp_var v = tp_fb_temp(fb, tp_sort_of(tt, t), TP_TYPE_NONE),
         choice = tp_fb_temp(fb, tp_sort_bool(tt), TP_TYPE_NONE);
  tp_loc decided, join = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos});
  tp_fb_branch(fb, open, &decided);
  tp_fb_havoc(fb, choice, TP_I_ENVIRONMENT, guess, false);
  tp_fb_assign(fb, v, tp_mk_ite(tt, tp_var_of(fb->p, choice)->term, a.t, b.t));
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, decided);
  tp_fb_assign(fb, v, t);
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
  tp_fb_set(fb, inst, (tp_fe_value){.t = tp_var_of(fb->p, v)->term});
  return true;
}
static bool fmin_(tp_fb *fb, LLVMValueRef i) { return extremum(fb, i, TP_OP_FP_MIN, "~fmin"); }
static bool fmax_(tp_fb *fb, LLVMValueRef i) { return extremum(fb, i, TP_OP_FP_MAX, "~fmax"); }

static bool product_and_sum(tp_fb *fb, LLVMValueRef inst, bool fused) {
  tp_fe_value a, b, c;
  const bool is_long = tp_fe_is_long_double(LLVMTypeOf(inst));
  if (is_long ? fused : !is_float(fb, inst)) return false;
  if (!operand(fb, inst, 0, &a) || !operand(fb, inst, 1, &b) || !operand(fb, inst, 2, &c))
    return true;
  a.mask |= c.mask;
  a.reads_global |= c.reads_global;
  if (is_long) {
    tp_term product = tp_x87_apply(fb->tt, TP_X87_MUL, a.t, b.t);
    return set1(fb, inst, tp_x87_apply(fb->tt, TP_X87_ADD, product, c.t), &a, &b);
  }
  tp_term t = fused ? tp_mk3(fb->tt, TP_OP_FP_FMA, a.t, b.t, c.t)
                    : tp_mk2(fb->tt, TP_OP_FP_ADD, tp_mk2(fb->tt, TP_OP_FP_MUL, a.t, b.t), c.t);
  return set1(fb, inst, t, &a, &b);
}
static bool fma_(tp_fb *fb, LLVMValueRef i) { return product_and_sum(fb, i, true); }
/* May be fused if the machine can; the machines of the two data models need not. */
static bool fmuladd_(tp_fb *fb, LLVMValueRef i) { return product_and_sum(fb, i, false); }

static bool copysign_(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value a, b;
  const bool is_long = tp_fe_is_long_double(LLVMTypeOf(inst));
  if (!is_long && !is_float(fb, inst)) return false;
  if (!operand(fb, inst, 0, &a) || !operand(fb, inst, 1, &b)) return true;
  uint32_t w = tp_width(tt, a.t);
  tp_term x = is_long ? a.t : tp_mk1(tt, TP_OP_FP_TO_BITS, a.t),
          y = is_long ? b.t : tp_mk1(tt, TP_OP_FP_TO_BITS, b.t);
  tp_term bits = tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_extract(tt, w - 1, w - 1, y),
                        tp_mk_extract(tt, w - 2, 0, x));
  return set1(fb, inst, is_long ? bits : tp_mk1(tt, TP_OP_FP_OF_BITS, bits), &a, &b);
}

/* In the order of is.fpclass: infinite, normal, subnormal, zero. */
static void float_classes(tp_terms *tt, tp_term a, tp_term out[4]) {
  const uint32_t w = tp_width(tt, a);
  uint64_t smallest_normal = w == 32 ? UINT64_C(1) << 23 : UINT64_C(1) << 52;
  tp_term nan = tp_mk1(tt, TP_OP_FP_IS_NAN, a);
  tp_term small =
      tp_mk2(tt, TP_OP_FP_LT, tp_mk1(tt, TP_OP_FP_ABS, a), tp_mk_fp(tt, w, smallest_normal));
  out[0] = tp_mk1(tt, TP_OP_FP_IS_INF, a);
  out[3] = is_zero_float(tt, false, a);
  out[2] = tp_mk_and(tt, small, tp_mk_not(tt, out[3]));
  out[1] = tp_mk_not(tt, tp_mk_or(tt, tp_mk_or(tt, nan, out[0]), small));
}

/* is.fpclass(x, mask): bits 0..9 of the mask are signalling NaN, quiet NaN, then -inf, -normal,
 * -subnormal, -0 and +0, +subnormal, +normal, +inf. All NaNs count as quiet. */
static bool is_fpclass(tp_fb *fb, LLVMValueRef inst) {
  tp_terms *tt = fb->tt;
  tp_fe_value a;
  LLVMValueRef m = LLVMGetOperand(inst, 1);
  const bool is_long = tp_fe_is_long_double(LLVMTypeOf(LLVMGetOperand(inst, 0)));
  if ((!is_long && !is_float(fb, LLVMGetOperand(inst, 0))) || !LLVMIsAConstantInt(m)) return false;
  if (!operand(fb, inst, 0, &a)) return true;
  uint64_t mask = LLVMConstIntGetZExtValue(m);
  uint32_t w = tp_width(tt, a.t);
  tp_term nan = is_long ? tp_x87_is_nan(tt, a.t) : tp_mk1(tt, TP_OP_FP_IS_NAN, a.t), kinds[4];
  if (is_long)
    tp_fe_long_double_classes(tt, a.t, kinds);
  else
    float_classes(tt, a.t, kinds);
  tp_term bits = is_long ? a.t : tp_mk1(tt, TP_OP_FP_TO_BITS, a.t);
  tp_term sign = tp_mk_extract(tt, w - 1, w - 1, bits);
  tp_term negative = tp_mk_eq(tt, sign, tp_mk_bv(tt, 1, 1)), positive = tp_mk_not(tt, negative);
  tp_term t = (mask & 2) ? nan : tp_mk_false(tt);
  for (uint32_t i = 0; i < 4; i++) {
    bool minus = mask >> (2 + i) & 1, plus = mask >> (9 - i) & 1;
    if (minus && plus)
      t = tp_mk_or(tt, t, kinds[i]);
    else if (minus || plus)
      t = tp_mk_or(tt, t, tp_mk_and(tt, kinds[i], minus ? negative : positive));
  }
  return set1(fb, inst, t, &a, NULL);
}

// -------------------------------------------------------------------- program flow

/* clang notes the alignment of what these return: no promise of the program. */
static bool is_aligned_allocation(LLVMValueRef p) {
  LLVMValueRef callee = LLVMIsACallInst(p) ? LLVMGetCalledValue(p) : NULL;
  size_t n;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
  return strcmp(name, "aligned_alloc") == 0 || strcmp(name, "memalign") == 0;
}

/* "align"(pointer, alignment [, offset]): pointer - offset is a multiple of the alignment. */
static void rely_on_alignment(tp_fb *fb, LLVMOperandBundleRef bundle) {
  tp_terms *tt = fb->tt;
  tp_fe_value p, align, offset = {.t = tp_fe_size_term(fb->fe, 0)};
  const uint32_t n = LLVMGetNumOperandBundleArgs(bundle);
  if (is_aligned_allocation(LLVMGetOperandBundleArgAtIndex(bundle, 0))) return;
  if (!tp_fb_get(fb, LLVMGetOperandBundleArgAtIndex(bundle, 0), &p) ||
      !tp_fb_get(fb, LLVMGetOperandBundleArgAtIndex(bundle, 1), &align))
    return;
  if (n > 2 && !tp_fb_get(fb, LLVMGetOperandBundleArgAtIndex(bundle, 2), &offset)) return;
  tp_term address = tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_TO_INT, p.t),
                              tp_mk_resize(tt, fb->fe->ptr_bits, true, offset.t));
  tp_term unit = tp_mk_resize(tt, fb->fe->ptr_bits, false, align.t);
  tp_term low = tp_mk2(tt, TP_OP_BV_AND, address, tp_mk_sub(tt, unit, tp_fe_size_term(fb->fe, 1)));
  tp_fb_rely_on(fb, tp_mk_eq(tt, low, tp_fe_size_term(fb->fe, 0)), "wrong __builtin_assume_aligned",
                "pointer without the alignment that __builtin_assume_aligned states");
}

/* What the program promises to the compiler: a condition, or the alignment of a pointer. */
static bool assume(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value c;
  const unsigned n = LLVMGetNumOperandBundles(inst);
  for (unsigned i = 0; i < n; i++) {
    LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(inst, i);
    size_t length;
    const char *tag = LLVMGetOperandBundleTag(bundle, &length);
    const bool is_align = length == strlen("align") && strncmp(tag, "align", length) == 0;
    if (is_align) rely_on_alignment(fb, bundle);
    LLVMDisposeOperandBundle(bundle);
    if (!is_align) return false;
  }
  if (operand(fb, inst, 0, &c))
    tp_fb_rely_on(fb, c.t, "wrong __builtin_assume",
                  "the condition of __builtin_assume does not hold");
  return true;
}

static bool trap(tp_fb *fb, LLVMValueRef inst) {
  (void)inst;
  tp_fb_block(fb, "the program traps");
  return true;
}

static bool ubsantrap(tp_fb *fb, LLVMValueRef inst) {
  const char *message;
  tp_property kind = tp_fe_trap_kind(fb->fe, inst, &message);
  if (kind != TP_P_NONE)
    tp_fb_error_here(fb, kind, message);
  else
    tp_fb_block(fb, message);
  return true;
}

static bool constant_zero(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value v;
  return tp_fe_zero(fb->fe, LLVMTypeOf(inst), &v) && (tp_fb_set(fb, inst, v), true);
}

static bool one(tp_fb *fb, LLVMValueRef inst) {
  return set1(fb, inst, tp_mk_bv(fb->tt, LLVMGetIntTypeWidth(LLVMTypeOf(inst)), 1), NULL, NULL);
}

/* objectsize(p, is_minimum, ...): unknown. */
static bool objectsize(tp_fb *fb, LLVMValueRef inst) {
  uint32_t w = LLVMGetIntTypeWidth(LLVMTypeOf(inst));
  int64_t value = is_constant_one(LLVMGetOperand(inst, 1)) ? 0 : -1;
  return set1(fb, inst, tp_mk_bv_signed(fb->tt, w, value), NULL, NULL);
}

// -------------------------------------------------------------- variable arguments

/* va_start: on lp64 both register counts say "used up", so va_arg takes everything from the memory
 * area. */
static bool va_start_(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value list;
  if (!operand(fb, inst, 0, &list)) return true;
  if (!fb->va.id) return false;
  list.pointee = TP_TYPE_NONE;
  tp_term area = tp_var_of(fb->p, fb->va)->term;
  if (fb->fe->ptr_bits == 32) {
    tp_fb_store_at(fb, list, 0, area);
    return true;
  }
  tp_fb_store_at(fb, list, 0, tp_mk_bv(fb->tt, 32, 48));
  tp_fb_store_at(fb, list, 4, tp_mk_bv(fb->tt, 32, 176));
  tp_fb_store_at(fb, list, 8, area);
  tp_fb_store_at(fb, list, 16, tp_mk_null(fb->tt));
  return true;
}

static bool va_copy_(tp_fb *fb, LLVMValueRef inst) {
  tp_fe_value to, from;
  if (!operand(fb, inst, 0, &to) || !operand(fb, inst, 1, &from)) return true;
  tp_term n = tp_fe_size_term(fb->fe, fb->fe->ptr_bits == 32 ? 4 : 24);
  tp_fb_check_access(fb, from.t, n, TP_FRONT_READ);
  tp_fb_check_access(fb, to.t, n, TP_FRONT_WRITE);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_COPY, .a = to.t, .b = from.t, .c = n});
  return true;
}

// -------------------------------------------------------------------------- table

static const struct {
  const char *prefix;  // behind "llvm."; sorted, longest first where one starts another
  lower_fn lower;
} table[] = {{"abs.", absolute},
             {"assume", assume},
             {"bitreverse.", bitreverse},
             {"bswap.", bswap},
             {"ceil.", ceil_},
             {"copysign.", copysign_},
             {"ctlz.", ctlz},
             {"ctpop.", ctpop},
             {"cttz.", cttz},
             {"dbg.declare", declare},
             {"dbg.", nothing},
             {"debugtrap", trap},
             {"donothing", nothing},
             {"expect.", first_operand},
             {"fabs.", fabs_},
             {"floor.", floor_},
             {"fma.", fma_},
             {"fmuladd.", fmuladd_},
             {"fshl.", fshl},
             {"fshr.", fshr},
             {"get.rounding", one},
             {"is.constant.", constant_zero},
             {"is.fpclass.", is_fpclass},
             {"launder.invariant", first_operand},
             {"lifetime.", declare},
             {"maxnum.", fmax_},
             {"memcpy.", copy_apart},
             {"memmove.", copy},
             {"memset.", fill},
             {"minnum.", fmin_},
             {"nearbyint.", rint_},
             {"objectsize.", objectsize},
             {"prefetch", nothing},
             {"ptrmask.", ptrmask},
             {"rint.", rint_},
             {"round.", round_},
             {"roundeven.", rint_},
             {"sadd.with.overflow", sadd},
             {"smax.", smax},
             {"smin.", smin},
             {"smul.with.overflow", smul},
             {"sqrt.", sqrt_},
             {"ssub.with.overflow", ssub},
             {"stackrestore", stackrestore},
             {"stacksave", constant_zero},
             {"strip.invariant", first_operand},
             {"threadlocal.address", first_operand},
             {"trap", trap},
             {"trunc.", trunc_},
             {"uadd.with.overflow", uadd},
             {"ubsantrap", ubsantrap},
             {"umax.", umax},
             {"umin.", umin},
             {"umul.with.overflow", umul},
             {"usub.with.overflow", usub},
             {"va_copy", va_copy_},
             {"va_end", nothing},
             {"va_start", va_start_},
             {"var.annotation", nothing}};

bool tp_fb_lower_intrinsic(tp_fb *fb, LLVMValueRef inst, const char *name) {
  TP_REQUIRE(tp_fe_starts_with(name, "llvm."));
  name += strlen("llvm.");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strncmp(name, table[i].prefix, strlen(table[i].prefix)) == 0)
      return table[i].lower(fb, inst);
  return false;
}

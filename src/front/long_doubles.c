/* long double, where it is the x87's extended precision.
 *
 * A value is a bit vector of 80 bits, operations are terms over it (term/x87.h): engines, solvers
 * and the checker of proofs see nothing new. In memory it takes ten bytes, written and read as 8
 * and 2, of the 16 (ilp32: 12) that the type has; the others are padding, which no store touches.
 * An access must have room for all of them. Fused products, remainders as an instruction and
 * vectors are not modelled. */
#include "front/front_priv.h"

#include "term/x87.h"

// --------------------------------------------------------------------- operations

tp_term tp_fe_long_double_binary(tp_terms *tt, LLVMOpcode op, tp_term a, tp_term b) {
  switch ((int)op) {
    case LLVMFAdd: return tp_x87_apply(tt, TP_X87_ADD, a, b);
    case LLVMFSub: return tp_x87_apply(tt, TP_X87_SUB, a, b);
    case LLVMFMul: return tp_x87_apply(tt, TP_X87_MUL, a, b);
    case LLVMFDiv: return tp_x87_apply(tt, TP_X87_DIV, a, b);
    default: return TP_TERM_NONE;
  }
}

tp_term tp_fe_long_double_compare(tp_terms *tt, LLVMRealPredicate p, tp_term a, tp_term b) {
  tp_term none = tp_mk_or(tt, tp_x87_is_nan(tt, a), tp_x87_is_nan(tt, b)),
          equal = tp_x87_eq(tt, a, b), less = tp_x87_less(tt, a, b), more = tp_x87_less(tt, b, a);
  switch (p) {
    case LLVMRealPredicateFalse: return tp_mk_false(tt);
    case LLVMRealOEQ: return equal;
    case LLVMRealOGT: return more;
    case LLVMRealOGE: return tp_mk_or(tt, more, equal);
    case LLVMRealOLT: return less;
    case LLVMRealOLE: return tp_mk_or(tt, less, equal);
    case LLVMRealONE: return tp_mk_or(tt, less, more);
    case LLVMRealORD: return tp_mk_not(tt, none);
    case LLVMRealUNO: return none;
    case LLVMRealUEQ: return tp_mk_or(tt, none, equal);
    case LLVMRealUGT: return tp_mk_or(tt, none, more);
    case LLVMRealUGE: return tp_mk_or(tt, none, tp_mk_or(tt, more, equal));
    case LLVMRealULT: return tp_mk_or(tt, none, less);
    case LLVMRealULE: return tp_mk_or(tt, none, tp_mk_or(tt, less, equal));
    case LLVMRealUNE: return tp_mk_not(tt, equal);
    case LLVMRealPredicateTrue: return tp_mk_true(tt);
  }
  return TP_TERM_NONE;
}

/* Conversion to the other type; where an integer comes out, *fits says when it has a meaning. */
static tp_term from_long_double(tp_terms *tt, LLVMOpcode op, tp_term t, tp_sort to, tp_term *fits) {
  const uint32_t width = tp_sort_width(tt, to);
  const bool is_signed = op == LLVMFPToSI;
  switch ((int)op) {
    case LLVMFPTrunc: return tp_x87_to_fp(tt, width, t);
    case LLVMFPToSI:
    case LLVMFPToUI: {
      const bool to_bool = tp_sort_kind_of(tt, to) == TP_SORT_BOOL;
      const uint32_t n = to_bool ? 8 : width;
      *fits = tp_x87_in_range(tt, n, is_signed, t);
      tp_term value = tp_x87_to_int(tt, n, t);
      return to_bool ? tp_fe_to_bool(tt, value) : value;
    }
    case LLVMBitCast: return width == TP_X87_BITS ? t : TP_TERM_NONE;
    default: return TP_TERM_NONE;
  }
}

tp_term tp_fe_long_double_convert(tp_terms *tt, LLVMValueRef inst, tp_term t, tp_sort to,
                                  tp_term *fits) {
  const LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  const bool is_bool = tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
  *fits = tp_mk_true(tt);
  if (tp_fe_is_long_double(LLVMTypeOf(LLVMGetOperand(inst, 0))))
    return from_long_double(tt, op, t, to, fits);
  switch ((int)op) {
    case LLVMFPExt: return tp_x87_of_fp(tt, t);
    case LLVMSIToFP:
    case LLVMUIToFP:
      // a signed number of one bit is -1 where it is not 0
      if (is_bool) t = tp_mk_bool_to_bv(tt, op == LLVMSIToFP ? 1 : 8, t);
      return tp_x87_of_int(tt, op == LLVMSIToFP, t);
    case LLVMBitCast: return tp_width(tt, t) == TP_X87_BITS ? t : TP_TERM_NONE;
    default: return TP_TERM_NONE;
  }
}

// ------------------------------------------------------------------------- classes

static tp_term signalling(tp_terms *tt, tp_term a) {
  tp_term quiet = tp_mk_eq(tt, tp_mk_extract(tt, 62, 62, a), tp_mk_bv(tt, 1, 1));
  return tp_mk_and(tt, tp_x87_is_nan(tt, a), tp_mk_not(tt, quiet));
}

/* glibc: a NaN does not count, unless it is a signalling one. Of zeros either may be the result:
 * that is the caller's. */
tp_term tp_fe_long_double_extremum(tp_terms *tt, bool is_max, tp_term a, tp_term b) {
  tp_term first = is_max ? tp_x87_less(tt, b, a) : tp_x87_less(tt, a, b);
  tp_term t = tp_mk_ite(tt, tp_mk_or(tt, first, tp_x87_is_nan(tt, b)), a, b);
  t = tp_mk_ite(tt, tp_x87_is_nan(tt, a), b, t);
  return tp_mk_ite(tt, tp_mk_or(tt, signalling(tt, a), signalling(tt, b)),
                   tp_x87_apply(tt, TP_X87_ADD, a, b), t);
}

/* In the order of is.fpclass: infinite, normal, subnormal, zero. */
void tp_fe_long_double_classes(tp_terms *tt, tp_term a, tp_term out[4]) {
  out[0] = tp_x87_is_inf(tt, a);
  out[2] = tp_x87_is_subnormal(tt, a);
  out[3] = tp_x87_is_zero(tt, a);
  tp_term special = tp_mk_or(tt, out[0], tp_x87_is_nan(tt, a));
  out[1] = tp_mk_not(tt, tp_mk_or(tt, special, tp_mk_or(tt, out[2], out[3])));
}

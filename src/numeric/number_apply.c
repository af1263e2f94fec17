/* Which operator a kind of term is, forward and backward. Every kind is listed; those of other
 * theories say no. */
#include "numeric/number.h"

static bool has_numbers(const tp_terms *tt, tp_term t) {
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
    tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i)));
    if (k != TP_SORT_BOOL && k != TP_SORT_BV && k != TP_SORT_FP) return false;
  }
  return true;
}

static tp_number choose(const tp_number *args) {
  if (!tp_interval_contains(&args[0].bits, 0)) return args[1];
  if (!tp_interval_contains(&args[0].bits, 1)) return args[2];
  return tp_number_join(&args[1], &args[2]);
}

bool tp_number_apply(const tp_terms *tt, tp_term t, const tp_number *args, tp_number *out) {
  const tp_term_kind k = tp_kind(tt, t);
  const uint32_t w = tp_width(tt, t);
  if (!has_numbers(tt, t)) return false;
  tp_interval bits = tp_interval_none(w);
  switch (k) {
    case TP_OP_TRUE:
    case TP_OP_FALSE:
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST: return tp_number_constant(tt, t, out);
    case TP_OP_NOT: bits = tp_interval_unary(TP_OP_BV_NOT, &args[0].bits); break;
    case TP_OP_BV_NEG:
    case TP_OP_BV_NOT: bits = tp_interval_unary(k, &args[0].bits); break;
    case TP_OP_AND:
    case TP_OP_OR:
    case TP_OP_XOR:
    case TP_OP_BV_ADD:
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
    case TP_OP_BV_CONCAT: bits = tp_interval_binary(k, &args[0].bits, &args[1].bits); break;
    case TP_OP_EQ:
      bits = args[0].is_float ? tp_float_range_compare(k, &args[0].real, &args[1].real)
                              : tp_interval_compare(k, &args[0].bits, &args[1].bits);
      break;
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: bits = tp_interval_compare(k, &args[0].bits, &args[1].bits); break;
    case TP_OP_ITE: *out = choose(args); return true;
    case TP_OP_BV_EXTRACT:
      bits = tp_interval_extract(tp_extract_hi(tt, t), tp_extract_lo(tt, t), &args[0].bits);
      break;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: bits = tp_interval_extend(w, k == TP_OP_BV_SEXT, &args[0].bits); break;
    case TP_OP_FP_ADD:
    case TP_OP_FP_SUB:
    case TP_OP_FP_MUL:
    case TP_OP_FP_DIV:
    case TP_OP_FP_REM:
    case TP_OP_FP_NEG:
    case TP_OP_FP_ABS:
    case TP_OP_FP_SQRT:
    case TP_OP_FP_FMA:
    case TP_OP_FP_MIN:
    case TP_OP_FP_MAX:
    case TP_OP_FP_ROUND: {
      tp_float_range x[3];
      for (uint32_t i = 0; i < tp_n_args(tt, t); i++) x[i] = args[i].real;
      *out = tp_number_of_float(
          tp_float_range_apply(k, k == TP_OP_FP_ROUND ? tp_round_of(tt, t) : 0, x));
      return true;
    }
    case TP_OP_FP_EQ:
    case TP_OP_FP_LT:
    case TP_OP_FP_LE: bits = tp_float_range_compare(k, &args[0].real, &args[1].real); break;
    case TP_OP_FP_IS_NAN:
    case TP_OP_FP_IS_INF: bits = tp_float_range_test(k, &args[0].real); break;
    case TP_OP_FP_OF_BITS:
      *out = tp_number_of_float(tp_float_range_of_bits(&args[0].bits));
      return true;
    case TP_OP_FP_TO_BITS: bits = tp_float_range_to_bits(&args[0].real); break;
    case TP_OP_FP_OF_FP:
      *out = tp_number_of_float(tp_float_range_convert(w, &args[0].real));
      return true;
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV:
      *out = tp_number_of_float(tp_float_range_of_interval(w, k == TP_OP_FP_OF_SBV, &args[0].bits));
      return true;
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV:
      bits = tp_float_range_to_interval(w, k == TP_OP_FP_TO_SBV, &args[0].real);
      break;
    case TP_OP_PTR_CONST:
    case TP_OP_INT_CONST:
    case TP_OP_VAR:
    case TP_OP_BOUND:
    case TP_OP_PTR_MK:
    case TP_OP_PTR_OBJ:
    case TP_OP_PTR_OFF:
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_TO_INT:
    case TP_OP_INT_TO_PTR:
    case TP_OP_SELECT:
    case TP_OP_STORE:
    case TP_OP_CONST_ARRAY:
    case TP_OP_INT_ADD:
    case TP_OP_INT_MUL:
    case TP_OP_INT_LE:
    case TP_OP_INT_LT:
    case TP_OP_INT_OF_SBV:
    case TP_OP_INT_OF_UBV:
    case TP_OP_FORALL:
    case TP_OP_EXISTS:
    case TP_N_OPS: return false;
  }
  *out = tp_number_of_interval(bits);
  return true;
}

// ------------------------------------------------------------------- backward

/* The condition is decided if only one of the branches can give the result; a decided one passes it
 * on. */
static bool refine_choice(const tp_number *result, tp_number *args) {
  tp_number yes = tp_number_meet(&args[1], result), no = tp_number_meet(&args[2], result);
  tp_interval may = tp_interval_bool(!tp_number_is_none(&no), !tp_number_is_none(&yes));
  args[0].bits = tp_interval_meet(&args[0].bits, &may);
  tp_u128 v;
  if (tp_interval_is_none(&args[0].bits)) return false;
  if (tp_interval_is_constant(&args[0].bits, &v)) args[v ? 1 : 2] = v ? yes : no;
  return true;
}

static bool refine_bits(const tp_terms *tt, tp_term t, const tp_interval *r, tp_number *args) {
  const tp_term_kind k = tp_kind(tt, t);
  tp_interval *a = &args[0].bits, *b = &args[1].bits;
  switch ((int)k) {
    case TP_OP_NOT: return tp_interval_refine_unary(TP_OP_BV_NOT, r, a);
    case TP_OP_BV_NEG:
    case TP_OP_BV_NOT: return tp_interval_refine_unary(k, r, a);
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: return tp_interval_refine_compare(k, r, a, b);
    case TP_OP_BV_EXTRACT:
      return tp_interval_refine_extract(tp_extract_hi(tt, t), tp_extract_lo(tt, t), r, a);
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return tp_interval_refine_extend(k == TP_OP_BV_SEXT, r, a);
    default: return tp_n_args(tt, t) != 2 || tp_interval_refine_binary(k, r, a, b);
  }
}

bool tp_number_refine(const tp_terms *tt, tp_term t, const tp_number *result, tp_number *args) {
  const tp_term_kind k = tp_kind(tt, t);
  tp_number forward;
  if (!tp_number_apply(tt, t, args, &forward)) return true;
  forward = tp_number_meet(&forward, result);
  if (tp_number_is_none(&forward)) return false;
  switch ((int)k) {
    case TP_OP_ITE: return refine_choice(result, args);
    case TP_OP_EQ:
      return args[0].is_float
                 ? tp_float_range_refine_compare(k, &result->bits, &args[0].real, &args[1].real)
                 : tp_interval_refine_compare(k, &result->bits, &args[0].bits, &args[1].bits);
    case TP_OP_FP_EQ:
    case TP_OP_FP_LT:
    case TP_OP_FP_LE:
      return tp_float_range_refine_compare(k, &result->bits, &args[0].real, &args[1].real);
    case TP_OP_FP_IS_NAN:
    case TP_OP_FP_IS_INF: return tp_float_range_refine_test(k, &result->bits, &args[0].real);
    case TP_OP_FP_NEG:
    case TP_OP_FP_ABS: return tp_float_range_refine_sign(k, &result->real, &args[0].real);
    case TP_OP_FP_OF_FP: return tp_float_range_refine_convert(&result->real, &args[0].real);
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV:
      return tp_float_range_refine_of_interval(k == TP_OP_FP_OF_SBV, &result->real, &args[0].bits);
    case TP_OP_FP_OF_BITS: {
      tp_interval bits = tp_float_range_to_bits(&result->real);
      args[0].bits = tp_interval_meet(&args[0].bits, &bits);
      return !tp_interval_is_none(&args[0].bits);
    }
    default: return args[0].is_float || result->is_float || refine_bits(tt, t, &result->bits, args);
  }
}

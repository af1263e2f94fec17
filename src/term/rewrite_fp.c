/* Rules for floats: few, because few laws hold. */
#include "term/rewrite.h"

static tp_term no_nan(tp_terms *tt, tp_term x) {
  return tp_mk_not(tt, tp_mk1(tt, TP_OP_FP_IS_NAN, x));
}

/* match: (FP_NEG (FP_NEG x))  result: x          match: (FP_ABS (FP_NEG x))  result: (FP_ABS x)
 * match: (FP_ABS (FP_ABS x))  result: (FP_ABS x) match: (FP_OF_BITS (FP_TO_BITS x))  result: x
 * match: (FP_TO_BITS (FP_OF_BITS x))  result: x  match: (FP_OF_FP x)  result: x   if: same width
 * match: (FP_EQ x x)  result: (NOT (FP_IS_NAN x));  FP_LE alike
 * match: (FP_LT x x)  result: false
 * match: (FP_IS_NAN (FP_OF_SBV x))  result: false; FP_OF_UBV alike
 * match: (FP_IS_NAN (FP_NEG x))     result: (FP_IS_NAN x); FP_ABS, FP_OF_FP, FP_ROUND alike */
tp_term tp_rw_fp(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k >= TP_OP_FP_ADD && ap->k <= TP_OP_FP_TO_UBV);
  const tp_term x = ap->a;
  const tp_term_kind inner = tp_k(tt, x);
  const tp_term under = tp_a(tt, x, 0);
  switch ((int)ap->k) {
    case TP_OP_FP_NEG: return inner == TP_OP_FP_NEG ? under : TP_TERM_NONE;
    case TP_OP_FP_ABS:
      if (inner == TP_OP_FP_ABS) return x;
      return inner == TP_OP_FP_NEG ? tp_mk1(tt, TP_OP_FP_ABS, under) : TP_TERM_NONE;
    case TP_OP_FP_OF_BITS: return inner == TP_OP_FP_TO_BITS ? under : TP_TERM_NONE;
    case TP_OP_FP_TO_BITS: return inner == TP_OP_FP_OF_BITS ? under : TP_TERM_NONE;
    case TP_OP_FP_OF_FP: return tp_s(tt, x).id == ap->sort.id ? x : TP_TERM_NONE;
    case TP_OP_FP_EQ:
    case TP_OP_FP_LE: return x.id == ap->b.id ? no_nan(tt, x) : TP_TERM_NONE;
    case TP_OP_FP_LT: return x.id == ap->b.id ? TP_FALSE : TP_TERM_NONE;
    case TP_OP_FP_IS_NAN:
      if (inner == TP_OP_FP_OF_SBV || inner == TP_OP_FP_OF_UBV) return TP_FALSE;
      if (inner == TP_OP_FP_NEG || inner == TP_OP_FP_ABS || inner == TP_OP_FP_OF_FP ||
          inner == TP_OP_FP_ROUND)
        return tp_mk1(tt, TP_OP_FP_IS_NAN, under);
      return TP_TERM_NONE;
    default: return TP_TERM_NONE;
  }
}

/* factor * extended(index + k) + rest = 0 as index = -rest / factor - k. */
#include "blocks/solve_index.h"

#include "smt/radix.h"
#include "term/rewrite.h"

bool tp_solve_index(tp_terms *tt, tp_term equation, tp_term index, tp_term *out) {
  const tp_term a = tp_arg(tt, equation, 0);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, a)) != TP_SORT_BV || tp_width(tt, a) > 64) return false;
  tp_linear l, inner, rest;
  const uint32_t width = tp_width(tt, a);
  int64_t factor = 0;
  tp_term extended = TP_TERM_NONE;
  tp_linear_init(&l, width);
  tp_linear_init(&rest, width);
  if (!tp_linear_add(tt, &l, tp_mk_sub(tt, a, tp_arg(tt, equation, 1)), 1)) return false;
  for (uint32_t i = 0; i < l.n; i++)
    if (tp_occurs(tt, index, l.m[i].base)) {
      if (factor) return false;
      factor = (int64_t)((uint64_t)l.m[i].coefficient << (64 - width)) >> (64 - width);
      extended = l.m[i].base;
    }
  if (factor == 0 || factor == INT64_MIN) return false;
  for (uint32_t i = 0; i < l.n; i++) {
    const int64_t c = (int64_t)((uint64_t)l.m[i].coefficient << (64 - width)) >> (64 - width);
    if (tp_term_eq(l.m[i].base, extended)) continue;
    if (c % factor != 0 ||
        !tp_linear_add(tt, &rest, l.m[i].base, (tp_u128)(uint64_t)(-(c / factor))))
      return false;
  }
  const int64_t k = (int64_t)((uint64_t)l.constant << (64 - width)) >> (64 - width);
  if (k % factor != 0) return false;
  tp_term value = tp_mk2(tt, TP_OP_BV_ADD, tp_linear_term(tt, &rest),
                         tp_mk_bv_signed(tt, width, -(k / factor)));
  const tp_term_kind kind = tp_kind(tt, extended);
  if (kind == TP_OP_BV_SEXT || kind == TP_OP_BV_ZEXT) extended = tp_arg(tt, extended, 0);
  const uint32_t narrow = tp_width(tt, extended);
  tp_linear_init(&inner, narrow);
  if (!tp_linear_add(tt, &inner, extended, 1) || inner.n != 1 ||
      !tp_term_eq(inner.m[0].base, index) || inner.m[0].coefficient != 1)
    return false;
  const tp_term_kind of_value = tp_kind(tt, value);
  if ((of_value == TP_OP_BV_SEXT || of_value == TP_OP_BV_ZEXT) &&
      tp_width(tt, tp_arg(tt, value, 0)) == narrow)
    value = tp_arg(tt, value, 0);
  *out = tp_mk_sub(tt, tp_mk_trunc(tt, narrow, value), tp_mk_bv(tt, narrow, inner.constant));
  return true;
}

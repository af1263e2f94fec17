/* Bounds of variables from a formula: its conjuncts that compare a variable with a constant. */
#include "cpa/facts/facts_priv.h"

static int64_t signed_of(uint64_t v, uint32_t width) {
  return width < 64 && v >> (width - 1) ? (int64_t)(v | ~0ull << width) : (int64_t)v;
}

static tp_range everything(uint32_t width) {
  uint64_t most = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  int64_t high = width == 64 ? INT64_MAX : (int64_t)(most >> 1);
  return (tp_range){false, 0, most, -high - 1, high};
}

static void align(tp_range *r, uint32_t width) {
  const uint64_t half = (uint64_t)1 << (width - 1);
  bool same_sign = r->smin >= 0 || r->smax < 0;
  if (same_sign) {  // then order is the same in both readings
    const uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1,
                   low = (uint64_t)r->smin & mask, high = (uint64_t)r->smax & mask;
    if (low > r->umin) r->umin = low;
    if (high < r->umax) r->umax = high;
  }
  if (r->umax < half || r->umin >= half) {
    int64_t low = signed_of(r->umin, width), high = signed_of(r->umax, width);
    if (low > r->smin) r->smin = low;
    if (high < r->smax) r->smax = high;
  }
}

static tp_imported_bounds *entry_of(tp_imported_bounds_list *list, tp_term var, uint32_t width) {
  for (size_t i = 0; i < list->n; i++)
    if (tp_term_eq(list->at[i].var, var)) return &list->at[i];
  tp_vec_push(list, (tp_imported_bounds){var, everything(width)});
  return &tp_vec_last(list);
}

static bool is_empty(const tp_range *r) { return r->umin > r->umax || r->smin > r->smax; }

/* Bounds in one reading often imply bounds in the other, in both directions. */
static bool normalise(tp_range *r, uint32_t width) {
  for (int i = 0; i < 2 && !is_empty(r); i++) align(r, width);
  return !is_empty(r);
}

/* x is at most (is_upper) or at least c; strictly: less or more. */
static bool bound_unsigned(tp_range *r, bool is_upper, bool is_strict, uint64_t c) {
  if (is_strict && c == (is_upper ? 0 : UINT64_MAX)) return false;
  if (is_upper && c - is_strict < r->umax) r->umax = c - is_strict;
  if (!is_upper && c + is_strict > r->umin) r->umin = c + is_strict;
  return true;
}

static bool bound_signed(tp_range *r, bool is_upper, bool is_strict, int64_t c) {
  if (is_strict && c == (is_upper ? INT64_MIN : INT64_MAX)) return false;
  if (is_upper && c - is_strict < r->smax) r->smax = c - is_strict;
  if (!is_upper && c + is_strict > r->smin) r->smin = c + is_strict;
  return true;
}

/* x != c: changes bounds at their ends only. */
static bool exclude(tp_range *r, uint64_t c, int64_t s) {
  if (r->umin == r->umax && r->umin == c) return false;
  if (r->umin == c) r->umin++;
  if (r->umax == c) r->umax--;
  if (r->smin == r->smax && r->smin == s) return false;
  if (r->smin == s) r->smin++;
  if (r->smax == s) r->smax--;
  return true;
}

/* What x OP y says if one side is a variable and the other a constant; holds: or its negation.
 * False: no value is left. */
static bool restrict_bounds(const tp_terms *tt, tp_term t, bool holds,
                            tp_imported_bounds_list *list) {
  tp_term_kind k = tp_kind(tt, t);
  bool is_unsigned = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE,
       is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  if (!is_unsigned && !is_signed && k != TP_OP_EQ) return true;
  tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  bool flip = tp_kind(tt, b) == TP_OP_VAR;
  tp_term var = flip ? b : a, other = flip ? a : b;
  uint64_t c;
  if (tp_kind(tt, var) != TP_OP_VAR || tp_kind(tt, other) != TP_OP_BV_CONST ||
      tp_width(tt, var) > 64 || !tp_bv_value_u64(tt, other, &c))
    return true;
  uint32_t width = tp_width(tt, var);
  tp_range *r = &entry_of(list, var, width)->range;
  int64_t s = signed_of(c, width);
  bool is_strict = (k == TP_OP_BV_ULT || k == TP_OP_BV_SLT) == holds,
       is_upper = flip != holds;  // var < c, or its mirror image
  bool ok;
  if (is_unsigned)
    ok = bound_unsigned(r, is_upper, is_strict, c);
  else if (is_signed)
    ok = bound_signed(r, is_upper, is_strict, s);
  else if (holds)
    ok = bound_unsigned(r, true, false, c) && bound_unsigned(r, false, false, c);
  else
    ok = exclude(r, c, s);
  return ok && normalise(r, width);
}

bool tp_facts_bounds(const tp_program *p, tp_term formula, tp_imported_bounds_list *list) {
  tp_terms *tt = p->terms;
  bool ok = true;
  tp_term_list parts = {0};
  tp_conjuncts(tt, formula, &parts);
  for (size_t i = 0; i < parts.n && ok; i++) {
    tp_term t = parts.at[i];
    if (tp_kind(tt, t) == TP_OP_NOT)
      ok = restrict_bounds(tt, tp_arg(tt, t, 0), false, list);
    else
      ok = !tp_is_false(tt, t) && restrict_bounds(tt, t, true, list);
  }
  tp_vec_clear(&parts);
  return ok;
}

/* Bounds of variables from a formula: its conjuncts that compare a variable with a constant. */
#include "cpa/facts/facts_priv.h"

static int64_t signed_of(uint64_t v, uint32_t width) { return width < 64 && v >> (width - 1) ? (int64_t)(v | ~0ull << width) : (int64_t)v; }

static tp_range everything(uint32_t width) {
  uint64_t most = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  int64_t high = width == 64 ? INT64_MAX : (int64_t)(most >> 1);
  return (tp_range){false, 0, most, -high - 1, high};
}

/* One reading often says something about the other. */
static void align(tp_range *r, uint32_t width) {
  const uint64_t half = (uint64_t)1 << (width - 1);
  bool same_sign = r->smin >= 0 || r->smax < 0;
  if (same_sign) {                                         // then order is the same in both readings
    const uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1, low = (uint64_t)r->smin & mask, high = (uint64_t)r->smax & mask;
    if (low > r->umin) r->umin = low;
    if (high < r->umax) r->umax = high;
  }
  if (r->umax < half || r->umin >= half) {
    int64_t low = signed_of(r->umin, width), high = signed_of(r->umax, width);
    if (low > r->smin) r->smin = low;
    if (high < r->smax) r->smax = high;
  }
}

static tp_known *entry_of(tp_known_list *list, tp_term var, uint32_t width) {
  for (size_t i = 0; i < list->n; i++)
    if (tp_term_eq(list->at[i].var, var)) return &list->at[i];
  tp_vec_push(list, (tp_known){var, everything(width)});
  return &tp_vec_last(list);
}

/* What x OP y says if one side is a variable and the other a constant; holds: or its negation. */
static void learn(const tp_terms *tt, tp_term t, bool holds, tp_known_list *list) {
  tp_term_kind k = tp_kind(tt, t);
  bool is_order = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE || k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  if (!is_order && !(k == TP_OP_EQ && holds)) return;
  tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  bool flip = tp_kind(tt, b) == TP_OP_VAR;
  tp_term var = flip ? b : a, other = flip ? a : b;
  uint64_t c;
  if (tp_kind(tt, var) != TP_OP_VAR || tp_kind(tt, other) != TP_OP_BV_CONST || tp_width(tt, var) > 64 || !tp_bv_value_u64(tt, other, &c)) return;
  uint32_t width = tp_width(tt, var);
  tp_range *r = &entry_of(list, var, width)->range, was = *r;
  int64_t s = signed_of(c, width);
  bool is_strict = (k == TP_OP_BV_ULT || k == TP_OP_BV_SLT) == holds, is_upper = flip != holds;   // var < c, or its mirror image
  if (k == TP_OP_EQ) {
    *r = (tp_range){false, c, c, s, s};
  } else if (k == TP_OP_BV_ULT || k == TP_OP_BV_ULE) {
    if (is_strict && c == (is_upper ? 0 : was.umax)) return;
    if (is_upper && c - is_strict < r->umax) r->umax = c - is_strict;
    if (!is_upper && c + is_strict > r->umin) r->umin = c + is_strict;
  } else {
    if (is_strict && s == (is_upper ? INT64_MIN : INT64_MAX)) return;
    if (is_upper && s - is_strict < r->smax) r->smax = s - is_strict;
    if (!is_upper && s + is_strict > r->smin) r->smin = s + is_strict;
  }
  align(r, width);
  if (r->umin > r->umax || r->smin > r->smax) *r = was;    // contradictory: the formula itself says so
}

void tp_facts_bounds(const tp_program *p, tp_term formula, tp_known_list *out) {
  const tp_terms *tt = p->terms;
  TP_VEC(tp_term) todo = {0};
  tp_vec_push(&todo, formula);
  while (todo.n) {
    tp_term t = tp_vec_pop(&todo);
    if (tp_kind(tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(tt, t, 1));
      tp_vec_push(&todo, tp_arg(tt, t, 0));
    } else if (tp_kind(tt, t) == TP_OP_NOT) {
      learn(tt, tp_arg(tt, t, 0), false, out);
    } else {
      learn(tt, t, true, out);
    }
  }
  tp_vec_clear(&todo);
}

/* One fold over the Boolean structure: each term has its distance from true and from false.
 * Comparisons are leaves, whose sides the concrete machine evaluates. */
#include "search/state_distance.h"

#include "exec/machine_state.h"

#include <math.h>

typedef struct {
  double to_true, to_false;
} distances;

typedef struct {
  const tp_program *p;
  const tp_state *s;
  TP_VEC(distances) made;
} measure;

static const double FAR = 128;  // bits: more than any two numbers differ

static uint64_t add(measure *m, double to_true, double to_false) {
  tp_vec_push(&m->made, (distances){to_true, to_false});
  return m->made.n - 1;
}

static double bits_of(tp_u128 difference) { return log2(1 + (double)difference); }

/* The shorter way around the numbers of this width. */
static double apart(tp_u128 a, tp_u128 b, uint32_t width) {
  const tp_u128 up = (a - b) & tp_mask128(width), down = (b - a) & tp_mask128(width);
  return bits_of(up < down ? up : down);
}

static tp_u128 ordered(tp_u128 v, bool is_signed, uint32_t width) {
  return is_signed ? v ^ (tp_u128)1 << (width - 1) : v;
}

/* a <= b, or a < b. */
static uint64_t order(measure *m, tp_u128 a, tp_u128 b, bool is_strict) {
  const bool holds = is_strict ? a < b : a <= b;
  const tp_u128 gap = a > b ? a - b : b - a;
  const double by = bits_of(gap + (holds ? (tp_u128)!is_strict : (tp_u128)is_strict));
  return holds ? add(m, 0, by > 0 ? by : 1) : add(m, by > 0 ? by : 1, 0);
}

static uint64_t equation(measure *m, tp_sort sort, tp_value a, tp_value b) {
  const tp_terms *tt = m->p->terms;
  const tp_sort_kind kind = tp_sort_kind_of(tt, sort);
  if (tp_value_eq(tt, sort, a, b)) return add(m, 0, 1);
  if (kind == TP_SORT_BV) return add(m, apart(a.bits, b.bits, tp_sort_width(tt, sort)), 0);
  if (kind == TP_SORT_PTR && a.object == b.object) return add(m, apart(a.bits, b.bits, 64), 0);
  return add(m, FAR, 0);
}

static bool is_boolean(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
}

/* Leaves: everything that is no connective of Boolean terms. */
static bool leaf(void *ctx, tp_term t, uint64_t *value) {
  measure *m = ctx;
  const tp_terms *tt = m->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  const bool compares = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE || k == TP_OP_BV_SLT ||
                        k == TP_OP_BV_SLE || (k == TP_OP_EQ && !is_boolean(tt, tp_arg(tt, t, 0)));
  tp_value a = {0}, b = {0};
  if (k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_NOT || k == TP_OP_XOR || k == TP_OP_ITE ||
      (k == TP_OP_EQ && !compares))
    return false;
  if (!compares) {
    const bool ok = tp_state_eval(m->s, t, &a) == TP_OK;
    *value = !ok ? add(m, FAR, FAR) : a.bits ? add(m, 0, 1) : add(m, 1, 0);
    return true;
  }
  const tp_sort sort = tp_sort_of(tt, tp_arg(tt, t, 0));
  if (tp_state_eval(m->s, tp_arg(tt, t, 0), &a) != TP_OK ||
      tp_state_eval(m->s, tp_arg(tt, t, 1), &b) != TP_OK) {
    *value = add(m, FAR, FAR);
  } else if (k == TP_OP_EQ) {
    *value = equation(m, sort, a, b);
  } else {
    const uint32_t width = tp_sort_width(tt, sort);
    const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
    *value = order(m, ordered(a.bits, is_signed, width), ordered(b.bits, is_signed, width),
                   k == TP_OP_BV_ULT || k == TP_OP_BV_SLT);
  }
  return true;
}

static double least(double a, double b) { return a < b ? a : b; }

static uint64_t connective(void *ctx, tp_term t, const uint64_t *args) {
  measure *m = ctx;
  distances a = m->made.at[args[0]], b = {0}, c = {0};
  const uint32_t n = tp_n_args(m->p->terms, t);
  if (n > 1) b = m->made.at[args[1]];
  if (n > 2) c = m->made.at[args[2]];
  switch ((int)tp_kind(m->p->terms, t)) {
    case TP_OP_NOT: return add(m, a.to_false, a.to_true);
    case TP_OP_AND: return add(m, a.to_true + b.to_true, least(a.to_false, b.to_false));
    case TP_OP_OR: return add(m, least(a.to_true, b.to_true), a.to_false + b.to_false);
    case TP_OP_ITE:
      return add(m, least(a.to_true + b.to_true, a.to_false + c.to_true),
                 least(a.to_true + b.to_false, a.to_false + c.to_false));
    case TP_OP_XOR:
      return add(m, least(a.to_true + b.to_false, a.to_false + b.to_true),
                 least(a.to_true + b.to_true, a.to_false + b.to_false));
    default:  // EQ of Boolean terms
      return add(m, least(a.to_true + b.to_true, a.to_false + b.to_false),
                 least(a.to_true + b.to_false, a.to_false + b.to_true));
  }
}

double tp_state_distance(const tp_program *p, const tp_state *s, tp_term formula) {
  TP_REQUIRE(is_boolean(p->terms, formula));
  measure m = {.p = p, .s = s};
  tp_map values = {0};
  const tp_folder folder = {.ctx = &m, .before = leaf, .after = connective};
  const uint64_t at = tp_fold_terms(p->terms, formula, &folder, &values);
  const double distance = m.made.at[at].to_true;
  tp_map_clear(&values);
  tp_vec_clear(&m.made);
  return distance;
}

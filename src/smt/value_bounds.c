/* Bounds: evaluation of terms on intervals, and what facts say of the terms that they compare. */
#include "smt/value_bounds.h"

#include "smt/smt_limits.h"

typedef struct {
  tp_i128 lo, hi;
} span;

/* What a term can be: its unsigned and its signed reading, both not empty. Bool: 0 and 1. width 0:
 * nothing is said of it. */
typedef struct {
  uint32_t width_bits;
  span u, s;
} bounds;

typedef struct {
  const tp_terms *tt;
  tp_map value_of, learnt_of;  // term -> index into values
  TP_VEC(bounds) values;
  TP_VEC(uint32_t) todo;
  bool is_empty, learns;  // a contradiction; something new in this round
} walk;

// ------------------------------------------------------------------------ spans

static tp_i128 power2(uint32_t n) { return (tp_i128)1 << n; }
static tp_i128 least(tp_i128 a, tp_i128 b) { return a < b ? a : b; }
static tp_i128 most(tp_i128 a, tp_i128 b) { return a > b ? a : b; }
static span meet(span a, span b) { return (span){most(a.lo, b.lo), least(a.hi, b.hi)}; }
static span hull(span a, span b) { return (span){least(a.lo, b.lo), most(a.hi, b.hi)}; }
static span plus(span a, span b) { return (span){a.lo + b.lo, a.hi + b.hi}; }
static span minus(span a, span b) { return (span){a.lo - b.hi, a.hi - b.lo}; }
static bool is_point(span a) { return a.lo == a.hi; }

static tp_i128 floor_divide(tp_i128 a, tp_i128 d) {
  TP_REQUIRE(d > 0);
  return a / d - (a % d != 0 && a < 0);
}

static bounds full(uint32_t width_bits) {
  if (width_bits == 0) return (bounds){0};
  return (bounds){width_bits,
                  {0, power2(width_bits) - 1},
                  {-power2(width_bits - 1), power2(width_bits - 1) - 1}};
}

/* Both readings of integers that lie in the span, modulo 2^width. */
static bounds wrap(uint32_t width_bits, span exact) {
  bounds b = full(width_bits);
  const tp_i128 period = power2(width_bits);
  tp_i128 k = floor_divide(exact.lo, period);
  if (k == floor_divide(exact.hi, period))
    b.u = (span){exact.lo - k * period, exact.hi - k * period};
  k = floor_divide(exact.lo - b.s.lo, period);
  if (k == floor_divide(exact.hi - b.s.lo, period))
    b.s = (span){exact.lo - k * period, exact.hi - k * period};
  return b;
}

/* What is in both; false: nothing. The readings of one sign bit bound each other. */
static bool narrow(bounds *a, bounds b) {
  TP_REQUIRE(a->width_bits == b.width_bits);
  const tp_i128 half = power2(a->width_bits - 1), period = power2(a->width_bits);
  a->u = meet(a->u, b.u);
  a->s = meet(a->s, b.s);
  if (a->u.hi < half) a->s = meet(a->s, a->u);
  if (a->u.lo >= half) a->s = meet(a->s, (span){a->u.lo - period, a->u.hi - period});
  if (a->s.lo >= 0) a->u = meet(a->u, a->s);
  if (a->s.hi < 0) a->u = meet(a->u, (span){a->s.lo + period, a->s.hi + period});
  return a->u.lo <= a->u.hi && a->s.lo <= a->s.hi;
}

/* The result of an operation that is exact on integers, by both readings of its arguments. (They
 * have nothing in common where the arguments have no value: that shows elsewhere, or not.) */
static bounds by_both(uint32_t width_bits, span of_unsigned, span of_signed) {
  bounds b = wrap(width_bits, of_unsigned);
  return narrow(&b, wrap(width_bits, of_signed)) ? b : full(width_bits);
}

// ------------------------------------------------------------------- operations

static bool product(span a, span b, span *out) {
  tp_i128 corner[4];
  if (__builtin_mul_overflow(a.lo, b.lo, &corner[0]) ||
      __builtin_mul_overflow(a.lo, b.hi, &corner[1]) ||
      __builtin_mul_overflow(a.hi, b.lo, &corner[2]) ||
      __builtin_mul_overflow(a.hi, b.hi, &corner[3]))
    return false;
  *out = (span){corner[0], corner[0]};
  for (int i = 1; i < 4; i++) *out = hull(*out, (span){corner[i], corner[i]});
  const tp_i128 far = power2(126);  // wrap adds to it
  return out->lo > -far && out->hi < far;
}

static bounds multiply(bounds a, bounds b) {
  span u, s;
  bounds result = full(a.width_bits);
  if (product(a.u, b.u, &u)) (void)narrow(&result, wrap(a.width_bits, u));
  if (product(a.s, b.s, &s)) (void)narrow(&result, wrap(a.width_bits, s));
  return result;
}

/* 2^k - 1 for the least k with v < 2^k */
static tp_i128 all_ones_above(tp_i128 v) {
  tp_i128 ones = 0;
  while (ones < v) ones = 2 * ones + 1;
  return ones;
}

static bounds of_unsigned(uint32_t width_bits, span u) {
  bounds b = full(width_bits);
  const bool some = narrow(&b, (bounds){width_bits, u, b.s});
  TP_INVARIANT(some);
  return b;
}
static bounds of_signed(uint32_t width_bits, span s) {
  bounds b = full(width_bits);
  const bool some = narrow(&b, (bounds){width_bits, b.u, s});
  TP_INVARIANT(some);
  return b;
}

/* Divisors that can be 0, or are no positive constant in the signed reading, give no bounds. */
static bounds divide(tp_term_kind k, bounds a, bounds b) {
  const uint32_t w = a.width_bits;
  const tp_i128 c = b.s.lo;
  const bool is_signed = k == TP_OP_BV_SDIV || k == TP_OP_BV_SREM;
  if (is_signed ? !is_point(b.s) || c <= 0 : b.u.lo == 0) return full(w);
  switch ((int)k) {
    case TP_OP_BV_UDIV: return of_unsigned(w, (span){a.u.lo / b.u.hi, a.u.hi / b.u.lo});
    case TP_OP_BV_UREM:
      return a.u.hi < b.u.lo ? a : of_unsigned(w, (span){0, least(a.u.hi, b.u.hi - 1)});
    case TP_OP_BV_SDIV: return of_signed(w, (span){a.s.lo / c, a.s.hi / c});
    default:
      return of_signed(
          w, (span){a.s.lo < 0 ? most(a.s.lo, 1 - c) : 0, a.s.hi > 0 ? least(a.s.hi, c - 1) : 0});
  }
}

/* By a constant that is less than the width. */
static bounds shift(tp_term_kind k, bounds a, bounds by) {
  const uint32_t w = a.width_bits;
  if (!is_point(by.u) || by.u.lo >= w) return full(w);
  const tp_i128 factor = power2((uint32_t)by.u.lo);
  if (k == TP_OP_BV_SHL) return multiply(a, wrap(w, (span){factor, factor}));
  if (k == TP_OP_BV_LSHR) return of_unsigned(w, (span){a.u.lo / factor, a.u.hi / factor});
  return of_signed(w, (span){floor_divide(a.s.lo, factor), floor_divide(a.s.hi, factor)});
}

static bounds truth(bool may_fail, bool may_hold) {
  return (bounds){1, {may_fail ? 0 : 1, may_hold ? 1 : 0}, {-(tp_i128)may_hold, may_fail ? 0 : -1}};
}
static bool may_hold(bounds b) { return b.u.hi == 1; }
static bool may_fail(bounds b) { return b.u.lo == 0; }

static bounds compare(tp_term_kind k, bounds a, bounds b) {
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  const bool is_strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  const span x = is_signed ? a.s : a.u, y = is_signed ? b.s : b.u;
  if (k == TP_OP_EQ) {
    const bool meets =
        meet(a.u, b.u).lo <= meet(a.u, b.u).hi && meet(a.s, b.s).lo <= meet(a.s, b.s).hi;
    return truth(!(is_point(a.u) && is_point(b.u) && a.u.lo == b.u.lo), meets);
  }
  return truth(is_strict ? x.hi >= y.lo : x.hi > y.lo, is_strict ? x.lo < y.hi : x.lo <= y.hi);
}

static bounds extract(const tp_terms *tt, tp_term t, bounds a) {
  const uint32_t high = tp_extract_hi(tt, t), low = tp_extract_lo(tt, t);
  if (low == 0) return by_both(high + 1, a.u, a.s);
  const tp_i128 factor = power2(low);
  return wrap(high - low + 1, (span){a.u.lo / factor, a.u.hi / factor});
}

static bool find(const walk *w, const tp_map *in, tp_term t, bounds *out) {
  uint64_t i;
  if (!tp_map_get(in, t.id, &i)) return false;
  *out = w->values.at[i];
  return true;
}

// --------------------------------------------------------------------- branches

/* What a comparison says of its side t, given the other side; b shrinks. False: impossible. */
static bool narrow_by_comparison(tp_term_kind k, bounds other, bool is_left, bool holds,
                                 bounds *b) {
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  const bool is_below = is_left == holds;  // t is at most the other side
  const tp_i128 gap = (k == TP_OP_BV_ULT || k == TP_OP_BV_SLT) == holds;
  bounds allowed = full(b->width_bits);
  if (k == TP_OP_EQ) return !holds || narrow(b, other);
  if (is_signed && is_below) allowed.s.hi = other.s.hi - gap;
  if (is_signed && !is_below) allowed.s.lo = other.s.lo + gap;
  if (!is_signed && is_below) allowed.u.hi = other.u.hi - gap;
  if (!is_signed && !is_below) allowed.u.lo = other.u.lo + gap;
  return narrow(b, allowed);
}

/* What a condition says of t where it is compared outright. */
static bool narrow_by_condition(const walk *w, tp_term condition, bool holds, tp_term t,
                                uint32_t level, bounds *b) {
  const tp_terms *tt = w->tt;
  const tp_term_kind k = tp_kind(tt, condition);
  bounds other;
  if (level == TP_SMT_BOUNDS_LEVELS) return true;
  switch ((int)k) {
    case TP_OP_NOT:
      return narrow_by_condition(w, tp_arg(tt, condition, 0), !holds, t, level + 1, b);
    case TP_OP_AND:
    case TP_OP_OR:
      return holds != (k == TP_OP_AND) ||
             (narrow_by_condition(w, tp_arg(tt, condition, 0), holds, t, level + 1, b) &&
              narrow_by_condition(w, tp_arg(tt, condition, 1), holds, t, level + 1, b));
    case TP_OP_EQ:
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE:
      for (uint32_t i = 0; i < 2; i++)
        if (tp_term_eq(tp_arg(tt, condition, i), t) &&
            find(w, &w->value_of, tp_arg(tt, condition, 1 - i), &other) && other.width_bits &&
            !narrow_by_comparison(k, other, i == 0, holds, b))
          return false;
      return true;
    default: return true;
  }
}

/* The arm t or t + constant of a conditional, where the condition holds or does not. False: it does
 * not come about. */
static bool arm(const walk *w, tp_term condition, bool holds, tp_term t, bounds *b) {
  const tp_terms *tt = w->tt;
  bounds base, constant;
  if (!narrow_by_condition(w, condition, holds, t, 0, b)) return false;
  if (tp_kind(tt, t) != TP_OP_BV_ADD) return true;
  for (uint32_t i = 0; i < 2; i++) {
    const tp_term x = tp_arg(tt, t, i);
    if (!tp_is_const(tt, tp_arg(tt, t, 1 - i)) || !find(w, &w->value_of, x, &base) ||
        !find(w, &w->value_of, tp_arg(tt, t, 1 - i), &constant))
      continue;
    if (!narrow_by_condition(w, condition, holds, x, 0, &base)) return false;
    return narrow(b, by_both(b->width_bits, plus(base.u, constant.u), plus(base.s, constant.s)));
  }
  return true;
}

static bounds conditional(const walk *w, tp_term t, bounds condition, bounds yes, bounds no) {
  const tp_term c = tp_arg(w->tt, t, 0);
  const bool may_yes = may_hold(condition) && arm(w, c, true, tp_arg(w->tt, t, 1), &yes);
  const bool may_no = may_fail(condition) && arm(w, c, false, tp_arg(w->tt, t, 2), &no);
  if (may_yes && may_no) return (bounds){yes.width_bits, hull(yes.u, no.u), hull(yes.s, no.s)};
  return may_yes ? yes : no;
}

/* x + (c ? a : b), the normal form of c ? x + a : x + b: each arm with what its condition says of
 * x. Neither can come about: full, and that shows elsewhere, or not. */
static bounds sum_by_arms(const walk *w, bounds x, tp_term of_x, tp_term choice) {
  const uint32_t width = x.width_bits;
  bounds result = full(width), one[2], condition;
  bool may[2];
  if (!find(w, &w->value_of, tp_arg(w->tt, choice, 0), &condition)) return result;
  for (uint32_t i = 0; i < 2; i++) {
    bounds y = x, arm_bounds;
    may[i] = i == 0 ? may_hold(condition) : may_fail(condition);
    may[i] = may[i] && narrow_by_condition(w, tp_arg(w->tt, choice, 0), i == 0, of_x, 0, &y);
    if (!find(w, &w->value_of, tp_arg(w->tt, choice, i + 1), &arm_bounds)) return result;
    one[i] = by_both(width, plus(y.u, arm_bounds.u), plus(y.s, arm_bounds.s));
  }
  if (may[0] && may[1]) return (bounds){width, hull(one[0].u, one[1].u), hull(one[0].s, one[1].s)};
  return may[0] ? one[0] : may[1] ? one[1] : result;
}

static bounds sum(const walk *w, tp_term t, const bounds *a) {
  bounds b = by_both(a[0].width_bits, plus(a[0].u, a[1].u), plus(a[0].s, a[1].s));
  for (uint32_t i = 0; i < 2; i++) {
    const tp_term choice = tp_arg(w->tt, t, 1 - i);
    if (tp_kind(w->tt, choice) != TP_OP_ITE) continue;
    const bounds by_arms = sum_by_arms(w, a[i], tp_arg(w->tt, t, i), choice);
    bounds both = b;
    if (narrow(&both, by_arms)) b = both;
  }
  return b;
}

static bounds combine(const walk *w, tp_term t, uint32_t width, const bounds *a) {
  const tp_terms *tt = w->tt;
  const tp_term_kind k = tp_kind(tt, t);
  switch ((int)k) {
    case TP_OP_NOT: return truth(may_hold(a[0]), may_fail(a[0]));
    case TP_OP_AND:
      return truth(may_fail(a[0]) || may_fail(a[1]), may_hold(a[0]) && may_hold(a[1]));
    case TP_OP_OR: return truth(may_fail(a[0]) && may_fail(a[1]), may_hold(a[0]) || may_hold(a[1]));
    case TP_OP_ITE: return conditional(w, t, a[0], a[1], a[2]);
    case TP_OP_BV_ADD: return sum(w, t, a);
    case TP_OP_BV_MUL: return multiply(a[0], a[1]);
    case TP_OP_BV_NEG:
      return by_both(width, minus((span){0, 0}, a[0].u), minus((span){0, 0}, a[0].s));
    case TP_OP_BV_NOT:
      return by_both(width, minus((span){-1, -1}, a[0].u), minus((span){-1, -1}, a[0].s));
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM: return divide(k, a[0], a[1]);
    case TP_OP_BV_AND: return of_unsigned(width, (span){0, least(a[0].u.hi, a[1].u.hi)});
    case TP_OP_BV_OR:
      return of_unsigned(
          width, (span){most(a[0].u.lo, a[1].u.lo), all_ones_above(most(a[0].u.hi, a[1].u.hi))});
    case TP_OP_BV_XOR:
      return of_unsigned(width, (span){0, all_ones_above(most(a[0].u.hi, a[1].u.hi))});
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shift(k, a[0], a[1]);
    case TP_OP_EQ:
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: return compare(k, a[0], a[1]);
    case TP_OP_BV_CONCAT: {
      const tp_i128 factor = power2(a[1].width_bits);
      return of_unsigned(width,
                         (span){a[0].u.lo * factor + a[1].u.lo, a[0].u.hi * factor + a[1].u.hi});
    }
    case TP_OP_BV_EXTRACT: return extract(tt, t, a[0]);
    case TP_OP_BV_ZEXT: return of_unsigned(width, a[0].u);
    case TP_OP_BV_SEXT: return of_signed(width, a[0].s);
    default: return full(width);
  }
}

// ----------------------------------------------------------------------- forward

/* 0: a sort without bounds. */
static uint32_t width_of(const tp_terms *tt, tp_term t) {
  const tp_sort s = tp_sort_of(tt, t);
  if (tp_sort_kind_of(tt, s) == TP_SORT_BOOL) return 1;
  return tp_sort_kind_of(tt, s) == TP_SORT_BV && tp_width(tt, t) <= 64 ? tp_width(tt, t) : 0;
}

static void store(walk *w, tp_map *in, tp_term t, bounds b) {
  tp_map_set(in, t.id, w->values.n);
  tp_vec_push(&w->values, b);
}

/* Of a term whose arguments are done; arguments without bounds leave it without. */
static bounds evaluate(walk *w, tp_term t, const bounds *args) {
  const uint32_t width = width_of(w->tt, t), n = tp_n_args(w->tt, t);
  bounds b = full(width), learnt;
  if (width && n) {
    bool has_bounds = true;
    for (uint32_t i = 0; i < n; i++) has_bounds = has_bounds && args[i].width_bits;
    if (has_bounds) b = combine(w, t, width, args);
  } else if (tp_kind(w->tt, t) == TP_OP_TRUE || tp_kind(w->tt, t) == TP_OP_FALSE) {
    b = truth(tp_is_false(w->tt, t), tp_is_true(w->tt, t));
  } else if (width && tp_kind(w->tt, t) == TP_OP_BV_CONST) {
    const tp_i128 value = (tp_i128)tp_bv_value(w->tt, t);
    b = wrap(width, (span){value, value});
  }
  if (find(w, &w->learnt_of, t, &learnt) && !narrow(&b, learnt)) {
    w->is_empty = true;
    b = full(width);
  }
  return b;
}

static bounds bounds_of(walk *w, tp_term t) {
  bounds b, args[3];
  const size_t floor = w->todo.n;
  tp_vec_push(&w->todo, t.id);
  while (w->todo.n > floor) {
    const tp_term at = {tp_vec_last(&w->todo)};
    const size_t depth = w->todo.n;
    if (!find(w, &w->value_of, at, &b)) {
      const uint32_t n = width_of(w->tt, at) ? tp_n_args(w->tt, at) : 0;
      for (uint32_t i = 0; i < n; i++)
        if (!find(w, &w->value_of, tp_arg(w->tt, at, i), &args[i]))
          tp_vec_push(&w->todo, tp_arg(w->tt, at, i).id);
      if (w->todo.n > depth) continue;
      store(w, &w->value_of, at, evaluate(w, at, args));
    }
    (void)tp_vec_pop(&w->todo);
  }
  (void)find(w, &w->value_of, t, &b);
  return b;
}

// ---------------------------------------------------------------------- backward

static void learn_fact(walk *w, tp_term fact, bool holds, uint32_t level);

/* The term lies in b, and so does what it is made of. */
static void learn(walk *w, tp_term t, bounds b, uint32_t level) {
  bounds now = bounds_of(w, t);
  const bounds before = now;
  if (!now.width_bits || level == TP_SMT_BOUNDS_LEVELS || w->is_empty) return;
  if (!narrow(&now, b)) {
    w->is_empty = true;
    return;
  }
  if (memcmp(&now.u, &before.u, sizeof now.u) == 0 && memcmp(&now.s, &before.s, sizeof now.s) == 0)
    return;
  w->learns = true;
  store(w, &w->learnt_of, t, now);
  store(w, &w->value_of, t, now);
  const tp_term first = tp_n_args(w->tt, t) ? tp_arg(w->tt, t, 0) : TP_TERM_NONE;
  switch ((int)tp_kind(w->tt, t)) {
    case TP_OP_BV_ADD:
      for (uint32_t i = 0; i < 2; i++) {
        const bounds other = bounds_of(w, tp_arg(w->tt, t, 1 - i));
        if (other.width_bits)
          learn(w, tp_arg(w->tt, t, i),
                by_both(now.width_bits, minus(now.u, other.u), minus(now.s, other.s)), level + 1);
      }
      break;
    case TP_OP_BV_ZEXT: {
      bounds inner = full(width_of(w->tt, first));
      inner.u = now.u;
      learn(w, first, inner, level + 1);
      break;
    }
    case TP_OP_BV_SEXT: {
      bounds inner = full(width_of(w->tt, first));
      inner.s = now.s;
      learn(w, first, inner, level + 1);
      break;
    }
    default: break;
  }
}

/* a + gap <= b in one reading. */
static void learn_order(walk *w, tp_term a, tp_term b, bool is_signed, tp_i128 gap,
                        uint32_t level) {
  bounds low = bounds_of(w, a), high = bounds_of(w, b);
  if (!low.width_bits || !high.width_bits) return;
  bounds up = full(low.width_bits), down = full(low.width_bits);
  if (is_signed) {
    up.s.hi = high.s.hi - gap;
    down.s.lo = low.s.lo + gap;
  } else {
    up.u.hi = high.u.hi - gap;
    down.u.lo = low.u.lo + gap;
  }
  learn(w, a, up, level);
  learn(w, b, down, level);
}

static void learn_equation(walk *w, tp_term a, tp_term b, bool holds, uint32_t level) {
  const bounds x = bounds_of(w, a), y = bounds_of(w, b);
  if (!x.width_bits || !y.width_bits) return;
  if (holds) {
    learn(w, a, y, level);
    learn(w, b, x, level);
  } else if (is_point(y.u) && !is_point(x.u)) {  // the normal form has constants on either side
    bounds without = full(x.width_bits);
    if (x.u.lo == y.u.lo) without.u.lo = y.u.lo + 1;
    if (x.u.hi == y.u.lo) without.u.hi = y.u.lo - 1;
    if (x.s.lo == y.s.lo) without.s.lo = y.s.lo + 1;
    if (x.s.hi == y.s.lo) without.s.hi = y.s.lo - 1;
    learn(w, a, without, level);
  } else if (is_point(x.u) && !is_point(y.u)) {
    learn_equation(w, b, a, false, level);
  }
}

/* One of the two holds: the other does if the one cannot. */
static void learn_either(walk *w, tp_term a, tp_term b, bool holds, uint32_t level) {
  const bounds x = bounds_of(w, a), y = bounds_of(w, b);
  if (holds ? !may_hold(x) : !may_fail(x)) learn_fact(w, b, holds, level);
  if (holds ? !may_hold(y) : !may_fail(y)) learn_fact(w, a, holds, level);
}

static void learn_fact(walk *w, tp_term fact, bool holds, uint32_t level) {
  const tp_terms *tt = w->tt;
  const tp_term_kind k = tp_kind(tt, fact);
  if (level == TP_SMT_BOUNDS_LEVELS || w->is_empty) return;
  learn(w, fact, truth(!holds, holds), level);
  if (tp_n_args(tt, fact) == 0) return;
  const tp_term a = tp_arg(tt, fact, 0);
  const tp_term b = tp_n_args(tt, fact) > 1 ? tp_arg(tt, fact, 1) : TP_TERM_NONE;
  switch ((int)k) {
    case TP_OP_NOT: learn_fact(w, a, !holds, level + 1); break;
    case TP_OP_AND:
    case TP_OP_OR:
      if (holds == (k == TP_OP_AND)) {
        learn_fact(w, a, holds, level + 1);
        learn_fact(w, b, holds, level + 1);
      } else {
        learn_either(w, a, b, holds, level + 1);
      }
      break;
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: {
      const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
      const bool is_strict = (k == TP_OP_BV_ULT || k == TP_OP_BV_SLT) == holds;
      learn_order(w, holds ? a : b, holds ? b : a, is_signed, is_strict, level + 1);
      break;
    }
    case TP_OP_EQ: learn_equation(w, a, b, holds, level + 1); break;
    default: break;
  }
}

// ---------------------------------------------------------------------- the whole

struct tp_bounds {
  walk w;
};

tp_bounds *tp_bounds_new(tp_terms *tt, const tp_term *facts, size_t n) {
  tp_bounds *b = TP_NEW(tp_bounds);
  walk *w = &b->w;
  tp_term_list parts = {0};
  w->tt = tt;
  for (size_t i = 0; i < n; i++) tp_conjuncts(tt, facts[i], &parts);
  w->learns = true;
  for (int round = 0; round < TP_SMT_BOUNDS_ROUNDS && w->learns && !w->is_empty; round++) {
    w->learns = false;
    tp_map_clear(&w->value_of);
    for (size_t i = 0; i < parts.n && !w->is_empty; i++) learn_fact(w, parts.at[i], true, 0);
  }
  tp_map_clear(&w->value_of);  // values that were found before everything was learnt are wide
  tp_vec_clear(&parts);
  return b;
}

void tp_bounds_free(tp_bounds *b) {
  if (!b) return;
  tp_map_clear(&b->w.value_of);
  tp_map_clear(&b->w.learnt_of);
  tp_vec_clear(&b->w.values);
  tp_vec_clear(&b->w.todo);
  tp_free(b);
}

bool tp_bounds_are_empty(const tp_bounds *b) { return b->w.is_empty; }

bool tp_bounds_value(tp_bounds *b, tp_term t, uint64_t *value) {
  const bounds x = bounds_of(&b->w, t);
  if (!x.width_bits || !is_point(x.u)) return false;
  *value = (uint64_t)x.u.lo;
  return true;
}

bool tp_bounds_span(tp_bounds *b, tp_term t, bool is_signed, tp_i128 *lo, tp_i128 *hi) {
  const bounds x = bounds_of(&b->w, t);
  *lo = is_signed ? x.s.lo : x.u.lo;
  *hi = is_signed ? x.s.hi : x.u.hi;
  return x.width_bits != 0;
}

bool tp_bounds_not_negative(tp_bounds *b, tp_term t) {
  const bounds x = bounds_of(&b->w, t);
  return x.width_bits && x.s.lo >= 0;
}

bool tp_bounds_exact(tp_bounds *b, tp_term t, bool is_signed) {
  const tp_terms *tt = b->w.tt;
  const uint32_t width = width_of(tt, t);
  span args[2] = {{0, 0}, {0, 0}}, result;
  if (!width || tp_n_args(tt, t) > 2) return false;
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
    const bounds x = bounds_of(&b->w, tp_arg(tt, t, i));
    if (!x.width_bits) return false;
    args[i] = is_signed ? x.s : x.u;
  }
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_ADD: result = plus(args[0], args[1]); break;
    case TP_OP_BV_NEG: result = minus((span){0, 0}, args[0]); break;
    case TP_OP_BV_MUL:
      if (!product(args[0], args[1], &result)) return false;
      break;
    default: return false;
  }
  const span all = is_signed ? full(width).s : full(width).u;
  return all.lo <= result.lo && result.hi <= all.hi;
}

bool tp_bounds_refute(tp_terms *tt, const tp_term *facts, size_t n) {
  tp_bounds *b = tp_bounds_new(tt, facts, n);
  const bool is_empty = tp_bounds_are_empty(b);
  tp_bounds_free(b);
  return is_empty;
}

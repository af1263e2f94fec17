/* Linear atoms in normal form: what solvers of integers write as x - y < 1 is x <= y.
 *
 * An atom is sum <= m or sum = m with coefficients that have no common divisor. It is written with
 * positive coefficients on both sides, which needs the fewest bits on the way back. In a
 * conjunction two opposite inequalities are an equation, in a disjunction one that does not hold.
 */
#include "smt/integers_priv.h"

#include "smt/smt_limits.h"

typedef struct {
  tp_term of;  // no sum, no product by a constant
  tp_i128 factor;
} summand;

typedef struct {
  summand at[TP_SMT_LINEAR_SUMMANDS];
  size_t n;
  tp_i128 constant;
} linear;

static bool add_summand(linear *l, tp_term t, tp_i128 factor) {
  for (size_t i = 0; i < l->n; i++)
    if (tp_term_eq(l->at[i].of, t))
      return !__builtin_add_overflow(l->at[i].factor, factor, &l->at[i].factor);
  if (l->n == TP_SMT_LINEAR_SUMMANDS) return false;
  l->at[l->n++] = (summand){t, factor};
  return true;
}

/* l += factor * t. False: too many summands, or too large numbers. */
static bool add_term(tp_integers *n, linear *l, tp_term t, tp_i128 factor) {
  TP_VEC(summand) todo = {0};
  bool ok = true;
  tp_vec_push(&todo, (summand){t, factor});
  for (size_t steps = 0; todo.n && ok; steps++) {
    summand s = tp_vec_pop(&todo);
    tp_i128 c, product;
    tp_term_kind k = tp_kind(n->tt, s.of);
    if (tp_integers_constant_value(n, s.of, &c)) {
      ok = !__builtin_mul_overflow(c, s.factor, &product) &&
           !__builtin_add_overflow(l->constant, product, &l->constant);
    } else if (k == TP_OP_INT_ADD) {
      tp_vec_push(&todo, (summand){tp_arg(n->tt, s.of, 1), s.factor});
      tp_vec_push(&todo, (summand){tp_arg(n->tt, s.of, 0), s.factor});
    } else if (k == TP_OP_INT_MUL && tp_integers_constant_value(n, tp_arg(n->tt, s.of, 0), &c)) {
      ok = !__builtin_mul_overflow(c, s.factor, &product);
      tp_vec_push(&todo, (summand){tp_arg(n->tt, s.of, 1), product});
    } else {
      ok = add_summand(l, s.of, s.factor);
    }
    ok = ok && steps < 1000;  // sums that share much
  }
  tp_vec_clear(&todo);
  return ok;
}

static tp_i128 gcd(tp_i128 a, tp_i128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    tp_i128 r = a % b;
    a = b, b = r;
  }
  return a;
}

/* Drop what cancels and divide by the common divisor, which is returned; the constant is left
 * alone. 0: nothing is left. */
static tp_i128 reduce(linear *l) {
  size_t kept = 0;
  tp_i128 g = 0;
  for (size_t i = 0; i < l->n; i++) {
    if (l->at[i].factor == 0) continue;
    g = gcd(g, l->at[i].factor);
    l->at[kept++] = l->at[i];
  }
  l->n = kept;
  TP_INVARIANT(kept == 0 || g > 0);
  for (size_t i = 0; i < kept; i++) l->at[i].factor /= g;
  for (size_t i = 1; i < kept; i++)  // by term
    for (size_t j = i; j > 0 && l->at[j].of.id < l->at[j - 1].of.id; j--) {
      summand s = l->at[j];
      l->at[j] = l->at[j - 1];
      l->at[j - 1] = s;
    }
  return g;
}

/* The summands of this sign, made positive. */
static tp_term side(tp_integers *n, const linear *l, bool positive) {
  tp_term sum = tp_mk_int(n->tt, 0);
  for (size_t i = 0; i < l->n; i++) {
    tp_i128 f = positive ? l->at[i].factor : -l->at[i].factor;
    if (f > 0) sum = tp_integers_sum(n, sum, tp_integers_product(n, f, l->at[i].of));
  }
  return sum;
}

static bool has_side(const linear *l, bool positive) {
  for (size_t i = 0; i < l->n; i++)
    if ((l->at[i].factor > 0) == positive) return true;
  return false;
}

/* sum <= m */
static tp_term at_most(tp_integers *n, const linear *l, tp_i128 m) {
  tp_term left = side(n, l, true), right = side(n, l, false);
  if (!has_side(l, true)) return tp_mk2(n->tt, TP_OP_INT_LE, tp_integers_constant(n, -m), right);
  if (has_side(l, false) && m == -1) return tp_mk2(n->tt, TP_OP_INT_LT, left, right);
  if (has_side(l, false) && m < 0)
    return tp_mk2(n->tt, TP_OP_INT_LE, tp_integers_sum(n, left, tp_integers_constant(n, -m)),
                  right);
  return tp_mk2(n->tt, TP_OP_INT_LE, left, tp_integers_sum(n, right, tp_integers_constant(n, m)));
}

/* sum = m; both signs give the same term. */
static tp_term exactly(tp_integers *n, const linear *l, tp_i128 m) {
  TP_REQUIRE(l->n > 0 && l->at[0].factor != 0);
  bool flip = l->at[0].factor < 0;
  tp_term left = side(n, l, !flip), right = side(n, l, flip);
  if (flip) m = -m;
  if (has_side(l, flip) && m < 0)
    return tp_mk_eq(n->tt, tp_integers_sum(n, left, tp_integers_constant(n, -m)), right);
  return tp_mk_eq(n->tt, left, tp_integers_sum(n, right, tp_integers_constant(n, m)));
}

// ---------------------------------------------------------------------- atoms

/* t or its negation as an inequality sum <= *m; false: it is none that we can write. */
static bool as_inequality(tp_integers *n, tp_term t, linear *l, tp_i128 *m) {
  bool holds = true;
  if (tp_kind(n->tt, t) == TP_OP_NOT) t = tp_arg(n->tt, t, 0), holds = false;
  tp_term_kind k = tp_kind(n->tt, t);
  if (k != TP_OP_INT_LE && k != TP_OP_INT_LT) return false;
  tp_i128 sign = holds ? 1 : -1;
  *l = (linear){0};
  if (!add_term(n, l, tp_arg(n->tt, t, 0), sign) || !add_term(n, l, tp_arg(n->tt, t, 1), -sign))
    return false;
  if (holds == (k == TP_OP_INT_LT)) l->constant++;  // a < b is a + 1 <= b; not a <= b is b + 1 <= a
  tp_i128 g = reduce(l);
  if (g == 0) return false;
  *m = tp_floor_div(-l->constant, g);
  return true;
}

static tp_term normalise_atom(tp_integers *n, tp_term t) {
  linear l = {0};
  tp_i128 m;
  if (as_inequality(n, t, &l, &m)) return at_most(n, &l, m);
  if (tp_kind(n->tt, t) != TP_OP_EQ ||
      tp_sort_kind_of(n->tt, tp_sort_of(n->tt, tp_arg(n->tt, t, 0))) != TP_SORT_INT)
    return t;
  l = (linear){0};
  if (!add_term(n, &l, tp_arg(n->tt, t, 0), 1) || !add_term(n, &l, tp_arg(n->tt, t, 1), -1))
    return t;
  tp_i128 g = reduce(&l);
  if (g == 0) return tp_mk_bool(n->tt, l.constant == 0);
  return l.constant % g ? tp_mk_false(n->tt) : exactly(n, &l, -l.constant / g);
}

// --------------------------------------------------------------- conjunctions

typedef TP_VEC(tp_term) parts;

/* The inequality that makes `t` an equation (in a disjunction: the negation of one) together with
 * it; NONE: t is none. */
static tp_term opposite(tp_integers *n, tp_term t, bool is_and, tp_term *both) {
  linear l, negated;
  tp_i128 m;
  if (!as_inequality(n, t, &l, &m)) return TP_TERM_NONE;
  negated = l;
  for (size_t i = 0; i < l.n; i++) negated.at[i].factor = -l.at[i].factor;
  tp_term equation = exactly(n, &l, is_and ? m : m + 1);
  *both = is_and ? equation : tp_mk_not(n->tt, equation);
  return at_most(n, &negated, is_and ? -m : -m - 2);
}

/* Arguments of a conjunction or disjunction; pairs of opposite inequalities become one. */
static tp_term join(tp_integers *n, const parts *p, bool is_and) {
  tp_map present = {0}, joined = {0};
  tp_term all = tp_mk_bool(n->tt, is_and), both;
  for (size_t i = 0; i < p->n; i++) tp_map_set(&present, p->at[i].id, 1);
  for (size_t i = 0; i < p->n; i++) {
    if (tp_map_has(&joined, p->at[i].id)) continue;
    tp_term t = p->at[i], other = opposite(n, t, is_and, &both);
    tp_map_set(&joined, t.id, 1);
    if (tp_term_is(other) && tp_map_has(&present, other.id)) {
      tp_map_set(&joined, other.id, 1);
      t = both;
    }
    all = is_and ? tp_mk_and(n->tt, all, t) : tp_mk_or(n->tt, all, t);
  }
  tp_map_clear(&present);
  tp_map_clear(&joined);
  return all;
}

/* The parts of nested conjunctions (disjunctions), normal. */
static void collect(tp_integers *n, tp_term t, const tp_map *normal, parts *out) {
  parts todo = {0};
  tp_term_kind k = tp_kind(n->tt, t);
  uint64_t id;
  tp_vec_push(&todo, t);
  while (todo.n) {
    tp_term top = tp_vec_pop(&todo);
    if (tp_kind(n->tt, top) == k) {
      tp_vec_push(&todo, tp_arg(n->tt, top, 1));
      tp_vec_push(&todo, tp_arg(n->tt, top, 0));
    } else if (tp_map_get(normal, top.id, &id)) {
      tp_vec_push(out, (tp_term){(uint32_t)id});
    }
  }
  tp_vec_clear(&todo);
}

static bool is_boolean(const tp_integers *n, tp_term t) {
  return tp_sort_kind_of(n->tt, tp_sort_of(n->tt, t)) == TP_SORT_BOOL;
}

typedef struct {
  tp_integers *n;
  tp_map normal;  // formula -> its normal form; what is no formula -> itself
} normalisation;

static bool is_left_alone(void *ctx, tp_term t, uint64_t *value) {
  const normalisation *y = ctx;
  *value = t.id;
  return !is_boolean(y->n, t);
}

static tp_term normalise_one(normalisation *y, tp_term t, const uint64_t *args) {
  tp_integers *n = y->n;
  tp_term_kind k = tp_kind(n->tt, t);
  uint32_t n_args = tp_n_args(n->tt, t);
  if (k == TP_OP_AND || k == TP_OP_OR) {
    parts p = {0};
    collect(n, t, &y->normal, &p);
    tp_term r = join(n, &p, k == TP_OP_AND);
    tp_vec_clear(&p);
    return r;
  }
  if (n_args == 0 || !is_boolean(n, tp_arg(n->tt, t, n_args - 1))) return normalise_atom(n, t);
  tp_term a[3] = {TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE};
  for (uint32_t i = 0; i < n_args; i++) a[i].id = (uint32_t)args[i];
  return normalise_atom(n, tp_remake(n->tt, t, a));  // the negation of an inequality is one
}

static uint64_t normalise_node(void *ctx, tp_term t, const uint64_t *args) {
  return normalise_one(ctx, t, args).id;
}

tp_term tp_integers_normalise(tp_integers *n, tp_term formula) {
  normalisation y = {.n = n};
  tp_folder f = {.ctx = &y, .before = is_left_alone, .after = normalise_node};
  tp_term out = {(uint32_t)tp_fold_terms(n->tt, formula, &f, &y.normal)};
  tp_map_clear(&y.normal);
  return out;
}

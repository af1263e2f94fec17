/* Polynomials modulo 2^n, in two passes over the facts of one case.
 *
 * The first pass turns equations into rows: an equation with an atom of odd coefficient that occurs
 * once gives that atom as a polynomial (substitution), any other a row whose pivot has the least
 * 2-adic valuation. The second pass decides equations inside the other facts by reducing their
 * difference. Everything is bounded (limits below); beyond a bound the result is "not refuted",
 * which claims nothing. */
#include "smt/algebra.h"

#include "smt/algebra_orders.h"

#include "smt/smt_limits.h"
#include "smt/value_bounds.h"

// -------------------------------------------------------------------- products

void tp_algebra_clear(tp_algebra *a) { tp_map_clear(&a->visited); }

static uint64_t has_product(void *ctx, tp_term t, const uint64_t *args) {
  const tp_terms *const *tt = ctx;
  bool has = tp_is_product(*tt, t);
  for (uint32_t i = 0; i < tp_n_args(*tt, t); i++) has |= args[i] != 0;
  return has;
}

bool tp_algebra_has_product(tp_algebra *a, const tp_terms *tt, tp_term t) {
  return tp_fold_terms(tt, t, &(tp_folder){.ctx = &tt, .after = has_product}, &a->visited) != 0;
}

// ----------------------------------------------------------------- polynomials

/* A product of atoms, by increasing term id; monomials are interned, number 0 is the empty product.
 */
typedef struct {
  uint32_t degree;
  tp_term atoms[TP_SMT_ALGEBRA_DEGREE];
} monomial;

typedef struct {
  uint32_t monomial;
  uint64_t coefficient;  // not 0 modulo 2^width
} summand;

/* By increasing number of the monomial. */
typedef struct {
  uint32_t width;
  size_t n;
  summand *at;
} poly;

/* 2^valuation times an atom equals a polynomial in which it does not occur. */
typedef struct {
  tp_term atom;
  uint32_t valuation;
  poly value;
} solved;

/* t is x divided by 2^bits, and rest what remains; is the latter known? */
typedef struct {
  tp_term t, x, rest;
  uint32_t bits;
  bool is_known;
} quotient;

/* A polynomial that is zero; its pivot's coefficient is 2^valuation. */
typedef struct {
  poly p;
  uint32_t pivot, valuation;
} row;

typedef struct {
  tp_terms *tt;
  tp_bounds *bounds;  // that the facts give
  tp_arena arena;
  TP_VEC(quotient) quotients;
  TP_VEC(monomial) monomials;
  tp_map numbers;  // hash of a monomial -> its number + 1 (collisions: too_large)
  TP_VEC(solved) solved;
  TP_VEC(row) rows;
  tp_map rewritten;  // term -> the same with equations decide_equation
  tp_map known;      // term -> index of its polynomial
  TP_VEC(poly) polys;
  size_t work;  // summands that were made or looked at; beyond TP_SMT_ALGEBRA_WORK everything is
                // too large
  bool too_large;
} space;

static uint64_t mask_of(uint32_t width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static uint32_t valuation_of(uint64_t c) {
  TP_REQUIRE(c != 0);
  return (uint32_t)__builtin_ctzll(c);
}

static uint32_t number_of(space *s, const monomial *m) {
  uint64_t h = tp_hash_u64(m->degree), found;
  for (uint32_t i = 0; i < m->degree; i++) h = tp_hash_mix(h, m->atoms[i].id);
  if (tp_map_get(&s->numbers, h, &found)) {
    const monomial *old = &s->monomials.at[found - 1];
    bool same = old->degree == m->degree;
    for (uint32_t i = 0; same && i < m->degree; i++) same = tp_term_eq(old->atoms[i], m->atoms[i]);
    s->too_large |= !same;
    return (uint32_t)found - 1;
  }
  tp_vec_push(&s->monomials, *m);
  tp_map_set(&s->numbers, h, s->monomials.n);
  return (uint32_t)s->monomials.n - 1;
}

static uint32_t product_of(space *s, uint32_t a, uint32_t b) {
  TP_REQUIRE(a < s->monomials.n && b < s->monomials.n);
  const monomial x = s->monomials.at[a], y = s->monomials.at[b];
  monomial m = {0};
  uint32_t i = 0, k = 0;
  if (x.degree + y.degree > TP_SMT_ALGEBRA_DEGREE) {
    s->too_large = true;
    return 0;
  }
  while (i < x.degree || k < y.degree)
    m.atoms[m.degree++] = k == y.degree || (i < x.degree && x.atoms[i].id <= y.atoms[k].id)
                              ? x.atoms[i++]
                              : y.atoms[k++];
  return number_of(s, &m);
}

static void charge(space *s, size_t work) {
  s->work += work;
  s->too_large |= s->work > TP_SMT_ALGEBRA_WORK;
}

static poly poly_new(space *s, uint32_t width, size_t most) {
  charge(s, most + 1);
  return (poly){.width = width, .at = tp_arena_alloc(&s->arena, (most + 1) * sizeof(summand))};
}

static poly constant(space *s, uint32_t width, uint64_t c) {
  poly p = poly_new(s, width, 1);
  c &= mask_of(width);
  if (c) p.at[p.n++] = (summand){0, c};
  return p;
}

static poly atom(space *s, uint32_t width, tp_term t) {
  poly p = poly_new(s, width, 1);
  monomial m = {.degree = 1, .atoms = {t}};
  p.at[p.n++] = (summand){number_of(s, &m), 1};
  return p;
}

/* a + factor * b */
static poly plus(space *s, poly a, uint64_t factor, poly b) {
  TP_REQUIRE(a.width == b.width);
  uint64_t mask = mask_of(a.width);
  poly p = poly_new(s, a.width, a.n + b.n);
  size_t i = 0, k = 0;
  while (i < a.n || k < b.n) {
    summand x;
    if (k == b.n || (i < a.n && a.at[i].monomial < b.at[k].monomial))
      x = a.at[i++];
    else if (i == a.n || b.at[k].monomial < a.at[i].monomial)
      x = (summand){b.at[k].monomial, factor * b.at[k].coefficient}, k++;
    else
      x = (summand){a.at[i].monomial, a.at[i].coefficient + factor * b.at[k].coefficient}, i++, k++;
    x.coefficient &= mask;
    if (x.coefficient) p.at[p.n++] = x;
  }
  if (p.n > TP_SMT_ALGEBRA_SUMMANDS) s->too_large = true, p.n = 0;
  return p;
}

static poly times(space *s, poly a, poly b) {
  TP_REQUIRE(a.width == b.width);
  poly sum = constant(s, a.width, 0);
  for (size_t i = 0; i < a.n && !s->too_large; i++) {
    for (size_t k = 0; k < b.n && !s->too_large; k++) {
      poly one = poly_new(s, a.width, 1);
      one.at[one.n++] = (summand){product_of(s, a.at[i].monomial, b.at[k].monomial), 1};
      sum = plus(s, sum, a.at[i].coefficient * b.at[k].coefficient, one);
    }
  }
  return sum;
}

static poly poly_of(space *s, tp_term t, int depth);

/* What is no sum or product: a constant, where the facts leave one value. */
static poly unknown(space *s, tp_term t) {
  uint64_t value;
  const uint32_t w = tp_width(s->tt, t);
  return tp_bounds_value(s->bounds, t, &value) ? constant(s, w, value) : atom(s, w, t);
}

/* t is x / 2^bits: an atom; what remains is asked later. */
static poly power_quotient(space *s, tp_term t, tp_term x, uint32_t bits, tp_term rest) {
  bool is_new = true;
  for (size_t i = 0; i < s->quotients.n; i++) is_new &= !tp_term_eq(s->quotients.at[i].t, t);
  if (is_new) tp_vec_push(&s->quotients, (quotient){.t = t, .x = x, .rest = rest, .bits = bits});
  return unknown(s, t);
}

/* The same where t is made of the high bits of x. */
static poly high_bits(space *s, tp_term t, tp_term x, uint32_t bits) {
  const tp_term rest =
      bits ? tp_mk_zext(s->tt, tp_width(s->tt, x), tp_mk_extract(s->tt, bits - 1, 0, x))
           : tp_mk_bv(s->tt, tp_width(s->tt, x), 0);
  return power_quotient(s, t, x, bits, rest);
}

/* x / c or x % c for a constant c: the remainder is x - c (x / c), whatever rounds the quotient. */
static poly divided(space *s, tp_term t, int depth) {
  tp_terms *tt = s->tt;
  const uint32_t w = tp_width(tt, t);
  const tp_term x = tp_arg(tt, t, 0), by = tp_arg(tt, t, 1);
  const tp_term_kind k = tp_kind(tt, t);
  uint64_t c;
  if (!tp_bv_value_u64(tt, by, &c) || c == 0) return unknown(s, t);
  if (k == TP_OP_BV_SDIV || k == TP_OP_BV_UDIV) {
    const tp_term rest = tp_mk2(tt, k == TP_OP_BV_SDIV ? TP_OP_BV_SREM : TP_OP_BV_UREM, x, by);
    const bool is_power = (c & (c - 1)) == 0 && c >> (w - 1) == 0;
    return is_power ? power_quotient(s, t, x, valuation_of(c), rest) : unknown(s, t);
  }
  const tp_term by_c = tp_mk2(tt, k == TP_OP_BV_SREM ? TP_OP_BV_SDIV : TP_OP_BV_UDIV, x, by);
  return plus(s, poly_of(s, x, depth - 1), ~c + 1, poly_of(s, by_c, depth - 1));
}

/* An extension of a sum or product that does not wrap: the sum or product of extensions. */
static poly extended(space *s, tp_term t, int depth) {
  tp_terms *tt = s->tt;
  const tp_term x = tp_arg(tt, t, 0);
  const uint32_t w = tp_width(tt, t), n = tp_n_args(tt, x);
  const bool is_signed = tp_kind(tt, t) == TP_OP_BV_SEXT;
  poly args[2];
  if (!is_signed && tp_bounds_not_negative(s->bounds, x))
    return poly_of(s, tp_mk_sext(tt, w, x), depth - 1);
  if (tp_kind(tt, x) == TP_OP_BV_EXTRACT && tp_extract_lo(tt, x) == 0 && !is_signed &&
      tp_width(tt, tp_arg(tt, x, 0)) == w) {  // the low bits: what is above is taken away
    const tp_term all = tp_arg(tt, x, 0);
    const uint32_t bits = tp_width(tt, x);
    const tp_term above = tp_mk2(tt, TP_OP_BV_LSHR, all, tp_mk_bv(tt, w, bits));
    return plus(s, poly_of(s, all, depth - 1), ~((uint64_t)1 << bits) + 1,
                high_bits(s, above, all, bits));
  }
  if (tp_kind(tt, x) == TP_OP_BV_EXTRACT && !is_signed && tp_width(tt, tp_arg(tt, x, 0)) == w &&
      tp_extract_hi(tt, x) == w - 1)
    return high_bits(s, t, tp_arg(tt, x, 0), tp_extract_lo(tt, x));
  if (!tp_bounds_exact(s->bounds, x, is_signed)) return unknown(s, t);
  for (uint32_t i = 0; i < n; i++) {
    const tp_term a = tp_arg(tt, x, i);
    args[i] = poly_of(s, is_signed ? tp_mk_sext(tt, w, a) : tp_mk_zext(tt, w, a), depth - 1);
  }
  switch ((int)tp_kind(tt, x)) {
    case TP_OP_BV_ADD: return plus(s, args[0], 1, args[1]);
    case TP_OP_BV_MUL: return times(s, args[0], args[1]);
    default:
      TP_INVARIANT(tp_kind(tt, x) == TP_OP_BV_NEG);
      return plus(s, constant(s, w, 0), UINT64_MAX, args[0]);
  }
}

static poly expand(space *s, tp_term t, int depth) {
  tp_terms *tt = s->tt;
  uint32_t w = tp_width(tt, t);
  uint64_t c;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_CONST: return tp_bv_value_u64(tt, t, &c) ? constant(s, w, c) : atom(s, w, t);
    case TP_OP_BV_ADD:
      return plus(s, poly_of(s, tp_arg(tt, t, 0), depth - 1), 1,
                  poly_of(s, tp_arg(tt, t, 1), depth - 1));
    case TP_OP_BV_NEG:
      return plus(s, constant(s, w, 0), UINT64_MAX, poly_of(s, tp_arg(tt, t, 0), depth - 1));
    case TP_OP_BV_NOT:
      return plus(s, constant(s, w, UINT64_MAX), UINT64_MAX,
                  poly_of(s, tp_arg(tt, t, 0), depth - 1));
    case TP_OP_BV_MUL:
      return times(s, poly_of(s, tp_arg(tt, t, 0), depth - 1),
                   poly_of(s, tp_arg(tt, t, 1), depth - 1));
    case TP_OP_BV_SHL:
      if (!tp_bv_value_u64(tt, tp_arg(tt, t, 1), &c) || c >= w) return unknown(s, t);
      return plus(s, constant(s, w, 0), (uint64_t)1 << c, poly_of(s, tp_arg(tt, t, 0), depth - 1));
    case TP_OP_BV_LSHR:
      if (!tp_bv_value_u64(tt, tp_arg(tt, t, 1), &c) || c >= w) return unknown(s, t);
      return high_bits(s, t, tp_arg(tt, t, 0), (uint32_t)c);
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SREM:
    case TP_OP_BV_UREM: return divided(s, t, depth);
    case TP_OP_BV_SEXT:
    case TP_OP_BV_ZEXT: return extended(s, t, depth);
    default: return unknown(s, t);
  }
}

/* Each term once: what occurs in several summands of others would be expanded again for each of
 * them. */
static poly poly_of(space *s, tp_term t, int depth) {
  uint64_t i;
  if (tp_map_get(&s->known, t.id, &i)) return s->polys.at[i];
  if (depth == 0 || s->too_large) return atom(s, tp_width(s->tt, t), t);
  poly p = expand(s, t, depth);
  if (s->too_large) return p;
  tp_map_set(&s->known, t.id, s->polys.n);
  tp_vec_push(&s->polys, p);
  return p;
}

// ------------------------------------------------------------------- reduction

/* Where an atom stands in a monomial; its degree if it does not. */
static uint32_t place_in(const monomial *m, tp_term t) {
  uint32_t k = 0;
  while (k < m->degree && !tp_term_eq(m->atoms[k], t)) k++;
  return k;
}

/* A summand with the solved atom replaced once. */
static poly substitute_once(space *s, uint32_t width, summand x, const solved *by) {
  const monomial m = s->monomials.at[x.monomial];
  const uint32_t place = place_in(&m, by->atom);
  TP_REQUIRE(place < m.degree && width == by->value.width);
  poly rest = constant(s, width, x.coefficient >> by->valuation);
  for (uint32_t k = 0; k < m.degree; k++)
    if (k != place) rest = times(s, rest, atom(s, width, m.atoms[k]));
  return times(s, rest, by->value);
}

/* p with the solved atom replaced, wherever its coefficient allows. */
static poly substitute(space *s, poly p, const solved *by) {
  const uint64_t odd_bits = mask_of(by->valuation);
  for (bool again = p.width == by->value.width; again && !s->too_large;) {
    again = false;
    charge(s, p.n);
    for (size_t i = 0; i < p.n && !again; i++) {
      const summand x = p.at[i];
      const monomial *m = &s->monomials.at[x.monomial];
      if ((x.coefficient & odd_bits) || place_in(m, by->atom) == m->degree) continue;
      poly without = poly_new(s, p.width, p.n);
      for (size_t k = 0; k < p.n; k++)
        if (k != i) without.at[without.n++] = p.at[k];
      p = plus(s, without, 1, substitute_once(s, p.width, x, by));
      again = true;
    }
  }
  return p;
}

/* In order: the value of each solved atom speaks of none that was solved before it. */
static poly reduced(space *s, poly p) {
  for (size_t i = 0; i < s->solved.n && !s->too_large; i++) p = substitute(s, p, &s->solved.at[i]);
  for (size_t i = 0; i < s->rows.n && !s->too_large; i++) {
    const row *r = &s->rows.at[i];
    for (size_t k = 0; k < p.n && r->p.width == p.width; k++) {
      uint64_t c = p.at[k].coefficient;
      if (p.at[k].monomial != r->pivot || (c & mask_of(r->valuation))) continue;
      p = plus(s, p, ~(c >> r->valuation) + 1, r->p);
      break;
    }
  }
  return p;
}

static uint64_t inverse(uint64_t odd) {
  TP_REQUIRE(odd & 1);  // only odd numbers have an inverse modulo 2^n
  uint64_t x = odd;     // right in the three lowest bits; each step doubles their number
  for (int i = 0; i < 5; i++) x *= 2 - odd * x;
  return x;
}

/* How many monomials of p have the atom? */
static size_t count_atom(const space *s, poly p, tp_term t) {
  size_t n = 0;
  for (size_t i = 0; i < p.n; i++) {
    const monomial *m = &s->monomials.at[p.at[i].monomial];
    bool occurs = false;
    for (uint32_t k = 0; k < m->degree; k++) occurs |= tp_term_eq(m->atoms[k], t);
    n += occurs;
  }
  return n;
}

/* p = 0 gives an atom as a polynomial of others? The newest such atom. */
static bool solve_for_atom(space *s, poly p) {
  size_t best = p.n;
  for (size_t i = 0; i < p.n; i++) {
    const monomial *m = &s->monomials.at[p.at[i].monomial];
    if (m->degree != 1 || !(p.at[i].coefficient & 1) || count_atom(s, p, m->atoms[0]) != 1)
      continue;
    if (best == p.n || m->atoms[0].id > s->monomials.at[p.at[best].monomial].atoms[0].id) best = i;
  }
  if (best == p.n) return false;
  tp_term t = s->monomials.at[p.at[best].monomial].atoms[0];
  uint64_t to_minus_one = ~inverse(p.at[best].coefficient) + 1;
  poly value = plus(s, atom(s, p.width, t), to_minus_one, p);  // t - (1/c) p: t is gone
  tp_vec_push(&s->solved, (solved){t, 0, value});
  return true;
}

/* Rows speak of the newest solved atom no more; they keep a pivot or go. */
static void rows_without_solved(space *s) {
  for (size_t i = 0; i < s->rows.n && !s->too_large; i++) {
    row *r = &s->rows.at[i];
    bool kept = false;
    r->p = substitute(s, r->p, &tp_vec_last(&s->solved));
    for (size_t k = 0; k < r->p.n; k++)
      kept |= r->p.at[k].monomial == r->pivot && r->p.at[k].coefficient == (uint64_t)1
                                                                               << r->valuation;
    if (!kept) r->p.n = 0, r->pivot = UINT32_MAX;
  }
}

/* 2^bits (x / 2^bits) = x - rest, whatever rounds the quotient. Where all coefficients of x are
 * multiples of 2^bits nothing remains; else the facts may leave one value for the rest. */
static void find_known_rests(space *s) {
  for (size_t i = 0; i < s->quotients.n && !s->too_large; i++) {
    const quotient q = s->quotients.at[i];
    uint64_t rest = 0;
    if (q.is_known) continue;
    poly x = reduced(s, poly_of(s, q.x, TP_SMT_ALGEBRA_LEVELS));
    bool is_multiple = true;
    for (size_t k = 0; k < x.n; k++) is_multiple &= !(x.at[k].coefficient & mask_of(q.bits));
    if (!is_multiple && !tp_bounds_value(s->bounds, q.rest, &rest)) continue;
    if (rest) x = plus(s, x, UINT64_MAX, constant(s, x.width, rest));
    if (s->too_large || count_atom(s, x, q.t) != 0) continue;
    s->quotients.at[i].is_known = true;
    tp_vec_push(&s->solved, (solved){q.t, q.bits, x});
    rows_without_solved(s);
  }
}

/* Rows and solved atoms from p = 0. False: p is a constant that is not zero. */
static bool add_equation(space *s, poly p) {
  p = reduced(s, p);
  if (p.n == 0 || s->too_large) return true;
  if (p.n == 1 && p.at[0].monomial == 0) return false;
  if (solve_for_atom(s, p)) {
    rows_without_solved(s);
    return true;
  }
  size_t pivot = 0;
  for (size_t i = 0; i < p.n; i++) {
    if (p.at[i].monomial == 0) continue;
    uint32_t v = valuation_of(p.at[i].coefficient), old = valuation_of(p.at[pivot].coefficient);
    uint32_t degree = s->monomials.at[p.at[i].monomial].degree,
             old_degree = s->monomials.at[p.at[pivot].monomial].degree;
    if (p.at[pivot].monomial == 0 || v < old || (v == old && degree >= old_degree)) pivot = i;
  }
  uint32_t v = valuation_of(p.at[pivot].coefficient), monomial_number = p.at[pivot].monomial;
  poly scaled = plus(s, constant(s, p.width, 0), inverse(p.at[pivot].coefficient >> v), p);
  tp_vec_push(&s->rows, (row){scaled, monomial_number, v});
  return true;
}

// ------------------------------------------------------------------- refutation

static bool is_equation(const tp_terms *tt, tp_term t) {
  return tp_kind(tt, t) == TP_OP_EQ &&
         tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BV &&
         tp_width(tt, tp_arg(tt, t, 0)) <= 64;
}

static poly difference(space *s, tp_term equation) {
  poly a = poly_of(s, tp_arg(s->tt, equation, 0), TP_SMT_ALGEBRA_LEVELS),
       b = poly_of(s, tp_arg(s->tt, equation, 1), TP_SMT_ALGEBRA_LEVELS);
  return plus(s, a, UINT64_MAX, b);
}

// ----------------------------------------------------------------------- ranges

typedef struct {
  tp_i128 lo, hi;
} range;

static tp_i128 least(tp_i128 a, tp_i128 b) { return a < b ? a : b; }
static tp_i128 most(tp_i128 a, tp_i128 b) { return a > b ? a : b; }

static bool range_times(range *a, range b) {
  tp_i128 c[4];
  if (__builtin_mul_overflow(a->lo, b.lo, &c[0]) || __builtin_mul_overflow(a->lo, b.hi, &c[1]) ||
      __builtin_mul_overflow(a->hi, b.lo, &c[2]) || __builtin_mul_overflow(a->hi, b.hi, &c[3]))
    return false;
  *a = (range){least(least(c[0], c[1]), least(c[2], c[3])),
               most(most(c[0], c[1]), most(c[2], c[3]))};
  return true;
}

/* Of the integer that p is, its atoms and coefficients read as signed or unsigned numbers and the
 * latter as those next to zero: p is that integer modulo 2^width. False: it is too large. */
static bool range_of(space *s, poly p, bool is_signed, range *out) {
  *out = (range){0, 0};
  for (size_t i = 0; i < p.n; i++) {
    const monomial *m = &s->monomials.at[p.at[i].monomial];
    const bool is_above = p.at[i].coefficient >> (p.width - 1);
    const tp_i128 c = (tp_i128)p.at[i].coefficient - (is_above ? (tp_i128)1 << p.width : 0);
    range product = {c, c}, one;
    for (uint32_t k = 0; k < m->degree; k++)
      if (!tp_bounds_span(s->bounds, m->atoms[k], is_signed, &one.lo, &one.hi) ||
          !range_times(&product, one))
        return false;
    if (__builtin_add_overflow(out->lo, product.lo, &out->lo) ||
        __builtin_add_overflow(out->hi, product.hi, &out->hi))
      return false;
  }
  return true;
}

/* Of the value of p in one reading. False: it may be anything. */
static bool value_range(space *s, poly p, bool is_signed, range *out) {
  const tp_i128 half = (tp_i128)1 << (p.width - 1);
  const range all = is_signed ? (range){-half, half - 1} : (range){0, 2 * half - 1};
  for (int reading = 0; reading < 2; reading++)
    if (range_of(s, p, reading, out) && all.lo <= out->lo && out->hi <= all.hi) return true;
  return false;
}

/* p is not zero, whatever its atoms are within their bounds. */
static bool is_never_zero(space *s, poly p) {
  const tp_i128 period = (tp_i128)1 << p.width;
  range r;
  for (int reading = 0; reading < 2; reading++)
    if (range_of(s, p, reading, &r) &&
        ((0 < r.lo && r.hi < period) || (-period < r.lo && r.hi < 0)))
      return true;
  return false;
}

// -------------------------------------------------------------------- decisions

/* An equation that the known ones decide. */
static tp_term decide_equation(space *s, tp_term equation) {
  const poly d = difference(s, equation);
  find_known_rests(s);
  poly p = reduced(s, d);
  if (s->too_large) {  // this one only
    s->too_large = false;
    return equation;
  }
  if (p.n == 0) return tp_mk_true(s->tt);
  return is_never_zero(s, p) ? tp_mk_false(s->tt) : equation;
}

static bool is_comparison(const tp_terms *tt, tp_term t) {
  return tp_kind_order(tp_kind(tt, t)).is_order && tp_width(tt, tp_arg(tt, t, 0)) <= 64;
}

/* A comparison that the ranges of its sides decide, once equations are used. */
static tp_term decide_comparison(space *s, tp_term t) {
  const tp_order order = tp_kind_order(tp_kind(s->tt, t));
  range sides[2];
  for (uint32_t i = 0; i < 2; i++) {
    const poly p = reduced(s, poly_of(s, tp_arg(s->tt, t, i), TP_SMT_ALGEBRA_LEVELS));
    const bool is_lost = s->too_large;
    s->too_large = false;
    if (is_lost || !value_range(s, p, order.is_signed, &sides[i])) return t;
  }
  if (sides[0].hi + order.is_strict <= sides[1].lo) return tp_mk_true(s->tt);
  return sides[1].hi < sides[0].lo + order.is_strict ? tp_mk_false(s->tt) : t;
}

/* The Boolean structure above equations, with those decide_equation. */
static tp_term rewrite(space *s, tp_term t, int depth) {
  tp_terms *tt = s->tt;
  uint64_t found;
  tp_term args[3], made = t;
  if (tp_map_get(&s->rewritten, t.id, &found)) return (tp_term){(uint32_t)found};
  if (is_equation(tt, t)) {
    made = decide_equation(s, t);
  } else if (is_comparison(tt, t)) {
    made = decide_comparison(s, t);
  } else if (depth > 0 && tp_n_args(tt, t) &&
             tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BOOL &&
             tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL &&
             tp_kind(tt, t) != TP_OP_FORALL && tp_kind(tt, t) != TP_OP_EXISTS) {
    for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
      args[i] = rewrite(s, tp_arg(tt, t, i), depth - 1);
    made = tp_remake(tt, t, args);
  }
  tp_map_set(&s->rewritten, t.id, made.id);
  return made;
}

static bool has_room(const space *s) {
  return !s->too_large && s->monomials.n < TP_SMT_ALGEBRA_MONOMIALS;
}

/* The two passes; the first again where rests of divisions became known. */
static bool refutes_parts(space *s, const tp_term *parts, size_t n) {
  bool refuted = false;
  for (size_t known = SIZE_MAX; known != s->solved.n && !refuted && has_room(s);) {
    known = s->solved.n;
    for (size_t i = 0; i < n && !refuted && has_room(s); i++)
      if (is_equation(s->tt, parts[i])) refuted = !add_equation(s, difference(s, parts[i]));
    if (s->quotients.n == 0) break;
    find_known_rests(s);
  }
  for (size_t i = 0; i < n && !refuted && has_room(s); i++)
    if (!is_equation(s->tt, parts[i]))
      refuted = tp_is_false(s->tt, rewrite(s, parts[i], TP_SMT_ALGEBRA_LEVELS));
  return refuted;
}

static void space_clear(space *s) {
  tp_vec_clear(&s->quotients);
  tp_vec_clear(&s->monomials);
  tp_vec_clear(&s->solved);
  tp_vec_clear(&s->rows);
  tp_vec_clear(&s->polys);
  tp_map_clear(&s->known);
  tp_map_clear(&s->numbers);
  tp_map_clear(&s->rewritten);
  tp_bounds_free(s->bounds);
  tp_arena_clear(&s->arena);
}

bool tp_algebra_refutes_conjunction(tp_terms *tt, const tp_term *facts, size_t n) {
  space s = {.tt = tt, .bounds = tp_bounds_new(tt, facts, n)};
  tp_term_list parts = {0};
  monomial one = {0};
  tp_arena_init(&s.arena);
  (void)number_of(&s, &one);
  for (size_t i = 0; i < n && parts.n < TP_SMT_ALGEBRA_FACTS; i++)
    tp_conjuncts(tt, facts[i], &parts);
  tp_algebra_add_meeting_orders(tt, &parts);
  const size_t n_parts = parts.n < TP_SMT_ALGEBRA_FACTS ? parts.n : TP_SMT_ALGEBRA_FACTS;
  const bool refuted = tp_bounds_are_empty(s.bounds) || refutes_parts(&s, parts.at, n_parts);
  tp_vec_clear(&parts);
  space_clear(&s);
  return refuted;
}

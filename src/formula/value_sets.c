/* Possible values of bit-vector terms.
 *
 * One rule per operator on the two forms; what has no rule is the full progression (0, 2^w - 1, 1).
 * Sums and multiples of progressions are exact in the residues because both sides live modulo 2^w;
 * a progression longer than 2^w is cut to the full one, where only the power-of-two part of the
 * stride survives the wrap. */
#include "formula/value_sets.h"

#include "formula/formula_limits.h"

#include <stdlib.h>

void tp_value_sets_init(tp_value_sets *m, tp_terms *tt) {
  memset(m, 0, sizeof *m);
  m->tt = tt;
  tp_arena_init(&m->arena);
}

void tp_value_sets_clear(tp_value_sets *m) {
  tp_map_clear(&m->known);
  tp_arena_clear(&m->arena);
}

static uint64_t mask_of(uint32_t w) { return w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1; }

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static uint64_t low_bit(uint64_t x) { return x & (~x + 1); }

// --------------------------------------------------------------- constructors

static const tp_value_set *progression(tp_value_sets *m, uint32_t w, uint64_t lo, tp_u128 span,
                                       uint64_t stride) {
  tp_value_set *v = tp_arena_new(&m->arena, tp_value_set);
  if (stride == 0) stride = 1;
  if (span > mask_of(w)) {
    stride = low_bit(stride);
    if (w < 64 && stride > mask_of(w)) stride = 1;
    *v = (tp_value_set){0, NULL, lo % stride, mask_of(w) - (stride - 1), stride};
  } else {
    *v = (tp_value_set){0, NULL, lo & mask_of(w), (uint64_t)span, stride};
  }
  return v;
}

static const tp_value_set *full(tp_value_sets *m, uint32_t w) {
  return progression(m, w, 0, mask_of(w), 1);
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static const tp_value_set *set_of(tp_value_sets *m, const uint64_t *at, uint32_t n) {
  uint64_t *own = tp_arena_array(&m->arena, uint64_t, n), stride = 0;
  memcpy(own, at, n * sizeof *own);
  qsort(own, n, sizeof *own, by_value);
  uint32_t k = 1;
  for (uint32_t i = 1; i < n; i++)
    if (own[i] != own[k - 1]) own[k++] = own[i];
  for (uint32_t i = 1; i < k; i++) {
    TP_INVARIANT(own[i - 1] < own[i]);  // the ends of the set are its smallest and largest value
    stride = gcd(stride, own[i] - own[0]);
  }
  tp_value_set *v = tp_arena_new(&m->arena, tp_value_set);
  *v = (tp_value_set){k, own, own[0], own[k - 1] - own[0], stride ? stride : 1};
  return v;
}

// ------------------------------------------------------------------ questions

bool tp_value_set_residue(const tp_value_set *v, uint64_t modulus, uint64_t *residue) {
  TP_REQUIRE(modulus && (modulus & (modulus - 1)) == 0);
  *residue = v->lo % modulus;
  return v->stride % modulus == 0 || (v->n == 1);
}

static bool wraps(const tp_value_set *v, uint32_t w) { return v->span > mask_of(w) - v->lo; }

uint64_t tp_value_set_min(const tp_value_set *v, uint32_t w) { return wraps(v, w) ? 0 : v->lo; }
uint64_t tp_value_set_max(const tp_value_set *v, uint32_t w) {
  return wraps(v, w) ? mask_of(w) : v->lo + v->span;
}

// ---------------------------------------------------------------------- rules

static const tp_value_set *join(tp_value_sets *m, uint32_t w, const tp_value_set *a,
                                const tp_value_set *b) {
  if (a->n && b->n && a->n + b->n <= 2 * TP_FORMULA_VALUES) {
    uint64_t both[2 * TP_FORMULA_VALUES];
    memcpy(both, a->at, a->n * sizeof *both);
    memcpy(both + a->n, b->at, b->n * sizeof *both);
    const tp_value_set *u = set_of(m, both, a->n + b->n);
    if (u->n <= TP_FORMULA_VALUES) return u;
  }
  if (a == b) return a;
  // Start at either end; the shorter cover wins.
  uint64_t gap_ab = (b->lo - a->lo) & mask_of(w), gap_ba = (a->lo - b->lo) & mask_of(w);
  tp_u128 span_ab = (tp_u128)gap_ab + b->span, span_ba = (tp_u128)gap_ba + a->span;
  if (span_ab < a->span) span_ab = a->span;
  if (span_ba < b->span) span_ba = b->span;
  uint64_t stride = gcd(a->span ? a->stride : 0, b->span ? b->stride : 0);
  if (span_ab <= span_ba) return progression(m, w, a->lo, span_ab, gcd(stride, gap_ab));
  return progression(m, w, b->lo, span_ba, gcd(stride, gap_ba));
}

static const tp_value_set *add(tp_value_sets *m, uint32_t w, const tp_value_set *a,
                               const tp_value_set *b) {
  if (a->n && b->n && a->n * b->n <= 4 * TP_FORMULA_VALUES) {
    uint64_t sums[4 * TP_FORMULA_VALUES];
    for (uint32_t i = 0; i < a->n; i++)
      for (uint32_t j = 0; j < b->n; j++) sums[i * b->n + j] = (a->at[i] + b->at[j]) & mask_of(w);
    const tp_value_set *s = set_of(m, sums, a->n * b->n);
    if (s->n <= TP_FORMULA_VALUES) return s;
  }
  uint64_t stride = gcd(a->span ? a->stride : 0, b->span ? b->stride : 0);
  return progression(m, w, a->lo + b->lo, (tp_u128)a->span + b->span, stride);
}

/* Apply f to each member. */
static const tp_value_set *map_set(tp_value_sets *m, const tp_value_set *a,
                                   uint64_t (*f)(uint64_t x, uint64_t c, uint32_t w), uint64_t c,
                                   uint32_t w) {
  uint64_t out[TP_FORMULA_VALUES];
  for (uint32_t i = 0; i < a->n; i++) out[i] = f(a->at[i], c, w);
  return set_of(m, out, a->n);
}

static uint64_t f_mul(uint64_t x, uint64_t c, uint32_t w) { return (x * c) & mask_of(w); }
static uint64_t f_and(uint64_t x, uint64_t c, uint32_t w) { return x & c & mask_of(w); }
static uint64_t f_lshr(uint64_t x, uint64_t c, uint32_t w) { return (void)w, c > 63 ? 0 : x >> c; }
static uint64_t f_trunc(uint64_t x, uint64_t c, uint32_t w) { return (void)c, x & mask_of(w); }
static uint64_t f_urem(uint64_t x, uint64_t c, uint32_t w) { return (void)w, c ? x % c : x; }
static uint64_t f_udiv(uint64_t x, uint64_t c, uint32_t w) { return c ? x / c : mask_of(w); }
static uint64_t f_sext(uint64_t x, uint64_t from, uint32_t w) {
  uint64_t sign = (uint64_t)1 << (from - 1);
  return ((x ^ sign) - sign) & mask_of(w);
}

static const tp_value_set *mul(tp_value_sets *m, uint32_t w, const tp_value_set *a, uint64_t c) {
  if (a->n) return map_set(m, a, f_mul, c, w);
  uint64_t minus_c = (~c + 1) & mask_of(w);
  if (c == 0) return set_of(m, &c, 1);
  if (minus_c < c)  // a negative factor turns the progression round
    return progression(m, w, (a->lo + a->span / a->stride * a->stride) * c,
                       (tp_u128)a->span * minus_c,
                       a->stride > UINT64_MAX / minus_c ? low_bit(a->stride) * low_bit(minus_c)
                                                        : a->stride * minus_c);
  return progression(m, w, a->lo * c, (tp_u128)a->span * c,
                     a->stride > UINT64_MAX / c ? low_bit(a->stride) * low_bit(c) : a->stride * c);
}

static const tp_value_set *zext(tp_value_sets *m, uint32_t from, const tp_value_set *a) {
  if (a->n || !wraps(a, from)) return a;
  return progression(m, from, a->lo, (tp_u128)mask_of(from) + 1, a->stride);
}

static const tp_value_set *sext(tp_value_sets *m, uint32_t from, uint32_t to,
                                const tp_value_set *a) {
  if (a->n) return map_set(m, a, f_sext, from, to);
  uint64_t sign = (uint64_t)1 << (from - 1), room = (sign - 1 - a->lo) & mask_of(from);
  if (a->span <= room) return progression(m, to, f_sext(a->lo, from, to), a->span, a->stride);
  uint64_t stride = low_bit(a->stride);
  if (stride > sign) stride = 1;
  uint64_t lo = f_sext(sign, from, to) + a->lo % stride;
  return progression(m, to, lo, mask_of(from) - (stride - 1), stride);
}

static const tp_value_set *trunc_to(tp_value_sets *m, uint32_t w, const tp_value_set *a) {
  if (a->n) return map_set(m, a, f_trunc, 0, w);
  return progression(m, w, a->lo, a->span, a->stride);
}

static const tp_value_set *and_mask(tp_value_sets *m, uint32_t w, const tp_value_set *a,
                                    uint64_t c) {
  if (a->n) return map_set(m, a, f_and, c, w);
  if (c == 0) return set_of(m, &c, 1);
  return progression(m, w, 0, c, low_bit(c));
}

static const tp_value_set *divide(tp_value_sets *m, uint32_t w, const tp_value_set *a,
                                  tp_term_kind k, uint64_t c) {
  if (k == TP_OP_BV_LSHR) {
    if (a->n) return map_set(m, a, f_lshr, c, w);
    if (c > 63) return full(m, w);
    uint64_t lo = tp_value_set_min(a, w) >> c;
    return progression(m, w, lo, (tp_value_set_max(a, w) >> c) - lo, 1);
  }
  if (c == 0) return full(m, w);
  if (k == TP_OP_BV_UDIV) {
    if (a->n) return map_set(m, a, f_udiv, c, w);
    uint64_t lo = tp_value_set_min(a, w) / c;
    return progression(m, w, lo, tp_value_set_max(a, w) / c - lo, 1);
  }
  if (a->n) return map_set(m, a, f_urem, c, w);
  return tp_value_set_max(a, w) < c ? a : progression(m, w, 0, c - 1, 1);
}

static const tp_value_set *srem(tp_value_sets *m, uint32_t w, uint64_t c) {
  uint64_t sign = (uint64_t)1 << (w - 1), abs = c & sign ? (~c + 1) & mask_of(w) : c;
  if (abs == 0 || abs == sign) return full(m, w);
  return progression(m, w, ~(abs - 1) + 1, (tp_u128)2 * (abs - 1), 1);
}

static const tp_value_set *lookup(const tp_value_sets *m, tp_term t) {
  uint64_t at;
  return tp_map_get(&m->known, t.id, &at) ? (const tp_value_set *)(uintptr_t)at : NULL;
}

static const tp_value_set *by_constant(tp_value_sets *m, tp_term_kind k, uint32_t w,
                                       const tp_value_set *a, uint64_t c) {
  if (k == TP_OP_BV_MUL) return mul(m, w, a, c);
  if (k == TP_OP_BV_SHL) return c < w ? mul(m, w, a, (uint64_t)1 << c) : full(m, w);
  if (k == TP_OP_BV_AND) return and_mask(m, w, a, c);
  if (k == TP_OP_BV_SREM) return srem(m, w, c);
  if (k == TP_OP_BV_LSHR || k == TP_OP_BV_UDIV || k == TP_OP_BV_UREM) return divide(m, w, a, k, c);
  return full(m, w);
}

static bool has_operands(const tp_terms *tt, tp_term t) {
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i))) == TP_SORT_BV &&
        tp_width(tt, tp_arg(tt, t, i)) > 64)
      return false;
  return true;
}

/* The rule for t, operands known. */
static const tp_value_set *rule(tp_value_sets *m, tp_term t) {
  const tp_terms *tt = m->tt;
  uint32_t w = tp_width(tt, t);
  tp_term_kind k = tp_kind(tt, t);
  uint64_t c;
  if (tp_bv_value_u64(tt, t, &c)) return set_of(m, &c, 1);
  if (!has_operands(tt, t)) return full(m, w);
  if (k == TP_OP_ITE) return join(m, w, lookup(m, tp_arg(tt, t, 1)), lookup(m, tp_arg(tt, t, 2)));
  if (k == TP_OP_BV_ADD) return add(m, w, lookup(m, tp_arg(tt, t, 0)), lookup(m, tp_arg(tt, t, 1)));
  if (k == TP_OP_BV_NEG) return mul(m, w, lookup(m, tp_arg(tt, t, 0)), mask_of(w));
  if (k == TP_OP_BV_ZEXT)
    return zext(m, tp_width(tt, tp_arg(tt, t, 0)), lookup(m, tp_arg(tt, t, 0)));
  if (k == TP_OP_BV_SEXT)
    return sext(m, tp_width(tt, tp_arg(tt, t, 0)), w, lookup(m, tp_arg(tt, t, 0)));
  if (k == TP_OP_BV_EXTRACT && tp_extract_lo(tt, t) == 0)
    return trunc_to(m, w, lookup(m, tp_arg(tt, t, 0)));
  if (k == TP_OP_BV_CONCAT && tp_bv_value_u64(tt, tp_arg(tt, t, 0), &c) && c == 0)
    return zext(m, tp_width(tt, tp_arg(tt, t, 1)), lookup(m, tp_arg(tt, t, 1)));
  if (tp_n_args(tt, t) == 2 && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &c))
    return by_constant(m, k, w, lookup(m, tp_arg(tt, t, 0)), c);
  if ((k == TP_OP_BV_MUL || k == TP_OP_BV_AND) && tp_bv_value_u64(tt, tp_arg(tt, t, 0), &c))
    return by_constant(m, k, w, lookup(m, tp_arg(tt, t, 1)), c);
  return full(m, w);
}

/* Operands that rules look at: bit-vectors of at most 64 bits. */
static bool wanted(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV && tp_width(tt, t) <= 64;
}

static bool is_opaque(tp_term_kind k) {
  return k != TP_OP_ITE && k != TP_OP_BV_ADD && k != TP_OP_BV_MUL && k != TP_OP_BV_NEG &&
         k != TP_OP_BV_ZEXT && k != TP_OP_BV_SEXT && k != TP_OP_BV_EXTRACT &&
         k != TP_OP_BV_CONCAT && k != TP_OP_BV_SHL && k != TP_OP_BV_LSHR && k != TP_OP_BV_AND &&
         k != TP_OP_BV_UDIV && k != TP_OP_BV_UREM && k != TP_OP_BV_SREM;
}

const tp_value_set *tp_value_set_of(tp_value_sets *m, tp_term t) {
  TP_REQUIRE(tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_BV &&
             tp_width(m->tt, t) <= 64);
  const tp_value_set *v = lookup(m, t);
  if (v) return v;
  TP_VEC(tp_term) stack = {0};
  tp_vec_push(&stack, t);
  while (stack.n) {
    tp_term top = tp_vec_last(&stack);
    bool ready = true;
    if (!lookup(m, top) && !is_opaque(tp_kind(m->tt, top)))
      for (uint32_t i = 0; i < tp_n_args(m->tt, top); i++) {
        tp_term arg = tp_arg(m->tt, top, i);
        if (!wanted(m->tt, arg) || lookup(m, arg)) continue;
        tp_vec_push(&stack, arg);
        ready = false;
      }
    if (!ready) continue;
    if (!lookup(m, top)) tp_map_set(&m->known, top.id, (uint64_t)(uintptr_t)rule(m, top));
    (void)tp_vec_pop(&stack);
  }
  tp_vec_clear(&stack);
  return lookup(m, t);
}

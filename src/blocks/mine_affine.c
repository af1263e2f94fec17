/* Affine relations modulo 2^n.
 *
 * The vectors (c0, c1, ..) with c0 + c1 x1 + .. = 0 modulo 2^w in all rows are a module over the
 * integers modulo 2^w. It starts as all of them, and each row cuts it down: let d be the values of
 * the generators in the row, and p the one with the fewest factors 2 in its value. Multiples of p
 * bring the others to 0; p itself survives multiplied by what brings its own value to 0. Generators
 * all even are congruences modulo a smaller power of two: parity and the like need nothing else.
 *
 * Small sets of columns first: relations between two, then three columns are the ones that proofs
 * need, and a set without a relation is done after as many rows as it has columns. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

enum { DIMENSIONS = 5 };

typedef struct {
  uint32_t width;
  size_t n, n_gens;  // n: the constant and the columns
  uint64_t gen[DIMENSIONS][DIMENSIONS];
} kernel;

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }

// -------------------------------------------------------------------- arithmetic

static uint32_t twos(uint64_t x) { return x ? (uint32_t)__builtin_ctzll(x) : 64; }

/* Inverse of an odd number modulo 2^64: Newton, five bits are right at the start. */
static uint64_t inverse(uint64_t a) {
  uint64_t x = (3 * a) ^ 2;
  for (int i = 0; i < 4; i++) x *= 2 - a * x;
  return x;
}

static void kernel_start(kernel *k, uint32_t width, size_t n) {
  *k = (kernel){.width = width, .n = n, .n_gens = n};
  for (size_t i = 0; i < n; i++) k->gen[i][i] = 1;
}

static void kernel_row(kernel *k, const uint64_t *row) {
  const uint64_t mask = mine_mask(k->width);
  uint64_t d[DIMENSIONS] = {0};
  size_t p = k->n_gens;
  for (size_t i = 0; i < k->n_gens; i++) {
    for (size_t j = 0; j < k->n; j++) d[i] += k->gen[i][j] * row[j];
    d[i] &= mask;
    if (d[i] && (p == k->n_gens || twos(d[i]) < twos(d[p]))) p = i;
  }
  if (p == k->n_gens) return;
  const uint32_t v = twos(d[p]);
  const uint64_t unit = inverse(d[p] >> v);
  for (size_t i = 0; i < k->n_gens; i++) {
    if (i == p || !d[i]) continue;
    const uint64_t q = (d[i] >> v) * unit;
    for (size_t j = 0; j < k->n; j++) k->gen[i][j] = (k->gen[i][j] - q * k->gen[p][j]) & mask;
  }
  bool is_zero = true;
  for (size_t j = 0; j < k->n; j++) {
    k->gen[p][j] = v == 0 ? 0 : (k->gen[p][j] << (k->width - v)) & mask;
    is_zero = is_zero && k->gen[p][j] == 0;
  }
  if (!is_zero) return;
  k->n_gens--;  // keeps the order of the others
  for (size_t i = p; i < k->n_gens; i++) memcpy(k->gen[i], k->gen[i + 1], sizeof k->gen[i]);
}

// ---------------------------------------------------------------------- relations

typedef struct {
  size_t n;  // columns
  size_t column[DIMENSIONS];
  size_t factor[2];  // with is_product: column[0] stands for the product of these two
  bool is_product;
  uint32_t width;
} choice;

static uint64_t chosen_value(const mine_view *v, const choice *c, size_t k, size_t i) {
  if (k || !c->is_product) return mine_value_at(v, c->column[k], i, c->width);
  return mine_value_at(v, c->factor[0], i, c->width) * mine_value_at(v, c->factor[1], i, c->width) &
         mine_mask(c->width);
}
static tp_term chosen_term(const mine_view *v, const choice *c, size_t k) {
  if (k || !c->is_product) return mine_term_at(v, c->column[k], c->width);
  return tp_mk2(terms(v), TP_OP_BV_MUL, mine_term_at(v, c->factor[0], c->width),
                mine_term_at(v, c->factor[1], c->width));
}

static uint64_t magnitude(uint32_t bits, uint64_t x) {
  int64_t s = mine_signed(bits, x & mine_mask(bits));
  return s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
}

/* Multiplied by the odd number that makes the coefficients of the columns smallest; returns their
 * sum, or UINT64_MAX: too big. A unit that makes one coefficient 1, times a small odd number: 3 x =
 * 2 y has no coefficient 1. */
static uint64_t make_small(uint64_t *g, size_t n, uint32_t bits) {
  uint64_t best = UINT64_MAX, unit = 1;
  for (size_t i = 1; i < n; i++) {
    if (g[i] % 2 == 0) continue;
    for (int64_t odd = -7; odd <= 7; odd += 2) {
      const uint64_t u = (uint64_t)odd * inverse(g[i]);
      uint64_t sum = 0;
      for (size_t j = 1; j < n && sum < UINT32_MAX; j++) sum += magnitude(bits, g[j] * u);
      if (sum < best) best = sum, unit = u;
    }
  }
  for (size_t j = 0; j < n; j++) g[j] = g[j] * unit & mine_mask(bits);
  return best > TP_BLOCKS_MINE_COEFFICIENT * n ? UINT64_MAX : best;
}

/* The relation of one generator, if all columns take part. */
static void add_generator(mine_candidates *f, const mine_view *v, const choice *c,
                          const uint64_t *generator) {
  uint64_t g[DIMENSIONS];
  uint32_t k = 64;
  for (size_t j = 0; j <= c->n; j++) {
    g[j] = generator[j];
    if (j && g[j] == 0) return;
    if (twos(g[j]) < k) k = twos(g[j]);
  }
  if (k >= c->width || (k && c->is_product)) return;  // i * i - i is always even, and the like
  const uint32_t bits = c->width - k;
  for (size_t j = 0; j <= c->n; j++) g[j] >>= k;
  bool has_unit = false;
  for (size_t j = 1; j <= c->n; j++) has_unit = has_unit || g[j] % 2;
  for (size_t j = 1; j <= c->n; j++)
    if (g[j] == 0) return;
  if (!has_unit) return;  // the constant alone is odd: no row could satisfy it
  const uint64_t sum = make_small(g, c->n + 1, bits);
  if (sum == UINT64_MAX) return;
  tp_terms *tt = terms(v);
  tp_term side[2] = {tp_mk_bv(tt, c->width, 0), tp_mk_bv(tt, c->width, 0)};
  uint32_t cost =
      (bits == c->width ? 10 : 18) + (uint32_t)(2 * c->n + sum) + (c->is_product ? 14 : 0);
  for (size_t j = 0; j <= c->n; j++) {
    const bool is_negative = mine_signed(bits, g[j]) < 0;
    tp_term what = j ? chosen_term(v, c, j - 1) : tp_mk_bv(tt, c->width, 1);
    tp_term product = tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv(tt, c->width, magnitude(bits, g[j])), what);
    side[is_negative] = tp_mk2(tt, TP_OP_BV_ADD, side[is_negative], product);
    if (j && (j > 1 || !c->is_product)) cost += 3 * mine_col(v, c->column[j - 1])->rank;
  }
  if (bits < c->width) {
    tp_term difference = tp_mk_sub(tt, side[0], side[1]);
    mine_add(f, v, tp_mk_eq(tt, tp_mk_extract(tt, bits - 1, 0, difference), tp_mk_bv(tt, bits, 0)),
             cost);
  } else {
    (c->is_product ? mine_add_polynomial : mine_add)(f, v, tp_mk_eq(tt, side[0], side[1]), cost);
  }
}

static void relations(mine_candidates *f, const mine_view *v, const choice *c) {
  kernel k;
  kernel_start(&k, c->width, c->n + 1);
  uint64_t row[DIMENSIONS] = {1};
  for (size_t i = 0; i < v->n && k.n_gens; i++) {
    for (size_t j = 0; j < c->n; j++) row[j + 1] = chosen_value(v, c, j, i);
    kernel_row(&k, row);
  }
  for (size_t g = 0; g < k.n_gens; g++) add_generator(f, v, c, k.gen[g]);
}

// ----------------------------------------------------------------- sets of columns

size_t mine_varying(const mine_view *v, size_t most, bool derived, size_t *out) {
  size_t n = 0;
  for (size_t c = 0; c < v->at->columns.n && n < most; c++)
    if (!mine_col(v, c)->is_bool && !mine_col(v, c)->is_object &&
        (derived || !mine_col(v, c)->is_derived) && !mine_is_constant(v, c))
      out[n++] = c;
  return n;
}

/* Grows the choice by columns after the last one. */
static void grow(mine_candidates *f, const mine_view *v, choice *c, const size_t *from, size_t n,
                 size_t start, size_t most) {
  for (size_t i = start; i < n; i++) {
    const size_t limit = c->n + 1 >= 4   ? TP_BLOCKS_MINE_FOURS
                         : c->n + 1 == 3 ? TP_BLOCKS_MINE_TRIPLES
                                         : n;
    if (i >= limit && c->n) break;
    const uint32_t before = c->width, w = mine_col(v, from[i])->width;
    c->column[c->n++] = from[i];
    if (w > c->width) c->width = w;
    if (c->n > 1 || !c->is_product) relations(f, v, c);
    if (c->n < most) grow(f, v, c, from, n, i + 1, most);
    c->n--;
    c->width = before;
  }
}

void mine_affine(mine_candidates *f, const mine_view *v, size_t most) {
  size_t columns[TP_BLOCKS_MINE_COLUMNS + TP_BLOCKS_MINE_DERIVED];
  const size_t n =
      mine_varying(v, most < TP_BLOCKS_MINE_COLUMNS ? most : TP_BLOCKS_MINE_COLUMNS, true, columns);
  choice c = {0};
  // a relation of k columns that k + 1 rows or fewer satisfy says nothing
  const size_t largest = v->n < 4 ? 2 : v->n < 6 ? 3 : 4;
  grow(f, v, &c, columns, n, 0, largest);
}

/* Products of two columns among themselves and with one or two more: s = i * i, q * b + r = a. */
void mine_products(mine_candidates *f, const mine_view *v) {
  size_t columns[TP_BLOCKS_MINE_TRIPLES];
  const size_t n = mine_varying(v, TP_BLOCKS_MINE_TRIPLES, false, columns);
  if (v->n < 8) return;
  bool many[TP_BLOCKS_MINE_TRIPLES];
  uint64_t values[3];
  for (size_t i = 0; i < n; i++)
    many[i] =
        mine_distinct(v, columns[i], values, 3) > 3;  // of few values everything is a polynomial
  for (size_t a = 0; a < n && a < TP_BLOCKS_MINE_FACTORS; a++)
    for (size_t b = a; b < n && b < TP_BLOCKS_MINE_FACTORS; b++) {
      if (!many[a] || !many[b]) continue;
      choice c = {.n = 1, .factor = {columns[a], columns[b]}, .is_product = true};
      c.width = mine_col(v, columns[a])->width;
      if (mine_col(v, columns[b])->width > c.width) c.width = mine_col(v, columns[b])->width;
      grow(f, v, &c, columns, n, 0, 3);
    }
}

/* Polynomial relations: p * p + r * q = n * q, 6 x = 2 y^3 + 3 y^2 + y.
 *
 * Monomials of a few columns are quantities, those of lower degree first. The vectors (c0, c1, ..)
 * with c0 + c1 m1 + .. = 0 in all rows are a vector space over the numbers modulo a large prime;
 * each row cuts it down by one generator, the first that it excludes, so that each relation that is
 * left tells its highest monomial, which leads it, by others. Modulo a power of two the relations
 * of integers, n (n + 1) = 0 modulo 2 and the like, would hide those with small coefficients; for
 * sums that wrap, rows with small numbers are looked at alone, and what was found is compared with
 * all rows as the program computes.
 *
 * A relation whose leading monomial is a multiple of another one's is a consequence of it, most
 * often: what is left is a reduced Groebner basis as far as the degree reaches. Three families of
 * monomials: all columns and degree 2, three columns and degree 3, two columns and degree 6;
 * short relations of one product alone are mine_affine.c's.
 *
 * Source: Rodriguez-Carbonell, Kapur 2007; from runs, as Nguyen, Kapur, Weimer, Forrest 2012 (DIG).
 * We differ: what holds modulo 2^w is kept, too. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

enum { COLUMNS = TP_BLOCKS_MINE_SQUARED, DIMENSIONS = 48 };
static const uint64_t PRIME = ((uint64_t)1 << 61) - 1;

/* Monomial 0 is 1; the others are an earlier one times a column. */
typedef struct {
  size_t before, last;  // the columns of a monomial ascend: last is its largest
  size_t degree;
  uint8_t power[COLUMNS];  // by column
} monomial;

typedef struct {
  const mine_view *v;
  uint32_t width;
  size_t n_columns, column[COLUMNS];
  size_t n;
  monomial at[DIMENSIONS];
} monomials;

/* All monomials up to a degree, by degree. */
static void make_monomials(monomials *m, size_t degree) {
  m->n = 1;
  m->at[0] = (monomial){0};
  for (size_t first = 0, d = 1; d <= degree; d++) {
    const size_t end = m->n;
    for (size_t i = first; i < end; i++)
      for (size_t c = m->at[i].last; c < m->n_columns && m->n < DIMENSIONS; c++) {
        monomial *next = &m->at[m->n++];
        *next = m->at[i];
        next->before = i, next->last = c, next->degree = d;
        next->power[c]++;
      }
    first = end;
  }
}

/* Modulo the prime, 2^61 - 1: 2^61 is 1. */
static uint64_t reduced(tp_u128 x) {
  x = (x & PRIME) + (x >> 61);
  x = (x & PRIME) + (x >> 61);
  return x >= PRIME ? (uint64_t)(x - PRIME) : (uint64_t)x;
}
static uint64_t times(uint64_t a, uint64_t b) { return reduced((tp_u128)a * b); }

/* The number next to zero that the column is modulo 2^width. */
static int64_t number_of(const monomials *m, size_t c, size_t row) {
  return mine_signed(mine_col(m->v, m->column[c])->width, mine_value(m->v, m->column[c], row));
}

/* Of the integers that the columns are: modulo the prime. */
static void monomial_values(const monomials *m, size_t row, uint64_t *out) {
  uint64_t x[COLUMNS];
  for (size_t c = 0; c < m->n_columns; c++) {
    const int64_t value = number_of(m, c, row) % (int64_t)PRIME;
    x[c] = value < 0 ? (uint64_t)(value + (int64_t)PRIME) : (uint64_t)value;
  }
  out[0] = 1;
  for (size_t i = 1; i < m->n; i++) out[i] = times(out[m->at[i].before], x[m->at[i].last]);
}

/* As the program computes: modulo 2^width. */
static bool holds_in_row(const monomials *m, const int64_t *g, size_t row) {
  uint64_t value[DIMENSIONS] = {1}, sum = (uint64_t)g[0];
  for (size_t i = 1; i < m->n; i++) {
    value[i] =
        value[m->at[i].before] * mine_value_at(m->v, m->column[m->at[i].last], row, m->width);
    sum += (uint64_t)g[i] * value[i];
  }
  return (sum & mine_mask(m->width)) == 0;
}

static tp_term monomial_term(const monomials *m, size_t i) {
  tp_terms *tt = m->v->shared->p->terms;
  if (i == 0) return tp_mk_bv(tt, m->width, 1);
  tp_term x = mine_term_at(m->v, m->column[m->at[i].last], m->width);
  if (m->at[i].before == 0) return x;
  return tp_mk2(tt, TP_OP_BV_MUL, monomial_term(m, m->at[i].before), x);
}

// ---------------------------------------------------------------------- relations

/* Generators of the vectors that all rows so far allow. */
typedef struct {
  size_t n, n_gens;
  size_t leads[DIMENSIONS];  // has coefficient 1 in this generator and 0 in the others
  uint64_t gen[DIMENSIONS][DIMENSIONS];
} space;

static void space_start(space *s, size_t n) {
  s->n = s->n_gens = n;
  for (size_t i = 0; i < n; i++) {
    memset(s->gen[i], 0, n * sizeof *s->gen[i]);
    s->gen[i][i] = 1;
    s->leads[i] = i;
  }
}

static uint64_t inverse(uint64_t a) {
  uint64_t result = 1;
  for (uint64_t e = PRIME - 2; e; e >>= 1, a = times(a, a))
    if (e & 1) result = times(result, a);
  return result;
}

static void space_row(space *s, const uint64_t *row) {
  uint64_t d[DIMENSIONS];
  size_t p = s->n_gens;
  for (size_t i = s->n_gens; i-- > 0;) {
    tp_u128 sum = 0;
    for (size_t j = 0; j < s->n; j++) sum += (tp_u128)s->gen[i][j] * row[j];  // of 48, below 2^128
    d[i] = reduced(sum);
    if (d[i]) p = i;
  }
  if (p == s->n_gens) return;
  const uint64_t unit = inverse(d[p]);
  for (size_t i = p + 1; i < s->n_gens; i++) {
    const uint64_t q = PRIME - times(d[i], unit);  // times the first one, it cancels the value
    for (size_t j = 0; j < s->n && d[i]; j++)
      s->gen[i][j] = reduced((tp_u128)q * s->gen[p][j] + s->gen[i][j]);
  }
  s->n_gens--;
  for (size_t i = p; i < s->n_gens; i++) {  // keeps the order
    memcpy(s->gen[i], s->gen[i + 1], s->n * sizeof *s->gen[i]);
    s->leads[i] = s->leads[i + 1];
  }
}

/* The vector times the least number that makes all its numbers small. False: none does. */
static bool small_numbers(const uint64_t *g, size_t n, int64_t *out) {
  for (uint64_t factor = 1; factor <= TP_BLOCKS_MINE_DENOMINATOR; factor++) {
    bool is_small = true;
    for (size_t j = 0; j < n && is_small; j++) {
      const uint64_t x = times(g[j], factor);
      out[j] = x > PRIME / 2 ? (int64_t)x - (int64_t)PRIME : (int64_t)x;
      is_small = -TP_BLOCKS_MINE_NUMBER <= out[j] && out[j] <= TP_BLOCKS_MINE_NUMBER;
    }
    if (is_small) return true;
  }
  return false;
}

static bool divides(const monomial *a, const monomial *b, size_t n_columns) {
  for (size_t c = 0; c < n_columns; c++)
    if (a->power[c] > b->power[c]) return false;
  return true;
}

/* Does another relation's leading monomial divide this one's? */
static bool is_consequence(const monomials *m, const space *s, size_t g) {
  for (size_t i = 0; i < s->n_gens; i++)
    if (i != g && divides(&m->at[s->leads[i]], &m->at[s->leads[g]], m->n_columns)) return true;
  return false;
}

/* Is the relation one that is not found elsewhere? It has the degree that its family is for, two
 * columns or more, and more than one product, or one of a higher degree or beside more than two
 * other monomials (mine_affine.c has the others). */
static bool is_new(const monomials *m, const int64_t *g, size_t lowest) {
  size_t products = 0, degree = 0, terms = 0, columns = 0;
  bool has[COLUMNS] = {false};
  for (size_t i = 1; i < m->n; i++) {
    if (g[i] == 0) continue;
    terms++;
    products += m->at[i].degree > 1;
    if (m->at[i].degree > degree) degree = m->at[i].degree;
    for (size_t c = 0; c < m->n_columns; c++)
      if (m->at[i].power[c] && !has[c]) has[c] = true, columns++;
  }
  if (degree < lowest || columns < 2 || terms > TP_BLOCKS_MINE_MONOMIALS) return false;
  return products > 1 || (products == 1 && (degree > 2 || terms > 3));
}

static void add_relation(mine_candidates *f, const monomials *m, const int64_t *g) {
  const uint32_t w = m->width;
  tp_terms *tt = m->v->shared->p->terms;
  tp_term side[2] = {tp_mk_bv(tt, w, 0), tp_mk_bv(tt, w, 0)};
  uint64_t cost = 24;
  for (size_t i = 0; i < m->n; i++) {
    if (g[i] == 0) continue;
    const bool is_negative = g[i] < 0;
    const uint64_t number = is_negative ? 0 - (uint64_t)g[i] : (uint64_t)g[i];
    tp_term product = tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv(tt, w, number), monomial_term(m, i));
    side[is_negative] = tp_mk2(tt, TP_OP_BV_ADD, side[is_negative], product);
    cost += 2 + 2 * m->at[i].degree + number;
  }
  mine_add_polynomial(f, m->v, tp_mk_eq(tt, side[0], side[1]), (uint32_t)cost);
}

static bool holds_in_all(const monomials *m, const int64_t *g) {
  for (size_t i = 0; i < m->v->n; i++)
    if (!holds_in_row(m, g, i)) return false;
  return true;
}

/* Are the columns' numbers so small that hardly a sum or product has wrapped? */
static bool is_small_row(const monomials *m, size_t row) {
  const int64_t most = (int64_t)1 << m->width / 2;
  for (size_t c = 0; c < m->n_columns; c++)
    if (number_of(m, c, row) < -most || number_of(m, c, row) > most) return false;
  return true;
}

/* Cuts the space down by all rows, or by small ones. */
static void cut(space *s, const monomials *m, bool small) {
  uint64_t row[DIMENSIONS];
  space_start(s, m->n);
  for (size_t i = 0; i < m->v->n && s->n_gens; i++) {
    if (small && !is_small_row(m, i)) continue;
    monomial_values(m, i, row);
    space_row(s, row);
  }
}

/* Relations of these columns up to a degree, as far as there are rows for it, of at least the
 * lowest degree that is of interest. */
static void relations(mine_candidates *f, monomials *m, size_t lowest, size_t degree) {
  do {
    if (degree < lowest) return;
    make_monomials(m, degree--);
  } while (m->v->n < m->n + m->n / 2);  // of few rows nearly everything is a polynomial
  space *s = TP_NEW(space);
  int64_t g[DIMENSIONS];
  cut(s, m, false);
  if (s->n_gens == 0) cut(s, m, true);
  for (size_t i = 0; i < s->n_gens; i++)
    if (!is_consequence(m, s, i) && small_numbers(s->gen[i], m->n, g) && is_new(m, g, lowest) &&
        holds_in_all(m, g))
      add_relation(f, m, g);
  tp_free(s);
}

// ----------------------------------------------------------------- sets of columns

/* Columns that had more values than a polynomial of this degree has roots, most often. */
static size_t rich_columns(const mine_view *v, size_t degree, size_t most, size_t *out) {
  size_t columns[TP_BLOCKS_MINE_TRIPLES], n = 0;
  const size_t n_all = mine_varying(v, TP_BLOCKS_MINE_TRIPLES, false, columns);
  uint64_t values[TP_BLOCKS_MINE_DEGREE + 2];
  for (size_t i = 0; i < n_all && n < most; i++)
    if (mine_distinct(v, columns[i], values, degree + 2) > degree + 1) out[n++] = columns[i];
  return n;
}

static void take_column(monomials *m, size_t column) {
  const uint32_t w = mine_col(m->v, column)->width;
  m->column[m->n_columns++] = column;
  if (w > m->width) m->width = w;
}

/* Every choice of `size` of the columns. */
static void choose(mine_candidates *f, monomials *m, const size_t *from, size_t n, size_t start,
                   size_t size, size_t degree) {
  if (m->n_columns == size) {
    relations(f, m, 3, degree);
    return;
  }
  for (size_t i = start; i < n; i++) {
    const uint32_t before = m->width;
    take_column(m, from[i]);
    choose(f, m, from, n, i + 1, size, degree);
    m->n_columns--;
    m->width = before;
  }
}

void mine_polynomials(mine_candidates *f, const mine_view *v) {
  size_t columns[COLUMNS];
  monomials m = {.v = v};
  size_t n = rich_columns(v, 2, COLUMNS, columns);
  for (size_t i = 0; i < n; i++) take_column(&m, columns[i]);
  if (n > 1) relations(f, &m, 2, 2);
  for (size_t size = 3; size > 1; size--) {
    const size_t degree = size == 3 ? 3 : TP_BLOCKS_MINE_DEGREE;
    n = rich_columns(v, degree, TP_BLOCKS_MINE_FACTORS, columns);
    m.n_columns = 0, m.width = 0;
    choose(f, &m, columns, n, 0, size, degree);
  }
}

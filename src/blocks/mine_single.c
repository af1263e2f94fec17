/* Facts of one column: constants, sets, bounds, residues, objects. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

#include <stdlib.h>

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }

// ------------------------------------------------------------------- helpers

static void add(mine_candidates *f, const mine_view *v, tp_mined_candidate c) {
  const tp_term formula = c.formula;
  TP_REQUIRE(tp_sort_kind_of(terms(v), tp_sort_of(terms(v), formula)) == TP_SORT_BOOL);
  const tp_terms *tt = terms(v);
  if (tp_is_true(tt, formula) || tp_is_false(tt, formula) || tp_map_has(&f->seen, formula.id))
    return;
  tp_map_set(&f->seen, formula.id, 1);
  c.loc = v->at->loc;
  tp_vec_push(&f->list, c);
}

void mine_add(mine_candidates *f, const mine_view *v, tp_term formula, uint32_t cost) {
  add(f, v, (tp_mined_candidate){.formula = formula, .cost = cost});
}

void mine_add_polynomial(mine_candidates *f, const mine_view *v, tp_term formula, uint32_t cost) {
  add(f, v, (tp_mined_candidate){.formula = formula, .cost = cost, .is_polynomial = true});
}

int mine_by_cost(const void *a, const void *b) {
  const tp_mined_candidate *x = a, *y = b;
  if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
  return (x->formula.id > y->formula.id) - (x->formula.id < y->formula.id);
}

tp_term mine_term_at(const mine_view *v, size_t c, uint32_t width) {
  const mine_column *col = mine_col(v, c);
  return tp_mk_resize(terms(v), width, col->is_signed, col->term);
}

bool mine_is_constant(const mine_view *v, size_t c) {
  for (size_t i = 1; i < v->n; i++)
    if (mine_value(v, c, i) != mine_value(v, c, 0)) return false;
  return true;
}

size_t mine_distinct(const mine_view *v, size_t c, uint64_t *out, size_t most) {
  size_t n = 0;
  for (size_t i = 0; i < v->n; i++) {
    const uint64_t x = mine_value(v, c, i);
    size_t k = 0;
    while (k < n && out[k] != x) k++;
    if (k < n) continue;
    if (n == most) return most + 1;
    out[n++] = x;
  }
  return n;
}

tp_term mine_equals(const mine_view *v, size_t c, uint64_t bits) {
  const mine_column *col = mine_col(v, c);
  if (col->is_bool) return bits ? col->term : tp_mk_not(terms(v), col->term);
  return tp_mk_eq(terms(v), col->term, tp_mk_bv(terms(v), col->width, bits));
}

// -------------------------------------------------------------------- one column

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void add_set(mine_candidates *f, const mine_view *v, size_t c, uint64_t *values, size_t n) {
  qsort(values, n, sizeof *values, ascending);  // one set, one formula
  tp_term any = tp_mk_false(terms(v));
  for (size_t i = 0; i < n; i++) any = tp_mk_or(terms(v), any, mine_equals(v, c, values[i]));
  mine_add(f, v, any, (mine_col(v, c)->is_control ? 12 : 20) + (uint32_t)n + mine_rank_cost(v, c));
}

/* A number as the column reads it; false: no such value. */
static bool fits(const mine_column *c, int64_t number, uint64_t *bits) {
  *bits = (uint64_t)number & mine_mask(c->width);
  return (c->is_signed ? mine_signed(c->width, *bits) : (int64_t)*bits) == number;
}
static bool is_less(const mine_column *c, uint64_t a, uint64_t b) {
  return c->is_signed ? mine_signed(c->width, a) < mine_signed(c->width, b) : a < b;
}

static void add_bound(mine_candidates *f, const mine_view *v, size_t c, uint64_t number,
                      bool is_lower, uint32_t cost) {
  const mine_column *col = mine_col(v, c);
  tp_term n = tp_mk_bv(terms(v), col->width, number);
  tp_term_kind le = col->is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  mine_add(f, v, is_lower ? tp_mk2(terms(v), le, n, col->term) : tp_mk2(terms(v), le, col->term, n),
           cost + mine_rank_cost(v, c));
}

/* Bounds only where a number of the program is one: what was seen ends somewhere, but that says
 * little. */
static void bounds(mine_candidates *f, const mine_view *v, size_t c) {
  const mine_column *col = mine_col(v, c);
  uint64_t lo = mine_value(v, c, 0), hi = lo, bits;
  for (size_t i = 1; i < v->n; i++) {
    const uint64_t x = mine_value(v, c, i);
    if (is_less(col, x, lo)) lo = x;
    if (is_less(col, hi, x)) hi = x;
  }
  const int64_t *numbers = v->shared->numbers.at;
  const size_t n = v->shared->numbers.n;
  uint32_t taken = 0;
  for (size_t i = n; i-- > 0 && taken < TP_BLOCKS_MINE_NEAREST_BOUNDS;)
    if (fits(col, numbers[i], &bits) && !is_less(col, lo, bits))
      add_bound(f, v, c, bits, true, bits == lo ? 14 : 22 + 6 * taken), taken++;
  taken = 0;
  for (size_t i = 0; i < n && taken < TP_BLOCKS_MINE_NEAREST_BOUNDS; i++)
    if (fits(col, numbers[i], &bits) && !is_less(col, bits, hi))
      add_bound(f, v, c, bits, false, bits == hi ? 14 : 22 + 6 * taken), taken++;
  if (!is_less(col, lo, 0)) add_bound(f, v, c, 0, true, 18);
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* Residues for moduli that are no power of two (those fall out of affine relations). */
static void residues(mine_candidates *f, const mine_view *v, size_t c) {
  const mine_column *col = mine_col(v, c);
  const uint64_t first = mine_value(v, c, 0);
  uint64_t m = 0;
  for (size_t i = 1; i < v->n && m != 1; i++) {
    const uint64_t x = mine_value(v, c, i);
    m = gcd(m, x > first ? x - first : first - x);
  }
  if (m < 3 || m > TP_BLOCKS_MINE_MODULUS || m > mine_mask(col->width) || (m & (m - 1)) == 0)
    return;
  tp_term rest = tp_mk2(terms(v), TP_OP_BV_UREM, col->term, tp_mk_bv(terms(v), col->width, m));
  mine_add(f, v, tp_mk_eq(terms(v), rest, tp_mk_bv(terms(v), col->width, first % m)),
           24 + mine_rank_cost(v, c));
}

/* Pointers: into the same static object always, or into the same object as another one. */
static void objects(mine_candidates *f, const mine_view *v, size_t c) {
  if (mine_is_constant(v, c) && mine_value(v, c, 0) < v->shared->p->statics.n)
    mine_add(f, v, mine_equals(v, c, mine_value(v, c, 0)), 12);
  for (size_t d = c + 1; d < v->at->columns.n; d++) {
    bool same = mine_col(v, d)->is_object;
    for (size_t i = 0; i < v->n && same; i++) same = mine_value(v, c, i) == mine_value(v, d, i);
    if (same) mine_add(f, v, tp_mk_eq(terms(v), mine_col(v, c)->term, mine_col(v, d)->term), 16);
  }
}

void mine_single(mine_candidates *f, const mine_view *v) {
  for (size_t c = 0; c < v->at->columns.n; c++) {
    uint64_t values[TP_BLOCKS_MINE_CONTROL_SET];
    const size_t most =
                     mine_col(v, c)->is_control ? TP_BLOCKS_MINE_CONTROL_SET : TP_BLOCKS_MINE_SET,
                 n = mine_distinct(v, c, values, most);
    if (mine_col(v, c)->is_object) {
      objects(f, v, c);
      continue;
    }
    if (n == 1) mine_add(f, v, mine_equals(v, c, values[0]), 10 + mine_rank_cost(v, c));
    if (mine_col(v, c)->is_bool) continue;
    if (n > 1 && n <= most && (n <= TP_BLOCKS_MINE_SET || v->n >= 4 * n))
      add_set(f, v, c, values, n);
    bounds(f, v, c);
    if (n > 3) residues(f, v, c);
  }
}

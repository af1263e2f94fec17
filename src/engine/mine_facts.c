/* Facts of one column and of two: constants, sets, bounds, residues; orders, differences, sums; the program's own conditions. */
#include "engine/mine_priv.h"

enum { SET_SIZE = 4, NEAREST = 2, MOST_MODULUS = 1024, COST_OF_RANK = 3 };

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }

// ------------------------------------------------------------------- helpers

void mine_add(mine_facts *f, const mine_view *v, tp_term formula, uint32_t cost) {
  const tp_terms *tt = terms(v);
  if (tp_is_true(tt, formula) || tp_is_false(tt, formula) || tp_map_has(&f->seen, formula.id)) return;
  tp_map_set(&f->seen, formula.id, 1);
  tp_vec_push(&f->list, (tp_candidate){.loc = v->at->loc, .formula = formula, .cost = cost});
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

static uint32_t rank_cost(const mine_view *v, size_t c) { return COST_OF_RANK * mine_col(v, c)->rank; }
static uint32_t wider(const mine_view *v, size_t a, size_t b) {
  return mine_col(v, a)->width > mine_col(v, b)->width ? mine_col(v, a)->width : mine_col(v, b)->width;
}

// -------------------------------------------------------------------- one column

static void add_set(mine_facts *f, const mine_view *v, size_t c, const uint64_t *values, size_t n) {
  tp_term any = tp_mk_false(terms(v));
  for (size_t i = 0; i < n; i++) any = tp_mk_or(terms(v), any, mine_equals(v, c, values[i]));
  mine_add(f, v, any, 20 + (uint32_t)n + rank_cost(v, c));
}

/* A number as the column reads it; false: no such value. */
static bool fits(const mine_column *c, int64_t number, uint64_t *bits) {
  *bits = (uint64_t)number & mine_mask(c->width);
  return (c->is_signed ? mine_signed(c->width, *bits) : (int64_t)*bits) == number;
}
static bool is_less(const mine_column *c, uint64_t a, uint64_t b) {
  return c->is_signed ? mine_signed(c->width, a) < mine_signed(c->width, b) : a < b;
}

static void add_bound(mine_facts *f, const mine_view *v, size_t c, uint64_t number, bool is_lower, uint32_t cost) {
  const mine_column *col = mine_col(v, c);
  tp_term n = tp_mk_bv(terms(v), col->width, number);
  tp_term_kind le = col->is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  mine_add(f, v, is_lower ? tp_mk2(terms(v), le, n, col->term) : tp_mk2(terms(v), le, col->term, n), cost + rank_cost(v, c));
}

/* Bounds only where a number of the program is one: what was seen ends somewhere, but that says little. */
static void bounds(mine_facts *f, const mine_view *v, size_t c) {
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
  for (size_t i = n; i-- > 0 && taken < NEAREST;)
    if (fits(col, numbers[i], &bits) && !is_less(col, lo, bits)) add_bound(f, v, c, bits, true, bits == lo ? 14 : 22 + 6 * taken), taken++;
  taken = 0;
  for (size_t i = 0; i < n && taken < NEAREST; i++)
    if (fits(col, numbers[i], &bits) && !is_less(col, bits, hi)) add_bound(f, v, c, bits, false, bits == hi ? 14 : 22 + 6 * taken), taken++;
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
static void residues(mine_facts *f, const mine_view *v, size_t c) {
  const mine_column *col = mine_col(v, c);
  const uint64_t first = mine_value(v, c, 0);
  uint64_t m = 0;
  for (size_t i = 1; i < v->n && m != 1; i++) {
    const uint64_t x = mine_value(v, c, i);
    m = gcd(m, x > first ? x - first : first - x);
  }
  if (m < 3 || m > MOST_MODULUS || m > mine_mask(col->width) || (m & (m - 1)) == 0) return;
  tp_term rest = tp_mk2(terms(v), TP_OP_BV_UREM, col->term, tp_mk_bv(terms(v), col->width, m));
  mine_add(f, v, tp_mk_eq(terms(v), rest, tp_mk_bv(terms(v), col->width, first % m)), 24 + rank_cost(v, c));
}

void mine_single(mine_facts *f, const mine_view *v) {
  for (size_t c = 0; c < v->at->columns.n; c++) {
    uint64_t values[SET_SIZE];
    const size_t n = mine_distinct(v, c, values, SET_SIZE);
    if (n == 1) mine_add(f, v, mine_equals(v, c, values[0]), 10 + rank_cost(v, c));
    if (mine_col(v, c)->is_bool) continue;
    if (n > 1 && n <= SET_SIZE) add_set(f, v, c, values, n);
    bounds(f, v, c);
    if (n > 3) residues(f, v, c);
  }
}

// -------------------------------------------------------------------- two columns

/* Which of <, =, > occur, in either reading. */
typedef struct {
  bool slt, sgt, ult, ugt, eq;
} relation;

static void relate(relation *r, uint32_t width, uint64_t a, uint64_t b) {
  const int64_t x = mine_signed(width, a), y = mine_signed(width, b);
  r->slt |= x < y;
  r->sgt |= x > y;
  r->ult |= a < b;
  r->ugt |= a > b;
  r->eq |= a == b;
}
static bool says_something(const relation *r) { return !((r->slt && r->sgt && r->ult && r->ugt) && r->eq); }

static void order(mine_facts *f, const mine_view *v, tp_term_kind le, tp_term_kind lt, tp_term a, tp_term b, bool eq, uint32_t cost) {
  mine_add(f, v, tp_mk2(terms(v), le, a, b), cost + (eq ? 0 : 1));
  if (!eq) mine_add(f, v, tp_mk2(terms(v), lt, a, b), cost);
}

static void add_relation(mine_facts *f, const mine_view *v, const relation *r, tp_term a, tp_term b, bool is_signed, bool is_unsigned, uint32_t cost) {
  if (is_signed && !r->sgt) order(f, v, TP_OP_BV_SLE, TP_OP_BV_SLT, a, b, r->eq, cost);
  if (is_signed && !r->slt) order(f, v, TP_OP_BV_SLE, TP_OP_BV_SLT, b, a, r->eq, cost);
  if (is_unsigned && !r->ugt) order(f, v, TP_OP_BV_ULE, TP_OP_BV_ULT, a, b, r->eq, cost);
  if (is_unsigned && !r->ult) order(f, v, TP_OP_BV_ULE, TP_OP_BV_ULT, b, a, r->eq, cost);
  if (!r->eq && r->slt && r->sgt) mine_add(f, v, tp_mk_not(terms(v), tp_mk_eq(terms(v), a, b)), cost + 8);
}

/* Derived columns take part if they are sums: of others the function's own comparisons say what there is to say. */
static bool can_pair(const mine_view *v, size_t c, bool few) {
  const mine_column *col = mine_col(v, c);
  const tp_term_kind k = tp_kind(terms(v), col->term);
  if (col->is_bool || (col->is_derived && k != TP_OP_BV_ADD && k != TP_OP_BV_MUL)) return false;
  return (few && col->rank < 3) || !mine_is_constant(v, c);
}

static void pair_order(mine_facts *f, const mine_view *v, size_t a, size_t b) {
  const uint32_t w = wider(v, a, b);
  const bool sa = mine_col(v, a)->is_signed, sb = mine_col(v, b)->is_signed;
  relation r = {0};
  for (size_t i = 0; i < v->n; i++) {
    relate(&r, w, mine_value_at(v, a, i, w), mine_value_at(v, b, i, w));
    if (!says_something(&r)) return;
  }
  const bool same = r.eq && !r.ult && !r.ugt;                  // the equation says more
  uint32_t cost = (same ? 25 : 15) + rank_cost(v, a) + rank_cost(v, b);
  add_relation(f, v, &r, mine_term_at(v, a, w), mine_term_at(v, b, w), sa || sb, !sa || !sb, cost);
}

static bool is_small(int64_t x) { return x >= -2 && x <= 2; }

/* The smallest number of the program that is at least x, the largest that is at most x; false: none. */
static bool number_near(const mine_shared *sh, int64_t x, bool above, int64_t *out) {
  size_t lo = 0, hi = sh->numbers.n;                           // first number >= x
  while (lo < hi) {
    const size_t mid = (lo + hi) / 2;
    if (sh->numbers.at[mid] < x) lo = mid + 1;
    else hi = mid;
  }
  if (above ? lo == sh->numbers.n : (lo == sh->numbers.n || sh->numbers.at[lo] != x) && lo-- == 0) return false;
  *out = sh->numbers.at[lo];
  return true;
}

static void add_least(mine_facts *f, const mine_view *v, tp_term z, int64_t lo, uint32_t cost) {
  tp_term bound = tp_mk_bv_signed(terms(v), tp_width(terms(v), z), lo);
  mine_add(f, v, tp_mk2(terms(v), TP_OP_BV_SLE, bound, z), cost);
}
static void add_most(mine_facts *f, const mine_view *v, tp_term z, int64_t hi, uint32_t cost) {
  tp_term bound = tp_mk_bv_signed(terms(v), tp_width(terms(v), z), hi);
  mine_add(f, v, tp_mk2(terms(v), TP_OP_BV_SLE, z, bound), cost);
}

/* a - b and a + b: few values, or bounds that are small or a number of the program. */
static void combination(mine_facts *f, const mine_view *v, size_t a, size_t b, bool minus) {
  enum { FEW = 3 };
  const uint32_t w = wider(v, a, b);
  uint64_t seen[FEW];
  size_t n = 0;                // distinct values, FEW + 1: more
  int64_t lo = INT64_MAX, hi = INT64_MIN, bound;
  for (size_t i = 0; i < v->n; i++) {
    uint64_t x = mine_value_at(v, a, i, w), y = mine_value_at(v, b, i, w), z = (minus ? x - y : x + y) & mine_mask(w);
    size_t k = 0;
    while (k < n && k < FEW && seen[k] != z) k++;
    if (k == n && n < FEW) seen[n] = z;
    if (k == n || k == FEW) n = k + 1;
    if (mine_signed(w, z) < lo) lo = mine_signed(w, z);
    if (mine_signed(w, z) > hi) hi = mine_signed(w, z);
  }
  if (n == 1) return;                                          // an equation
  tp_terms *tt = terms(v);
  tp_term ta = mine_term_at(v, a, w), tb = mine_term_at(v, b, w), any = tp_mk_false(tt);
  tp_term z = minus ? tp_mk_sub(tt, ta, tb) : tp_mk2(tt, TP_OP_BV_ADD, ta, tb);
  uint32_t cost = 27 + rank_cost(v, a) + rank_cost(v, b);
  for (size_t k = 0; k < n && n <= FEW; k++) any = tp_mk_or(tt, any, tp_mk_eq(tt, z, tp_mk_bv(tt, w, seen[k])));
  mine_add(f, v, any, cost);
  if (is_small(lo)) add_least(f, v, z, lo, cost);
  else if (number_near(v->shared, lo, false, &bound) && bound > INT32_MIN) add_least(f, v, z, bound, cost + 4);
  if (is_small(hi)) add_most(f, v, z, hi, cost);
  else if (number_near(v->shared, hi, true, &bound) && bound < INT32_MAX) add_most(f, v, z, bound, cost + 4);
}

/* a + b against c, without wrap as seen. */
static void sum_order(mine_facts *f, const mine_view *v, size_t a, size_t b, size_t c) {
  const uint32_t w = wider(v, a, b) > mine_col(v, c)->width ? wider(v, a, b) : mine_col(v, c)->width;
  relation r = {0};
  for (size_t i = 0; i < v->n && !(r.sgt && r.slt); i++)
    relate(&r, w, (mine_value_at(v, a, i, w) + mine_value_at(v, b, i, w)) & mine_mask(w), mine_value_at(v, c, i, w));
  if (r.sgt == r.slt || !r.eq) return;                         // where it is never equal something sharper would hold
  tp_term sum = tp_mk2(terms(v), TP_OP_BV_ADD, mine_term_at(v, a, w), mine_term_at(v, b, w)), tc = mine_term_at(v, c, w);
  const uint32_t cost = 30 + rank_cost(v, a) + rank_cost(v, b) + rank_cost(v, c);
  mine_add(f, v, r.sgt ? tp_mk2(terms(v), TP_OP_BV_SLE, tc, sum) : tp_mk2(terms(v), TP_OP_BV_SLE, sum, tc), cost);
}

/* The first `most` columns that can take part. */
static size_t partners(const mine_view *v, size_t most, size_t *out) {
  const bool few = v->at->columns.n <= 8;
  size_t n = 0;
  for (size_t c = 0; c < v->at->columns.n && n < most; c++)
    if (can_pair(v, c, few)) out[n++] = c;
  return n;
}

void mine_orders(mine_facts *f, const mine_view *v, size_t most) {
  size_t column[MINE_COLUMNS + MINE_DERIVED];
  const size_t n = partners(v, most, column);
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++) {
      const size_t a = column[i], b = column[j];
      const bool varies = !mine_is_constant(v, a) && !mine_is_constant(v, b);
      if (!varies && mine_is_constant(v, a) && mine_is_constant(v, b)) continue;
      pair_order(f, v, a, b);
      if (!varies || j >= most / 2 || mine_col(v, b)->is_derived) continue;
      combination(f, v, a, b, true);
      combination(f, v, a, b, false);
      for (size_t k = 0; k < n && k < most; k++)
        if (k != i && k != j && !mine_is_constant(v, column[k])) sum_order(f, v, a, b, column[k]);
    }
}

// ------------------------------------------------------- the program's conditions

/* How the sides of a condition relate in all rows; false: in every way. */
static bool relate_sides(const mine_row *row, const mine_view *v, tp_term a, tp_term b, relation *r) {
  const uint32_t w = tp_width(terms(v), a);
  tp_arena arena;
  tp_arena_init(&arena);
  bool ok = v->n > 0;
  mine_row here = *row;
  for (size_t i = 0; i < v->n && ok; i++) {
    uint64_t x, y;
    here.row = v->rows[i];
    ok = mine_row_eval(&here, a, &arena, &x) && mine_row_eval(&here, b, &arena, &y);
    if (!ok) break;
    relate(r, w, x, y);
    ok = says_something(r);
  }
  tp_arena_clear(&arena);
  return ok;
}

/* What is left of the function's comparisons, their negations and weakenings in all rows. */
void mine_atoms(mine_facts *f, const mine_view *v) {
  mine_row row;
  mine_row_init(&row, v->shared, v->at);
  for (size_t i = 0; i < v->at->atoms.n; i++) {
    tp_term t = v->at->atoms.at[i], a = tp_arg(terms(v), t, 0), b = tp_arg(terms(v), t, 1);
    tp_term_kind k = tp_kind(terms(v), t);
    relation r = {0};
    if (!relate_sides(&row, v, a, b, &r)) continue;
    if (r.eq && !r.slt && !r.sgt) mine_add(f, v, tp_mk_eq(terms(v), a, b), 12);
    bool is_unsigned = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE;
    add_relation(f, v, &r, a, b, !is_unsigned, is_unsigned || k == TP_OP_EQ, 12 + (i > 20 ? 10 : 0));
  }
  mine_row_clear(&row);
}

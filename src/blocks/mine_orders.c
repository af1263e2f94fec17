/* Facts of two columns and three: orders, differences, sums; the program's own conditions. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }
static uint32_t wider(const mine_view *v, size_t a, size_t b) {
  return mine_col(v, a)->width > mine_col(v, b)->width ? mine_col(v, a)->width
                                                       : mine_col(v, b)->width;
}

// -------------------------------------------------------------------- two values

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
static bool says_something(const relation *r) {
  return !((r->slt && r->sgt && r->ult && r->ugt) && r->eq);
}

static void order(mine_candidates *f, const mine_view *v, tp_term_kind le, tp_term_kind lt,
                  tp_term a, tp_term b, bool eq, uint32_t cost) {
  mine_add(f, v, tp_mk2(terms(v), le, a, b), cost + (eq ? 0 : 1));
  if (!eq) mine_add(f, v, tp_mk2(terms(v), lt, a, b), cost);
}

static void add_relation(mine_candidates *f, const mine_view *v, const relation *r, tp_term a,
                         tp_term b, bool is_signed, bool is_unsigned, uint32_t cost) {
  if (is_signed && !r->sgt) order(f, v, TP_OP_BV_SLE, TP_OP_BV_SLT, a, b, r->eq, cost);
  if (is_signed && !r->slt) order(f, v, TP_OP_BV_SLE, TP_OP_BV_SLT, b, a, r->eq, cost);
  if (is_unsigned && !r->ugt) order(f, v, TP_OP_BV_ULE, TP_OP_BV_ULT, a, b, r->eq, cost);
  if (is_unsigned && !r->ult) order(f, v, TP_OP_BV_ULE, TP_OP_BV_ULT, b, a, r->eq, cost);
  if (!r->eq && r->slt && r->sgt)
    mine_add(f, v, tp_mk_not(terms(v), tp_mk_eq(terms(v), a, b)), cost + 8);
}

/* Derived columns take part if they are sums: of others the function's own comparisons say what
 * there is to say. */
static bool can_pair(const mine_view *v, size_t c, bool few) {
  const mine_column *col = mine_col(v, c);
  const tp_term_kind k = tp_kind(terms(v), col->term);
  if (col->is_bool || col->is_object || (col->is_derived && k != TP_OP_BV_ADD && k != TP_OP_BV_MUL))
    return false;
  return (few && col->rank < 3) || !mine_is_constant(v, c);
}

static void pair_order(mine_candidates *f, const mine_view *v, size_t a, size_t b) {
  const uint32_t w = wider(v, a, b);
  const bool sa = mine_col(v, a)->is_signed, sb = mine_col(v, b)->is_signed;
  relation r = {0};
  for (size_t i = 0; i < v->n; i++) {
    relate(&r, w, mine_value_at(v, a, i, w), mine_value_at(v, b, i, w));
    if (!says_something(&r)) return;
  }
  const bool same = r.eq && !r.ult && !r.ugt;  // the equation says more
  uint32_t cost = (same ? 25 : 15) + mine_rank_cost(v, a) + mine_rank_cost(v, b);
  add_relation(f, v, &r, mine_term_at(v, a, w), mine_term_at(v, b, w), sa || sb, !sa || !sb, cost);
}

static bool is_small(int64_t x) { return x >= -2 && x <= 2; }

/* The smallest number of the program that is at least x, the largest that is at most x; false:
 * none. */
static bool number_near(const mine_shared *sh, int64_t x, bool above, int64_t *out) {
  size_t lo = 0, hi = sh->numbers.n;  // first number >= x
  while (lo < hi) {
    const size_t mid = (lo + hi) / 2;
    if (sh->numbers.at[mid] < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (above ? lo == sh->numbers.n : (lo == sh->numbers.n || sh->numbers.at[lo] != x) && lo-- == 0)
    return false;
  *out = sh->numbers.at[lo];
  return true;
}

/* lo <= z, or z <= hi: with the bound itself if it is small, else with the next numbers of the
 * program. */
static void add_bounds(mine_candidates *f, const mine_view *v, tp_term z, int64_t seen,
                       bool is_most, uint32_t cost) {
  const uint32_t w = tp_width(terms(v), z);
  int64_t bound = seen;
  for (uint32_t i = 0; i < TP_BLOCKS_MINE_NEAREST_DIFFERENCES; i++) {
    if (!is_small(bound) && (!number_near(v->shared, bound, is_most, &bound) ||
                             bound > INT32_MAX / 2 || bound < INT32_MIN / 2))
      return;
    tp_term n = tp_mk_bv_signed(terms(v), w, bound);
    mine_add(f, v,
             is_most ? tp_mk2(terms(v), TP_OP_BV_SLE, z, n) : tp_mk2(terms(v), TP_OP_BV_SLE, n, z),
             cost + 4 * i);
    if (is_small(bound)) return;
    bound += is_most ? 1 : -1;
  }
}

/* a - b and a + b: few values, or bounds that are small or a number of the program. */
static void combination(mine_candidates *f, const mine_view *v, size_t a, size_t b, bool minus) {
  const uint32_t w = wider(v, a, b);
  uint64_t seen[TP_BLOCKS_MINE_FEW_DIFFERENCES];
  size_t n = 0;  // distinct values, TP_BLOCKS_MINE_FEW_DIFFERENCES + 1: more
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (size_t i = 0; i < v->n; i++) {
    uint64_t x = mine_value_at(v, a, i, w), y = mine_value_at(v, b, i, w),
             z = (minus ? x - y : x + y) & mine_mask(w);
    size_t k = 0;
    while (k < n && k < TP_BLOCKS_MINE_FEW_DIFFERENCES && seen[k] != z) k++;
    if (k == n && n < TP_BLOCKS_MINE_FEW_DIFFERENCES) seen[n] = z;
    if (k == n || k == TP_BLOCKS_MINE_FEW_DIFFERENCES) n = k + 1;
    if (mine_signed(w, z) < lo) lo = mine_signed(w, z);
    if (mine_signed(w, z) > hi) hi = mine_signed(w, z);
  }
  if (n == 1) return;  // an equation
  tp_terms *tt = terms(v);
  tp_term ta = mine_term_at(v, a, w), tb = mine_term_at(v, b, w), any = tp_mk_false(tt);
  tp_term z = minus ? tp_mk_sub(tt, ta, tb) : tp_mk2(tt, TP_OP_BV_ADD, ta, tb);
  uint32_t cost = 27 + mine_rank_cost(v, a) + mine_rank_cost(v, b);
  for (size_t k = 0; k < n && n <= TP_BLOCKS_MINE_FEW_DIFFERENCES; k++)
    any = tp_mk_or(tt, any, tp_mk_eq(tt, z, tp_mk_bv(tt, w, seen[k])));
  mine_add(f, v, any, cost);
  add_bounds(f, v, z, lo, false, cost);
  add_bounds(f, v, z, hi, true, cost);
}

/* a + b against c, without wrap as seen. */
static void sum_order(mine_candidates *f, const mine_view *v, size_t a, size_t b, size_t c) {
  const uint32_t w =
      wider(v, a, b) > mine_col(v, c)->width ? wider(v, a, b) : mine_col(v, c)->width;
  relation r = {0};
  for (size_t i = 0; i < v->n && !(r.sgt && r.slt); i++)
    relate(&r, w, (mine_value_at(v, a, i, w) + mine_value_at(v, b, i, w)) & mine_mask(w),
           mine_value_at(v, c, i, w));
  if (r.sgt == r.slt || !r.eq) return;  // where it is never equal something sharper would hold
  tp_term sum = tp_mk2(terms(v), TP_OP_BV_ADD, mine_term_at(v, a, w), mine_term_at(v, b, w)),
          tc = mine_term_at(v, c, w);
  const uint32_t cost = 30 + mine_rank_cost(v, a) + mine_rank_cost(v, b) + mine_rank_cost(v, c);
  mine_add(
      f, v,
      r.sgt ? tp_mk2(terms(v), TP_OP_BV_SLE, tc, sum) : tp_mk2(terms(v), TP_OP_BV_SLE, sum, tc),
      cost);
}

/* The first `most` columns that can take part. */
static size_t partners(const mine_view *v, size_t most, size_t *out) {
  const bool few = v->at->columns.n <= 8;
  size_t n = 0;
  for (size_t c = 0; c < v->at->columns.n && n < most; c++)
    if (can_pair(v, c, few)) out[n++] = c;
  return n;
}

void mine_orders(mine_candidates *f, const mine_view *v, size_t most) {
  size_t column[TP_BLOCKS_MINE_COLUMNS + TP_BLOCKS_MINE_DERIVED];
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

/* How the sides of a condition relate in all rows; false: all orders occur. */
static bool relate_sides(const mine_row *row, const mine_view *v, tp_term a, tp_term b,
                         relation *r) {
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
void mine_atoms(mine_candidates *f, const mine_view *v) {
  mine_row row;
  mine_row_init(&row, v->shared, v->at);
  for (size_t i = 0; i < v->at->atoms.n; i++) {
    tp_term t = v->at->atoms.at[i], a = tp_arg(terms(v), t, 0), b = tp_arg(terms(v), t, 1);
    tp_term_kind k = tp_kind(terms(v), t);
    relation r = {0};
    if (!relate_sides(&row, v, a, b, &r)) continue;
    if (r.eq && !r.slt && !r.sgt) mine_add(f, v, tp_mk_eq(terms(v), a, b), 12);
    bool is_unsigned = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE;
    const bool same = r.eq && !r.ult && !r.ugt;
    add_relation(f, v, &r, a, b, !is_unsigned, is_unsigned || k == TP_OP_EQ,
                 (same ? 25u : 12u) + (i > 20 ? 10u : 0u));
  }
  mine_row_clear(&row);
}

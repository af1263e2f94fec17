/* Arrays whose cells the program compares with each other: sorted ranges, ranges no element of
 * which is above any of another range, cells that are the least or the greatest of a range. Most of
 * them are wrong, and contradicted by runs. */
#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "program/cells.h"
#include "term/rewrite.h"

// ------------------------------------------------------------------------ arrays

static void push_order(elements_maker *m, elements_order found) {
  for (size_t i = 0; i < m->orders.n; i++)
    if (tp_term_eq(m->orders.at[i].cell, found.cell)) return;
  if (m->orders.n < TP_BLOCKS_UNIVERSAL_ORDERS) tp_vec_push(&m->orders, found);
}

/* The cell with its one counter, or the one variable in its address, as the index. */
static void note_cell(elements_maker *m, tp_term cell, tp_term_kind order) {
  tp_term_list symbols = {0};
  tp_collect_terms(m->tt, tp_arg(m->tt, cell, 1), elements_is_index_symbol, m, &symbols);
  const bool is_one = symbols.n == 1;
  const tp_term symbol = is_one ? symbols.at[0] : TP_TERM_NONE;
  tp_vec_clear(&symbols);
  if (!is_one) return;
  const tp_term index = tp_universal_index(m->u, 0, tp_sort_of(m->tt, symbol));
  elements_order found = {.sort = tp_sort_of(m->tt, symbol),
                          .order = order,
                          .is_unsigned = elements_is_unsigned(m, symbol)};
  found.cell = elements_unshifted(m, tp_replace(m->tt, cell, symbol, index), index);
  push_order(m, found);
}

void elements_note_order(elements_maker *m, tp_term t) {
  t = elements_settled(m, t);
  if (tp_kind(m->tt, t) == TP_OP_NOT) t = tp_arg(m->tt, t, 0);
  const tp_order o = tp_kind_order(tp_kind(m->tt, t));
  if (!o.is_order) return;
  const tp_term_kind k = tp_kind(m->tt, t);
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  if (!is_signed && k != TP_OP_BV_ULT && k != TP_OP_BV_ULE) return;
  for (uint32_t side = 0; side < 2; side++)
    if (elements_is_any_cell(m, m->tt, tp_arg(m->tt, t, side)))
      note_cell(m, tp_arg(m->tt, t, side), is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE);
}

// -------------------------------------------------------------------- candidates

typedef struct {
  elements_maker *m;
  const elements_order *of;
  uint32_t node;
  tp_term x, y;  // indices
} ordering;

static tp_term le(const ordering *o, tp_term a, tp_term b) {
  return tp_mk2(o->m->tt, o->of->is_unsigned ? TP_OP_BV_ULE : TP_OP_BV_SLE, a, b);
}
static tp_term lt(const ordering *o, tp_term a, tp_term b) {
  return tp_mk2(o->m->tt, o->of->is_unsigned ? TP_OP_BV_ULT : TP_OP_BV_SLT, a, b);
}
static bool fits(const ordering *o, tp_term end) {
  return tp_sort_eq(tp_sort_of(o->m->tt, end), o->of->sort);
}
static tp_term cell_at(const ordering *o, tp_term index) {
  return tp_replace(o->m->tt, o->of->cell, o->x, index);
}
static tp_term and_all(const ordering *o, const tp_term *conditions, size_t n) {
  return tp_mk_and_n(o->m->tt, conditions, n);
}
/* Under the conditions the cell at a is at most that at b; and the same downwards. */
static void add(const ordering *o, tp_term conditions, tp_term a, tp_term b) {
  tp_terms *tt = o->m->tt;
  const tp_term first = cell_at(o, a), second = cell_at(o, b);
  tp_universals_add_in(o->m->u, o->node, conditions, tp_mk2(tt, o->of->order, first, second));
  tp_universals_add_in(o->m->u, o->node, conditions, tp_mk2(tt, o->of->order, second, first));
}

/* The cell at c and the cells before it, behind it, between it and another counter. */
static void add_one_cell(const ordering *o, tp_term lo, tp_term c, tp_term hi) {
  const tp_term x = o->x;
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, c)}, 2), x, c);
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, hi)}, 2), x, c);
  add(o, and_all(o, (tp_term[]){lt(o, c, x), lt(o, x, hi)}, 2), c, x);
}

static void add_sorted(const ordering *o, tp_term lo, tp_term hi) {
  const tp_term x = o->x, y = o->y;
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, y), lt(o, y, hi)}, 3), x, y);
}

/* All before c, and all from c on; a cell before c where c - 1 is the last one. */
static void add_parted(const ordering *o, tp_term lo, tp_term c, tp_term hi) {
  tp_terms *tt = o->m->tt;
  const tp_term x = o->x, y = o->y, one = tp_mk_bv(tt, tp_sort_width(tt, o->of->sort), 1);
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, c), le(o, c, y), lt(o, y, hi)}, 4), x, y);
  add(o, and_all(o, (tp_term[]){le(o, lo, x), le(o, x, c), lt(o, c, y), lt(o, y, hi)}, 4), x, y);
  add(o, and_all(o, (tp_term[]){lt(o, lo, c), le(o, c, x), lt(o, x, hi)}, 3), tp_mk_sub(tt, c, one),
      x);
}

static void add_order(const ordering *o) {
  elements_maker *m = o->m;
  const tp_term_list *counters = &m->counters_at[o->node];
  for (size_t s = 0; s < m->starts.n; s++) {
    const tp_term lo = m->starts.at[s];
    if (!fits(o, lo)) continue;
    for (size_t c = 0; c < counters->n; c++)
      if (fits(o, counters->at[c])) add_sorted(o, lo, counters->at[c]);
    for (size_t e = 0; e < m->ends.n; e++)
      if (fits(o, m->ends.at[e])) add_sorted(o, lo, m->ends.at[e]);
    for (size_t e = 0; e < m->ends.n; e++)
      for (size_t c = 0; c < counters->n; c++) {
        if (!fits(o, m->ends.at[e]) || !fits(o, counters->at[c])) continue;
        add_parted(o, lo, counters->at[c], m->ends.at[e]);
        add_one_cell(o, lo, counters->at[c], m->ends.at[e]);
      }
  }
  for (size_t c = 0; c < counters->n; c++)
    for (size_t d = 0; d < counters->n; d++) {
      const tp_term lo = counters->at[c], hi = counters->at[d];
      if (c == d || !fits(o, lo) || !fits(o, hi)) continue;
      add(o, and_all(o, (tp_term[]){lt(o, lo, o->x), le(o, o->x, hi)}, 2), lo, o->x);
      add(o, and_all(o, (tp_term[]){le(o, lo, o->x), lt(o, o->x, hi)}, 2), o->x, hi);
    }
}

void elements_add_cell_orders(elements_maker *m, uint32_t node) {
  for (size_t i = 0; i < m->orders.n; i++) {
    const elements_order *of = &m->orders.at[i];
    const ordering o = {m, of, node, tp_universal_index(m->u, 0, of->sort),
                        tp_universal_index(m->u, 1, of->sort)};
    add_order(&o);
  }
}

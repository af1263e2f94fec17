/* Arrays whose cells the program compares with each other: sorted ranges, ranges no element of
 * which is above any of another range, cells that are the least or the greatest of a range. Most of
 * them are wrong, and contradicted by runs. */
#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "program/cells.h"
#include "term/rewrite.h"

// ------------------------------------------------------------------------ arrays

static void push_variable(tp_term *list, uint32_t *n, tp_term v) {
  for (uint32_t i = 0; i < *n; i++)
    if (tp_term_eq(list[i], v)) return;
  if (*n < TP_BLOCKS_UNIVERSAL_TAKEN) list[(*n)++] = v;
}

static bool is_variable(const elements_maker *m, tp_term t) {
  return tp_term_is(t) && tp_kind(m->tt, t) == TP_OP_VAR && tp_program_var_of(m->x->p, t).id;
}

static void push_order(elements_maker *m, elements_order found, tp_term at, tp_term other) {
  size_t i = 0;
  while (i < m->orders.n && !tp_term_eq(m->orders.at[i].cell, found.cell)) i++;
  if (i == TP_BLOCKS_UNIVERSAL_ORDERS) return;
  if (i == m->orders.n) tp_vec_push(&m->orders, found);
  elements_order *o = &m->orders.at[i];
  if (is_variable(m, other)) push_variable(o->others, &o->n_others, other);
  if (is_variable(m, at) && !elements_has_counter(m, at))
    push_variable(o->places, &o->n_places, at);
}

/* The cell with its one counter, or the one variable in its address, as the index. other: what it
 * is compared with. */
static void note_cell(elements_maker *m, tp_term cell, tp_term_kind order, tp_term other) {
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
  push_order(m, found, symbol, other);
}

void elements_note_order(elements_maker *m, tp_term t) {
  t = elements_settled(m, t);
  if (tp_kind(m->tt, t) == TP_OP_NOT) t = tp_arg(m->tt, t, 0);
  const tp_order o = tp_kind_order(tp_kind(m->tt, t));
  if (!o.is_order) return;
  const tp_term_kind k = tp_kind(m->tt, t);
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  if (!is_signed && k != TP_OP_BV_ULT && k != TP_OP_BV_ULE) return;
  for (uint32_t side = 0; side < 2; side++) {
    const tp_term cell = tp_arg(m->tt, t, side), other = tp_arg(m->tt, t, 1 - side);
    if (elements_is_any_cell(m, m->tt, cell) && !tp_is_const(m->tt, other))
      note_cell(m, cell, is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE, other);
  }
}

void elements_note_sorted(elements_maker *m, tp_term cell, tp_sort sort, tp_term_kind order,
                          bool is_unsigned) {
  const elements_order found = {
      .cell = cell, .sort = sort, .order = order, .is_unsigned = is_unsigned};
  push_order(m, found, TP_TERM_NONE, TP_TERM_NONE);
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

/* The cell at c, or the last one before it, and the cells before it, behind it, between it and
 * another counter. */
static void add_one_cell(const ordering *o, tp_term lo, tp_term c, tp_term hi) {
  tp_terms *tt = o->m->tt;
  const tp_term x = o->x, one = tp_mk_bv(tt, tp_sort_width(tt, o->of->sort), 1);
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, c)}, 2), x, tp_mk_sub(tt, c, one));
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, c)}, 2), x, c);
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, hi)}, 2), x, c);
  add(o, and_all(o, (tp_term[]){lt(o, c, x), lt(o, x, hi)}, 2), c, x);
}

static void add_sorted(const ordering *o, tp_term lo, tp_term hi) {
  const tp_term x = o->x, y = o->y;
  add(o, and_all(o, (tp_term[]){le(o, lo, x), lt(o, x, y), lt(o, y, hi)}, 3), x, y);
}

/* No cell of the range is above a variable that some block writes into the array, as the last one
 * that was written is when values only grow. */
static void add_below_written(const ordering *o, tp_term lo, tp_term hi) {
  elements_maker *m = o->m;
  tp_terms *tt = m->tt;
  const tp_term inside = tp_mk_and(tt, le(o, lo, o->x), lt(o, o->x, hi)), cell = cell_at(o, o->x);
  for (size_t i = 0; i < m->last_written.n; i++)
    if (tp_sort_eq(tp_sort_of(tt, m->last_written.at[i]), tp_sort_of(tt, cell)))
      tp_universals_add_in(m->u, o->node, inside,
                           tp_mk2(tt, o->of->order, cell, m->last_written.at[i]));
}

/* Sorted up to the counter `last` but for a hole: a cell that was taken out, or that others move
 * to. */
static void add_sorted_but_one(const ordering *o, tp_term lo, tp_term last, tp_term hole) {
  tp_terms *tt = o->m->tt;
  const tp_term x = o->x, y = o->y;
  const tp_term inside[] = {le(o, lo, x), lt(o, x, y), le(o, y, last),
                            tp_mk_not(tt, tp_mk_eq(tt, x, hole)),
                            tp_mk_not(tt, tp_mk_eq(tt, y, hole))};
  add(o, and_all(o, inside, 5), x, y);
}

/* A variable that cells were compared with, and the cells behind a hole. */
static void add_taken_out(const ordering *o, tp_term last, tp_term hole) {
  elements_maker *m = o->m;
  tp_terms *tt = m->tt;
  const tp_term x = o->x, behind = tp_mk_and(tt, lt(o, hole, x), le(o, x, last));
  for (size_t i = 0; i < o->of->n_others; i++) {
    const tp_term v = o->of->others[i], cell = cell_at(o, x);
    tp_universals_add_in(m->u, o->node, behind, tp_mk2(tt, o->of->order, v, cell));
    tp_universals_add_in(m->u, o->node, behind, tp_mk2(tt, o->of->order, cell, v));
  }
}

/* The cell behind a counter's, or that at the counter. */
static tp_term hole_of(const ordering *o, tp_term c, uint64_t distance) {
  tp_terms *tt = o->m->tt;
  return tp_mk2(tt, TP_OP_BV_ADD, c, tp_mk_bv(tt, tp_sort_width(tt, o->of->sort), distance));
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

/* The cell at a variable, the least or the greatest from `lo` on. */
static void add_champions(const ordering *o, tp_term lo, tp_term hi) {
  const tp_term inside = and_all(o, (tp_term[]){le(o, lo, o->x), lt(o, o->x, hi)}, 2);
  for (uint32_t i = 0; i < o->of->n_places; i++)
    if (fits(o, o->of->places[i])) add(o, inside, o->of->places[i], o->x);
}

/* Is t another one of the list, moved by a constant, or a greater constant than another one? */
static bool is_repeated(const ordering *o, const tp_term_list *l, tp_term t) {
  tp_terms *tt = o->m->tt;
  uint64_t c, d;
  const bool is_moved = tp_kind(tt, t) == TP_OP_BV_ADD && tp_is_const(tt, tp_arg(tt, t, 1));
  for (size_t i = 0; i < l->n; i++) {
    if (!fits(o, l->at[i])) continue;
    if (is_moved && tp_term_eq(l->at[i], tp_arg(tt, t, 0))) return true;
    if (tp_bv_value_u64(tt, t, &c) && tp_bv_value_u64(tt, l->at[i], &d) && d < c) return true;
  }
  return false;
}

/* Ranges from lo up to counters, and to ends. */
static void add_from(const ordering *o, tp_term lo) {
  elements_maker *m = o->m;
  const tp_term_list *counters = &m->counters_at[o->node];
  for (size_t c = 0; c < counters->n; c++) {
    if (!fits(o, counters->at[c])) continue;
    add_sorted(o, lo, counters->at[c]);
    add_champions(o, lo, counters->at[c]);
    for (size_t d = 0; d < counters->n; d++)
      for (uint64_t far = 0; far < 2 && d != c && fits(o, counters->at[d]); far++)
        add_sorted_but_one(o, lo, counters->at[c], hole_of(o, counters->at[d], far));
  }
  for (size_t e = 0; e < m->ends.n; e++) {
    const tp_term end = m->ends.at[e];
    if (!fits(o, end) || (tp_kind(m->tt, end) == TP_OP_BV_ADD && is_repeated(o, &m->ends, end)))
      continue;
    add_sorted(o, lo, end);
    for (size_t c = 0; c < counters->n; c++) {
      if (!fits(o, counters->at[c])) continue;
      add_sorted(o, counters->at[c], end);
      add_parted(o, lo, counters->at[c], end);
      add_one_cell(o, lo, counters->at[c], end);
    }
  }
}

/* Sorted behind an end of an inner loop that speaks of the outer one: as far as bubbles have risen.
 */
static void add_mirrored(const ordering *o, tp_term lo) {
  elements_maker *m = o->m;
  for (size_t k = 0; k < m->mirrors.n; k++)
    for (size_t e = 0; e < m->ends.n; e++) {
      const tp_term from = m->mirrors.at[k], end = m->ends.at[e];
      if (!fits(o, from) || !fits(o, end) || tp_kind(m->tt, end) == TP_OP_BV_ADD) continue;
      for (uint64_t far = 0; far < 2; far++) {
        add_sorted(o, hole_of(o, from, far), end);
        add_parted(o, lo, hole_of(o, from, far), end);
      }
    }
}

/* What was merged so far is below what is left of a sorted array. */
static void add_merged(const ordering *o, const elements_order *rest) {
  elements_maker *m = o->m;
  tp_terms *tt = m->tt;
  const tp_term_list *counters = &m->counters_at[o->node];
  if (!tp_sort_eq(rest->sort, o->of->sort) || rest->order != o->of->order ||
      !tp_sort_eq(tp_sort_of(tt, rest->cell), tp_sort_of(tt, o->of->cell)))
    return;
  for (size_t k = 0; k < counters->n; k++)
    for (size_t c = 0; c < counters->n; c++)
      for (size_t e = 0; e < m->ends.n; e++) {
        const tp_term so_far = counters->at[k], at = counters->at[c], end = m->ends.at[e];
        if (k == c || !fits(o, so_far) || !fits(o, at) || !fits(o, end)) continue;
        const tp_term zero = tp_mk_bv(tt, tp_sort_width(tt, o->of->sort), 0),
                      inside[] = {le(o, zero, o->x), lt(o, o->x, so_far), lt(o, at, end)},
                      next = tp_replace(tt, rest->cell, o->x, at);
        tp_universals_add_in(m->u, o->node, and_all(o, inside, 3),
                             tp_mk2(tt, o->of->order, cell_at(o, o->x), next));
      }
}

static void add_order(const ordering *o) {
  elements_maker *m = o->m;
  const tp_term_list *counters = &m->counters_at[o->node];
  for (size_t i = 0; i < m->orders.n; i++)
    if (&m->orders.at[i] != o->of) add_merged(o, &m->orders.at[i]);
  for (size_t s = 0; s < m->starts.n; s++)
    if (fits(o, m->starts.at[s]) && !is_repeated(o, &m->starts, m->starts.at[s])) {
      add_from(o, m->starts.at[s]);
      add_mirrored(o, m->starts.at[s]);
    }
  for (size_t c = 0; c < counters->n; c++)
    for (size_t d = 0; d < counters->n; d++) {
      const tp_term lo = counters->at[c], hi = counters->at[d];
      if (c == d || !fits(o, lo) || !fits(o, hi)) continue;
      for (uint64_t far = 0; far < 2; far++) add_taken_out(o, hi, hole_of(o, lo, far));
      add_champions(o, lo, hi);
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

void elements_add_sorted_ranges(elements_maker *m, uint32_t node) {
  for (size_t i = 0; i < m->orders.n; i++) {
    const elements_order *of = &m->orders.at[i];
    const ordering o = {m, of, node, tp_universal_index(m->u, 0, of->sort),
                        tp_universal_index(m->u, 1, of->sort)};
    for (size_t s = 0; s < m->starts.n; s++) {
      const tp_term lo = m->starts.at[s];
      if (!fits(&o, lo) || is_repeated(&o, &m->starts, lo)) continue;
      for (size_t c = 0; c < m->counters_at[node].n; c++)
        if (fits(&o, m->counters_at[node].at[c])) {
          add_sorted(&o, lo, m->counters_at[node].at[c]);
          add_below_written(&o, lo, m->counters_at[node].at[c]);
        }
      for (size_t e = 0; e < m->ends.n; e++)
        if (fits(&o, m->ends.at[e])) add_sorted(&o, lo, m->ends.at[e]);
    }
  }
}

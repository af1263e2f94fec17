/* Spans: between which values a cell is that a block writes, from the written value and the block's
 * condition alone. A sum of such cells grows by bounded steps, and what is written as one of two
 * values stays one of them. */
#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "program/cells.h"
#include "smt/value_bounds.h"
#include "term/rewrite.h"

/* The cell at index symbol 0 in a counter's place. False: no counter decides which cell. */
static bool at_any_index(const elements_maker *m, tp_term cell, tp_term *out) {
  for (size_t c = 0; c < m->counters.n; c++) {
    const tp_term counter = m->counters.at[c].symbol;
    if (!tp_occurs(m->tt, counter, tp_arg(m->tt, cell, 1))) continue;
    const tp_term index = tp_universal_index(m->u, 0, tp_sort_of(m->tt, counter));
    *out = elements_unshifted(m, tp_replace(m->tt, cell, counter, index), index);
    return true;
  }
  return false;
}

/* What is said of the cell; NONE: its sort has no other values. */
static tp_term said_of(const elements_maker *m, tp_term cell, tp_i128 lo, tp_i128 hi,
                       bool is_signed) {
  tp_terms *tt = m->tt;
  const uint32_t width = tp_width(tt, cell);
  const tp_i128 most = is_signed ? ((tp_i128)1 << (width - 1)) - 1 : ((tp_i128)1 << width) - 1,
                least = is_signed ? -most - 1 : 0;
  const tp_term_kind le = is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  tp_term t = tp_mk_true(tt);
  if (lo > least)
    t = tp_mk_and(tt, t, tp_mk2(tt, le, tp_mk_bv_signed(tt, width, (int64_t)lo), cell));
  if (hi < most)
    t = tp_mk_and(tt, t, tp_mk2(tt, le, cell, tp_mk_bv_signed(tt, width, (int64_t)hi)));
  return tp_is_true(tt, t) ? TP_TERM_NONE : t;
}

static void push_span(elements_maker *m, elements_span s) {
  for (size_t i = 0; i < m->spans.n; i++)
    if (tp_term_eq(m->spans.at[i].said, s.said)) return;
  if (tp_term_is(s.said) && m->spans.n < TP_BLOCKS_UNIVERSAL_SPANS) tp_vec_push(&m->spans, s);
}

/* Constants are said as equations. */
static void find_span(elements_maker *m, const elements_write *w) {
  const tp_term condition = tp_paths_flat(m->x, tp_path_condition(m->x, &w->block->path));
  tp_i128 lo, hi;
  elements_span s = {.block = w->block};
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, w->value)) != TP_SORT_BV ||
      tp_width(m->tt, w->value) > 64 || tp_is_const(m->tt, w->value) ||
      !at_any_index(m, w->cell, &s.cell))
    return;
  tp_bounds *b = tp_bounds_new(m->tt, &condition, 1);
  if (!tp_bounds_are_empty(b) && tp_bounds_span(b, w->value, false, &lo, &hi)) {
    s.said = said_of(m, w->cell, lo, hi, false);
    s.most = (uint64_t)hi;
    if (!tp_term_is(s.said) && tp_bounds_span(b, w->value, true, &lo, &hi)) {
      s.said = said_of(m, w->cell, lo, hi, true);
      s.most = UINT64_MAX;
    }
    push_span(m, s);
  }
  tp_bounds_free(b);
}

void elements_find_spans(elements_maker *m) {
  for (size_t i = 0; i < m->writes.n; i++) find_span(m, &m->writes.at[i]);
}

bool elements_most_of_cell(const elements_maker *m, tp_term cell, uint64_t *most) {
  tp_term any;
  if (tp_kind(m->tt, cell) != TP_OP_SELECT || !at_any_index(m, cell, &any)) return false;
  for (size_t i = 0; i < m->spans.n; i++)
    if (tp_term_eq(m->spans.at[i].cell, any) && m->spans.at[i].most != UINT64_MAX) {
      *most = m->spans.at[i].most;
      return true;
    }
  return false;
}

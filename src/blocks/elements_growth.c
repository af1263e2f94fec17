/* How fast values grow: a variable, or the cell behind the last one, is what it was and something
 * that has a largest value for its width, as a sum of bytes has. After i iterations it is at most
 * that many times the largest step: without this bound nothing excludes that it wraps around. */
#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "program/cells.h"
#include "term/rewrite.h"

/* The largest value of a summand, if one of at most 32 bits bounds it. */
static bool largest_of(const elements_maker *m, tp_term t, uint64_t *most) {
  if (elements_most_of_cell(m, t, most)) return *most <= UINT32_MAX;
  if (tp_kind(m->tt, t) != TP_OP_BV_ZEXT || tp_width(m->tt, tp_arg(m->tt, t, 0)) > 32) return false;
  *most = ((uint64_t)1 << tp_width(m->tt, tp_arg(m->tt, t, 0))) - 1;
  return true;
}

/* Is `after` what `before` is, and a sum that is at most *most? */
static bool is_grown(const elements_maker *m, tp_term before, tp_term after, uint64_t *most) {
  tp_terms *tt = m->tt;
  tp_linear l;
  const uint32_t width = tp_width(tt, before);
  if (width > 64 || !tp_sort_eq(tp_sort_of(tt, before), tp_sort_of(tt, after))) return false;
  tp_linear_init(&l, width);
  if (!tp_linear_add(tt, &l, tp_mk_sub(tt, after, before), 1)) return false;
  if (l.constant > TP_BLOCKS_UNIVERSAL_GROWTH) return false;
  uint64_t sum = (uint64_t)l.constant;
  for (uint32_t i = 0; i < l.n; i++) {
    uint64_t largest;
    if (!largest_of(m, l.m[i].base, &largest) || l.m[i].coefficient > TP_BLOCKS_UNIVERSAL_GROWTH)
      return false;
    sum += (uint64_t)l.m[i].coefficient * largest;
    if (sum > TP_BLOCKS_UNIVERSAL_GROWTH) return false;
  }
  *most = sum;
  return l.n > 0;
}

// ----------------------------------------------------------------- what was found

static bool is_wide_number(const elements_maker *m, tp_term v) {
  return tp_term_is(v) && tp_sort_kind_of(m->tt, tp_sort_of(m->tt, v)) == TP_SORT_BV &&
         tp_width(m->tt, v) >= 16 && tp_width(m->tt, v) <= 64;
}

static void find_grown_variables(elements_maker *m, const tp_block *k) {
  for (size_t i = 1; i < m->x->p->vars.n; i++) {
    const tp_term v = m->x->p->vars.at[i].term;
    uint64_t most;
    if (!is_wide_number(m, v)) continue;
    const tp_term after = elements_after(m, k, v);
    if (!tp_term_eq(after, v) && is_grown(m, v, after, &most) &&
        m->growths.n < TP_BLOCKS_UNIVERSAL_GROWTHS)
      tp_vec_push(&m->growths, ((elements_growth){.value = v, .most = most}));
  }
}

/* A write at a counter of what another cell of the array is, or a variable that grows, and of more.
 */
static void find_grown_cell(elements_maker *m, const elements_write *w) {
  tp_terms *tt = m->tt;
  tp_term_list from = {0};
  uint64_t most = 0;
  bool is = false;
  if (!is_wide_number(m, w->value)) return;
  tp_collect_terms(tt, w->value, elements_is_any_cell, m, &from);
  for (size_t i = 0; i < m->growths.n; i++)
    if (tp_kind(tt, m->growths.at[i].value) == TP_OP_VAR)
      tp_vec_push(&from, m->growths.at[i].value);
  for (size_t i = 0; i < from.n && !is; i++)
    is = !tp_term_eq(from.at[i], w->value) && is_grown(m, from.at[i], w->value, &most);
  tp_vec_clear(&from);
  for (size_t c = 0; c < m->counters.n && is; c++) {
    const tp_term counter = m->counters.at[c].symbol;
    if (!tp_occurs(tt, counter, tp_arg(tt, w->cell, 1)) ||
        m->growths.n == TP_BLOCKS_UNIVERSAL_GROWTHS)
      continue;
    const tp_term index = tp_universal_index(m->u, 0, tp_sort_of(tt, counter));
    tp_vec_push(&m->growths,
                ((elements_growth){
                    .value = elements_unshifted(m, tp_replace(tt, w->cell, counter, index), index),
                    .index = index,
                    .is_unsigned = elements_is_unsigned(m, counter),
                    .most = most}));
    return;
  }
}

void elements_find_growth(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && !tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      find_grown_variables(m, &m->b->list.at[i]);
  for (size_t i = 0; i < m->writes.n; i++) find_grown_cell(m, &m->writes.at[i]);
}

// -------------------------------------------------------------------- candidates

/* value <= most * (steps + 1), without sign: neither negative. */
static tp_term bounded(const elements_maker *m, const elements_growth *g, tp_term steps,
                       uint64_t most) {
  tp_terms *tt = m->tt;
  const uint32_t width = tp_width(tt, g->value);
  const tp_term n =
      tp_mk2(tt, TP_OP_BV_ADD, tp_mk_resize(tt, width, false, steps), tp_mk_bv(tt, width, 1));
  return tp_mk2(tt, TP_OP_BV_ULE, g->value, tp_mk2(tt, TP_OP_BV_MUL, n, tp_mk_bv(tt, width, most)));
}

/* A product with a power of two is a shift, which solvers see through: that nothing wraps around
 * needs no sharper bound. */
static uint64_t power_of_two(uint64_t most) {
  uint64_t p = 1;
  while (p < most) p *= 2;
  return p;
}

static void add_bound(elements_maker *m, const elements_growth *g, uint32_t node, tp_term counter,
                      uint64_t most) {
  tp_terms *tt = m->tt;
  const tp_term_kind le = g->is_unsigned ? TP_OP_BV_ULE : TP_OP_BV_SLE,
                     lt = g->is_unsigned ? TP_OP_BV_ULT : TP_OP_BV_SLT;
  if (!tp_term_is(g->index)) {
    if (!tp_term_eq(counter, g->value)) tp_universals_add(m->u, node, bounded(m, g, counter, most));
    return;
  }
  if (!tp_sort_eq(tp_sort_of(tt, counter), tp_sort_of(tt, g->index))) return;
  const tp_term zero = tp_mk_bv(tt, tp_width(tt, g->index), 0);
  tp_universals_add_in(
      m->u, node, tp_mk_and(tt, tp_mk2(tt, le, zero, g->index), tp_mk2(tt, lt, g->index, counter)),
      bounded(m, g, g->index, most));
}

void elements_add_growth(elements_maker *m) {
  for (uint32_t node = 1; node < m->b->nodes.n; node++)
    for (size_t i = 0; i < m->growths.n; i++)
      for (size_t c = 0; c < m->counters_at[node].n; c++) {
        const elements_growth *g = &m->growths.at[i];
        const tp_term counter = m->counters_at[node].at[c];
        if (tp_width(m->tt, counter) > tp_width(m->tt, g->value)) continue;
        add_bound(m, g, node, counter, power_of_two(g->most));
        if (m->is_wide) add_bound(m, g, node, counter, g->most);
      }
}

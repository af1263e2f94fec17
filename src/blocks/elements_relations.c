/* Relations of counters: two that one loop moves by constants are a line, v = v0 + q * (i - i0); of
 * three that branches of a loop move, one may count what both others count together. */
#include "blocks/elements_priv.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "term/rewrite.h"

/* By how much the block moves v. False: not by a constant other than 0. */
static bool is_moved_by(const elements_maker *m, const tp_block *k, tp_term v, int64_t *by) {
  tp_terms *tt = m->tt;
  const tp_term d = tp_mk_sub(tt, tp_path_after(m->x, &k->path, v), v);
  const uint32_t width = tp_width(tt, d);
  uint64_t c;
  if (width > 64 || !tp_bv_value_u64(tt, d, &c) || c == 0) return false;
  *by = (int64_t)(c << (64 - width)) >> (64 - width);
  return true;
}

static bool is_entry(const tp_block *e, uint32_t node) { return e->to == node && e->from != node; }

/* What v is where the block enters a loop. NONE: nothing that has a name. */
static tp_term entered_with(elements_maker *m, const tp_block *e, tp_term v) {
  const tp_term t = elements_entered_with(m, e, v);
  const bool is_known = tp_paths_is_expressible(m->x, t) && tp_dag_size(m->tt, t) <= 8 &&
                        !tp_any_subterm(m->tt, t, elements_is_any_cell, m);
  return is_known ? t : TP_TERM_NONE;
}

static tp_term in_width_of(const elements_maker *m, tp_term t, tp_term v, tp_term by) {
  return tp_mk_resize(m->tt, tp_width(m->tt, v), !elements_is_unsigned(m, by), t);
}

static void add_line(elements_maker *m, const tp_block *e, tp_term v, tp_term i, int64_t factor) {
  const tp_term v0 = entered_with(m, e, v), i0 = entered_with(m, e, i);
  if (!tp_term_is(v0) || !tp_term_is(i0) || tp_occurs(m->tt, v, i0) || tp_occurs(m->tt, v, v0) ||
      tp_occurs(m->tt, i, i0) || tp_occurs(m->tt, i, v0) ||
      m->relations.n == TP_BLOCKS_UNIVERSAL_RELATIONS)
    return;
  tp_terms *tt = m->tt;
  const tp_term far = tp_mk_sub(tt, in_width_of(m, i, v, i), in_width_of(m, i0, v, i)),
                times = tp_mk_bv_signed(tt, tp_width(tt, v), factor);
  tp_vec_push(&m->relations,
              ((elements_relation){
                  e->to, v, tp_mk2(tt, TP_OP_BV_ADD, v0, tp_mk2(tt, TP_OP_BV_MUL, far, times))}));
}

/* Two counters of the loop that is the block. */
static void see_pair(elements_maker *m, const tp_block *k, tp_term v, tp_term i) {
  int64_t dv, di;
  if (!is_moved_by(m, k, v, &dv) || !is_moved_by(m, k, i, &di) || (di != 1 && di != -1)) return;
  for (size_t e = 0; e < m->b->list.n; e++)
    if (is_entry(&m->b->list.at[e], k->from)) add_line(m, &m->b->list.at[e], v, i, dv * di);
}

/* Variables on a line with a counter need not decide anything by themselves: what is stored is
 * often one. */
static void see_variable(elements_maker *m, const tp_block *k, tp_term v) {
  const tp_term_list *counters = &m->counters_at[k->from];
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, v)) != TP_SORT_BV || tp_width(m->tt, v) < 8) return;
  for (size_t i = 0; i < counters->n; i++)
    if (!tp_term_eq(counters->at[i], v) && elements_counter_of(m, counters->at[i]))
      see_pair(m, k, v, counters->at[i]);
}

void elements_find_relations(elements_maker *m) {
  const tp_program *p = m->x->p;
  for (size_t b = 0; b < m->b->list.n; b++) {
    const tp_block *k = &m->b->list.at[b];
    for (uint32_t i = 1; i < p->vars.n && k->from && k->from == k->to; i++)
      if (p->vars.at[i].kind != TP_V_GHOST && tp_term_is(p->vars.at[i].term))
        see_variable(m, k, p->vars.at[i].term);
  }
}

// -------------------------------------------------------------------- candidates

/* One of three is the sum of the others, as of those that a merge or a partition counts. */
static void add_sums(elements_maker *m, uint32_t node) {
  tp_terms *tt = m->tt;
  const tp_term_list *counters = &m->counters_at[node];
  for (size_t i = 0; i < counters->n; i++)
    for (size_t j = 0; j < i; j++)
      for (size_t k = 0; k < counters->n; k++) {
        const tp_term a = counters->at[i], b = counters->at[j], c = counters->at[k];
        if (k == i || k == j || !tp_sort_eq(tp_sort_of(tt, a), tp_sort_of(tt, b)) ||
            !tp_sort_eq(tp_sort_of(tt, a), tp_sort_of(tt, c)))
          continue;
        tp_universals_add(m->u, node, tp_mk_eq(tt, c, tp_mk2(tt, TP_OP_BV_ADD, a, b)));
      }
}

static tp_term with_sign(const elements_maker *m, tp_term t, bool is_minus) {
  return is_minus ? tp_mk_sub(m->tt, tp_mk_bv(m->tt, tp_width(m->tt, t), 0), t) : t;
}

/* What a sum of counters is where the loop is entered, it stays: of each sign that makes another
 * sum. Those of a partition from both ends: what went to either end is what was gone through. */
static void add_balance(elements_maker *m, const tp_block *e, const tp_term *counters, uint32_t n) {
  tp_terms *tt = m->tt;
  for (uint32_t signs = 0; signs < 1u << (n - 1); signs++) {
    tp_term sum = counters[n - 1], first = entered_with(m, e, sum);
    bool ok = tp_term_is(first);
    for (uint32_t i = 0; i + 1 < n && ok; i++) {
      const tp_term value = entered_with(m, e, counters[i]);
      ok = tp_term_is(value) && tp_sort_eq(tp_sort_of(tt, value), tp_sort_of(tt, sum));
      if (!ok) break;
      sum = tp_mk2(tt, TP_OP_BV_ADD, sum, with_sign(m, counters[i], signs >> i & 1));
      first = tp_mk2(tt, TP_OP_BV_ADD, first, with_sign(m, value, signs >> i & 1));
    }
    for (uint32_t i = 0; i < n && ok; i++) ok = !tp_occurs(tt, counters[i], first);
    if (ok) tp_universals_add(m->u, e->to, tp_mk_eq(tt, sum, first));
  }
}

static void add_balances(elements_maker *m) {
  for (size_t b = 0; b < m->b->list.n; b++) {
    const tp_block *e = &m->b->list.at[b];
    const tp_term_list *counters = &m->counters_at[e->to];
    if (e->from == e->to || tp_block_node_is_bad(m->b, e->to)) continue;
    for (size_t i = 0; i < counters->n; i++)
      for (size_t j = 0; j < i; j++) {
        const tp_term pair[] = {counters->at[j], counters->at[i]};
        add_balance(m, e, pair, 2);
        for (size_t k = 0; k < j; k++)
          add_balance(m, e, (tp_term[]){counters->at[k], counters->at[j], counters->at[i]}, 3);
      }
  }
}

uint32_t elements_residues(elements_maker *m, const elements_counter *c,
                           uint64_t out[TP_RESIDUES]) {
  uint32_t n = 0;
  for (size_t i = 0; i < m->b->list.n && n < TP_RESIDUES; i++) {
    const tp_block *k = &m->b->list.at[i];
    const tp_term t = tp_path_after(m->x, &k->path, c->symbol);
    uint64_t start;
    int64_t step;
    if (tp_block_node_is_bad(m->b, k->to) || tp_term_eq(t, c->symbol) ||
        elements_is_moved(m, c->symbol, t, &step) || !tp_bv_value_u64(m->tt, t, &start))
      continue;
    uint32_t j = 0;
    while (j < n && out[j] != start % c->step) j++;
    if (j == n) out[n++] = start % c->step;
  }
  if (n == 0) out[n++] = 0;
  return n;
}

uint64_t elements_residue(elements_maker *m, const elements_counter *c) {
  uint64_t all[TP_RESIDUES];
  return elements_residues(m, c, all) == 1 ? all[0] : 0;
}

/* What a variable was computed as, where it stays as it is: `len = n - off` tells ends of ranges by
 * each other. */
static void add_definitions_of(elements_maker *m, const tp_block *k, uint32_t *n) {
  tp_terms *tt = m->tt;
  for (size_t j = 0; j < m->variables->at[k->to].n && *n < TP_BLOCKS_UNIVERSAL_DEFINITIONS; j++) {
    const tp_term v = m->variables->at[k->to].at[j], t = elements_entered_with(m, k, v);
    if (tp_is_const(tt, t) || tp_kind(tt, t) == TP_OP_VAR || tp_occurs(tt, v, t) ||
        tp_sort_kind_of(tt, tp_sort_of(tt, v)) != TP_SORT_BV || elements_has_counter(m, t) ||
        tp_dag_size(tt, t) > TP_BLOCKS_UNIVERSAL_DEFINITION_TERMS ||
        tp_any_subterm(tt, t, elements_is_any_cell, m) || !tp_paths_is_expressible(m->x, t))
      continue;
    ++*n;
    for (uint32_t node = 1; node < m->b->nodes.n; node++)
      tp_universals_add(m->u, node, tp_mk_eq(tt, v, t));
  }
}

static void add_definitions(elements_maker *m) {
  uint32_t n = 0;
  for (size_t i = 0; i < m->b->list.n; i++)
    if (!tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      add_definitions_of(m, &m->b->list.at[i], &n);
}

void elements_add_relations(elements_maker *m) {
  tp_terms *tt = m->tt;
  for (uint32_t node = 1; node < m->b->nodes.n; node++) {
    for (size_t i = 0; i < m->relations.n; i++)
      tp_universals_add(m->u, node,
                        tp_mk_eq(tt, m->relations.at[i].counter, m->relations.at[i].value));
    for (size_t i = 0; i < m->counters.n; i++) {
      const elements_counter *c = &m->counters.at[i];
      const uint32_t width = tp_width(tt, c->symbol);
      if (c->step > 1)
        tp_universals_add(
            m->u, node,
            tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, c->symbol, tp_mk_bv(tt, width, c->step)),
                     tp_mk_bv(tt, width, elements_residue(m, c))));
    }
    add_sums(m, node);
  }
  add_definitions(m);
  add_balances(m);
}

// ------------------------------------------------------------------ cells in variables

bool elements_seen_from_behind(const elements_maker *m, const tp_block *k, tp_term t, tp_term but,
                               tp_term *out) {
  tp_terms *tt = m->tt;
  tp_term_list symbols = {0};
  tp_map images = {0};
  bool ok = true;
  tp_collect_terms(tt, t, elements_is_index_symbol, (void *)(uintptr_t)m, &symbols);
  for (size_t i = 0; i < symbols.n && ok; i++) {
    const tp_term s = symbols.at[i], after = tp_path_after(m->x, &k->path, s);
    int64_t by;
    if (tp_term_eq(after, s) || tp_term_eq(s, but)) continue;
    ok = is_moved_by(m, k, s, &by);
    if (ok)
      tp_map_set(&images, s.id, tp_mk_sub(tt, s, tp_mk_bv_signed(tt, tp_width(tt, s), by)).id);
  }
  if (ok) *out = tp_replace_all(tt, t, &images);
  tp_vec_clear(&symbols);
  tp_map_clear(&images);
  return ok;
}

/* There is no such cell where a counter of the loop is at its start. */
static void keep_behind_start(elements_maker *m, const tp_block *k, tp_term fact) {
  for (size_t c = 0; c < m->counters_at[k->to].n; c++) {
    const tp_term counter = m->counters_at[k->to].at[c];
    for (size_t i = 0; i < m->starts.n && tp_occurs(m->tt, counter, fact); i++)
      if (tp_is_const(m->tt, m->starts.at[i]) &&
          tp_sort_eq(tp_sort_of(m->tt, m->starts.at[i]), tp_sort_of(m->tt, counter)))
        elements_push_once(&m->plain,
                           tp_mk_or(m->tt, tp_mk_eq(m->tt, counter, m->starts.at[i]), fact),
                           TP_BLOCKS_UNIVERSAL_BODIES);
  }
}

static void keep(elements_maker *m, const tp_block *k, tp_term v, tp_term cell) {
  tp_term behind;
  if (!tp_sort_eq(tp_sort_of(m->tt, v), tp_sort_of(m->tt, cell)) ||
      !elements_seen_from_behind(m, k, cell, TP_TERM_NONE, &behind) ||
      !tp_paths_is_expressible(m->x, behind))
    return;
  const tp_term fact = tp_mk_eq(m->tt, v, behind);
  elements_push_once(&m->plain, fact, TP_BLOCKS_UNIVERSAL_BODIES);
  keep_behind_start(m, k, fact);
}

static void find_kept_in(elements_maker *m, const tp_block *k, tp_term v) {
  const tp_term after = elements_after(m, k, v);
  if (tp_term_eq(after, v)) return;
  if (elements_is_any_cell(m, m->tt, after)) keep(m, k, v, after);
  for (size_t w = 0; w < m->writes.n; w++)
    if (m->writes.at[w].block == k && tp_term_eq(m->writes.at[w].value, after))
      keep(m, k, v, m->writes.at[w].cell);
}

void elements_find_kept_cells(elements_maker *m, const tp_block *k) {
  if (tp_block_node_is_bad(m->b, k->to)) return;
  for (size_t i = 0; i < m->variables->at[k->to].n; i++)
    find_kept_in(m, k, m->variables->at[k->to].at[i]);
  for (size_t i = 0; i < m->last_written.n; i++) find_kept_in(m, k, m->last_written.at[i]);
}

/* Walkers: pointers that a block moves by a constant number of bytes. A walker is an index that is
 * counted from where it starts, so its cells are cells at an index, too. */
#include "blocks/elements_priv.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "term/rewrite.h"

void elements_find_pointers(const tp_paths *x, tp_term_list *out) {
  for (uint32_t i = 1; i < x->p->vars.n; i++) {
    const tp_var_info *v = &x->p->vars.at[i];
    if (v->kind != TP_V_GHOST && v->kind != TP_V_TEMP &&
        tp_sort_kind_of(x->tt, tp_sort_of(x->tt, v->term)) == TP_SORT_PTR)
      elements_push_once(out, v->term, TP_BLOCKS_UNIVERSAL_POINTERS);
  }
}

/* Some leaf of the conditional is v + constant; its absolute value. */
static bool is_walked(const elements_maker *m, tp_term v, tp_term after, int64_t *step) {
  tp_terms *tt = m->tt;
  if (tp_kind(tt, after) == TP_OP_ITE)
    return is_walked(m, v, tp_arg(tt, after, 1), step) ||
           is_walked(m, v, tp_arg(tt, after, 2), step);
  return tp_is_true(tt,
                    tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, after), tp_mk1(tt, TP_OP_PTR_OBJ, v))) &&
         elements_is_moved(m, tp_mk1(tt, TP_OP_PTR_OFF, v), tp_mk1(tt, TP_OP_PTR_OFF, after), step);
}

/* What a pointer is behind a block that does not move it. NONE: nothing that has a name. */
static tp_term start_of(const elements_maker *m, const tp_block *k, tp_term v) {
  int64_t step;
  const tp_term after = tp_path_after(m->x, &k->path, v);
  const bool is_start = !tp_block_node_is_bad(m->b, k->to) && !tp_term_eq(after, v) &&
                        !is_walked(m, v, after, &step) && !tp_occurs(m->tt, v, after) &&
                        tp_kind(m->tt, after) != TP_OP_ITE && tp_paths_is_expressible(m->x, after);
  return is_start ? after : TP_TERM_NONE;
}

/* Where steps are counted from: the start of its object, or the first place there that is a number
 * of steps away. NONE: not known. */
static tp_term base_of(const elements_maker *m, tp_term v, uint64_t step) {
  tp_terms *tt = m->tt;
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_term start = start_of(m, &m->b->list.at[i], v);
    uint64_t offset;
    if (!tp_term_is(start)) continue;
    if (!tp_bv_value_u64(tt, tp_mk1(tt, TP_OP_PTR_OFF, start), &offset)) offset = 0;
    return tp_mk_ptr(tt, tp_mk1(tt, TP_OP_PTR_OBJ, start),
                     tp_mk_bv(tt, m->x->p->ptr_bits, offset % step));
  }
  return TP_TERM_NONE;
}

tp_term elements_in_steps(const elements_maker *m, tp_term offset, const elements_walker *w) {
  const uint32_t width = m->x->p->ptr_bits;
  return tp_mk2(m->tt, TP_OP_BV_UDIV,
                tp_mk_sub(m->tt, offset, tp_mk1(m->tt, TP_OP_PTR_OFF, w->base)),
                tp_mk_bv(m->tt, width, w->step));
}

static void add_walker(elements_maker *m, const tp_block *k, tp_term v, uint64_t step) {
  for (size_t i = 0; i < m->walkers.n; i++)
    if (tp_term_eq(m->walkers.at[i].symbol, v)) return;
  elements_walker w = {.symbol = v, .step = step, .base = base_of(m, v, step)};
  if (!tp_term_is(w.base) || m->walkers.n == TP_BLOCKS_UNIVERSAL_COUNTERS) return;
  w.at = elements_in_steps(m, tp_mk1(m->tt, TP_OP_PTR_OFF, v), &w);
  tp_vec_push(&m->walkers, w);
  // indices of 32 bits beside it
  const tp_term narrow = tp_mk_trunc(m->tt, 32, w.at);
  for (uint32_t side = 0; side < 2; side++) {
    tp_term_list *list = &m->counters_at[side ? k->to : k->from];
    elements_push_once(list, w.at, TP_BLOCKS_UNIVERSAL_COUNTERS);
    elements_push_once(list, narrow, TP_BLOCKS_UNIVERSAL_COUNTERS);
  }
  elements_push_once(&m->starts, tp_mk_bv(m->tt, m->x->p->ptr_bits, 0), TP_BLOCKS_UNIVERSAL_ENDS);
  elements_push_once(&m->starts, tp_mk_bv(m->tt, 32, 0), TP_BLOCKS_UNIVERSAL_ENDS);
}

void elements_find_walkers(elements_maker *m) {
  tp_term_list pointers = {0};
  int64_t step;
  elements_find_pointers(m->x, &pointers);
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    for (size_t j = 0; j < pointers.n && k->from && !tp_block_node_is_bad(m->b, k->to); j++)
      if (is_walked(m, pointers.at[j], tp_path_after(m->x, &k->path, pointers.at[j]), &step))
        add_walker(m, k, pointers.at[j], elements_size_of_step(step));
  }
  tp_vec_clear(&pointers);
}

bool elements_index_walkers(const elements_maker *m, tp_term t, tp_term *out) {
  const uint32_t w = m->x->p->ptr_bits;
  const tp_term index = tp_universal_index(m->u, 0, tp_sort_bv(m->tt, w));
  tp_map images = {0};
  for (size_t i = 0; i < m->walkers.n; i++) {
    const elements_walker *a = &m->walkers.at[i];
    if (!tp_occurs(m->tt, a->symbol, t)) continue;
    const tp_term offset = tp_mk2(m->tt, TP_OP_BV_MUL, index, tp_mk_bv(m->tt, w, a->step));
    tp_map_set(&images, a->symbol.id, tp_mk_ptr_add(m->tt, a->base, offset).id);
  }
  const bool some = images.n > 0;
  if (some) *out = tp_replace_all(m->tt, t, &images);
  tp_map_clear(&images);
  return some;
}

bool elements_has_walker(const elements_maker *m, tp_term t) {
  for (size_t i = 0; i < m->walkers.n; i++)
    if (tp_occurs(m->tt, m->walkers.at[i].symbol, t)) return true;
  return false;
}

/* Pointers that nothing moves are what they were set to: ends of walks. */
static void add_kept_pointers(elements_maker *m, uint32_t node) {
  tp_term_list pointers = {0};
  elements_find_pointers(m->x, &pointers);
  for (size_t j = 0; j < pointers.n; j++)
    for (size_t i = 0; i < m->b->list.n && !elements_has_walker(m, pointers.at[j]); i++) {
      const tp_term start = start_of(m, &m->b->list.at[i], pointers.at[j]);
      if (tp_term_is(start) && !elements_has_walker(m, start))
        tp_universals_add(m->u, node, tp_mk_eq(m->tt, pointers.at[j], start));
    }
  tp_vec_clear(&pointers);
}

/* A counter's loop moves the walker as well: how far it is from where it was is how far the counter
 * is from its start. */
static void add_walk(elements_maker *m, const elements_walker *w, const tp_block *entry,
                     tp_term counter) {
  tp_terms *tt = m->tt;
  const uint32_t width = m->x->p->ptr_bits;
  const elements_counter *c = elements_counter_of(m, counter);
  const tp_term from = start_of(m, entry, w->symbol);
  if (!c || c->step != 1 || !tp_term_is(from) || tp_width(tt, counter) > width) return;
  const tp_term start = elements_entered_with(m, entry, counter);
  if (elements_has_counter(m, start) || !tp_paths_is_expressible(m->x, start) ||
      tp_dag_size(tt, start) > 8 || tp_any_subterm(tt, start, elements_is_any_cell, m))
    return;
  const bool is_signed = !elements_is_unsigned(m, counter);
  const tp_term now = tp_mk_resize(tt, width, is_signed, counter),
                then = tp_mk_resize(tt, width, is_signed, start),
                turns = c->is_down ? tp_mk_sub(tt, then, now) : tp_mk_sub(tt, now, then),
                first = elements_in_steps(m, tp_mk1(tt, TP_OP_PTR_OFF, from), w);
  tp_universals_add(m->u, entry->to, tp_mk_eq(tt, w->at, tp_mk2(tt, TP_OP_BV_ADD, first, turns)));
}

static void add_walks(elements_maker *m, const elements_walker *w) {
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    if (tp_block_node_is_bad(m->b, k->to) || k->from == k->to) continue;
    for (size_t c = 0; c < m->counters_at[k->to].n; c++)
      add_walk(m, w, k, m->counters_at[k->to].at[c]);
  }
}

void elements_add_ways(elements_maker *m) {
  tp_terms *tt = m->tt;
  const uint32_t width = m->x->p->ptr_bits;
  for (size_t i = 0; i < m->walkers.n; i++) {
    const elements_walker *w = &m->walkers.at[i];
    const tp_term far = tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, w->symbol),
                                  tp_mk1(tt, TP_OP_PTR_OFF, w->base)),
                  step = tp_mk_bv(tt, width, w->step);
    add_walks(m, w);
    for (uint32_t node = 1; node < m->b->nodes.n; node++) {
      add_kept_pointers(m, node);
      tp_universals_add(
          m->u, node,
          tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, w->symbol), tp_mk1(tt, TP_OP_PTR_OBJ, w->base)));
      tp_universals_add(m->u, node,
                        tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, far, step), tp_mk_bv(tt, width, 0)));
      for (size_t e = 0; e < m->ends.n; e++)
        if (tp_width(tt, m->ends.at[e]) == width) {
          tp_universals_add(m->u, node, tp_mk2(tt, TP_OP_BV_ULE, w->at, m->ends.at[e]));
          tp_universals_add(m->u, node, tp_mk_eq(tt, w->at, m->ends.at[e]));
        }
      for (size_t k = 0; k < i; k++)
        tp_universals_add(m->u, node, tp_mk_eq(tt, w->at, m->walkers.at[k].at));
      for (size_t k = 0; k < m->counters_at[node].n; k++) {
        const tp_term c = m->counters_at[node].at[k];
        if (tp_width(tt, c) <= width && !tp_term_eq(c, w->at))
          tp_universals_add(m->u, node, tp_mk_eq(tt, w->at, tp_mk_sext(tt, width, c)));
      }
    }
  }
}

/* Places: variables, and fields, that keep where a counter was, as the index of the greatest
 * element so far does. What a block gives another variable together with a place is the cell at the
 * place, and ranges begin and end there. */
#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "term/rewrite.h"

/* What may be a place at the node, or belong to one: its variables, and fields. NONE: no more. */
static tp_term held_at(const elements_maker *m, uint32_t node, size_t i) {
  const tp_term_list *variables = &m->variables->at[node];
  if (i < variables->n) return variables->at[i];
  return i - variables->n < m->fields.n ? m->fields.at[i - variables->n] : TP_TERM_NONE;
}

/* Does the block give v the value of a counter, moved by a constant? */
static bool is_place_of(const elements_maker *m, const tp_block *k, tp_term v, tp_term counter,
                        tp_term *moved) {
  tp_terms *tt = m->tt;
  tp_term_list leaves = {0};
  bool is = false;
  if (tp_term_eq(v, counter) || !elements_is_index_number(m, v) ||
      !tp_sort_eq(tp_sort_of(tt, v), tp_sort_of(tt, counter)))
    return false;
  elements_leaves(m, v, elements_after(m, k, v), &leaves);
  for (size_t i = 0; i < leaves.n && !is; i++) {
    *moved = tp_mk_sub(tt, leaves.at[i], counter);
    is = tp_is_const(tt, *moved);
  }
  tp_vec_clear(&leaves);
  return is;
}

/* v became `cell`, at `counter`; w became the counter: behind the block v is the cell at w. */
static void add_cell_at(elements_maker *m, const tp_block *k, tp_term v, tp_term cell,
                        tp_term counter) {
  tp_term w, moved, after;
  for (size_t i = 0; tp_term_is(w = held_at(m, k->to, i)); i++) {
    if (tp_term_eq(v, w) || !is_place_of(m, k, w, counter, &moved)) continue;
    const tp_term there = tp_replace(m->tt, cell, counter, tp_mk_sub(m->tt, w, moved));
    if (elements_seen_from_behind(m, k, there, w, &after) && tp_paths_is_expressible(m->x, after))
      elements_push_once(&m->plain, tp_mk_eq(m->tt, v, after), TP_BLOCKS_UNIVERSAL_BODIES);
  }
}

static void find_cells_behind(elements_maker *m, const tp_block *k) {
  const tp_term_list *counters = &m->counters_at[k->from];
  tp_term v;
  for (size_t i = 0; tp_term_is(v = held_at(m, k->to, i)); i++) {
    tp_term_list leaves = {0};
    if (!elements_is_index_number(m, v)) continue;
    elements_leaves(m, v, elements_after(m, k, v), &leaves);
    for (size_t j = 0; j < leaves.n; j++)
      for (size_t c = 0; c < counters->n && elements_is_any_cell(m, m->tt, leaves.at[j]); c++)
        if (tp_occurs(m->tt, counters->at[c], tp_arg(m->tt, leaves.at[j], 1)))
          add_cell_at(m, k, v, leaves.at[j], counters->at[c]);
    tp_vec_clear(&leaves);
  }
}

void elements_find_cells_at_places(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && !tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      find_cells_behind(m, &m->b->list.at[i]);
}

static void find_places_of(elements_maker *m, const tp_block *k) {
  const tp_term_list *counters = &m->counters_at[k->to];
  tp_term v, moved;
  for (size_t i = 0; tp_term_is(v = held_at(m, k->to, i)); i++)
    for (size_t c = 0; c < counters->n && !elements_counter_of(m, v); c++)
      if (is_place_of(m, k, v, counters->at[c], &moved))
        elements_push_once(&m->places_at[k->to], v, TP_BLOCKS_UNIVERSAL_PLACES);
}

void elements_find_places(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && m->b->list.at[i].from == m->b->list.at[i].to)
      find_places_of(m, &m->b->list.at[i]);
}

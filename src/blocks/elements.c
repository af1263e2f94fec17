/* Ranges times bodies: each body is a candidate in each range that a node's counters allow. */
#include "blocks/elements.h"

#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "program/cells.h"
#include "term/rewrite.h"

typedef struct {
  elements_maker *m;
  const elements_body *of;
  uint32_t node;
  tp_term_list singles;  // indices of cells that are written by themselves
  bool has_last;         // the body speaks of the cell before that at the index, too
} target;

static tp_term index_of(const target *t, uint32_t slot) {
  return tp_universal_index(t->m->u, slot, t->of->sorts[slot]);
}
static bool fits(const target *t, uint32_t slot, tp_term end) {
  return tp_sort_eq(tp_sort_of(t->m->tt, end), t->of->sorts[slot]);
}
static tp_term at_least(const target *t, tp_term a, tp_term b) {
  return tp_mk2(t->m->tt, t->of->is_unsigned ? TP_OP_BV_ULE : TP_OP_BV_SLE, b, a);
}
static tp_term below(const target *t, tp_term a, tp_term b) {
  return tp_mk2(t->m->tt, t->of->is_unsigned ? TP_OP_BV_ULT : TP_OP_BV_SLT, a, b);
}
static tp_term zero_like(const target *t, tp_term a) {
  return tp_mk_bv(t->m->tt, tp_width(t->m->tt, a), 0);
}
static void add_under(const target *t, tp_term range) {
  elements_maker *m = t->m;
  if (!m->is_wide || m->is_last) tp_universals_add_in(m->u, t->node, range, t->of->open);
  for (size_t i = 0; m->is_wide && i < m->guards.n; i++) {
    const tp_term guard = m->guards.at[i];
    tp_universals_add_in(m->u, t->node, tp_mk_and(m->tt, range, guard), t->of->open);
    tp_universals_add_in(m->u, t->node, tp_mk_and(m->tt, range, tp_mk_not(m->tt, guard)),
                         t->of->open);
  }
}

/* The indices at which the body speaks of cells that are written by themselves. */
static void single_places(const target *t, tp_term_list *out) {
  elements_maker *m = t->m;
  const tp_term x = index_of(t, 0);
  tp_term_list cells = {0};
  tp_term place;
  tp_collect_terms(m->tt, t->of->open, elements_is_any_cell, m, &cells);
  for (size_t i = 0; i < cells.n; i++)
    for (size_t k = 0; k < m->singles.n; k++)
      if (elements_index_at(m, tp_arg(m->tt, cells.at[i], 1), x, m->singles.at[k], &place))
        elements_push_once(out, place, TP_BLOCKS_UNIVERSAL_GUARDS);
  tp_vec_clear(&cells);
}

/* The range, and at the highest levels the range without one cell that was written by itself. */
static void add_in(const target *t, tp_term range) {
  const elements_maker *m = t->m;
  add_under(t, range);
  for (size_t i = 0; i < t->singles.n && m->is_wide; i++)
    tp_universals_add_in(
        m->u, t->node,
        tp_mk_and(m->tt, range,
                  tp_mk_not(m->tt, tp_mk_eq(m->tt, index_of(t, 0), t->singles.at[i]))),
        t->of->open);
}

/* lo <= index < hi. */
static tp_term range(const target *t, uint32_t slot, tp_term lo, tp_term hi) {
  tp_term x = index_of(t, slot);
  return tp_mk_and(t->m->tt, at_least(t, x, lo), below(t, x, hi));
}

/* lo < index < hi, where the first cell has none before it. */
static void add_behind_first(const target *t, tp_term lo, tp_term hi) {
  elements_maker *m = t->m;
  const tp_term x = index_of(t, 0),
                next = tp_mk2(m->tt, TP_OP_BV_ADD, lo, tp_mk_bv(m->tt, tp_width(m->tt, lo), 1));
  for (size_t i = 0; i < m->starts.n; i++)
    if (tp_term_eq(m->starts.at[i], next)) return;
  if (t->has_last) add_in(t, tp_mk_and(m->tt, below(t, lo, x), below(t, x, hi)));
}

/* From where a counter that goes downwards is up to where it came from. */
static void add_downwards(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  const tp_term x = index_of(t, 0);
  for (size_t i = 0; i < counters->n; i++) {
    const tp_term c = counters->at[i];
    const elements_counter *down = elements_counter_of(m, c);
    if (!down || !down->is_down || !fits(t, 0, c)) continue;
    for (size_t j = 0; j < m->starts.n; j++) {
      const tp_term start = m->starts.at[j];
      if (!fits(t, 0, start)) continue;
      add_under(t, range(t, 0, c, start));
      add_under(t, tp_mk_and(m->tt, below(t, c, x), at_least(t, start, x)));
    }
  }
}

/* An end that another end occurs in, with a counter in the place of that one: as 2 * n is the end
 * of what is written in n turns, 2 * i is where turn i is. */
static void add_scaled(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  for (size_t i = 0; i < m->ends.n; i++)
    for (size_t j = 0; j < m->ends.n; j++) {
      const tp_term all = m->ends.at[i], part = m->ends.at[j];
      if (i == j || !fits(t, 0, all) || tp_is_const(m->tt, part) || !tp_occurs(m->tt, part, all) ||
          tp_kind(m->tt, all) != TP_OP_BV_MUL)
        continue;
      for (size_t k = 0; k < counters->n; k++)
        if (tp_sort_eq(tp_sort_of(m->tt, counters->at[k]), tp_sort_of(m->tt, part)))
          add_under(t,
                    range(t, 0, zero_like(t, all), tp_replace(m->tt, all, part, counters->at[k])));
    }
}

static void add_one_index(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  const tp_term x = index_of(t, 0);
  for (size_t i = 0; i < m->starts.n; i++) {
    const tp_term lo = m->starts.at[i];
    if (!fits(t, 0, lo)) continue;
    for (size_t j = 0; j < counters->n; j++)
      if (fits(t, 0, counters->at[j])) {
        add_in(t, range(t, 0, lo, counters->at[j]));
        add_behind_first(t, lo, counters->at[j]);
        add_under(t, tp_mk_and(m->tt, at_least(t, x, lo), at_least(t, counters->at[j], x)));
      }
    for (size_t j = 0; j < m->ends.n; j++)
      if (fits(t, 0, m->ends.at[j])) {
        add_in(t, range(t, 0, lo, m->ends.at[j]));
        add_behind_first(t, lo, m->ends.at[j]);
      }
  }
  for (size_t i = 0; i < m->ends.n; i++)
    if (fits(t, 0, m->ends.at[i])) add_under(t, tp_mk_eq(m->tt, x, m->ends.at[i]));
  for (size_t i = 0; i < m->ends.n; i++)
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term hi = m->ends.at[i], c = counters->at[j];
      if (!fits(t, 0, hi) || !fits(t, 0, c)) continue;
      add_under(t, range(t, 0, c, hi));
      add_under(t, tp_mk_and(m->tt, at_least(t, x, c), at_least(t, hi, x)));
      add_under(t, tp_mk_and(m->tt, below(t, c, x), below(t, x, hi)));
    }
  // at the counter itself something is known under conditions only
  for (size_t j = 0; j < counters->n && m->is_wide && !m->is_last; j++)
    if (fits(t, 0, counters->at[j])) add_under(t, tp_mk_eq(m->tt, x, counters->at[j]));
  add_downwards(t);
  add_scaled(t);
}

/* Where a counter came as far as another one, or to the end: it counted all elements. */
static void add_all_counted(const target *t, tp_term lo, tp_term hi) {
  elements_maker *m = t->m;
  for (size_t k = 0; k < m->counters.n; k++) {
    const tp_term counted = m->counters.at[k].symbol;
    if (tp_term_eq(counted, hi) || !tp_sort_eq(tp_sort_of(m->tt, counted), tp_sort_of(m->tt, hi)))
      continue;
    tp_universals_add_in(m->u, t->node,
                         tp_mk_and(m->tt, range(t, 0, lo, hi), tp_mk_eq(m->tt, counted, hi)),
                         t->of->open);
  }
}

/* All or none of the elements were counted. */
static void add_counted(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  for (size_t i = 0; i < m->starts.n; i++) {
    if (!fits(t, 0, m->starts.at[i])) continue;
    for (size_t j = 0; j < counters->n; j++)
      if (fits(t, 0, counters->at[j])) {
        add_all_counted(t, m->starts.at[i], counters->at[j]);
        for (size_t k = 0; k < m->counters.n; k++) {
          const tp_term counted = m->counters.at[k].symbol;
          if (!tp_term_eq(counted, counters->at[j]))
            tp_universals_add_in(
                m->u, t->node,
                tp_mk_and(m->tt, range(t, 0, m->starts.at[i], counters->at[j]),
                          tp_mk_eq(m->tt, counted, tp_mk_bv(m->tt, tp_width(m->tt, counted), 0))),
                t->of->open);
        }
      }
    for (size_t j = 0; j < m->ends.n; j++)
      if (fits(t, 0, m->ends.at[j])) add_all_counted(t, m->starts.at[i], m->ends.at[j]);
  }
}

/* From one counter to another one. */
static void add_between_counters(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  const tp_term x = index_of(t, 0);
  for (size_t i = 0; i < counters->n; i++)
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term lo = counters->at[i], hi = counters->at[j];
      if (i == j || !fits(t, 0, lo) || !fits(t, 0, hi)) continue;
      add_under(t, range(t, 0, lo, hi));
      add_under(t, tp_mk_and(m->tt, below(t, lo, x), at_least(t, hi, x)));
      add_under(t, tp_mk_and(m->tt, below(t, lo, x), below(t, x, hi)));
      add_under(t, tp_mk_and(m->tt, at_least(t, x, lo), at_least(t, hi, x)));
    }
}

/* Ranges that end where a counter is seen in the mirror: from it to the end as far as it came from
 * the start. */
static void add_mirrored(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  for (size_t i = 0; i < m->ends.n; i++)
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term hi = m->ends.at[i], c = counters->at[j];
      if (!fits(t, 0, hi) || !fits(t, 0, c)) continue;
      const tp_term mirrored = tp_mk_sub(m->tt, hi, c);
      tp_universals_add_in(m->u, t->node, range(t, 0, c, mirrored), t->of->open);
      tp_universals_add_in(m->u, t->node, range(t, 0, mirrored, hi), t->of->open);
    }
}

/* In front of a place, and from it to a counter or an end. */
static void add_at_places(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  const tp_term x = index_of(t, 0), open = t->of->open;
  for (size_t p = 0; p < m->places_at[t->node].n; p++) {
    const tp_term place = m->places_at[t->node].at[p];
    if (!fits(t, 0, place)) continue;
    for (size_t i = 0; i < m->starts.n; i++)
      if (fits(t, 0, m->starts.at[i]))
        tp_universals_add_in(m->u, t->node, range(t, 0, m->starts.at[i], place), open);
    for (size_t i = 0; i < counters->n + m->ends.n; i++) {
      const tp_term hi = i < counters->n ? counters->at[i] : m->ends.at[i - counters->n];
      if (!fits(t, 0, hi)) continue;
      tp_universals_add_in(m->u, t->node, range(t, 0, place, hi), open);
      tp_universals_add_in(m->u, t->node, tp_mk_and(m->tt, below(t, place, x), below(t, x, hi)),
                           open);
    }
  }
}

static void add_two_indices(const target *t) {
  elements_maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  if (!tp_sort_eq(t->of->sorts[0], t->of->sorts[1])) return;
  const tp_term zero = tp_mk_bv(m->tt, tp_sort_width(m->tt, t->of->sorts[0]), 0);
  for (size_t i = 0; i < m->ends.n; i++) {
    const tp_term hi = m->ends.at[i];
    if (!fits(t, 0, hi)) continue;
    for (size_t j = 0; j < m->ends.n; j++)
      if (fits(t, 1, m->ends.at[j]))
        add_under(t, tp_mk_and(m->tt, range(t, 0, zero, hi), range(t, 1, zero, m->ends.at[j])));
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term c = counters->at[j];
      if (!fits(t, 0, c)) continue;
      add_under(t, tp_mk_and(m->tt, range(t, 0, zero, c), range(t, 1, zero, hi)));
      add_under(t, tp_mk_and(m->tt, range(t, 0, zero, hi), range(t, 1, zero, c)));
    }
  }
  for (size_t i = 0; i < counters->n; i++)
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term r = counters->at[i], c = counters->at[j];
      if (i == j || !fits(t, 0, r) || !fits(t, 1, c)) continue;
      add_under(t, tp_mk_and(m->tt, tp_mk_eq(m->tt, index_of(t, 0), r), range(t, 1, zero, c)));
      add_under(t, tp_mk_and(m->tt, tp_mk_eq(m->tt, index_of(t, 1), r), range(t, 0, zero, c)));
    }
}

/* The cell at the index, and the one before it? */
static bool reads_last(const target *t) {
  elements_maker *m = t->m;
  const tp_term x = index_of(t, 0),
                last = tp_mk_sub(m->tt, x, tp_mk_bv(m->tt, tp_width(m->tt, x), 1));
  tp_term_list cells = {0};
  bool is = false;
  tp_collect_terms(m->tt, t->of->open, elements_is_any_cell, m, &cells);
  for (size_t i = 0; i < cells.n; i++)
    for (size_t j = 0; j < cells.n; j++)
      is |= tp_term_eq(tp_replace(m->tt, cells.at[i], x, last), cells.at[j]);
  tp_vec_clear(&cells);
  return is;
}

/* At all nodes. */
static void add_body_of_one(target *t) {
  elements_maker *m = t->m;
  t->has_last = reads_last(t);
  if (m->is_wide) single_places(t, &t->singles);
  for (t->node = 1; t->node < m->b->nodes.n; t->node++) {
    if (m->is_wide) {
      add_at_places(t);
      add_mirrored(t);
      add_counted(t);
    }
    if (m->is_last) add_between_counters(t);
    add_one_index(t);
  }
  tp_vec_clear(&t->singles);
}

/* Each body in each range. */
static void add_bodies(elements_maker *m) {
  for (size_t i = 0; i < m->bodies.n; i++) {
    target t = {.m = m, .of = &m->bodies.at[i]};
    if (t.of->n_indices == 1) {
      add_body_of_one(&t);
      continue;
    }
    for (t.node = 1; t.node < m->b->nodes.n; t.node++) add_two_indices(&t);
  }
}

/* Where the program orders cells: that ranges are sorted, and orders of variables. Of all else
 * there is too much for questions about two indices. */
static bool add_sorting(elements_maker *m) {
  if (m->orders.n == 0) return false;
  tp_universals_drop(m->u);
  for (uint32_t n = 1; n < m->b->nodes.n; n++) elements_add_cell_orders(m, n);
  elements_add_growth(m);
  elements_add_orders(m);
  elements_add_relations(m);
  return true;
}

/* Where the program searches a sorted array: of all else there is too much, as there. */
static bool add_searching(elements_maker *m) {
  if (m->probes.n == 0) return false;
  tp_universals_drop(m->u);
  for (uint32_t n = 1; n < m->b->nodes.n; n++) elements_add_sorted_ranges(m, n);
  if (!elements_add_probes(m)) return false;
  elements_add_growth(m);
  elements_add_orders(m);
  elements_add_plain(m);
  return true;
}

static bool add_at_level(elements_maker *m, uint32_t level) {
  if (level == TP_ELEMENTS_SEARCHING) return add_searching(m);
  if (level == TP_ELEMENTS_SORTING) return add_sorting(m);
  if (level == TP_ELEMENTS_FOLDING) {
    if (!elements_find_folds(m)) return false;
    elements_add_folds(m);
  }
  m->is_wide = level > TP_ELEMENTS_SORTING && level < TP_ELEMENTS_FOLDING;
  m->is_last = level + 1 == TP_ELEMENTS_FOLDING;
  elements_add_plain(m);
  elements_add_last_written(m);
  elements_add_relations(m);
  elements_add_sought(m);
  for (size_t i = 0; i < m->x->blocks.n; i++) elements_add_block(m, &m->x->blocks.at[i]);
  elements_add_ways(m);
  if (level >= 2) elements_add_growth(m);
  if (level >= 2) elements_add_orders(m);
  if (m->is_wide) elements_add_plain_elsewhere(m);
  if (m->is_wide) elements_find_guards(m);
  if (m->is_wide) elements_find_places(m);
  add_bodies(m);
  for (uint32_t n = 1; n < m->b->nodes.n && m->is_last; n++) elements_add_cell_orders(m, n);
  return true;
}

static void clear_maker(elements_maker *m) {
  for (uint32_t n = 0; n < m->b->nodes.n; n++) {
    tp_vec_clear(&m->counters_at[n]);
    tp_vec_clear(&m->places_at[n]);
  }
  tp_free(m->counters_at);
  tp_free(m->places_at);
  tp_vec_clear(&m->counters);
  tp_vec_clear(&m->walkers);
  tp_vec_clear(&m->starts);
  tp_vec_clear(&m->ends);
  tp_vec_clear(&m->mirrors);
  tp_vec_clear(&m->relations);
  tp_vec_clear(&m->bodies);
  tp_vec_clear(&m->orders);
  tp_vec_clear(&m->writes);
  tp_vec_clear(&m->folds);
  tp_vec_clear(&m->fold_starts);
  tp_vec_clear(&m->guards);
  tp_vec_clear(&m->singles);
  tp_vec_clear(&m->fields);
  tp_map_clear(&m->kept);
  tp_map_clear(&m->settled);
  tp_vec_clear(&m->plain);
  tp_vec_clear(&m->bounds);
  tp_vec_clear(&m->last_written);
  tp_vec_clear(&m->probes);
  tp_vec_clear(&m->growths);
  tp_vec_clear(&m->spans);
}

bool tp_elements_add(tp_universals *u, const tp_node_formulas *variables, const tp_term *known,
                     uint32_t level) {
  const tp_blocks *b = u->b;
  elements_maker m = {
      .u = u, .b = b, .x = b->paths, .tt = b->paths->tt, .variables = variables, .known = known};
  m.counters_at = TP_NEW_ARRAY(tp_term_list, b->nodes.n);
  m.places_at = TP_NEW_ARRAY(tp_term_list, b->nodes.n);
  elements_find_counters(&m);
  elements_find_walkers(&m);
  elements_find_starts(&m);
  elements_find_relations(&m);
  elements_find_ends(&m);
  elements_find_bounds(&m);
  m.is_search = level == TP_ELEMENTS_SEARCHING;
  if (m.is_search && m.bounds.n == 0) {
    clear_maker(&m);
    return false;
  }
  if (m.is_search) elements_start_searches(&m);
  m.has_spans = level >= 2;
  elements_find_bodies(&m);
  elements_find_growth(&m);
  const bool some = add_at_level(&m, level);
  clear_maker(&m);
  return some;
}

// --------------------------------------------------------------------- pointers

/* Does some block move the pointer from where it is? */
static bool is_walked_somewhere(const tp_blocks *b, tp_term pointer) {
  bool is = false;
  for (size_t i = 0; i < b->list.n && !is; i++) {
    const tp_block *k = &b->list.at[i];
    if (!k->from || tp_block_node_is_bad(b, k->to)) continue;
    const tp_term after = tp_path_after(b->paths, &k->path, pointer);
    is = !tp_term_eq(after, pointer) && tp_occurs(b->paths->tt, pointer, after);
  }
  return is;
}

/* Is it the address of another cell in each iteration? Not at a constant distance from a pointer
 * that stays: a field. */
static bool is_moving(const tp_blocks *b, tp_term address) {
  const tp_terms *tt = b->paths->tt;
  if (tp_is_const(tt, address)) return false;
  if (tp_kind(tt, address) == TP_OP_PTR_ADD && tp_is_const(tt, tp_arg(tt, address, 1)))
    address = tp_arg(tt, address, 0);
  return tp_kind(tt, address) != TP_OP_VAR || is_walked_somewhere(b, address);
}

static bool is_moving_cell(void *ctx, const tp_terms *tt, tp_term t) {
  return elements_is_any_cell(ctx, tt, t) &&
         is_moving(((const elements_maker *)ctx)->b, tp_arg(tt, t, 1));
}

static bool reads_elements(const elements_maker *m, tp_term t) {
  return tp_any_subterm(m->tt, tp_paths_flat(m->x, t), is_moving_cell, (void *)(uintptr_t)m);
}

/* A store of what elements say into a field, which conditions may read. */
static bool is_noted(void *ctx, const tp_terms *tt, tp_term t) {
  const elements_maker *m = ctx;
  return tp_kind(tt, t) == TP_OP_STORE && !is_moving(m->b, tp_arg(tt, t, 1)) &&
         reads_elements(m, tp_arg(tt, t, 2));
}

bool tp_elements_decide(const tp_blocks *b, const tp_node_formulas *variables) {
  const elements_maker m = {.b = b, .x = b->paths, .tt = b->paths->tt};
  for (size_t i = 0; i < b->list.n; i++) {
    const tp_block *k = &b->list.at[i];
    if (!k->from) continue;
    if (reads_elements(&m, tp_path_condition(m.x, &k->path))) return true;
    for (size_t j = 0; j < TP_N_MEMORIES; j++)
      if (tp_term_is(m.x->p->memory[j]) &&
          tp_any_subterm(m.tt, tp_path_after(m.x, &k->path, m.x->p->memory[j]), is_noted,
                         (void *)(uintptr_t)&m))
        return true;
    for (size_t j = 0; j < variables->at[k->to].n; j++)
      if (reads_elements(&m, tp_path_after(m.x, &k->path, variables->at[k->to].at[j]))) return true;
  }
  return false;
}

void tp_elements_add_pointers(const tp_blocks *b, tp_node_formulas *candidates) {
  tp_paths *x = b->paths;
  tp_terms *tt = x->tt;
  tp_term_list pointers = {0};
  elements_find_pointers(x, &pointers);
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    for (size_t i = 0; i < pointers.n; i++) {
      const tp_term p = pointers.at[i], object = tp_mk1(tt, TP_OP_PTR_OBJ, p);
      tp_node_formulas_add(
          candidates, b, n,
          tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p), tp_mk_bv(tt, x->p->ptr_bits, 0)));
      for (size_t j = 0; j < i; j++) {
        const tp_term other = tp_mk1(tt, TP_OP_PTR_OBJ, pointers.at[j]);
        tp_node_formulas_add(candidates, b, n, tp_mk_not(tt, tp_mk_eq(tt, object, other)));
        tp_node_formulas_add(candidates, b, n, tp_mk_eq(tt, p, pointers.at[j]));
      }
    }
  }
  tp_vec_clear(&pointers);
}

/* Candidates without an index: what leads to no error, orders of variables, blocks that are copied.
 */
#include "blocks/elements_priv.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "term/rewrite.h"

/* Of what leads to an error from the node: a cell is only asked for under another condition. */
static void add_plain_pairs(elements_maker *m, uint32_t node, const tp_term_list *all) {
  for (size_t j = 0; j < all->n; j++) {
    if (!tp_any_subterm(m->tt, all->at[j], elements_is_any_cell, m) ||
        elements_is_counted_at(m, node, all->at[j]))
      continue;
    for (size_t k = 0; k < all->n; k++)
      if (k != j && !elements_is_counted_at(m, node, all->at[k]))
        elements_push_once(&m->plain, tp_mk_not(m->tt, tp_mk_and(m->tt, all->at[j], all->at[k])),
                           TP_BLOCKS_UNIVERSAL_BODIES);
  }
}

/* What leads to no error without a word about elements, and the same with a counter in the place of
 * what counters are compared with: sums and numbers of elements so far. */
void elements_add_plain(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    tp_term_list all = {0};
    if (!k->from || !tp_block_node_is_bad(m->b, k->to)) continue;
    tp_conjuncts(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &all);
    for (size_t j = 0; j < all.n; j++)
      elements_push_once(&m->plain, tp_mk_not(m->tt, all.at[j]), TP_BLOCKS_UNIVERSAL_BODIES);
    add_plain_pairs(m, k->from, &all);
    tp_vec_clear(&all);
  }
  const size_t n = m->plain.n;
  for (size_t i = 0; i < n; i++) {
    tp_term_list atoms = {0};
    tp_conjuncts(m->tt, m->plain.at[i], &atoms);
    for (size_t j = 0; j < atoms.n; j++)
      elements_push_once(&m->plain, atoms.at[j], TP_BLOCKS_UNIVERSAL_BODIES);
    tp_vec_clear(&atoms);
  }
  for (size_t i = 0; i < m->plain.n; i++)
    for (uint32_t node = 1; node < m->b->nodes.n; node++) {
      if (tp_dag_size(m->tt, m->plain.at[i]) > TP_BLOCKS_UNIVERSAL_BODY_TERMS) continue;
      tp_universals_add(m->u, node, m->plain.at[i]);
      for (size_t c = 0; c < m->counters_at[node].n; c++)
        for (size_t e = 0; e < m->ends.n; e++)
          if (tp_sort_eq(tp_sort_of(m->tt, m->ends.at[e]),
                         tp_sort_of(m->tt, m->counters_at[node].at[c])))
            tp_universals_add(
                m->u, node,
                tp_replace(m->tt, m->plain.at[i], m->ends.at[e], m->counters_at[node].at[c]));
    }
}

/* Where cells of two arrays are equal, index by index: what is said of a cell of the one, of the
 * cell of the other. */
static void add_across(elements_maker *m, tp_term fact, tp_term cell, tp_term other,
                       tp_term index) {
  tp_terms *tt = m->tt;
  tp_term_list cells = {0};
  tp_term at;
  tp_collect_terms(tt, fact, elements_is_any_cell, m, &cells);
  for (size_t i = 0; i < cells.n; i++)
    if (tp_sort_eq(tp_sort_of(tt, cells.at[i]), tp_sort_of(tt, cell)) &&
        elements_index_at(m, tp_arg(tt, cell, 1), index, tp_arg(tt, cells.at[i], 1), &at))
      for (uint32_t node = 1; node < m->b->nodes.n; node++)
        tp_universals_add(m->u, node,
                          tp_replace(tt, fact, cells.at[i], tp_replace(tt, other, index, at)));
  tp_vec_clear(&cells);
}

static void add_plain_across(elements_maker *m) {
  tp_terms *tt = m->tt;
  for (size_t i = 0; i < m->bodies.n; i++) {
    const elements_body *body = &m->bodies.at[i];
    if (body->n_indices != 1 || tp_kind(tt, body->open) != TP_OP_EQ) continue;
    const tp_term index = tp_universal_index(m->u, 0, body->sorts[0]);
    for (size_t k = 0; k < m->plain.n; k++)
      for (uint32_t side = 0; side < 2; side++) {
        const tp_term a = tp_arg(tt, body->open, side), b = tp_arg(tt, body->open, 1 - side);
        if (elements_is_any_cell(m, tt, a) && elements_is_any_cell(m, tt, b))
          add_across(m, m->plain.at[k], a, b, index);
      }
  }
}

/* What is said of one cell, of that cell in another array: a copy ends where its source does. */
void elements_add_plain_elsewhere(elements_maker *m) {
  add_plain_across(m);
  tp_term_list pointers = {0};
  elements_find_pointers(m->x, &pointers);
  for (size_t i = 0; i < m->plain.n; i++) {
    const tp_term t = m->plain.at[i];
    if (tp_kind(m->tt, t) != TP_OP_EQ || !tp_any_subterm(m->tt, t, elements_is_any_cell, m))
      continue;
    for (size_t j = 0; j < pointers.n; j++)
      for (size_t k = 0; k < pointers.n && tp_occurs(m->tt, pointers.at[j], t); k++)
        for (uint32_t node = 1; node < m->b->nodes.n && k != j; node++)
          tp_universals_add(m->u, node, tp_replace(m->tt, t, pointers.at[j], pointers.at[k]));
  }
  tp_vec_clear(&pointers);
}

static bool is_number(const elements_maker *m, tp_term t) {
  return tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_BV && tp_width(m->tt, t) >= 8;
}

/* A number in the width of another one, which is wider: its value is the same. */
static tp_term widened(const elements_maker *m, tp_term v, tp_term wide) {
  return elements_is_unsigned(m, v) ? tp_mk_zext(m->tt, tp_width(m->tt, wide), v)
                                    : tp_mk_sext(m->tt, tp_width(m->tt, wide), v);
}

/* Orders of two variables, the one in the width of the other: size_t beside int. */
static void add_widened_order(elements_maker *m, uint32_t node, tp_term wide, tp_term narrow) {
  if (tp_width(m->tt, wide) <= tp_width(m->tt, narrow)) return;
  const tp_term_kind order = elements_is_unsigned(m, wide) ? TP_OP_BV_ULE : TP_OP_BV_SLE;
  tp_term v = widened(m, narrow, wide);
  tp_universals_add(m->u, node, tp_mk2(m->tt, order, wide, v));
  tp_universals_add(m->u, node, tp_mk2(m->tt, order, v, wide));
}

/* Orders of variables that what is in cells decides. */
/* Numbers that conditions at the node depend on, and those that decide which cells are written. */
static void numbers_at(elements_maker *m, uint32_t node, tp_term_list *out) {
  for (size_t i = 0; i < m->variables->at[node].n; i++)
    elements_push_once(out, m->variables->at[node].at[i], TP_BLOCKS_UNIVERSAL_ORDERED);
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    tp_term_list found = {0};
    if (k->from != node) continue;
    for (size_t j = 0; j < TP_N_MEMORIES; j++)
      if (tp_term_is(m->x->p->memory[j]))
        tp_collect_terms(m->tt, elements_after(m, k, m->x->p->memory[j]), elements_is_index_symbol,
                         m, &found);
    for (size_t j = 0; j < found.n; j++)
      if (tp_program_var_of(m->x->p, found.at[j]).id)
        elements_push_once(out, found.at[j], TP_BLOCKS_UNIVERSAL_ORDERED);
    tp_vec_clear(&found);
  }
}

void elements_add_orders(elements_maker *m) {
  for (uint32_t node = 1; node < m->b->nodes.n; node++) {
    tp_term_list numbers = {0};
    numbers_at(m, node, &numbers);
    const tp_term_list *vars = &numbers, *counters = &m->counters_at[node];
    for (size_t i = 0; i < counters->n; i++)
      for (size_t j = 0; j < m->ends.n; j++)
        if (tp_sort_eq(tp_sort_of(m->tt, counters->at[i]), tp_sort_of(m->tt, m->ends.at[j])))
          tp_universals_add(m->u, node,
                            tp_mk2(m->tt, TP_OP_BV_SLE, counters->at[i], m->ends.at[j]));
    for (size_t i = 0; i < vars->n && i < TP_BLOCKS_UNIVERSAL_ORDERED; i++)
      for (size_t j = 0; j < vars->n && j < TP_BLOCKS_UNIVERSAL_ORDERED; j++) {
        if (i == j || !is_number(m, vars->at[i]) || !is_number(m, vars->at[j])) continue;
        add_widened_order(m, node, vars->at[i], vars->at[j]);
        if (!tp_sort_eq(tp_sort_of(m->tt, vars->at[i]), tp_sort_of(m->tt, vars->at[j]))) continue;
        tp_universals_add(m->u, node, tp_mk2(m->tt, TP_OP_BV_SLE, vars->at[i], vars->at[j]));
        if (elements_is_unsigned(m, vars->at[i]) && elements_is_unsigned(m, vars->at[j]))
          tp_universals_add(m->u, node, tp_mk2(m->tt, TP_OP_BV_ULE, vars->at[i], vars->at[j]));
        if (m->is_wide)
          tp_universals_add(m->u, node, tp_mk2(m->tt, TP_OP_BV_SLT, vars->at[i], vars->at[j]));
      }
    tp_vec_clear(&numbers);
  }
}

/* What is said of each cell of an array, of a variable that was written into the last one: it has
 * that value while the counter is one step further. */
void elements_add_last_written(elements_maker *m) {
  tp_terms *tt = m->tt;
  for (size_t i = 0; i < m->bodies.n && m->last_written.n; i++) {
    const elements_body *body = &m->bodies.at[i];
    tp_term_list cells = {0};
    if (body->n_indices != 1) continue;
    tp_collect_terms(tt, body->open, elements_is_any_cell, m, &cells);
    const tp_term cell = cells.n == 1 ? cells.at[0] : TP_TERM_NONE,
                  index = tp_universal_index(m->u, 0, body->sorts[0]),
                  one = tp_mk_bv(tt, tp_sort_width(tt, body->sorts[0]), 1);
    tp_vec_clear(&cells);
    for (size_t k = 0; k < m->last_written.n && tp_term_is(cell); k++) {
      const tp_term v = m->last_written.at[k];
      if (!tp_sort_eq(tp_sort_of(tt, v), tp_sort_of(tt, cell))) continue;
      const tp_term of_variable = tp_replace(tt, body->open, cell, v);
      for (uint32_t node = 1; node < m->b->nodes.n; node++)
        for (size_t c = 0; c < m->counters_at[node].n; c++) {
          const tp_term counter = m->counters_at[node].at[c];
          if (tp_sort_eq(tp_sort_of(tt, counter), body->sorts[0]) && !tp_term_eq(counter, v))
            tp_universals_add(m->u, node,
                              tp_replace(tt, of_variable, index, tp_mk_sub(tt, counter, one)));
        }
    }
  }
}

/* Cells of a block that was copied or set, of each sort that has a place at every multiple of its
 * size; in the words of the statement itself, whose variables are mostly what they were. */
void elements_add_block(elements_maker *m, const tp_path_block *block) {
  tp_terms *tt = m->tt;
  const tp_edge_info *e = tp_edge_of(m->x->p, block->edge);
  if (e->kind != TP_E_COPY && e->kind != TP_E_SET)
    return;  // new objects: nobody has a name for them
  const uint32_t w = m->x->p->ptr_bits;
  const tp_sort sort = tp_sort_element(tt, tp_sort_of(tt, block->symbol));
  const tp_term index = tp_universal_index(m->u, 0, tp_sort_bv(tt, w)),
                size = tp_mk_bv(tt, w, tp_sort_bytes(tt, sort)),
                offset = tp_mk2(tt, TP_OP_BV_MUL, index, size),
                length = tp_mk_resize(tt, w, false, e->c),
                cell = tp_cell(m->x->p, sort, tp_mk_ptr_add(tt, e->a, offset)),
                inside = tp_mk2(tt, TP_OP_BV_ULT, index, tp_mk2(tt, TP_OP_BV_UDIV, length, size)),
                value = e->kind == TP_E_COPY
                            ? tp_cell(m->x->p, sort, tp_mk_ptr_add(tt, e->b, offset))
                            : tp_path_block_value(m->x, block, sort);
  if (!tp_term_is(cell) || !tp_term_is(value)) return;
  for (uint32_t node = 1; node < m->b->nodes.n; node++)
    tp_universals_add(m->u, node, tp_mk_implies(tt, inside, tp_mk_eq(tt, cell, value)));
}

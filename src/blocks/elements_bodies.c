/* Bodies are taken from path formulas of blocks, over the state before the block: stores from the
 * terms of memory behind it, conditions from its condition. */
#include "blocks/elements_priv.h"

#include "blocks/blocks_limits.h"
#include "blocks/solve_index.h"
#include "program/cells.h"
#include "term/rewrite.h"

bool elements_is_index_symbol(void *ctx, const tp_terms *tt, tp_term t) {
  const elements_maker *m = ctx;
  const bool is_number = tp_kind(tt, t) == TP_OP_VAR &&
                         tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV &&
                         tp_width(tt, t) >= 8 && tp_width(tt, t) <= 64;
  return is_number && (tp_program_var_of(m->x->p, t).id || tp_paths_is_input(m->x, t));
}

/* The one number in the addresses of cells that nothing moves: an index chosen by an input stands
 * for all. */
static bool single_index_of(const elements_maker *m, const tp_term_list *cells,
                            elements_counter *out) {
  tp_term_list symbols = {0};
  for (size_t j = 0; j < cells->n; j++)
    tp_collect_terms(m->tt, tp_arg(m->tt, cells->at[j], 1), elements_is_index_symbol,
                     (void *)(uintptr_t)m, &symbols);
  bool is_one = symbols.n > 0;
  for (size_t i = 1; i < symbols.n; i++) is_one &= tp_term_eq(symbols.at[i], symbols.at[0]);
  if (is_one) *out = (elements_counter){symbols.at[0], 1, false};
  tp_vec_clear(&symbols);
  return is_one;
}

/* Counters in the addresses of t's cells. False: none, or too many. */
static bool counters_of(const elements_maker *m, tp_term t, elements_counter *out, uint32_t *n) {
  tp_term_list cells = {0};
  bool together = false;
  *n = 0;
  tp_collect_terms(m->tt, t, elements_is_any_cell, (void *)(uintptr_t)m, &cells);
  for (size_t i = 0; i < m->counters.n; i++) {
    bool occurs = false;
    for (size_t j = 0; j < cells.n; j++)
      occurs |= tp_occurs(m->tt, m->counters.at[i].symbol, tp_arg(m->tt, cells.at[j], 1));
    if (occurs && *n < TP_INDICES) out[*n] = m->counters.at[i];
    if (occurs) ++*n;
  }
  for (size_t j = 0; j < cells.n && *n == 2; j++)
    together |= tp_occurs(m->tt, out[0].symbol, tp_arg(m->tt, cells.at[j], 1)) &&
                tp_occurs(m->tt, out[1].symbol, tp_arg(m->tt, cells.at[j], 1));
  if (*n == 0 && m->is_error && single_index_of(m, &cells, out)) *n = 1;
  tp_vec_clear(&cells);
  return *n == 1 || (*n == 2 && together);
}

static void push_body(elements_maker *m, elements_body made) {
  for (size_t i = 0; i < m->bodies.n; i++)
    if (tp_term_eq(m->bodies.at[i].open, made.open)) return;
  if (m->bodies.n < TP_BLOCKS_UNIVERSAL_BODIES) tp_vec_push(&m->bodies, made);
}

/* Expressible, but for symbols of indices. */
static bool is_sayable(const elements_maker *m, tp_term open) {
  tp_map images = {0};
  for (size_t i = 0; i < m->u->indices.n; i++)
    tp_map_set(&images, m->u->indices.at[i].id,
               tp_mk_bv(m->tt, tp_width(m->tt, m->u->indices.at[i]), 0).id);
  const bool is = tp_paths_is_expressible(m->x, tp_replace_all(m->tt, open, &images));
  tp_map_clear(&images);
  return is;
}

/* A sum of the index and a constant. */
typedef struct {
  const tp_terms *tt;
  tp_term index, moved;  // what was found; NONE: nothing yet
  bool is_bare;          // the index is somewhere without a constant
} shift_search;

static tp_visit see_shift(void *ctx, tp_term t) {
  shift_search *s = ctx;
  if (tp_term_eq(t, s->index)) s->is_bare = true;
  if (tp_kind(s->tt, t) != TP_OP_BV_ADD || !tp_term_eq(tp_arg(s->tt, t, 0), s->index) ||
      !tp_is_const(s->tt, tp_arg(s->tt, t, 1)))
    return TP_VISIT_ARGS;
  if (!tp_term_is(s->moved)) s->moved = t;
  return TP_VISIT_SKIP_ARGS;
}

tp_term elements_unshifted(const elements_maker *m, tp_term t, tp_term index) {
  shift_search s = {.tt = m->tt, .index = index};
  const tp_visitor v = {.ctx = &s, .visit = see_shift, .order = TP_LEFT_TO_RIGHT};
  (void)tp_visit_terms(m->tt, t, &v, NULL);
  if (s.is_bare || !tp_term_is(s.moved)) return t;
  return tp_replace(m->tt, t, index, tp_mk_sub(m->tt, index, tp_arg(m->tt, s.moved, 1)));
}

bool elements_index_at(const elements_maker *m, tp_term address, tp_term index, tp_term other,
                       tp_term *out) {
  tp_terms *tt = m->tt;
  const tp_term same =
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, address), tp_mk1(tt, TP_OP_PTR_OBJ, other));
  if (!tp_is_true(tt, same)) return false;
  const tp_term equation =
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, address), tp_mk1(tt, TP_OP_PTR_OFF, other));
  return tp_kind(tt, equation) == TP_OP_EQ && tp_solve_index(tt, equation, index, out) &&
         tp_sort_eq(tp_sort_of(tt, *out), tp_sort_of(tt, index)) && !tp_occurs(tt, index, *out);
}

/* The body at every index that a loop with this counter comes to; loops may start at several. */
static void push_body_at_residues(elements_maker *m, elements_body made,
                                  const elements_counter *c) {
  tp_terms *tt = m->tt;
  uint64_t residues[TP_RESIDUES];
  const uint32_t n = elements_residues(m, c, residues), width = tp_width(tt, c->symbol);
  const tp_term index = tp_universal_index(m->u, 0, made.sorts[0]), open = made.open,
                rest = tp_mk2(tt, TP_OP_BV_UREM, index, tp_mk_bv(tt, width, c->step));
  for (uint32_t i = 0; i < n; i++) {
    made.open = tp_mk_implies(tt, tp_mk_eq(tt, rest, tp_mk_bv(tt, width, residues[i])), open);
    push_body(m, made);
  }
}

static void add_body_as_it_is(elements_maker *m, tp_term t) {
  elements_counter of[TP_INDICES];
  elements_body made = {.open = t};
  if (m->walkers.n && elements_index_walkers(m, t, &made.open)) {
    made.sorts[0] = tp_sort_bv(m->tt, m->x->p->ptr_bits);
    made.n_indices = 1;
    made.is_unsigned = true;
    if (tp_dag_size(m->tt, made.open) <= TP_BLOCKS_UNIVERSAL_BODY_TERMS &&
        tp_any_subterm(m->tt, made.open, elements_is_any_cell, m) && is_sayable(m, made.open))
      push_body(m, made);
    return;
  }
  if (tp_dag_size(m->tt, t) > TP_BLOCKS_UNIVERSAL_BODY_TERMS || tp_is_true(m->tt, t) ||
      tp_is_false(m->tt, t) || !counters_of(m, t, of, &made.n_indices))
    return;
  tp_map images = {0};
  tp_term multiple = tp_mk_true(m->tt);
  for (uint32_t i = 0; i < made.n_indices; i++) {
    made.sorts[i] = tp_sort_of(m->tt, of[i].symbol);
    made.is_unsigned |= elements_is_unsigned(m, of[i].symbol);
    tp_term index = tp_universal_index(m->u, i, made.sorts[i]);
    const uint32_t width = tp_width(m->tt, index);
    tp_map_set(&images, of[i].symbol.id, index.id);
    if (of[i].step > 1)
      multiple = tp_mk_and(
          m->tt, multiple,
          tp_mk_eq(m->tt, tp_mk2(m->tt, TP_OP_BV_UREM, index, tp_mk_bv(m->tt, width, of[i].step)),
                   tp_mk_bv(m->tt, width, elements_residue(m, &of[i]))));
  }
  made.open = tp_replace_all(m->tt, t, &images);
  tp_map_clear(&images);
  if (!is_sayable(m, made.open)) return;
  if (made.n_indices == 1 && tp_is_true(m->tt, multiple))
    made.open = elements_unshifted(m, made.open, tp_universal_index(m->u, 0, made.sorts[0]));
  push_body(m, made);
  if (tp_is_true(m->tt, multiple)) return;
  if (made.n_indices == 1) {
    push_body_at_residues(m, made, &of[0]);
    return;
  }
  made.open = tp_mk_implies(m->tt, multiple, made.open);
  push_body(m, made);
}

/* t, which speaks of a cell at a counter's place, of the cells at all places: in words that all
 * nodes understand, in its own, and with counters by other counters of the block's loop. */
static void add_body(elements_maker *m, tp_term t) {
  const tp_term settled = elements_settled(m, t);
  for (size_t i = 0; i < m->relations.n; i++) {
    const elements_relation *r = &m->relations.at[i];
    if (m->block && r->node == m->block->from && tp_occurs(m->tt, r->counter, settled))
      add_body_as_it_is(m, tp_replace(m->tt, settled, r->counter, r->value));
  }
  add_body_as_it_is(m, settled);
  if (!tp_term_eq(settled, t)) add_body_as_it_is(m, t);
}

/* The contrary of what leads to an error: of the conjuncts that speak of cells, and of these with
 * those that speak of counters without ordering them. */
static void add_error(elements_maker *m, const tp_block *k) {
  m->block = k;
  elements_settle(m, k->from);
  tp_term_list all = {0};
  tp_term narrow = tp_mk_false(m->tt), wide = narrow;
  tp_conjuncts(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &all);
  for (size_t i = 0; i < all.n; i++) {
    const tp_term t = all.at[i], no = tp_mk_not(m->tt, t);
    const bool reads = tp_any_subterm(m->tt, t, elements_is_any_cell, m);
    const tp_term inner = tp_kind(m->tt, t) == TP_OP_NOT ? tp_arg(m->tt, t, 0) : t;
    const bool is_range = tp_kind_order(tp_kind(m->tt, inner)).is_order;
    if (reads) narrow = tp_mk_or(m->tt, narrow, no);
    if (reads || (!is_range && elements_has_counter(m, t))) wide = tp_mk_or(m->tt, wide, no);
  }
  tp_vec_clear(&all);
  m->is_error = true;
  add_body(m, narrow);
  add_body(m, wide);
  m->is_error = false;
}

/* Conditions on an input that is stored, of the cell that it is stored into. */
typedef struct {
  elements_maker *m;
  tp_term cell;
} stored_input;

static bool is_input_of_sort(void *ctx, const tp_terms *tt, tp_term t) {
  const stored_input *s = ctx;
  return tp_kind(tt, t) == TP_OP_VAR && tp_paths_is_input(s->m->x, t) &&
         tp_sort_eq(tp_sort_of(tt, t), tp_sort_of(tt, s->cell));
}

static tp_visit see_input_atom(void *ctx, tp_term t) {
  const stored_input *s = ctx;
  elements_maker *m = s->m;
  tp_term_list inputs = {0};
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) != TP_SORT_BOOL || tp_is_connective(m->tt, t))
    return TP_VISIT_ARGS;
  tp_collect_terms(m->tt, t, is_input_of_sort, ctx, &inputs);
  if (inputs.n == 1) {
    const tp_term of_cell = tp_replace(m->tt, t, inputs.at[0], s->cell);
    add_body(m, of_cell);
    add_body(m, tp_mk_not(m->tt, of_cell));
  }
  tp_vec_clear(&inputs);
  return TP_VISIT_SKIP_ARGS;
}

static void add_stored_input(elements_maker *m, tp_term cell, tp_term value) {
  stored_input s = {m, cell};
  const tp_visitor v = {.ctx = &s, .visit = see_input_atom, .order = TP_LEFT_TO_RIGHT};
  if (tp_any_subterm(m->tt, value, is_input_of_sort, &s))
    (void)tp_visit_terms(m->tt, value, &v, NULL);
}

/* Variables that are what a cell is, behind the block. */
static void note_written(elements_maker *m, tp_term value) {
  for (size_t i = 1; i < m->x->p->vars.n && !tp_is_const(m->tt, value); i++) {
    const tp_term v = m->x->p->vars.at[i].term;
    if (tp_term_is(v) && tp_sort_eq(tp_sort_of(m->tt, v), tp_sort_of(m->tt, value)) &&
        tp_term_eq(elements_after(m, m->block, v), value))
      elements_push_once(&m->last_written, v, TP_BLOCKS_UNIVERSAL_TAKEN);
  }
}

static tp_visit see_store(void *ctx, tp_term t) {
  elements_maker *m = ctx;
  if (tp_kind(m->tt, t) != TP_OP_STORE)
    return tp_kind(m->tt, t) == TP_OP_ITE ? TP_VISIT_ARGS : TP_VISIT_SKIP_ARGS;
  tp_sort sort = tp_sort_of(m->tt, tp_arg(m->tt, t, 2));
  tp_term at = tp_paths_flat(m->x, tp_arg(m->tt, t, 1)),
          value = tp_paths_flat(m->x, tp_arg(m->tt, t, 2));
  note_written(m, value);
  if (m->kept.n) {
    at = tp_replace_all(m->tt, at, &m->kept);
    value = tp_replace_all(m->tt, value, &m->kept);
  }
  const tp_term cell = tp_cell(m->x->p, sort, at);
  if (!tp_term_is(cell)) return TP_VISIT_ARGS;
  add_body(m, tp_mk_eq(m->tt, cell, value));
  add_stored_input(m, cell, value);
  if (!elements_has_counter(m, at)) {
    elements_push_once(&m->plain, tp_mk_eq(m->tt, cell, value), TP_BLOCKS_UNIVERSAL_BODIES);
    elements_push_once(&m->singles, elements_settled(m, at), TP_BLOCKS_UNIVERSAL_GUARDS);
    elements_push_once(&m->singles, at, TP_BLOCKS_UNIVERSAL_GUARDS);
    if (!tp_any_subterm(m->tt, at, elements_is_index_symbol, m))
      elements_push_once(&m->fields, cell, TP_BLOCKS_UNIVERSAL_FIELDS);
  }
  for (size_t i = 0; i < m->writes.n; i++)
    if (m->writes.at[i].block == m->block && tp_term_eq(m->writes.at[i].value, value))
      add_body(m, tp_mk_eq(m->tt, cell, m->writes.at[i].cell));
  if (m->writes.n < TP_BLOCKS_UNIVERSAL_BODIES)
    tp_vec_push(&m->writes, ((elements_write){m->block, cell, value}));
  return TP_VISIT_ARGS;
}

/* cell := f(cell): what held of the cell before, of f(cell) behind it. cell = t becomes cell =
 * f(t).
 */
static void add_updates(elements_maker *m) {
  const size_t n = m->bodies.n;
  for (size_t i = 0; i < m->writes.n; i++) {
    elements_counter of[TP_INDICES];
    uint32_t n_indices;
    const elements_write w = m->writes.at[i];
    if (!tp_occurs(m->tt, w.cell, w.value) || !tp_paths_is_expressible(m->x, w.value) ||
        !counters_of(m, w.cell, of, &n_indices) || n_indices != 1)
      continue;
    tp_term index = tp_universal_index(m->u, 0, tp_sort_of(m->tt, of[0].symbol)),
            cell = tp_replace(m->tt, w.cell, of[0].symbol, index),
            value = tp_replace(m->tt, w.value, of[0].symbol, index);
    for (size_t k = 0; k < n; k++) {
      elements_body made = m->bodies.at[k];
      if (tp_kind(m->tt, made.open) != TP_OP_EQ) continue;
      for (uint32_t side = 0; side < 2; side++) {
        if (!tp_term_eq(tp_arg(m->tt, made.open, side), cell)) continue;
        tp_term old = tp_arg(m->tt, made.open, 1 - side);
        if (tp_occurs(m->tt, cell, old)) continue;
        made.open = tp_mk_eq(m->tt, cell, tp_replace(m->tt, value, cell, old));
        push_body(m, made);
        break;
      }
    }
  }
}

/* The cell at the counter's place, at the index. */
static tp_term cell_at_index(elements_maker *m, tp_term cell, const elements_counter *c) {
  return tp_replace(m->tt, cell, c->symbol,
                    tp_universal_index(m->u, 0, tp_sort_of(m->tt, c->symbol)));
}

/* a[i] = b[i]: what is said of one of the two cells, of the other one. */
static void add_copies(elements_maker *m) {
  for (size_t i = 0; i < m->writes.n; i++) {
    elements_counter of[TP_INDICES];
    uint32_t n_indices;
    const elements_write w = m->writes.at[i];
    if (!elements_is_any_cell(m, m->tt, w.value) || !tp_paths_is_expressible(m->x, w.value) ||
        !counters_of(m, tp_mk_eq(m->tt, w.cell, w.value), of, &n_indices) || n_indices != 1)
      continue;
    const tp_term cell = cell_at_index(m, w.cell, &of[0]),
                  value = cell_at_index(m, w.value, &of[0]);
    for (size_t k = 0, n = m->bodies.n; k < n; k++)
      for (int side = 0; side < 2; side++) {
        const tp_term from = side ? cell : value, to = side ? value : cell;
        elements_body made = m->bodies.at[k];
        if (made.n_indices != 1 || !tp_occurs(m->tt, from, made.open) ||
            tp_occurs(m->tt, to, made.open))
          continue;
        made.open = tp_replace(m->tt, made.open, from, to);
        push_body(m, made);
      }
  }
}

static void add_stores(elements_maker *m, const tp_block *k) {
  const tp_visitor v = {.ctx = m, .visit = see_store, .order = TP_LEFT_TO_RIGHT};
  m->block = k;
  elements_settle(m, k->from);
  elements_find_kept(m, k);
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    tp_term memory = m->x->p->memory[i], after;
    if (!tp_term_is(memory)) continue;
    after = tp_path_after(m->x, &k->path, memory);
    if (!tp_term_eq(after, memory)) (void)tp_visit_terms(m->tt, after, &v, NULL);
  }
  elements_find_kept_cells(m, k);
}

static tp_visit see_atom(void *ctx, tp_term t) {
  elements_maker *m = ctx;
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) != TP_SORT_BOOL)
    return tp_kind(m->tt, t) == TP_OP_SELECT ? TP_VISIT_SKIP_ARGS : TP_VISIT_ARGS;
  if (tp_is_connective(m->tt, t)) return TP_VISIT_ARGS;
  if (!tp_any_subterm(m->tt, t, elements_is_any_cell, m)) return TP_VISIT_SKIP_ARGS;
  elements_note_order(m, t);
  elements_note_probe(m, t);
  add_body(m, t);
  add_body(m, tp_mk_not(m->tt, t));
  return TP_VISIT_SKIP_ARGS;
}

static void add_atoms(elements_maker *m, const tp_block *k) {
  const tp_visitor v = {.ctx = m, .visit = see_atom, .order = TP_LEFT_TO_RIGHT};
  m->block = k;
  elements_settle(m, k->from);
  tp_map seen = {0};
  (void)tp_visit_terms(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &v, &seen);
  if (!tp_block_node_is_bad(m->b, k->to)) {  // conditions that paths were merged under
    for (size_t i = 0; i < m->x->p->vars.n; i++) {
      const tp_term var = i ? m->x->p->vars.at[i].term : TP_TERM_NONE;
      if (!tp_term_is(var)) continue;
      const tp_term after = tp_path_after(m->x, &k->path, var);
      if (!tp_term_eq(after, var))
        (void)tp_visit_terms(m->tt, tp_paths_flat(m->x, after), &v, &seen);
    }
  }
  tp_map_clear(&seen);
}

static void add_spans(elements_maker *m) {
  elements_find_spans(m);
  for (size_t i = 0; i < m->spans.n; i++) {
    m->block = m->spans.at[i].block;
    elements_settle(m, m->block->from);
    add_body(m, m->spans.at[i].said);
  }
}

void elements_find_bodies(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      add_error(m, &m->b->list.at[i]);
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && !tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      add_stores(m, &m->b->list.at[i]);
  elements_find_cells_at_places(m);
  add_updates(m);
  add_updates(m);
  add_copies(m);
  add_copies(m);
  if (m->has_spans) add_spans(m);
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from) add_atoms(m, &m->b->list.at[i]);
}

/* Conditions on flags: one variable against a constant, where no counter and no cell is asked for.
 */
static tp_visit see_guard(void *ctx, tp_term t) {
  elements_maker *m = ctx;
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) != TP_SORT_BOOL) return TP_VISIT_SKIP_ARGS;
  if (tp_is_connective(m->tt, t)) return TP_VISIT_ARGS;
  const bool is_flag = tp_kind(m->tt, t) == TP_OP_VAR ||
                       (tp_is_bv_comparison(m->tt, t) && (tp_is_const(m->tt, tp_arg(m->tt, t, 0)) ||
                                                          tp_is_const(m->tt, tp_arg(m->tt, t, 1))));
  if (is_flag && !elements_has_counter(m, t) &&
      !tp_any_subterm(m->tt, t, elements_is_any_cell, m) && tp_paths_is_expressible(m->x, t))
    elements_push_once(&m->guards, t, TP_BLOCKS_UNIVERSAL_GUARDS);
  return TP_VISIT_SKIP_ARGS;
}

void elements_find_guards(elements_maker *m) {
  tp_map seen = {0};
  const tp_visitor v = {.ctx = m, .visit = see_guard, .order = TP_LEFT_TO_RIGHT};
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from)
      (void)tp_visit_terms(m->tt, tp_path_condition(m->x, &m->b->list.at[i].path), &v, &seen);
  tp_map_clear(&seen);
}

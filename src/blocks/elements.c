/* Bodies are taken from path formulas of blocks, over the state before the block: stores from the
 * terms of memory behind it, conditions from its condition. A counter is a variable that a block
 * moves by a constant. */
#include "blocks/elements.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "term/rewrite.h"

typedef struct {
  tp_term symbol;
  uint64_t step;  // its absolute value, the smallest that was seen
} counter;

/* A pointer that a block moves by a constant number of bytes: like an index, counted from where it
 * starts. */
typedef struct {
  tp_term symbol, base;
  uint64_t step;
  tp_term at;  // (offset of symbol - offset of base) / step
} walker;

typedef struct {
  tp_term open;  // over index symbols
  tp_sort sorts[TP_INDICES];
  uint32_t n_indices;
  bool is_unsigned;
} body;

/* A store of a block, over the state before it. */
typedef struct {
  const tp_block *block;
  tp_term cell, value;
} write;

typedef struct {
  tp_universals *u;
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_node_formulas *variables;
  TP_VEC(counter) counters;  // of all nodes
  TP_VEC(walker) walkers;
  tp_term_list *counters_at;
  tp_term_list starts, ends;  // of ranges
  TP_VEC(body) bodies;
  TP_VEC(write) writes;
  const tp_block *block;  // whose stores are looked at
  tp_map kept;            // of it: input -> variable that has it behind the block
  tp_term_list plain;     // candidates without an index
  tp_term_list guards;    // conditions about variables alone
  tp_term_list singles;   // variables that single cells are written at
  bool is_wide;           // candidates are made under guards, and but for single cells
  bool is_error;          // what leads to an error is looked at
} maker;

static bool is_cell(const maker *m, tp_term t) {
  tp_sort sort;
  return tp_kind(m->tt, t) == TP_OP_SELECT && tp_is_memory(m->x->p, tp_arg(m->tt, t, 0), &sort);
}
static bool is_any_cell(void *ctx, const tp_terms *tt, tp_term t) {
  (void)tt;
  return is_cell(ctx, t);
}

static void push_once(tp_term_list *l, tp_term t, size_t most) {
  for (size_t i = 0; i < l->n; i++)
    if (tp_term_eq(l->at[i], t)) return;
  if (l->n < most) tp_vec_push(l, t);
}

// --------------------------------------------------------------------- counters

static void add_counter(maker *m, const tp_block *k, tp_term v, uint64_t step) {
  push_once(&m->counters_at[k->from], v, TP_BLOCKS_UNIVERSAL_COUNTERS);
  push_once(&m->counters_at[k->to], v, TP_BLOCKS_UNIVERSAL_COUNTERS);
  for (size_t i = 0; i < m->counters.n; i++) {
    if (!tp_term_eq(m->counters.at[i].symbol, v)) continue;
    if (step < m->counters.at[i].step) m->counters.at[i].step = step;
    return;
  }
  tp_vec_push(&m->counters, ((counter){v, step}));
}

/* Some leaf of the conditional is v + constant. */
static bool is_moved(const maker *m, tp_term v, tp_term after, uint64_t *step) {
  tp_term_list todo = {0};
  bool found = false;
  const uint32_t width = tp_width(m->tt, v);
  uint32_t n = 0;
  tp_vec_push(&todo, after);
  while (todo.n && !found && n++ < 16) {
    tp_term t = tp_vec_pop(&todo), d;
    uint64_t c;
    if (tp_kind(m->tt, t) == TP_OP_ITE) {
      tp_vec_push(&todo, tp_arg(m->tt, t, 1));
      tp_vec_push(&todo, tp_arg(m->tt, t, 2));
      continue;
    }
    d = tp_mk_sub(m->tt, t, v);
    if (!tp_bv_value_u64(m->tt, d, &c) || c == 0) continue;
    const uint64_t most = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    const uint64_t back = (0 - c) & most;
    *step = c < back ? c : back;
    found = true;
  }
  tp_vec_clear(&todo);
  return found;
}

static void find_counters(maker *m) {
  uint64_t step;
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    const tp_term_list *vars = &m->variables->at[k->from];
    if (k->from == 0 || tp_block_node_is_bad(m->b, k->to)) continue;
    for (size_t j = 0; j < vars->n; j++) {
      tp_term v = vars->at[j];
      if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, v)) != TP_SORT_BV || tp_width(m->tt, v) < 8 ||
          tp_width(m->tt, v) > 64)
        continue;
      if (is_moved(m, v, tp_path_after(m->x, &k->path, v), &step)) add_counter(m, k, v, step);
    }
  }
}

// ---------------------------------------------------------------------- walkers

/* Variables that are pointers, of the whole program. */
static void find_pointers(const tp_paths *x, tp_term_list *out) {
  for (uint32_t i = 1; i < x->p->vars.n; i++) {
    const tp_var_info *v = &x->p->vars.at[i];
    if (v->kind != TP_V_GHOST && v->kind != TP_V_TEMP &&
        tp_sort_kind_of(x->tt, tp_sort_of(x->tt, v->term)) == TP_SORT_PTR)
      push_once(out, v->term, TP_BLOCKS_UNIVERSAL_POINTERS);
  }
}

/* Some leaf of the conditional is v + constant; its absolute value. */
static bool is_walked(const maker *m, tp_term v, tp_term after, uint64_t *step) {
  tp_terms *tt = m->tt;
  if (tp_kind(tt, after) == TP_OP_ITE)
    return is_walked(m, v, tp_arg(tt, after, 1), step) ||
           is_walked(m, v, tp_arg(tt, after, 2), step);
  return tp_is_true(tt,
                    tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, after), tp_mk1(tt, TP_OP_PTR_OBJ, v))) &&
         is_moved(m, tp_mk1(tt, TP_OP_PTR_OFF, v), tp_mk1(tt, TP_OP_PTR_OFF, after), step);
}

static bool is_pointer(const maker *m, tp_term t) {
  return tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_PTR;
}

/* What a pointer is behind a block that does not move it. NONE: nothing that has a name. */
static tp_term start_of(const maker *m, const tp_block *k, tp_term v) {
  uint64_t step;
  const tp_term after = tp_path_after(m->x, &k->path, v);
  const bool is_start = !tp_block_node_is_bad(m->b, k->to) && !tp_term_eq(after, v) &&
                        !is_walked(m, v, after, &step) && !tp_occurs(m->tt, v, after) &&
                        tp_kind(m->tt, after) != TP_OP_ITE && tp_paths_is_expressible(m->x, after);
  return is_start ? after : TP_TERM_NONE;
}

/* Where steps are counted from: the start of its object, or the first place there that is a number
 * of steps away. NONE: not known. */
static tp_term base_of(const maker *m, tp_term v, uint64_t step) {
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

/* The distance from the base in steps. */
static tp_term in_steps(const maker *m, tp_term offset, const walker *w) {
  const uint32_t width = m->x->p->ptr_bits;
  return tp_mk2(m->tt, TP_OP_BV_UDIV,
                tp_mk_sub(m->tt, offset, tp_mk1(m->tt, TP_OP_PTR_OFF, w->base)),
                tp_mk_bv(m->tt, width, w->step));
}

static void add_walker(maker *m, const tp_block *k, tp_term v, uint64_t step) {
  for (size_t i = 0; i < m->walkers.n; i++)
    if (tp_term_eq(m->walkers.at[i].symbol, v)) return;
  walker w = {.symbol = v, .step = step, .base = base_of(m, v, step)};
  if (!tp_term_is(w.base) || m->walkers.n == TP_BLOCKS_UNIVERSAL_COUNTERS) return;
  w.at = in_steps(m, tp_mk1(m->tt, TP_OP_PTR_OFF, v), &w);
  tp_vec_push(&m->walkers, w);
  // indices of 32 bits beside it
  const tp_term narrow = tp_mk_trunc(m->tt, 32, w.at);
  for (uint32_t side = 0; side < 2; side++) {
    tp_term_list *list = &m->counters_at[side ? k->to : k->from];
    push_once(list, w.at, TP_BLOCKS_UNIVERSAL_COUNTERS);
    push_once(list, narrow, TP_BLOCKS_UNIVERSAL_COUNTERS);
  }
  push_once(&m->starts, tp_mk_bv(m->tt, m->x->p->ptr_bits, 0), TP_BLOCKS_UNIVERSAL_ENDS);
  push_once(&m->starts, tp_mk_bv(m->tt, 32, 0), TP_BLOCKS_UNIVERSAL_ENDS);
}

static void find_walkers(maker *m) {
  tp_term_list pointers = {0};
  uint64_t step;
  find_pointers(m->x, &pointers);
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    for (size_t j = 0; j < pointers.n && k->from && !tp_block_node_is_bad(m->b, k->to); j++)
      if (is_walked(m, pointers.at[j], tp_path_after(m->x, &k->path, pointers.at[j]), &step))
        add_walker(m, k, pointers.at[j], step);
  }
  tp_vec_clear(&pointers);
}

/* A walker's cell is that of an index, counted from its base. False: there is none in t. */
static bool index_walkers(const maker *m, tp_term t, tp_term *out) {
  const uint32_t w = m->x->p->ptr_bits;
  const tp_term index = tp_universal_index(m->u, 0, tp_sort_bv(m->tt, w));
  tp_map images = {0};
  for (size_t i = 0; i < m->walkers.n; i++) {
    const walker *a = &m->walkers.at[i];
    if (!tp_occurs(m->tt, a->symbol, t)) continue;
    const tp_term offset = tp_mk2(m->tt, TP_OP_BV_MUL, index, tp_mk_bv(m->tt, w, a->step));
    tp_map_set(&images, a->symbol.id, tp_mk_ptr_add(m->tt, a->base, offset).id);
  }
  const bool some = images.n > 0;
  if (some) *out = tp_replace_all(m->tt, t, &images);
  tp_map_clear(&images);
  return some;
}

static bool has_walker(const maker *m, tp_term t) {
  for (size_t i = 0; i < m->walkers.n; i++)
    if (tp_occurs(m->tt, m->walkers.at[i].symbol, t)) return true;
  return false;
}

/* Pointers that nothing moves are what they were set to: ends of walks. */
static void add_kept_pointers(maker *m, uint32_t node) {
  tp_term_list pointers = {0};
  find_pointers(m->x, &pointers);
  for (size_t j = 0; j < pointers.n; j++)
    for (size_t i = 0; i < m->b->list.n && !has_walker(m, pointers.at[j]); i++) {
      const tp_term start = start_of(m, &m->b->list.at[i], pointers.at[j]);
      if (tp_term_is(start) && !has_walker(m, start))
        tp_universals_add(m->u, node, tp_mk_eq(m->tt, pointers.at[j], start));
    }
  tp_vec_clear(&pointers);
}

/* What keeps a walker on its way: its object, whole steps, an end. */
static void add_ways(maker *m) {
  tp_terms *tt = m->tt;
  const uint32_t width = m->x->p->ptr_bits;
  for (size_t i = 0; i < m->walkers.n; i++) {
    const walker *w = &m->walkers.at[i];
    const tp_term far = tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, w->symbol),
                                  tp_mk1(tt, TP_OP_PTR_OFF, w->base)),
                  step = tp_mk_bv(tt, width, w->step);
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

static bool has_counter(const maker *m, tp_term t) {
  if (has_walker(m, t)) return true;
  for (size_t i = 0; i < m->counters.n; i++)
    if (tp_occurs(m->tt, m->counters.at[i].symbol, t)) return true;
  return false;
}

// ----------------------------------------------------------------------- ranges

/* Where counters begin: what they are behind a block that does not come from their loop. */
static void find_starts(maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    if (tp_block_node_is_bad(m->b, k->to)) continue;
    for (size_t j = 0; j < m->counters_at[k->to].n; j++) {
      tp_term t = tp_path_after(m->x, &k->path, m->counters_at[k->to].at[j]);
      if (!has_counter(m, t) && tp_paths_is_expressible(m->x, t) && tp_dag_size(m->tt, t) <= 8)
        push_once(&m->starts, t, TP_BLOCKS_UNIVERSAL_ENDS);
    }
  }
}

/* Is t a counter, or one moved by a constant? */
static bool is_counter(const maker *m, tp_term t, tp_term *moved) {
  for (size_t i = 0; i < m->counters.n; i++) {
    const tp_term c = m->counters.at[i].symbol;
    if (!tp_sort_eq(tp_sort_of(m->tt, c), tp_sort_of(m->tt, t))) continue;
    *moved = tp_mk_sub(m->tt, t, c);
    if (tp_is_const(m->tt, *moved)) return true;
  }
  return false;
}

static void push_end(maker *m, tp_term end) {
  push_once(&m->ends, end, TP_BLOCKS_UNIVERSAL_ENDS);
  push_once(&m->ends, tp_mk_trunc(m->tt, 32, end), TP_BLOCKS_UNIVERSAL_ENDS);
}

/* What a walker is compared with, in its steps. */
static void see_walk(maker *m, tp_term a, tp_term b) {
  for (size_t i = 0; i < m->walkers.n; i++) {
    const walker *w = &m->walkers.at[i];
    const tp_term offset = tp_mk1(m->tt, TP_OP_PTR_OFF, w->symbol);
    if (tp_occurs(m->tt, w->symbol, b) || !tp_occurs(m->tt, w->symbol, a) ||
        tp_dag_size(m->tt, b) > 12 || !tp_paths_is_expressible(m->x, b))
      continue;
    if (is_pointer(m, a))
      push_end(m, in_steps(m, tp_mk1(m->tt, TP_OP_PTR_OFF, b), w));
    else if (tp_width(m->tt, a) == m->x->p->ptr_bits &&
             tp_is_const(m->tt, tp_mk_sub(m->tt, a, offset)))
      push_end(m, in_steps(m, b, w));
  }
}

static tp_visit see_comparison(void *ctx, tp_term t) {
  maker *m = ctx;
  if (m->walkers.n && tp_n_args(m->tt, t) == 2 &&
      (tp_is_bv_comparison(m->tt, t) ||
       (tp_kind(m->tt, t) == TP_OP_EQ && is_pointer(m, tp_arg(m->tt, t, 0)))))
    for (uint32_t side = 0; side < 2; side++)
      see_walk(m, tp_arg(m->tt, t, side), tp_arg(m->tt, t, 1 - side));
  const tp_term_kind k = tp_kind(m->tt, t);
  if (!tp_is_bv_comparison(m->tt, t)) return TP_VISIT_ARGS;
  for (uint32_t side = 0; side < 2; side++) {
    tp_term c = tp_arg(m->tt, t, side), e = tp_arg(m->tt, t, 1 - side), moved;
    if (!is_counter(m, c, &moved) || (has_counter(m, e) && tp_kind(m->tt, e) != TP_OP_VAR) ||
        tp_dag_size(m->tt, e) > 12 || tp_any_subterm(m->tt, e, is_any_cell, m) ||
        !tp_paths_is_expressible(m->x, e))
      continue;
    // c <= e, or not e < c: the end is behind e
    const tp_order o = tp_kind_order(k);
    const bool is_inside = o.is_order && (side == 0 ? !o.is_strict : o.is_strict);
    if (is_inside) e = tp_mk2(m->tt, TP_OP_BV_ADD, e, tp_mk_bv(m->tt, tp_width(m->tt, e), 1));
    // a counter that was moved may be one before its step, or one of which a neighbour is asked for
    push_once(&m->ends, e, TP_BLOCKS_UNIVERSAL_ENDS);
    push_once(&m->ends, tp_mk_sub(m->tt, e, moved), TP_BLOCKS_UNIVERSAL_ENDS);
  }
  return TP_VISIT_SKIP_ARGS;
}

static void find_ends(maker *m) {
  tp_map seen = {0};
  const tp_visitor v = {.ctx = m, .visit = see_comparison, .order = TP_LEFT_TO_RIGHT};
  for (size_t i = 0; i < m->b->list.n; i++)
    (void)tp_visit_terms(m->tt, tp_path_condition(m->x, &m->b->list.at[i].path), &v, &seen);
  tp_map_clear(&seen);
}

// ----------------------------------------------------------------------- bodies

static bool is_index_symbol(void *ctx, const tp_terms *tt, tp_term t) {
  const maker *m = ctx;
  const bool is_number = tp_kind(tt, t) == TP_OP_VAR &&
                         tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV &&
                         tp_width(tt, t) >= 8 && tp_width(tt, t) <= 64;
  return is_number && (tp_program_var_of(m->x->p, t).id || tp_paths_is_input(m->x, t));
}

/* The one number in the addresses of cells that nothing moves: an index chosen by an input stands
 * for all. */
static bool single_index_of(const maker *m, const tp_term_list *cells, counter *out) {
  tp_term_list symbols = {0};
  for (size_t j = 0; j < cells->n; j++)
    tp_collect_terms(m->tt, tp_arg(m->tt, cells->at[j], 1), is_index_symbol, (void *)(uintptr_t)m,
                     &symbols);
  bool is_one = symbols.n > 0;
  for (size_t i = 1; i < symbols.n; i++) is_one &= tp_term_eq(symbols.at[i], symbols.at[0]);
  if (is_one) *out = (counter){symbols.at[0], 1};
  tp_vec_clear(&symbols);
  return is_one;
}

/* Counters in the addresses of t's cells. False: none, or too many. */
static bool counters_of(const maker *m, tp_term t, counter *out, uint32_t *n) {
  tp_term_list cells = {0};
  bool together = false;
  *n = 0;
  tp_collect_terms(m->tt, t, is_any_cell, (void *)(uintptr_t)m, &cells);
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

static bool is_unsigned(const maker *m, tp_term symbol) {
  const tp_var v = tp_program_var_of(m->x->p, symbol);
  const tp_type t = v.id ? tp_var_of(m->x->p, v)->type : (tp_type){0};
  return t.id && !tp_type_of(m->x->p, t)->is_signed;
}

static void push_body(maker *m, body made) {
  for (size_t i = 0; i < m->bodies.n; i++)
    if (tp_term_eq(m->bodies.at[i].open, made.open)) return;
  if (m->bodies.n < TP_BLOCKS_UNIVERSAL_BODIES) tp_vec_push(&m->bodies, made);
}

/* Expressible, but for symbols of indices. */
static bool is_sayable(const maker *m, tp_term open) {
  tp_map images = {0};
  for (size_t i = 0; i < m->u->indices.n; i++)
    tp_map_set(&images, m->u->indices.at[i].id,
               tp_mk_bv(m->tt, tp_width(m->tt, m->u->indices.at[i]), 0).id);
  const bool is = tp_paths_is_expressible(m->x, tp_replace_all(m->tt, open, &images));
  tp_map_clear(&images);
  return is;
}

/* t, which speaks of a cell at a counter's place, of the cells at all places. */
static void add_body(maker *m, tp_term t) {
  counter of[TP_INDICES];
  body made = {.open = t};
  if (m->walkers.n && index_walkers(m, t, &made.open)) {
    made.sorts[0] = tp_sort_bv(m->tt, m->x->p->ptr_bits);
    made.n_indices = 1;
    made.is_unsigned = true;
    if (tp_dag_size(m->tt, made.open) <= TP_BLOCKS_UNIVERSAL_BODY_TERMS &&
        tp_any_subterm(m->tt, made.open, is_any_cell, m) && is_sayable(m, made.open))
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
    made.is_unsigned |= is_unsigned(m, of[i].symbol);
    tp_term index = tp_universal_index(m->u, i, made.sorts[i]);
    const uint32_t width = tp_width(m->tt, index);
    tp_map_set(&images, of[i].symbol.id, index.id);
    if (of[i].step > 1)
      multiple = tp_mk_and(
          m->tt, multiple,
          tp_mk_eq(m->tt, tp_mk2(m->tt, TP_OP_BV_UREM, index, tp_mk_bv(m->tt, width, of[i].step)),
                   tp_mk_bv(m->tt, width, 0)));
  }
  made.open = tp_replace_all(m->tt, t, &images);
  tp_map_clear(&images);
  if (!is_sayable(m, made.open)) return;
  push_body(m, made);
  if (tp_is_true(m->tt, multiple)) return;
  made.open = tp_mk_implies(m->tt, multiple, made.open);
  push_body(m, made);
}

/* The contrary of what leads to an error: of the conjuncts that speak of cells, and of these with
 * those that speak of counters without ordering them. */
static void add_error(maker *m, const tp_block *k) {
  tp_term_list all = {0};
  tp_term narrow = tp_mk_false(m->tt), wide = narrow;
  tp_conjuncts(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &all);
  for (size_t i = 0; i < all.n; i++) {
    const tp_term t = all.at[i], no = tp_mk_not(m->tt, t);
    const bool reads = tp_any_subterm(m->tt, t, is_any_cell, m);
    const tp_term inner = tp_kind(m->tt, t) == TP_OP_NOT ? tp_arg(m->tt, t, 0) : t;
    const bool is_range = tp_kind_order(tp_kind(m->tt, inner)).is_order;
    if (reads) narrow = tp_mk_or(m->tt, narrow, no);
    if (reads || (!is_range && has_counter(m, t))) wide = tp_mk_or(m->tt, wide, no);
  }
  tp_vec_clear(&all);
  m->is_error = true;
  add_body(m, narrow);
  add_body(m, wide);
  m->is_error = false;
}

/* Conditions on an input that is stored, of the cell that it is stored into. */
typedef struct {
  maker *m;
  tp_term cell;
} stored_input;

static bool is_input_of_sort(void *ctx, const tp_terms *tt, tp_term t) {
  const stored_input *s = ctx;
  return tp_kind(tt, t) == TP_OP_VAR && tp_paths_is_input(s->m->x, t) &&
         tp_sort_eq(tp_sort_of(tt, t), tp_sort_of(tt, s->cell));
}

static tp_visit see_input_atom(void *ctx, tp_term t) {
  const stored_input *s = ctx;
  maker *m = s->m;
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

static void add_stored_input(maker *m, tp_term cell, tp_term value) {
  stored_input s = {m, cell};
  const tp_visitor v = {.ctx = &s, .visit = see_input_atom, .order = TP_LEFT_TO_RIGHT};
  if (tp_any_subterm(m->tt, value, is_input_of_sort, &s))
    (void)tp_visit_terms(m->tt, value, &v, NULL);
}

static tp_visit see_store(void *ctx, tp_term t) {
  maker *m = ctx;
  if (tp_kind(m->tt, t) != TP_OP_STORE)
    return tp_kind(m->tt, t) == TP_OP_ITE ? TP_VISIT_ARGS : TP_VISIT_SKIP_ARGS;
  tp_sort sort = tp_sort_of(m->tt, tp_arg(m->tt, t, 2));
  tp_term at = tp_paths_flat(m->x, tp_arg(m->tt, t, 1)),
          value = tp_paths_flat(m->x, tp_arg(m->tt, t, 2));
  if (m->kept.n) {
    at = tp_replace_all(m->tt, at, &m->kept);
    value = tp_replace_all(m->tt, value, &m->kept);
  }
  const tp_term cell = tp_cell(m->x->p, sort, at);
  if (!tp_term_is(cell)) return TP_VISIT_ARGS;
  add_body(m, tp_mk_eq(m->tt, cell, value));
  add_stored_input(m, cell, value);
  if (!has_counter(m, at)) {
    tp_term_list symbols = {0};
    push_once(&m->plain, tp_mk_eq(m->tt, cell, value), TP_BLOCKS_UNIVERSAL_BODIES);
    tp_collect_terms(m->tt, at, is_index_symbol, m, &symbols);
    if (symbols.n == 1 && tp_program_var_of(m->x->p, symbols.at[0]).id)
      push_once(&m->singles, symbols.at[0], TP_BLOCKS_UNIVERSAL_GUARDS);
    tp_vec_clear(&symbols);
  }
  for (size_t i = 0; i < m->writes.n; i++)
    if (m->writes.at[i].block == m->block && tp_term_eq(m->writes.at[i].value, value))
      add_body(m, tp_mk_eq(m->tt, cell, m->writes.at[i].cell));
  if (m->writes.n < TP_BLOCKS_UNIVERSAL_BODIES)
    tp_vec_push(&m->writes, ((write){m->block, cell, value}));
  return TP_VISIT_ARGS;
}

/* cell := f(cell): what held of the cell before, of f(cell) behind it. cell = t becomes cell =
 * f(t).
 */
static void add_updates(maker *m) {
  const size_t n = m->bodies.n;
  for (size_t i = 0; i < m->writes.n; i++) {
    counter of[TP_INDICES];
    uint32_t n_indices;
    const write w = m->writes.at[i];
    if (!tp_occurs(m->tt, w.cell, w.value) || !tp_paths_is_expressible(m->x, w.value) ||
        !counters_of(m, w.cell, of, &n_indices) || n_indices != 1)
      continue;
    tp_term index = tp_universal_index(m->u, 0, tp_sort_of(m->tt, of[0].symbol)),
            cell = tp_replace(m->tt, w.cell, of[0].symbol, index),
            value = tp_replace(m->tt, w.value, of[0].symbol, index);
    for (size_t k = 0; k < n; k++) {
      body made = m->bodies.at[k];
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

/* Inputs that a variable has behind the block: later words for them. */
static void find_kept(maker *m, const tp_block *k) {
  tp_map_clear(&m->kept);
  for (size_t i = 0; i < m->variables->at[k->to].n; i++) {
    const tp_term v = m->variables->at[k->to].at[i], after = tp_path_after(m->x, &k->path, v);
    if (tp_kind(m->tt, after) == TP_OP_VAR && tp_paths_is_input(m->x, after))
      tp_map_set(&m->kept, after.id, v.id);
  }
}

static void add_stores(maker *m, const tp_block *k) {
  const tp_visitor v = {.ctx = m, .visit = see_store, .order = TP_LEFT_TO_RIGHT};
  m->block = k;
  find_kept(m, k);
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    tp_term memory = m->x->p->memory[i], after;
    if (!tp_term_is(memory)) continue;
    after = tp_path_after(m->x, &k->path, memory);
    if (!tp_term_eq(after, memory)) (void)tp_visit_terms(m->tt, after, &v, NULL);
  }
}

static tp_visit see_atom(void *ctx, tp_term t) {
  maker *m = ctx;
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) != TP_SORT_BOOL) return TP_VISIT_SKIP_ARGS;
  if (tp_is_connective(m->tt, t)) return TP_VISIT_ARGS;
  if (!tp_any_subterm(m->tt, t, is_any_cell, m)) return TP_VISIT_SKIP_ARGS;
  add_body(m, t);
  add_body(m, tp_mk_not(m->tt, t));
  return TP_VISIT_SKIP_ARGS;
}

static void add_atoms(maker *m, const tp_block *k) {
  const tp_visitor v = {.ctx = m, .visit = see_atom, .order = TP_LEFT_TO_RIGHT};
  (void)tp_visit_terms(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &v, NULL);
}

static void find_bodies(maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      add_error(m, &m->b->list.at[i]);
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && !tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      add_stores(m, &m->b->list.at[i]);
  add_updates(m);
  add_updates(m);
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from) add_atoms(m, &m->b->list.at[i]);
}

// ----------------------------------------------------------------------- guards

/* Conditions on flags: one variable against a constant, where no counter and no cell is asked for.
 */
static tp_visit see_guard(void *ctx, tp_term t) {
  maker *m = ctx;
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) != TP_SORT_BOOL) return TP_VISIT_SKIP_ARGS;
  if (tp_is_connective(m->tt, t)) return TP_VISIT_ARGS;
  const bool is_flag = tp_kind(m->tt, t) == TP_OP_VAR ||
                       (tp_is_bv_comparison(m->tt, t) && (tp_is_const(m->tt, tp_arg(m->tt, t, 0)) ||
                                                          tp_is_const(m->tt, tp_arg(m->tt, t, 1))));
  if (is_flag && !has_counter(m, t) && !tp_any_subterm(m->tt, t, is_any_cell, m) &&
      tp_paths_is_expressible(m->x, t))
    push_once(&m->guards, t, TP_BLOCKS_UNIVERSAL_GUARDS);
  return TP_VISIT_SKIP_ARGS;
}

static void find_guards(maker *m) {
  tp_map seen = {0};
  const tp_visitor v = {.ctx = m, .visit = see_guard, .order = TP_LEFT_TO_RIGHT};
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from)
      (void)tp_visit_terms(m->tt, tp_path_condition(m->x, &m->b->list.at[i].path), &v, &seen);
  tp_map_clear(&seen);
}

// ------------------------------------------------------------------- candidates

typedef struct {
  maker *m;
  const body *of;
  uint32_t node;
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
static void add_under(const target *t, tp_term range) {
  maker *m = t->m;
  tp_term open = tp_mk_implies(m->tt, range, t->of->open);
  if (!m->is_wide) {
    tp_universals_add(m->u, t->node, open);
    return;
  }
  for (size_t i = 0; i < m->guards.n; i++) {
    tp_universals_add(m->u, t->node, tp_mk_or(m->tt, m->guards.at[i], open));
    tp_universals_add(m->u, t->node, tp_mk_or(m->tt, tp_mk_not(m->tt, m->guards.at[i]), open));
  }
}

/* The range, and at the highest level the range without one cell that was written by itself. */
static void add_in(const target *t, tp_term range) {
  const maker *m = t->m;
  add_under(t, range);
  for (size_t i = 0; i < m->singles.n && m->is_wide; i++)
    if (fits(t, 0, m->singles.at[i]))
      tp_universals_add(
          m->u, t->node,
          tp_mk_implies(
              m->tt,
              tp_mk_and(m->tt, range,
                        tp_mk_not(m->tt, tp_mk_eq(m->tt, index_of(t, 0), m->singles.at[i]))),
              t->of->open));
}

/* lo <= index < hi. */
static tp_term range(const target *t, uint32_t slot, tp_term lo, tp_term hi) {
  tp_term x = index_of(t, slot);
  return tp_mk_and(t->m->tt, at_least(t, x, lo), below(t, x, hi));
}

static void add_one_index(const target *t) {
  maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  const tp_term x = index_of(t, 0);
  for (size_t i = 0; i < m->starts.n; i++) {
    const tp_term lo = m->starts.at[i];
    if (!fits(t, 0, lo)) continue;
    for (size_t j = 0; j < counters->n; j++)
      if (fits(t, 0, counters->at[j])) {
        add_in(t, range(t, 0, lo, counters->at[j]));
        add_under(t, tp_mk_and(m->tt, at_least(t, x, lo), at_least(t, counters->at[j], x)));
      }
    for (size_t j = 0; j < m->ends.n; j++)
      if (fits(t, 0, m->ends.at[j])) add_in(t, range(t, 0, lo, m->ends.at[j]));
  }
  for (size_t i = 0; i < m->ends.n; i++)
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term hi = m->ends.at[i], c = counters->at[j];
      if (!fits(t, 0, hi) || !fits(t, 0, c)) continue;
      add_under(t, range(t, 0, c, hi));
      add_under(t, tp_mk_and(m->tt, below(t, c, x), below(t, x, hi)));
    }
}

/* Ranges that end where a counter is seen in the mirror: from it to the end as far as it came from
 * the start. */
static void add_mirrored(const target *t) {
  maker *m = t->m;
  const tp_term_list *counters = &m->counters_at[t->node];
  for (size_t i = 0; i < m->ends.n; i++)
    for (size_t j = 0; j < counters->n; j++) {
      const tp_term hi = m->ends.at[i], c = counters->at[j];
      if (!fits(t, 0, hi) || !fits(t, 0, c)) continue;
      const tp_term mirrored = tp_mk_sub(m->tt, hi, c);
      tp_universals_add(m->u, t->node, tp_mk_implies(m->tt, range(t, 0, c, mirrored), t->of->open));
      tp_universals_add(m->u, t->node,
                        tp_mk_implies(m->tt, range(t, 0, mirrored, hi), t->of->open));
    }
}

static void add_two_indices(const target *t) {
  maker *m = t->m;
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

/* Of what leads to an error: a cell is only asked for under another condition. */
static void add_plain_pairs(maker *m, const tp_term_list *all) {
  for (size_t j = 0; j < all->n; j++) {
    if (!tp_any_subterm(m->tt, all->at[j], is_any_cell, m) || has_counter(m, all->at[j])) continue;
    for (size_t k = 0; k < all->n; k++)
      if (k != j && !has_counter(m, all->at[k]))
        push_once(&m->plain, tp_mk_not(m->tt, tp_mk_and(m->tt, all->at[j], all->at[k])),
                  TP_BLOCKS_UNIVERSAL_BODIES);
  }
}

/* What leads to no error without a word about elements, and the same with a counter in the place of
 * what counters are compared with: sums and numbers of elements so far. */
static void add_plain(maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    tp_term_list all = {0};
    if (!k->from || !tp_block_node_is_bad(m->b, k->to)) continue;
    tp_conjuncts(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &all);
    for (size_t j = 0; j < all.n; j++)
      push_once(&m->plain, tp_mk_not(m->tt, all.at[j]), TP_BLOCKS_UNIVERSAL_BODIES);
    add_plain_pairs(m, &all);
    tp_vec_clear(&all);
  }
  const size_t n = m->plain.n;
  for (size_t i = 0; i < n; i++) {
    tp_term_list atoms = {0};
    tp_conjuncts(m->tt, m->plain.at[i], &atoms);
    for (size_t j = 0; j < atoms.n; j++)
      push_once(&m->plain, atoms.at[j], TP_BLOCKS_UNIVERSAL_BODIES);
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

/* What is said of one cell, of that cell in another array: a copy ends where its source does. */
static void add_plain_elsewhere(maker *m) {
  tp_term_list pointers = {0};
  find_pointers(m->x, &pointers);
  for (size_t i = 0; i < m->plain.n; i++) {
    const tp_term t = m->plain.at[i];
    if (tp_kind(m->tt, t) != TP_OP_EQ || !tp_any_subterm(m->tt, t, is_any_cell, m)) continue;
    for (size_t j = 0; j < pointers.n; j++)
      for (size_t k = 0; k < pointers.n && tp_occurs(m->tt, pointers.at[j], t); k++)
        for (uint32_t node = 1; node < m->b->nodes.n && k != j; node++)
          tp_universals_add(m->u, node, tp_replace(m->tt, t, pointers.at[j], pointers.at[k]));
  }
  tp_vec_clear(&pointers);
}

static bool is_number(const maker *m, tp_term t) {
  return tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_BV && tp_width(m->tt, t) >= 8;
}

/* A number in the width of another one, which is wider: its value is the same. */
static tp_term widened(const maker *m, tp_term v, tp_term wide) {
  return is_unsigned(m, v) ? tp_mk_zext(m->tt, tp_width(m->tt, wide), v)
                           : tp_mk_sext(m->tt, tp_width(m->tt, wide), v);
}

/* Orders of two variables, the one in the width of the other: size_t beside int. */
static void add_widened_order(maker *m, uint32_t node, tp_term wide, tp_term narrow) {
  if (tp_width(m->tt, wide) <= tp_width(m->tt, narrow)) return;
  const tp_term_kind order = is_unsigned(m, wide) ? TP_OP_BV_ULE : TP_OP_BV_SLE;
  tp_term v = widened(m, narrow, wide);
  tp_universals_add(m->u, node, tp_mk2(m->tt, order, wide, v));
  tp_universals_add(m->u, node, tp_mk2(m->tt, order, v, wide));
}

/* Orders of variables that what is in cells decides. */
static void add_orders(maker *m) {
  for (uint32_t node = 1; node < m->b->nodes.n; node++) {
    const tp_term_list *vars = &m->variables->at[node], *counters = &m->counters_at[node];
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
        if (is_unsigned(m, vars->at[i]) && is_unsigned(m, vars->at[j]))
          tp_universals_add(m->u, node, tp_mk2(m->tt, TP_OP_BV_ULE, vars->at[i], vars->at[j]));
        if (m->is_wide)
          tp_universals_add(m->u, node, tp_mk2(m->tt, TP_OP_BV_SLT, vars->at[i], vars->at[j]));
      }
  }
}

/* Cells of a block that was copied or set, of each sort that has a place at every multiple of its
 * size; in the words of the statement itself, whose variables are mostly what they were. */
static void add_block(maker *m, const tp_path_block *block) {
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

void tp_elements_add(tp_universals *u, const tp_node_formulas *variables, uint32_t level) {
  const tp_blocks *b = u->b;
  maker m = {.u = u, .b = b, .x = b->paths, .tt = b->paths->tt, .variables = variables};
  m.counters_at = TP_NEW_ARRAY(tp_term_list, b->nodes.n);
  find_counters(&m);
  find_walkers(&m);
  find_starts(&m);
  find_ends(&m);
  find_bodies(&m);
  m.is_wide = level >= 2;
  add_plain(&m);
  for (size_t i = 0; i < m.x->blocks.n; i++) add_block(&m, &m.x->blocks.at[i]);
  add_ways(&m);
  if (level >= 1) add_orders(&m);
  if (m.is_wide) add_plain_elsewhere(&m);
  if (m.is_wide) find_guards(&m);
  for (size_t i = 0; i < m.bodies.n; i++)
    for (uint32_t n = 1; n < b->nodes.n; n++) {
      const target t = {&m, &m.bodies.at[i], n};
      if (m.bodies.at[i].n_indices == 1 && m.is_wide) add_mirrored(&t);
      if (m.bodies.at[i].n_indices == 1)
        add_one_index(&t);
      else
        add_two_indices(&t);
    }
  for (uint32_t n = 0; n < b->nodes.n; n++) tp_vec_clear(&m.counters_at[n]);
  tp_free(m.counters_at);
  tp_vec_clear(&m.counters);
  tp_vec_clear(&m.walkers);
  tp_vec_clear(&m.starts);
  tp_vec_clear(&m.ends);
  tp_vec_clear(&m.bodies);
  tp_vec_clear(&m.writes);
  tp_vec_clear(&m.guards);
  tp_vec_clear(&m.singles);
  tp_map_clear(&m.kept);
  tp_vec_clear(&m.plain);
}

// --------------------------------------------------------------------- pointers

static bool is_moving_cell(void *ctx, const tp_terms *tt, tp_term t) {
  return is_any_cell(ctx, tt, t) && !tp_is_const(tt, tp_arg(tt, t, 1));
}

static bool is_moving_store(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_STORE && !tp_is_const(tt, tp_arg(tt, t, 1));
}

bool tp_elements_are_used(const tp_blocks *b) {
  const maker m = {.b = b, .x = b->paths, .tt = b->paths->tt};
  for (size_t i = 0; i < b->list.n; i++) {
    const tp_block *k = &b->list.at[i];
    if (!k->from) continue;
    if (tp_any_subterm(m.tt, tp_paths_flat(m.x, tp_path_condition(m.x, &k->path)), is_moving_cell,
                       (void *)(uintptr_t)&m))
      return true;
    for (size_t j = 0; j < TP_N_MEMORIES; j++) {
      tp_term memory = m.x->p->memory[j];
      if (tp_term_is(memory) &&
          tp_any_subterm(m.tt, tp_path_after(m.x, &k->path, memory), is_moving_store, NULL))
        return true;
    }
  }
  return false;
}

void tp_elements_add_pointers(const tp_blocks *b, tp_node_formulas *candidates) {
  tp_paths *x = b->paths;
  tp_terms *tt = x->tt;
  tp_term_list pointers = {0};
  find_pointers(x, &pointers);
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

/* Counters, variables that a block moves by a constant, and the ranges that they go through: where
 * they start, and what they are compared with. */
#include "blocks/elements_priv.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "term/rewrite.h"

static bool is_cell(const elements_maker *m, tp_term t) {
  tp_sort sort;
  return tp_kind(m->tt, t) == TP_OP_SELECT && tp_is_memory(m->x->p, tp_arg(m->tt, t, 0), &sort);
}
bool elements_is_any_cell(void *ctx, const tp_terms *tt, tp_term t) {
  (void)tt;
  return is_cell(ctx, t);
}

bool elements_is_pointer(const elements_maker *m, tp_term t) {
  return tp_sort_kind_of(m->tt, tp_sort_of(m->tt, t)) == TP_SORT_PTR;
}

bool elements_is_unsigned(const elements_maker *m, tp_term symbol) {
  const tp_var v = tp_program_var_of(m->x->p, symbol);
  const tp_type t = v.id ? tp_var_of(m->x->p, v)->type : (tp_type){0};
  return t.id && !tp_type_of(m->x->p, t)->is_signed;
}

void elements_push_once(tp_term_list *l, tp_term t, size_t most) {
  for (size_t i = 0; i < l->n; i++)
    if (tp_term_eq(l->at[i], t)) return;
  if (l->n < most) tp_vec_push(l, t);
}

// --------------------------------------------------------------------- counters

static void add_counter(elements_maker *m, const tp_block *k, tp_term v, int64_t step) {
  const uint64_t size = elements_size_of_step(step);
  elements_push_once(&m->counters_at[k->from], v, TP_BLOCKS_UNIVERSAL_COUNTERS);
  elements_push_once(&m->counters_at[k->to], v, TP_BLOCKS_UNIVERSAL_COUNTERS);
  for (size_t i = 0; i < m->counters.n; i++) {
    elements_counter *c = &m->counters.at[i];
    if (!tp_term_eq(c->symbol, v)) continue;
    if (size < c->step) c->step = size;
    c->is_down |= step < 0;
    return;
  }
  tp_vec_push(&m->counters, ((elements_counter){v, size, step < 0}));
}

const elements_counter *elements_counter_of(const elements_maker *m, tp_term symbol) {
  for (size_t i = 0; i < m->counters.n; i++)
    if (tp_term_eq(m->counters.at[i].symbol, symbol)) return &m->counters.at[i];
  return NULL;
}

/* A constant other than 0 as a distance. */
static bool is_distance(const tp_terms *tt, tp_term d, int64_t *step) {
  const uint32_t width = tp_width(tt, d);
  uint64_t c;
  if (width > 64 || !tp_bv_value_u64(tt, d, &c) || c == 0) return false;
  *step = (int64_t)(c << (64 - width)) >> (64 - width);
  return true;
}

tp_term elements_after(const elements_maker *m, const tp_block *k, tp_term v) {
  return tp_paths_flat(m->x, tp_path_after(m->x, &k->path, v));
}

/* ITE(c, v, v + 1) is written v + ITE(c, 0, 1), too: leaves of the conditional, then leaves of the
 * distance. */
void elements_leaves(const elements_maker *m, tp_term v, tp_term after, tp_term_list *out) {
  tp_terms *tt = m->tt;
  tp_term_list todo = {0};
  tp_vec_push(&todo, after);
  for (uint32_t n = 0; todo.n && n < TP_BLOCKS_UNIVERSAL_LEAVES; n++) {
    const tp_term t = tp_vec_pop(&todo);
    if (tp_kind(tt, t) == TP_OP_ITE) {
      tp_vec_push(&todo, tp_arg(tt, t, 1));
      tp_vec_push(&todo, tp_arg(tt, t, 2));
      continue;
    }
    tp_vec_push(out, t);
    const tp_term d = tp_mk_sub(tt, t, v);
    if (tp_kind(tt, d) == TP_OP_ITE)
      for (uint32_t side = 1; side < 3; side++)
        tp_vec_push(&todo, tp_mk2(tt, TP_OP_BV_ADD, v, tp_arg(tt, d, side)));
  }
  tp_vec_clear(&todo);
}

bool elements_is_moved(const elements_maker *m, tp_term v, tp_term after, int64_t *step) {
  tp_term_list leaves = {0};
  bool found = false;
  elements_leaves(m, v, after, &leaves);
  for (size_t i = 0; i < leaves.n && !found; i++)
    found = is_distance(m->tt, tp_mk_sub(m->tt, leaves.at[i], v), step);
  tp_vec_clear(&leaves);
  return found;
}

void elements_find_counters(elements_maker *m) {
  int64_t step;
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    const tp_term_list *vars = &m->variables->at[k->from];
    if (k->from == 0 || tp_block_node_is_bad(m->b, k->to)) continue;
    for (size_t j = 0; j < vars->n; j++) {
      tp_term v = vars->at[j];
      if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, v)) != TP_SORT_BV || tp_width(m->tt, v) < 8 ||
          tp_width(m->tt, v) > 64)
        continue;
      if (elements_is_moved(m, v, tp_path_after(m->x, &k->path, v), &step))
        add_counter(m, k, v, step);
    }
  }
}

bool elements_has_counter(const elements_maker *m, tp_term t) {
  if (elements_has_walker(m, t)) return true;
  for (size_t i = 0; i < m->counters.n; i++)
    if (tp_occurs(m->tt, m->counters.at[i].symbol, t)) return true;
  return false;
}

// ----------------------------------------------------------------------- ranges

/* t in words that all nodes understand, and in its own. */
static void push_settled(elements_maker *m, tp_term_list *l, tp_term t) {
  elements_push_once(l, elements_settled(m, t), TP_BLOCKS_UNIVERSAL_ENDS);
  elements_push_once(l, t, TP_BLOCKS_UNIVERSAL_ENDS);
}

bool elements_is_counted_at(const elements_maker *m, uint32_t node, tp_term t) {
  if (elements_has_walker(m, t)) return true;
  for (size_t i = 0; i < m->counters_at[node].n; i++)
    if (tp_occurs(m->tt, m->counters_at[node].at[i], t)) return true;
  return false;
}

void elements_find_starts(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    if (tp_block_node_is_bad(m->b, k->to)) continue;
    for (size_t j = 0; j < m->counters_at[k->to].n; j++) {
      const tp_term t = elements_entered_with(m, k, m->counters_at[k->to].at[j]);
      if (!elements_is_counted_at(m, k->to, t) && tp_paths_is_expressible(m->x, t) &&
          tp_dag_size(m->tt, t) <= 8)
        push_settled(m, &m->starts, t);
    }
  }
}

/* Is t a counter, or one moved by a constant? */
static bool is_counter(const elements_maker *m, tp_term t, tp_term *moved) {
  for (size_t i = 0; i < m->counters.n; i++) {
    const tp_term c = m->counters.at[i].symbol;
    if (!tp_sort_eq(tp_sort_of(m->tt, c), tp_sort_of(m->tt, t))) continue;
    *moved = tp_mk_sub(m->tt, t, c);
    if (tp_is_const(m->tt, *moved)) return true;
  }
  return false;
}

static void push_end(elements_maker *m, tp_term end) {
  elements_push_once(&m->ends, end, TP_BLOCKS_UNIVERSAL_ENDS);
  elements_push_once(&m->ends, tp_mk_trunc(m->tt, 32, end), TP_BLOCKS_UNIVERSAL_ENDS);
}

/* What a walker is compared with, in its steps. */
static void see_walk(elements_maker *m, tp_term a, tp_term b) {
  for (size_t i = 0; i < m->walkers.n; i++) {
    const elements_walker *w = &m->walkers.at[i];
    const tp_term offset = tp_mk1(m->tt, TP_OP_PTR_OFF, w->symbol);
    if (tp_occurs(m->tt, w->symbol, b) || !tp_occurs(m->tt, w->symbol, a) ||
        tp_dag_size(m->tt, b) > 12 || !tp_paths_is_expressible(m->x, b))
      continue;
    if (elements_is_pointer(m, a))
      push_end(m, elements_in_steps(m, tp_mk1(m->tt, TP_OP_PTR_OFF, b), w));
    else if (tp_width(m->tt, a) == m->x->p->ptr_bits &&
             tp_is_const(m->tt, tp_mk_sub(m->tt, a, offset)))
      push_end(m, elements_in_steps(m, b, w));
  }
}

static tp_visit see_comparison(void *ctx, tp_term t) {
  elements_maker *m = ctx;
  if (m->walkers.n && tp_n_args(m->tt, t) == 2 &&
      (tp_is_bv_comparison(m->tt, t) ||
       (tp_kind(m->tt, t) == TP_OP_EQ && elements_is_pointer(m, tp_arg(m->tt, t, 0)))))
    for (uint32_t side = 0; side < 2; side++)
      see_walk(m, tp_arg(m->tt, t, side), tp_arg(m->tt, t, 1 - side));
  const tp_term_kind k = tp_kind(m->tt, t);
  if (!tp_is_bv_comparison(m->tt, t)) return TP_VISIT_ARGS;
  for (uint32_t side = 0; side < 2; side++) {
    tp_term c = tp_arg(m->tt, t, side), e = tp_arg(m->tt, t, 1 - side), moved;
    if (!is_counter(m, c, &moved) || tp_dag_size(m->tt, e) > 12 ||
        tp_any_subterm(m->tt, e, elements_is_any_cell, m) || !tp_paths_is_expressible(m->x, e))
      continue;
    if (elements_has_counter(m, e) && tp_kind(m->tt, e) != TP_OP_VAR) {
      if (!tp_occurs(m->tt, c, e))
        elements_push_once(&m->mirrors, elements_settled(m, e), TP_BLOCKS_UNIVERSAL_MIRRORS);
      continue;
    }
    // c <= e, or not e < c: the end is behind e
    const tp_order o = tp_kind_order(k);
    const bool is_inside = o.is_order && (side == 0 ? !o.is_strict : o.is_strict);
    if (is_inside) e = tp_mk2(m->tt, TP_OP_BV_ADD, e, tp_mk_bv(m->tt, tp_width(m->tt, e), 1));
    // a counter that was moved may be one before its step, or one of which a neighbour is asked
    // for
    push_settled(m, &m->ends, e);
    push_settled(m, &m->ends, tp_mk_sub(m->tt, e, moved));
  }
  return TP_VISIT_SKIP_ARGS;
}

void elements_find_ends(elements_maker *m) {
  tp_map seen = {0};
  const tp_visitor v = {.ctx = m, .visit = see_comparison, .order = TP_LEFT_TO_RIGHT};
  for (size_t i = 0; i < m->b->list.n; i++) {
    elements_settle(m, m->b->list.at[i].from);
    (void)tp_visit_terms(m->tt, tp_path_condition(m->x, &m->b->list.at[i].path), &v, &seen);
  }
  tp_map_clear(&seen);
}

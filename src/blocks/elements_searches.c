/* Bounds of a search: variables of a loop that are moved to a place between them, as the ends of a
 * binary search are, and what conditions ask of the cell at that place. With the array sorted, the
 * contrary of what stopped the search at a cell holds of all cells on its side. */
#include "blocks/blocks_limits.h"
#include "blocks/elements_priv.h"
#include "program/cells.h"
#include "term/rewrite.h"

// ------------------------------------------------------------------------ bounds

bool elements_is_index_number(const elements_maker *m, tp_term v) {
  return tp_sort_kind_of(m->tt, tp_sort_of(m->tt, v)) == TP_SORT_BV && tp_width(m->tt, v) >= 8 &&
         tp_width(m->tt, v) <= 64;
}

static bool is_between(const elements_maker *m, tp_term t, tp_term v, tp_term w) {
  return tp_occurs(m->tt, v, t) && tp_occurs(m->tt, w, t) &&
         tp_dag_size(m->tt, t) <= TP_BLOCKS_UNIVERSAL_MIDDLE_TERMS &&
         !tp_any_subterm(m->tt, t, elements_is_any_cell, (void *)(uintptr_t)m);
}

/* Does a leaf of what v is behind the block speak of both? */
static bool is_moved_between(const elements_maker *m, tp_term after, tp_term v, tp_term w) {
  tp_term_list todo = {0};
  bool found = false;
  tp_vec_push(&todo, after);
  for (uint32_t n = 0; todo.n && !found && n < TP_BLOCKS_UNIVERSAL_LEAVES; n++) {
    const tp_term t = tp_vec_pop(&todo);
    if (tp_kind(m->tt, t) == TP_OP_ITE) {
      tp_vec_push(&todo, tp_arg(m->tt, t, 1));
      tp_vec_push(&todo, tp_arg(m->tt, t, 2));
    } else {
      found = is_between(m, t, v, w);
    }
  }
  tp_vec_clear(&todo);
  return found;
}

static void find_bounds_of(elements_maker *m, const tp_block *k) {
  const tp_term_list *vars = &m->variables->at[k->from];
  for (size_t i = 0; i < vars->n; i++) {
    const tp_term v = vars->at[i];
    if (!elements_is_index_number(m, v)) continue;
    const tp_term after = tp_path_after(m->x, &k->path, v);
    if (tp_term_eq(after, v) || !tp_occurs(m->tt, v, after)) continue;
    for (size_t j = 0; j < vars->n; j++) {
      const tp_term w = vars->at[j];
      if (i == j || !tp_sort_eq(tp_sort_of(m->tt, v), tp_sort_of(m->tt, w)) ||
          !is_moved_between(m, after, v, w))
        continue;
      elements_push_once(&m->bounds, v, TP_BLOCKS_UNIVERSAL_BOUNDS);
      elements_push_once(&m->bounds, w, TP_BLOCKS_UNIVERSAL_BOUNDS);
    }
  }
}

void elements_find_bounds(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && !tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      find_bounds_of(m, &m->b->list.at[i]);
}

void elements_start_searches(elements_maker *m) {
  if (m->bounds.n)  // a search may begin where no loop does
    elements_push_once(&m->starts, tp_mk_bv(m->tt, tp_width(m->tt, m->bounds.at[0]), 0),
                       TP_BLOCKS_UNIVERSAL_ENDS);
}

// ------------------------------------------------------------------------ probes

static bool is_at_bounds(const elements_maker *m, tp_term address) {
  size_t n = 0;
  for (size_t i = 0; i < m->bounds.n; i++) n += tp_occurs(m->tt, m->bounds.at[i], address);
  return n >= 2;
}

/* The cell at an index symbol of the array that the cell belongs to, by a write at a counter. */
static bool cell_by_index(elements_maker *m, tp_term cell, elements_body *out) {
  tp_terms *tt = m->tt;
  for (size_t i = 0; i < m->writes.n; i++) {
    const tp_term written = m->writes.at[i].cell;
    if (!tp_sort_eq(tp_sort_of(tt, written), tp_sort_of(tt, cell)) ||
        !tp_is_true(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, tp_arg(tt, written, 1)),
                                 tp_mk1(tt, TP_OP_PTR_OBJ, tp_arg(tt, cell, 1)))))
      continue;
    for (size_t c = 0; c < m->counters.n; c++) {
      const tp_term counter = m->counters.at[c].symbol;
      if (!tp_occurs(tt, counter, tp_arg(tt, written, 1))) continue;
      const tp_term index = tp_universal_index(m->u, 0, tp_sort_of(tt, counter));
      out->sorts[0] = tp_sort_of(tt, counter);
      out->n_indices = 1;
      out->is_unsigned = elements_is_unsigned(m, counter);
      out->open = elements_unshifted(m, tp_replace(tt, written, counter, index), index);
      return true;
    }
  }
  return false;
}

static void push_probe(elements_maker *m, elements_body made) {
  for (size_t i = 0; i < m->probes.n; i++)
    if (tp_term_eq(m->probes.at[i].open, made.open)) return;
  if (m->probes.n < TP_BLOCKS_UNIVERSAL_BODIES) tp_vec_push(&m->probes, made);
}

void elements_note_probe(elements_maker *m, tp_term t) {
  tp_term_list cells = {0};
  elements_body by_index = {0};
  if (!m->is_search) return;
  t = elements_settled(m, t);
  tp_collect_terms(m->tt, t, elements_is_any_cell, m, &cells);
  if (cells.n == 1 && is_at_bounds(m, tp_arg(m->tt, cells.at[0], 1)) &&
      cell_by_index(m, cells.at[0], &by_index)) {
    const tp_term_kind k = tp_kind(m->tt, tp_kind(m->tt, t) == TP_OP_NOT ? tp_arg(m->tt, t, 0) : t);
    const bool is_unsigned = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE;
    elements_body made = by_index;
    made.open = tp_replace(m->tt, t, cells.at[0], by_index.open);
    push_probe(m, made);
    made.open = tp_mk_not(m->tt, made.open);
    push_probe(m, made);
    elements_note_sorted(m, by_index.open, by_index.sorts[0],
                         is_unsigned ? TP_OP_BV_ULE : TP_OP_BV_SLE, by_index.is_unsigned);
  }
  tp_vec_clear(&cells);
}

// -------------------------------------------------------------------- candidates

typedef struct {
  elements_maker *m;
  const elements_body *of;
  uint32_t node;
  tp_term x;
} probe;

static tp_term le(const probe *p, tp_term a, tp_term b) {
  return tp_mk2(p->m->tt, p->of->is_unsigned ? TP_OP_BV_ULE : TP_OP_BV_SLE, a, b);
}
static tp_term lt(const probe *p, tp_term a, tp_term b) {
  return tp_mk2(p->m->tt, p->of->is_unsigned ? TP_OP_BV_ULT : TP_OP_BV_SLT, a, b);
}
static bool fits(const probe *p, tp_term end) {
  return tp_sort_eq(tp_sort_of(p->m->tt, end), p->of->sorts[0]);
}
static void add(const probe *p, tp_term from, tp_term to) {
  tp_universals_add_in(p->m->u, p->node, tp_mk_and(p->m->tt, from, to), p->of->open);
}

/* In front of a bound, from it on, and behind it. */
static void add_sides(const probe *p, tp_term bound) {
  const elements_maker *m = p->m;
  for (size_t i = 0; i < m->starts.n; i++)
    if (fits(p, m->starts.at[i])) add(p, le(p, m->starts.at[i], p->x), lt(p, p->x, bound));
  for (size_t i = 0; i < m->ends.n; i++)
    if (fits(p, m->ends.at[i])) {
      add(p, le(p, bound, p->x), lt(p, p->x, m->ends.at[i]));
      add(p, lt(p, bound, p->x), lt(p, p->x, m->ends.at[i]));
    }
}

static void add_everywhere(const probe *p) {
  const elements_maker *m = p->m;
  for (size_t i = 0; i < m->starts.n; i++)
    for (size_t j = 0; j < m->ends.n; j++)
      if (fits(p, m->starts.at[i]) && fits(p, m->ends.at[j]))
        add(p, le(p, m->starts.at[i], p->x), lt(p, p->x, m->ends.at[j]));
}

bool elements_add_probes(elements_maker *m) {
  for (size_t i = 0; i < m->probes.n; i++) {
    probe p = {.m = m, .of = &m->probes.at[i]};
    p.x = tp_universal_index(m->u, 0, p.of->sorts[0]);
    for (p.node = 1; p.node < m->b->nodes.n; p.node++) {
      for (size_t k = 0; k < m->bounds.n; k++)
        if (fits(&p, m->bounds.at[k])) add_sides(&p, m->bounds.at[k]);
      add_everywhere(&p);
    }
  }
  return m->probes.n > 0;
}

// ------------------------------------------------------------------ what is sought

/* The sides of the equations in what leads to an error. */
static void find_sought(elements_maker *m, const tp_block *k, tp_term_list *out) {
  tp_term_list all = {0};
  tp_conjuncts(m->tt, tp_paths_flat(m->x, tp_path_condition(m->x, &k->path)), &all);
  for (size_t i = 0; i < all.n; i++) {
    const tp_term t =
        tp_kind(m->tt, all.at[i]) == TP_OP_NOT ? tp_arg(m->tt, all.at[i], 0) : all.at[i];
    if (tp_kind(m->tt, t) != TP_OP_EQ) continue;
    for (uint32_t side = 0; side < 2; side++) {
      const tp_term e = tp_arg(m->tt, t, side);
      if (elements_is_index_number(m, e) && !tp_is_const(m->tt, e) &&
          tp_dag_size(m->tt, e) <= TP_BLOCKS_UNIVERSAL_MIDDLE_TERMS &&
          !tp_any_subterm(m->tt, e, elements_is_any_cell, m) && tp_paths_is_expressible(m->x, e))
        elements_push_once(out, e, TP_BLOCKS_UNIVERSAL_BOUNDS);
    }
  }
  tp_vec_clear(&all);
}

void elements_add_sought(elements_maker *m) {
  tp_terms *tt = m->tt;
  tp_term_list sought = {0};
  for (size_t i = 0; i < m->b->list.n && m->bounds.n; i++)
    if (m->b->list.at[i].from && tp_block_node_is_bad(m->b, m->b->list.at[i].to))
      find_sought(m, &m->b->list.at[i], &sought);
  for (size_t i = 0; i < sought.n; i++)
    for (size_t k = 0; k < m->bounds.n; k++) {
      const tp_term e = sought.at[i], bound = m->bounds.at[k];
      const tp_term_kind le = elements_is_unsigned(m, bound) ? TP_OP_BV_ULE : TP_OP_BV_SLE;
      if (tp_occurs(tt, bound, e) || !tp_sort_eq(tp_sort_of(tt, e), tp_sort_of(tt, bound)))
        continue;
      for (uint32_t node = 1; node < m->b->nodes.n; node++) {
        tp_universals_add(m->u, node, tp_mk2(tt, le, bound, e));
        tp_universals_add(m->u, node, tp_mk2(tt, le, e, bound));
      }
    }
  tp_vec_clear(&sought);
}

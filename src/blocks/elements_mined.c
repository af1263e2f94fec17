/* Of what was mined, the formulas that solvers get through: without products and divisions, and
 * without the ghosts of objects, of which scalars say enough. */
#include "blocks/elements_mined.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"

// ------------------------------------------------------------- numbers that are told

static bool is_cell(void *ctx, const tp_terms *tt, tp_term t) {
  const tp_blocks *b = ctx;
  tp_sort sort;
  return tp_kind(tt, t) == TP_OP_SELECT && tp_is_memory(b->paths->p, tp_arg(tt, t, 0), &sort);
}

static bool is_number(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV && tp_width(tt, t) >= 8 &&
         tp_width(tt, t) <= 64;
}

static void push_once(tp_term_list *l, tp_term t) {
  for (size_t i = 0; i < l->n; i++)
    if (tp_term_eq(l->at[i], t)) return;
  if (l->n < TP_BLOCKS_UNIVERSAL_TOLD) tp_vec_push(l, t);
}

/* Single cells that are written from other cells. */
typedef struct {
  const tp_blocks *b;
  tp_term_list *out;
} store_search;

static tp_visit see_store(void *ctx, tp_term t) {
  const store_search *s = ctx;
  tp_paths *x = s->b->paths;
  tp_terms *tt = x->tt;
  if (tp_kind(tt, t) != TP_OP_STORE)
    return tp_kind(tt, t) == TP_OP_ITE ? TP_VISIT_ARGS : TP_VISIT_SKIP_ARGS;
  const tp_term at = tp_paths_flat(x, tp_arg(tt, t, 1)), value = tp_paths_flat(x, tp_arg(tt, t, 2)),
                cell = tp_cell(x->p, tp_sort_of(tt, value), at);
  const bool is_single = tp_kind(tt, at) == TP_OP_VAR || tp_is_const(tt, at);
  if (is_single && tp_term_is(cell) && is_number(tt, value) &&
      tp_any_subterm(tt, value, is_cell, (void *)(uintptr_t)s->b))
    push_once(s->out, cell);
  return TP_VISIT_ARGS;
}

static void find_cells(const tp_blocks *b, const tp_block *k, tp_term_list *out) {
  store_search s = {b, out};
  const tp_visitor v = {.ctx = &s, .visit = see_store, .order = TP_LEFT_TO_RIGHT};
  for (size_t i = 0; i < TP_N_MEMORIES; i++) {
    const tp_term memory = b->paths->p->memory[i];
    if (tp_term_is(memory))
      (void)tp_visit_terms(b->paths->tt, tp_path_after(b->paths, &k->path, memory), &v, NULL);
  }
}

/* Whatever conditions depend on: a sum may be added to what is in cells. */
static void find_variables(const tp_blocks *b, const tp_block *k, tp_term_list *out) {
  tp_paths *x = b->paths;
  for (size_t i = 1; i < x->p->vars.n; i++) {
    const tp_term v = x->p->vars.at[i].term;
    if (!tp_term_is(v) || !is_number(x->tt, v)) continue;
    const tp_term after = tp_path_after(x, &k->path, v);
    if (!tp_term_eq(after, v) &&
        tp_any_subterm(x->tt, tp_paths_flat(x, after), is_cell, (void *)(uintptr_t)b))
      push_once(out, v);
  }
}

void tp_elements_find_told(const tp_blocks *b, tp_term_list *out) {
  for (size_t i = 0; i < b->list.n; i++) {
    const tp_block *k = &b->list.at[i];
    if (!k->from || k->from != k->to) continue;
    find_variables(b, k, out);
    find_cells(b, k, out);
  }
}

// -------------------------------------------------------------------- candidates

typedef struct {
  const tp_blocks *b;
  const tp_term_list *told;
} fact_test;

static bool is_hard(void *ctx, const tp_terms *tt, tp_term t) {
  const fact_test *x = ctx;
  return tp_is_division(tt, t) || tp_is_product(tt, t) ||
         (tp_kind(tt, t) == TP_OP_SELECT && !is_cell((void *)(uintptr_t)x->b, tt, t));
}

static bool is_told(void *ctx, const tp_terms *tt, tp_term t) {
  (void)tt;
  const fact_test *x = ctx;
  for (size_t i = 0; i < x->told->n; i++)
    if (tp_term_eq(x->told->at[i], t)) return true;
  return false;
}

void tp_elements_add_mined(tp_universals *u, const tp_term_list *told,
                           const tp_mined_candidates *mined) {
  tp_node_formulas all;
  tp_terms *tt = u->b->paths->tt;
  fact_test test = {u->b, told};
  tp_node_formulas_init(&all, u->b);
  tp_node_formulas_add_all(&all, u->b, mined);
  for (uint32_t node = 1; node < u->b->nodes.n; node++) {
    uint32_t n = 0;
    for (size_t i = 0; i < all.at[node].n && n < TP_BLOCKS_UNIVERSAL_MINED; i++) {
      const tp_term t = all.at[node].at[i];
      if (!tp_any_subterm(tt, t, is_told, &test) || tp_any_subterm(tt, t, is_hard, &test)) continue;
      tp_universals_add(u, node, t);
      n++;
    }
  }
  tp_node_formulas_clear(&all);
}

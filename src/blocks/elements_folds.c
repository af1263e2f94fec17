/* Folds from loops: what a variable is behind an iteration, of itself, of cells at the loop's
 * counter and of what the loop does not change, is the step of a fold; so is what a cell is, of the
 * cell before it.
 *
 * A loop upwards that adds has the fold of the first x cells, whatever it starts at; one downwards
 * the same, and the difference of two of its values. A loop that does anything else has the fold of
 * its own iterations, from where it starts and what the variable is there. */
#include "blocks/elements_priv.h"

#include "blocks/blocks_limits.h"
#include "term/rewrite.h"

// ------------------------------------------------------------------------- loops

/* One iteration, as the block from a node to itself. */
typedef struct {
  elements_maker *m;
  const tp_block *k;
  tp_term counter;
  bool is_down;
} loop;

static tp_term behind(const loop *l, tp_term t) {
  return tp_paths_flat(l->m->x, tp_path_after(l->m->x, &l->k->path, t));
}

typedef struct {
  const loop *l;
  tp_term of;
  bool ok;
} change_search;

static void see_variable(void *ctx, tp_term v) {
  change_search *s = ctx;
  if (!tp_program_var_of(s->l->m->x->p, v).id || tp_term_eq(v, s->of) ||
      tp_term_eq(v, s->l->counter))
    return;
  s->ok = s->ok && tp_term_eq(behind(s->l, v), v);
}

/* Does t speak of the counter, and else of nothing that an iteration changes but `of`? */
static bool is_step(const loop *l, tp_term of, tp_term t) {
  tp_terms *tt = l->m->tt;
  change_search s = {l, of, true};
  tp_for_vars(tt, t, see_variable, &s);
  return s.ok && tp_occurs(tt, l->counter, t) &&
         tp_any_subterm(tt, t, elements_is_any_cell, l->m) && tp_paths_is_expressible(l->m->x, t) &&
         tp_dag_size(tt, t) <= TP_BLOCKS_FOLD_TERMS;
}

static bool find_direction(loop *l) {
  tp_terms *tt = l->m->tt;
  const tp_term d = tp_mk_sub(tt, behind(l, l->counter), l->counter);
  uint64_t step;
  if (!tp_is_const(tt, d) || tp_width(tt, d) > 64 || !tp_bv_value_u64(tt, d, &step)) return false;
  l->is_down = step != 1;
  return step == 1 || step == UINT64_MAX >> (64 - tp_width(tt, d));
}

// ------------------------------------------------------------------------- steps

static void push_fold(elements_maker *m, tp_term step, tp_sort index, tp_term plus, bool is_sum) {
  for (size_t i = 0; i < m->folds.n; i++)
    if (tp_term_eq(m->folds.at[i].fold.step, step) && tp_term_eq(m->folds.at[i].plus, plus)) return;
  if (m->folds.n < TP_BLOCKS_FOLDS)
    tp_vec_push(&m->folds,
                ((elements_fold){tp_folds_add(&m->u->folds, step, index), plus, is_sum}));
}

static tp_term zero_like(const elements_maker *m, tp_term t) {
  return tp_mk_bv(m->tt, tp_width(m->tt, t), 0);
}
static tp_term less_one(const elements_maker *m, tp_term t) {
  return tp_mk_sub(m->tt, t, tp_mk_bv(m->tt, tp_width(m->tt, t), 1));
}

/* before + added, where `added` is that of the index less one; nothing at 0. */
static tp_term sum_step(elements_maker *m, tp_term counter, tp_term added) {
  const tp_term x = tp_folds_index(&m->u->folds, tp_sort_of(m->tt, counter)),
                before = tp_folds_before(&m->u->folds, tp_sort_of(m->tt, added)),
                here = tp_replace(m->tt, added, counter, less_one(m, x));
  return tp_mk2(m->tt, TP_OP_BV_ADD, before,
                tp_mk_ite(m->tt, tp_mk_eq(m->tt, x, zero_like(m, x)), zero_like(m, here), here));
}

/* The iterations from `first` on, of v, which is `initial` before them. Index: what the counter is
 * upwards, how many iterations there were downwards. */
static tp_term own_step(const loop *l, tp_term v, tp_term after, tp_term first, tp_term initial) {
  elements_maker *m = l->m;
  tp_terms *tt = m->tt;
  const tp_term x = tp_folds_index(&m->u->folds, tp_sort_of(tt, l->counter)),
                before = tp_folds_before(&m->u->folds, tp_sort_of(tt, v)), last = less_one(m, x),
                start = l->is_down ? tp_mk_eq(tt, x, zero_like(m, x))
                                   : tp_mk2(tt, TP_OP_BV_ULE, x, first);
  tp_map images = {0};
  tp_map_set(&images, v.id, before.id);
  tp_map_set(&images, l->counter.id, (l->is_down ? tp_mk_sub(tt, first, last) : last).id);
  const tp_term step = tp_mk_ite(tt, start, initial, tp_replace_all(tt, after, &images));
  tp_map_clear(&images);
  return step;
}

/* Where the loop is entered: what v and the counter are there. */
static void add_entries(const loop *l, tp_term v, tp_term after, tp_term added) {
  elements_maker *m = l->m;
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *e = &m->b->list.at[i];
    if (e->to != l->k->from || e->from == l->k->from) continue;
    elements_settle(m, e->from);
    const tp_term initial = elements_settled(m, elements_after(m, e, v)),
                  first = elements_settled(m, tp_path_after(m->x, &e->path, l->counter));
    const bool is_known = tp_paths_is_expressible(m->x, initial) &&
                          tp_dag_size(m->tt, initial) <= TP_BLOCKS_FOLD_TERMS;
    const tp_sort index = tp_sort_of(m->tt, l->counter);
    if (is_known && tp_term_is(added) && !tp_occurs(m->tt, v, initial))
      push_fold(m, sum_step(m, l->counter, added), index, initial, true);
    if (is_known && !tp_term_is(added) && tp_paths_is_expressible(m->x, first) &&
        !tp_occurs(m->tt, l->counter, first) && !tp_occurs(m->tt, v, initial)) {
      push_fold(m, own_step(l, v, after, first, initial), index, zero_like(m, v), false);
      if (l->is_down) elements_push_once(&m->fold_starts, first, TP_BLOCKS_FOLDS);
    }
  }
}

static void add_variable(const loop *l, tp_term v) {
  elements_maker *m = l->m;
  elements_settle(m, l->k->from);
  const tp_term raw = behind(l, v);
  if (tp_term_eq(raw, v) || tp_term_eq(v, l->counter) || !is_step(l, v, raw)) return;
  const tp_term after = elements_settled(m, raw), added = tp_mk_sub(m->tt, after, v);
  add_entries(l, v, after, tp_occurs(m->tt, v, added) ? TP_TERM_NONE : added);
}

// ------------------------------------------------------------------ running cells

/* The array with the cells at the index symbol: [index] = plus + fold(index), or fold(index + 1).
 */
static void push_bodies(elements_maker *m, tp_term cell, tp_term counter, elements_fold fold) {
  elements_body made = {.sorts = {tp_sort_of(m->tt, counter)},
                        .n_indices = 1,
                        .is_unsigned = elements_is_unsigned(m, counter)};
  const tp_term index = tp_universal_index(m->u, 0, made.sorts[0]),
                next =
                    tp_mk2(m->tt, TP_OP_BV_ADD, index, tp_mk_bv(m->tt, tp_width(m->tt, index), 1)),
                at = elements_unshifted(m, tp_replace(m->tt, cell, counter, index), index);
  for (int i = 0; i < 2 && m->bodies.n < TP_BLOCKS_UNIVERSAL_BODIES; i++) {
    made.open = tp_mk_eq(
        m->tt, at,
        tp_mk2(m->tt, TP_OP_BV_ADD, fold.plus, tp_fold_at(m->tt, fold.fold, i ? next : index)));
    tp_vec_push(&m->bodies, made);
  }
}

/* A cell that is written from the one before it; a number. */
static void add_running_cell(const loop *l, const elements_write *w) {
  elements_maker *m = l->m;
  if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, w->value)) != TP_SORT_BV) return;
  const tp_term last = tp_replace(m->tt, w->cell, l->counter, less_one(m, l->counter)),
                added = tp_mk_sub(m->tt, w->value, last);
  if (!tp_occurs(m->tt, l->counter, w->cell) || !tp_occurs(m->tt, last, w->value) ||
      tp_occurs(m->tt, last, added) || !is_step(l, l->counter, added))
    return;
  elements_settle(m, l->k->from);
  const tp_sort index = tp_sort_of(m->tt, l->counter);
  const tp_term step = sum_step(m, l->counter, elements_settled(m, added)),
                zero = zero_like(m, added);
  push_fold(m, step, index, zero, true);
  push_bodies(m, elements_settled(m, w->cell), l->counter,
              (elements_fold){tp_folds_add(&m->u->folds, step, index), zero, true});
}

/* A variable's value is kept in a cell, in each iteration. */
static void add_kept(const loop *l, const elements_write *w) {
  elements_maker *m = l->m;
  if (!tp_occurs(m->tt, l->counter, w->cell)) return;
  elements_settle(m, l->k->from);
  const tp_term cell = elements_settled(m, w->cell);
  for (size_t i = 0; i < m->folds.n; i++)
    if (tp_sort_eq(tp_sort_of(m->tt, m->folds.at[i].fold.step), tp_sort_of(m->tt, cell)) &&
        tp_sort_eq(tp_sort_of(m->tt, m->folds.at[i].fold.index), tp_sort_of(m->tt, l->counter)))
      push_bodies(m, cell, l->counter, m->folds.at[i]);
}

// -------------------------------------------------------------------- candidates

typedef enum { VARIABLES, WRITES } fold_source;

static void see_loop(elements_maker *m, const tp_block *k, fold_source from) {
  for (size_t c = 0; c < m->counters_at[k->from].n; c++) {
    loop l = {m, k, m->counters_at[k->from].at[c], false};
    if (!find_direction(&l)) continue;
    const tp_term_list *vars = &m->variables->at[k->from];
    for (size_t i = 0; i < vars->n && from == VARIABLES; i++)
      if (tp_sort_kind_of(m->tt, tp_sort_of(m->tt, vars->at[i])) == TP_SORT_BV &&
          tp_width(m->tt, vars->at[i]) >= 8 && tp_width(m->tt, vars->at[i]) <= 64)
        add_variable(&l, vars->at[i]);
    for (size_t i = 0; i < m->writes.n && from == WRITES && !l.is_down; i++) {
      if (m->writes.at[i].block != k) continue;
      add_running_cell(&l, &m->writes.at[i]);
      add_kept(&l, &m->writes.at[i]);
    }
  }
}

/* Where folds are read at a node: counters there, and behind them, where loops end, iterations so
 * far of those downwards. */
static void places_at(elements_maker *m, uint32_t node, tp_sort sort, tp_term_list *out) {
  tp_terms *tt = m->tt;
  const tp_term_list *counters = &m->counters_at[node];
  for (size_t i = 0; i < m->ends.n; i++)
    if (tp_sort_eq(tp_sort_of(tt, m->ends.at[i]), sort))
      elements_push_once(out, m->ends.at[i], TP_BLOCKS_FOLD_PLACES);
  for (size_t i = 0; i < counters->n; i++) {
    const tp_term c = counters->at[i];
    if (!tp_sort_eq(tp_sort_of(tt, c), sort)) continue;
    elements_push_once(out, c, TP_BLOCKS_FOLD_PLACES);
    elements_push_once(out, tp_mk2(tt, TP_OP_BV_ADD, c, tp_mk_bv(tt, tp_sort_width(tt, sort), 1)),
                       TP_BLOCKS_FOLD_PLACES);
    for (size_t k = 0; k < m->fold_starts.n; k++)
      if (tp_sort_eq(tp_sort_of(tt, m->fold_starts.at[k]), sort))
        elements_push_once(out, tp_mk_sub(tt, m->fold_starts.at[k], c), TP_BLOCKS_FOLD_PLACES);
  }
  for (size_t i = 0; i < m->starts.n; i++)
    if (tp_sort_eq(tp_sort_of(tt, m->starts.at[i]), sort))
      elements_push_once(out, m->starts.at[i], TP_BLOCKS_FOLD_PLACES);
}

static void add_values(elements_maker *m, uint32_t node, tp_term v, const elements_fold *fold,
                       const tp_term_list *places) {
  tp_terms *tt = m->tt;
  for (size_t i = 0; i < places->n; i++) {
    const tp_term here =
        tp_mk2(tt, TP_OP_BV_ADD, fold->plus, tp_fold_at(tt, fold->fold, places->at[i]));
    tp_universals_add(m->u, node, tp_mk_eq(tt, v, here));
    for (size_t k = 0; k < places->n && fold->is_sum; k++)
      if (k != i)
        tp_universals_add(
            m->u, node,
            tp_mk_eq(tt, v, tp_mk_sub(tt, here, tp_fold_at(tt, fold->fold, places->at[k]))));
  }
}

bool elements_find_folds(elements_maker *m) {
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && m->b->list.at[i].from == m->b->list.at[i].to)
      see_loop(m, &m->b->list.at[i], VARIABLES);
  for (size_t i = 0; i < m->b->list.n; i++)
    if (m->b->list.at[i].from && m->b->list.at[i].from == m->b->list.at[i].to)
      see_loop(m, &m->b->list.at[i], WRITES);
  return m->folds.n > 0;
}

void elements_add_folds(elements_maker *m) {
  for (uint32_t node = 1; node < m->b->nodes.n; node++)
    for (size_t k = 0; k < m->folds.n; k++) {
      const elements_fold *fold = &m->folds.at[k];
      tp_term_list places = {0};
      places_at(m, node, tp_sort_of(m->tt, fold->fold.index), &places);
      for (size_t i = 0; i < m->variables->at[node].n; i++) {
        const tp_term v = m->variables->at[node].at[i];
        if (tp_sort_eq(tp_sort_of(m->tt, v), tp_sort_of(m->tt, fold->fold.step)))
          add_values(m, node, v, fold, &places);
      }
      tp_vec_clear(&places);
    }
}

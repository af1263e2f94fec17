/* Functions are told apart by their steps over the state before a block. */
#include "blocks/candidate_folds.h"

#include "blocks/blocks_limits.h"
#include "blocks/solve_index.h"
#include "term/rewrite.h"

void tp_folds_init(tp_folds *f, const tp_blocks *b) { *f = (tp_folds){.b = b}; }

void tp_folds_clear(tp_folds *f) {
  tp_vec_clear(&f->list);
  tp_vec_clear(&f->functions);
  tp_map_clear(&f->places);
  tp_map_clear(&f->differ);
}

static tp_terms *terms_of(const tp_folds *f) { return f->b->paths->tt; }

static tp_term place(tp_folds *f, uint64_t which, tp_sort sort) {
  uint64_t known;
  if (tp_map_get(&f->places, which << 32 | sort.id, &known)) return (tp_term){(uint32_t)known};
  const tp_term symbol = tp_mk_var(terms_of(f), which ? "fold before" : "index of fold", sort);
  tp_map_set(&f->places, which << 32 | sort.id, symbol.id);
  return symbol;
}

tp_term tp_folds_index(tp_folds *f, tp_sort sort) { return place(f, 0, sort); }
tp_term tp_folds_before(tp_folds *f, tp_sort sort) { return place(f, 1, sort); }

static tp_invariant_fold made(tp_folds *f, tp_term step, tp_sort index) {
  tp_terms *tt = terms_of(f);
  const tp_sort sort = tp_sort_of(tt, step);
  return (tp_invariant_fold){.symbol = tp_mk_var(tt, "fold", tp_sort_array(tt, index, sort)),
                             .step = step,
                             .index = tp_folds_index(f, index),
                             .before = tp_folds_before(f, sort)};
}

static bool is_of(const tp_folds *f, const tp_invariant_fold *x, tp_term step, tp_sort index) {
  return tp_term_eq(x->step, step) && tp_sort_eq(tp_sort_of(terms_of(f), x->index), index);
}

tp_invariant_fold tp_folds_add(tp_folds *f, tp_term step, tp_sort index) {
  for (size_t i = 0; i < f->list.n; i++)
    if (is_of(f, &f->list.at[i], step, index)) return f->list.at[i];
  const tp_invariant_fold fold = made(f, step, index);
  tp_vec_push(&f->list, fold);
  return fold;
}

const tp_invariant_fold *tp_folds_of(const tp_folds *f, tp_term symbol) {
  for (size_t i = 0; i < f->list.n; i++)
    if (tp_term_eq(f->list.at[i].symbol, symbol)) return &f->list.at[i];
  for (size_t i = 0; i < f->functions.n; i++)
    if (tp_term_eq(f->functions.at[i].symbol, symbol)) return &f->functions.at[i];
  return NULL;
}

// ------------------------------------------------------------------------ saying

static bool is_read_of_fold(void *ctx, const tp_terms *tt, tp_term t) {
  return tp_kind(tt, t) == TP_OP_SELECT && tp_folds_of(ctx, tp_arg(tt, t, 0));
}

static bool may_say_plain(const tp_folds *f, uint32_t node, tp_term t) {
  return tp_block_node_may_use(f->b, node, t) && tp_paths_is_expressible(f->b->paths, t);
}

static tp_term step_at(tp_terms *tt, const tp_invariant_fold *f, tp_term index, tp_term before) {
  tp_map images = {0};
  tp_map_set(&images, f->index.id, index.id);
  tp_map_set(&images, f->before.id, before.id);
  const tp_term t = tp_replace_all(tt, f->step, &images);
  tp_map_clear(&images);
  return t;
}

static tp_term zero_like(tp_terms *tt, tp_term t) { return tp_mk_bv(tt, tp_width(tt, t), 0); }

static tp_term one_like(tp_terms *tt, tp_term t) { return tp_mk_bv(tt, tp_width(tt, t), 1); }

/* A read may be said where its index and the step may; a step is tried at index 1. */
bool tp_folds_may_say(const tp_folds *f, uint32_t node, tp_term t) {
  tp_terms *tt = terms_of(f);
  tp_term_list reads = {0};
  tp_map images = {0};
  bool ok = true;
  if (f->list.n) tp_collect_terms(tt, t, is_read_of_fold, (void *)(uintptr_t)f, &reads);
  for (size_t i = 0; i < reads.n && ok; i++) {
    const tp_invariant_fold *fold = tp_folds_of(f, tp_arg(tt, reads.at[i], 0));
    const tp_term index = tp_arg(tt, reads.at[i], 1);
    ok = may_say_plain(f, node,
                       step_at(tt, fold, one_like(tt, fold->index), zero_like(tt, fold->before)));
    tp_map_set(&images, reads.at[i].id,
               tp_mk_resize(tt, tp_width(tt, reads.at[i]), false, index).id);
  }
  ok = ok && may_say_plain(f, node, reads.n ? tp_replace_all(tt, t, &images) : t);
  tp_map_clear(&images);
  tp_vec_clear(&reads);
  return ok;
}

static tp_term function_behind(tp_folds *f, const tp_path *path, tp_invariant_fold fold) {
  tp_paths *x = f->b->paths;
  const tp_sort index = tp_sort_of(x->tt, fold.index);
  const tp_term step = tp_paths_flat(x, tp_path_after(x, path, fold.step));
  if (tp_term_eq(step, tp_paths_flat(x, fold.step))) return fold.symbol;
  for (size_t i = 0; i < f->functions.n; i++)
    if (is_of(f, &f->functions.at[i], step, index)) return f->functions.at[i].symbol;
  tp_vec_push(&f->functions, made(f, step, index));
  return tp_vec_last(&f->functions).symbol;
}

tp_term tp_folds_after(tp_folds *f, const tp_path *path, tp_term t) {
  tp_term after = tp_path_after(f->b->paths, path, t);
  for (size_t i = 0; i < f->list.n; i++)
    if (tp_occurs(terms_of(f), f->list.at[i].symbol, t))
      after = tp_replace(terms_of(f), after, f->list.at[i].symbol,
                         function_behind(f, path, f->list.at[i]));
  return after;
}

// ------------------------------------------------------------------------- facts

static tp_term definition(const tp_folds *f, const tp_invariant_fold *fold, tp_term at) {
  tp_terms *tt = terms_of(f);
  const tp_term last = tp_fold_at(tt, *fold, tp_mk_sub(tt, at, one_like(tt, at))),
                is_first = tp_mk_eq(tt, at, zero_like(tt, at)),
                before = tp_mk_ite(tt, is_first, zero_like(tt, fold->before), last);
  return tp_mk_eq(tt, tp_fold_at(tt, *fold, at), step_at(tt, fold, at, before));
}

typedef struct {
  tp_terms *tt;
  const tp_invariant_fold *f, *g;
  tp_term_list points;
} difference;

static tp_visit see_equation(void *ctx, tp_term t) {
  difference *d = ctx;
  tp_term point;
  if (tp_kind(d->tt, t) != TP_OP_EQ ||
      (tp_occurs(d->tt, t, d->f->step) && tp_occurs(d->tt, t, d->g->step)) ||
      !tp_solve_index(d->tt, t, d->f->index, &point) || tp_occurs(d->tt, d->f->before, point))
    return TP_VISIT_ARGS;
  bool is_new = true;
  for (size_t i = 0; i < d->points.n; i++) is_new &= !tp_term_eq(d->points.at[i], point);
  if (is_new) tp_vec_push(&d->points, point);
  return TP_VISIT_ARGS;
}

static void find_points(difference *d) {
  const tp_visitor v = {.ctx = d, .visit = see_equation, .order = TP_LEFT_TO_RIGHT};
  tp_map seen = {0};
  (void)tp_visit_terms(d->tt, d->f->step, &v, &seen);
  (void)tp_visit_terms(d->tt, d->g->step, &v, &seen);
  tp_map_clear(&seen);
}

/* Outside of the points the steps are the same. */
static tp_term premise(const difference *d) {
  tp_term t = tp_mk_eq(d->tt, d->f->step, d->g->step);
  for (size_t i = 0; i < d->points.n; i++)
    t = tp_mk_or(d->tt, t, tp_mk_eq(d->tt, d->f->index, d->points.at[i]));
  return t;
}

static tp_term change_at(const difference *d, tp_term from, tp_term to, size_t i, tp_term h) {
  tp_terms *tt = d->tt;
  const tp_term p = d->points.at[i], change = tp_mk_sub(tt, tp_replace(tt, to, d->g->index, p),
                                                        tp_replace(tt, from, d->f->index, p));
  tp_term counts = tp_mk2(tt, TP_OP_BV_ULE, p, h);
  for (size_t k = 0; k < i; k++)
    counts = tp_mk_and(tt, counts, tp_mk_not(tt, tp_mk_eq(tt, d->points.at[k], p)));
  return tp_mk_ite(tt, counts, change, zero_like(tt, change));
}

static tp_term conclusion(const difference *d, tp_term h) {
  tp_terms *tt = d->tt;
  const tp_term f = tp_fold_at(tt, *d->f, h), g = tp_fold_at(tt, *d->g, h),
                from = tp_mk_sub(tt, d->f->step, d->f->before),
                to = tp_mk_sub(tt, d->g->step, d->g->before);
  tp_term sum = f, beyond = tp_mk_true(tt);
  if (tp_occurs(tt, d->f->before, from) || tp_occurs(tt, d->g->before, to)) {
    for (size_t i = 0; i < d->points.n; i++)
      beyond = tp_mk_and(tt, beyond, tp_mk2(tt, TP_OP_BV_ULT, h, d->points.at[i]));
    return tp_mk_implies(tt, beyond, tp_mk_eq(tt, f, g));
  }
  for (size_t i = 0; i < d->points.n; i++)
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum, change_at(d, from, to, i, h));
  return tp_mk_eq(tt, g, sum);
}

typedef struct {
  tp_folds *f;
  size_t block;
  bool (*is_valid)(void *ctx, size_t block, tp_term formula);
  void *ctx;
  tp_term_list reads;
} question;

/* Once for the block: what is known of its start does not change. */
static bool is_shown(question *q, const difference *d) {
  const uint64_t key =
      tp_hash_mix((uint64_t)q->block << 32 | d->f->symbol.id, (uint64_t)d->g->symbol.id);
  uint64_t known;
  if (tp_map_get(&q->f->differ, key, &known)) return known;
  const bool is = d->points.n <= TP_BLOCKS_FOLD_POINTS && q->is_valid(q->ctx, q->block, premise(d));
  tp_map_set(&q->f->differ, key, is);
  return is;
}

static tp_term differences(question *q, tp_term f, tp_term g) {
  tp_terms *tt = terms_of(q->f);
  difference d = {.tt = tt, .f = tp_folds_of(q->f, f), .g = tp_folds_of(q->f, g)};
  tp_term all = tp_mk_true(tt);
  if (!tp_term_eq(d.f->index, d.g->index) || !tp_term_eq(d.f->before, d.g->before)) return all;
  find_points(&d);
  if (is_shown(q, &d))
    for (size_t i = 0; i < q->reads.n; i++) {
      const tp_term array = tp_arg(tt, q->reads.at[i], 0);
      if (tp_term_eq(array, f) || tp_term_eq(array, g))
        all = tp_mk_and(tt, all, conclusion(&d, tp_arg(tt, q->reads.at[i], 1)));
    }
  tp_vec_clear(&d.points);
  return all;
}

/* Pairs of functions that are read, each once. */
static tp_term all_differences(question *q) {
  tp_terms *tt = terms_of(q->f);
  tp_term all = tp_mk_true(tt);
  tp_map seen = {0};
  for (size_t i = 0; i < q->reads.n; i++)
    for (size_t j = 0; j < i; j++) {
      const tp_term a = tp_arg(tt, q->reads.at[i], 0), b = tp_arg(tt, q->reads.at[j], 0);
      const uint32_t low = a.id < b.id ? a.id : b.id, high = a.id < b.id ? b.id : a.id;
      if (low == high || tp_map_has(&seen, (uint64_t)low << 32 | high) ||
          seen.n >= TP_BLOCKS_FOLD_DIFFERENCES)
        continue;
      tp_map_set(&seen, (uint64_t)low << 32 | high, 1);
      all = tp_mk_and(tt, all, differences(q, (tp_term){low}, (tp_term){high}));
    }
  tp_map_clear(&seen);
  return all;
}

tp_term tp_folds_facts(tp_folds *f, size_t block, tp_term t,
                       bool (*is_valid)(void *ctx, size_t block, tp_term formula), void *ctx) {
  tp_terms *tt = terms_of(f);
  question q = {.f = f, .block = block, .is_valid = is_valid, .ctx = ctx};
  tp_term all = tp_mk_true(tt);
  if (!f->list.n) return all;
  tp_collect_terms(tt, tp_paths_flat(f->b->paths, t), is_read_of_fold, f, &q.reads);
  for (size_t i = 0; i < q.reads.n; i++)
    all = tp_mk_and(
        tt, all,
        definition(f, tp_folds_of(f, tp_arg(tt, q.reads.at[i], 0)), tp_arg(tt, q.reads.at[i], 1)));
  q.reads.n = 0;
  tp_collect_terms(tt, tp_mk_and(tt, t, all), is_read_of_fold, f, &q.reads);
  all = tp_mk_and(tt, all, all_differences(&q));
  tp_vec_clear(&q.reads);
  return all;
}

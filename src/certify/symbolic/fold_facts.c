/* Definitions and differences of folds as formulas. */
#include "certify/symbolic/fold_facts.h"

#include "certify/inductive/universal.h"

// --------------------------------------------------------------------- functions

static bool is_of(const tp_chk_fold_function *f, const tp_chk_fold *fold, tp_term step) {
  return tp_term_eq(f->step, step) && tp_term_eq(f->index, fold->index) &&
         tp_term_eq(f->before, fold->before);
}

tp_term tp_chk_fold_function_with(tp_chk_fold_functions *x, tp_terms *tt, const tp_chk_fold *fold,
                                  tp_term step) {
  for (uint32_t salt = 0;; salt++) {
    const uint64_t key =
        tp_hash_mix(tp_hash_mix((uint64_t)step.id << 32 | fold->index.id, fold->before.id), salt);
    uint64_t number;
    if (!tp_map_get(&x->of_step, key, &number)) {
      tp_map_set(&x->of_step, key, x->list.n);
      const tp_sort sort = tp_sort_of(tt, fold->symbol);
      tp_vec_push(&x->list, ((tp_chk_fold_function){tp_mk_var(tt, "fold here", sort), step,
                                                    fold->index, fold->before}));
      return tp_vec_last(&x->list).symbol;
    }
    if (is_of(&x->list.at[number], fold, step)) return x->list.at[number].symbol;
  }
}

const tp_chk_fold_function *tp_chk_fold_function_of(const tp_chk_fold_functions *x,
                                                    tp_term symbol) {
  for (size_t i = 0; i < x->list.n; i++)
    if (tp_term_eq(x->list.at[i].symbol, symbol)) return &x->list.at[i];
  return NULL;
}

void tp_chk_fold_functions_clear(tp_chk_fold_functions *x) {
  tp_vec_clear(&x->list);
  tp_map_clear(&x->of_step);
}

// -------------------------------------------------------------------- definitions

static tp_term zero_like(tp_terms *tt, tp_term t) { return tp_mk_bv(tt, tp_width(tt, t), 0); }

static tp_term step_at(tp_terms *tt, const tp_chk_fold_function *f, tp_term index, tp_term before) {
  tp_map images = {0};
  tp_map_set(&images, f->index.id, index.id);
  tp_map_set(&images, f->before.id, before.id);
  const tp_term t = tp_replace_all(tt, f->step, &images);
  tp_map_clear(&images);
  return t;
}

tp_term tp_chk_fold_definition(tp_terms *tt, const tp_chk_fold_function *f, tp_term at) {
  const tp_term one = tp_mk_bv(tt, tp_width(tt, at), 1),
                last = tp_mk2(tt, TP_OP_SELECT, f->symbol, tp_mk_sub(tt, at, one)),
                is_first = tp_mk_eq(tt, at, zero_like(tt, at)),
                before = tp_mk_ite(tt, is_first, zero_like(tt, f->before), last);
  return tp_mk_eq(tt, tp_mk2(tt, TP_OP_SELECT, f->symbol, at), step_at(tt, f, at, before));
}

// -------------------------------------------------------------------- differences

typedef struct {
  tp_terms *tt;
  tp_chk_fold_difference *d;
  bool ok;
} point_search;

static void add_point(point_search *s, tp_term point) {
  tp_chk_fold_difference *d = s->d;
  for (uint32_t i = 0; i < d->n; i++)
    if (tp_term_eq(d->points[i], point)) return;
  if (d->n == TP_CERTIFY_FOLD_POINTS)
    s->ok = false;
  else
    d->points[d->n++] = point;
}

/* What both steps ask is no difference between them: where a sum begins. */
static bool is_in_both(const point_search *s, tp_term t) {
  return tp_occurs(s->tt, t, s->d->f->step) && tp_occurs(s->tt, t, s->d->g->step);
}

static tp_visit see_equation(void *ctx, tp_term t) {
  point_search *s = ctx;
  tp_term point;
  if (tp_kind(s->tt, t) == TP_OP_EQ &&
      tp_chk_universal_index_where(s->tt, t, s->d->f->index, &point) &&
      !tp_occurs(s->tt, s->d->f->before, point) && !is_in_both(s, t))
    add_point(s, point);
  return TP_VISIT_ARGS;
}

bool tp_chk_fold_difference_of(tp_terms *tt, const tp_chk_fold_function *f,
                               const tp_chk_fold_function *g, tp_chk_fold_difference *out) {
  *out = (tp_chk_fold_difference){.f = f, .g = g};
  if (!tp_term_eq(f->index, g->index) || !tp_term_eq(f->before, g->before)) return false;
  point_search s = {.tt = tt, .d = out, .ok = true};
  const tp_visitor v = {.ctx = &s, .visit = see_equation, .order = TP_LEFT_TO_RIGHT};
  tp_map seen = {0};
  (void)tp_visit_terms(tt, f->step, &v, &seen);
  (void)tp_visit_terms(tt, g->step, &v, &seen);
  tp_map_clear(&seen);
  return s.ok;
}

tp_term tp_chk_fold_premise(tp_terms *tt, const tp_chk_fold_difference *d) {
  tp_term holds = tp_mk_eq(tt, d->f->step, d->g->step);
  for (uint32_t i = 0; i < d->n; i++)
    holds = tp_mk_or(tt, holds, tp_mk_eq(tt, d->f->index, d->points[i]));
  return holds;
}

/* What the step adds to the value before; NONE: it does something else with it. */
static tp_term added(tp_terms *tt, const tp_chk_fold_function *f) {
  const tp_term t = tp_mk_sub(tt, f->step, f->before);
  return tp_occurs(tt, f->before, t) ? TP_TERM_NONE : t;
}

static tp_term at_point(tp_terms *tt, const tp_chk_fold_function *f, tp_term t, tp_term point) {
  return tp_replace(tt, t, f->index, point);
}

/* Is the i-th point at most h, and none of those before it? */
static tp_term counts(tp_terms *tt, const tp_chk_fold_difference *d, uint32_t i, tp_term h) {
  tp_term t = tp_mk2(tt, TP_OP_BV_ULE, d->points[i], h);
  for (uint32_t k = 0; k < i; k++)
    t = tp_mk_and(tt, t, tp_mk_not(tt, tp_mk_eq(tt, d->points[k], d->points[i])));
  return t;
}

tp_term tp_chk_fold_conclusion(tp_terms *tt, const tp_chk_fold_difference *d, tp_term h) {
  const tp_term f = tp_mk2(tt, TP_OP_SELECT, d->f->symbol, h),
                g = tp_mk2(tt, TP_OP_SELECT, d->g->symbol, h), from = added(tt, d->f),
                to = added(tt, d->g);
  tp_term sum = f, beyond = tp_mk_true(tt);
  for (uint32_t i = 0; i < d->n; i++)
    beyond = tp_mk_and(tt, beyond, tp_mk2(tt, TP_OP_BV_ULT, h, d->points[i]));
  if (!tp_term_is(from) || !tp_term_is(to)) return tp_mk_implies(tt, beyond, tp_mk_eq(tt, f, g));
  for (uint32_t i = 0; i < d->n; i++) {
    const tp_term change =
        tp_mk_sub(tt, at_point(tt, d->g, to, d->points[i]), at_point(tt, d->f, from, d->points[i]));
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum,
                 tp_mk_ite(tt, counts(tt, d, i, h), change, zero_like(tt, change)));
  }
  return tp_mk_eq(tt, g, sum);
}

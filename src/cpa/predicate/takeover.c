/* What a neighbour stops tracking becomes predicates: InferPred says which, and those of them that
 * the neighbour's values decide hold, or not, from here on. Nothing is asked of a solver: the
 * neighbour evaluates the predicate.
 *
 * Inside of a block its values become part of the path, so nothing is lost before the block is
 * abstracted. At a block end a value is lost but for what the predicates say of it. Main's start
 * has its values in its path. */
#include "cpa/predicate/predicate_priv.h"

typedef struct {
  tp_predicate *self;
  const tp_handover *from;
  TP_VEC(tp_term) places;   // that are forgotten
  tp_predicate_list fresh;  // what takes their place
  tp_taken taken;           // ... and what was taken before
} takeover;

static void see_place(void *ctx, tp_term place) {
  takeover *t = ctx;
  tp_vec_push(&t->places, place);
}

// ------------------------------------------------------------------- precision

/* Where the variables are in scope (in the function that owns them, else everywhere), and behind
 * this element only: a variable that is not tracked any more at one place is not tracked behind it
 * either; on other ways it may be, and questions about it would be for nothing. */
static void add_predicate(void *ctx, tp_term t) {
  takeover *x = ctx;
  tp_predicate *self = x->self;
  uint32_t number;
  if (!tp_predicate_number(self, t, &number)) return;
  const tp_predicate_info *info = &self->preds.at[number];
  tp_predicate_add_taken(self, info->n_funcs == 1 ? info->funcs[0] : TP_FUNC_NONE, t);
  tp_vec_push(&x->fresh, number);
}

static void infer(takeover *t) {
  tp_predicate *self = t->self;
  if (!self->infer) self->infer = tp_infer_new(self->cpa->env, self->infer_sources);
  for (size_t i = 0; i < t->places.n; i++)
    tp_infer_predicates(self->infer, t->from, t->places.at[i], add_predicate, t);
}

// -------------------------------------------------------------------- elements

/* Is t the same in all states that the neighbour means? */
static bool decides(const takeover *t, tp_term x, bool *value) {
  tp_range r;
  if (!tp_view_range((tp_view){t->from->cpa, t->from->before.elem}, x, &r) || r.is_top ||
      r.umin != r.umax)
    return false;
  *value = r.umin != 0;
  return true;
}

static const tp_elem *at_end(takeover *t, const tp_elem *e) {
  tp_predicate *self = t->self;
  tp_predicate_list wanted = {0};
  tp_bdd f = e->region->bdd;
  tp_predicate_collect(self, e->loc, e->context, t->taken, &wanted);
  for (size_t i = 0; i < wanted.n; i++) {
    bool holds;
    if (!decides(t, self->meaning.at[wanted.at[i]], &holds)) continue;
    f = tp_bdd_and(&self->bdds, f,
                   tp_bdd_cube(&self->bdds, &(tp_bdd_literal){wanted.at[i], holds}, 1));
  }
  tp_vec_clear(&wanted);
  bool is_new = f.id != e->region->bdd.id &&
                !tp_bdd_is_false(f);  // false: they share no state; that may be found out by steps
  return is_new
             ? tp_predicate_new_end(self, f, (tp_block_end){e->loc, e->context, t->taken}, &e->path)
             : e;
}

/* place = value, for all places of which the value is known; what is no number up to 64 bits is
 * lost. */
static tp_term values_of(const takeover *t) {
  tp_terms *tt = t->self->tt;
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < t->places.n; i++) {
    tp_term place = t->places.at[i];
    tp_range r;
    if (!tp_view_range((tp_view){t->from->cpa, t->from->before.elem}, place, &r) || r.is_top ||
        r.umin != r.umax)
      continue;
    bool is_truth = tp_sort_kind_of(tt, tp_sort_of(tt, place)) == TP_SORT_BOOL;
    tp_term value =
        is_truth ? tp_mk_bool(tt, r.umin != 0) : tp_mk_bv(tt, tp_width(tt, place), r.umin);
    all = tp_mk_and(tt, all, tp_mk_eq(tt, place, value));
  }
  return all;
}

/* Its path is a copy, for an element to own. */
static tp_way with_assumption(tp_predicate *self, const tp_way *from, tp_term known) {
  tp_way way = *from;
  way.path = tp_path_copy(&from->path);
  tp_path_assume(&self->paths, &way.path, known);
  return way;
}

static const tp_elem *inside(takeover *t, const tp_elem *e) {
  tp_predicate *self = t->self;
  tp_term known = values_of(t);
  if (tp_is_true(self->tt, known)) return e;
  tp_way *ways = tp_arena_array(&self->cpa->arena, tp_way, e->n_ways);
  for (uint32_t i = 0; i < e->n_ways; i++)
    ways[i] = tp_predicate_new_way(self, e->kind, e->loc, e->context, e->region,
                                   with_assumption(self, &e->ways[i], known))
                  ->ways[0];
  tp_elem *sharper = tp_predicate_new_elem(self, e->kind, e->loc, e->context, e->region);
  sharper->ways = ways;
  sharper->n_ways = e->n_ways;
  sharper->path = tp_path_copy(&e->path);
  tp_path_assume(&self->paths, &sharper->path, known);
  sharper->n_choices = e->n_choices;
  sharper->taken = t->taken;
  return sharper;
}

/* e itself, but for what was taken. */
static const tp_elem *with_taken(takeover *t, const tp_elem *e) {
  if (e->taken.n == t->taken.n) return e;
  tp_elem *copy = tp_predicate_new_elem(t->self, e->kind, e->loc, e->context, e->region);
  *copy = *e;
  copy->path = tp_path_copy(&e->path);
  copy->taken = t->taken;
  return copy;
}

const tp_elem *tp_predicate_take_over(tp_cpa *cpa, const tp_elem *e, const tp_handover *from) {
  takeover t = {.self = tp_predicate_of(cpa), .from = from, .taken = e->taken};
  from->cpa->ops->forgotten(from->cpa, from->before, from->after, see_place, &t);
  if (t.places.n && e->kind != TP_PREDICATE_ANY) {
    infer(&t);
    t.taken = tp_predicate_taken_by_both(t.self, e->taken, tp_predicate_taken_of(t.self, &t.fresh));
    if (!e->region->is_start) e = e->kind == TP_PREDICATE_END ? at_end(&t, e) : inside(&t, e);
    e = with_taken(&t, e);
  }
  tp_vec_clear(&t.places);
  tp_vec_clear(&t.fresh);
  return e;
}

/* Precision transfer from values to predicates: InferPred gives predicates over the lvalues that
 * another component stops tracking; the element is restricted by those that the values decide.
 * There are no solver queries: the other component evaluates the predicates.
 *
 * Inside of a block the values are conjoined to the path, so no information is lost before the
 * block is abstracted. At a block end only the decided predicates are kept. Main's start has its
 * values in its path. */
#include "cpa/predicate/predicate_priv.h"

typedef struct {
  tp_predicate *self;
  const tp_precision_transfer *from;
  TP_VEC(tp_term) lvalues;     // that are not tracked any more
  tp_predicate_list fresh;     // replaces the values
  tp_transferred transferred;  // ... and earlier ones
} value_transfer;

static void visit_lvalue(void *ctx, tp_term lvalue) {
  value_transfer *t = ctx;
  tp_vec_push(&t->lvalues, lvalue);
}

// ------------------------------------------------------------------- precision

/* Where the variables are in scope (in the function that owns them, else everywhere), and behind
 * this element only: a variable that is not tracked any more in one element is not tracked behind
 * it either; on other ways it may be, and questions about it would be for nothing. */
static void add_predicate(void *ctx, tp_term t) {
  value_transfer *x = ctx;
  tp_predicate *self = x->self;
  uint32_t number;
  if (!tp_predicate_number(self, t, &number)) return;
  const tp_predicate_info *info = &self->preds.at[number];
  tp_predicate_add_transferred(self, info->n_funcs == 1 ? info->funcs[0] : TP_FUNC_NONE, t);
  tp_vec_push(&x->fresh, number);
}

static void infer(value_transfer *t) {
  tp_predicate *self = t->self;
  if (!self->infer) self->infer = tp_infer_new(self->cpa->env, self->infer_sources);
  for (size_t i = 0; i < t->lvalues.n; i++)
    tp_infer_predicates(self->infer, t->from, t->lvalues.at[i], add_predicate, t);
}

// -------------------------------------------------------------------- elements

/* Does the other component's element determine the truth value of x? */
static bool decides(const value_transfer *t, tp_term x, bool *value) {
  tp_range r;
  if (!tp_view_range((tp_view){t->from->cpa, t->from->before.elem}, x, &r) || r.is_top ||
      r.umin != r.umax)
    return false;
  *value = r.umin != 0;
  return true;
}

static const tp_elem *at_end(value_transfer *t, const tp_elem *e) {
  tp_predicate *self = t->self;
  tp_predicate_list wanted = {0};
  tp_bdd f = e->region->bdd;
  tp_predicate_collect(self, e->loc, e->context, t->transferred, &wanted);
  for (size_t i = 0; i < wanted.n; i++) {
    bool holds;
    if (!decides(t, self->meaning.at[wanted.at[i]], &holds)) continue;
    f = tp_bdd_and(&self->bdds, f,
                   tp_bdd_cube(&self->bdds, &(tp_bdd_literal){wanted.at[i], holds}, 1));
  }
  tp_vec_clear(&wanted);
  bool is_new = f.id != e->region->bdd.id &&
                !tp_bdd_is_false(f);  // false: they share no state; that may be found out by steps
  return is_new ? tp_predicate_new_end(self, f, (tp_block_end){e->loc, e->context, t->transferred},
                                       &e->path)
                : e;
}

/* lvalue = value, for all lvalues of which the value is known; what is no number up to 64 bits is
 * lost. */
static tp_term values_of(const value_transfer *t) {
  tp_terms *tt = t->self->tt;
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < t->lvalues.n; i++) {
    tp_term lvalue = t->lvalues.at[i];
    tp_range r;
    if (!tp_view_range((tp_view){t->from->cpa, t->from->before.elem}, lvalue, &r) || r.is_top ||
        r.umin != r.umax)
      continue;
    bool is_truth = tp_sort_kind_of(tt, tp_sort_of(tt, lvalue)) == TP_SORT_BOOL;
    tp_term value =
        is_truth ? tp_mk_bool(tt, r.umin != 0) : tp_mk_bv(tt, tp_width(tt, lvalue), r.umin);
    all = tp_mk_and(tt, all, tp_mk_eq(tt, lvalue, value));
  }
  return all;
}

/* Its path is a copy, for an element to own. */
static tp_incoming with_assumption(tp_predicate *self, const tp_incoming *from, tp_term known) {
  tp_incoming incoming_path = *from;
  incoming_path.path = tp_path_copy(&from->path);
  tp_path_assume(&self->paths, &incoming_path.path, known);
  return incoming_path;
}

static const tp_elem *inside(value_transfer *t, const tp_elem *e) {
  tp_predicate *self = t->self;
  tp_term known = values_of(t);
  if (tp_is_true(self->tt, known)) return e;
  tp_incoming *incoming = tp_arena_array(&self->cpa->arena, tp_incoming, e->n_incoming);
  for (uint32_t i = 0; i < e->n_incoming; i++)
    incoming[i] = tp_predicate_new_incoming(self, e->kind, e->loc, e->context, e->region,
                                            with_assumption(self, &e->incoming[i], known))
                      ->incoming[0];
  tp_elem *sharper = tp_predicate_new_elem(self, e->kind, e->loc, e->context, e->region);
  sharper->incoming = incoming;
  sharper->n_incoming = e->n_incoming;
  sharper->path = tp_path_copy(&e->path);
  tp_path_assume(&self->paths, &sharper->path, known);
  sharper->n_choices = e->n_choices;
  sharper->transferred = t->transferred;
  return sharper;
}

/* e itself, but for what was taken. */
static const tp_elem *with_transferred_predicates(value_transfer *t, const tp_elem *e) {
  if (e->transferred.n == t->transferred.n) return e;
  tp_elem *copy = tp_predicate_new_elem(t->self, e->kind, e->loc, e->context, e->region);
  *copy = *e;
  copy->path = tp_path_copy(&e->path);
  copy->transferred = t->transferred;
  return copy;
}

const tp_elem *tp_predicate_transfer_precision(tp_cpa *cpa, const tp_elem *e,
                                               const tp_precision_transfer *from) {
  value_transfer t = {.self = tp_predicate_of(cpa), .from = from, .transferred = e->transferred};
  from->cpa->ops->each_untracked(from->cpa, from->before, from->after, visit_lvalue, &t);
  if (t.lvalues.n && e->kind != TP_PREDICATE_ANY) {
    infer(&t);
    t.transferred = tp_predicate_transferred_to_both(t.self, e->transferred,
                                                     tp_predicate_transferred_of(t.self, &t.fresh));
    if (!e->region->is_start) e = e->kind == TP_PREDICATE_END ? at_end(&t, e) : inside(&t, e);
    e = with_transferred_predicates(&t, e);
  }
  tp_vec_clear(&t.lvalues);
  tp_vec_clear(&t.fresh);
  return e;
}

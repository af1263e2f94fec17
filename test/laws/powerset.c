#include "powerset.h"

#include "cpa/steps.h"

struct tp_elem {
  powerset s;
};

typedef struct {
  tp_cpa *inner;
  tp_steps *steps;
  tp_step_list list;  // scratch
  tp_out out;
  TP_VEC(const tp_elem *) draft;
  TP_VEC(tp_succ) candidates;
} state;

powerset powerset_of(const tp_elem *e) { return e->s; }

// ------------------------------------------------------------------------- sets

static bool inner_leq(const state *x, const tp_elem *a, const tp_elem *b) {
  return a == b || x->inner->ops->leq(x->inner, a, b);
}

/* Nothing is there twice. */
static void add(state *x, const tp_elem *e) {
  for (size_t i = 0; i < x->draft.n; i++)
    if (inner_leq(x, e, x->draft.at[i]) && inner_leq(x, x->draft.at[i], e)) return;
  tp_vec_push(&x->draft, e);
}

static const tp_elem *finish(tp_cpa *self) {
  state *x = self->state;
  const tp_elem **at = tp_arena_array(&self->arena, const tp_elem *, x->draft.n + 1);
  if (x->draft.n) memcpy(at, x->draft.at, x->draft.n * sizeof *at);
  tp_elem *e = tp_arena_new(&self->arena, tp_elem);
  e->s = (powerset){at, x->draft.n};
  x->draft.n = 0;
  return e;
}

/* The inner stop, among those elements of the set that it may look at. */
static bool covered(state *x, const tp_elem *const *at, size_t n, const tp_elem *e) {
  uint64_t key = tp_cpa_merge_key(x->inner, e);
  x->candidates.n = 0;
  for (size_t i = 0; i < n; i++)
    if (tp_cpa_merge_key(x->inner, at[i]) == key)
      tp_vec_push(&x->candidates, (tp_succ){at[i], NULL});
  return tp_cpa_stop(x->inner, e, (tp_reached_view){x->candidates.at, x->candidates.n});
}

bool powerset_covers(tp_cpa *self, const tp_elem *set, const tp_elem *inner) {
  return covered(self->state, set->s.at, set->s.n, inner);
}

const tp_elem *powerset_single(tp_cpa *self, const tp_elem *e) {
  add(self->state, e);
  return finish(self);
}

// -------------------------------------------------------------------- operators

/* The step as it goes on from e, with what e's context adds to it; NULL: it does not. Places and
 * contexts are the inner analysis's. */
static const tp_step *leads_on(state *x, const tp_elem *e, const tp_step *step) {
  tp_steps_from(x->steps, tp_cpa_location_of(x->inner, e), tp_cpa_context(x->inner, e), &x->list);
  for (size_t i = 0; i < x->list.list.n; i++) {
    const tp_step *s = &x->list.list.at[i];
    if (s->kind == step->kind && s->edge.id == step->edge.id && s->callee.id == step->callee.id)
      return s;
  }
  return NULL;
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  state *x = self->state;
  (void)p;
  for (size_t i = 0; i < e->s.n; i++) {
    const tp_step *own = leads_on(x, e->s.at[i], step);
    if (!own) continue;
    x->out.list.n = 0;
    x->inner->ops->transfer(x->inner, e->s.at[i], NULL, own, &x->out);
    for (size_t k = 0; k < x->out.list.n; k++) add(x, x->out.list.at[k].elem);
  }
  tp_vec_push(&out->list, (tp_succ){finish(self), NULL});
}

static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < a->s.n; i++)
    if (!powerset_covers(self, b, a->s.at[i])) return false;
  return true;
}

/* Elements with different merge keys are not merged: e' stays. */
static const tp_elem *inner_merge(state *x, const tp_elem *a, const tp_elem *b) {
  return tp_cpa_merge_key(x->inner, a) == tp_cpa_merge_key(x->inner, b)
             ? tp_cpa_merge(x->inner, a, b)
             : b;
}

static const tp_elem *merge(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  state *x = self->state;
  if (a->s.n == 0) return b;
  for (size_t k = 0; k < b->s.n; k++)
    for (size_t i = 0; i < a->s.n; i++) add(x, inner_merge(x, a->s.at[i], b->s.at[k]));
  size_t n = x->draft.n;
  for (size_t i = 0; i < a->s.n; i++)
    if (!covered(x, x->draft.at, n, a->s.at[i])) add(x, a->s.at[i]);
  const tp_elem *merged = finish(self);
  return leq(self, merged, b) ? b : merged;
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  state *x = self->state;
  return (tp_succ){powerset_single(self, x->inner->ops->initial(x->inner, entry, context).elem),
                   NULL};
}

static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  state *x = self->state;
  for (size_t i = 0; i < e->s.n; i++) {
    tp_str_add(out, i ? " | " : "{");
    x->inner->ops->print(x->inner, e->s.at[i], out);
  }
  tp_str_add(out, e->s.n ? "}" : "{}");
}

static tp_term formula(tp_cpa *self, const tp_elem *e) {
  state *x = self->state;
  tp_term all = tp_mk_false(self->env->terms);
  for (size_t i = 0; i < e->s.n; i++)
    all = tp_mk_or(self->env->terms, all, x->inner->ops->formula(x->inner, e->s.at[i]));
  return all;
}

static bool open(tp_cpa *self, tp_str *why) {
  (void)why;
  self->state = TP_NEW(state);
  return true;
}

static void close(tp_cpa *self) {
  state *x = self->state;
  tp_steps_free(x->steps);
  tp_vec_clear(&x->list.list);
  tp_vec_clear(&x->out.list);
  tp_vec_clear(&x->draft);
  tp_vec_clear(&x->candidates);
  tp_free(x);
}

static const tp_cpa_ops ops = {.name = "powerset",
                               .help = "sets of elements",
                               .default_merge = "sep",
                               .open = open,
                               .close = close,
                               .initial = initial,
                               .transfer = transfer,
                               .leq = leq,
                               .print = print,
                               .formula = formula,
                               .merge = merge};

tp_cpa *powerset_open(tp_cpa *inner) {
  tp_str why = {0};
  tp_cpa *self = tp_cpa_open(&ops, inner->env, &why);
  state *x = self->state;
  x->inner = inner;
  x->steps = tp_steps_new(inner->env->program, inner->env->contexts);
  tp_str_clear(&why);
  return self;
}

/* A precision of the wrapper is where the run is and a table. Tables are short lists: refinement
 * adds a location now and then, and most have few. What adjust or a step changes in the precision
 * of one location goes back into the table at that location, so a precision that was lowered at a
 * loop head stays as it was elsewhere. */
#include "cpa/local.h"

typedef struct {
  const tp_prec *otherwise;
  size_t n;
  struct {
    tp_loc at;
    const tp_prec *here;
  } rows[];
} table;

struct tp_prec {
  tp_loc current;
  const table *table;
};

typedef struct {
  tp_cpa_ops ops;
  tp_cpa *inner;
} local;

static tp_cpa *inner_of(const tp_cpa *self) { return ((const local *)self->state)->inner; }

// ------------------------------------------------------------------ precisions

static const tp_prec *look_up(const table *t, tp_loc at) {
  for (size_t i = 0; i < t->n; i++)
    if (t->rows[i].at.id == at.id) return t->rows[i].here;
  return t->otherwise;
}

static table *copy_table(tp_cpa *self, const table *t, size_t more) {
  table *copy = tp_arena_alloc(&self->arena, sizeof *copy + (t->n + more) * sizeof copy->rows[0]);
  memcpy(copy, t, sizeof *t + t->n * sizeof t->rows[0]);
  return copy;
}

static const table *with_row(tp_cpa *self, const table *t, tp_loc at, const tp_prec *here) {
  TP_REQUIRE(at.id != 0);
  if (look_up(t, at) == here) return t;
  table *copy = copy_table(self, t, 1);
  size_t i = 0;
  while (i < copy->n && copy->rows[i].at.id != at.id) i++;
  if (i == copy->n) copy->n++;
  TP_INVARIANT(copy->n <= t->n + 1);  // copy_table has room for one more row
  copy->rows[i].at = at;
  copy->rows[i].here = here;
  return copy;
}

static const tp_prec *new_prec(tp_cpa *self, tp_loc current, const table *t) {
  tp_prec *p = tp_arena_new(&self->arena, tp_prec);
  *p = (tp_prec){current, t};
  return p;
}

const tp_prec *tp_local_at(const tp_prec *p, tp_loc at) { return look_up(p->table, at); }

const tp_prec *tp_local_set(tp_cpa *self, const tp_prec *p, tp_loc at, const tp_prec *here) {
  return new_prec(self, p->current, with_row(self, p->table, at, here));
}

const tp_prec *tp_local_set_otherwise(tp_cpa *self, const tp_prec *p, const tp_prec *otherwise) {
  table *copy = copy_table(self, p->table, 0);
  copy->otherwise = otherwise;
  return new_prec(self, p->current, copy);
}

// ------------------------------------------------- operators that see precisions

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_succ s = inner_of(self)->ops->initial(inner_of(self), entry, context);
  table *t = tp_arena_alloc(&self->arena, sizeof *t);
  t->otherwise = s.prec;
  return (tp_succ){s.elem, new_prec(self, entry, t)};
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  size_t before = out->list.n;
  inner_of(self)->ops->transfer(inner_of(self), e, look_up(p->table, step->to), step, out);
  for (size_t i = before; i < out->list.n; i++) {
    tp_succ *s = &out->list.at[i];
    s->prec = new_prec(self, step->to, with_row(self, p->table, step->to, s->prec));
  }
}

/* The candidates' precisions are tables; the wrapped analysis sees what they say of this location.
 */
static tp_adjusted adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  tp_cpa *inner = inner_of(self);
  const tp_prec *here = look_up(p->table, p->current);
  tp_succ *seen = TP_NEW_ARRAY(tp_succ, view.n + 1), s = {e, here};
  for (size_t i = 0; i < view.n; i++)
    seen[i] = (tp_succ){view.at[i].elem, look_up(view.at[i].prec->table, p->current)};
  tp_adjusted a = inner->ops->adjust(inner, e, here, (tp_reached_view){seen, view.n}, &s);
  tp_free(seen);
  if (a == TP_CONTINUE)
    *out = (tp_succ){s.elem, s.prec == here ? p : tp_local_set(self, p, p->current, s.prec)};
  return a;
}

// ------------------------------------------------------ operators that pass through

static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return inner_of(self)->ops->leq(inner_of(self), a, b);
}
static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  inner_of(self)->ops->print(inner_of(self), e, out);
}
static tp_term formula(tp_cpa *self, const tp_elem *e) {
  return inner_of(self)->ops->formula(inner_of(self), e);
}
static const tp_elem *top(tp_cpa *self) { return inner_of(self)->ops->top(inner_of(self)); }
static const tp_elem *join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return inner_of(self)->ops->join(inner_of(self), a, b);
}
static const tp_elem *merge(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return inner_of(self)->ops->merge(inner_of(self), a, b);
}
static bool stop(tp_cpa *self, const tp_elem *e, tp_reached_view c) {
  return inner_of(self)->ops->stop(inner_of(self), e, c);
}
static uint64_t merge_key(tp_cpa *self, const tp_elem *e) {
  return inner_of(self)->ops->merge_key(inner_of(self), e);
}
static tp_loc location(tp_cpa *self, const tp_elem *e) {
  return inner_of(self)->ops->location(inner_of(self), e);
}
static tp_context context(tp_cpa *self, const tp_elem *e) {
  return inner_of(self)->ops->context(inner_of(self), e);
}
static bool range(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out) {
  return inner_of(self)->ops->range(inner_of(self), e, t, out);
}
static const tp_elem *strengthen(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                                 const tp_step *step) {
  return inner_of(self)->ops->strengthen(inner_of(self), e, others, n, step);
}
static const tp_elem *strengthen_last(tp_cpa *self, const tp_elem *e) {
  return inner_of(self)->ops->strengthen_last(inner_of(self), e);
}
static bool has_exact_formula(tp_cpa *self, const tp_elem *e) {
  return inner_of(self)->ops->has_exact_formula(inner_of(self), e);
}
static bool implied_by(tp_cpa *self, const tp_elem *e, tp_view other) {
  return inner_of(self)->ops->implied_by(inner_of(self), e, other);
}
static const tp_elem *reduce(tp_cpa *self, const tp_elem *e, const tp_step *call) {
  return inner_of(self)->ops->reduce(inner_of(self), e, call);
}
static const tp_elem *expand(tp_cpa *self, const tp_elem *before, const tp_elem *leave,
                             const tp_step *call) {
  return inner_of(self)->ops->expand(inner_of(self), before, leave, call);
}
static const tp_elem *widen(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return inner_of(self)->ops->widen(inner_of(self), a, b);
}

static void each_untracked(tp_cpa *self, tp_succ before, tp_succ after,
                           void (*visit)(void *ctx, tp_term lvalue), void *ctx) {
  before.prec = look_up(before.prec->table, before.prec->current);
  after.prec = look_up(after.prec->table, after.prec->current);
  inner_of(self)->ops->each_untracked(inner_of(self), before, after, visit, ctx);
}
static const tp_elem *transfer_precision(tp_cpa *self, const tp_elem *e,
                                         const tp_precision_transfer *from) {
  return inner_of(self)->ops->transfer_precision(inner_of(self), e, from);
}

static uint32_t descents(tp_cpa *self) { return inner_of(self)->ops->descents(inner_of(self)); }

static bool open_local(tp_cpa *self, tp_str *why) {
  (void)why;
  self->state = (local *)self->ops;  // ops is its first member
  return true;
}

static void close_local(tp_cpa *self) {
  local *l = self->state;
  tp_cpa_close(l->inner);
  tp_free(l);
}

tp_cpa *tp_local_new(tp_cpa_env *env, tp_cpa *component, tp_str *why) {
  const tp_cpa_ops *o = component->ops;
  local *l = TP_NEW(local);
  l->inner = component;
  // its name, flags and settings; of its operators only those below, each of which finds the inner
  // analysis first
  l->ops = (tp_cpa_ops){.name = o->name,
                        .help = o->help,
                        .settings = o->settings,
                        .is_powerset = o->is_powerset,
                        .can_interrupt = o->can_interrupt,
                        .has_join = o->has_join,
                        .default_merge = o->default_merge};
  l->ops.open = open_local, l->ops.close = close_local, l->ops.initial = initial,
  l->ops.transfer = transfer;
  l->ops.leq = leq, l->ops.print = print, l->ops.formula = formula;
#define PASS(op) \
  if (o->op) l->ops.op = op
  PASS(top);
  PASS(join);
  PASS(merge);
  PASS(stop);
  PASS(adjust);
  PASS(merge_key);
  PASS(location);
  PASS(context);
  PASS(range);
  PASS(strengthen);
  PASS(strengthen_last);
  PASS(has_exact_formula);
  PASS(implied_by);
  PASS(reduce);
  PASS(expand);
  PASS(widen);
  PASS(descents);
  PASS(each_untracked);
  PASS(transfer_precision);
#undef PASS
  return tp_cpa_open(&l->ops, env, why);
}

bool tp_is_local(const tp_cpa *cpa) { return cpa->ops->open == open_local; }

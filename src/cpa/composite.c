/* The direct product. An element is one element for each component; an operator of the product
 * combines the results of the components' operators. Precision beyond the direct product comes from
 * strengthen, in which components read each other through `range` and `formula`.
 *
 * Where it may lose precision: merging componentwise loses the correlation of two components'
 * values; pred-join avoids that: it merges elements that are equal in all components but the last.
 */
#include "cpa/composite.h"

struct tp_elem {
  const tp_elem *at[1];
};  // as many as components
struct tp_prec {
  const tp_prec *at[1];
};

typedef struct {
  tp_cpa_ops ops;  // of this instance: those that all components have
  tp_composite_operators operators;
  tp_component *at;
  size_t n, last;  // last: the last data component, n: none
  size_t n_flat;
  tp_out *outs;  // transfer: successors by component
  size_t *choice;
  tp_view *views;          // strengthen, compare: flattened neighbours
  TP_VEC(tp_succ) column;  // adjust, stop: one component of the candidates
} composite;

static composite *of(const tp_cpa *cpa) { return cpa->state; }

// -------------------------------------------------------------------- elements

static tp_elem *new_elem(tp_cpa *self) {
  return tp_arena_alloc(&self->arena, of(self)->n * sizeof(const tp_elem *));
}

static const tp_elem *copy_elem(tp_cpa *self, const tp_elem *e) {
  tp_elem *copy = new_elem(self);
  memcpy(copy->at, e->at, of(self)->n * sizeof *e->at);
  return copy;
}

/* e with component i replaced; e itself if the part is the same. `fresh` is e if e is a copy that
 * this operator has made. */
static const tp_elem *with_part(tp_cpa *self, const tp_elem *e, const tp_elem **fresh, size_t i,
                                const tp_elem *part) {
  if (e->at[i] == part) return e;
  if (*fresh != e) *fresh = e = copy_elem(self, e);
  ((tp_elem *)e)->at[i] = part;  // the copy has not been returned yet, so it may change
  TP_INVARIANT(part != NULL);    // a part without states has no product
  return e;
}

static const tp_prec *prec_of(const tp_prec *p, size_t i) { return p ? p->at[i] : NULL; }

static const tp_prec *make_prec(tp_cpa *self, const tp_prec *const *parts) {
  size_t n = of(self)->n;
  bool any = false;
  for (size_t i = 0; i < n; i++) any |= parts[i] != NULL;
  if (!any) return NULL;
  tp_prec *p = tp_arena_alloc(&self->arena, n * sizeof *parts);
  memcpy(p->at, parts, n * sizeof *parts);
  return p;
}

static bool leq_part(const composite *c, size_t i, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(i < c->n);
  tp_cpa *cpa = c->at[i].cpa;
  return a->at[i] == b->at[i] || cpa->ops->leq(cpa, a->at[i], b->at[i]);
}

static bool equal_part(const composite *c, size_t i, const tp_elem *a, const tp_elem *b) {
  return leq_part(c, i, a, b) && leq_part(c, i, b, a);
}

/* Equal in all control components, or in all components but `except`? */
static bool equal_control(const composite *c, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < c->n; i++)
    if (c->at[i].traits.is_control && !equal_part(c, i, a, b)) return false;
  return true;
}

static bool equal_but(const composite *c, size_t except, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < c->n; i++)
    if (i != except && !equal_part(c, i, a, b)) return false;
  return true;
}

static bool leq_but(const composite *c, size_t except, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < c->n; i++)
    if (i != except && !leq_part(c, i, a, b)) return false;
  return true;
}

// --------------------------------------------------------------------- lattice

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  const composite *c = of(self);
  tp_elem *e = new_elem(self);
  const tp_prec **precs = tp_arena_array(&self->arena, const tp_prec *, c->n);
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    tp_succ s = cpa->ops->initial(cpa, entry, context);
    e->at[i] = s.elem;
    precs[i] = s.prec;
  }
  return (tp_succ){e, make_prec(self, precs)};
}

static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return a == b || leq_but(of(self), SIZE_MAX, a, b);
}

static const tp_elem *top(tp_cpa *self) {
  const composite *c = of(self);
  tp_elem *e = new_elem(self);
  for (size_t i = 0; i < c->n; i++) e->at[i] = c->at[i].cpa->ops->top(c->at[i].cpa);
  return e;
}

typedef const tp_elem *binary(tp_cpa *self, const tp_elem *a, const tp_elem *b);

static const tp_elem *by_parts(tp_cpa *self, const tp_elem *a, const tp_elem *b, binary *op) {
  const composite *c = of(self);
  tp_elem *e = new_elem(self);
  for (size_t i = 0; i < c->n; i++) e->at[i] = op(c->at[i].cpa, a->at[i], b->at[i]);
  return e;
}

static const tp_elem *join_part(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  return cpa->ops->join(cpa, a, b);
}
static const tp_elem *join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return by_parts(self, a, b, join_part);
}
static uint32_t descents(tp_cpa *self) {
  const composite *c = of(self);
  uint32_t most = 0;
  for (size_t i = 0; i < c->n; i++) {
    uint32_t n = tp_cpa_descents(c->at[i].cpa);
    if (n > most) most = n;
  }
  return most;
}
static const tp_elem *widen(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return by_parts(self, a, b, tp_cpa_widen);
}

static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  const composite *c = of(self);
  for (size_t i = 0; i < c->n; i++) {
    tp_str_add(out, i ? ", " : "(");
    c->at[i].cpa->ops->print(c->at[i].cpa, e->at[i], out);
  }
  tp_str_add_char(out, ')');
}

static tp_term formula(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  tp_terms *tt = self->env->terms;
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < c->n; i++)
    all = tp_mk_and(tt, all, c->at[i].cpa->ops->formula(c->at[i].cpa, e->at[i]));
  return all;
}

// --------------------------------------------------------------------- queries

static uint64_t merge_key(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  uint64_t key = 0;
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (cpa->ops->merge_key) key = tp_hash_mix(key, cpa->ops->merge_key(cpa, e->at[i]));
  }
  return key;
}

static tp_loc location(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  tp_loc l = TP_LOC_NONE;
  for (size_t i = 0; i < c->n && !l.id; i++) l = tp_cpa_location_of(c->at[i].cpa, e->at[i]);
  return l;
}

static tp_context context(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  tp_context x = TP_CONTEXT_NONE;
  for (size_t i = 0; i < c->n && !x.id; i++) x = tp_cpa_context(c->at[i].cpa, e->at[i]);
  return x;
}

/* The intersection. Disjoint ranges mean that the element represents no state; then *a, which holds
 * vacuously, is left as it is. */
static void intersect(tp_range *a, const tp_range *b) {
  tp_range r = {false, a->umin > b->umin ? a->umin : b->umin, a->umax < b->umax ? a->umax : b->umax,
                a->smin > b->smin ? a->smin : b->smin, a->smax < b->smax ? a->smax : b->smax};
  if (r.umin <= r.umax && r.smin <= r.smax) *a = r;
}

static bool range(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out) {
  const composite *c = of(self);
  bool known = false;
  for (size_t i = 0; i < c->n; i++) {
    tp_range r;
    if (!tp_view_range((tp_view){c->at[i].cpa, e->at[i]}, t, &r) || r.is_top) continue;
    if (known)
      intersect(out, &r);
    else
      *out = r;
    known = true;
  }
  return known;
}

/* Neighbours of component i, nested composites flattened. */
static size_t neighbours(const composite *c, const tp_elem *e, size_t i) {
  size_t n = 0;
  for (size_t j = 0; j < c->n; j++) {
    if (j == i) continue;
    size_t parts = tp_composite_n(c->at[j].cpa);
    for (size_t k = 0; k < parts; k++) c->views[n++] = tp_composite_view(c->at[j].cpa, e->at[j], k);
    TP_INVARIANT(n <= c->n_flat);  // size of c->views
  }
  return n;
}

// -------------------------------------------------------------------- transfer

/* One round: each component is strengthened by the current elements of the others. NULL: no state
 * is left. */
static const tp_elem *strengthen_each(tp_cpa *self, const tp_elem *e, const tp_step *step) {
  const composite *c = of(self);
  const tp_elem *fresh = NULL;
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (!cpa->ops->strengthen) continue;
    const tp_elem *part = cpa->ops->strengthen(cpa, e->at[i], c->views, neighbours(c, e, i), step);
    if (!part) return NULL;
    e = with_part(self, e, &fresh, i, part);
  }
  return e;
}

/* The thesis's compare: a part that another one implies becomes top. One after the other, so that
 * of two parts that imply each other one stays. */
static const tp_elem *weaken_implied(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  const tp_elem *fresh = NULL;
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (!cpa->ops->implied_by || !cpa->ops->top) continue;
    size_t n = neighbours(c, e, i);
    for (size_t k = 0; k < n; k++) {
      if (!cpa->ops->implied_by(cpa, e->at[i], c->views[k])) continue;
      e = with_part(self, e, &fresh, i, cpa->ops->top(cpa));
      break;
    }
  }
  return e;
}

/* The successor that takes choice[i] of each component's successors; none if the components
 * contradict each other. */
static void add_successor(tp_cpa *self, const tp_step *step, tp_out *out) {
  const composite *c = of(self);
  tp_elem *made = new_elem(self);
  const tp_prec **precs = tp_arena_array(&self->arena, const tp_prec *, c->n);
  for (size_t i = 0; i < c->n; i++) {
    TP_INVARIANT(c->choice[i] < c->outs[i].list.n);
    tp_succ s = c->outs[i].list.at[c->choice[i]];
    made->at[i] = s.elem;
    precs[i] = s.prec;
  }
  const tp_elem *e = made;
  if (c->operators.transfer == TP_TRANSFER_STRENGTHENED) e = strengthen_each(self, e, step);
  if (e && c->operators.compare == TP_COMPARE_WEAKEN) e = weaken_implied(self, e);
  if (e) tp_vec_push(&out->list, (tp_succ){e, make_prec(self, precs)});
}

/* The next combination in choice; false: that was the last. */
static bool next_choice(const composite *c) {
  for (size_t i = c->n; i-- > 0;) {
    if (++c->choice[i] < c->outs[i].list.n) return true;
    c->choice[i] = 0;
  }
  return false;
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  const composite *c = of(self);
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    c->outs[i].list.n = 0;
    cpa->ops->transfer(cpa, e->at[i], prec_of(p, i), step, &c->outs[i]);
    if (c->outs[i].list.n == 0) return;  // impossible for one: impossible
    c->choice[i] = 0;
  }
  do add_successor(self, step, out);
  while (next_choice(c));
}

/* Of a nested composite: every part is strengthened by the outer composite's other components. */
static const tp_elem *strengthen(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                                 const tp_step *step) {
  const composite *c = of(self);
  const tp_elem *fresh = NULL;
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (!cpa->ops->strengthen) continue;
    const tp_elem *part = cpa->ops->strengthen(cpa, e->at[i], others, n, step);
    if (!part) return NULL;
    e = with_part(self, e, &fresh, i, part);
  }
  return e;
}

/* Parts without the operator stay as they are. */
static const tp_elem *strengthen_last(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  const tp_elem *fresh = NULL;
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (!cpa->ops->strengthen_last) continue;
    const tp_elem *part = cpa->ops->strengthen_last(cpa, e->at[i]);
    if (!part) return NULL;
    e = with_part(self, e, &fresh, i, part);
  }
  return e;
}

static bool has_exact_formula(tp_cpa *self, const tp_elem *e) {
  const composite *c = of(self);
  for (size_t i = 0; i < c->n; i++)
    if (!tp_cpa_has_exact_formula(c->at[i].cpa, e->at[i])) return false;
  return true;
}

static bool implied_by(tp_cpa *self, const tp_elem *e, tp_view other) {
  const composite *c = of(self);
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (!cpa->ops->implied_by || !cpa->ops->implied_by(cpa, e->at[i], other)) return false;
  }
  return true;
}

// -------------------------------------------------------------- merge and stop

static const tp_elem *merge_part(const composite *c, size_t i, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(i < c->n);
  const tp_component *part = &c->at[i];
  if (part->cpa->ops->merge) return part->cpa->ops->merge(part->cpa, a->at[i], b->at[i]);
  return part->traits.merge_join ? tp_merge_join(part->cpa, a->at[i], b->at[i]) : b->at[i];
}

/* Weakens b by a. All operators keep the control components: elements that differ in them are not
 * merged. */
static const tp_elem *merge(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  const composite *c = of(self);
  const tp_elem *fresh = NULL;
  switch (c->operators.merge) {
    case TP_MERGE_SEP: return b;
    case TP_MERGE_PRED_JOIN:
      if (!equal_but(c, c->last, a, b)) return b;
      return with_part(self, b, &fresh, c->last, merge_part(c, c->last, a, b));
    case TP_MERGE_JOIN_SHAPE:
      if (!equal_control(c, a, b)) return b;
      return with_part(self, b, &fresh, c->last, merge_part(c, c->last, a, b));
    case TP_MERGE_JOIN_ON_LOCATION:
    case TP_MERGE_JOIN:
      if (!equal_control(c, a, b)) return b;
      for (size_t i = 0; i < c->n; i++)
        if (!c->at[i].traits.is_control) b = with_part(self, b, &fresh, i, merge_part(c, i, a, b));
      return b;
  }
  return b;
}

static bool stop_sep(tp_cpa *self, const tp_elem *e, tp_reached_view candidates) {
  for (size_t i = 0; i < candidates.n; i++)
    if (leq(self, e, candidates.at[i].elem)) return true;
  return false;
}

/* Component i of the candidates that cover e in all other components; together they must cover e in
 * i. Sound because every state of e is in all other parts of each of them, and the join of i is
 * exact. */
static bool stop_joined(tp_cpa *self, const tp_elem *e, tp_reached_view candidates, size_t i) {
  TP_REQUIRE(i < of(self)->n);
  composite *c = of(self);
  c->column.n = 0;
  for (size_t k = 0; k < candidates.n; k++) {
    tp_succ s = candidates.at[k];
    if (leq_but(c, i, e, s.elem))
      tp_vec_push(&c->column, (tp_succ){s.elem->at[i], prec_of(s.prec, i)});
  }
  return c->column.n > 0 &&
         tp_stop_join(c->at[i].cpa, e->at[i], (tp_reached_view){c->column.at, c->column.n});
}

static bool stop(tp_cpa *self, const tp_elem *e, tp_reached_view candidates) {
  const composite *c = of(self);
  if (stop_sep(self, e, candidates)) return true;
  switch (c->operators.stop) {
    case TP_STOP_SEP: return false;
    case TP_STOP_PRED_JOIN: return stop_joined(self, e, candidates, c->last);
    case TP_STOP_JOIN:
      for (size_t i = 0; i < c->n; i++)
        if (c->at[i].traits.stop_join && stop_joined(self, e, candidates, i)) return true;
      return false;
  }
  return false;
}

// ---------------------------------------------------------------------- adjust

/* Are the elements equal in all components that accept precision transfers? Components without an
 * exact formula are compared by the merge key. */
static bool equal_accepting(const composite *c, const tp_elem *a, const tp_elem *b) {
  for (size_t i = 0; i < c->n; i++)
    if (c->at[i].traits.accepts_precision && tp_cpa_has_exact_formula(c->at[i].cpa, a->at[i]) &&
        !equal_part(c, i, a, b))
      return false;
  return true;
}

/* Component i stopped tracking lvalues: precision transfer to all other components. */
static const tp_elem *transfer_precisions(tp_cpa *self, const tp_elem *e, const tp_elem **fresh,
                                          tp_precision_transfer from, size_t i) {
  TP_REQUIRE(from.before.prec != from.after.prec);
  const composite *c = of(self);
  for (size_t j = 0; j < c->n; j++) {
    tp_cpa *cpa = c->at[j].cpa;
    if (j != i && cpa->ops->transfer_precision)
      e = with_part(self, e, fresh, j, cpa->ops->transfer_precision(cpa, e->at[j], &from));
  }
  return e;
}

/* The view of component i: its elements in the candidates. Under pred-join elements that differ in
 * r belong to different chains of d. */
static tp_reached_view column_of(composite *c, const tp_elem *e, tp_reached_view view, size_t i) {
  bool chain = c->operators.merge == TP_MERGE_PRED_JOIN && i == c->last,
       drops =
           c->operators.adjust == TP_ADJUST_PRECISION_TRANSFER && c->at[i].traits.drops_precision;
  c->column.n = 0;
  for (size_t k = 0; k < view.n; k++) {
    tp_succ s = view.at[k];
    if (chain ? !equal_but(c, i, e, s.elem) : !equal_control(c, e, s.elem)) continue;
    if (drops && !equal_accepting(c, e, s.elem)) continue;
    tp_vec_push(&c->column, (tp_succ){s.elem->at[i], prec_of(s.prec, i)});
  }
  return (tp_reached_view){c->column.at, c->column.n};
}

static tp_adjusted adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  composite *c = of(self);
  const tp_elem *adjusted = e, *fresh = NULL;
  const tp_prec **precs = NULL;
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa *cpa = c->at[i].cpa;
    if (!cpa->ops->adjust) continue;
    tp_succ s = {adjusted->at[i], prec_of(p, i)};
    const tp_succ before = s;
    tp_reached_view seen = column_of(c, e, view, i);
    TP_INVARIANT(seen.n <= view.n);
    if (cpa->ops->adjust(cpa, before.elem, before.prec, seen, &s) == TP_INTERRUPT)
      return TP_INTERRUPT;
    adjusted = with_part(self, adjusted, &fresh, i, s.elem);
    if (s.prec != before.prec && c->operators.adjust == TP_ADJUST_PRECISION_TRANSFER &&
        cpa->ops->each_untracked)
      adjusted = transfer_precisions(
          self, adjusted, &fresh,
          (tp_precision_transfer){cpa, before, s, seen, tp_cpa_location_of(self, e)}, i);
    if (s.prec == prec_of(p, i)) continue;
    if (!precs) {
      precs = tp_arena_array(&self->arena, const tp_prec *, c->n);
      for (size_t k = 0; k < c->n; k++) precs[k] = prec_of(p, k);
    }
    precs[i] = s.prec;
  }
  *out = (tp_succ){adjusted, precs ? make_prec(self, precs) : p};
  return TP_CONTINUE;
}

// ------------------------------------------------------------------- summaries

static const tp_elem *reduce(tp_cpa *self, const tp_elem *e, const tp_step *call) {
  const composite *c = of(self);
  tp_elem *r = new_elem(self);
  for (size_t i = 0; i < c->n; i++) r->at[i] = tp_cpa_reduce(c->at[i].cpa, e->at[i], call);
  return r;
}

static const tp_elem *expand(tp_cpa *self, const tp_elem *before, const tp_elem *leave,
                             const tp_step *call) {
  const composite *c = of(self);
  tp_elem *r = new_elem(self);
  for (size_t i = 0; i < c->n; i++)
    r->at[i] = tp_cpa_expand(c->at[i].cpa, before->at[i], leave->at[i], call);
  return r;
}

// ------------------------------------------------------------------- instances

static bool open_composite(tp_cpa *self, tp_str *why) {
  (void)why;
  self->state = (composite *)self->ops;  // ops is its first member
  return true;
}

static void close_composite(tp_cpa *self) {
  composite *c = of(self);
  for (size_t i = 0; i < c->n; i++) {
    tp_cpa_close(c->at[i].cpa);
    tp_vec_clear(&c->outs[i].list);
  }
  tp_vec_clear(&c->column);
  tp_free(c->at);
  tp_free(c->outs);
  tp_free(c->choice);
  tp_free(c->views);
  tp_free(c);
}

/* A product can join, widen, adjust, ... if its components can. */
static tp_cpa_ops ops_of(const composite *c, const char *name) {
  tp_cpa_ops o = {.name = name,
                  .help = "product of analyses",
                  .has_join = true,
                  .default_merge = "sep",
                  .open = open_composite,
                  .close = close_composite,
                  .initial = initial,
                  .transfer = transfer,
                  .leq = leq,
                  .print = print,
                  .formula = formula,
                  .merge = merge,
                  .stop = stop,
                  .merge_key = merge_key,
                  .location = location,
                  .context = context,
                  .range = range,
                  .strengthen = strengthen,
                  .implied_by = implied_by,
                  .reduce = reduce,
                  .expand = expand,
                  .top = top,
                  .join = join,
                  .widen = widen,
                  .descents = descents,
                  .has_exact_formula = has_exact_formula};
  bool adjusts = false;
  o.transfers_precision = c->operators.adjust == TP_ADJUST_PRECISION_TRANSFER;
  for (size_t i = 0; i < c->n; i++) {
    const tp_cpa_ops *part = c->at[i].cpa->ops;
    if (!part->join || !part->has_join) o.join = o.widen = NULL, o.has_join = false;
    if (!part->top) o.top = NULL;
    if (part->strengthen_last) o.strengthen_last = strengthen_last;
    adjusts |= part->adjust != NULL;
    o.transfers_precision |= part->transfers_precision;
    o.can_interrupt |= part->can_interrupt;
  }
  if (adjusts && c->operators.adjust != TP_ADJUST_NONE)
    o.adjust = adjust;
  else
    o.can_interrupt = false;
  return o;
}

tp_cpa *tp_composite_new(tp_cpa_env *env, const char *name, tp_composite_operators operators,
                         const tp_component *components, size_t n, tp_str *why) {
  TP_REQUIRE(n > 0);
  composite *c = TP_NEW(composite);
  c->operators = operators;
  c->n = c->last = n;
  c->at = TP_NEW_ARRAY(tp_component, n);
  memcpy(c->at, components, n * sizeof *components);
  for (size_t i = 0; i < n; i++) {
    if (!components[i].traits.is_control) c->last = i;
    c->n_flat += tp_composite_n(components[i].cpa);
  }
  c->outs = TP_NEW_ARRAY(tp_out, n);
  c->choice = TP_NEW_ARRAY(size_t, n);
  c->views = TP_NEW_ARRAY(tp_view, c->n_flat);
  c->ops = ops_of(c, name);
  return tp_cpa_open(&c->ops, env, why);
}

bool tp_is_composite(const tp_cpa *cpa) { return cpa->ops->open == open_composite; }

size_t tp_composite_n(const tp_cpa *cpa) { return tp_is_composite(cpa) ? of(cpa)->n_flat : 1; }

tp_view tp_composite_view(const tp_cpa *cpa, const tp_elem *e, size_t i) {
  TP_REQUIRE(i < tp_composite_n(cpa));
  while (tp_is_composite(cpa)) {
    const composite *c = of(cpa);
    size_t k = 0;
    for (; i >= tp_composite_n(c->at[k].cpa); k++) i -= tp_composite_n(c->at[k].cpa);
    e = e->at[k];
    cpa = c->at[k].cpa;
  }
  return (tp_view){cpa, e};
}

const tp_elem *tp_composite_replace(tp_cpa *cpa, const tp_elem *e, const tp_cpa *component,
                                    const tp_elem *part) {
  if (cpa == component) return part;
  if (!tp_is_composite(cpa)) return e;
  composite *c = of(cpa);
  const tp_elem *fresh = NULL;
  for (size_t i = 0; i < c->n; i++)
    e = with_part(cpa, e, &fresh, i, tp_composite_replace(c->at[i].cpa, e->at[i], component, part));
  return e;
}

tp_cpa *tp_composite_find(tp_cpa *cpa, const tp_cpa_ops *ops) {
  if (cpa->ops == ops) return cpa;
  if (!tp_is_composite(cpa)) return NULL;
  const composite *c = of(cpa);
  for (size_t i = 0; i < c->n; i++) {  // as deep as the composition nests
    tp_cpa *found = tp_composite_find(c->at[i].cpa, ops);
    if (found) return found;
  }
  return NULL;
}

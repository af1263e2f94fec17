/* Elements, their lattice, formulas and ranges; the row of the table.
 *
 * The helper may give up at any time: without a result, or without a proof that the result is above
 * both arguments, a join or widening is top. An inclusion that the helper does not prove counts as
 * none. */
#include "cpa/polyhedra/polyhedra_priv.h"

#include "cpa/cpa_limits.h"

// -------------------------------------------------------------------- elements

tp_elem *tp_polyhedra_element(tp_polyhedra_analysis *self, tp_func func, const tp_poly *poly,
                              const tp_elem *caller) {
  tp_elem *e = tp_arena_new(&self->cpa->arena, tp_elem);
  *e = (tp_elem){.func = func, .poly = poly, .caller = caller};
  return e;
}

const tp_poly *tp_polyhedra_keep(tp_polyhedra_analysis *self, const tp_poly *p) {
  if (p->list.n == 0) return NULL;
  tp_poly *copy = tp_arena_new(&self->cpa->arena, tp_poly);
  tp_poly_copy(copy, p);
  tp_vec_push(&self->polys, copy);
  return copy;
}

static bool poly_leq(const tp_polyhedra_analysis *self, const tp_poly *a, const tp_poly *b) {
  bool is = false;
  if (!b || a == b) return true;
  return a && tp_poly_includes(self->helper, b, a, &is) && is;
}

/* As deep as calls nest. */
static bool leq(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  const tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  for (; b && b->func.id; a = a->caller, b = b->caller) {
    if (a == b) return true;
    if (!a || a->func.id != b->func.id || !poly_leq(self, a->poly, b->poly)) return false;
    if (b->caller && !a->caller) return false;
  }
  return true;
}

static const tp_elem *top(tp_cpa *cpa) { return tp_polyhedra_of(cpa)->top; }

typedef bool combine_fn(tp_polyhedra_analysis *self, const tp_poly *a, const tp_poly *b,
                        tp_poly *out);
static bool hull(tp_polyhedra_analysis *self, const tp_poly *a, const tp_poly *b, tp_poly *out) {
  return tp_poly_hull(self->helper, a, b, out);
}
static bool widened(tp_polyhedra_analysis *self, const tp_poly *a, const tp_poly *b, tp_poly *out) {
  const tp_poly landmarks = {.is_empty = false};
  return tp_poly_hull(self->helper, a, b, out) &&
         tp_poly_widen(self->helper, a, out, &landmarks, out);
}

/* Something above both. */
static const tp_poly *combine(tp_polyhedra_analysis *self, const tp_poly *a, const tp_poly *b,
                              combine_fn *op) {
  if (!a || !b) return NULL;
  tp_poly both = {.is_empty = false};
  const tp_poly *kept = op(self, a, b, &both) ? tp_polyhedra_keep(self, &both) : NULL;
  tp_vec_clear(&both.list);
  return poly_leq(self, a, kept) && poly_leq(self, b, kept) ? kept : NULL;
}

static tp_elem *upward(tp_polyhedra_analysis *self, const tp_elem *a, const tp_elem *b,
                       combine_fn *op) {
  if (!a || !b || a->func.id != b->func.id || !a->func.id) return NULL;
  const tp_elem *caller =
      a->caller == b->caller ? a->caller : upward(self, a->caller, b->caller, op);
  return tp_polyhedra_element(self, a->func, combine(self, a->poly, b->poly, op), caller);
}

static const tp_elem *join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  if (leq(cpa, a, b)) return b;
  tp_elem *e = upward(self, a, b, hull);
  if (!e) return self->top;
  e->before = b->before ? b->before : b;
  e->rounds = b->rounds;
  e->at_head = a->at_head || b->at_head;
  return e;
}

static const tp_elem *widen(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  const tp_elem *e = upward(tp_polyhedra_of(cpa), a, b, widened);
  return e ? e : top(cpa);
}

static tp_adjusted adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  (void)view;
  *out = (tp_succ){e, p};
  if (!e->before) return TP_CONTINUE;
  bool widens = e->at_head && e->rounds >= self->widen_after;
  tp_elem *next = widens ? upward(self, e->before, e, widened)
                         : tp_polyhedra_element(self, e->func, e->poly, e->caller);
  if (!next) return TP_CONTINUE;  // never: what was joined is of one function
  next->rounds = e->rounds + 1;
  next->at_head = e->at_head;
  out->elem = next;
  return TP_CONTINUE;
}

static uint32_t descents(tp_cpa *cpa) {
  return tp_polyhedra_of(cpa)->helper ? TP_CPA_POLYHEDRA_NARROW : 0;
}

// -------------------------------------------------------------------- speaking

/* Sums of up to eight variables of 32 bits with small coefficients fit into 64. */
static bool fits(const tp_poly_constraint *c) {
  static const int64_t most = (int64_t)1 << 26;
  for (int i = 0; i < TP_NUMERIC_POLY_DIMS; i++)
    if (c->coefficient[i] > most || c->coefficient[i] < -most) return false;
  return c->constant < (int64_t)1 << 61 && c->constant > -((int64_t)1 << 61);
}

static tp_term constraint_term(const tp_polyhedra_analysis *self, const tp_poly_dimensions *d,
                               const tp_poly_constraint *c) {
  enum { WIDTH = 64 };
  tp_terms *tt = self->tt;
  tp_term sum = tp_mk_bv_signed(tt, WIDTH, c->constant);
  for (uint32_t i = 0; i < d->n; i++) {
    if (!c->coefficient[i]) continue;
    tp_term x = tp_mk_resize(tt, WIDTH, tp_polyhedra_is_signed(self, d->vars[i]),
                             tp_var_of(self->p, d->vars[i])->term);
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum,
                 tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv_signed(tt, WIDTH, c->coefficient[i]), x));
  }
  tp_term zero = tp_mk_bv(tt, WIDTH, 0);
  return c->relation == TP_POLY_EQ ? tp_mk_eq(tt, sum, zero) : tp_mk2(tt, TP_OP_BV_SLE, zero, sum);
}

static tp_term formula(tp_cpa *cpa, const tp_elem *e) {
  const tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  tp_term all = tp_mk_true(self->tt);
  for (; e && e->func.id; e = e->caller)
    for (size_t i = 0; e->poly && i < e->poly->list.n; i++)
      if (fits(&e->poly->list.at[i]))
        all = tp_mk_and(self->tt, all,
                        constraint_term(self, &self->of[e->func.id], &e->poly->list.at[i]));
  return all;
}

static void print(tp_cpa *cpa, const tp_elem *e, tp_str *out) {
  const tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  size_t start = out->n;
  for (size_t i = 0; e->func.id && e->poly && i < e->poly->list.n; i++) {
    const tp_poly_constraint *c = &e->poly->list.at[i];
    const tp_poly_dimensions *d = &self->of[e->func.id];
    if (out->n > start) tp_str_add(out, " ");
    for (uint32_t k = 0; k < d->n; k++)
      if (c->coefficient[k])
        tp_str_printf(out, "%+lld*%s", (long long)c->coefficient[k],
                      tp_var_of(self->p, d->vars[k])->name);
    tp_str_printf(out, "%+lld%s0", (long long)c->constant, c->relation == TP_POLY_EQ ? "=" : ">=");
  }
  if (out->n == start) tp_str_add(out, "top");
}

static bool range(tp_cpa *cpa, const tp_elem *e, tp_term t, tp_range *out) {
  tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  tp_poly_bounds b;
  tp_poly_form f;
  tp_i128 lo, hi;
  if (!self->helper || !e->func.id ||
      tp_sort_kind_of(self->tt, tp_sort_of(self->tt, t)) != TP_SORT_BV)
    return false;
  if (!tp_polyhedra_bounds(self, e->func, e->poly, &b) || !tp_polyhedra_form(&b, t, true, &f))
    return false;
  tp_polyhedra_extent(&b, &f, &lo, &hi);
  const uint64_t size = (uint64_t)1 << tp_width(self->tt, t);
  *out = (tp_range){.umin = 0, .umax = size - 1, .smin = (int64_t)lo, .smax = (int64_t)hi};
  if (lo >= 0)
    out->umin = (uint64_t)lo, out->umax = (uint64_t)hi;
  else if (hi < 0)
    out->umin = size + (uint64_t)lo, out->umax = size + (uint64_t)hi;
  return true;
}

// -------------------------------------------------------------------- instances

static bool open(tp_cpa *cpa, tp_str *why) {
  uint64_t widen_after;
  if (!tp_cpa_setting_u64(cpa, "widen-after", 2, &widen_after, why)) return false;
  tp_polyhedra_analysis *self = TP_NEW(tp_polyhedra_analysis);
  *self = (tp_polyhedra_analysis){
      .cpa = cpa, .p = cpa->env->program, .tt = cpa->env->terms, .widen_after = widen_after};
  cpa->state = self;
  self->helper = tp_polyhedra_open(TP_NUMERIC_POLY_DIMS);
  tp_polyhedra_choose(self);
  self->top = tp_polyhedra_element(self, TP_FUNC_NONE, NULL, NULL);
  return true;
}

static void close(tp_cpa *cpa) {
  tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  if (!self) return;
  for (size_t i = 0; i < self->polys.n; i++) tp_vec_clear(&self->polys.at[i]->list);
  tp_vec_clear(&self->polys);
  tp_polyhedra_close(self->helper);
  tp_free(self->of);
  tp_free(self);
}

static tp_succ initial(tp_cpa *cpa, tp_loc entry, tp_context context) {
  tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  (void)context;
  if (!entry.id) return (tp_succ){self->top, NULL};
  return (tp_succ){tp_polyhedra_element(self, tp_loc_of(self->p, entry)->func, NULL, NULL), NULL};
}

static const tp_elem *reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call) {
  (void)e;
  return tp_polyhedra_element(tp_polyhedra_of(cpa), call->callee, NULL, NULL);
}

static const char *const settings[] = {"widen-after", NULL};

const tp_cpa_ops tp_cpa_polyhedra = {.name = "polyhedra",
                                     .help =
                                         "linear relations between up to eight integer variables "
                                         "of a function (with the helper program)",
                                     .settings = settings,
                                     .has_join = true,
                                     .default_merge = "join",
                                     .open = open,
                                     .close = close,
                                     .initial = initial,
                                     .transfer = tp_polyhedra_transfer,
                                     .leq = leq,
                                     .top = top,
                                     .join = join,
                                     .widen = widen,
                                     .print = print,
                                     .formula = formula,
                                     .adjust = adjust,
                                     .range = range,
                                     .descents = descents,
                                     .reduce = reduce,
                                     .expand = tp_polyhedra_expand};

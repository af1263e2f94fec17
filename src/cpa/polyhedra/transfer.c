/* Steps. Frames are apart: a call puts a new polyhedron on top, a return brings back the caller's,
 * with the variable of the call's result havocked. (A function is active once in a context, and no
 * other function changes its locals.) */
#include "cpa/polyhedra/polyhedra_priv.h"

#include "base/checked.h"
#include "cpa/cpa_limits.h"

typedef struct {
  tp_polyhedra_analysis *self;
  tp_func func;
  tp_poly poly;  // no constraints: anything
} draft;

static void havoc(draft *d, int dimension) {
  if (tp_poly_project(d->self->helper, &d->poly, (uint32_t)dimension, &d->poly)) return;
  size_t n = 0;  // without the helper: constraints with the variable are removed
  for (size_t i = 0; i < d->poly.list.n; i++)
    if (d->poly.list.at[i].coefficient[dimension] == 0) d->poly.list.at[n++] = d->poly.list.at[i];
  d->poly.list.n = n;
}

/* False: no state is left. */
static bool impose(draft *d, const tp_poly_form *f, tp_poly_relation relation) {
  tp_poly_constraint c = {.constant = f->k, .relation = relation};
  memcpy(c.coefficient, f->c, sizeof c.coefficient);
  tp_vec_push(&d->poly.list, c);
  if (!tp_poly_minimize(d->self->helper, &d->poly, &d->poly))
    return true;  // as it is: redundant perhaps
  if (d->poly.is_empty) return false;
  tp_poly_tighten(&d->poly, tp_polyhedra_dimensions(d->self->helper));
  return true;
}

// ----------------------------------------------------------------- assignments

/* x := s * x + rest, s = 1 or -1: in every constraint x becomes s * (x - rest). False: coefficients
 * grow too large. */
static bool substitute(draft *d, int x, const tp_poly_form *f) {
  int64_t sign = f->c[x];
  for (size_t i = 0; i < d->poly.list.n; i++) {
    tp_poly_constraint *c = &d->poly.list.at[i];
    int64_t a = c->coefficient[x] * sign, part;
    if (a == 0) continue;
    for (int k = 0; k < TP_NUMERIC_POLY_DIMS; k++)
      if (k != x && (!tp_mul_i64(a, f->c[k], &part) ||
                     !tp_sub_i64(c->coefficient[k], part, &c->coefficient[k])))
        return false;
    if (!tp_mul_i64(a, f->k, &part) || !tp_sub_i64(c->constant, part, &c->constant)) return false;
    c->coefficient[x] = a;
  }
  return true;
}

static void assign(draft *d, tp_var v, tp_term t) {
  int x = tp_polyhedra_dimension(d->self, d->func, v);
  tp_poly_bounds b;
  tp_poly_form f;
  if (x < 0) return;
  bool is_linear = tp_polyhedra_bounds(d->self, d->func, &d->poly, &b) &&
                   tp_polyhedra_form(&b, t, tp_polyhedra_is_signed(d->self, v), &f);
  if (is_linear && (f.c[x] == 1 || f.c[x] == -1)) {
    if (!substitute(d, x, &f)) d->poly.list.n = 0;  // half of it may be rewritten
    return;
  }
  bool fits = is_linear && f.c[x] == 0;
  havoc(d, x);
  if (!fits) return;
  f.c[x] = -1;
  (void)impose(d, &f, TP_POLY_EQ);
}

// ------------------------------------------------------------------ conditions

static bool assume(draft *d, tp_term t, bool truth, int depth);

/* Either: the hull of both. */
static bool assume_any(draft *d, tp_term x, tp_term y, bool truth, int depth) {
  draft other = {.self = d->self, .func = d->func};
  tp_poly_copy(&other.poly, &d->poly);
  bool can_x = assume(d, x, truth, depth), can_y = assume(&other, y, truth, depth);
  if (!can_x)
    tp_poly_copy(&d->poly, &other.poly);
  else if (can_y && !tp_poly_hull(d->self->helper, &d->poly, &other.poly, &d->poly))
    d->poly.list.n = 0;
  tp_vec_clear(&other.poly.list);
  return can_x || can_y;
}

/* b - a - strict >= 0 */
static bool at_most(draft *d, const tp_poly_form *a, const tp_poly_form *b, int strict) {
  tp_poly_form f = *b;
  for (int i = 0; i < TP_NUMERIC_POLY_DIMS; i++) f.c[i] -= a->c[i];
  f.k -= a->k + strict;
  return impose(d, &f, TP_POLY_GE);
}

/* Two integers that differ are in one of two orders; if only one is possible, that is learnt. */
static bool differ(draft *d, const tp_poly_form *a, const tp_poly_form *b) {
  draft less = {.self = d->self, .func = d->func}, more = less;
  tp_poly_copy(&less.poly, &d->poly);
  tp_poly_copy(&more.poly, &d->poly);
  bool can_be_less = at_most(&less, a, b, 1), can_be_more = at_most(&more, b, a, 1);
  if (can_be_less != can_be_more) tp_poly_copy(&d->poly, can_be_less ? &less.poly : &more.poly);
  tp_vec_clear(&less.poly.list);
  tp_vec_clear(&more.poly.list);
  return can_be_less || can_be_more;
}

static bool compare(draft *d, tp_term t, bool truth) {
  const tp_terms *tt = d->self->tt;
  tp_term_kind k = tp_kind(tt, t);
  bool is_equality = k == TP_OP_EQ, is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE,
       is_strict = k == TP_OP_BV_SLT || k == TP_OP_BV_ULT;
  if (!is_equality && !is_signed && k != TP_OP_BV_ULT && k != TP_OP_BV_ULE) return true;
  tp_term x = tp_arg(tt, t, 0), y = tp_arg(tt, t, 1);
  tp_poly_bounds box;
  tp_poly_form a, b;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, x)) != TP_SORT_BV) return true;
  if (!tp_polyhedra_bounds(d->self, d->func, &d->poly, &box)) return false;
  bool exact = tp_polyhedra_form(&box, x, is_signed || is_equality, &a) &&
               tp_polyhedra_form(&box, y, is_signed || is_equality, &b);
  if (!exact && is_equality)
    exact = tp_polyhedra_form(&box, x, false, &a) && tp_polyhedra_form(&box, y, false, &b);
  if (!exact) return true;
  if (is_equality)
    return truth ? at_most(d, &a, &b, 0) && at_most(d, &b, &a, 0) : differ(d, &a, &b);
  return truth ? at_most(d, &a, &b, is_strict) : at_most(d, &b, &a, !is_strict);
}

/* False: no state meets it. As deep as conditions nest; below that nothing is learnt. */
static bool assume(draft *d, tp_term t, bool truth, int depth) {
  const tp_terms *tt = d->self->tt;
  tp_term_kind k = tp_kind(tt, t);
  if (depth == 0) return true;
  if (tp_is_const(tt, t)) return tp_is_true(tt, t) == truth;
  if (k == TP_OP_NOT) return assume(d, tp_arg(tt, t, 0), !truth, depth - 1);
  if (k != TP_OP_AND && k != TP_OP_OR) return compare(d, t, truth);
  tp_term x = tp_arg(tt, t, 0), y = tp_arg(tt, t, 1);
  if ((k == TP_OP_AND) == truth)
    return assume(d, x, truth, depth - 1) && assume(d, y, truth, depth - 1);
  return assume_any(d, x, y, truth, depth - 1);
}

// ----------------------------------------------------------------------- steps

static bool transfer_edge(draft *d, const tp_edge_info *edge) {
  int x = tp_polyhedra_dimension(d->self, d->func, edge->var);
  tp_var result = tp_func_of(d->self->p, d->func)->result;
  if (edge->kind == TP_E_ASSUME) return assume(d, edge->a, true, TP_CPA_POLYHEDRA_ASSUME_LEVELS);
  if (edge->kind == TP_E_ASSIGN)
    assign(d, edge->var, edge->a);
  else if (x >= 0)
    havoc(d, x);
  if (edge->kind == TP_E_RETURN && tp_polyhedra_dimension(d->self, d->func, result) >= 0) {
    if (tp_term_is(edge->a))
      assign(d, result, edge->a);
    else
      havoc(d, tp_polyhedra_dimension(d->self, d->func, result));
  }
  return true;
}

/* e's frame, with a variable forgotten. */
static const tp_elem *without(tp_polyhedra_analysis *self, const tp_elem *e, tp_var v) {
  int x = e->func.id ? tp_polyhedra_dimension(self, e->func, v) : -1;
  if (x < 0 || !e->poly) return e;
  draft d = {.self = self, .func = e->func};
  tp_poly_copy(&d.poly, e->poly);
  havoc(&d, x);
  const tp_elem *rest =
      tp_polyhedra_element(self, e->func, tp_polyhedra_keep(self, &d.poly), e->caller);
  tp_vec_clear(&d.poly.list);
  return rest;
}

static const tp_elem *along_edge(tp_polyhedra_analysis *self, const tp_elem *e,
                                 const tp_edge_info *edge) {
  draft d = {.self = self, .func = e->func};
  const tp_elem *next = NULL;
  if (e->poly) tp_poly_copy(&d.poly, e->poly);
  if (transfer_edge(&d, edge))
    next = tp_polyhedra_element(self, e->func, tp_polyhedra_keep(self, &d.poly), e->caller);
  tp_vec_clear(&d.poly.list);
  return next;
}

void tp_polyhedra_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out) {
  TP_REQUIRE(tp_step_check(tp_polyhedra_of(cpa)->p, step));
  tp_polyhedra_analysis *self = tp_polyhedra_of(cpa);
  const tp_edge_info *edge = tp_edge_of(self->p, step->edge);
  const tp_elem *next = self->top;
  switch (step->kind) {
    case TP_STEP_EDGE: next = self->helper && e->func.id ? along_edge(self, e, edge) : e; break;
    case TP_STEP_CALL:
      next = tp_polyhedra_element(self, step->callee, NULL, e->func.id ? e : NULL);
      break;
    case TP_STEP_RETURN: next = e->caller ? without(self, e->caller, edge->var) : self->top; break;
    case TP_STEP_SUMMARY: next = without(self, e, edge->var); break;
  }
  if (!next) return;
  bool at_head = step->to.id && (tp_loc_of(self->p, step->to)->is_loop_head ||
                                 tp_loc_of(self->p, step->to)->is_cutpoint);
  if (next->at_head != at_head || next->before || next->rounds) {
    tp_elem *moved = tp_polyhedra_element(self, next->func, next->poly, next->caller);
    moved->at_head = at_head;
    next = moved;
  }
  tp_vec_push(&out->list, (tp_succ){next, p});
}

const tp_elem *tp_polyhedra_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *leave,
                                   const tp_step *call) {
  (void)leave;
  return without(tp_polyhedra_of(cpa), before, tp_edge_of(cpa->env->program, call->edge)->var);
}

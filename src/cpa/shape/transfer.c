/* Transfer: assignments, calls and returns; edges that touch memory are in shape_memory.c,
 * conditions in shape_assume.c.
 *
 * The variables of all active frames live side by side (no function is active twice), so a call
 * assigns parameters and a return the caller's variable. Variables of a frame that has ended, and
 * pointers that no path reads any more, lead anywhere: then graphs that differ in them alone become
 * one. */
#include "cpa/shape/shape_priv.h"

// ------------------------------------------------------------------- assignments

/* x := value, on the graphs of a set. A number as value: some number that is read as a pointer, so
 * one that leads to no object. */
static void assign_slot(const tp_shape_draft *d, const tp_shape_cpa_kind *k, tp_graph_ids *set,
                        int x, tp_term value) {
  tp_terms *tt = d->h->tt;
  int y = TP_UNKNOWN_SLOT;
  const tp_term_kind kind = tp_term_is(value) ? tp_kind(tt, value) : TP_N_OPS;
  if (kind == TP_OP_ITE) {
    tp_graph_ids other = {0};
    tp_shape_cpa_set_copy(&other, set);
    tp_shape_cpa_assume(d, k, set, tp_arg(tt, value, 0), true);
    assign_slot(d, k, set, x, tp_arg(tt, value, 1));
    tp_shape_cpa_assume(d, k, &other, tp_arg(tt, value, 0), false);
    assign_slot(d, k, &other, x, tp_arg(tt, value, 2));
    tp_shape_cpa_set_add(set, &other);
    tp_vec_clear(&other);
    return;
  }
  if (kind == TP_OP_VAR) y = tp_shape_cpa_slot(k, tp_program_var_of(d->h->p, value));
  if (kind == TP_OP_BV_CONST) y = TP_OUTSIDE_SLOT;  // any number
  if (y == x) return;
  const bool is_null = kind == TP_OP_PTR_CONST && tp_term_eq(value, tp_mk_null(tt));
  (void)tp_shape_cpa_post(
      d->h, k, set, tp_heap_step(is_null ? TP_HEAP_NIL : TP_HEAP_COPY, x, y, TP_UNKNOWN_SLOT));
  if (kind == TP_OP_PTR_CONST && !is_null)
    (void)tp_shape_cpa_post(d->h, k, set,
                            tp_shape_cpa_pointer_step(TP_SHAPE_STEP_NOT_NIL, x, TP_UNKNOWN_SLOT));
}

/* v := value, a number: v gets the link of the variable that is its value. */
static void assign_link(tp_shape_draft *d, tp_var v, tp_term value) {
  const bool is_var = tp_term_is(value) && tp_kind(d->h->tt, value) == TP_OP_VAR;
  const tp_var w = is_var ? tp_program_var_of(d->h->p, value) : TP_VAR_NONE;
  if (w.id == v.id) return;
  const tp_shape_link *l = w.id ? tp_shape_cpa_link_of(d, w) : NULL;
  tp_shape_link copy = l ? *l : (tp_shape_link){0};
  tp_shape_cpa_unlink_var(d, v);
  copy.var = v;
  if (l && copy.pointer.id != v.id) tp_shape_cpa_add_link(d, copy);
}

void tp_shape_cpa_assign(tp_shape_draft *d, tp_var v, tp_term value) {
  TP_REQUIRE(v.id && v.id < d->h->p->vars.n);
  TP_REQUIRE(v.id);
  for (uint32_t k = 0; k < d->h->n; k++) {
    const int x = tp_shape_cpa_slot(&d->h->kinds[k], v);
    if (x >= 0) assign_slot(d, &d->h->kinds[k], &d->region.sets[k], x, value);
  }
  assign_link(d, v, value);
  tp_shape_cpa_number_changes(d, v, value);
}

// ------------------------------------------------------------------ what is dead

typedef struct {
  uint32_t n;
  tp_var *at;
} var_list;

/* Locals of the function at `from` that die when the step is taken. */
static const var_list *dead_along(tp_shape_cpa *h, const tp_step *step) {
  const uint64_t key = (uint64_t)step->edge.id << 1 | (step->kind == TP_STEP_CALL);
  uint64_t known;
  if (tp_map_get(&h->dead, key, &known)) return (const var_list *)(uintptr_t)known;
  const tp_edge_info *e = tp_edge_of(h->p, step->edge);
  const tp_func f = tp_loc_of(h->p, e->from)->func;
  var_list *dead = tp_arena_new(&h->cpa->arena, var_list);
  dead->at =
      tp_arena_array(&h->cpa->arena, tp_var, h->locals.first[f.id + 1] - h->locals.first[f.id] + 1);
  for (uint32_t i = h->locals.first[f.id]; i < h->locals.first[f.id + 1]; i++) {
    const tp_var v = h->locals.at[i];
    const bool was = tp_is_live(h->liveness, e->from, v) || e->var.id == v.id;
    const bool is = step->kind == TP_STEP_CALL ? tp_is_live_across(h->liveness, step->edge, v)
                                               : tp_is_live(h->liveness, e->to, v);
    if (was && !is) dead->at[dead->n++] = v;
  }
  tp_map_set(&h->dead, key, (uintptr_t)dead);
  return dead;
}

static bool is_link_of(const void *ctx, const tp_shape_link *l) {
  return l->var.id == ((const tp_var *)ctx)->id;
}

static bool is_needed(const tp_shape_draft *d, tp_var v) {
  for (size_t i = 0; i < d->links.n; i++)
    if (d->links.at[i].pointer.id == v.id) return true;
  return false;
}

/* A dead pointer of a link stays tracked until the link goes. */
static void havoc_dead(tp_shape_draft *d, const tp_elem *before, const tp_step *step) {
  tp_shape_cpa *h = d->h;
  if (!h->liveness) return;
  const var_list *dead = dead_along(h, step);
  for (uint32_t i = 0; i < dead->n; i++) tp_shape_cpa_unlink(d, is_link_of, &dead->at[i]);
  for (uint32_t i = 0; i < dead->n; i++)
    if (!is_needed(d, dead->at[i])) tp_shape_cpa_assign(d, dead->at[i], TP_TERM_NONE);
  for (size_t i = 0; i < before->n_links; i++) {
    const tp_var v = before->links[i].pointer;
    if (!is_needed(d, v) && tp_var_of(h->p, v)->func.id == tp_loc_of(h->p, step->to)->func.id &&
        !tp_is_live(h->liveness, step->to, v))
      tp_shape_cpa_assign(d, v, TP_TERM_NONE);
  }
}

/* All locals of the function but, perhaps, its parameters: it begins, or has ended. */
static void havoc_frame(tp_shape_draft *d, tp_func f, uint32_t n_params_kept) {
  const tp_func_info *info = tp_func_of(d->h->p, f);
  for (uint32_t i = d->h->locals.first[f.id]; i < d->h->locals.first[f.id + 1]; i++) {
    const tp_var v = d->h->locals.at[i];
    bool is_kept = false;
    for (uint32_t k = 0; k < n_params_kept; k++) is_kept |= info->params[k].id == v.id;
    if (!is_kept) tp_shape_cpa_assign(d, v, TP_TERM_NONE);
  }
}

// ------------------------------------------------------------------------- steps

static void assume(tp_shape_draft *d, tp_term condition) {
  for (uint32_t k = 0; k < d->h->n; k++)
    tp_shape_cpa_assume(d, &d->h->kinds[k], &d->region.sets[k], condition, true);
  tp_shape_cpa_assume_numbers(d, condition);
}

static void transfer_edge(tp_shape_draft *d, const tp_step *step) {
  const tp_shape_cpa *h = d->h;
  const tp_edge_info *e = tp_edge_of(h->p, step->edge);
  switch (e->kind) {
    case TP_E_ASSUME:
      assume(d, e->a);
      if (tp_term_is(step->caller_condition)) assume(d, step->caller_condition);
      return;
    case TP_E_ASSIGN: tp_shape_cpa_assign(d, e->var, e->a); return;
    case TP_E_LOAD: tp_shape_cpa_load(d, e); return;
    case TP_E_STORE: tp_shape_cpa_store(d, e); return;
    case TP_E_ALLOC: tp_shape_cpa_alloc(d, e); return;
    case TP_E_FREE: tp_shape_cpa_free(d, e); return;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: tp_shape_cpa_block(d, e); return;
    case TP_E_HAVOC:
      if (e->var.id) tp_shape_cpa_assign(d, e->var, tp_mk_bv(h->tt, 1, 0));
      if (!e->may_write) return;
      for (uint32_t k = 0; k < h->n; k++) tp_shape_cpa_havoc_heap(d, k);
      tp_shape_cpa_unlink_all(d);
      return;
    case TP_E_RETURN: {
      const tp_var result = tp_func_of(h->p, tp_loc_of(h->p, e->from)->func)->result;
      if (result.id) tp_shape_cpa_assign(d, result, e->a);
      return;
    }
    case TP_E_END_SCOPE:
      tp_shape_cpa_unlink_all(d);
      return;  // of an object that a link may speak of
    case TP_E_CALL:
    case TP_E_SKIP: return;
  }
}

/* Arguments speak of the caller's variables only. */
static void enter(tp_shape_draft *d, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(d->h->p, step->edge);
  const tp_func_info *f = tp_func_of(d->h->p, step->callee);
  uint32_t n = f->n_params < e->n_args ? f->n_params : e->n_args;
  if (f->is_variadic && n == f->n_params && n) n--;
  for (uint32_t i = 0; i < n; i++) tp_shape_cpa_assign(d, f->params[i], e->args[i]);
  havoc_frame(d, step->callee, n);
}

static void leave(tp_shape_draft *d, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(d->h->p, step->edge);
  const tp_var result = tp_func_of(d->h->p, step->callee)->result;
  if (e->var.id)
    tp_shape_cpa_assign(d, e->var, result.id ? tp_var_of(d->h->p, result)->term : TP_TERM_NONE);
  havoc_frame(d, step->callee, 0);
  tp_shape_cpa_unlink_all(d);  // its objects have ended
}

/* The kind whose graphs become elements of their own: the only one that is followed. UINT32_MAX:
 * there are several, or none. */
static uint32_t only_kind(const tp_shape_cpa *h, uint64_t off) {
  uint32_t found = UINT32_MAX, n = 0;
  if (off && h->precision == TP_SHAPE_PRECISION_ALL) return found;
  for (uint32_t k = 0; k < h->n; k++)
    if (!tp_shape_cpa_is_off(off, k)) found = k, n++;
  return n == 1 ? found : UINT32_MAX;
}

/* One element for each graph, where elements stay apart. */
static void push(tp_shape_draft *d, const tp_prec *p, tp_out *out) {
  TP_REQUIRE(out);
  tp_shape_cpa *h = d->h;
  const tp_elem *all = tp_shape_cpa_seal(d);
  if (!all) return;
  const uint32_t k = only_kind(h, all->off);
  if (h->cpa->merges_join || k == UINT32_MAX || all->region.sets[k].n == 1) {
    tp_vec_push(&out->list, (tp_succ){all, p});
    return;
  }
  for (size_t i = 0; i < all->region.sets[k].n; i++) {
    tp_shape_draft one;
    tp_shape_cpa_draft_open(&one, h, all);
    one.region.sets[k].at[0] = all->region.sets[k].at[i];
    one.region.sets[k].n = 1;
    tp_vec_push(&out->list, (tp_succ){tp_shape_cpa_seal(&one), p});
  }
}

void tp_shape_cpa_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out) {
  TP_REQUIRE(tp_step_check(tp_shape_cpa_of(cpa)->p, step));
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  if (step->kind == TP_STEP_SUMMARY) {  // of unknown effect
    tp_vec_push(&out->list, (tp_succ){cpa->ops->top(cpa), p});
    return;
  }
  tp_shape_draft d;
  tp_shape_cpa_make_kinds(h, e, step->to);
  tp_shape_cpa_draft_open(&d, h, e);
  tp_shape_cpa_raise_types(&d, step->to);
  if (step->kind == TP_STEP_EDGE) transfer_edge(&d, step);
  if (step->kind == TP_STEP_CALL) enter(&d, step);
  if (step->kind == TP_STEP_RETURN) leave(&d, step);
  if (step->kind != TP_STEP_RETURN) havoc_dead(&d, e, step);
  tp_shape_cpa_settle_types(&d, step->to);
  push(&d, p, out);
}

// -------------------------------------------------------------------- neighbours

static bool is_one_number(const tp_shape_cpa *h, const tp_view *others, size_t n, tp_term t,
                          uint64_t *out) {
  tp_range r;
  for (size_t i = 0; i < n; i++) {
    const tp_cpa_ops *ops = others[i].cpa->ops;
    if (tp_view_range(others[i], t, &r) && r.umin == r.umax) {
      *out = r.umin;
      return true;
    }
    const tp_term c = ops->constant
                          ? ops->constant((tp_cpa *)(uintptr_t)others[i].cpa, others[i].elem, t)
                          : TP_TERM_NONE;
    if (tp_term_is(c) && tp_bv_value_u64(h->tt, c, out)) return true;
  }
  return false;
}

typedef struct {
  const tp_shape_cpa *h;
  const tp_view *others;
  size_t n;
  tp_term value, fact;  // value: what stays a symbol
} known_fact;

static void put_number(void *ctx, tp_term var) {
  known_fact *f = ctx;
  uint64_t number;
  if (tp_sort_kind_of(f->h->tt, tp_sort_of(f->h->tt, var)) == TP_SORT_BV &&
      !tp_term_eq(var, f->value) && is_one_number(f->h, f->others, f->n, var, &number))
    f->fact = tp_shape_cpa_substitute(f->h->tt, f->fact, var,
                                      tp_mk_bv(f->h->tt, tp_width(f->h->tt, var), number));
}

/* The data formula with the numbers that neighbours have for its variables: no store to a cell
 * changes these. */
static tp_data_formula with_numbers(const tp_shape_cpa *h, const tp_view *others, size_t n,
                                    const tp_data_formula *d) {
  known_fact f = {h, others, n, d->value, d->fact};
  tp_data_formula out = *d;
  tp_for_vars(h->tt, d->fact, put_number, &f);
  out.fact = f.fact;
  return out;
}

/* A number was stored into a cell: a value that a neighbour has for it, or for a variable that a
 * data predicate compares with, decides data predicates of the cell. */
const tp_elem *tp_shape_cpa_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others,
                                       size_t n, const tp_step *step) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const tp_edge_info *edge = step->kind == TP_STEP_EDGE ? tp_edge_of(h->p, step->edge) : NULL;
  tp_access a;
  uint64_t number;
  if (!edge || edge->kind != TP_E_STORE ||
      tp_sort_kind_of(h->tt, tp_sort_of(h->tt, edge->b)) != TP_SORT_BV)
    return e;
  if (!tp_access_of(h->p, edge->a, &a) || !a.var.id || tp_term_is(a.index) || a.offset < 0 ||
      (!tp_bv_value_u64(h->tt, edge->b, &number) && !is_one_number(h, others, n, edge->b, &number)))
    return e;
  const tp_term constant = tp_mk_bv(h->tt, tp_width(h->tt, edge->b), number);
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, h, e);
  for (uint32_t k = 0; k < h->n; k++)
    for (uint32_t i = 0; i < h->kinds[k].c->n_data_predicates; i++) {
      const tp_data_formula *data_formula = &h->kinds[k].visible.data[i];
      const int x = tp_shape_cpa_slot(&h->kinds[k], a.var);
      if (x < 0 || data_formula->offset != (uint64_t)a.offset ||
          data_formula->width_bits != tp_width(h->tt, constant))
        continue;
      const tp_data_formula known = with_numbers(h, others, n, data_formula);
      const tp_kleene v =
          tp_shape_cpa_decide(h->tt, &known, tp_mk_eq(h->tt, known.value, constant));
      if (v == TP_KLEENE_HALF) continue;
      (void)tp_shape_cpa_step(&d, k, tp_shape_cpa_data_step(TP_SHAPE_STEP_ASSUME_DATA, x, i, v));
    }
  return tp_shape_cpa_seal(&d);
}

/* Steps: assignments, conditions, calls and returns; what memory sees is in memory.c.
 *
 * The variables of all active frames live side by side (no function is active twice). Variables of
 * a frame that has ended, and those that no path reads any more, are forgotten: then heaps that
 * differ in them alone become one, and cells that only they led to are not followed any more. */
#include "cpa/heap/heap_priv.h"

typedef struct {
  const tp_explicit *h;
  const tp_step *step;
  tp_func func;
} forgetting;

static bool is_dead(void *ctx, tp_var v) {
  const forgetting *f = ctx;
  if (tp_var_of(f->h->p, v)->func.id != f->func.id) return false;
  return f->step->kind == TP_STEP_CALL ? !tp_is_live_across(f->h->liveness, f->step->edge, v)
                                       : !tp_is_live(f->h->liveness, f->step->to, v);
}

static void havoc_dead(tp_heap_draft *d, const tp_step *step) {
  forgetting f = {d->h, step,
                  tp_loc_of(d->h->p, step->kind == TP_STEP_CALL ? step->from : step->to)->func};
  if (d->h->liveness) tp_heap_havoc_vars(d, is_dead, &f);
}

static bool is_of(void *ctx, tp_var v) {
  const forgetting *f = ctx;
  return tp_var_of(f->h->p, v)->func.id == f->func.id;
}

static bool transfer_edge(tp_heap_draft *d, const tp_step *step) {
  const tp_explicit *h = d->h;
  const tp_edge_info *e = tp_edge_of(h->p, step->edge);
  switch (e->kind) {
    case TP_E_ASSUME:
      return tp_heap_assume(d, e->a) &&
             (!tp_term_is(step->caller_condition) || tp_heap_assume(d, step->caller_condition));
    case TP_E_ASSIGN: tp_heap_put(d, e->var, tp_heap_eval(d, e->a)); return true;
    case TP_E_LOAD: return tp_heap_load(d, e);
    case TP_E_STORE: return tp_heap_store(d, e);
    case TP_E_ALLOC: tp_heap_alloc(d, e, step->edge); return true;
    case TP_E_FREE: return tp_heap_free(d, e);
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: return tp_heap_block(d, e);
    case TP_E_HAVOC:
      if (e->var.id) tp_heap_put(d, e->var, TP_TERM_NONE);
      if (e->may_write) tp_heap_havoc_contents(d, TP_CLASS_ANY);
      return true;
    case TP_E_RETURN: {
      const tp_var result = tp_func_of(h->p, tp_loc_of(h->p, e->from)->func)->result;
      if (result.id) tp_heap_put(d, result, tp_heap_eval(d, e->a));
      return true;
    }
    case TP_E_END_SCOPE:
    case TP_E_CALL:
    case TP_E_SKIP: return true;
  }
  return true;
}

/* Arguments speak of the caller's variables only. */
static void enter(tp_heap_draft *d, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(d->h->p, step->edge);
  const tp_func_info *f = tp_func_of(d->h->p, step->callee);
  forgetting locals = {d->h, step, step->callee};
  uint32_t n = f->n_params < e->n_args ? f->n_params : e->n_args;
  if (f->is_variadic && n == f->n_params && n) n--;
  tp_heap_havoc_vars(d, is_of, &locals);
  for (uint32_t i = 0; i < n; i++) tp_heap_put(d, f->params[i], tp_heap_eval(d, e->args[i]));
}

static void leave(tp_heap_draft *d, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(d->h->p, step->edge);
  const tp_var result = tp_func_of(d->h->p, step->callee)->result;
  forgetting locals = {d->h, step, step->callee};
  if (e->var.id) tp_heap_put(d, e->var, result.id ? tp_heap_get(d, result) : TP_TERM_NONE);
  tp_heap_havoc_vars(d, is_of, &locals);
}

void tp_heap_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                      tp_out *out) {
  TP_REQUIRE(tp_step_check(tp_explicit_of(cpa)->p, step));
  TP_REQUIRE(e && step && out);
  tp_explicit *h = tp_explicit_of(cpa);
  if (step->kind == TP_STEP_SUMMARY) {  // nothing is known of what it did
    tp_vec_push(&out->list, (tp_succ){cpa->ops->top(cpa), p});
    return;
  }
  tp_heap_draft d;
  tp_heap_draft_open(&d, h, e);
  bool goes_on = true;
  if (step->kind == TP_STEP_EDGE) goes_on = transfer_edge(&d, step);
  if (step->kind == TP_STEP_CALL) enter(&d, step);
  if (step->kind == TP_STEP_RETURN) leave(&d, step);
  if (!goes_on) {
    tp_heap_draft_drop(&d);
    return;
  }
  havoc_dead(&d, step);
  tp_vec_push(&out->list, (tp_succ){tp_heap_seal(&d, p), p});
}

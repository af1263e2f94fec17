/* Which parameters are fixed is found once; what a call binds them to is read off its edge. */
#include "cpa/arguments.h"

#include "cpa/cpa_limits.h"

struct tp_arguments {
  const tp_program *p;
  bool *is_assigned;  // by variable: by an edge of the program
};

tp_arguments *tp_arguments_new(const tp_program *p) {
  tp_arguments *a = TP_NEW(tp_arguments);
  *a = (tp_arguments){p, TP_NEW_ARRAY(bool, p->vars.n + 1)};
  for (size_t e = 1; e < p->edges.n; e++) a->is_assigned[p->edges.at[e].var.id] = true;
  return a;
}

void tp_arguments_free(tp_arguments *a) {
  if (!a) return;
  tp_free(a->is_assigned);
  tp_free(a);
}

typedef struct {
  const tp_program *p;
  tp_func caller;
  bool fits;
} look;

static void visit(void *ctx, tp_term symbol) {
  look *l = ctx;
  tp_var v = tp_program_var_of(l->p, symbol);
  if (!v.id || tp_var_of(l->p, v)->func.id != l->caller.id) l->fits = false;
}

/* What parameter i of the top frame is; NONE: not known. */
static tp_term argument(const tp_arguments *a, const tp_contexts *contexts,
                        const tp_context_info *top, uint32_t i) {
  TP_REQUIRE(top->parent.id && i < tp_func_of(a->p, top->func)->n_params);
  const tp_program *p = a->p;
  const tp_edge_info *call = tp_edge_of(p, top->call);
  tp_var param = tp_func_of(p, top->func)->params[i];
  if (i >= call->n_args || a->is_assigned[param.id]) return TP_TERM_NONE;
  tp_term arg = call->args[i];
  if (!tp_sort_eq(tp_sort_of(p->terms, arg), tp_sort_of(p->terms, tp_var_of(p, param)->term)))
    return TP_TERM_NONE;
  TP_INVARIANT(tp_edge_of(p, top->call)->kind == TP_E_CALL);
  look l = {p, tp_context_of(contexts, top->parent)->func, true};
  tp_for_vars(p->terms, arg, visit, &l);
  return l.fits && tp_dag_size(p->terms, arg) <= TP_CPA_ARGUMENT_NODES ? arg : TP_TERM_NONE;
}

tp_term tp_arguments_hold(tp_arguments *a, const tp_contexts *contexts, tp_context context) {
  TP_REQUIRE(context.id < contexts->list.n);
  tp_terms *tt = a->p->terms;
  tp_term all = tp_mk_true(tt);
  for (; context.id && tp_context_of(contexts, context)->parent.id;
       context = tp_context_of(contexts, context)->parent) {
    const tp_context_info *top = tp_context_of(contexts, context);
    const tp_func_info *f = tp_func_of(a->p, top->func);
    for (uint32_t i = 0; i < f->n_params; i++) {
      tp_term arg = argument(a, contexts, top, i);
      if (tp_term_is(arg))
        all = tp_mk_and(tt, all, tp_mk_eq(tt, tp_var_of(a->p, f->params[i])->term, arg));
    }
  }
  return all;
}

typedef struct {
  const tp_arguments *a;
  const tp_contexts *contexts;
  const tp_context_info *top;
} frame;

static tp_term with(void *ctx, tp_term symbol) {
  const frame *f = ctx;
  const tp_func_info *info = tp_func_of(f->a->p, f->top->func);
  tp_var v = tp_program_var_of(f->a->p, symbol);
  for (uint32_t i = 0; i < info->n_params && v.id; i++)
    if (info->params[i].id == v.id) return argument(f->a, f->contexts, f->top, i);
  return TP_TERM_NONE;
}

tp_term tp_arguments_unfold(tp_arguments *a, const tp_contexts *contexts, tp_context context,
                            tp_term t) {
  TP_REQUIRE(tp_term_is(t) && context.id < contexts->list.n);
  for (int n = 0; n < TP_CPA_ARGUMENT_FRAMES && context.id; n++) {
    frame f = {a, contexts, tp_context_of(contexts, context)};
    context = f.top->parent;
    if (!context.id) break;
    tp_term unfolded = tp_subst(a->p->terms, t, with, &f, NULL);
    TP_INVARIANT(tp_sort_eq(tp_sort_of(a->p->terms, unfolded), tp_sort_of(a->p->terms, t)));
    if (tp_dag_size(a->p->terms, unfolded) > 4 * TP_CPA_ARGUMENT_NODES) break;
    t = unfolded;
  }
  return t;
}

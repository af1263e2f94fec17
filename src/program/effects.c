/* Effects of single edges, then a fixpoint over the call graph: a caller has the effects of what it
 * calls. The fixpoint is reached after at most as many rounds as there are functions, since effects
 * only grow. */
#include "program/effects.h"

static bool is_global(const tp_program *p, tp_var v) { return v.id && !tp_var_of(p, v)->func.id; }

static void change_everything(tp_effects *x, uint32_t f) {
  x->writes_memory[f] = true;
  for (uint32_t v = 1; v < x->n_vars; v++)
    if (is_global(x->p, (tp_var){v})) x->assigns[f * x->n_vars + v] = true;
}

static bool writes_memory(const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_STORE:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: return true;
    case TP_E_HAVOC: return e->may_write;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_LOAD:
    case TP_E_CALL:
    case TP_E_RETURN: return false;
  }
  return true;
}

static void see_edge(tp_effects *x, const tp_edge_info *e) {
  const tp_program *p = x->p;
  uint32_t f = tp_loc_of(p, e->from)->func.id;
  if (writes_memory(e)) x->writes_memory[f] = true;
  if (is_global(p, e->var)) x->assigns[f * x->n_vars + e->var.id] = true;
  if (e->var.id) x->is_param_fixed[e->var.id] = false;
  if (e->kind == TP_E_CALL && (!e->callee.id || !tp_func_of(p, e->callee)->has_body))
    change_everything(x, f);
}

/* True: the caller has an effect that it did not have before. */
static bool add_callee(tp_effects *x, uint32_t f, uint32_t callee) {
  bool is_new = x->writes_memory[callee] && !x->writes_memory[f];
  x->writes_memory[f] |= x->writes_memory[callee];
  for (uint32_t v = 1; v < x->n_vars; v++) {
    bool *own = &x->assigns[f * x->n_vars + v];
    is_new |= x->assigns[callee * x->n_vars + v] && !*own;
    *own |= x->assigns[callee * x->n_vars + v];
  }
  return is_new;
}

static void close_over_calls(tp_effects *x) {
  const tp_program *p = x->p;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (e->from.id && e->kind == TP_E_CALL && e->callee.id)
        again |= add_callee(x, tp_loc_of(p, e->from)->func.id, e->callee.id);
    }
  }
}

void tp_effects_init(tp_effects *x, const tp_program *p) {
  *x = (tp_effects){.p = p, .n_vars = p->vars.n};
  x->writes_memory = TP_NEW_ARRAY(bool, p->funcs.n);
  x->assigns = TP_NEW_ARRAY(bool, p->funcs.n * p->vars.n + 1);
  x->is_param_fixed = TP_NEW_ARRAY(bool, p->vars.n);
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    const tp_func_info *info = &p->funcs.at[f];
    for (uint32_t i = 0; i < info->n_params; i++) x->is_param_fixed[info->params[i].id] = true;
    if (!info->has_body) change_everything(x, f);
  }
  for (uint32_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id) see_edge(x, &p->edges.at[i]);
  close_over_calls(x);
}

void tp_effects_clear(tp_effects *x) {
  tp_free(x->writes_memory);
  tp_free(x->assigns);
  tp_free(x->is_param_fixed);
  *x = (tp_effects){0};
}

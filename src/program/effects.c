/* Effects of single edges, then a fixpoint over the call graph: a caller has the effects of what it
 * calls. A function whose effects grew is put on a worklist again, which ends since effects only
 * grow. */
#include "program/effects.h"

static void set_bit(tp_effects *x, uint32_t f, tp_var v) {
  const uint32_t bit = x->bit[v.id];
  TP_REQUIRE(bit);
  x->assigns[f * x->n_words + bit / 64] |= UINT64_C(1) << bit % 64;
}

static void change_everything(tp_effects *x, uint32_t f) {
  x->writes_memory[f] = true;
  for (uint32_t v = 1; v < x->p->vars.n; v++)
    if (x->bit[v]) set_bit(x, f, (tp_var){v});
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
  if (e->var.id && x->bit[e->var.id]) set_bit(x, f, e->var);
  if (e->var.id) x->is_param_fixed[e->var.id] = false;
  if (e->kind == TP_E_CALL && (!e->callee.id || !tp_func_of(p, e->callee)->has_body))
    change_everything(x, f);
}

/* True: the caller has an effect that it did not have before. */
static bool add_callee(tp_effects *x, uint32_t f, uint32_t callee) {
  bool is_new = x->writes_memory[callee] && !x->writes_memory[f];
  x->writes_memory[f] |= x->writes_memory[callee];
  uint64_t *own = &x->assigns[f * x->n_words];
  const uint64_t *called = &x->assigns[callee * x->n_words];
  for (size_t k = 0; k < x->n_words; k++) {
    is_new |= (called[k] & ~own[k]) != 0;
    own[k] |= called[k];
  }
  return is_new;
}

static bool is_direct_call(const tp_edge_info *e) {
  return e->from.id && e->kind == TP_E_CALL && e->callee.id;
}

/* Rows of callers: those of function f are caller[start[f]] .. caller[start[f + 1] - 1]. Counted
 * one place further on, start[f + 1] moves from the start of f's row to its end while it is filled.
 */
static void list_callers(const tp_program *p, uint32_t *start, uint32_t *caller) {
  for (size_t i = 1; i < p->edges.n; i++)
    if (is_direct_call(&p->edges.at[i])) start[p->edges.at[i].callee.id + 2]++;
  for (size_t f = 0; f <= p->funcs.n; f++) start[f + 1] += start[f];
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (is_direct_call(e)) caller[start[e->callee.id + 1]++] = tp_loc_of(p, e->from)->func.id;
  }
}

/* Callees have greater numbers than their callers as a rule, so the greatest number goes first. */
static void close_over_calls(tp_effects *x) {
  const tp_program *p = x->p;
  uint32_t *start = TP_NEW_ARRAY(uint32_t, p->funcs.n + 2),
           *caller = TP_NEW_ARRAY(uint32_t, p->edges.n + 1);
  bool *waits = TP_NEW_ARRAY(bool, p->funcs.n + 1);
  TP_VEC(uint32_t) todo = {0};
  list_callers(p, start, caller);
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    tp_vec_push(&todo, f);
    waits[f] = true;
  }
  while (todo.n) {
    const uint32_t callee = tp_vec_pop(&todo);
    waits[callee] = false;
    for (uint32_t i = start[callee]; i < start[callee + 1]; i++) {
      const uint32_t f = caller[i];
      if (!add_callee(x, f, callee) || waits[f]) continue;
      tp_vec_push(&todo, f);
      waits[f] = true;
    }
  }
  tp_vec_clear(&todo);
  tp_free(start);
  tp_free(caller);
  tp_free(waits);
}

/* A number for each global and ghost; returns how many there are. */
static uint32_t number_globals(tp_effects *x) {
  uint32_t n = 0;
  x->bit = TP_NEW_ARRAY(uint32_t, x->p->vars.n);
  for (uint32_t v = 1; v < x->p->vars.n; v++)
    if (!x->p->vars.at[v].func.id) x->bit[v] = ++n;
  return n;
}

void tp_effects_init(tp_effects *x, const tp_program *p) {
  *x = (tp_effects){.p = p};
  x->n_words = number_globals(x) / 64 + 1;
  x->writes_memory = TP_NEW_ARRAY(bool, p->funcs.n);
  x->assigns = TP_NEW_ARRAY(uint64_t, p->funcs.n * x->n_words);
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
  tp_free(x->bit);
  tp_free(x->assigns);
  tp_free(x->is_param_fixed);
  *x = (tp_effects){0};
}

/* Foreign values (see the header). One pass applies every edge to the set; the set only grows. */
#include "certify/symbolic/foreign_values.h"
#include "certify/certify_limits.h"

/* Are pointers made from numbers: by a cast, or by reading as a pointer what was written as a
 * number? */
static bool makes_pointers(const tp_program *p) {
  tp_map seen = {0};
  TP_VEC(uint32_t) todo = {0};
  bool found = false;
  for (size_t i = 1; i < p->types.n; i++) found = found || p->types.at[i].kind == TP_T_UNION;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    const tp_term operands[] = {e->a, e->b, e->c};
    for (int k = 0; k < 3; k++)
      if (tp_term_is(operands[k])) tp_vec_push(&todo, operands[k].id);
    for (uint32_t k = 0; k < e->n_args; k++) tp_vec_push(&todo, e->args[k].id);
  }
  while (todo.n && !found) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_map_has(&seen, t.id)) continue;
    tp_map_set(&seen, t.id, 1);
    found = tp_kind(p->terms, t) == TP_OP_INT_TO_PTR;
    for (uint32_t i = 0; i < tp_n_args(p->terms, t); i++)
      tp_vec_push(&todo, tp_arg(p->terms, t, i).id);
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  return found;
}

/* Can a value of this variable be a pointer, if numbers can be made to pointers? */
static bool may_hold_pointer(const tp_program *p, tp_var v, bool numbers) {
  tp_sort s = tp_sort_of(p->terms, tp_var_of(p, v)->term);
  tp_sort_kind k = tp_sort_kind_of(p->terms, s);
  return k == TP_SORT_PTR || (numbers && (k == TP_SORT_BV || k == TP_SORT_FP) &&
                              tp_sort_bytes(p->terms, s) >= p->ptr_bits / 8);
}

static bool is_foreign_at_start(const tp_program *p, tp_var v, bool numbers) {
  return tp_var_of(p, v)->kind == TP_V_GLOBAL && !tp_term_is(tp_var_of(p, v)->initial) &&
         may_hold_pointer(p, v, numbers);
}

static bool is_foreign_input(const tp_program *p, const tp_edge_info *e, bool numbers) {
  return e->from.id && e->kind == TP_E_HAVOC && e->var.id &&
         (e->input == TP_I_EXTERN || e->input == TP_I_VOLATILE) &&
         may_hold_pointer(p, e->var, numbers);
}

/* Variables and memory before any edge is applied. Returns whether there is a source at all. */
static bool add_sources(tp_chk_foreign *f) {
  const tp_program *p = f->p;
  bool numbers = makes_pointers(p), some = false;
  for (size_t i = 1; i < p->statics.n; i++)
    if (p->statics.at[i].is_extern && p->statics.at[i].kind != TP_O_FUNCTION &&
        p->statics.at[i].size_bytes >= p->ptr_bits / 8)
      f->in_memory = true;
  for (uint32_t i = 1; i < p->vars.n; i++) {
    f->of_var[i] = is_foreign_at_start(p, (tp_var){i}, numbers);
    some = some || f->of_var[i];
  }
  for (size_t i = 1; i < p->edges.n; i++)
    if (is_foreign_input(p, &p->edges.at[i], numbers)) {
      f->of_var[p->edges.at[i].var.id] = 1;
      some = true;
    }
  return some || f->in_memory;
}

// ------------------------------------------------------------------------ flow

static bool add_var(tp_chk_foreign *f, tp_var v, bool is_foreign) {
  if (!is_foreign || !v.id || f->of_var[v.id]) return false;
  f->of_var[v.id] = 1;
  return true;
}

static bool add_memory(tp_chk_foreign *f, bool is_foreign) {
  if (!is_foreign || f->in_memory) return false;
  f->in_memory = true;
  return true;
}

/* Arguments become parameters, the callee's result that of the call. */
static bool apply_call_of(tp_chk_foreign *f, const tp_edge_info *e, const tp_func_info *callee) {
  bool grows = false;
  for (uint32_t k = 0; k < e->n_args; k++) {
    bool is_foreign = tp_chk_is_foreign(f, e->args[k]);
    if (k < callee->n_params)
      grows = add_var(f, callee->params[k], is_foreign) || grows;
    else
      grows = add_memory(f, is_foreign) || grows;
  }
  return add_var(f, e->var, callee->result.id && f->of_var[callee->result.id]) || grows;
}

/* Through a pointer every function may be called. */
static bool apply_call(tp_chk_foreign *f, const tp_edge_info *e) {
  if (e->callee.id) return apply_call_of(f, e, tp_func_of(f->p, e->callee));
  bool grows = false;
  for (size_t i = 1; i < f->p->funcs.n; i++)
    if (f->p->funcs.at[i].has_body) grows = apply_call_of(f, e, &f->p->funcs.at[i]) || grows;
  return grows;
}

static bool apply_return(tp_chk_foreign *f, const tp_edge_info *e) {
  tp_var result = tp_func_of(f->p, tp_loc_of(f->p, e->from)->func)->result;
  return add_var(f, result, tp_chk_is_foreign(f, e->a));
}

static bool apply(tp_chk_foreign *f, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_ASSIGN: return add_var(f, e->var, tp_chk_is_foreign(f, e->a));
    case TP_E_LOAD: return add_var(f, e->var, f->in_memory);
    case TP_E_STORE:
    case TP_E_SET: return add_memory(f, tp_chk_is_foreign(f, e->b));
    case TP_E_CALL: return apply_call(f, e);
    case TP_E_RETURN: return apply_return(f, e);
    case TP_E_HAVOC:  // the sources
    case TP_E_HAVOC_MEMORY:
    case TP_E_ALLOC:  // the pointer is the program's
    case TP_E_COPY:   // from memory to memory
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_FREE:
    case TP_E_END_SCOPE: return false;
  }
  return false;
}

static bool pass(tp_chk_foreign *f) {
  bool grows = false;
  for (size_t i = 1; i < f->p->edges.n; i++)
    if (f->p->edges.at[i].from.id) grows = apply(f, &f->p->edges.at[i]) || grows;
  return grows;
}

void tp_chk_foreign_init(tp_chk_foreign *f, const tp_program *p) {
  *f = (tp_chk_foreign){.p = p, .of_var = TP_NEW_ARRAY(uint8_t, p->vars.n)};
  if (!add_sources(f)) {
    tp_chk_foreign_clear(f);
    return;
  }
  uint32_t n = 0;
  while (pass(f))
    if (++n == TP_CERTIFY_FOREIGN_PASSES) {
      memset(f->of_var, 1, p->vars.n);
      f->in_memory = true;
    }
}

void tp_chk_foreign_clear(tp_chk_foreign *f) {
  tp_free(f->of_var);
  f->of_var = NULL;
}

/* A symbol that is no variable of the program is taken for one. */
bool tp_chk_is_foreign(const tp_chk_foreign *f, tp_term t) {
  if (!f->of_var || !tp_term_is(t)) return false;
  tp_map seen = {0};
  TP_VEC(uint32_t) todo = {0};
  bool found = false;
  tp_vec_push(&todo, t.id);
  while (todo.n && !found) {
    tp_term at = {tp_vec_pop(&todo)};
    if (tp_map_has(&seen, at.id)) continue;
    tp_map_set(&seen, at.id, 1);
    if (tp_kind(f->p->terms, at) == TP_OP_VAR) {
      tp_var v = tp_program_var_of(f->p, at);
      found = !v.id || f->of_var[v.id];
    }
    for (uint32_t i = 0; i < tp_n_args(f->p->terms, at); i++)
      tp_vec_push(&todo, tp_arg(f->p->terms, at, i).id);
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  return found;
}

/* Foreign values (see the header). The set only grows. */
#include "certify/symbolic/foreign_values.h"

#include "program/readers.h"

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

typedef struct {
  tp_chk_foreign *f;
  tp_readers readers;
  tp_edge_worklist todo;  // edges that read what has become foreign
} flow;

static void add_var(flow *w, tp_var v, bool is_foreign) {
  if (!is_foreign || !v.id || w->f->of_var[v.id]) return;
  w->f->of_var[v.id] = 1;
  tp_readers_push(&w->readers, v, &w->todo);
  for (size_t i = 0; i < w->readers.through_pointer.n; i++)
    tp_vec_push(&w->todo, w->readers.through_pointer.at[i]);
}

static void add_memory(flow *w, bool is_foreign) {
  if (!is_foreign || w->f->in_memory) return;
  w->f->in_memory = true;
  for (uint32_t i = 1; i < w->f->p->edges.n; i++)
    if (w->f->p->edges.at[i].kind == TP_E_LOAD) tp_vec_push(&w->todo, i);
}

/* Arguments become parameters, the callee's result that of the call. */
static void apply_call_of(flow *w, const tp_edge_info *e, const tp_func_info *callee) {
  for (uint32_t k = 0; k < e->n_args; k++) {
    bool is_foreign = tp_chk_is_foreign(w->f, e->args[k]);
    if (k < callee->n_params)
      add_var(w, callee->params[k], is_foreign);
    else
      add_memory(w, is_foreign);
  }
  add_var(w, e->var, callee->result.id && w->f->of_var[callee->result.id]);
}

/* Through a pointer every function may be called. */
static void apply_call(flow *w, const tp_edge_info *e) {
  const tp_program *p = w->f->p;
  if (e->callee.id) {
    apply_call_of(w, e, tp_func_of(p, e->callee));
    return;
  }
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body) apply_call_of(w, e, &p->funcs.at[i]);
}

static void apply_return(flow *w, const tp_edge_info *e) {
  tp_var result = tp_func_of(w->f->p, tp_loc_of(w->f->p, e->from)->func)->result;
  add_var(w, result, tp_chk_is_foreign(w->f, e->a));
}

static void apply(flow *w, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_ASSIGN: add_var(w, e->var, tp_chk_is_foreign(w->f, e->a)); break;
    case TP_E_LOAD: add_var(w, e->var, w->f->in_memory); break;
    case TP_E_STORE:
    case TP_E_SET: add_memory(w, tp_chk_is_foreign(w->f, e->b)); break;
    case TP_E_CALL: apply_call(w, e); break;
    case TP_E_RETURN: apply_return(w, e); break;
    case TP_E_HAVOC:  // the sources
    case TP_E_HAVOC_MEMORY:
    case TP_E_ALLOC:  // the pointer is the program's
    case TP_E_COPY:   // from memory to memory
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_FREE:
    case TP_E_END_SCOPE: break;
  }
}

void tp_chk_foreign_init(tp_chk_foreign *f, const tp_program *p) {
  *f = (tp_chk_foreign){.p = p, .of_var = TP_NEW_ARRAY(uint8_t, p->vars.n)};
  if (!add_sources(f)) {
    tp_chk_foreign_clear(f);
    return;
  }
  flow w = {.f = f};
  tp_readers_init(&w.readers, p);
  for (uint32_t i = 1; i < p->edges.n; i++) tp_vec_push(&w.todo, i);
  while (w.todo.n) {
    const tp_edge_info *e = &p->edges.at[tp_vec_pop(&w.todo)];
    if (e->from.id) apply(&w, e);
  }
  tp_readers_clear(&w.readers);
  tp_vec_clear(&w.todo);
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

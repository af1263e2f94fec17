/* Whether a function takes a pointer to a structure for an array: its code says so, where names of
 * parameters could mean both, as in put(struct ring *r, size_t n).
 *
 * Pointers of the parameter's value are followed through assignments and calls. One is used as an
 * array where a multiple of the structure's size that is not 0 is added to it: an index, a step, an
 * end; or where a block of a size that is not constant is copied or set there. What a function
 * without body makes of it is not known: then the names decide. */
#include "app/app_limits.h"
#include "app/environment_priv.h"

typedef struct {
  const tp_program *p;
  uint64_t size;  // of the structure
  tp_map seen;    // function << 32 | parameter
  uint32_t depth;
  bool is_array;
} array_search;

/* The variable whose value the pointer is made of by additions; NONE: it is another one. */
static tp_term base_of(const tp_terms *tt, tp_term t) {
  while (tp_kind(tt, t) == TP_OP_PTR_ADD) t = tp_arg(tt, t, 0);
  return t;
}

/* A factor, or a shift by as much, that is a multiple of the size. */
static bool is_scaled(void *ctx, const tp_terms *tt, tp_term t) {
  const uint64_t size = *(const uint64_t *)ctx;
  const tp_term_kind kind = tp_kind(tt, t);
  if (kind != TP_OP_BV_MUL && kind != TP_OP_BV_SHL) return false;
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t factor = 0;
    if (!tp_bv_value_u64(tt, tp_arg(tt, t, i), &factor) || (kind == TP_OP_BV_SHL && i == 0))
      continue;
    if (kind == TP_OP_BV_SHL) factor = factor < 64 ? (uint64_t)1 << factor : 0;
    if (factor && factor % size == 0) return true;
  }
  return false;
}

/* Does an addition within the pointer go to another element? */
static bool goes_on(array_search *x, tp_term t) {
  const tp_terms *tt = x->p->terms;
  for (; tp_kind(tt, t) == TP_OP_PTR_ADD; t = tp_arg(tt, t, 0)) {
    uint64_t offset = 0;
    const tp_term by = tp_arg(tt, t, 1);
    if (!tp_bv_value_u64(tt, by, &offset)) {
      if (x->size > 1 ? tp_any_subterm(tt, by, is_scaled, &x->size) : true) return true;
    } else if (offset >= x->size) {  // behind the structure, or before it
      return true;
    }
  }
  return false;
}

typedef struct {
  array_search *x;
  const tp_map *pointers;  // symbols that have the parameter's value
} term_search;

static bool is_use_as_array(void *ctx, const tp_terms *tt, tp_term t) {
  const term_search *s = ctx;
  return tp_kind(tt, t) == TP_OP_PTR_ADD && tp_map_has(s->pointers, base_of(tt, t).id) &&
         goes_on(s->x, t);
}

static bool leads_there(const array_search *x, const tp_map *pointers, tp_term t) {
  return tp_term_is(t) && tp_map_has(pointers, base_of(x->p->terms, t).id);
}

static void search_function(array_search *x, tp_func f, uint32_t parameter);

static void search_call(array_search *x, const tp_map *pointers, const tp_edge_info *e) {
  bool has_number = false;
  for (uint32_t i = 0; i < e->n_args; i++) has_number |= !tp_is_const(x->p->terms, e->args[i]);
  for (uint32_t i = 0; i < e->n_args && !x->is_array; i++) {
    if (!leads_there(x, pointers, e->args[i])) continue;
    const tp_func_info *callee = e->callee.id ? tp_func_of(x->p, e->callee) : NULL;
    if (!callee || !callee->has_body)
      x->is_array = true;
    else if (callee->is_model)
      x->is_array = has_number && e->n_args > 1;
    else
      search_function(x, e->callee, i);
  }
}

static void search_edge(array_search *x, tp_map *pointers, const tp_edge_info *e, bool *has_more) {
  term_search s = {x, pointers};
  const tp_term operands[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < 3 && !x->is_array; i++)
    x->is_array =
        tp_term_is(operands[i]) && tp_any_subterm(x->p->terms, operands[i], is_use_as_array, &s);
  for (uint32_t i = 0; i < e->n_args && !x->is_array; i++)
    x->is_array = tp_any_subterm(x->p->terms, e->args[i], is_use_as_array, &s);
  const bool is_block = e->kind == TP_E_COPY || e->kind == TP_E_SET;
  if (is_block && !tp_is_const(x->p->terms, e->c) &&
      (leads_there(x, pointers, e->a) || leads_there(x, pointers, e->b)))
    x->is_array = true;
  if (e->kind == TP_E_ASSIGN && e->var.id && leads_there(x, pointers, e->a)) {
    const uint32_t symbol = tp_var_of(x->p, e->var)->term.id;
    if (!tp_map_has(pointers, symbol)) *has_more = true;
    tp_map_set(pointers, symbol, 1);
  }
  if (e->kind == TP_E_CALL || (e->kind == TP_E_HAVOC && e->n_args)) search_call(x, pointers, e);
}

static void search_function(array_search *x, tp_func f, uint32_t parameter) {
  const tp_func_info *info = tp_func_of(x->p, f);
  const uint64_t key = (uint64_t)f.id << 32 | parameter;
  if (x->is_array || parameter >= info->n_params || x->depth > TP_APP_ENTRY_CALLS ||
      tp_map_has(&x->seen, key))
    return;
  tp_map_set(&x->seen, key, 1);
  x->depth++;
  tp_map pointers = {0};
  tp_map_set(&pointers, tp_var_of(x->p, info->params[parameter])->term.id, 1);
  for (bool has_more = true; has_more && !x->is_array;) {
    has_more = false;
    for (size_t e = 1; e < x->p->edges.n && !x->is_array; e++)
      if (tp_loc_of(x->p, x->p->edges.at[e].from)->func.id == f.id)
        search_edge(x, &pointers, &x->p->edges.at[e], &has_more);
  }
  tp_map_clear(&pointers);
  x->depth--;
}

bool tp_env_is_array(const tp_environment *w, tp_func f, uint32_t parameter, uint64_t size_bytes) {
  TP_REQUIRE(w && f.id);
  array_search x = {.p = w->p, .size = size_bytes};
  if (size_bytes == 0) return true;
  search_function(&x, f, parameter);
  tp_map_clear(&x.seen);
  return x.is_array;
}

/* Follows the address from variable to variable within the function that allocates. */
#include "contracts/modular/memory_purpose.h"

#include "program/pointsto.h"

typedef struct {
  const tp_program *p;
  tp_func func;
  bool *is_address;  // by variable: it may hold the address
  tp_type found;
  bool differs;
} search;

static const tp_type_info *info_of(const tp_program *p, tp_type t) { return tp_type_of(p, t); }
static bool is_kind(const tp_program *p, tp_type t, tp_type_kind k) {
  return t.id && info_of(p, t)->kind == k;
}

/* The address is a pointer of this type here; void * says nothing. */
static void note(search *x, tp_type pointer) {
  if (!is_kind(x->p, pointer, TP_T_POINTER)) return;
  const tp_type to = info_of(x->p, pointer)->element;
  if (!to.id || is_kind(x->p, to, TP_T_VOID)) return;
  x->differs = x->differs || (x->found.id && x->found.id != to.id);
  x->found = to;
}

static bool holds(const search *x, tp_term t) {
  if (!tp_term_is(t) || tp_kind(x->p->terms, t) != TP_OP_VAR) return false;
  const tp_var v = tp_program_var_of(x->p, t);
  return v.id && x->is_address[v.id];
}

/* True: another variable holds the address, too. */
static bool follow(search *x, const tp_edge_info *e) {
  if (e->kind == TP_E_STORE && holds(x, e->b)) note(x, e->type);
  if (e->kind == TP_E_RETURN && holds(x, e->a))
    note(x, info_of(x->p, tp_func_of(x->p, x->func)->type)->element);
  if (e->kind != TP_E_ASSIGN || !holds(x, e->a) || x->is_address[e->var.id]) return false;
  note(x, tp_var_of(x->p, e->var)->type);
  return x->is_address[e->var.id] = true;
}

static tp_type of_uses(const tp_program *p, tp_func f, tp_var address) {
  search x = {.p = p, .func = f, .is_address = TP_NEW_ARRAY(bool, p->vars.n)};
  x.is_address[address.id] = true;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 1; i < p->edges.n; i++)
      if (tp_loc_of(p, p->edges.at[i].from)->func.id == f.id)
        more = follow(&x, &p->edges.at[i]) || more;
  }
  tp_free(x.is_address);
  return x.differs ? TP_TYPE_NONE : x.found;
}

// ------------------------------------------------------------------ structs by value

static tp_type returned_struct(const tp_program *p, tp_func f) {
  const tp_type own = f.id ? tp_func_of(p, f)->type : TP_TYPE_NONE;
  const tp_type to = own.id ? info_of(p, own)->element : TP_TYPE_NONE;
  return is_kind(p, to, TP_T_STRUCT) ? to : TP_TYPE_NONE;
}

/* The call whose result the variable is. */
static tp_func callee_of_result(const tp_program *p, tp_func f, tp_term t) {
  const tp_var v = tp_kind(p->terms, t) == TP_OP_VAR ? tp_program_var_of(p, t) : (tp_var){0};
  for (uint32_t i = 1; v.id && i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind == TP_E_CALL && e->var.id == v.id && tp_loc_of(p, e->from)->func.id == f.id)
      return e->callee;
  }
  return (tp_func){0};
}

/* What a temporary of the calling convention holds: the struct that a call returns through its
 * address or that is stored in it, or the function's own result. */
static tp_type of_convention(const tp_program *p, tp_func f, const tp_edge_info *alloc) {
  const tp_term at = tp_var_of(p, alloc->var)->term;
  tp_type found = TP_TYPE_NONE;
  for (uint32_t i = 1; i < p->edges.n && !found.id; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (tp_loc_of(p, e->from)->func.id != f.id) continue;
    if (e->kind == TP_E_STORE && e->a.id == at.id)
      found = returned_struct(p, callee_of_result(p, f, e->b));
    else if (e->kind == TP_E_CALL && e->callee.id && e->n_args && e->args[0].id == at.id &&
             tp_func_of(p, e->callee)->n_params == e->n_args &&
             !tp_var_of(p, tp_func_of(p, e->callee)->params[0])->type.id)
      found = returned_struct(p, e->callee);
  }
  uint64_t size;
  const tp_type own = returned_struct(p, f);
  if (!found.id && strcmp(tp_var_of(p, alloc->var)->name, "retval") == 0) found = own;
  const bool fits = found.id && tp_bv_value_u64(p->terms, alloc->a, &size) &&
                    size == info_of(p, found)->size_bytes;
  return fits ? found : TP_TYPE_NONE;
}

tp_type tp_memory_purpose(const tp_program *p, tp_edge alloc) {
  const tp_edge_info *e = tp_edge_of(p, alloc);
  TP_REQUIRE(e->kind == TP_E_ALLOC && e->var.id);
  const tp_var_info *v = tp_var_of(p, e->var);
  const tp_func f = tp_loc_of(p, e->from)->func;
  const bool is_stack = e->object_kind == TP_O_STACK;
  tp_type t = v->is_address ? v->type : is_stack ? e->type : TP_TYPE_NONE;
  if (t.id) return t;
  if (!is_stack && is_kind(p, v->type, TP_T_POINTER)) {
    t = info_of(p, v->type)->element;
    if (t.id && !is_kind(p, t, TP_T_VOID)) return t;
  }
  t = is_stack ? of_convention(p, f, e) : of_uses(p, f, e->var);
  if (t.id) return t;
  tp_pointsto *classes = tp_pointsto_new(p);
  t = tp_pointsto_struct(classes, tp_pointsto_of_alloc(classes, alloc));
  tp_pointsto_free(classes);
  return t;
}

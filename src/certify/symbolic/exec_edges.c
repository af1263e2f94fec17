/* One edge on the state of a segment: variables, inputs, calls. Memory is exec_memory.c's. */
#include "certify/symbolic/executor.h"

#include "certify/bounded/unrolled_exec.h"

#include "certify/inductive/check_inductive.h"

static tp_sort sort_of_var(const tp_chk_exec *g, tp_var v) {
  return tp_sort_of(g->tt, tp_var_of(g->p, v)->term);
}

static tp_chk_value anything(tp_chk_exec *g, tp_var v) {
  return (tp_chk_value){tp_chk_exec_nondet(g, sort_of_var(g, v)), TP_PROVENANCE_ANY};
}

// ------------------------------------------------------------ assumes, inputs

static void assume(tp_chk_exec *g, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  tp_term holds = tp_chk_eval_edge_term(g, edge->a).term;
  if (edge->name && !tp_chk_is_intended_end(edge->name) && tp_out_edges(g->p, edge->from).n == 1)
    tp_chk_assume_defined(g, e, holds, TP_TERM_NONE);
  else
    tp_chk_assume(g, holds);
}

/* In the model a pointer that is asked for is an integer in pointer clothes; but as compiled such a
 * number can be anyone's address, so it may be any here, and so may be the pointer that an integer
 * is made to. */
static void havoc(tp_chk_exec *g, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  if (edge->input == TP_I_EXTERN && edge->may_write)
    tp_chk_require_unreachable(
        g, TP_CERTIFY_UNDECIDED,
        "a call of an external function that may write memory is not excluded");
  if (!edge->var.id || g->dead) return;
  bool is_pointer = tp_sort_kind_of(g->tt, sort_of_var(g, edge->var)) == TP_SORT_PTR,
       is_input = edge->input != TP_I_EXTERN && edge->input != TP_I_VOLATILE;
  if (is_pointer && is_input && g->unrolling) {
    tp_term number = tp_chk_exec_nondet(g, tp_sort_bv(g->tt, g->p->ptr_bits));
    tp_term pointer = tp_mk_ptr(g->tt, tp_mk_bv(g->tt, TP_OBJ_BITS, 0), number);
    tp_chk_exec_set(g, edge->var, (tp_chk_value){pointer, TP_PROVENANCE_NONE});
    return;
  }
  tp_chk_exec_set(g, edge->var, anything(g, edge->var));
  if (is_pointer) g->history.is_exact = false;
}

// ----------------------------------------------------------------------- calls

static tp_chk_value *arguments(tp_chk_exec *g, const tp_edge_info *edge) {
  tp_chk_value *args = TP_NEW_ARRAY(tp_chk_value, edge->n_args + 1);
  for (uint32_t i = 0; i < edge->n_args; i++) args[i] = tp_chk_eval_edge_term(g, edge->args[i]);
  return args;
}

/* The callee's frame comes to life: parameters are given, nothing is known of its other variables.
 */
static void enter_context(tp_chk_exec *g, const tp_edge_info *edge, uint32_t context,
                          tp_func callee) {
  const tp_func_info *f = tp_func_of(g->p, callee);
  tp_chk_value *args = arguments(g, edge);
  tp_term lost = g->state.lost;
  g->state.context = context;
  for (uint32_t i = g->locals.first[callee.id]; i < g->locals.first[callee.id + 1]; i++)
    tp_chk_exec_set(g, g->locals.at[i], anything(g, g->locals.at[i]));
  for (uint32_t i = 0; i < f->n_params; i++) tp_chk_exec_set(g, f->params[i], args[i]);
  if (tp_term_is(lost))
    lost = tp_mk_and(g->tt, lost,
                     tp_chk_exec_nondet(g, tp_sort_bool(g->tt)));  // a parameter may hold it again
  g->state.lost = lost;
  g->state.loc = f->entry;
  if (g->unrolling) tp_chk_unrolling_enter(g, callee);
  tp_free(args);
}

/* A formula of a contract, where these variables of the callee have these values. */
static tp_term contract_formula(tp_chk_exec *g, tp_term formula, const tp_var *vars,
                                const tp_chk_value *values, uint32_t n) {
  tp_chk_value *saved = TP_NEW_ARRAY(tp_chk_value, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    saved[i] = g->values[vars[i].id];
    g->values[vars[i].id] = values[i];
  }
  tp_term t = tp_chk_eval_formula(g, formula);
  for (uint32_t i = n; i-- > 0;) g->values[vars[i].id] = saved[i];
  tp_free(saved);
  return t;
}

/* After a call that wrote memory and is not looked into: memory and objects may be anything. */
static void havoc_memory(tp_chk_exec *g) {
  tp_chk_state *m = &g->state;
  tp_chk_epoch before = m->age;
  m->age = tp_chk_history_later_epoch(&g->history, before);
  tp_chk_assume(
      g, tp_mk2(g->tt, TP_OP_BV_ULE, tp_chk_history_next_object(&g->history, before), m->age.base));
  tp_chk_assume(
      g, tp_mk2(g->tt, TP_OP_BV_ULE, m->age.base, tp_mk_bv(g->tt, TP_OBJ_BITS, TP_MOST_OBJECTS)));
  m->memory = tp_chk_history_havoc(&g->history, m->memory, m->age);
  m->ghosts = tp_chk_history_ghost_havoc(&g->history, m->ghosts, before);
  m->heap = tp_chk_exec_nondet(g, tp_sort_bv(g->tt, 32));
}

/* After a call that is not looked into: what the function, or one that it calls, may change is
 * anything; the rest is as it was. */
static void havoc_world(tp_chk_exec *g, tp_func callee) {
  if (tp_effects_writes_memory(&g->effects, callee)) havoc_memory(g);
  for (uint32_t i = g->locals.first[0]; i < g->locals.first[1]; i++) {
    const tp_var v = g->locals.at[i];
    if (tp_var_of(g->p, v)->kind == TP_V_GLOBAL && tp_effects_assigns(&g->effects, callee, v))
      tp_chk_exec_set(g, v, anything(g, v));
  }
  g->state.lost = TP_TERM_NONE;
}

/* The post of a contract behind the call: parameters in it are never assigned, so at the exit they
 * still are the arguments. */
static tp_term post_formula(tp_chk_exec *g, const tp_chk_contract *c, const tp_chk_value *args,
                            tp_chk_value result) {
  const tp_func_info *f = tp_func_of(g->p, c->func);
  tp_var *vars = TP_NEW_ARRAY(tp_var, f->n_params + 1);
  tp_chk_value *values = TP_NEW_ARRAY(tp_chk_value, f->n_params + 1);
  for (uint32_t i = 0; i < f->n_params; i++) {
    vars[i] = f->params[i];
    values[i] = args[i];
  }
  vars[f->n_params] = f->result;
  values[f->n_params] = result;
  tp_term t = contract_formula(g, c->post, vars, values, f->n_params + (f->result.id ? 1 : 0));
  tp_free(vars);
  tp_free(values);
  return t;
}

/* The call as a whole: one of the contracts' pre holds; then the post of each whose pre held. */
static void by_contract(tp_chk_exec *g, const tp_edge_info *edge, tp_func callee) {
  const tp_func_info *f = tp_func_of(g->p, callee);
  tp_chk_value *args = arguments(g, edge), result = {0};
  TP_VEC(tp_term) pres = {0};
  const tp_chk_contract *all = g->cert->contracts.at;
  for (uint32_t k = g->cert->first_contract[callee.id]; k; k = all[k].next_of_func)
    tp_vec_push(&pres, contract_formula(g, all[k].pre, f->params, args, f->n_params));
  tp_chk_require_one_of(g, pres.at, (uint32_t)pres.n, "a call meets no contract's pre");
  havoc_world(g, callee);
  if (f->result.id) result = anything(g, f->result);
  size_t i = 0;
  for (uint32_t k = g->cert->first_contract[callee.id]; k; k = all[k].next_of_func, i++) {
    tp_term post = post_formula(g, &all[k], args, result);
    bool only = pres.n == 1 || tp_chk_is_assumed(g, pres.at[i]);
    tp_chk_assume(g, only ? post : tp_mk_implies(g->tt, pres.at[i], post));
  }
  if (edge->var.id && f->result.id) tp_chk_exec_set(g, edge->var, result);
  g->state.loc = edge->to;
  tp_vec_clear(&pres);
  tp_free(args);
}

/* Do the call's arguments and its use of the result fit the function's type? */
static bool fits(const tp_chk_exec *g, const tp_edge_info *edge, const tp_func_info *f) {
  if (edge->n_args != f->n_params || (edge->var.id && !f->result.id)) return false;
  for (uint32_t i = 0; i < edge->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(g->tt, edge->args[i]), sort_of_var(g, f->params[i]))) return false;
  return !edge->var.id || tp_sort_eq(sort_of_var(g, edge->var), sort_of_var(g, f->result));
}

static bool can_enter(const tp_chk_exec *g, tp_edge e, tp_func callee) {
  const tp_func_info *f = tp_func_of(g->p, callee);
  if (!f->has_body || !f->entry.id || !fits(g, tp_edge_of(g->p, e), f)) return false;
  return g->unrolling || g->cert->first_contract[callee.id] ||
         tp_chk_cert_callee_context(g->cert, g->state.context, e, callee);
}

static bool enter(tp_chk_exec *g, tp_edge e, tp_func callee) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  if (!can_enter(g, e, callee)) {
    tp_chk_require_unreachable(g, TP_CERTIFY_REJECTED,
                               "a call that the certificate does not follow");
    return false;
  }
  if (g->unrolling) {
    uint32_t context = tp_chk_unrolling_call(g, e, callee);
    if (!context) return false;
    enter_context(g, edge, context, callee);
  } else if (g->cert->first_contract[callee.id])
    by_contract(g, edge, callee);
  else
    enter_context(g, edge, tp_chk_cert_callee_context(g->cert, g->state.context, e, callee),
                  callee);
  return true;
}

/* Is this static a function, and the pointer its address? */
static tp_term points_to(tp_chk_exec *g, tp_term ptr, uint32_t object) {
  return tp_mk_eq(g->tt, ptr, tp_mk_ptr_const(g->tt, object, 0));
}

/* Each candidate that the certificate follows is a path of its own; no other may be reached. */
static bool call_through_pointer(tp_chk_exec *g, tp_edge e) {
  const tp_program *p = g->p;
  tp_term ptr = tp_chk_eval_edge_term(g, tp_edge_of(p, e)->a).term, any = tp_mk_false(g->tt),
          strange = any;
  TP_VEC(tp_func) candidates = {0};
  for (uint32_t k = 1; k < p->statics.n; k++) {
    tp_func f = p->statics.at[k].func;
    if (p->statics.at[k].kind != TP_O_FUNCTION || !f.id) continue;
    tp_term here = points_to(g, ptr, k);
    if (tp_is_false(g->tt, here)) continue;
    any = tp_mk_or(g->tt, any, here);
    if (can_enter(g, e, f))
      tp_vec_push(&candidates, f);
    else
      strange = tp_mk_or(g->tt, strange, here);
  }
  tp_chk_assume_defined(g, e, any, tp_edge_of(p, e)->a);
  if (!tp_is_false(g->tt, strange)) {
    tp_term none = tp_mk_not(g->tt, strange);
    tp_chk_require_one_of(g, &none, 1, "a call that the certificate does not follow");
    tp_chk_assume(g, none);
  }
  for (size_t i = candidates.n; !g->dead && i-- > 0;) tp_chk_exec_postpone(g, e, candidates.at[i]);
  tp_vec_clear(&candidates);
  return false;
}

static bool call(tp_chk_exec *g, tp_edge e, tp_func chosen) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  if (edge->callee.id) return enter(g, e, edge->callee);
  if (!chosen.id) return call_through_pointer(g, e);
  tp_term ptr = tp_chk_eval_edge_term(g, edge->a).term, here = tp_mk_false(g->tt);
  for (uint32_t k = 1; k < g->p->statics.n; k++)
    if (g->p->statics.at[k].func.id == chosen.id && g->p->statics.at[k].kind == TP_O_FUNCTION)
      here = tp_mk_or(g->tt, here, points_to(g, ptr, k));
  tp_chk_assume(g, here);
  return !g->dead && enter(g, e, chosen);
}

// ----------------------------------------------------------------------- edges

static void exec_return(tp_chk_exec *g, const tp_edge_info *edge) {
  tp_var result = tp_func_of(g->p, tp_loc_of(g->p, edge->from)->func)->result;
  if (result.id && tp_term_is(edge->a))
    tp_chk_exec_set(g, result, tp_chk_eval_edge_term(g, edge->a));
}

bool tp_chk_exec_edge(tp_chk_exec *g, tp_edge e, tp_func callee) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  g->edges++;
  if (g->unrolling) tp_chk_unrolling_see(g, e);
  switch (edge->kind) {
    case TP_E_SKIP: break;
    case TP_E_ASSIGN: tp_chk_exec_set(g, edge->var, tp_chk_eval_edge_term(g, edge->a)); break;
    case TP_E_ASSUME: assume(g, e); break;
    case TP_E_HAVOC: havoc(g, e); break;
    case TP_E_CALL: return call(g, e, callee);
    case TP_E_RETURN: exec_return(g, edge); break;
    case TP_E_LOAD:
    case TP_E_STORE:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_END_SCOPE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: tp_chk_exec_memory_edge(g, e); break;
  }
  g->state.loc = edge->to;
  return !g->dead;
}

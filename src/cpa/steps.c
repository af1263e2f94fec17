/* Steps are read off the edges; only calls need tables: the callees (of calls through pointers,
 * from points-to classes) and, for RETURN steps, which calls lead to a function. */
#include "cpa/steps.h"

#include "cpa/arguments.h"
#include "program/pointsto.h"

typedef struct {
  TP_VEC(tp_edge) calls;
} callers;

struct tp_steps {
  const tp_program *p;
  const tp_contexts *contexts;
  tp_pointsto *pointsto;  // NULL: no calls through pointers
  tp_arguments *arguments;
  callers *callers;  // by function: call edges that may enter it by a CALL step
};

// ------------------------------------------------------------------------ calls

static bool is_call(const tp_edge_info *e) { return e->kind == TP_E_CALL && e->from.id; }

/* Do arity and sorts match? Otherwise the run ends at the call. */
static bool fits(const tp_program *p, const tp_edge_info *e, const tp_func_info *f) {
  TP_REQUIRE(is_call(e));
  const tp_terms *tt = p->terms;
  if (!f->has_body) return true;
  if (e->n_args != f->n_params) return false;
  for (uint32_t i = 0; i < e->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(tt, e->args[i]), tp_sort_of(tt, tp_var_of(p, f->params[i])->term)))
      return false;
  if (!e->var.id) return true;
  return f->result.id && tp_sort_eq(tp_sort_of(tt, tp_var_of(p, e->var)->term),
                                    tp_sort_of(tt, tp_var_of(p, f->result)->term));
}

static tp_func_list candidates(const tp_steps *s, tp_edge call) {
  TP_REQUIRE(tp_edge_of(s->p, call)->callee.id || s->pointsto);  // needed by calls through pointers
  const tp_edge_info *e = tp_edge_of(s->p, call);
  if (e->callee.id) return (tp_func_list){&e->callee, 1};
  return tp_pointsto_callees(s->pointsto, call);
}

static bool by_summary(const tp_func_info *f) { return !f->has_body || f->is_recursive; }

static void find_callers(tp_steps *s, tp_edge call) {
  const tp_edge_info *e = tp_edge_of(s->p, call);
  tp_func_list to = candidates(s, call);
  for (uint32_t i = 0; i < to.n; i++) {
    const tp_func_info *f = tp_func_of(s->p, to.at[i]);
    if (!by_summary(f) && fits(s->p, e, f)) tp_vec_push(&s->callers[to.at[i].id].calls, call);
  }
}

tp_steps *tp_steps_new(const tp_program *p, const tp_contexts *contexts) {
  tp_steps *s = TP_NEW(tp_steps);
  *s = (tp_steps){.p = p,
                  .contexts = contexts,
                  .arguments = tp_arguments_new(p),
                  .callers = TP_NEW_ARRAY(callers, p->funcs.n)};
  bool through_pointer = false;
  for (size_t e = 1; e < p->edges.n; e++)
    through_pointer |= is_call(&p->edges.at[e]) && !p->edges.at[e].callee.id;
  if (through_pointer) s->pointsto = tp_pointsto_new(p);
  for (uint32_t e = 1; e < p->edges.n; e++)
    if (is_call(&p->edges.at[e])) find_callers(s, (tp_edge){e});
  return s;
}

void tp_steps_omit_caller_conditions(tp_steps *s) {
  tp_arguments_free(s->arguments);
  s->arguments = NULL;
}

void tp_steps_free(tp_steps *s) {
  if (!s) return;
  for (size_t f = 0; f < s->p->funcs.n; f++) tp_vec_clear(&s->callers[f].calls);
  tp_free(s->callers);
  if (s->arguments) tp_arguments_free(s->arguments);
  if (s->pointsto) tp_pointsto_free(s->pointsto);
  tp_free(s);
}

// ------------------------------------------------------------------------ steps

/* A function that is active already is never entered again, even if the call graph does not mark
 * the function as recursive. */
static void call_steps(const tp_steps *s, tp_edge call, tp_context context, tp_step_list *out) {
  const tp_edge_info *e = tp_edge_of(s->p, call);
  tp_func_list to = candidates(s, call);
  for (uint32_t i = 0; i < to.n; i++) {
    const tp_func_info *f = tp_func_of(s->p, to.at[i]);
    if (!fits(s->p, e, f)) continue;
    tp_step x = {
        .kind = TP_STEP_CALL, .edge = call, .callee = to.at[i], .from = e->from, .to = f->entry};
    if (by_summary(f) || tp_context_has(s->contexts, context, to.at[i])) {
      x.kind = TP_STEP_SUMMARY;
      x.to = e->to;
    }
    tp_vec_push(&out->list, x);
  }
}

/* The condition over callers' variables; NONE: equal to the condition itself, or TRUE. */
static tp_term caller_condition(const tp_steps *s, tp_context context, tp_term condition) {
  if (!context.id || !s->arguments) return TP_TERM_NONE;
  tp_term t = tp_arguments_unfold(s->arguments, s->contexts, context, condition);
  return tp_term_eq(t, condition) || tp_is_true(s->p->terms, t) ? TP_TERM_NONE : t;
}

static void out_steps(const tp_steps *s, tp_loc loc, tp_context context, tp_step_list *out) {
  tp_edge_list edges = tp_out_edges(s->p, loc);
  for (uint32_t i = 0; i < edges.n; i++) {
    tp_edge id = {edges.at[i]};
    const tp_edge_info *e = tp_edge_of(s->p, id);
    if (e->kind == TP_E_CALL) {
      call_steps(s, id, context, out);
      continue;
    }
    tp_step x = {.kind = TP_STEP_EDGE, .edge = id, .from = e->from, .to = e->to};
    if (e->kind == TP_E_ASSUME) x.caller_condition = caller_condition(s, context, e->a);
    tp_vec_push(&out->list, x);
  }
}

/* In a context the exit has one RETURN step; in a root context, none. */
static void return_steps(const tp_steps *s, tp_func f, tp_context context, tp_step_list *out) {
  TP_REQUIRE(f.id && f.id < s->p->funcs.n);
  const callers *by = &s->callers[f.id];
  const tp_context_info *top = context.id ? tp_context_of(s->contexts, context) : NULL;
  for (size_t i = 0; i < by->calls.n; i++) {
    tp_edge call = by->calls.at[i];
    if (top && top->call.id != call.id) continue;
    tp_loc to = tp_edge_of(s->p, call)->to;
    TP_INVARIANT(to.id && to.id < s->p->locs.n);
    tp_vec_push(&out->list, (tp_step){.kind = TP_STEP_RETURN,
                                      .edge = call,
                                      .callee = f,
                                      .from = tp_func_of(s->p, f)->exit,
                                      .to = to});
  }
}

static void all_steps(const tp_steps *s, tp_context context, tp_step_list *out) {
  for (uint32_t l = 1; l < s->p->locs.n; l++) out_steps(s, (tp_loc){l}, context, out);
  for (uint32_t f = 1; f < s->p->funcs.n; f++) return_steps(s, (tp_func){f}, context, out);
}

void tp_steps_from(const tp_steps *s, tp_loc loc, tp_context context, tp_step_list *out) {
  TP_REQUIRE(loc.id < s->p->locs.n && context.id < s->contexts->list.n);
  out->list.n = 0;
  if (!loc.id) {
    all_steps(s, context, out);
    return;
  }
  out_steps(s, loc, context, out);
  tp_func f = tp_loc_of(s->p, loc)->func;
  if (f.id && tp_func_of(s->p, f)->exit.id == loc.id) return_steps(s, f, context, out);
}

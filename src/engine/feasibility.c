/* One state for each node of the paths, in topological order. On a single path nothing is joined,
 * so values stay as simple as the path makes them, and a branch that cannot be taken shows early. A
 * step that cannot be followed leaves its path undecided: others may still fail, but then
 * nothing is infeasible. */
#include "engine/feasibility.h"

#include "engine/query.h"
#include "engine/test_vector.h"
#include "program/locals.h"

typedef struct {
  const tp_program *p;
  tp_symex x;
  tp_sym s;           // of the step at hand
  bool is_undecided;  // a step that cannot be followed was met
  tp_locals locals;
} execution;

/* The path at hand ends here, and nobody knows whether it could go on. */
static void leave_undecided(execution *t) {
  t->is_undecided = true;
  tp_sym_assume(&t->x, &t->s, tp_mk_false(t->x.tt));
}

/* No function is active twice on the path, so its variables have no other values to keep. */
static void havoc_locals(execution *t, tp_func f) {
  for (uint32_t i = t->locals.first[f.id]; i < t->locals.first[f.id + 1]; i++)
    tp_sym_set(&t->s, t->locals.at[i], TP_TERM_NONE);
}

static void enter_call(execution *t, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(t->p, step->edge);
  const tp_func_info *f = tp_func_of(t->p, step->callee);
  tp_terms *tt = t->x.tt;
  if (!e->callee.id) {
    tp_term pointer = tp_sym_eval(&t->x, &t->s, e->a);
    tp_sym_assume(&t->x, &t->s, tp_mk_eq(tt, pointer, tp_mk_ptr_const(tt, f->object, 0)));
  }
  if (e->n_args != f->n_params) {
    leave_undecided(t);
    return;
  }
  tp_term *args = TP_NEW_ARRAY(tp_term, e->n_args + 1);
  bool fits = true;
  for (uint32_t i = 0; i < e->n_args; i++) {
    args[i] = tp_sym_eval(&t->x, &t->s, e->args[i]);
    fits &=
        tp_sort_eq(tp_sort_of(tt, args[i]), tp_sort_of(tt, tp_var_of(t->p, f->params[i])->term));
  }
  havoc_locals(t, step->callee);
  for (uint32_t i = 0; i < e->n_args && fits; i++) tp_sym_set(&t->s, f->params[i], args[i]);
  if (!fits) leave_undecided(t);
  tp_free(args);
}

static void leave_call(execution *t, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(t->p, step->edge);
  tp_var result = tp_func_of(t->p, step->callee)->result;
  tp_term value = e->var.id && result.id ? tp_sym_get(&t->x, &t->s, result) : TP_TERM_NONE;
  havoc_locals(t, step->callee);
  if (!tp_term_is(value)) return;
  if (tp_sort_eq(tp_sort_of(t->x.tt, value), tp_sort_of(t->x.tt, tp_var_of(t->p, e->var)->term)))
    tp_sym_set(&t->s, e->var, value);
  else
    leave_undecided(t);
}

static void take_step(execution *t, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(t->p, step->edge);
  if (e->kind == TP_E_ASSUME &&
      tp_out_edges(t->p, e->from).n > 1) {  // a branch, not an assumption of the meaning
    tp_sym_assume(&t->x, &t->s, tp_sym_eval(&t->x, &t->s, e->a));
    return;
  }
  if (e->kind == TP_E_RETURN && tp_term_is(e->a)) {
    tp_var result = tp_func_of(t->p, tp_loc_of(t->p, e->from)->func)->result;
    if (result.id) tp_sym_set(&t->s, result, tp_sym_eval(&t->x, &t->s, e->a));
  }
  tp_sym_step(&t->x, &t->s, step->edge);
}

static void follow(execution *t, const tp_step *step) {
  t->x.edges_done++;
  switch (step->kind) {
    case TP_STEP_EDGE: take_step(t, step); break;
    case TP_STEP_CALL: enter_call(t, step); break;
    case TP_STEP_RETURN: leave_call(t, step); break;
    case TP_STEP_SUMMARY: leave_undecided(t); break;
  }
}

static bool is_over(const tp_sym *s) { return tp_guard_is_false(s->guard); }

/* The state at a node: everything that leads to it, joined. False: nothing does. */
static bool arrive(execution *t, const tp_reached_paths *w, const tp_reached_path_node *n,
                   const tp_sym *states, const bool *has, tp_sym *out) {
  bool any = false;
  for (uint32_t i = n->first; i < n->first + n->n; i++) {
    const tp_reached_path_edge *in = &w->ins.at[i];
    if (!has[in->from]) continue;
    t->s = tp_sym_copy(&states[in->from]);
    follow(t, &in->step);
    if (is_over(&t->s))
      tp_sym_clear(&t->s);
    else
      *out = any ? tp_sym_join(&t->x, *out, t->s) : t->s, any = true;
  }
  return any;
}

/* The state at the last node; false: no path leads there. */
static bool follow_all(execution *t, const tp_reached_paths *w, tp_sym *out) {
  tp_sym *states = TP_NEW_ARRAY(tp_sym, w->nodes.n);
  bool *has = TP_NEW_ARRAY(bool, w->nodes.n);
  size_t last = w->nodes.n - 1;
  states[0] = tp_sym_initial(&t->x);
  has[0] = true;
  for (size_t i = 1; i <= last; i++)
    has[i] = arrive(t, w, &w->nodes.at[i], states, has, &states[i]);
  bool arrives = has[last];
  if (arrives) *out = tp_sym_copy(&states[last]);
  for (size_t i = 0; i <= last; i++)
    if (has[i]) tp_sym_clear(&states[i]);
  tp_free(states);
  tp_free(has);
  return arrives;
}

static tp_feasibility query_end(execution *t, tp_sym *s, const tp_task *task, double cpu_s,
                                tp_stats *stats, tp_inputs *inputs, tp_property *violated) {
  tp_feasibility answer = TP_FEASIBILITY_UNKNOWN;
  tp_query q;
  tp_query_init(&q, &t->x, task->solver, stats);
  tp_smt_answer a = tp_query_thorough(&q, tp_guard_term(&t->x.guards, s->guard), 0, cpu_s);
  if (a == TP_SMT_UNSAT)
    answer = TP_FEASIBILITY_INFEASIBLE;
  else if (a == TP_SMT_SAT && tp_test_vector_fails(&q, task->property, inputs, violated))
    answer = TP_FEASIBILITY_FAILS;
  tp_query_clear(&q);
  return answer;
}

static tp_step first_step(const tp_reached_paths *w) {
  for (size_t i = 0; i < w->ins.n; i++)
    if (w->ins.at[i].from == 0) return w->ins.at[i].step;
  return (tp_step){0};
}

tp_feasibility tp_feasibility_check(const tp_task *task, const tp_reached_paths *paths,
                                    double cpu_s, tp_stats *stats, tp_inputs *inputs,
                                    tp_property *violated) {
  TP_REQUIRE(paths->cuts.n > 0 && cpu_s >= 0);
  execution t = {.p = task->program};
  const tp_func_info *main = tp_func_of(t.p, t.p->main);
  if (first_step(paths).from.id != main->entry.id) return TP_FEASIBILITY_UNKNOWN;
  tp_sym end;
  tp_symex_init(&t.x, t.p, task->property);
  tp_locals_init(&t.locals, t.p);
  tp_feasibility answer = TP_FEASIBILITY_INFEASIBLE;
  if (follow_all(&t, paths, &end)) {
    answer = query_end(&t, &end, task, cpu_s, stats, inputs, violated);
    tp_sym_clear(&end);
  }
  if (answer == TP_FEASIBILITY_INFEASIBLE && t.is_undecided) answer = TP_FEASIBILITY_UNKNOWN;
  tp_symex_clear(&t.x);
  tp_locals_clear(&t.locals);
  return answer;
}

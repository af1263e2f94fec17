/* One path, one state: nothing is joined, so values stay as simple as the path makes them, and a branch that cannot be taken
 * shows early. */
#include "engine/trail.h"

#include "engine/query.h"
#include "engine/vector.h"
#include "program/locals.h"

typedef struct {
  const tp_program *p;
  tp_symex x;
  tp_sym s;
  bool lost;                   // a step that cannot be followed
  tp_locals locals;
} trail;

/* No function is active twice on the way, so its variables have no other values to keep. */
static void forget_locals(trail *t, tp_func f) {
  for (uint32_t i = t->locals.first[f.id]; i < t->locals.first[f.id + 1]; i++) tp_sym_set(&t->s, t->locals.at[i], TP_TERM_NONE);
}

static void enter(trail *t, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(t->p, step->edge);
  const tp_func_info *f = tp_func_of(t->p, step->callee);
  tp_terms *tt = t->x.tt;
  if (!e->callee.id) {
    tp_term pointer = tp_sym_eval(&t->x, &t->s, e->a);
    tp_sym_assume(&t->x, &t->s, tp_mk_eq(tt, pointer, tp_mk_ptr_const(tt, f->object, 0)));
  }
  if (e->n_args != f->n_params) {
    t->lost = true;
    return;
  }
  tp_term *args = TP_NEW_ARRAY(tp_term, e->n_args + 1);
  for (uint32_t i = 0; i < e->n_args; i++) {
    args[i] = tp_sym_eval(&t->x, &t->s, e->args[i]);
    t->lost |= !tp_sort_eq(tp_sort_of(tt, args[i]), tp_sort_of(tt, tp_var_of(t->p, f->params[i])->term));
  }
  forget_locals(t, step->callee);
  for (uint32_t i = 0; i < e->n_args && !t->lost; i++) tp_sym_set(&t->s, f->params[i], args[i]);
  tp_free(args);
}

static void leave(trail *t, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(t->p, step->edge);
  tp_var result = tp_func_of(t->p, step->callee)->result;
  tp_term value = e->var.id && result.id ? tp_sym_get(&t->x, &t->s, result) : TP_TERM_NONE;
  forget_locals(t, step->callee);
  if (!tp_term_is(value)) return;
  if (tp_sort_eq(tp_sort_of(t->x.tt, value), tp_sort_of(t->x.tt, tp_var_of(t->p, e->var)->term))) tp_sym_set(&t->s, e->var, value);
  else t->lost = true;
}

static void take(trail *t, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(t->p, step->edge);
  if (e->kind == TP_E_ASSUME && tp_out_edges(t->p, e->from).n > 1) {         // a branch, not an assumption of the meaning
    tp_sym_assume(&t->x, &t->s, tp_sym_eval(&t->x, &t->s, e->a));
    return;
  }
  if (e->kind == TP_E_RETURN && tp_term_is(e->a)) {
    tp_var result = tp_func_of(t->p, tp_loc_of(t->p, e->from)->func)->result;
    if (result.id) tp_sym_set(&t->s, result, tp_sym_eval(&t->x, &t->s, e->a));
  }
  tp_sym_step(&t->x, &t->s, step->edge);
}

static void follow(trail *t, const tp_step *steps, size_t n) {
  for (size_t i = 0; i < n && !t->lost && !tp_guard_is_false(t->s.guard); i++) {
    t->x.edges_done++;
    switch (steps[i].kind) {
      case TP_STEP_EDGE: take(t, &steps[i]); break;
      case TP_STEP_CALL: enter(t, &steps[i]); break;
      case TP_STEP_RETURN: leave(t, &steps[i]); break;
      case TP_STEP_SUMMARY: t->lost = true; break;
    }
  }
}

tp_trail_answer tp_trail_follow(const tp_task *task, const tp_step *steps, size_t n, double cpu_s, tp_stats *stats, tp_inputs *inputs,
                                tp_property *violated) {
  trail t = {.p = task->program};
  const tp_func_info *main = tp_func_of(t.p, t.p->main);
  if (n == 0 || steps[0].from.id != main->entry.id) return TP_TRAIL_UNKNOWN;
  tp_symex_init(&t.x, t.p, task->property);
  t.s = tp_sym_initial(&t.x);
  tp_locals_init(&t.locals, t.p);
  follow(&t, steps, n);
  tp_trail_answer answer = TP_TRAIL_UNKNOWN;
  if (tp_guard_is_false(t.s.guard)) {
    answer = TP_TRAIL_INFEASIBLE;
  } else if (!t.lost) {
    tp_query q;
    tp_query_init(&q, &t.x, task->solver, stats);
    tp_smt_answer a = tp_query_thorough(&q, tp_guard_term(&t.x.guards, t.s.guard), 0, cpu_s);
    if (a == TP_SMT_UNSAT) answer = TP_TRAIL_INFEASIBLE;
    else if (a == TP_SMT_SAT && tp_vector_fails(&q, task->property, inputs, violated)) answer = TP_TRAIL_FAILS;
    tp_query_clear(&q);
  }
  tp_sym_clear(&t.s);
  tp_symex_clear(&t.x);
  tp_locals_clear(&t.locals);
  return answer;
}

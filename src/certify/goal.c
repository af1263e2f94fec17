/* Questions about a state of a segment.
 *
 * Most goals are facts already: an invariant that speaks of what did not change. What is left goes to the solver, together
 * with what the model guarantees of the pointers and objects that the question mentions. Where one of many goals has to
 * hold, models choose: only goals that hold in some state that is here are needed. */
#include "certify/segment.h"

enum { MANY_GOALS = 6, MANY_STATICS = 256 };

// --------------------------------------------------------------------- residues

/* The conjuncts of a goal that are not known yet; false if one cannot hold. */
static tp_term residue(const tp_csegment *g, tp_term goal) {
  tp_terms *tt = g->tt;
  tp_term rest = tp_mk_true(tt);
  TP_VEC(uint32_t) todo = {0};
  tp_vec_push(&todo, goal.id);
  while (todo.n && !tp_is_false(tt, rest)) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_csegment_knows(g, t)) continue;
    if (tp_kind(tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(tt, t, 1).id);
      tp_vec_push(&todo, tp_arg(tt, t, 0).id);
    } else {
      rest = tp_csegment_knows(g, tp_mk_not(tt, t)) ? tp_mk_false(tt) : tp_mk_and(tt, rest, t);
    }
  }
  tp_vec_clear(&todo);
  return rest;
}

// ---------------------------------------------------------------- side conditions

typedef struct {
  tp_csegment *g;
  tp_map seen;
  TP_VEC(uint32_t) todo;
  bool ghosts[TP_N_GHOSTS];    // the array is read at an unknown object
} guarantees;

static void about_pointer(guarantees *s, tp_term leaf) {
  tp_csegment *g = s->g;
  tp_term next;
  if (!tp_cpast_is_older(&g->past, leaf, &next)) return;
  tp_smt_assert(g->solver, tp_mk2(g->tt, TP_OP_BV_ULT, tp_mk1(g->tt, TP_OP_PTR_OBJ, leaf), next));
}

static void look(guarantees *s, tp_term t) {
  tp_csegment *g = s->g;
  tp_term_kind k = tp_kind(g->tt, t);
  tp_cghost ghost;
  bool is_select = k == TP_OP_SELECT, is_pointer = tp_sort_kind_of(g->tt, tp_sort_of(g->tt, t)) == TP_SORT_PTR;
  if (is_pointer && (k == TP_OP_VAR || is_select)) about_pointer(s, t);
  if (is_select && tp_cpast_is_ghost(&g->past, tp_arg(g->tt, t, 0), &ghost)) s->ghosts[ghost] = true;
  for (uint32_t i = 0; i < tp_n_args(g->tt, t); i++) tp_vec_push(&s->todo, tp_arg(g->tt, t, i).id);
}

static void about_statics(guarantees *s) {
  tp_csegment *g = s->g;
  const tp_var vars[TP_N_GHOSTS] = {[TP_GHOST_SIZE] = g->p->ghost_size, [TP_GHOST_LIVE] = g->p->ghost_live, [TP_GHOST_KIND] = g->p->ghost_kind};
  for (tp_cghost which = TP_GHOST_SIZE; which < TP_N_GHOSTS; which++) {
    if (!s->ghosts[which]) continue;
    for (uint32_t k = 0; k < g->p->statics.n && k < MANY_STATICS; k++) {
      tp_term here = tp_mk2(g->tt, TP_OP_SELECT, tp_var_of(g->p, vars[which])->term, tp_mk_bv(g->tt, TP_OBJ_BITS, k));
      tp_smt_assert(g->solver, tp_mk_eq(g->tt, here, tp_cpast_static(&g->past, which, k)));
    }
  }
}

/* What holds of everything that the facts and the goals mention. */
static void assert_guarantees(tp_csegment *g, const tp_term *goals, size_t n) {
  guarantees s = {.g = g};
  for (size_t i = 0; i < g->facts.n; i++) tp_vec_push(&s.todo, g->facts.at[i].id);
  for (size_t i = 0; i < n; i++) tp_vec_push(&s.todo, goals[i].id);
  while (s.todo.n) {
    tp_term t = {tp_vec_pop(&s.todo)};
    if (tp_map_has(&s.seen, t.id)) continue;
    tp_map_set(&s.seen, t.id, 1);
    look(&s, t);
  }
  about_statics(&s);
  tp_map_clear(&s.seen);
  tp_vec_clear(&s.todo);
}

// --------------------------------------------------------------------- questions

static tp_smt_answer ask(tp_csegment *g) {
  g->questions++;
  return tp_smt_check(g->solver, NULL, 0);
}

static tp_cgoal goal_of(tp_smt_answer a) { return a == TP_SMT_UNSAT ? TP_GOAL_PROVED : a == TP_SMT_SAT ? TP_GOAL_REFUTED : TP_GOAL_UNKNOWN; }

/* Exclude goals one by one, each time one that holds where those before it do not. */
static tp_cgoal one_by_one(tp_csegment *g, const tp_term *goals, size_t n) {
  bool *used = TP_NEW_ARRAY(bool, n + 1);
  tp_smt_answer a;
  bool found = true;
  while (found && (a = ask(g)) == TP_SMT_SAT) {
    found = false;
    for (size_t i = 0; i < n && !found; i++) {
      tp_value v = {0};
      if (used[i] || !tp_smt_value(g->solver, goals[i], &v) || !v.bits) continue;
      used[i] = found = true;
      tp_smt_assert(g->solver, tp_mk_not(g->tt, goals[i]));
    }
  }
  tp_free(used);
  return goal_of(a);
}

static tp_cgoal prove(tp_csegment *g, const tp_term *goals, size_t n) {
  tp_smt_push(g->solver);
  for (size_t i = 0; i < g->facts.n; i++) tp_smt_assert(g->solver, g->facts.at[i]);
  assert_guarantees(g, goals, n);
  tp_cgoal result;
  if (n > MANY_GOALS) {
    result = one_by_one(g, goals, n);
  } else {
    for (size_t i = 0; i < n; i++) tp_smt_assert(g->solver, tp_mk_not(g->tt, goals[i]));
    result = goal_of(ask(g));
  }
  tp_smt_pop(g->solver);
  return result;
}

tp_cgoal tp_cgoal_prove(tp_csegment *g, const tp_term *goals, size_t n) {
  if (g->dead) return TP_GOAL_PROVED;
  tp_term *rest = TP_NEW_ARRAY(tp_term, n + 1);
  size_t n_rest = 0;
  bool done = false;
  for (size_t i = 0; i < n && !done; i++) {
    tp_term t = residue(g, goals[i]);
    done = tp_is_true(g->tt, t);
    if (!tp_is_false(g->tt, t)) rest[n_rest++] = t;
  }
  tp_cgoal result = done ? TP_GOAL_PROVED : prove(g, rest, n_rest);
  tp_free(rest);
  return result;
}

tp_cgoal tp_cgoal_is_unreachable(tp_csegment *g) { return tp_cgoal_prove(g, NULL, 0); }

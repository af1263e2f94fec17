/* Questions about a state of a segment.
 *
 * Most goals are facts already: an invariant that speaks of what did not change. What is left goes
 * to the solver, together with what the model guarantees of the pointers and objects that the
 * question mentions. Where one of many goals has to hold, models choose: only goals that hold in
 * some state that is here are needed. */
#include "certify/symbolic/executor.h"
#include "certify/bounded/unrolled_exec.h"
#include "certify/certify_limits.h"
#include "certify/shapes/shape_check.h"
#include "certify/symbolic/goal_cases.h"
#include "smt/radix.h"

// --------------------------------------------------------------------- residues

/* u + k for t = u + k: then *k, and u; else t and 0. */
static tp_term without_constant(tp_terms *tt, tp_term t, tp_term *k) {
  *k = tp_mk_bv(tt, tp_width(tt, t), 0);
  for (uint32_t i = 0; tp_kind(tt, t) == TP_OP_BV_ADD && i < 2; i++)
    if (tp_is_const(tt, tp_arg(tt, t, i))) return *k = tp_arg(tt, t, i), tp_arg(tt, t, 1 - i);
  return t;
}

/* Does the conjunct say that two objects differ that are certain to? (The normal form moves numbers
 * to one side.) */
static bool tells_objects_apart(const tp_chk_exec *g, tp_term t) {
  tp_terms *tt = g->tt;
  if (tp_kind(tt, t) != TP_OP_NOT || tp_kind(tt, tp_arg(tt, t, 0)) != TP_OP_EQ) return false;
  tp_term a = tp_arg(tt, tp_arg(tt, t, 0), 0), b = tp_arg(tt, tp_arg(tt, t, 0), 1), k, l;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, a)) != TP_SORT_BV || tp_width(tt, a) != TP_OBJ_BITS)
    return false;
  if (tp_chk_history_objects_differ(&g->history, a, b)) return true;
  tp_term u = without_constant(tt, a, &k), v = without_constant(tt, b, &l);
  return tp_chk_history_objects_differ(&g->history, u,
                                       tp_mk2(tt, TP_OP_BV_ADD, v, tp_mk_sub(tt, l, k))) ||
         tp_chk_history_objects_differ(&g->history,
                                       tp_mk2(tt, TP_OP_BV_ADD, u, tp_mk_sub(tt, k, l)), v);
}

/* The conjuncts of a goal that are not known yet; false if one cannot hold. */
static tp_term residue(const tp_chk_exec *g, tp_term goal) {
  tp_terms *tt = g->tt;
  tp_term rest = tp_mk_true(tt);
  TP_VEC(uint32_t) todo = {0};
  tp_vec_push(&todo, goal.id);
  while (todo.n && !tp_is_false(tt, rest)) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_chk_is_assumed(g, t)) continue;
    if (tp_kind(tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(tt, t, 1).id);
      tp_vec_push(&todo, tp_arg(tt, t, 0).id);
    } else if (!tells_objects_apart(g, t)) {
      rest = tp_chk_is_assumed(g, tp_mk_not(tt, t)) ? tp_mk_false(tt) : tp_mk_and(tt, rest, t);
    }
  }
  tp_vec_clear(&todo);
  return rest;
}

// ---------------------------------------------------------------- side conditions

/* A read in the question: of an array symbol, at a place. */
typedef struct {
  tp_term array, index, value;  // flat
} array_read;

typedef struct tp_chk_query {
  tp_chk_exec *g;
  tp_chk_solver *solver;  // NULL: not needed yet
  tp_map seen, added;
  TP_VEC(uint32_t) todo;
  TP_VEC(array_read) reads;
  tp_term_list places;        // the same reads as they were written
  tp_term_list folds;         // reads of folds as they were written
  tp_map told;                // of folds: reads that were defined, pairs that were compared
  bool is_premise;            // it asks for a lemma about folds: nothing more is said of them
  TP_VEC(tp_term) facts;      // flat, not asserted yet
  TP_VEC(tp_term) asserted;   // of a question that grows; those of the skeleton
  tp_chk_skeleton *skeleton;  // NULL: it does not grow
  bool is_exact;
} question;

static tp_term flat(question *q, tp_term t) { return tp_chk_ackermann_reduce(&q->g->ackermann, t); }
static void add(question *q, tp_term t) { tp_vec_push(&q->facts, flat(q, t)); }

static void about_pointer(question *q, tp_term leaf) {
  tp_chk_exec *g = q->g;
  tp_term next;
  if (tp_chk_history_is_older(&g->history, leaf, &next))
    add(q, tp_mk2(g->tt, TP_OP_BV_ULT, tp_mk1(g->tt, TP_OP_PTR_OBJ, leaf), next));
}

/* What the model guarantees where a ghost is read at an object that may be static. */
static void about_statics(question *q, tp_term read, tp_chk_ghost which) {
  tp_chk_exec *g = q->g;
  tp_term object = tp_arg(g->tt, read, 1), last = tp_mk_bv(g->tt, TP_OBJ_BITS, g->p->statics.n - 1);
  if (tp_chk_is_assumed(g, tp_mk2(g->tt, TP_OP_BV_ULT, last, object))) return;
  for (uint32_t k = 0; k < g->p->statics.n && k < TP_CERTIFY_STATICS; k++) {
    tp_term here = tp_mk_eq(g->tt, object, tp_mk_bv(g->tt, TP_OBJ_BITS, k));
    if (tp_chk_is_assumed(g, tp_mk_not(g->tt, here))) continue;
    add(q, tp_mk_implies(
               g->tt, here,
               tp_mk_eq(g->tt, read, tp_chk_history_ghost_of_static(&g->history, which, k))));
  }
}

/* Beside universal facts: of places that are compared, in rows and columns. */
static void about_equation(question *q, tp_term t) {
  tp_term_list all = {0};
  if (!q->g->universals.bodies.n) return;
  tp_conjuncts(q->g->tt, t, &all);
  for (size_t i = 0; i < all.n; i++) {
    const tp_term clauses = tp_radix_clauses(q->g->tt, all.at[i]);
    if (!tp_is_true(q->g->tt, clauses)) add(q, clauses);
  }
  tp_vec_clear(&all);
}

static void about_read(question *q, tp_term read) {
  tp_chk_exec *g = q->g;
  tp_chk_ghost which;
  array_read r = {tp_arg(g->tt, read, 0), flat(q, tp_arg(g->tt, read, 1)), flat(q, read)};
  if (tp_chk_history_is_ghost(&g->history, r.array, &which)) about_statics(q, read, which);
  for (size_t i = 0; i < q->reads.n; i++) {
    array_read o = q->reads.at[i];
    if (o.array.id != r.array.id || o.value.id == r.value.id) continue;
    tp_term same = tp_mk_eq(g->tt, o.index, r.index), differ = tp_mk_not(g->tt, same);
    about_equation(q, same);
    if (!tp_is_true(g->tt, differ))
      tp_vec_push(&q->facts, tp_mk_or(g->tt, differ, tp_mk_eq(g->tt, o.value, r.value)));
  }
  tp_vec_push(&q->reads, r);
  tp_vec_push(&q->places, read);
}

/* In an unrolled program, of a pointer with a constant id. */
static void about_address(question *q, tp_term pointer) {
  uint64_t object;
  tp_term id = tp_mk1(q->g->tt, TP_OP_PTR_OBJ, pointer);
  if (tp_bv_value_u64(q->g->tt, id, &object) && object)
    add(q, tp_chk_unrolling_address_facts(q->g, (uint32_t)object));
}

static void look(question *q, tp_term t) {
  tp_chk_exec *g = q->g;
  tp_term_kind k = tp_kind(g->tt, t);
  bool is_read = k == TP_OP_SELECT && tp_kind(g->tt, tp_arg(g->tt, t, 0)) == TP_OP_VAR;
  bool is_pointer = tp_sort_kind_of(g->tt, tp_sort_of(g->tt, t)) == TP_SORT_PTR;
  if (is_pointer && (k == TP_OP_VAR || is_read)) about_pointer(q, t);
  if (is_read) about_read(q, t);
  if (is_read && tp_chk_fold_function_of(&g->folds, tp_arg(g->tt, t, 0))) tp_vec_push(&q->folds, t);
  if (k == TP_OP_EQ) about_equation(q, t);
  if (k == TP_OP_PTR_TO_INT && g->unrolling) about_address(q, tp_arg(g->tt, t, 0));
  for (uint32_t i = 0; i < tp_n_args(g->tt, t); i++) tp_vec_push(&q->todo, tp_arg(g->tt, t, i).id);
}

/* At everything that is on the list. */
static void look_at_all(question *q) {
  while (q->todo.n) {
    tp_term t = {tp_vec_pop(&q->todo)};
    if (tp_map_has(&q->seen, t.id)) continue;
    tp_map_set(&q->seen, t.id, 1);
    look(q, t);
  }
}

/* ... and at what universal facts say of the cells that are read; and at the cells that they speak
 * of, some rounds long. */
static void look_at_instances(question *q) {
  tp_chk_exec *g = q->g;
  tp_term_list instances = {0};
  size_t first = 0;
  look_at_all(q);
  for (int round = 0; g->universals.bodies.n && round < TP_CERTIFY_INSTANCE_ROUNDS; round++) {
    const size_t end = q->places.n;
    instances.n = 0;
    for (; first < end; first++)
      tp_chk_universal_instances(&g->universals, g->cert, g->p, q->places.at[first], &instances);
    tp_chk_universal_rest(g->cert, g->p, &q->places, end, TP_CERTIFY_INSTANCES, &instances);
    for (size_t i = 0; i < instances.n && i < TP_CERTIFY_INSTANCES; i++) {
      if (tp_map_has(&q->added, instances.at[i].id)) continue;
      tp_map_set(&q->added, instances.at[i].id, 1);
      add(q, instances.at[i]);
      tp_vec_push(&q->todo, instances.at[i].id);
    }
    look_at_all(q);
  }
  tp_vec_clear(&instances);
}

static tp_smt_answer query(tp_chk_exec *g);
static void assert_chosen(question *q, const bool *chosen, bool which, const tp_term *goals,
                          size_t n);

static void say(question *q, tp_term fact) {
  add(q, fact);
  tp_vec_push(&q->todo, fact.id);
}

static void clear(question *q) {
  tp_vec_clear(&q->folds);
  tp_map_clear(&q->told);
  tp_vec_clear(&q->places);
  tp_map_clear(&q->seen);
  tp_map_clear(&q->added);
  tp_vec_clear(&q->todo);
  tp_vec_clear(&q->reads);
  tp_vec_clear(&q->facts);
  tp_vec_clear(&q->asserted);
}

/* Does it hold in every state that is here, for all indices and values before? No fact speaks of
 * their symbols. */
static bool holds_for_all(tp_chk_exec *g, tp_term premise) {
  if (tp_is_true(g->tt, premise)) return true;
  question q = {.g = g, .solver = g->solver, .is_premise = true};
  const tp_term denied = tp_mk_not(g->tt, premise);
  tp_chk_solver_push(g->solver);
  assert_chosen(&q, NULL, true, &denied, 1);
  tp_chk_solver_assert(g->solver, flat(&q, denied));
  const bool holds = query(g) == TP_SMT_UNSAT;
  tp_chk_solver_pop(g->solver);
  clear(&q);
  return holds;
}

static void compare_folds(question *q, tp_term f, tp_term g) {
  tp_terms *tt = q->g->tt;
  tp_chk_fold_difference d;
  const uint64_t key = (uint64_t)f.id << 32 | g.id;
  if (tp_map_has(&q->told, key) || q->told.n > TP_CERTIFY_FOLD_DIFFERENCES) return;
  tp_map_set(&q->told, key, 1);
  // the list of functions does not grow while questions are asked
  if (!tp_chk_fold_difference_of(tt, tp_chk_fold_function_of(&q->g->folds, f),
                                 tp_chk_fold_function_of(&q->g->folds, g), &d) ||
      !holds_for_all(q->g, tp_chk_fold_premise(tt, &d)))
    return;
  const size_t n = q->folds.n;
  for (size_t i = 0; i < n; i++) {
    const tp_term array = tp_arg(tt, q->folds.at[i], 0);
    if (tp_term_eq(array, f) || tp_term_eq(array, g))
      say(q, tp_chk_fold_conclusion(tt, &d, tp_arg(tt, q->folds.at[i], 1)));
  }
}

/* Definitions at the indices at which folds are read, then the differences of each two functions
 * that are read. */
static void look_at_folds(question *q) {
  tp_chk_exec *g = q->g;
  const size_t native = q->folds.n;
  if (q->is_premise || !native) return;
  for (size_t i = 0; i < native; i++) {
    const tp_term read = q->folds.at[i];
    if (tp_map_has(&q->added, read.id)) continue;
    tp_map_set(&q->added, read.id, 1);
    say(q, tp_chk_fold_definition(g->tt, tp_chk_fold_function_of(&g->folds, tp_arg(g->tt, read, 0)),
                                  tp_arg(g->tt, read, 1)));
  }
  look_at_instances(q);
  const size_t all = q->folds.n;
  for (size_t i = 0; i < all; i++)
    for (size_t j = 0; j < i; j++) {
      const tp_term a = tp_arg(g->tt, q->folds.at[j], 0), b = tp_arg(g->tt, q->folds.at[i], 0);
      if (!tp_term_eq(a, b)) compare_folds(q, a.id < b.id ? a : b, a.id < b.id ? b : a);
    }
  look_at_instances(q);
}

/* The facts that are chosen, and what holds of everything that they and the goals mention; what the
 * question has already is not added again. */
static void assert_chosen(question *q, const bool *chosen, bool which, const tp_term *goals,
                          size_t n) {
  tp_chk_exec *g = q->g;
  q->facts.n = 0;
  for (size_t i = 0; i < g->facts.n; i++)
    if (!chosen || chosen[i] == which) add(q, g->facts.at[i]);
  for (size_t i = 0; i < g->facts.n; i++)
    if (!chosen || chosen[i] == which) tp_vec_push(&q->todo, g->facts.at[i].id);
  for (size_t i = 0; i < n; i++) tp_vec_push(&q->todo, goals[i].id);
  look_at_instances(q);
  look_at_folds(q);
  for (size_t i = 0; i < q->facts.n; i++) tp_chk_solver_assert(q->solver, q->facts.at[i]);
}

/* All facts. */
static void assert_facts(tp_chk_exec *g, const tp_term *goals, size_t n) {
  question q = {.g = g, .solver = g->solver};
  assert_chosen(&q, NULL, true, goals, n);
  clear(&q);
}

// --------------------------------------------------------------------- questions

static tp_smt_answer query(tp_chk_exec *g) {
  g->queries++;
  return tp_chk_solver_check(g->solver, TP_TERM_NONE);
}

static tp_chk_answer goal_of(tp_smt_answer a) {
  return a == TP_SMT_UNSAT ? TP_CHK_PROVED : a == TP_SMT_SAT ? TP_CHK_REFUTED : TP_CHK_UNKNOWN;
}

/* The goals may all be needed: most of these questions have a model. */
static tp_smt_answer find_model(tp_chk_exec *g) {
  g->queries++;
  return tp_chk_solver_find_model(g->solver);
}

/* Exclude goals one by one, each time one that holds where those before it do not. */
static tp_smt_answer one_by_one(tp_chk_exec *g, const tp_term *goals, size_t n) {
  bool *used = TP_NEW_ARRAY(bool, n + 1);
  tp_smt_answer a;
  bool found = true;
  while (found && (a = find_model(g)) == TP_SMT_SAT) {
    found = false;
    for (size_t i = 0; i < n && !found; i++) {
      tp_value v = {0};
      if (used[i] || !tp_chk_solver_value(g->solver, goals[i], &v) || !v.bits) continue;
      used[i] = found = true;
      tp_chk_solver_assert(g->solver, tp_mk_not(g->tt, goals[i]));
    }
  }
  tp_free(used);
  return a;
}

static void deny(tp_chk_exec *g, const tp_term *goals, size_t n) {
  for (size_t i = 0; i < n; i++)
    tp_chk_solver_assert(g->solver,
                         tp_mk_not(g->tt, tp_chk_ackermann_reduce(&g->ackermann, goals[i])));
}

/* Few goals, together: from the relevant facts first, where they are few; what these do not prove,
 * from all of them. */
static tp_smt_answer together(tp_chk_exec *g, const tp_term *goals, size_t n) {
  question q = {.g = g, .solver = g->solver};
  bool *relevant = TP_NEW_ARRAY(bool, g->facts.n + 1);
  tp_smt_answer a = TP_SMT_UNKNOWN;
  size_t n_relevant =
      g->facts.n < TP_CERTIFY_RELEVANT_LEAST
          ? 0
          : tp_chk_relevant_facts(&g->relevance, g->facts.at, g->facts.n, goals, n, relevant);
  bool is_split = n_relevant > 0 && 2 * n_relevant <= g->facts.n;
  if (is_split) {
    assert_chosen(&q, relevant, true, goals, n);
    deny(g, goals, n);
    a = query(g);
  }
  if (a != TP_SMT_UNSAT) {
    assert_chosen(&q, is_split ? relevant : NULL, false, goals, n);
    if (!is_split) deny(g, goals, n);
    a = query(g);
  }
  tp_free(relevant);
  clear(&q);
  return a;
}

tp_chk_answer tp_chk_exclude(tp_chk_exec *g, const tp_term *conditions, size_t n, size_t *first) {
  tp_term any = tp_mk_or_n(g->tt, conditions, n);
  tp_value v;
  *first = 0;
  if (n == 0 || tp_is_false(g->tt, any)) return TP_CHK_PROVED;
  tp_chk_solver_push(g->solver);
  assert_facts(g, &any, 1);
  tp_chk_solver_assert(g->solver, tp_chk_ackermann_reduce(&g->ackermann, any));
  tp_smt_answer a = query(g);
  for (size_t i = 0; a == TP_SMT_SAT && i < n; i++) {
    tp_term when = tp_chk_ackermann_reduce(&g->ackermann, conditions[i]);
    if (!tp_chk_solver_value(g->solver, when, &v) || !v.bits) continue;
    *first = i;
    break;
  }
  tp_chk_solver_pop(g->solver);
  return goal_of(a);
}

// ------------------------------------------------------- questions that grow

tp_chk_query *tp_chk_query_new(tp_chk_exec *g) {
  question *q = TP_NEW(question);
  *q = (question){.g = g, .skeleton = tp_chk_skeleton_new(&g->skeletons)};
  for (size_t i = 0; i < g->facts.n; i++) tp_chk_query_assert(q, g->facts.at[i]);
  return q;
}

void tp_chk_query_assert(tp_chk_query *q, tp_term fact) {
  if (tp_is_true(q->g->tt, fact) || tp_map_has(&q->added, fact.id)) return;
  tp_map_set(&q->added, fact.id, 1);
  add(q, fact);
  tp_vec_push(&q->todo, fact.id);
}

void tp_chk_query_be_exact(tp_chk_query *q) {
  const tp_certify_limits *limits = q->g->limits;
  if (q->is_exact) return;
  q->is_exact = true;
  q->solver =
      tp_chk_solver_new(q->g->tt,
                        (tp_smt_options){.backend = limits->backend ? limits->backend : "mixed",
                                         .command = limits->command,
                                         .rlimit = limits->solver_rlimit},
                        limits->proofs, &q->g->report->obligations);
  for (size_t i = 0; i < q->asserted.n; i++) tp_chk_solver_assert(q->solver, q->asserted.at[i]);
}

bool tp_chk_query_is_exact(const tp_chk_query *q) { return q->is_exact; }

tp_smt_answer tp_chk_query_check(tp_chk_query *q) {
  q->g->queries++;
  look_at_all(q);
  for (size_t i = 0; i < q->facts.n; i++) {
    tp_vec_push(&q->asserted, q->facts.at[i]);
    if (q->is_exact)
      tp_chk_solver_assert(q->solver, q->facts.at[i]);
    else
      tp_chk_skeleton_add(q->skeleton, q->facts.at[i]);
  }
  q->facts.n = 0;
  return q->is_exact ? tp_chk_solver_check(q->solver, TP_TERM_NONE)
                     : tp_chk_skeleton_check(q->skeleton);
}

bool tp_chk_query_holds(tp_chk_query *q, tp_term t) {
  tp_value v = {0};
  if (!q->is_exact) return tp_chk_skeleton_holds(q->skeleton, flat(q, t));
  return tp_chk_solver_value(q->solver, flat(q, t), &v) && v.bits;
}

void tp_chk_query_free(tp_chk_query *q) {
  tp_chk_skeleton_free(q->skeleton);
  if (q->solver) tp_chk_solver_free(q->solver);
  clear(q);
  tp_free(q);
}

// ------------------------------------------------------------------------ goals

/* Do equality and propositional reasoning show that one of the goals holds? Explicit heaps say cell
 * by cell what they are, and a cutpoint has many of them. */
static bool is_shown_by_skeleton(tp_chk_exec *g, const tp_term *goals, size_t n) {
  tp_chk_query *q = tp_chk_query_new(g);
  for (size_t i = 0; i < n; i++) tp_chk_query_assert(q, tp_mk_not(g->tt, goals[i]));
  const bool yes = tp_chk_query_check(q) == TP_SMT_UNSAT;
  tp_chk_query_free(q);
  return yes;
}

/* The goals are made flat. */
static tp_chk_answer prove(tp_chk_exec *g, tp_term *goals, size_t n) {
  tp_smt_answer a;
  if (g->shape && n > TP_CERTIFY_GOALS_TOGETHER && is_shown_by_skeleton(g, goals, n))
    return TP_CHK_PROVED;
  tp_chk_solver_push(g->solver);
  if (n <= TP_CERTIFY_GOALS_TOGETHER) {
    a = together(g, goals, n);
  } else {
    assert_facts(g, goals, n);
    for (size_t i = 0; i < n; i++) goals[i] = tp_chk_ackermann_reduce(&g->ackermann, goals[i]);
    a = one_by_one(g, goals, n);
  }
  tp_chk_solver_pop(g->solver);
  return goal_of(a);
}

static tp_term in_cases(tp_chk_exec *g, tp_term goal) {
  return g->cert ? tp_chk_goal_by_cases(g->cert, g->tt, goal) : goal;
}

tp_chk_answer tp_chk_prove_without_graphs(tp_chk_exec *g, const tp_term *goals, size_t n) {
  if (g->dead) return TP_CHK_PROVED;
  tp_term *rest = TP_NEW_ARRAY(tp_term, n + 1);
  size_t n_rest = 0;
  bool done = false;
  for (size_t i = 0; i < n && !done; i++) {
    tp_term t = residue(g, goals[i]);
    done = tp_is_true(g->tt, t);
    if (!tp_is_false(g->tt, t)) rest[n_rest++] = in_cases(g, t);
  }
  tp_chk_answer result = done ? TP_CHK_PROVED : prove(g, rest, n_rest);
  tp_free(rest);
  return result;
}

tp_chk_answer tp_chk_prove_unless_excluded(tp_chk_exec *g, tp_term goal) {
  if (g->dead) return TP_CHK_PROVED;
  const tp_term rest = residue(g, goal), denied = tp_mk_not(g->tt, rest);
  if (tp_is_true(g->tt, rest) || is_shown_by_skeleton(g, &rest, 1)) return TP_CHK_PROVED;
  if (tp_is_false(g->tt, rest) || is_shown_by_skeleton(g, &denied, 1)) return TP_CHK_REFUTED;
  return tp_chk_prove_without_graphs(g, &goal, 1);
}

tp_chk_answer tp_chk_prove(tp_chk_exec *g, const tp_term *goals, size_t n) {
  const tp_chk_answer result = tp_chk_prove_without_graphs(g, goals, n);
  return result != TP_CHK_PROVED && g->shape ? tp_chk_shape_prove(g, goals, n) : result;
}

tp_chk_answer tp_chk_prove_unreachable(tp_chk_exec *g) { return tp_chk_prove(g, NULL, 0); }

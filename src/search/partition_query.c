/* Questions about steps. Conditions are conjunctions of the literals of a cell's tree, and so are
 * their values behind a block: what was computed for a cell's parent is taken from there.
 *
 * Questions are many and small and share most of their terms, so one incremental solver is asked;
 * it starts anew from time to time, since questions of the past make it slower. An answer is
 * remembered by the question's term. */
#include "search/partition_priv.h"

#include "search/search_limits.h"

struct tp_partition_solver {
  tp_smt *smt;         // NULL: not made yet
  uint32_t n_queries;  // it
  tp_map answers;      // question -> answer
  tp_map after;        // block << 32 | cell -> its formula behind the block
  tp_map conditions;   // block -> condition
};

void tp_partition_solver_new(tp_partition *pt) {
  pt->solver = TP_NEW(struct tp_partition_solver);
  tp_partition_set_smt(pt, pt->smt);
}

/* Z3 alone takes 50 times as long for such questions as circuits do (100 diamonds: 2.0 s and 0.04
 * s). */
void tp_partition_set_smt(tp_partition *pt, tp_smt_options o) {
  if (!o.backend || !strcmp(o.backend, "z3")) o.backend = "mixed";
  if (!o.rlimit) o.rlimit = TP_SEARCH_PARTITION_RLIMIT;
  if (!o.stats) o.stats = pt->stats;
  pt->smt = o;
}

void tp_partition_solver_free(tp_partition *pt) {
  struct tp_partition_solver *s = pt->solver;
  if (!s) return;
  tp_smt_free(s->smt);
  tp_map_clear(&s->answers);
  tp_map_clear(&s->after);
  tp_map_clear(&s->conditions);
  tp_free(s);
}

// -------------------------------------------------------------------- conditions

static tp_term condition_of(tp_partition *pt, uint32_t block) {
  uint64_t known;
  if (tp_map_get(&pt->solver->conditions, block, &known)) return (tp_term){(uint32_t)known};
  tp_term t = tp_path_condition(pt->blocks->paths, &pt->blocks->list.at[block].path);
  tp_map_set(&pt->solver->conditions, block, t.id);
  return t;
}

/* The literal by which the cell differs from its parent. */
static tp_term literal_of(const tp_partition *pt, uint32_t cell) {
  TP_REQUIRE(pt->cells.at[cell].parent > 0);
  const tp_cell_node *parent = &pt->cells.at[pt->cells.at[cell].parent];
  return parent->yes == cell ? parent->by : tp_mk_not(pt->blocks->paths->tt, parent->by);
}

/* The cell's formula behind the block. */
static tp_term formula_after(tp_partition *pt, uint32_t block, uint32_t cell) {
  tp_paths *x = pt->blocks->paths;
  const tp_path *path = &pt->blocks->list.at[block].path;
  tp_map *memo = &pt->solver->after;
  uint64_t known = tp_mk_true(x->tt).id;
  TP_VEC(uint32_t) up = {0};
  uint32_t c = cell;
  for (; pt->cells.at[c].parent && !tp_map_get(memo, (uint64_t)block << 32 | c, &known);
       c = pt->cells.at[c].parent)
    tp_vec_push(&up, c);
  tp_term t = {(uint32_t)known};
  while (up.n) {
    c = tp_vec_pop(&up);
    t = tp_mk_and(x->tt, t, tp_path_after(x, path, literal_of(pt, c)));
    tp_map_set(memo, (uint64_t)block << 32 | c, t.id);
  }
  tp_vec_clear(&up);
  return t;
}

tp_term tp_partition_step_condition(tp_partition *pt, tp_abstract_step step) {
  TP_REQUIRE(step.block < pt->blocks->list.n);
  TP_REQUIRE(pt->cells.at[step.from].node == pt->blocks->list.at[step.block].from);
  TP_REQUIRE(pt->cells.at[step.to].node == pt->blocks->list.at[step.block].to);
  tp_terms *tt = pt->blocks->paths->tt;
  tp_term before = tp_mk_and(tt, pt->cells.at[step.from].formula, condition_of(pt, step.block));
  return tp_mk_and(tt, before, formula_after(pt, step.block, step.to));
}

tp_term tp_partition_step_into(tp_partition *pt, uint32_t from, uint32_t block, tp_term target) {
  TP_REQUIRE(pt->cells.at[from].node == pt->blocks->list.at[block].from);
  tp_paths *x = pt->blocks->paths;
  tp_term before = tp_mk_and(x->tt, pt->cells.at[from].formula, condition_of(pt, block));
  return tp_mk_and(x->tt, before, tp_path_after(x, &pt->blocks->list.at[block].path, target));
}

// ---------------------------------------------------------------------- questions

static tp_smt_answer query_solver(tp_partition *pt, tp_term question) {
  struct tp_partition_solver *s = pt->solver;
  if (s->smt && s->n_queries++ >= TP_SEARCH_PARTITION_QUERIES) {
    tp_smt_free(s->smt);
    s->smt = NULL;
  }
  if (!s->smt) {
    s->smt = tp_smt_new(pt->blocks->paths->tt, pt->smt);
    s->n_queries = 0;
  }
  return tp_smt_check(s->smt, &question, 1);
}

tp_smt_answer tp_partition_query(tp_partition *pt, tp_term condition) {
  TP_REQUIRE(tp_sort_kind_of(pt->blocks->paths->tt, tp_sort_of(pt->blocks->paths->tt, condition)) ==
             TP_SORT_BOOL);
  tp_paths *x = pt->blocks->paths;
  uint64_t known;
  if (tp_is_false(x->tt, condition)) return TP_SMT_UNSAT;
  if (tp_is_true(x->tt, condition)) return TP_SMT_SAT;
  if (tp_partition_is_stopped(pt)) return TP_SMT_UNKNOWN;
  tp_term question = tp_paths_query(x, condition);
  if (tp_map_get(&pt->solver->answers, question.id, &known)) return (tp_smt_answer)known;
  tp_smt_answer answer = query_solver(pt, question);
  if (answer != TP_SMT_UNKNOWN) tp_map_set(&pt->solver->answers, question.id, answer);
  return answer;
}

tp_step_status tp_partition_query_step(tp_partition *pt, tp_abstract_step step) {
  tp_step_status known = tp_partition_status(pt, step.from, step.to);
  if (known != TP_STEP_UNKNOWN) return known;
  if (tp_partition_is_stopped(pt)) return TP_STEP_POSSIBLE;
  if (tp_partition_query(pt, tp_partition_step_condition(pt, step)) == TP_SMT_UNSAT) {
    tp_partition_close(pt, step);
    return TP_STEP_CLOSED;
  }
  tp_partition_witness(pt, step);
  return TP_STEP_POSSIBLE;
}

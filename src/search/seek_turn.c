/* What the solver adds to random inputs. A run from the start is executed on symbols, up to its
 * first visits of the goal's location. There the question is whether other inputs on the same path
 * make the goal true, or one of its conjuncts, or turn a conditional value around that the goal
 * rests on; on the way, whether they take the other side of a branch. Each answer is run. */
#include "search/seek_priv.h"

#include "exec/concolic.h"
#include "smt/smt.h"

typedef struct {
  tp_seeking *k;
  tp_seek_target *t;
  const tp_seek_start *x;
  tp_concolic *c;
  tp_smt *smt;  // holds the first n_path conditions of the path
  size_t n_path;
  uint32_t n_left;  // questions
  bool fails;
} turn;

static bool in_model(void *ctx, tp_term symbol, tp_value *out) {
  return tp_smt_value(((turn *)ctx)->smt, symbol, out);
}

/* Something came closer, or the search ends: the rest can wait. */
static bool is_done(const turn *q) {
  return q->fails || q->t->n_quiet == 0 || q->n_left == 0 || tp_seek_is_over(q->k);
}

static void ask(turn *q, tp_term condition, uint32_t n_visits) {
  if (is_done(q) || tp_is_const(q->k->p->terms, condition)) return;
  q->n_left--;
  if (tp_smt_check(q->smt, &condition, 1) != TP_SMT_SAT) return;
  tp_inputs given, made;
  tp_inputs_init(&given);
  tp_inputs_init(&made);
  tp_concolic_inputs_of_model(q->c, in_model, q, &given);
  tp_vector_oracle vector = {.in = &given, .then_zero = true};
  tp_record_oracle record = {tp_oracle_of_vector(&vector), &made};
  tp_oracle oracle = tp_oracle_recording(&record);
  q->fails = tp_seek_run(q->k, q->t, q->x, &oracle, &made, n_visits);
  tp_inputs_clear(&made);
  tp_inputs_clear(&given);
}

static void take_path(turn *q, uint32_t n_visits, bool turns) {
  const tp_concolic_path *path = tp_concolic_path_of(q->c);
  for (; q->n_path < path->n; q->n_path++) {
    const tp_term here = path->at[q->n_path].condition;
    if (turns) ask(q, tp_mk_not(q->k->p->terms, here), n_visits);
    tp_smt_assert(q->smt, here);
  }
}

static bool is_conditional(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_ITE;
}

static void ask_conditionals(turn *q, tp_term value, uint32_t n_visits) {
  tp_terms *tt = q->k->p->terms;
  tp_term_list all = {0};
  tp_collect_terms(tt, value, is_conditional, NULL, &all);
  for (size_t i = 0; i < all.n && !is_done(q); i++) {
    const tp_term condition = tp_arg(tt, all.at[i], 0);
    ask(q, condition, n_visits);
    ask(q, tp_mk_not(tt, condition), n_visits);
  }
  tp_vec_clear(&all);
}

/* A variable or a cell. */
static bool is_place(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_SELECT ||
         (tp_kind(tt, t) == TP_OP_VAR && tp_sort_kind_of(tt, tp_sort_of(tt, t)) != TP_SORT_ARRAY);
}

/* At the goal's location. Values are looked at one by one: rewriting may decide the goal, and with
 * it hide on what they depend. */
static void ask_here(turn *q, uint32_t n_visits) {
  tp_concolic_path pins = {0};
  tp_term_list places = {0};
  tp_term value;
  if (tp_concolic_value(q->c, q->t->goal.formula, &value, &pins)) ask(q, value, n_visits);
  for (size_t i = 0; i < q->t->conjuncts.n && !is_done(q); i++)
    if (tp_concolic_value(q->c, q->t->conjuncts.at[i], &value, &pins)) ask(q, value, n_visits);
  tp_collect_terms(q->k->p->terms, q->t->goal.formula, is_place, NULL, &places);
  for (size_t i = 0; i < places.n && !is_done(q); i++)
    if (tp_concolic_value(q->c, places.at[i], &value, &pins)) ask_conditionals(q, value, n_visits);
  tp_vec_clear(&places);
  tp_vec_clear(&pins);
}

/* One edge after the other, until it is at the goal's location again. */
static bool run_to_goal(turn *q) {
  const uint64_t most = tp_concolic_steps(q->c) + TP_SEARCH_SEEK_TURNED_STEPS;
  while (tp_concolic_steps(q->c) < most) {
    const uint64_t before = tp_concolic_steps(q->c);
    const tp_run_result r = tp_concolic_run(q->c, before + 1, (tp_run_limits){0}, true, 0);
    if (r.end != TP_END_LIMIT || tp_concolic_steps(q->c) == before) return false;
    if (tp_state_loc(tp_concolic_state(q->c)).id == q->t->goal.at.id) return true;
  }
  return false;
}

static bool turn_run(tp_seeking *k, tp_seek_target *t, const tp_seek_start *x,
                     const tp_inputs *inputs) {
  turn q = {.k = k, .t = t, .x = x, .n_left = TP_SEARCH_SEEK_QUESTIONS};
  q.c = tp_concolic_new(k->p, x->s, inputs);
  q.smt = tp_smt_new(k->p->terms,
                     (tp_smt_options){.backend = k->task->solver ? k->task->solver : "mixed",
                                      .stats = k->stats,
                                      .rlimit = TP_SEARCH_SEEK_RLIMIT});
  for (uint32_t visit = 1; visit <= TP_SEARCH_SEEK_TURNED_VISITS && !is_done(&q); visit++) {
    const bool arrives = run_to_goal(&q);
    take_path(&q, visit + 1, true);
    if (!arrives) break;
    ask_here(&q, visit + 1);
  }
  tp_smt_free(q.smt);
  tp_concolic_free(q.c);
  return q.fails;
}

bool tp_seek_turn(tp_seeking *k, tp_seek_target *t, const tp_seek_start *x) {
  bool fails = false;
  for (uint32_t i = 0; i < TP_SEARCH_SEEK_TURNED_RUNS && !fails && !tp_seek_is_over(k); i++) {
    tp_inputs inputs;
    tp_inputs_init(&inputs);
    for (uint32_t n = 0; i > 0 && n < TP_SEARCH_SEEK_TURNED_INPUTS; n++)
      tp_inputs_add(&inputs, (tp_input){.kind = TP_I_NONDET,
                                        .width_bits = 64,
                                        .is_signed = true,
                                        .bits = tp_rng_next(&k->rng) % 17 - 8});
    fails = turn_run(k, t, x, &inputs);
    tp_inputs_clear(&inputs);
    if (t->n_quiet == 0) break;
  }
  return fails;
}

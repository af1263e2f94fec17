/* For each goal the search keeps starts: states at its location, from other runs, with the inputs
 * that lead there. Each round takes one, half of the time the closest, and runs on from it with
 * random inputs; where that came closer, the states of the run are new starts. Where random inputs
 * do not come closer the solver is asked (seek_turn.c), sooner if it helped the last time.
 *
 * A round is a bounded number of steps. Rounds that come no closer end the search; what comes
 * closer lowers a sum of logarithms of finitely many differences, so that it would end without any
 * limit. */
#include "search/seek_priv.h"

// ----------------------------------------------------------------------- rounds

static bool run_random(tp_seeking *k, tp_seek_target *t, const tp_seek_start *x,
                       tp_random_inputs *draw, uint32_t n_visits) {
  tp_inputs made;
  tp_inputs_init(&made);
  tp_random_inputs_start(draw, &made);
  tp_oracle oracle = tp_random_inputs_oracle(draw);
  const bool fails = tp_seek_run(k, t, x, &oracle, &made, n_visits);
  tp_inputs_clear(&made);
  return fails;
}

/* From main's entry, where a run shall come to the goal's location at all. */
static bool run_first(tp_seeking *k, tp_seek_target *t) {
  tp_seek_start x = {.s = k->initial};
  tp_inputs_init(&x.inputs);
  const bool fails = run_random(k, t, &x, &k->draw_first, TP_SEARCH_SEEK_FIRST_VISITS);
  tp_inputs_clear(&x.inputs);
  return fails;
}

static size_t least_tried(const tp_seek_target *t) {
  size_t least = 0;
  for (size_t i = 1; i < t->starts.n; i++)
    if (t->starts.at[i].n_tried < t->starts.at[least].n_tried) least = i;
  return least;
}

/* Is it the solver's turn? For the closest start when random inputs had theirs, for others now and
 * then. */
static bool asks_solver(const tp_seek_target *t) {
  const uint32_t after =
      t->needs_solver ? TP_SEARCH_SEEK_SOLVER_AGAIN : TP_SEARCH_SEEK_SOLVER_AFTER;
  return (!t->is_turned && t->n_quiet >= after) ||
         (t->n_quiet > 0 && t->n_quiet % TP_SEARCH_SEEK_SOLVER_EVERY == 0);
}

static bool round_of(tp_seeking *k, tp_seek_target *t) {
  if (t->starts.n == 0 || tp_rng_below(&k->rng, TP_SEARCH_SEEK_FIRST_EVERY) == 0)
    return run_first(k, t);
  const bool asks = asks_solver(t), closest = asks ? !t->is_turned : tp_rng_below(&k->rng, 2);
  const size_t i = closest ? tp_seek_closest(t) : least_tried(t);
  t->starts.at[i].n_tried++;
  tp_seek_start x = tp_seek_start_copy(t->starts.at[i].s, &t->starts.at[i].inputs, NULL);
  x.sum = t->starts.at[i].sum;  // a copy, since a round may end the start
  bool fails;
  if (asks) {
    t->is_turned |= closest;
    fails = tp_seek_turn(k, t, &x);
    if (t->n_quiet == 0) t->needs_solver = true;
  } else {
    fails = run_random(k, t, &x, &k->draw, 1u << tp_rng_below(&k->rng, TP_SEARCH_SEEK_VISIT_BITS));
    if (t->n_quiet == 0) t->needs_solver = false;
  }
  tp_seek_start_clear(&x);
  return fails;
}

// ------------------------------------------------------------------------- facts

static bool has_target(const tp_seeking *k, tp_loc at) {
  for (size_t i = 0; i < k->targets.n; i++)
    if (k->targets.at[i].goal.at.id == at.id) return true;
  return false;
}

/* The newest goal of a location is that of the strongest invariants. */
static void read_facts(tp_seeking *k) {
  const tp_board *b = k->task->board;
  for (size_t i = b ? b->v.n : 0; i-- > 0;) {
    tp_board_goal goal;
    tp_inputs given;
    tp_inputs_init(&given);
    if (k->targets.n < TP_SEARCH_SEEK_GOALS && tp_board_read_goal(&b->v.at[i], k->p, &goal) &&
        !has_target(k, goal.at) && tp_dag_size(k->p->terms, goal.formula) <= TP_SEARCH_SEEK_TERMS) {
      tp_vec_push(&k->targets, (tp_seek_target){0});
      tp_seek_target_init(&tp_vec_last(&k->targets), k->p, goal);
    }
    if (tp_board_read_inputs(&b->v.at[i], &given)) tp_random_inputs_keep(&k->draw_first, &given);
    tp_inputs_clear(&given);
  }
}

static void clear(tp_seeking *k) {
  for (size_t i = 0; i < k->targets.n; i++) tp_seek_target_clear(&k->targets.at[i]);
  tp_vec_clear(&k->targets);
  tp_state_free(k->initial);
  tp_random_inputs_clear(&k->draw);
  tp_random_inputs_clear(&k->draw_first);
}

bool tp_seek(const tp_task *task, const tp_budget *budget, tp_stats *stats, tp_result *out) {
  tp_seeking k = {.task = task,
                  .budget = budget,
                  .stats = stats,
                  .out = out,
                  .p = task->program,
                  .start_s = tp_cpu_s()};
  bool fails = false, goes_on = true;
  tp_rng_init(&k.rng, task->seed);
  tp_random_inputs_init(&k.draw, k.p, task->seed + 1);
  tp_random_inputs_init(&k.draw_first, k.p, task->seed);
  k.initial = tp_state_initial(k.p);
  read_facts(&k);
  while (goes_on && !fails && !tp_seek_is_over(&k)) {
    goes_on = false;
    for (size_t i = 0; i < k.targets.n && !fails && !tp_seek_is_over(&k); i++) {
      if (k.targets.at[i].n_quiet >= TP_SEARCH_SEEK_QUIET) continue;
      goes_on = true;
      fails = round_of(&k, &k.targets.at[i]);
    }
    stats->iterations += goes_on;
    tp_engine_report_phase(budget, stats, "seek");
  }
  clear(&k);
  return fails;
}

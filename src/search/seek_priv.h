/* Private to the search for goals (seek.h): targets, their starts, a run from one, and what the
 * solver adds.
 *
 * Represents a start is a state at the goal's location with the inputs that lead there; `distances`
 *            are those of the goal's conjuncts. No start of a target is worse than another one in
 *            all of them, so that a start that is ahead in one conjunct stays although it fell back
 *            in another one.
 * Ownership  a target owns its starts. */
#ifndef TP_SEARCH_SEEK_PRIV_H
#define TP_SEARCH_SEEK_PRIV_H

#include "exec/random_inputs.h"
#include "search/search_limits.h"
#include "search/seek.h"

typedef struct {
  tp_state *s;
  tp_inputs inputs;  // from main's entry
  double distances[TP_SEARCH_SEEK_CONJUNCTS], sum;
  uint32_t n_tried;
} tp_seek_start;
typedef TP_VEC(tp_seek_start) tp_seek_starts;
/* Copies the state; the inputs are those of a, then those of b. */
tp_seek_start tp_seek_start_copy(const tp_state *s, const tp_inputs *a, const tp_inputs *b);
void tp_seek_start_clear(tp_seek_start *x);

typedef struct {
  tp_board_goal goal;
  tp_term_list conjuncts;  // at most TP_SEARCH_SEEK_CONJUNCTS, the last one is the rest
  tp_seek_starts starts;
  double best;        // least sum of all starts so far
  bool needs_solver;  // the solver came closer where random inputs did not
  uint32_t n_quiet;   // runs since one came closer
  bool is_turned;     // the solver was asked about the closest start
} tp_seek_target;
void tp_seek_target_init(tp_seek_target *t, const tp_program *p, tp_board_goal goal);
void tp_seek_target_clear(tp_seek_target *t);
void tp_seek_measure(const tp_program *p, const tp_seek_target *t, const tp_state *s,
                     tp_seek_start *out);
/* Is no start of this list at least as close in every conjunct? */
bool tp_seek_is_ahead(const tp_seek_target *t, const tp_seek_starts *of, const tp_seek_start *x);
/* Takes x over. Starts that it is ahead of end; if there are too many, the one tried most often. */
void tp_seek_keep(tp_seek_target *t, tp_seek_start x);
size_t tp_seek_closest(const tp_seek_target *t);  // a position

typedef struct {
  const tp_task *task;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  const tp_program *p;
  double start_s;
  TP_VEC(tp_seek_target) targets;
  tp_rng rng;
  tp_random_inputs draw, draw_first;  // behind a start; from main's entry
  tp_state *initial;
} tp_seeking;
bool tp_seek_is_over(const tp_seeking *k);
/* Runs on from x (its state is copied), with what the oracle says, which it records in `made`, for
 * so many visits of the goal's location. True: the run failed, which is the verdict. */
bool tp_seek_run(tp_seeking *k, tp_seek_target *t, const tp_seek_start *x, tp_oracle *oracle,
                 const tp_inputs *made, uint32_t n_visits);
/* Asks the solver for inputs that bring runs from x closer. True: the verdict. */
bool tp_seek_turn(tp_seeking *k, tp_seek_target *t, const tp_seek_start *x);

#endif

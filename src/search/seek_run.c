/* A run from a start, watched: at each visit of the goal's location its distance is measured, and
 * states that are ahead of those that are known become starts. */
#include "search/seek_priv.h"

bool tp_seek_is_over(const tp_seeking *k) { return tp_engine_is_over(k->budget, k->start_s); }

// ------------------------------------------------------------------------ a run

typedef struct {
  tp_seeking *k;
  tp_seek_target *t;
  const tp_seek_start *x;
  const tp_inputs *made;  // so far
  uint32_t n_visits;      // that are left
  uint64_t n_steps;
  tp_seek_starts found;  // ahead of those of the target
  double best;           // least sum of all visits
} watch;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  watch *w = ctx;
  const bool is_start = w->n_steps++ == 0 && w->x->s != w->k->initial;
  if (tp_edge_of(w->k->p, e)->from.id != w->t->goal.at.id || is_start) return true;
  tp_seek_start here = {0};
  tp_seek_measure(w->k->p, w->t, before, &here);
  if (tp_seek_is_ahead(w->t, &w->t->starts, &here) && tp_seek_is_ahead(w->t, &w->found, &here)) {
    if (w->found.n == TP_SEARCH_SEEK_FOUND) {  // a later state says more than an earlier one
      const size_t i = w->found.at[0].sum <= w->best && w->found.n > 1 ? 1 : 0;
      tp_seek_start_clear(&w->found.at[i]);
      memmove(&w->found.at[i], &w->found.at[i + 1], (w->found.n - 1 - i) * sizeof *w->found.at);
      w->found.n--;
    }
    tp_seek_start x = tp_seek_start_copy(before, &w->x->inputs, w->made);
    memcpy(x.distances, here.distances, sizeof x.distances);
    x.sum = here.sum;
    tp_vec_push(&w->found, x);
  }
  if (here.sum < w->best) w->best = here.sum;
  return w->n_visits-- > 0;
}

static void conclude(tp_seeking *k, const tp_seek_target *t, const tp_inputs *before,
                     const tp_inputs *made, tp_property violated, bool is_reached) {
  tp_str where = {0};
  k->out->verdict = TP_VERDICT_FALSE;
  k->out->violated = violated;
  tp_inputs_add_all(&k->out->inputs, before);
  tp_inputs_add_all(&k->out->inputs, made);
  tp_pos_print(k->p->diag, tp_loc_of(k->p, t->goal.at)->pos, &where);
  k->out->help =
      tp_arena_printf(&k->out->arena, "%s a state at %s that %s could not exclude",
                      is_reached ? "to" : "on the way to", tp_str_text(&where), t->goal.by);
  tp_str_clear(&where);
}

bool tp_seek_run(tp_seeking *k, tp_seek_target *t, const tp_seek_start *x, tp_oracle *oracle,
                 const tp_inputs *made, uint32_t n_visits) {
  const bool is_start = x->s != k->initial;
  watch w = {.k = k,
             .t = t,
             .x = x,
             .made = made,
             .n_visits = n_visits,
             .best = is_start ? x->sum : 1e300};
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = note_edge};
  tp_state *s = tp_state_copy(x->s);
  const tp_run_result r =
      tp_exec_run(k->p, s, oracle, (tp_run_limits){.steps = TP_SEARCH_SEEK_STEPS}, &observer);
  tp_state_free(s);
  k->stats->tests_run++;
  t->n_quiet++;
  const bool fails =
      r.end == TP_END_ERROR && tp_property_covers(k->task->property, tp_loc_of(k->p, r.loc)->error);
  if (fails) conclude(k, t, &x->inputs, made, tp_loc_of(k->p, r.loc)->error, w.best <= 0);
  if (w.found.n)
    t->n_quiet -= t->n_quiet < TP_SEARCH_SEEK_AHEAD ? t->n_quiet - 1 : TP_SEARCH_SEEK_AHEAD;
  if (w.best < t->best) {
    t->best = w.best;
    t->n_quiet = 0;
    t->is_turned = false;
  }
  for (size_t i = 0; i < w.found.n; i++)
    if (tp_seek_is_ahead(t, &t->starts, &w.found.at[i]))
      tp_seek_keep(t, w.found.at[i]);
    else
      tp_seek_start_clear(&w.found.at[i]);
  tp_vec_clear(&w.found);
  return fails;
}

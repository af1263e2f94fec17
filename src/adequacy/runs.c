/* Runs are observed at every location; at cutpoints their state is abstracted, nothing of it is
 * kept unless it is the first of its kind.
 *
 * A run is stalled when it has visited cutpoints for long without meeting a new abstract state: for
 * the patience that is left, and for twice as many visits as it took to the last news. Patience is
 * halved by every stalled run that brought nothing and restored by news, so the share of running
 * and asking follows what running brings. It is counted in visits, so the same program gives the
 * same runs. Tests are not stalled before their own inputs have ended. */
#include "adequacy/adequacy_priv.h"

#include "adequacy/adequacy_limits.h"

typedef struct {
  tp_adequacy *x;
  tp_origin origin;
  bool is_test;            // of the user
  bool tries;              // news are counted only
  bool stops_at_cutpoint;  // one segment
  bool was_at_start;       // the cutpoint where it starts has been passed
  tp_model_oracle *model;  // to be told locations; NULL: none
  uint64_t steps, visits, last_news;
  bool inputs_are_over;  // of the test
  tp_map seen;           // tries: abstract states that would be new
  tp_adequacy_run_end r;
} run;

// ------------------------------------------------------------------------ visits

static void note_news(run *w) {
  w->r.n_news++;
  w->last_news = w->visits;
  w->x->patience = TP_ADEQUACY_PATIENCE;
}

/* A cutpoint whose numbers do not contain the state. */
static void grow(run *w, uint32_t cutpoint, const tp_state *s) {
  tp_adequacy *x = w->x;
  int64_t point[TP_NUMERIC_POLY_DIMS];
  w->r.last = tp_coverage_find(x->c, cutpoint, 0);
  if (!tp_numeric_point(x->numeric, cutpoint, s, point) ||
      (x->numeric->at[cutpoint].version && tp_numeric_contains(x->numeric, cutpoint, point)))
    return;
  if (w->tries) {
    w->r.n_news++;
    w->last_news = w->visits;
    return;
  }
  tp_origin origin = w->origin;
  origin.step = w->steps;
  (void)tp_numeric_grow(x->numeric, cutpoint, point);
  if (w->r.last == UINT32_MAX)
    w->r.last = tp_coverage_add(x->c, cutpoint, 0, origin, s);
  else if (!w->is_test)
    x->c->states.at[w->r.last].is_missed = true;
  note_news(w);
}

/* An abstract state that is not covered. */
static void meet_new(run *w, uint32_t cutpoint, uint64_t values, const tp_state *s) {
  tp_adequacy *x = w->x;
  if (w->tries) {
    uint64_t key = tp_hash_mix(values, cutpoint);
    if (tp_map_has(&w->seen, key)) return;
    tp_map_set(&w->seen, key, 1);
    w->r.n_news++;
    w->last_news = w->visits;
    return;
  }
  tp_origin origin = w->origin;
  origin.step = w->steps;
  if (origin.kind == TP_FROM_FABRICATED && w->visits > 1) origin.kind = TP_FROM_RUN;
  w->r.last = tp_coverage_add(x->c, cutpoint, values, origin, s);
  note_news(w);
}

static bool is_stalled(run *w) {
  const tp_adequacy_settings *o = &w->x->q->settings;
  if (o->steady || (w->is_test && !w->inputs_are_over)) return false;
  uint64_t quiet = w->visits - w->last_news;
  if (quiet <= w->x->patience || quiet <= 2 * w->last_news) return false;
  if (!w->tries) w->x->report->counters.stalls++;
  if (!w->r.n_news && w->x->patience > TP_ADEQUACY_LEAST_PATIENCE) w->x->patience /= 2;
  return true;
}

/* At a cutpoint: false ends the run. */
static bool visit(run *w, uint32_t cutpoint, const tp_state *s) {
  tp_adequacy *x = w->x;
  const tp_adequacy_settings *o = &x->q->settings;
  w->r.cutpoint = cutpoint;
  if (w->stops_at_cutpoint) {
    bool is_first = !w->was_at_start;
    w->was_at_start = true;
    return is_first;
  }
  bool is_start = w->visits++ == 0;
  if (x->numeric) {
    grow(w, cutpoint, s);
    return !o->only_models && !is_stalled(w);
  }
  uint64_t values = tp_coverage_values(x->c, cutpoint, s);
  w->r.last = tp_coverage_find(x->c, cutpoint, values);
  bool is_seen = w->r.last != UINT32_MAX;
  if (!is_seen)
    meet_new(w, cutpoint, values, s);
  else if (w->is_test)
    x->c->states.at[w->r.last].is_missed = false;
  if (o->only_models || (o->stops_at_seen && is_seen && !is_start)) return false;
  return !is_stalled(w);
}

static bool at(void *ctx, const tp_state *s) {
  run *w = ctx;
  tp_adequacy *x = w->x;
  tp_loc loc = tp_state_loc(s);
  if (w->model) tp_model_oracle_at(w->model, loc);
  if ((++w->steps & (TP_ADEQUACY_LOOK_STEPS - 1)) == 0 && tp_adequacy_is_over(x)) return false;
  if (!x->is_cutpoint[loc.id]) return true;
  uint32_t cutpoint = tp_adequacy_cutpoint_of(x, s);
  return cutpoint == TP_NO_CUTPOINT || visit(w, cutpoint, s);
}

// -------------------------------------------------------------------------- runs

static void go(run *w, tp_state *s, tp_oracle oracle, tp_inputs *asked) {
  tp_adequacy *x = w->x;
  tp_record_oracle record = {.inner = oracle, .to = asked};
  tp_oracle recording = tp_oracle_recording(&record);
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = w, .at = at};
  tp_run_limits limits = x->q->settings.run_limits;
  if (!limits.steps) limits.steps = TP_ADEQUACY_STEPS;
  w->r.last = UINT32_MAX;
  w->r.cutpoint = TP_NO_CUTPOINT;
  w->r.end = tp_exec_run(x->run.p, s, &recording, limits, &observer);
  w->r.is_violation =
      w->r.end.end == TP_END_ERROR &&
      tp_property_covers(x->run.task->property, tp_loc_of(x->run.p, w->r.end.loc)->error);
  w->r.is_open = w->r.end.end == TP_END_UNSUPPORTED;
  x->report->counters.steps += w->r.end.steps;
  x->report->counters.visits += w->visits;
  tp_map_clear(&w->seen);
}

tp_adequacy_run_end tp_adequacy_run_segment(tp_adequacy *x, tp_state *s, uint32_t from,
                                            const tp_segment_model *m, tp_inputs *asked) {
  tp_model_oracle model;
  run w = {
      .x = x, .stops_at_cutpoint = true, .was_at_start = from == TP_NO_CUTPOINT, .model = &model};
  tp_model_oracle_init(&model, &x->run.paths, m);
  go(&w, s, tp_model_oracle_of(&model), asked);
  tp_model_oracle_clear(&model);
  return w.r;
}

/* First these inputs, then drawn ones. */
typedef struct {
  tp_vector_oracle vector;
  tp_oracle first, rest;
  bool *is_over;  // set when the vector has ended; NULL: nobody asks
} input_source;

static bool ask(void *ctx, tp_input *io) {
  input_source *o = ctx;
  tp_input asked = *io;
  if (o->first.ask && o->first.ask(o->first.ctx, io)) return true;
  o->first.ask = NULL;
  if (o->is_over) *o->is_over = true;
  *io = asked;
  if (o->rest.ask) return o->rest.ask(o->rest.ctx, io);
  io->bits = 0;
  io->bytes = NULL;
  io->n_bytes = 0;
  return true;
}

tp_adequacy_run_end tp_adequacy_run_on(tp_adequacy *x, tp_state *s, tp_origin origin,
                                       tp_adequacy_run_how how, const tp_inputs *given,
                                       tp_inputs *asked) {
  run w = {.x = x, .origin = origin, .tries = how == TP_RUN_TRIES};
  tp_inputs drawn;
  input_source source = {.vector = {.in = given}};
  tp_inputs_init(&drawn);
  if (given) source.first = tp_oracle_of_vector(&source.vector);
  tp_random_inputs_start(&x->draw, &drawn);
  source.rest = tp_random_inputs_oracle(&x->draw);
  x->report->counters.runs++;
  x->run.stats->tests_run++;
  go(&w, s, (tp_oracle){&source, ask}, asked);
  tp_inputs_clear(&drawn);
  return w.r;
}

void tp_adequacy_note_failing(tp_adequacy *x, const tp_inputs *inputs, tp_loc error) {
  if (x->has_failing) return;
  x->has_failing = true;
  x->violated = tp_loc_of(x->run.p, error)->error;
  tp_inputs_add_all(&x->failing, inputs);
}

static void run_test(tp_adequacy *x, uint32_t index) {
  const tp_adequacy_test *test = &x->q->tests.at[index];
  static const tp_inputs none = {.is_testcomp = false};
  run w = {.x = x, .is_test = true, .origin = {.kind = TP_FROM_TEST, .index = index}};
  input_source source = {.vector = {.in = test->inputs ? test->inputs : &none},
                         .is_over = &w.inputs_are_over};
  source.first = tp_oracle_of_vector(&source.vector);
  tp_state *s = tp_state_copy(test->state ? test->state : x->start);
  tp_inputs asked;
  tp_inputs_init(&asked);
  x->report->counters.runs++;
  x->run.stats->tests_run++;
  go(&w, s, (tp_oracle){&source, ask}, &asked);
  if (w.r.is_violation && !test->state) {
    if (!x->report->failing_test) x->report->failing_test = index + 1;
    tp_adequacy_note_failing(x, &asked, w.r.end.loc);
  } else if (w.r.is_violation && w.r.last != UINT32_MAX) {
    tp_adequacy_add_potential(
        x,
        (tp_potential_error){.kind = TP_POTENTIAL_ON_RUN, .error = w.r.end.loc, .from = w.r.last});
  }
  tp_inputs_clear(&asked);
  tp_state_free(s);
}

void tp_adequacy_run_tests(tp_adequacy *x) {
  for (uint32_t i = 0; i < x->q->tests.n && !tp_adequacy_is_over(x); i++) run_test(x, i);
  x->report->counters.abstract_states_from_tests = x->c->states.n;
}

/* A run of the program with drawn inputs; a test if it met what is new. */
static tp_adequacy_run_end draw_test(tp_adequacy *x, tp_inputs *asked) {
  tp_state *s = tp_state_copy(x->start);
  tp_origin origin = {.kind = TP_FROM_INITIAL, .index = (uint32_t)x->report->added.n};
  tp_adequacy_run_end end = tp_adequacy_run_on(x, s, origin, TP_RUN_COUNTS, NULL, asked);
  tp_state_free(s);
  if (end.is_violation) tp_adequacy_note_failing(x, asked, end.end.loc);
  if (!end.n_news) return end;
  tp_inputs test;
  tp_inputs_init(&test);
  tp_inputs_add_all(&test, asked);
  tp_vec_push(&x->report->added, test);
  x->report->counters.tests_drawn++;
  return end;
}

void tp_adequacy_draw_tests(tp_adequacy *x) {
  const tp_adequacy_settings *o = &x->q->settings;
  bool goes_on = !o->only_models && !o->only_steps && !o->assumes_initial && !o->steady;
  for (uint32_t i = 0, idle = 0; i < TP_ADEQUACY_RUNS_FROM_STATE && idle < TP_ADEQUACY_IDLE_RUNS &&
                                 goes_on && !tp_adequacy_is_over(x);
       i++) {
    tp_inputs asked;
    tp_inputs_init(&asked);
    idle = draw_test(x, &asked).n_news ? 0 : idle + 1;
    goes_on = asked.v.n > 0;  // else they are all the same
    tp_inputs_clear(&asked);
  }
}

/* Closing the set of abstract states.
 *
 *   until no segment has an abstract state in front of it that it was not asked about:
 *     ask whether the segment leads from one of these to an abstract state that is not covered, or
 *     to an error; no: they are settled, for ever, since what is covered only grows; yes: some
 *     models, each with another abstract state behind the segment, become concrete states in front
 *     of it; each is run
 *          through the segment; the one from which a further run meets most that is new comes
 *          first, others follow as long as they are still new.
 *
 * Segments from main's start come first: their models are runs of the program. Those to errors come
 * last, when the abstract states in front of them are all known: one question to each of them is
 * enough where nothing can fail.
 *
 * Why the result does not depend on models and runs: every abstract state that is added is led to
 * by the path formula of some segment from one that is covered (a run is one of the path
 * formula's), and the loop ends when nothing else is. Each turn adds at least one, and there are
 * finitely many truth vectors. */
#include "adequacy/adequacy_priv.h"

#include "adequacy/adequacy_limits.h"
#include "exec/inject.h"

bool tp_adequacy_is_over(const tp_adequacy *x) {
  if (tp_engine_is_over(x->run.budget, x->run.start_s)) return true;
  return x->run.budget->steps && x->report->counters.rounds >= x->run.budget->steps;
}

// --------------------------------------------------------------- what is to be asked

static uint32_t cutpoint_before(const tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  return x->cutpoint_of[x->run.blocks.list.at[block].from];
}

/* Truth vectors in front of the segment that are not settled; `out` has room for one more than the
 * cutpoint has states. */
static size_t open_sources(const tp_adequacy *x, uint32_t block, uint64_t *out) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  const tp_segment *s = &x->segments[block];
  uint32_t from = cutpoint_before(x, block);
  size_t n = 0;
  if (s->is_settled_for_good) return 0;
  if (x->run.blocks.list.at[block].from == 0) {
    out[n] = 0;
    return s->n_settled == 0 && !x->q->settings.assumes_initial;
  }
  if (from == TP_NO_CUTPOINT || x->numeric) return 0;  // behind an open cutpoint
  const tp_cutpoint_coverage *cutpoint = &x->c->cutpoints.at[from];
  for (size_t i = s->n_settled; i < cutpoint->states.n; i++)
    out[n++] = x->c->states.at[cutpoint->states.at[i]].values;
  return n;
}

static size_t n_sources(const tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  uint32_t from = cutpoint_before(x, block);
  if (from != TP_NO_CUTPOINT && x->numeric) return x->numeric->at[from].version;
  return from == TP_NO_CUTPOINT ? 1 : x->c->cutpoints.at[from].states.n;
}

/* From main's start, to errors, others. */
static int urgency(const tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  const tp_block *b = &x->run.blocks.list.at[block];
  return b->from == 0 ? 0 : tp_block_node_is_bad(&x->run.blocks, b->to) ? 2 : 1;
}

static bool next_block(const tp_adequacy *x, uint32_t *block) {
  int best = 3;
  for (uint32_t i = 0; i < x->run.blocks.list.n && best > 0; i++) {
    uint32_t from = cutpoint_before(x, i);
    const tp_segment *s = &x->segments[i];
    bool is_start = x->run.blocks.list.at[i].from == 0;
    bool is_open = !s->is_settled_for_good &&
                   (is_start ? !x->q->settings.assumes_initial : from != TP_NO_CUTPOINT) &&
                   s->n_settled < n_sources(x, i);
    is_open &=
        !x->skips_errors || !tp_block_node_is_bad(&x->run.blocks, x->run.blocks.list.at[i].to);
    if (!is_open || urgency(x, i) >= best) continue;
    best = urgency(x, i);
    *block = i;
  }
  return best < 3;
}

// -------------------------------------------------------------------- concrete states

/* A state with the calls of the cutpoint: in the abstract state, at the cutpoint, or the last that
 * was met in the same calls. */
static tp_state *base_state(const tp_adequacy *x, uint32_t cutpoint, uint64_t values) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  uint32_t exact = tp_coverage_find(x->c, cutpoint, values);
  const tp_state *base = exact != UINT32_MAX ? x->c->states.at[exact].state : NULL;
  const tp_cutpoint_coverage *at = &x->c->cutpoints.at[cutpoint];
  for (size_t i = 0; i < at->states.n && !base; i++) base = x->c->states.at[at->states.at[i]].state;
  for (size_t i = x->c->states.n; i-- > 0 && !base;) {
    const tp_abstract_state *a = &x->c->states.at[i];
    if (x->c->cutpoints.at[a->cutpoint].context.id == at->context.id) base = a->state;
  }
  if (!base) return NULL;
  tp_state *s = tp_state_copy(base);
  tp_inject_loc(s, at->loc);
  return s;
}

/* The state in front of the segment that the model describes; NULL: it cannot be made. */
static tp_state *make_state(tp_adequacy *x, uint32_t block, const tp_segment_model *m) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  uint32_t cutpoint = cutpoint_before(x, block);
  if (cutpoint == TP_NO_CUTPOINT) return tp_state_copy(x->start);
  tp_state *s = base_state(x, cutpoint, m->before);
  if (!s) return NULL;
  tp_fabricate(&x->segments[block], m, s);
  bool is_as_said = (!x->numeric || !tp_adequacy_is_new(x, cutpoint, s)) &&
                    tp_coverage_values(x->c, cutpoint, s) == m->before &&
                    tp_coverage_holds(x->c, s, x->layout[x->node_of[cutpoint]]);
  if (is_as_said) return s;
  x->report->counters.injections_refused++;
  tp_state_free(s);
  return NULL;
}

// ------------------------------------------------------------------------- candidates

typedef struct {
  tp_segment_model model;
  tp_state *pre, *state;      // in front of and behind the segment; NULL: none could be made
  uint32_t cutpoint;          // where `state` stands
  tp_inputs inputs, further;  // of the segment, of the run behind it
  tp_adequacy_run_end end;    // of the segment
  uint32_t score;             // abstract states that the run meets first
} candidate;

static void candidate_clear(candidate *k) {
  tp_segment_model_clear(&k->model);
  tp_state_free(k->pre);
  tp_state_free(k->state);
  tp_inputs_clear(&k->inputs);
  tp_inputs_clear(&k->further);
}

static bool is_new(const tp_adequacy *x, const candidate *k) {
  return k->state && tp_adequacy_is_new(x, k->cutpoint, k->state);
}

/* Makes the states; behind the segment only if that is a new abstract state. */
static void execute(tp_adequacy *x, uint32_t block, candidate *k) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_inputs_init(&k->inputs);
  tp_inputs_init(&k->further);
  if (x->q->settings.only_steps) return;
  k->pre = make_state(x, block, &k->model);
  if (!k->pre) return;
  tp_state *s = tp_state_copy(k->pre);
  k->end = tp_adequacy_run_segment(x, s, cutpoint_before(x, block), &k->model, &k->inputs);
  k->cutpoint = k->end.cutpoint;
  k->state = s;
  bool stands_there = k->end.end.end == TP_END_STOPPED && k->cutpoint != TP_NO_CUTPOINT &&
                      tp_state_loc(s).id == x->c->cutpoints.at[k->cutpoint].loc.id;
  if (stands_there && is_new(x, k)) return;
  tp_state_free(s);
  k->state = NULL;
  x->report->counters.models_rejected += !k->end.is_violation;
}

/* How much would a run from there meet? */
static void rate(tp_adequacy *x, candidate *k) {
  if (!k->state) return;
  tp_state *s = tp_state_copy(k->state);
  k->score = tp_adequacy_run_on(x, s, (tp_origin){0}, TP_RUN_TRIES, NULL, &k->further).n_news;
  tp_state_free(s);
}

/* A run that started in front of the segment failed behind it. */
static void note_run_end(tp_adequacy *x, const candidate *k, tp_adequacy_run_end end,
                         bool is_real) {
  if (!end.is_violation) return;
  if (is_real) {
    tp_inputs all;
    tp_inputs_init(&all);
    tp_inputs_add_all(&all, &k->inputs);
    tp_inputs_add_all(&all, &k->further);
    tp_adequacy_note_failing(x, &all, end.end.loc);
    tp_inputs_clear(&all);
  } else if (end.last != UINT32_MAX) {
    tp_adequacy_add_potential(
        x,
        (tp_potential_error){.kind = TP_POTENTIAL_ON_RUN, .error = end.end.loc, .from = end.last});
  }
}

/* The state becomes part of the report. Its number, as an origin has it. */
static tp_origin record(tp_adequacy *x, uint32_t block, candidate *k) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_adequacy_report *r = x->report;
  uint32_t cutpoint = cutpoint_before(x, block);
  tp_inputs inputs;
  tp_inputs_init(&inputs);
  tp_inputs_add_all(&inputs, &k->inputs);
  if (cutpoint == TP_NO_CUTPOINT) {
    tp_vec_push(&r->added, inputs);
    r->counters.initial_tests_added++;
    return (tp_origin){.kind = TP_FROM_INITIAL, .index = (uint32_t)r->added.n - 1};
  }
  tp_fabricated f = {.before = tp_coverage_find(x->c, cutpoint, k->model.before),
                     .after = (uint32_t)x->c->states.n,
                     .pre = tp_state_copy(k->pre),
                     .state = tp_state_copy(k->state)};
  f.inputs = inputs;
  tp_vec_push(&r->fabricated, f);
  r->counters.fabricated_states++;
  x->run.stats->fabricated_states++;
  return (tp_origin){.kind = TP_FROM_FABRICATED, .index = (uint32_t)r->fabricated.n - 1};
}

/* One run from the candidate's state; what it meets is covered now. */
static tp_adequacy_run_end run_from(tp_adequacy *x, candidate *k, tp_origin origin,
                                    const tp_inputs *given, bool is_real) {
  tp_state *s = tp_state_copy(k->state);
  tp_inputs_clear(&k->further);
  tp_inputs_init(&k->further);
  tp_adequacy_run_end end = tp_adequacy_run_on(x, s, origin, TP_RUN_COUNTS, given, &k->further);
  note_run_end(x, k, end, is_real);
  tp_state_free(s);
  return end;
}

/* Runs on from the candidate's state; if it was fabricated, again with other inputs as long as that
 * meets what is new. */
static void commit(tp_adequacy *x, uint32_t block, candidate *k, bool was_rated) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  bool is_real = cutpoint_before(x, block) == TP_NO_CUTPOINT;
  tp_origin origin = record(x, block, k);
  tp_inputs given = k->further;
  uint32_t runs = 1, idle = 0;
  tp_inputs_init(&k->further);
  (void)run_from(x, k, origin, was_rated ? &given : NULL, is_real);
  if (is_real) tp_inputs_add_all(&x->report->added.at[origin.index], &k->further);
  tp_inputs_clear(&given);
  if (is_real || x->q->settings.only_models || x->q->settings.steady) return;
  for (; runs < TP_ADEQUACY_RUNS_FROM_STATE && idle < TP_ADEQUACY_IDLE_RUNS && k->further.v.n &&
         !tp_adequacy_is_over(x);
       runs++)
    idle = run_from(x, k, origin, NULL, false).n_news ? 0 : idle + 1;
}

/* The most promising first, then those that are still new. False: none could be made. */
static bool commit_all(tp_adequacy *x, uint32_t block, candidate *k, size_t n) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  size_t made = 0, best = 0;
  for (size_t i = 0; i < n; i++) made += k[i].state != NULL;
  bool rates = made > 1 && !x->q->settings.only_models;
  for (size_t i = 0; i < n && rates; i++) rate(x, &k[i]);
  for (size_t i = 1; i < n; i++)
    if (k[i].state && (!k[best].state || k[i].score > k[best].score)) best = i;
  if (made) commit(x, block, &k[best], rates);
  for (size_t i = 0; i < n; i++)
    if (i != best && is_new(x, &k[i])) commit(x, block, &k[i], rates);
  return made > 0;
}

void tp_adequacy_step(tp_adequacy *x, uint32_t cutpoint, uint64_t values) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  if (tp_coverage_find(x->c, cutpoint, values) == UINT32_MAX)
    (void)tp_coverage_add(x->c, cutpoint, values, (tp_origin){.kind = TP_FROM_STEP}, NULL);
}

// ------------------------------------------------------------------------------ loop

/* The models that are in the segment's solver, and some more with other abstract states behind it.
 */
static size_t read_models(tp_adequacy *x, uint32_t block, const uint64_t *sources,
                          size_t n_sources_open, candidate *out) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_segment *s = &x->segments[block];
  uint64_t excluded[TP_ADEQUACY_MOST_MODELS];
  uint32_t most = x->q->settings.models ? x->q->settings.models : TP_ADEQUACY_MODELS;
  size_t n = 0;
  if (x->numeric) most = 1;
  if (most > TP_ADEQUACY_MOST_MODELS) most = TP_ADEQUACY_MOST_MODELS;
  for (tp_smt_answer a = TP_SMT_SAT; a == TP_SMT_SAT;) {
    out[n] = (candidate){0};
    tp_segment_read_model(s, &out[n].model);
    x->report->counters.model_calls++;
    excluded[n] = out[n].model.behind;
    n++;
    if (n == most || s->is_settled_for_good) break;
    a = tp_segment_ask(s, x->c, sources, n_sources_open, excluded, n);
  }
  return n;
}

/* A segment leads from an abstract state to an error, or to where the model says nothing. */
static void meet_bad(tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_segment *s = &x->segments[block];
  const tp_block_node *bad = &x->run.blocks.nodes.at[x->run.blocks.list.at[block].to];
  candidate k = {0};
  tp_segment_read_model(s, &k.model);
  x->report->counters.model_calls++;
  execute(x, block, &k);
  bool is_real = cutpoint_before(x, block) == TP_NO_CUTPOINT;
  if (is_real) note_run_end(x, &k, k.end, true);
  tp_potential_error e = {.kind = TP_POTENTIAL_SYMBOLIC,
                          .error = bad->loc,
                          .is_open = bad->is_unmodelled && !bad->is_error};
  e.from = is_real ? UINT32_MAX : tp_coverage_find(x->c, cutpoint_before(x, block), k.model.before);
  bool fails = k.end.is_violation && k.end.end.loc.id == bad->loc.id;
  if (fails) {
    e.state = tp_state_copy(k.pre);
    tp_inputs_init(&e.inputs);
    tp_inputs_add_all(&e.inputs, &k.inputs);
  }
  tp_adequacy_add_potential(x, e);
  s->is_settled_for_good = true;
  candidate_clear(&k);
}

static void step_numbers(tp_adequacy *x, uint32_t cutpoint, const tp_segment_model *m) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  int64_t point[TP_NUMERIC_POLY_DIMS];
  tp_numeric_read(x->numeric, cutpoint, m->outputs.at, point);
  (void)tp_numeric_grow(x->numeric, cutpoint, point);
  tp_adequacy_step(x, cutpoint, 0);
}

static void meet_new(tp_adequacy *x, uint32_t block, const uint64_t *sources, size_t n_open) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  candidate k[TP_ADEQUACY_MOST_MODELS];
  uint32_t to = x->cutpoint_of[x->run.blocks.list.at[block].to];
  size_t n = read_models(x, block, sources, n_open, k);
  for (size_t i = 0; i < n; i++) execute(x, block, &k[i]);
  if (!commit_all(x, block, k, n)) {
    if (x->numeric)
      step_numbers(x, to, &k[0].model);
    else
      tp_adequacy_step(x, to, k[0].model.behind);
    tp_adequacy_weakest(x, TP_FALLBACK_STEP);
  }
  for (size_t i = 0; i < n; i++) candidate_clear(&k[i]);
}

static void count_check(tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_adequacy_counters *n = &x->report->counters;
  int kind = urgency(x, block);
  *(kind == 0 ? &n->initiation_checks : kind == 2 ? &n->safety_checks : &n->adequacy_checks) += 1;
  n->segments_checked_again += x->segments[block].smt != NULL;
}

/* Does the segment lead out of the numbers at its end? */
static tp_smt_answer ask_numbers(tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_segment *s = &x->segments[block];
  uint32_t from = cutpoint_before(x, block), to = x->cutpoint_of[x->run.blocks.list.at[block].to];
  tp_term conditions[2] = {tp_mk_true(x->run.tt), tp_mk_true(x->run.tt)};
  tp_segment_prepare(s);
  if (from != TP_NO_CUTPOINT) conditions[0] = tp_numeric_formula(x->numeric, from, NULL);
  if (to != TP_NO_CUTPOINT)
    conditions[1] = tp_mk_not(x->run.tt, tp_numeric_formula(x->numeric, to, s->results));
  return tp_segment_ask_terms(s, conditions, 2);
}

/* Undecided: any numbers, or a potential error. */
static tp_smt_answer give_up_numbers(tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  uint32_t to = x->cutpoint_of[x->run.blocks.list.at[block].to];
  const tp_block_node *bad = &x->run.blocks.nodes.at[x->run.blocks.list.at[block].to];
  tp_adequacy_weakest(x, TP_FALLBACK_ALL);
  if (to == TP_NO_CUTPOINT) {
    tp_adequacy_add_potential(
        x, (tp_potential_error){.error = bad->loc, .from = UINT32_MAX, .is_open = !bad->is_error});
    x->segments[block].is_settled_for_good = true;
  } else {
    tp_numeric_grow_to_all(x->numeric, to);
    tp_adequacy_step(x, to, 0);
  }
  return TP_SMT_UNSAT;
}

/* One question about a segment and what follows from it. False: it could not be settled. */
static bool treat(tp_adequacy *x, uint32_t block) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_segment *s = &x->segments[block];
  uint64_t *sources = TP_NEW_ARRAY(uint64_t, n_sources(x, block) + 1);
  size_t settled = n_sources(x, block), n = open_sources(x, block, sources);
  count_check(x, block);
  tp_smt_answer a =
      x->numeric ? ask_numbers(x, block) : tp_segment_ask(s, x->c, sources, n, NULL, 0);
  if (a == TP_SMT_UNKNOWN)
    a = x->numeric ? give_up_numbers(x, block) : tp_adequacy_ask_otherwise(x, block, sources, n);
  if (a == TP_SMT_UNSAT) {
    s->n_settled = settled;
  } else if (a == TP_SMT_SAT) {
    x->report->counters.rounds++;
    if (tp_block_node_is_bad(&x->run.blocks, x->run.blocks.list.at[block].to))
      meet_bad(x, block);
    else
      meet_new(x, block, sources, n);
  }
  tp_free(sources);
  return a != TP_SMT_UNKNOWN;
}

bool tp_adequacy_close(tp_adequacy *x) {
  uint32_t block = 0;
  while (next_block(x, &block)) {
    if (tp_adequacy_is_over(x)) return false;
    x->run.stats->iterations = x->report->counters.rounds;
    x->run.stats->abstract_states = x->c->states.n;
    tp_engine_report_phase(x->run.budget, x->run.stats, "close");
    if (!treat(x, block)) return false;
  }
  return true;
}

/* Missed abstract states that runs come to.
 *
 *   ways      of a few blocks from the start, shortest first: one that leads to a missed state is
 *             followed back block by block, then its inputs are taken from a model, and the program
 *             is run with them; only what that run really passes is real
 *   runs      those that the search made from main's start, and some with random inputs: what they
 *             pass is real
 *   never     what no such way leads to may be unreachable: unreachable.c
 *
 * A state that is none of these stays unknown. */
#include "adequacy/adequacy_priv.h"
#include "adequacy/adequacy_limits.h"
#include "blocks/induction.h"

typedef struct {
  tp_adequacy *x;
  tp_induction along;
  tp_term *known;                               // by node
  tp_node_paths ways[TP_ADEQUACY_LONGEST_WAY];  // from the start, by length
  uint32_t n_ways;
  bool *is_open;  // by abstract state: a way leads there, or a solver gave up
} classifier;

// ------------------------------------------------------------------------- runs

typedef struct {
  tp_adequacy *x;
  uint32_t witness;  // number of this run among the witnesses, if it becomes one
  const tp_inputs *told;
  uint32_t n_marked;
} marker;

static bool mark(void *ctx, const tp_state *s) {
  marker *m = ctx;
  tp_adequacy *x = m->x;
  uint32_t cutpoint =
      x->is_cutpoint[tp_state_loc(s).id] ? tp_adequacy_cutpoint_of(x, s) : TP_NO_CUTPOINT;
  if (cutpoint == TP_NO_CUTPOINT) return true;
  uint32_t at = tp_coverage_find(x->c, cutpoint, tp_coverage_values(x->c, cutpoint, s));
  if (at == UINT32_MAX || !x->c->states.at[at].is_missed ||
      x->c->states.at[at].reach == TP_REACH_REAL)
    return true;
  x->c->states.at[at].reach = TP_REACH_REAL;
  x->c->states.at[at].witness = m->witness;
  x->c->states.at[at].n_witness = (uint32_t)m->told->v.n;
  m->n_marked++;
  return true;
}

/* A run of the program; if it passes missed states that no run before did, what it was told becomes
 * a witness. */
static bool run_and_mark(tp_adequacy *x, tp_oracle oracle) {
  tp_inputs told;
  tp_inputs_init(&told);
  marker m = {x, (uint32_t)x->report->witnesses.n, &told, 0};
  tp_record_oracle record = {.inner = oracle, .to = &told};
  tp_oracle recording = tp_oracle_recording(&record);
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &m, .at = mark};
  tp_state *s = tp_state_copy(x->start);
  (void)tp_exec_run(x->run.p, s, &recording, (tp_run_limits){.steps = TP_ADEQUACY_RUN_STEPS},
                    &observer);
  tp_state_free(s);
  if (m.n_marked)
    tp_vec_push(&x->report->witnesses, told);
  else
    tp_inputs_clear(&told);
  return m.n_marked > 0;
}

static bool run_with(tp_adequacy *x, const tp_inputs *in) {
  tp_vector_oracle vector = {in, 0, true};
  return run_and_mark(x, tp_oracle_of_vector(&vector));
}

/* Those of the search that were runs of the program, and random ones. */
static void run_all(tp_adequacy *x) {
  for (size_t i = 0; i < x->report->added.n && !tp_adequacy_is_over(x); i++)
    (void)run_with(x, &x->report->added.at[i]);
  for (uint32_t i = 0; i < TP_ADEQUACY_RANDOM_RUNS && !tp_adequacy_is_over(x); i++) {
    tp_inputs drawn;
    tp_inputs_init(&drawn);
    tp_random_inputs_start(&x->draw, &drawn);
    if (run_and_mark(x, tp_random_inputs_oracle(&x->draw)))
      tp_random_inputs_keep(&x->draw, &tp_vec_last(&x->report->witnesses));
    tp_inputs_clear(&drawn);
  }
}

// --------------------------------------------------------------- one way of blocks

/* Blocks b[0] .. b[n-1] from main's start; inputs of one are renamed by every block before it. */
typedef struct {
  uint32_t b[TP_ADEQUACY_LONGEST_WAY + 1];
  uint32_t n;
  tp_map renamed[TP_ADEQUACY_LONGEST_WAY + 1];  // by block in front
  tp_term before[TP_ADEQUACY_LONGEST_WAY +
                 1];  // the condition in front of each block, over its own inputs and renamed ones
} way;

static void way_clear(way *w) {
  for (uint32_t i = 0; i < w->n; i++) tp_map_clear(&w->renamed[i]);
}

static const tp_path *path_of(const tp_adequacy *x, const way *w, uint32_t i) {
  return &x->run.blocks.list.at[w->b[i]].path;
}

/* What must hold before the blocks so that they are run through to a state in the cube. */
static tp_term condition_of(tp_adequacy *x, way *w, tp_term goal) {
  tp_term t = goal;
  for (uint32_t i = w->n; i-- > 0;) {
    t = tp_mk_and(x->run.tt, tp_path_condition(&x->run.paths, path_of(x, w, i)),
                  tp_path_follow(&x->run.paths, path_of(x, w, i), &w->renamed[i], t));
    w->before[i] = t;
  }
  return t;
}

typedef struct {
  classifier *c;
  const way *w;
  tp_smt *smt;
  uint32_t block;
  tp_segment_model *out;
} reading;

/* An input of this block, by the name that the blocks in front gave it. */
static void read_input(void *ctx, tp_term symbol) {
  reading *r = ctx;
  tp_adequacy *x = r->c->x;
  uint64_t renamed = symbol.id;
  tp_value v;
  if (!tp_paths_is_input(&x->run.paths, symbol)) return;
  for (uint32_t i = r->block; i-- > 0;)
    if (!tp_map_get(&r->w->renamed[i], renamed, &renamed)) return;
  if (tp_smt_value(r->smt, (tp_term){(uint32_t)renamed}, &v))
    tp_vec_push(&r->out->inputs, (tp_model_input){symbol, v});
}

/* The program, run with the inputs of the model, block by block; then once more from its start,
 * with all that it was told. */
static bool run_along(classifier *c, const way *w, tp_smt *smt) {
  tp_adequacy *x = c->x;
  tp_state *s = tp_state_copy(x->start);
  tp_inputs told;
  tp_inputs_init(&told);
  bool goes_on = true;
  uint32_t from = TP_NO_CUTPOINT;
  for (uint32_t i = 0; i < w->n && goes_on; i++) {
    tp_segment_model m = {0};
    reading r = {c, w, smt, i, &m};
    tp_for_vars(x->run.tt, w->before[i], read_input, &r);
    tp_adequacy_run_end end = tp_adequacy_run_segment(x, s, from, &m, &told);
    from = x->cutpoint_of[x->run.blocks.list.at[w->b[i]].to];
    goes_on = end.end.end == TP_END_STOPPED && end.cutpoint == from;
    tp_segment_model_clear(&m);
  }
  bool has_marked = goes_on && run_with(x, &told);
  tp_inputs_clear(&told);
  tp_state_free(s);
  return has_marked;
}

/* Blocks of a way to the state, the last first, each chosen so that the rest can be in front of it.
 */
static bool find_way(classifier *c, uint32_t state, uint32_t length, way *w) {
  tp_adequacy *x = c->x;
  uint32_t at = x->node_of[x->c->states.at[state].cutpoint];
  tp_term goal = tp_coverage_cube(x->c, state);
  w->n = 0;
  for (uint32_t left = length; left > 0; left--) {
    bool found = false;
    for (uint32_t i = 0; i < x->run.blocks.list.n && !found && !tp_adequacy_is_over(x); i++) {
      const tp_block *b = &x->run.blocks.list.at[i];
      if (b->to != at || !c->ways[left - 1].has[b->from]) continue;
      tp_map renamed = {0};
      tp_path whole = tp_path_then(&x->run.paths, &c->ways[left - 1].at[b->from], &b->path);
      tp_term t = tp_mk_and(x->run.tt, tp_path_condition(&x->run.paths, &whole),
                            tp_path_follow(&x->run.paths, &whole, &renamed, goal));
      tp_smt *smt = tp_smt_new(x->run.tt, tp_adequacy_query_options(x));
      tp_smt_assert(smt, tp_paths_query(&x->run.paths, t));
      x->report->counters.classification_calls++;
      found = tp_smt_check(smt, NULL, 0) == TP_SMT_SAT;
      tp_smt_free(smt);
      tp_map_clear(&renamed);
      tp_path_clear(&whole);
      if (!found) continue;
      renamed = (tp_map){0};
      goal = tp_mk_and(x->run.tt, tp_path_condition(&x->run.paths, &b->path),
                       tp_path_follow(&x->run.paths, &b->path, &renamed, goal));
      tp_map_clear(&renamed);
      for (uint32_t k = w->n; k > 0; k--) w->b[k] = w->b[k - 1];
      w->b[0] = i;
      w->n++;
      at = b->from;
    }
    if (!found) return false;
  }
  return at == 0;
}

/* A way of this length leads to the state: is there a run? */
static void follow(classifier *c, uint32_t state, uint32_t length) {
  tp_adequacy *x = c->x;
  way w = {.n = 0};
  c->is_open[state] = true;
  if (!find_way(c, state, length, &w)) return;
  tp_term t = condition_of(x, &w, tp_coverage_cube(x->c, state));
  tp_smt *smt = tp_smt_new(x->run.tt, tp_adequacy_query_options(x));
  tp_smt_assert(smt, tp_paths_query(&x->run.paths, t));
  x->report->counters.classification_calls++;
  if (tp_smt_check(smt, NULL, 0) == TP_SMT_SAT) (void)run_along(c, &w, smt);
  tp_smt_free(smt);
  way_clear(&w);
}

// -------------------------------------------------------------------------- ways

static bool is_unknown(const classifier *c, uint32_t state) {
  const tp_abstract_state *a = &c->x->c->states.at[state];
  return a->is_missed && a->reach == TP_REACH_UNKNOWN && !c->is_open[state];
}

/* Ways that end with this block: to which missed states do they lead? */
static void ask_behind(classifier *c, const tp_block *b, const tp_path *path, uint32_t length) {
  tp_adequacy *x = c->x;
  const tp_cutpoint_coverage *at = &x->c->cutpoints.at[x->cutpoint_of[b->to]];
  tp_segment s = {.paths = &x->run.paths,
                  .path = path,
                  .to = at,
                  .layout = tp_mk_true(x->run.tt),
                  .options = tp_adequacy_query_options(x)};
  for (size_t i = 0; i < at->states.n && !tp_adequacy_is_over(x); i++) {
    uint32_t state = at->states.at[i];
    if (!is_unknown(c, state)) continue;
    x->report->counters.classification_calls++;
    tp_smt_answer a = tp_segment_ask_for(&s, x->c->states.at[state].values);
    if (a == TP_SMT_SAT)
      follow(c, state, length);
    else if (a == TP_SMT_UNKNOWN)
      c->is_open[state] = true;
  }
  tp_segment_clear(&s);
}

static void ask_ways(classifier *c, uint32_t length) {
  tp_adequacy *x = c->x;
  const tp_node_paths *w = &c->ways[length - 1];
  for (size_t i = 0; i < x->run.blocks.list.n; i++) {
    const tp_block *b = &x->run.blocks.list.at[i];
    if (!w->has[b->from] || x->cutpoint_of[b->to] == TP_NO_CUTPOINT) continue;
    tp_path path = tp_path_then(&x->run.paths, &w->at[b->from], &b->path);
    ask_behind(c, b, &path, length);
    tp_path_clear(&path);
  }
}

static bool goes_on(const tp_adequacy *x) {
  return !tp_adequacy_is_over(x) &&
         x->report->counters.classification_calls < TP_ADEQUACY_CLASSIFY_QUERIES;
}

/* May runs come to where the model does not say what happens? What follows from there is not in the
 * closed set. */
static bool meets_open(const tp_adequacy *x) {
  for (size_t i = 0; i < x->report->potential.n; i++)
    if (x->report->potential.at[i].is_open) return true;
  return false;
}

static void count(const tp_adequacy *x) {
  for (size_t i = 0; i < x->c->states.n; i++) {
    const tp_abstract_state *a = &x->c->states.at[i];
    x->report->counters.missed_reachable += a->is_missed && a->reach == TP_REACH_REAL;
    x->report->counters.missed_unreachable += a->is_missed && a->reach == TP_REACH_NEVER;
  }
}

void tp_adequacy_classify(tp_adequacy *x) {
  if (x->numeric || x->c->states.n > TP_ADEQUACY_CLASSIFIED_STATES) return;
  classifier c = {.x = x,
                  .is_open = TP_NEW_ARRAY(bool, x->c->states.n + 1),
                  .known = tp_adequacy_known_at_nodes(x)};
  tp_engine_report_phase(x->run.budget, x->run.stats, "classify");
  tp_induction_init(&c.along, &x->run.blocks, c.known, tp_adequacy_query_options(x));
  uint32_t asked = 0;
  for (; asked < TP_ADEQUACY_LONGEST_WAY && goes_on(x); asked++) {
    c.ways[asked] = asked ? tp_induction_extended(&c.along, &c.ways[asked - 1], NULL)
                          : tp_induction_paths_from(&c.along, 0);
    c.n_ways++;
    ask_ways(&c, asked + 1);
    if (asked + 1 == TP_ADEQUACY_SHORT_WAY) run_all(x);
  }
  for (uint32_t k = 1;
       k <= TP_ADEQUACY_CLASSIFY_INDUCTION && !meets_open(x) && k <= asked && goes_on(x); k++)
    tp_adequacy_find_unreachable(x, k, c.is_open);
  for (uint32_t i = 0; i < c.n_ways; i++) tp_induction_clear_paths(&x->run.blocks, &c.ways[i]);
  tp_induction_clear(&c.along);
  tp_free(c.known);
  tp_free(c.is_open);
  count(x);
}

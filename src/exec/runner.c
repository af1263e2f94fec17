/* Two tiers, one run.
 *
 * Compiling costs what it costs, so a program is compiled when its runs have cost about as much in
 * the interpreter: whatever comes then, at most about half of the time was spent wrongly. Short
 * runs stay in the interpreter whatever others cost. A stay in code has a price, too (the state
 * goes to another process and back). Stays that were short make the interpreter keep the run for
 * longer each time; one that was long enough forgets that.
 *
 * What the interpreter shows of a run ends a part of it where code could go on, before the observer
 * sees that place: it is seen by whoever goes on. Without anybody who looks the interpreter's quick
 * way is used, and cutpoints are looked for only when the run is hot. */
#include "exec/runner.h"

#include "exec/exec_limits.h"
#include "exec/machine_state.h"

struct tp_runner {
  const tp_program *p;
  tp_runner_options options;
  tp_visits visits;
  tp_child *child;
  tp_native *native;  // in_process
  bool is_unable;
  uint64_t hot, heat;  // steps; those of runs without observers count less
  uint64_t wait;       // steps that the interpreter keeps the run after the last stay
  tp_rng rng;
  tp_runner_counts counts;
};

tp_runner *tp_runner_new(const tp_program *p, tp_runner_options options) {
  tp_runner *r = TP_NEW(tp_runner);
  r->p = p;
  r->options = options;
  r->hot = options.hot_steps
               ? options.hot_steps
               : TP_EXEC_COMPILE_STEPS + (uint64_t)TP_EXEC_COMPILE_STEPS_PER_EDGE * p->edges.n;
  tp_visits_init(&r->visits, p);
  tp_rng_init(&r->rng, options.seed);
  if (!options.in_process) r->child = tp_child_new(p, &r->visits);
  return r;
}

void tp_runner_free(tp_runner *r) {
  if (!r) return;
  tp_child_free(r->child);
  tp_native_free(r->native);
  tp_visits_clear(&r->visits);
  tp_free(r);
}

tp_visits *tp_runner_visits(tp_runner *r) { return &r->visits; }
tp_child *tp_runner_child(tp_runner *r) { return r->child; }

tp_runner_counts tp_runner_counted(const tp_runner *r) {
  tp_runner_counts c = r->counts;
  if (r->child) c.n_lost = tp_child_n_lost(r->child);
  return c;
}

// ------------------------------------------------------------------------ stays

typedef struct {
  tp_runner *r;
  tp_state *s;
  tp_oracle *oracle;
  tp_run_limits limits;
  const tp_runner_observer *observer;
  uint64_t steps;  // of the parts that are over
  uint64_t
      here;  // of the part at hand: edges, or visits if these are what is seen, which are not fewer
  bool counts_edges;
  uint64_t wait;      // steps of this part before a stay
  bool stops;         // the part ended for a stay
  bool must_observe;  // the place at hand is the interpreter's: code left there, or could not be
                      // entered
  tp_edge last;
  bool und;
} run;

static bool prepare_in_process(tp_runner *r) {
  tp_str why = {0};
  if (r->native || r->is_unable) return r->native != NULL;
  r->native = tp_native_new(r->p, TP_NATIVE_RESUME, &why);
  if (r->native) tp_native_count_visits(r->native, &r->visits);
  if (r->native && tp_native_prepare(r->native, &why) != TP_OK)
    tp_native_free(r->native), r->native = NULL;
  r->is_unable = !r->native;
  tp_str_clear(&why);
  return r->native != NULL;
}

static tp_burst_end burst_in_process(run *x, tp_run_limits limits, tp_visit_block root,
                                     uint64_t *steps, tp_edge *last) {
  tp_runner *r = x->r;
  if (!prepare_in_process(r)) return TP_BURST_LOST;
  return tp_native_burst(r->native, x->s, limits, &r->visits, root, NULL, steps, last)
             ? TP_BURST_DONE
             : TP_BURST_NO_ENTRY;
}

static bool is_random(const tp_runner *r) { return r->options.seed != 0; }

/* What the state costs on its way, in steps. */
static uint64_t price(const tp_state *s) {
  return TP_EXEC_STAY_STEPS + s->memory_bytes / TP_EXEC_STAY_BYTES_PER_STEP;
}

/* How many steps code may take from here. */
static uint64_t most_steps(run *x, tp_visit_block *root) {
  tp_runner *r = x->r;
  uint64_t most = x->limits.steps - x->steps, allowed = most;
  if (most > TP_EXEC_STAY_SLICE_STEPS) most = TP_EXEC_STAY_SLICE_STEPS;
  for (uint32_t f = 1; f < r->p->funcs.n; f++)
    for (uint32_t i = 0; i < r->visits.n_places[f]; i++)
      r->visits.words.at[r->visits.common[f].at + i] = TP_VISITS_UNLIMITED;
  if (x->observer) allowed = x->observer->before_burst(x->observer->ctx, x->s, &r->visits, root);
  if (allowed < most) most = allowed;
  return is_random(r) && most
             ? 1 + tp_rng_below(&r->rng,
                                most < TP_EXEC_STAY_RANDOM_STEPS ? most : TP_EXEC_STAY_RANDOM_STEPS)
             : most;
}

/* Code from here, as far as it goes. */
static void burst(run *x) {
  tp_runner *r = x->r;
  tp_visit_block root = r->visits.common[x->s->frames.at[0].func.id];
  tp_run_limits limits = x->limits;
  tp_edge last = TP_EDGE_NONE;
  uint64_t steps = 0, worth = price(x->s);
  tp_burst_end how = TP_BURST_NO_ENTRY;
  limits.steps = most_steps(x, &root);
  if (limits.steps && r->child)
    how = tp_child_burst(r->child, x->s, limits, &r->visits, root, NULL, &steps, &last);
  else if (limits.steps)
    how = burst_in_process(x, limits, root, &steps, &last);
  r->wait = steps >= worth ? 0 : r->wait < TP_EXEC_STAY_WAIT_STEPS ? 2 * r->wait + worth : r->wait;
  if (how != TP_BURST_DONE) return;
  r->counts.bursts++;
  r->counts.native_steps += steps;
  TP_INVARIANT(steps <= limits.steps);
  x->steps += steps;
  if (last.id) x->last = last;
  if (x->observer) x->observer->after_burst(x->observer->ctx, x->s, &r->visits, steps);
}

// ------------------------------------------------------------------- interpreter

/* Is this a place and a time to leave the interpreter? A step must be left to it, which finds the
 * end. */
static bool wants_burst(run *x, tp_loc at) {
  tp_runner *r = x->r;
  if (x->here >= x->limits.steps - x->steps) return false;
  if (is_random(r)) return tp_rng_below(&r->rng, 3) == 0 && tp_loc_of(r->p, at)->is_cutpoint;
  return x->here >= x->wait && r->heat + x->here >= r->hot && tp_loc_of(r->p, at)->is_cutpoint;
}

static bool at(void *ctx, const tp_state *s) {
  run *x = ctx;
  const tp_observer *o = x->observer ? &x->observer->machine : NULL;
  if (!x->must_observe && wants_burst(x, tp_state_loc(s))) {
    x->stops = true;
    return false;
  }
  x->must_observe = false;
  x->here += !x->counts_edges;
  if (!o || !o->at) return true;
  bool is_shown = (o->mask & TP_OBSERVE_ALL) || ((o->mask & TP_OBSERVE_CUTPOINTS) &&
                                                 tp_loc_of(x->r->p, tp_state_loc(s))->is_cutpoint);
  return !is_shown || o->at(o->ctx, s);
}

static bool edge(void *ctx, const tp_state *before, tp_edge e) {
  run *x = ctx;
  x->here++;
  return !x->observer || !x->observer->machine.edge ||
         x->observer->machine.edge(x->observer->machine.ctx, before, e);
}

static bool can_burst(const tp_runner *r) {
  return !r->is_unable && !(r->child && tp_child_has_given_up(r->child));
}

/* One part, to its end or to a stay. */
static tp_run_result interpret(run *x) {
  tp_runner *r = x->r;
  tp_run_limits limits = x->limits;
  TP_INVARIANT(x->steps <= limits.steps);
  limits.steps -= x->steps;
  x->here = 0;
  x->stops = false;
  if (!can_burst(r))
    return tp_exec_run(r->p, x->s, x->oracle, limits, x->observer ? &x->observer->machine : NULL);
  tp_observer o = {.mask = TP_OBSERVE_CUTPOINTS, .ctx = x, .at = at, .edge = edge};
  if (x->observer) o.mask |= x->observer->machine.mask;
  if (!(o.mask & TP_OBSERVE_ALL)) o.mask |= TP_OBSERVE_EDGES;
  x->counts_edges = o.mask & TP_OBSERVE_EDGES;
  return tp_exec_run(r->p, x->s, x->oracle, limits, &o);
}

/* Without anybody who looks: quickly, until the run is hot or its stays are worth something again.
 */
static bool run_quickly(run *x, tp_run_result *part) {
  tp_runner *r = x->r;
  if (x->observer || is_random(r) || !can_burst(r)) return false;
  uint64_t cold = r->heat < r->hot ? (r->hot - r->heat) * TP_EXEC_QUICK_STEPS : 0,
           left = x->limits.steps - x->steps;
  if (cold < x->wait) cold = x->wait;
  if (!cold) return false;
  tp_run_limits limits = x->limits;
  limits.steps = cold < left ? cold : left;
  *part = tp_exec_run(r->p, x->s, x->oracle, limits, NULL);
  r->heat += part->steps / TP_EXEC_QUICK_STEPS;
  x->wait = 0;
  return true;
}

static void note_part(run *x, const tp_run_result *part, bool is_seen) {
  x->steps += part->steps;
  x->r->counts.interpreted_steps += part->steps;
  if (is_seen) x->r->heat += part->steps;
  if (part->edge.id) x->last = part->edge;
  x->und |= part->used_indeterminate;
}

static bool is_cut_by_steps(const tp_run_result *part) {
  return part->end == TP_END_LIMIT && part->why && !strcmp(part->why, "number of steps");
}

static tp_run_result finish(run *x, tp_run_result end) {
  if (!end.edge.id) end.edge = x->last;
  if (!tp_pos_known(end.pos) && end.edge.id) end.pos = tp_edge_of(x->r->p, end.edge)->pos;
  end.steps = x->steps;
  end.used_indeterminate = x->und;
  return end;
}

tp_run_result tp_runner_run(tp_runner *r, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                            const tp_runner_observer *observer) {
  TP_REQUIRE(s->program == r->p);
  run x = {.r = r,
           .s = s,
           .oracle = oracle,
           .limits = tp_run_limits_with_defaults(limits),
           .observer = observer,
           .wait = r->wait + TP_EXEC_FIRST_STEPS};
  if (!s->frames.n) return tp_exec_run(r->p, s, oracle, limits, NULL);
  for (;;) {
    tp_run_result part;
    if (run_quickly(&x, &part)) {
      note_part(&x, &part, false);
      if (!is_cut_by_steps(&part) || x.steps >= x.limits.steps) return finish(&x, part);
      continue;
    }
    part = interpret(&x);
    note_part(&x, &part, true);
    if (!x.stops) return finish(&x, part);
    burst(&x);
    x.wait = r->wait;
    x.must_observe = true;
  }
}

/* The random tester: shallow failures for little money.
 *
 * Inputs are drawn by exec/random_inputs.h; vectors that took an edge for the first time are kept.
 * The search ends early if the program asks for nothing.
 *
 * A run is cut at its limit of steps. A cut run goes on where that may show more: one that computes
 * without inputs; and one that still asks for inputs, as a program does that fills an array, up to
 * a limit of inputs. Runs of a server ask without end, and are better begun again: after a run that
 * was cut twice, only one in four of the next goes on, and so forth.
 *
 * A failure that rests on indeterminate values is weaker evidence: it is kept, and the search goes
 * on a little for one that does not. */
#include "exec/random_inputs.h"
#include "exec/exec_limits.h"
#include "exec/runner.h"

// ---------------------------------------------------------------------- search

typedef struct {
  bool *taken;  // by edge
  bool news;
  const tp_inputs *made;  // by the run
  uint64_t steps, half;   // of the run; of its limit
  size_t inputs_half;     // asked for before that
  size_t inputs;          // asked for while edges were noted
} coverage;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  coverage *c = ctx;
  if (!c->taken[e.id]) c->taken[e.id] = c->news = true;
  if (++c->steps == c->half) c->inputs_half = c->made->v.n;
  return true;
}

typedef struct {
  const tp_program *p;
  tp_property asked;
  tp_tester_options options;
  tp_random_inputs draw;
  coverage cover;
  tp_state *start;
  uint64_t steps, runs, runs_at_weak;
  double cpu_at_start;
  bool weak;                       // a failure that used indeterminate values is in *inputs
  uint32_t n_cut;                  // runs that came to their limit
  uint32_t n_asking, next_asking;  // those that still asked; which of them goes on next
  tp_tester_report report;
  tp_runner *runner;  // for those that go on; made when the first one does
} search;

static bool violates(const search *q, const tp_run_result *r) {
  return r->end == TP_END_ERROR && tp_property_covers(q->asked, tp_loc_of(q->p, r->loc)->error);
}

static bool is_over(const search *q) {
  if (q->options.runs && q->runs >= q->options.runs) return true;
  if (q->options.steps_total && q->steps >= q->options.steps_total) return true;
  if (q->weak && q->runs >= q->runs_at_weak + TP_EXEC_TESTER_MORE_RUNS) return true;
  return q->options.cpu_s > 0 && tp_cpu_s() - q->cpu_at_start >= q->options.cpu_s;
}

/* The next steps of a run. Machine code comes back at each input: the interpreter takes the steps
 * of a run that asks. */
static tp_run_result some_more_steps(search *q, tp_state *s, tp_oracle *oracle, uint64_t steps,
                                     bool asks) {
  const tp_run_limits limits = {.steps = steps, .memory_bytes = TP_EXEC_TESTER_MEMORY_BYTES};
  if (asks) return tp_exec_run(q->p, s, oracle, limits, NULL);
  if (!q->runner) q->runner = tp_runner_new(q->p, (tp_runner_options){0});
  return tp_runner_run(q->runner, s, oracle, limits, NULL);
}

/* Goes on with a run that came to its limit. What it needs of time is looked at now and then. */
static void go_on(search *q, tp_state *s, tp_oracle *oracle, tp_run_result *r, bool asks) {
  uint64_t left = q->options.steps_long;
  const size_t most_inputs =
      q->cover.made->v.n + (asks ? TP_EXEC_TESTER_ASKED_INPUTS : TP_EXEC_TESTER_MORE_INPUTS);
  while (r->end == TP_END_LIMIT && left && !is_over(q) && q->cover.made->v.n < most_inputs) {
    const uint64_t before = r->steps,
                   look = asks ? TP_EXEC_TESTER_ASKED_STEPS : TP_EXEC_TESTER_LOOK_STEPS,
                   some = left < look ? left : look;
    const bool weak = r->used_indeterminate;
    const size_t inputs = q->cover.made->v.n;
    *r = some_more_steps(q, s, oracle, some, asks);
    if (r->steps == 0) break;  // memory, not steps
    left -= r->steps < left ? r->steps : left;
    r->steps += before;
    r->used_indeterminate |= weak;
    asks = asks && q->cover.made->v.n > inputs;
  }
}

/* Of those that came to their limit without asking for anything in the second half, the first goes
 * on, the second, the fourth, ... */
static bool may_go_on(search *q) {
  if (tp_random_inputs_is_equal(&q->draw)) return true;  // they are few, and most likely to fail
  q->n_cut++;
  return (q->n_cut & (q->n_cut - 1)) == 0;
}

/* Of those that asked to their limit, all go on as long as all come to an end. */
static bool may_go_on_asking(search *q) { return ++q->n_asking >= q->next_asking; }

static void go_on_if_useful(search *q, tp_state *s, tp_oracle *oracle, tp_run_result *r) {
  const bool asks = q->cover.made->v.n != q->cover.inputs_half;
  if (!q->options.steps_long || !(asks ? may_go_on_asking(q) : may_go_on(q))) return;
  go_on(q, s, oracle, r, asks);
  if (asks && r->end == TP_END_LIMIT) q->next_asking = 4 * q->n_asking;
}

static tp_run_result run_once(search *q, tp_inputs *made) {
  tp_random_inputs_start(&q->draw, made);
  tp_oracle oracle = tp_random_inputs_oracle(&q->draw);
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &q->cover, .edge = note_edge};
  uint64_t steps = q->options.steps_per_run ? q->options.steps_per_run : 100000;
  if (q->options.steps_total && q->options.steps_total - q->steps < steps)
    steps = q->options.steps_total - q->steps;
  q->cover = (coverage){.taken = q->cover.taken, .made = made, .half = steps / 2};
  tp_state *s = tp_state_copy(q->start);
  tp_run_result r = tp_exec_run(
      q->p, s, &oracle,
      (tp_run_limits){.steps = steps, .memory_bytes = TP_EXEC_TESTER_MEMORY_BYTES}, &observer);
  q->steps += r.steps + 1;
  q->cover.inputs = made->v.n;
  if (r.end == TP_END_LIMIT && r.steps >= steps) go_on_if_useful(q, s, &oracle, &r);
  tp_state_free(s);
  q->runs++;
  return r;
}

/* Only the part of the run that was looked at led somewhere new; what was asked for behind it would
 * cost memory for each vector that is kept. */
static void keep_if_new(search *q, tp_inputs *made) {
  if (!q->cover.news) return;
  if (made->v.n > q->cover.inputs) made->v.n = q->cover.inputs;
  tp_random_inputs_keep(&q->draw, made);
  if (q->options.kept) q->options.kept(q->options.ctx, made);
}

static bool search_all(search *q, tp_inputs *inputs, tp_run_result *found) {
  bool strong = false;
  q->report.asks = true;
  while (!strong && q->report.asks && !is_over(q)) {
    tp_inputs made;
    tp_inputs_init(&made);
    tp_run_result r = run_once(q, &made);
    q->report.asks = made.v.n != 0;
    q->report.last = r.end;
    strong = violates(q, &r) && !r.used_indeterminate;
    if (strong || (violates(q, &r) && !q->weak)) {
      if (!strong) q->weak = true, q->runs_at_weak = q->runs;
      tp_inputs_clear(inputs);
      tp_inputs_init(inputs);
      tp_inputs_add_all(inputs, &made);
      *found = r;
    }
    keep_if_new(q, &made);
    tp_inputs_clear(&made);
  }
  return strong || q->weak;
}

bool tp_tester_search(const tp_program *p, tp_property asked, tp_tester_options options,
                      tp_inputs *inputs, tp_run_result *found, tp_tester_report *report) {
  TP_REQUIRE(p && inputs && found);
  search q = {.p = p, .asked = asked, .options = options, .cpu_at_start = tp_cpu_s()};
  if (!options.runs && !options.steps_total && options.cpu_s <= 0) q.options.runs = 1000;
  tp_random_inputs_init(&q.draw, p, options.seed);
  q.draw.tries_equal = true;
  q.cover.taken = TP_NEW_ARRAY(bool, p->edges.n + 1);
  q.start = tp_state_initial(p);
  bool yes = search_all(&q, inputs, found);
  q.report.runs = q.runs;
  if (report) *report = q.report;
  tp_runner_free(q.runner);
  tp_state_free(q.start);
  tp_free(q.cover.taken);
  tp_random_inputs_clear(&q.draw);
  return yes;
}

/* Directed testing: all paths of a program, one run each.
 *
 * A run with given inputs is executed on inputs that are symbols as well (exec/concolic.h) and
 * leaves the conditions of its branches. The search keeps them as a stack, the path of the last
 * run: each entry knows its condition, and what is left of its place when this one and the ones
 * tried before are taken away. Depth first, the solver is asked for inputs that follow the entries
 * below and take the rest; if there are some they are run, and what this run adds is pushed; if
 * there are none the entry is done. An address that depends on inputs is such an entry too: it is
 * this one, or one of the others. So the runs are different paths, and when the stack is empty all
 * have been run.
 *
 * Paths may be endless: a run is cut after a number of steps, only so many entries of a path are
 * tried, and if that left anything out the search begins again with larger numbers and random
 * inputs where nothing is asked of them.
 *
 * FALSE: a run came to an error. TRUE: everything was run, nothing was cut, given up or left open;
 * the proof is the unrolling that covers the turns that were counted. Rounds end because the
 * numbers are bounded, a round because of the budget at the latest.
 *
 * Source: Godefroid, Klarlund, Sen 2005; Synergy sec. 2.3. We differ: assumptions that hold are not
 * negated, a run that fails one is blocked. */
#include "engine/engine.h"
#include "search/iteration_counts.h"
#include "exec/concolic.h"
#include "search/search_limits.h"
#include "smt/smt.h"
#include "search/search_engines.h"
#include "search/seek.h"

enum { N_ROUNDS = 6 };
static const struct {
  uint64_t steps;
  size_t depth;  // conditions of a path that are tried otherwise
} rounds[N_ROUNDS] = {{300000, 200},     {10000000, 1000},   {200000000, 5000},
                      {200000000, 5000}, {200000000, 20000}, {1000000000, 50000}};

typedef struct {
  tp_term condition;  // of the path of the last run
  tp_term rest;       // none of those that were taken here
  size_t n_inputs;    // asked for before
  uint32_t n_tried;
  bool is_pin, is_done;  // done: nothing else is to be tried
} entry;

typedef struct {
  const tp_task *task;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  const tp_program *p;
  tp_terms *tt;
  double start_s;
  tp_runner *runner;  // of all runs
  tp_state *initial;  // shared by all runs, so that their inputs have the same symbols
  tp_smt *smt;
  TP_VEC(tp_term) asserted;  // one frame of the solver each
  TP_VEC(entry) path;
  tp_concolic *last;
  tp_inputs given;  // to it
  tp_rng rng;
  tp_iteration_counts turns;
  uint32_t round;
  bool is_complete;  // so far everything was run
  bool is_cut;       // in this round, by a number that the next one raises
  uint64_t n_cut, n_unknown, n_lost;
} search;

static bool is_over(const search *s) {
  return tp_engine_is_over(s->budget, s->start_s) ||
         (s->budget->steps && s->stats->iterations >= s->budget->steps);
}

// ------------------------------------------------------------------------- runs

/* Random numbers behind what the path asks for; none in the first round. */
static void add_random(search *s, tp_inputs *to) {
  for (int i = 0; i < TP_SEARCH_DIRECTED_RANDOM_INPUTS && s->round; i++) {
    uint64_t bits = tp_rng_next(&s->rng);
    bool is_small = tp_rng_below(&s->rng, 2);
    if (is_small) bits = bits % 33 - 16;
    tp_inputs_add(
        to, (tp_input){.kind = TP_I_NONDET, .width_bits = 64, .is_signed = true, .bits = bits});
  }
}

/* In slices, so that the budget ends it too. */
static tp_run_result run_on(search *s, tp_concolic *c) {
  const uint64_t most = rounds[s->round].steps;
  for (;;) {
    uint64_t until = tp_concolic_steps(c) + TP_SEARCH_DIRECTED_SLICE_STEPS < most
                         ? tp_concolic_steps(c) + TP_SEARCH_DIRECTED_SLICE_STEPS
                         : most;
    tp_run_result r = tp_concolic_run(c, until, (tp_run_limits){0}, true, 0);
    if ((r.end != TP_END_LIMIT && r.end != TP_END_STOPPED) || tp_concolic_steps(c) < until)
      return r;
    if (tp_concolic_steps(c) >= most || tp_engine_is_over(s->budget, s->start_s)) return r;
  }
}

/* What this run says about the claim that everything was run. */
static void check_completeness(search *s, const tp_concolic *c, tp_run_result r) {
  if (r.end == TP_END_LIMIT || r.end == TP_END_STOPPED) {
    s->is_cut = true;
    s->n_cut++;
  }
  bool is_whole = r.end == TP_END_EXIT || r.end == TP_END_BLOCKED || r.end == TP_END_INVALID ||
                  r.end == TP_END_ERROR;
  if (!is_whole || !tp_concolic_is_exact_but_pins(c)) s->is_complete = false;
  if (s->is_complete)
    (void)tp_iteration_counts_run(&s->turns, s->initial, tp_concolic_inputs(c),
                                  (tp_run_limits){.steps = tp_concolic_steps(c) + 1});
}

/* Takes over given. True: it failed, which is the verdict. */
static bool run(search *s, tp_inputs *given, tp_concolic **out, tp_run_result *r) {
  *out = tp_concolic_new(s->p, s->initial, given);
  tp_concolic_set_runner(*out, s->runner);
  *r = run_on(s, *out);
  s->stats->tests_run++;
  s->stats->iterations++;
  if (r->end != TP_END_ERROR ||
      !tp_property_covers(s->task->property, tp_loc_of(s->p, r->loc)->error))
    return false;
  s->out->verdict = TP_VERDICT_FALSE;
  s->out->violated = tp_loc_of(s->p, r->loc)->error;
  tp_inputs_add_all(&s->out->inputs, tp_concolic_inputs(*out));
  return true;
}

// ------------------------------------------------------------------------- path

static tp_term without(search *s, tp_term rest, tp_term condition) {
  return tp_mk_and(s->tt, rest, tp_mk_not(s->tt, condition));
}

/* An assumption without an alternative in the program: its negation ends the run. */
static bool is_assumption(const search *s, tp_edge e) {
  const tp_edge_info *info = tp_edge_of(s->p, e);
  return info->kind == TP_E_ASSUME && tp_out_edges(s->p, info->from).n == 1;
}

/* The run followed the path up to its last entry and took something else there. */
static bool follows(const search *s, const tp_concolic_path *path) {
  size_t n = s->path.n;
  if (n == 0) return true;
  if (path->n < n) return false;
  for (size_t i = 0; i + 1 < n; i++)
    if (!tp_term_eq(path->at[i].condition, s->path.at[i].condition)) return false;
  tp_term now = path->at[n - 1].condition;
  return !tp_term_eq(now, s->path.at[n - 1].condition);
}

/* From the run's path: its last entry's new condition, and what comes behind it. blocked_at: the
 * assumption that the run failed, or NONE. */
static void take_path(search *s, const tp_concolic_path *path, tp_edge blocked_at) {
  TP_REQUIRE(follows(s, path));
  size_t first = s->path.n;
  if (first) {
    entry *flipped = &s->path.at[first - 1];
    flipped->condition = path->at[first - 1].condition;
    flipped->rest = without(s, flipped->rest, flipped->condition);
    flipped->n_tried++;
  }
  for (size_t i = first; i < path->n; i++) {
    const tp_concolic_branch *b = &path->at[i];
    if (s->path.n >= rounds[s->round].depth) {
      s->is_cut = true;
      s->is_complete = false;
      return;
    }
    bool failed = blocked_at.id && b->edge.id == blocked_at.id && i + 1 == path->n;
    tp_vec_push(&s->path, (entry){.condition = b->condition,
                                  .rest = tp_mk_not(s->tt, b->condition),
                                  .n_inputs = b->n_inputs,
                                  .n_tried = 1,
                                  .is_pin = b->is_pin,
                                  .is_done = !b->is_pin && !failed && is_assumption(s, b->edge)});
  }
}

/* Runs given, which it takes over, and makes its path the current one. False: the search ends. */
static bool follow(search *s, tp_inputs given) {
  tp_concolic *c;
  tp_run_result r;
  tp_inputs *kept = TP_NEW(tp_inputs);
  *kept = given;
  bool failed = run(s, kept, &c, &r);
  if (failed || !follows(s, tp_concolic_path_of(c))) {
    if (!failed) s->n_lost++, s->is_complete = false, tp_vec_last(&s->path).is_done = true;
    tp_concolic_free(c);
    tp_inputs_clear(kept);
    tp_free(kept);
    return !failed;
  }
  check_completeness(s, c, r);
  take_path(s, tp_concolic_path_of(c), r.end == TP_END_BLOCKED ? r.edge : TP_EDGE_NONE);
  tp_concolic_free(s->last);
  tp_inputs_clear(&s->given);
  s->last = c;
  s->given = *kept;
  tp_free(kept);
  return true;
}

// ----------------------------------------------------------------------- solver

/* The solver holds exactly the conditions before the last entry. */
static void synchronise(search *s) {
  TP_REQUIRE(s->path.n > 0);
  size_t want = s->path.n - 1, same = 0;
  while (same < want && same < s->asserted.n &&
         tp_term_eq(s->asserted.at[same], s->path.at[same].condition))
    same++;
  while (s->asserted.n > same) {
    tp_smt_pop(s->smt);
    s->asserted.n--;
  }
  for (; same < want; same++) {
    tp_smt_push(s->smt);
    tp_smt_assert(s->smt, s->path.at[same].condition);
    tp_vec_push(&s->asserted, s->path.at[same].condition);
  }
}

static bool in_model(void *ctx, tp_term symbol, tp_value *out) {
  return tp_smt_value(((search *)ctx)->smt, symbol, out);
}

/* Inputs for the rest of the last entry. */
static tp_smt_answer solve_rest(search *s, tp_inputs *out) {
  const entry *e = &tp_vec_last(&s->path);
  if (tp_is_false(s->tt, e->rest)) return TP_SMT_UNSAT;
  synchronise(s);
  tp_smt_push(s->smt);
  tp_smt_assert(s->smt, e->rest);
  tp_smt_answer a = tp_smt_check(s->smt, NULL, 0);
  if (a == TP_SMT_SAT) {
    tp_inputs_init(out);
    tp_concolic_inputs_of_model(s->last, in_model, s, out);
    if (out->v.n > e->n_inputs) out->v.n = e->n_inputs;
    add_random(s, out);
  }
  tp_smt_pop(s->smt);
  return a;
}

// ------------------------------------------------------------------------ search

/* Depth first until nothing is left; false: the verdict or the budget ended it. */
static bool search_round(search *s) {
  tp_inputs given;
  s->path.n = 0;
  tp_inputs_init(&given);
  add_random(s, &given);
  if (!follow(s, given)) return false;
  while (s->path.n) {
    entry *e = &tp_vec_last(&s->path);
    if (is_over(s)) return false;
    tp_engine_report_phase(s->budget, s->stats, "test");
    if (!e->is_done &&
        e->n_tried >= (e->is_pin ? TP_SEARCH_DIRECTED_ADDRESSES : TP_SEARCH_DIRECTED_BRANCHES))
      e->is_done = true, s->is_complete = false;
    tp_smt_answer a = e->is_done ? TP_SMT_UNSAT : solve_rest(s, &given);
    if (a == TP_SMT_UNKNOWN) s->n_unknown++, s->is_complete = false;
    if (a != TP_SMT_SAT)
      (void)tp_vec_pop(&s->path);
    else if (!follow(s, given))
      return false;
  }
  return true;
}

/* What no run shows: memory that someone else writes, numbers made from addresses, which could be
 * others. */
static bool leaves_open(const tp_program *p, const tp_edge_info *e) {
  if (e->kind == TP_E_HAVOC && e->may_write) return true;
  if (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c)) return true;
  return e->kind == TP_E_CALL && (!e->callee.id || !tp_func_of(p, e->callee)->has_body);
}

static tp_visit look_for_address(void *ctx, tp_term t) {
  const tp_terms *const *tt = ctx;
  tp_term_kind k = tp_kind(*tt, t);
  return k == TP_OP_PTR_TO_INT || k == TP_OP_INT_TO_PTR ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

static bool uses_addresses(const tp_terms *tt, tp_term t, tp_map *seen) {
  return !tp_visit_terms(tt, t, &(tp_visitor){.ctx = &tt, .visit = look_for_address}, seen);
}

static bool can_be_complete(const tp_program *p) {
  bool can = true;
  tp_map seen = {0};
  for (size_t i = 1; i < p->statics.n && can; i++) can = !p->statics.at[i].is_extern;
  for (size_t i = 1; i < p->edges.n && can; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    can = !leaves_open(p, e) && !uses_addresses(p->terms, e->a, &seen) &&
          !uses_addresses(p->terms, e->b, &seen);
    for (uint32_t k = 0; k < e->n_args && can; k++)
      can = !uses_addresses(p->terms, e->args[k], &seen);
  }
  tp_map_clear(&seen);
  return can;
}

// ----------------------------------------------------------------------- verdicts

static void conclude_true(search *s) {
  tp_unrolling cert;
  tp_unrolling_init(&cert);
  cert.property = s->task->property;
  cert.ptr_bits = s->p->ptr_bits;
  cert.fingerprint = tp_program_fingerprint(s->p);
  tp_iteration_counts_describe(&s->turns, &cert);
  for (size_t i = 1; i < s->p->assumptions.n; i++) {
    tp_unrolling_add_assumption(&cert, s->p->assumptions.at[i]);
    tp_vec_push(&s->out->assumptions, tp_arena_strdup(&s->out->arena, s->p->assumptions.at[i]));
  }
  tp_unrolling_write(&cert, s->p, &s->out->certificate);
  tp_unrolling_clear(&cert);
  s->out->verdict = TP_VERDICT_TRUE;
}

static void conclude_unknown(search *s, bool ended) {
  unsigned long long n = (unsigned long long)s->stats->tests_run;
  const char *why = !ended         ? "the budget ended the search"
                    : s->n_unknown ? "the solver gave up on some of the others"
                    : s->n_cut     ? "some were too long"
                    : s->is_cut    ? "some had too many branches"
                                   : "not all that the program can do is shown by runs";
  tp_result_give_up(s->out,
                    tp_arena_printf(&s->out->arena, "no violation on %llu paths; %s", n, why),
                    "each path is run by itself; --engine=synergy and bmc look at many at once");
}

/* All paths, one after the other. */
static void run_paths(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                      tp_result *out) {
  search s = {.task = task,
              .budget = budget,
              .stats = stats,
              .out = out,
              .p = task->program,
              .tt = task->program->terms,
              .start_s = tp_cpu_s()};
  bool can = can_be_complete(s.p), ended = true;
  s.initial = tp_state_initial(s.p);
  s.runner = tp_runner_new(s.p, (tp_runner_options){0});
  s.smt = tp_smt_new(s.tt,
                     (tp_smt_options){.backend = task->solver ? task->solver : "mixed",
                                      .stats = stats,
                                      .rlimit = budget->solver_rlimit ? budget->solver_rlimit
                                                                      : TP_SEARCH_DIRECTED_RLIMIT});
  tp_rng_init(&s.rng, task->seed);
  tp_inputs_init(&s.given);
  tp_iteration_counts_init(&s.turns, s.p);
  for (s.round = 0; s.round < N_ROUNDS && ended; s.round++) {
    s.is_complete = true;
    s.is_cut = false;
    s.n_cut = s.n_unknown = 0;
    ended = search_round(&s);
    if (ended && s.is_complete) break;
    ended = ended && !is_over(&s);
  }
  if (ended && s.is_complete && can)
    conclude_true(&s);
  else if (out->verdict != TP_VERDICT_FALSE)
    conclude_unknown(&s, ended);
  tp_concolic_free(s.last);
  tp_inputs_clear(&s.given);
  tp_iteration_counts_clear(&s.turns);
  tp_smt_free(s.smt);
  tp_state_free(s.initial);
  tp_runner_free(s.runner);
  tp_vec_clear(&s.asserted);
  tp_vec_clear(&s.path);
}

/* Where a proof is stuck comes first, if other engines say where. */
static void run_directed(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                         tp_result *out) {
  const double start_s = tp_cpu_s();
  const tp_budget share = tp_engine_sub_budget(budget, start_s, TP_SEARCH_SEEK_SHARE);
  if (tp_seek(task, &share, stats, out)) return;
  tp_budget rest = *budget;
  rest.cpu_s = tp_engine_share_s(budget, start_s, 1);
  run_paths(task, &rest, stats, out);
}

const tp_engine tp_engine_directed = {
    .name = "directed",
    .help =
        "runs one path after the other, with inputs for the next from a solver; finds failures, "
        "proves what has few paths",
    .run = run_directed,
};

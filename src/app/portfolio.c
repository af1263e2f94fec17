/* Lanes. The first turn of the schedule has one of them for as long as it likes; the others follow
 * each other in the rest, and in all once the first has ended. A turn ends by itself, at the end of
 * its share, or when the search has used its part of the budget: then it is asked to
 * come to an end with what it has, and killed if it does not.
 *
 * Facts      what engines have to say to others (engine/board.h) is read as it comes, in one
 * record; a turn gets what stands there when it starts. Invariants come from engines that could not
 * prove the property; whoever imports them proves them again, as part of its own certificate. Goals
 * get a turn of their own, in the next lane that is free: directed testing. With a limit of steps
 * there is one lane, so that the same turns see the same facts. */
#include "app/portfolio.h"
#include "search/search_engines.h"
#include "app/app_limits.h"

#include <sched.h>

typedef struct {
  tp_session *s;
  tp_schedule_entry turn;
  double cpu_s;  // 0: no limit
  const char *imported;
  size_t n_given;      // facts that the record had when the turn started
  bool is_for_goals;   // a turn that the schedule does not have
  bool stops_at_open;  // only runs that rest on nothing that nobody stated (program/absent.h)
  int channel;
  const char *who;  // runs now
} search_job;

typedef struct {
  tp_worker worker;
  search_job job;
  bool is_busy, is_asked;
  size_t n_facts;  // that the worker published and that are in the record
  bool ran_out;    // at its end: its share of the time was used, or the search's
} lane;

typedef struct {
  tp_session *s;
  const tp_schedule *schedule;
  size_t next;  // turn
  lane lanes[TP_APP_LANES];
  int n_lanes;
  double start_s, search_s;  // CPU at the start; for the search, 0: no limit
  double start_wall_s;       // reading of tp_wall_s()
  double asked_s;            // CPU when all were asked to end, 0: not yet
  tp_stats stats;            // of all workers that ended
  tp_board *board;           // the session's
  size_t n_goals_served;     // facts before this one need no turn any more
  double goals_s;            // CPU of the turns for goals that ended
  bool has_best, has_unchecked, is_decided;
  bool stops_at_open;  // no proof is possible: a failure is looked for that rests on nothing that
                       // nobody stated
  tp_attempt best;     // of those that ended without verdict
  tp_str
      unchecked;  // a certificate whose check had too little time, while others could still prove
  const char *unchecked_engine;
  int best_rank;
} portfolio;

// --------------------------------------------------------------- in the worker

static void on_progress(void *ctx, const tp_stats *stats, const char *phase) {
  const search_job *job = ctx;
  tp_str text = {0};
  tp_str_printf(&text, "%s: %s", job->turn.name, phase);
  tp_worker_progress(job->channel, stats, tp_str_text(&text));
  tp_str_clear(&text);
}

static bool on_should_stop(void *ctx) {
  (void)ctx;
  return tp_worker_is_asked();
}

static void on_publish(void *ctx, tp_board_kind kind, const char *text) {
  const search_job *job = ctx;
  tp_worker_publish(job->channel, kind, job->who, text);
}

/* NULL: the engine's own choice. */
static const char *solver_of(const tp_options *o) {
  return strcmp(o->solver, "own") == 0 ? NULL : o->solver;
}

static void run_engine(search_job *job, const tp_engine *engine, double cpu_s, uint64_t steps,
                       tp_stats *stats, tp_result *out) {
  TP_REQUIRE(engine->run && out->verdict == TP_VERDICT_UNKNOWN);
  const tp_session *s = job->s;
  tp_task task = {.program = s->program,
                  .property = s->property,
                  .seed = s->o->seed,
                  .solver = solver_of(s->o),
                  .within = (uint32_t)s->o->unroll,
                  .composition = job->turn.composition,
                  .precision = s->o->precision,
                  .shape_classes = s->o->shape_class.n ? &s->shape_classes : NULL,
                  .search = s->o->search,
                  .imported = job->imported,
                  .board = &s->board,  // as it was when the worker was forked
                  .candidates = &s->candidates,
                  .pictures = s->o->pictures[0] || s->o->output[0]};
  tp_budget budget = {.cpu_s = cpu_s,
                      .steps = steps,
                      .should_stop = on_should_stop,
                      .progress = on_progress,
                      .publish = on_publish,
                      .ctx = job};
  engine->run(&task, &budget, stats, out);
}

/* Of the turn, for random runs; a program that asks for nothing has one, which may be long, and
 * runs of one that fills arrays are long. 0, no limit, where steps are counted: a clock would make
 * what they find a matter of chance. */
static double random_s(const search_job *job) {
  if (job->s->o->steps) return 0;
  const tp_schedule_entry *turn = &job->turn;
  const double most_s = turn->has_one_run    ? TP_APP_ONE_RUN_S
                        : turn->fills_arrays ? TP_APP_FILLING_S
                                             : TP_APP_RANDOM_S,
               share = turn->has_one_run    ? TP_APP_ONE_RUN_SHARE
                       : turn->fills_arrays ? TP_APP_FILLING_SHARE
                                            : TP_APP_RANDOM_SHARE;
  return job->cpu_s > 0 && job->cpu_s * share < most_s ? job->cpu_s * share : most_s;
}

static void search_in_worker(void *ctx, int channel, tp_str *answer) {
  search_job *job = ctx;
  job->channel = channel;
  job->who = job->turn.random_first ? tp_engine_random.name : job->turn.name;
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  if (job->stops_at_open)
    tp_absent_make_blocking(job->s->program, tp_session_openness(job->s, job->s->property));
  tp_session_exempt_known(job->s);
  for (size_t i = 0; i < job->s->unconfirmed.n; i++)
    tp_exempt_error(job->s->program, job->s->unconfirmed.at[i], job->s->property);
  if (job->turn.random_first) {
    run_engine(job, &tp_engine_random, random_s(job), 2, &stats, &result);
    if (result.verdict == TP_VERDICT_UNKNOWN) {
      tp_result_clear(&result);
      tp_result_init(&result);
      job->who = job->turn.name;
    }
  }
  if (result.verdict == TP_VERDICT_UNKNOWN)
    run_engine(job, job->turn.engine, job->cpu_s, job->s->o->steps, &stats, &result);
  tp_wire_put_stats(answer, &stats);
  tp_wire_put_text(answer, job->who);
  tp_result_write_invariants(&result, job->s->program);
  tp_wire_put_result(answer, &result);
  tp_result_clear(&result);
}

// ---------------------------------------------------------------------- budget

static double running_s(const portfolio *p) {
  double sum = 0;
  for (int i = 0; i < TP_APP_LANES; i++)
    if (p->lanes[i].is_busy) sum += tp_worker_cpu_s(&p->lanes[i].worker);
  return sum;
}

static double used_s(const portfolio *p) { return tp_budget_used_s() - p->start_s + running_s(p); }

/* Some runs are left out of the search, so that it cannot end in a proof. */
static bool is_restricted(const portfolio *p) {
  return p->stops_at_open || p->s->unconfirmed.n > 0;
}

/* Each new goal may ask for a turn: all turns together have the share of one. */
static double share_s(const portfolio *p, const tp_schedule_entry *t, bool is_for_goals) {
  TP_REQUIRE(t->share >= 0 && t->share <= 1);
  const double spent_s = is_for_goals ? p->goals_s : 0;
  double left_s = p->search_s - used_s(p), share = p->search_s * t->share - spent_s;
  if (p->search_s <= 0 && !is_for_goals) return t->limit_s;  // 0: none
  if (p->search_s <= 0) share = left_s = t->limit_s - spent_s;
  if (share > left_s) share = left_s;
  return share > 0.01 ? share : 0.01;
}

static bool is_spent(const portfolio *p) { return p->search_s > 0 && used_s(p) >= p->search_s; }

/* At the end of the search's time everybody is asked, a second later killed. */
static void watch_budget(portfolio *p) {
  double now = used_s(p);
  if (p->search_s <= 0 || now < p->search_s) return;
  if (p->asked_s <= 0) p->asked_s = now;
  for (int i = 0; i < TP_APP_LANES; i++) {
    lane *l = &p->lanes[i];
    if (!l->is_busy) continue;
    if (!l->is_asked) tp_worker_ask(&l->worker);
    l->is_asked = true;
    if (now > p->asked_s + TP_APP_GRACE_S) tp_process_kill(&l->worker.process);
  }
}

// ----------------------------------------------------------------------- lanes

/* What the option --exchange leaves out of the record. */
static bool is_exchanged(const tp_session *s, tp_board_kind kind) {
  const char *which = s->o->exchange;
  const bool leaves_out = strncmp(which, "no-", 3) == 0;
  if (strcmp(which, "none") == 0) return false;
  return !leaves_out || strcmp(which + 3, tp_board_kind_name(kind)) != 0;
}

static void start(portfolio *p, lane *l, const tp_schedule_entry *t, bool is_for_goals) {
  TP_REQUIRE(!l->is_busy && t->engine);
  const bool imports = !t->takes_no_imports && !is_restricted(p);
  *l = (lane){.job = {.s = p->s,
                      .turn = *t,
                      .cpu_s = share_s(p, t, is_for_goals),
                      .is_for_goals = is_for_goals,
                      .stops_at_open = p->stops_at_open},
              .is_busy = true};
  l->job.n_given = p->board->v.n;
  if (imports) l->job.imported = tp_board_join(p->board, TP_BOARD_INVARIANTS, &p->s->arena);
  p->s->has_exchanged |= l->job.imported || tp_board_has(p->board, TP_BOARD_INPUTS, 0) ||
                         tp_board_has(p->board, TP_BOARD_GOAL, 0);
  double limit_s = l->job.cpu_s > 0 ? l->job.cpu_s * 1.1 + TP_APP_GRACE_S : 0;
  tp_worker_start(&l->worker, &p->s->budget, (tp_work){search_in_worker, &l->job, t->name},
                  limit_s);
}

static size_t count_busy(const portfolio *p) {
  size_t n = 0;
  for (int i = 0; i < TP_APP_LANES; i++) n += p->lanes[i].is_busy;
  return n;
}

/* Are there goals that no turn has seen, and time for one? */
static bool has_goals(const portfolio *p) {
  const tp_schedule_entry turn = tp_schedule_goals_turn();
  return tp_board_has(p->board, TP_BOARD_GOAL, p->n_goals_served) &&
         share_s(p, &turn, true) > TP_APP_LEAST_TURN_S;
}

/* Has so much CPU time been used? What a run in a process of its own uses is known when it ends, so
 * the clock counts as well, half. */
static bool has_waited(const portfolio *p, double after_s) {
  return used_s(p) >= after_s || tp_wall_s() - p->start_wall_s >= 2 * after_s;
}

/* The next turn starts when a lane is free and easy programs have had their time, or nothing else
 * is going on. Goals come first. */
static void fill_lanes(portfolio *p) {
  for (int i = 0; i < p->n_lanes && (p->next < p->schedule->n || has_goals(p)); i++) {
    if (p->lanes[i].is_busy) continue;
    if (has_goals(p) && p->schedule->n > 1 && !is_spent(p)) {
      p->n_goals_served = p->board->v.n;
      const tp_schedule_entry turn = tp_schedule_goals_turn();
      start(p, &p->lanes[i], &turn, true);
      continue;
    }
    if (p->next >= p->schedule->n) return;
    const tp_schedule_entry *t = &p->schedule->at[p->next];
    if (count_busy(p) > 0 && !has_waited(p, t->after_s)) continue;
    if (is_spent(p)) return;
    start(p, &p->lanes[i], t, false);
    p->next++;
  }
}

static void pause_others(portfolio *p, bool pause) {
  for (int i = 0; i < TP_APP_LANES; i++) {
    if (!p->lanes[i].is_busy) continue;
    if (pause)
      tp_process_pause(&p->lanes[i].worker.process);
    else
      tp_process_resume(&p->lanes[i].worker.process);
  }
}

static void end_all(portfolio *p) {
  for (int i = 0; i < TP_APP_LANES; i++) {
    if (p->lanes[i].is_busy) tp_worker_clear(&p->lanes[i].worker);
    p->lanes[i].is_busy = false;
  }
}

// --------------------------------------------------------------------- answers

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void add_stats(tp_stats *to, const tp_stats *more) {
  tp_stats most = {
      .unroll_bound = larger(to->unroll_bound, more->unroll_bound),
      .proved_bound = larger(to->proved_bound, more->proved_bound),
      .query_terms = larger(to->query_terms, more->query_terms),
      .query_bound = larger(to->query_bound, more->query_bound),
      .frontier_max = larger(to->frontier_max, more->frontier_max),
      .ordered_trace_len_max = larger(to->ordered_trace_len_max, more->ordered_trace_len_max)};
#define TP_S(name, unit, help) to->name += more->name;
  TP_STATS(TP_S)
#undef TP_S
  to->unroll_bound = most.unroll_bound;
  to->proved_bound = most.proved_bound;
  to->query_terms = most.query_terms;
  to->query_bound = most.query_bound;
  to->frontier_max = most.frontier_max;
  to->ordered_trace_len_max = most.ordered_trace_len_max;
  to->solver_s += more->solver_s;
}

/* What is best told at the end: a failure that rests on what nobody stated, a failure that could
 * not be confirmed, then the hunter's reason, then the reason of an analysis that came to a
 * fixpoint, then others. */
static int rank_of(const tp_attempt *a, const lane *l) {
  if (a->rests_on_open) return 5;
  if (a->result.verdict == TP_VERDICT_FALSE) return 4;
  if (l->job.is_for_goals) return 0;
  if (!l->job.turn.proves_only) return 3;
  return a->result.invariants_text.n || a->result.verdict == TP_VERDICT_TRUE ? 2 : 1;
}

static void keep_best(portfolio *p, const lane *l, const tp_stats *stats) {
  TP_REQUIRE(p->s->now.verdict == TP_VERDICT_UNKNOWN);  // a verdict ends the search
  tp_session *s = p->s;
  int rank = rank_of(&s->now, l);
  tp_finding finding = tp_finding_of(s->program, s->now.engine, tp_str_text(&s->now.reason),
                                     &s->now.result, stats, &s->arena);
  finding.ran_out = l->ran_out;
  finding.proves_only = l->job.turn.proves_only;
  tp_vec_push(&s->findings, finding);
  if (p->has_best && rank < p->best_rank) {
    tp_attempt_clear(&s->now);
  } else {
    if (p->has_best) tp_attempt_clear(&p->best);
    p->best = s->now;
    p->best_rank = rank;
    p->has_best = true;
  }
  tp_attempt_init(&s->now, s->o->engine);
}

/* What it says of the facts that the user gave. */
static void keep_claims(tp_session *s) {
  const tp_result *r = &s->now.result;
  if (r->claims.n == 0) return;
  s->claims.n = 0;
  for (size_t i = 0; i < r->claims.n; i++) {
    tp_claim c = r->claims.at[i];
    c.before = c.before ? tp_arena_strdup(&s->arena, c.before) : NULL;
    c.after = c.after ? tp_arena_strdup(&s->arena, c.after) : NULL;
    c.from = c.from ? tp_arena_strdup(&s->arena, c.from) : NULL;
    tp_vec_push(&s->claims, c);
  }
}

/* The worker's answer becomes the attempt at hand. */
static void take_answer(portfolio *p, lane *l, tp_stats *stats) {
  TP_REQUIRE(!l->is_busy);
  tp_session *s = p->s;
  tp_worker *w = &l->worker;
  l->ran_out = l->is_asked || (l->job.cpu_s > 0 && tp_process_cpu_s(&w->process) >=
                                                       TP_APP_RAN_OUT_SHARE * l->job.cpu_s);
  tp_attempt_clear(&s->now);
  tp_attempt_init(&s->now, l->job.turn.name);
  if (w->has_answer) {
    tp_wire_stats(&w->answer, stats);
    const char *who = tp_wire_text(&w->answer, &s->arena);
    tp_wire_result(&w->answer, &s->now.result);
    if (who) s->now.engine = who;
    if (w->answer.bad)
      tp_session_give_up(s, "internal error: the engine's answer cannot be read");
    else
      tp_session_give_up(s, "%s",
                         s->now.result.reason ? s->now.result.reason : "the engine gave no reason");
    if (s->now.result.hint) tp_str_add(&s->now.hint, s->now.result.hint);
    keep_claims(s);
  } else {
    *stats = w->stats;  // the last progress, zeros if there was none
    if (w->is_limit || l->is_asked) s->now.result.obstacle.kind = TP_OBSTACLE_LIMIT;
    if (l->is_asked && p->stops_at_open)
      tp_session_give_up(s, "no failure was found in time without what the program leaves open");
    else if (l->is_asked)
      tp_session_give_up(s, "time limit of %g s", s->budget.limit_s);
    else
      tp_session_give_up(s, "%s", tp_str_text(&w->reason));
  }
  add_stats(&p->stats, stats);
  s->stats = p->stats;
}

/* Others may still prove what one certificate takes long to show: its check has half of the time
 * that is left, and the rest at the end if nobody did. 0: all. */
static double check_s(const portfolio *p) {
  const bool is_last = is_spent(p) || (count_busy(p) == 0 && p->next >= p->schedule->n);
  return is_last ? 0 : tp_budget_left_s(&p->s->budget) * TP_APP_CHECK_SHARE;
}

static void keep_unchecked(portfolio *p) {
  tp_session *s = p->s;
  if (p->has_unchecked || s->now.result.bound || s->now.result.is_tentative) return;
  const tp_str *certificate = &s->now.result.certificate;
  tp_str_add_n(&p->unchecked, certificate->text, certificate->n);
  p->unchecked_engine = s->now.engine;
  p->has_unchecked = true;
}

static void check_again(portfolio *p) {
  tp_session *s = p->s;
  tp_attempt_clear(&s->now);
  tp_attempt_init(&s->now, p->unchecked_engine);
  s->now.result.verdict = TP_VERDICT_TRUE;
  tp_str_add_n(&s->now.result.certificate, p->unchecked.text, p->unchecked.n);
  (void)tp_confirm_true(s, 0);
  p->stats = s->stats;
  p->is_decided = s->now.verdict != TP_VERDICT_UNKNOWN;
}

/* A proof may rest on what the engine was given: the certificate shows that again. */
static void note_help(portfolio *p, const lane *l) {
  tp_session *s = p->s;
  tp_str by = {0};
  if (s->now.result.verdict != TP_VERDICT_TRUE || !l->job.imported) return;
  for (size_t i = 0; i < l->job.n_given; i++) {
    const tp_board_fact *f = &p->board->v.at[i];
    if (f->kind == TP_BOARD_INVARIANTS)
      tp_str_printf(&by, "%s%s", by.n ? ", " : "given invariants of ", f->by);
  }
  if (by.n) s->now.result.help = tp_arena_strdup(&s->now.result.arena, by.text);
  tp_str_clear(&by);
}

/* Whether a proof was refused for another reason than time. */
static bool confirm(portfolio *p) {
  tp_session *s = p->s;
  tp_verdict claim = s->now.result.verdict;
  if (claim == TP_VERDICT_UNKNOWN) return false;
  if (claim == TP_VERDICT_TRUE && is_restricted(p)) {
    tp_session_give_up(s, p->stops_at_open ? "no failure without what the program leaves open"
                                           : "no failure but those that were not confirmed");
    return false;
  }
  bool is_out_of_time = false;
  pause_others(p, true);
  s->budget.pending_s = running_s(p);
  if (claim == TP_VERDICT_FALSE)
    tp_confirm_false(s);
  else if ((is_out_of_time = tp_confirm_true(s, check_s(p))))
    keep_unchecked(p);
  s->budget.pending_s = 0;
  p->stats = s->stats;  // checks count, too
  p->is_decided = s->now.verdict != TP_VERDICT_UNKNOWN;
  TP_INVARIANT(!p->is_decided || s->now.verdict == claim);  // confirmation can lower only
  if (!p->is_decided) pause_others(p, false);
  return claim == TP_VERDICT_TRUE && !p->is_decided && !is_out_of_time;
}

/* A chance find that does not hold up does not keep the engine from looking; nor does a proof that
 * was refused where it rests on what others found out, which need not stand at its own cutpoints.
 */
static bool deserves_another_turn(const portfolio *p, const lane *l, bool is_refused) {
  const bool is_chance = l->job.turn.random_first && p->s->now.result.verdict == TP_VERDICT_FALSE &&
                         strcmp(p->s->now.engine, tp_engine_random.name) == 0;
  return (is_chance || (is_refused && l->job.imported)) && !is_spent(p);
}

static void keep_fact(portfolio *p, tp_board_kind kind, const char *by, const char *text) {
  if (is_exchanged(p->s, kind)) (void)tp_board_add(p->board, kind, by, text);
}

static void keep_published(portfolio *p, lane *l) {
  for (; l->n_facts < l->worker.board.v.n; l->n_facts++) {
    const tp_board_fact *f = &l->worker.board.v.at[l->n_facts];
    keep_fact(p, f->kind, f->by, f->text);
  }
}

static void keep_invariants(portfolio *p, const lane *l) {
  const tp_str *more = &p->s->now.result.invariants_text;
  if (more->n) keep_fact(p, TP_BOARD_INVARIANTS, l->job.turn.name, more->text);
}

/* A failing run that rests on what nobody stated, or that the compiled program does not show, rules
 * out a proof. All turns start again, in the part of the program that rests on nothing of this
 * kind and has no such failure, for as long as the search took so far, and a little more. */
static void look_elsewhere(portfolio *p) {
  const double used = used_s(p), more = used > TP_APP_OPEN_S ? used : TP_APP_OPEN_S;
  end_all(p);
  p->next = 0;
  if (p->search_s <= 0 || used + more < p->search_s) p->search_s = used + more;
}

static void finish(portfolio *p, lane *l) {
  TP_REQUIRE(l->is_busy && !p->is_decided);
  tp_stats stats = {0};
  const size_t unconfirmed = p->s->unconfirmed.n;
  l->is_busy = false;
  if (l->job.is_for_goals) p->goals_s += tp_process_cpu_s(&l->worker.process);
  take_answer(p, l, &stats);
  note_help(p, l);
  const bool is_refused = confirm(p);
  if (!p->is_decided) {
    const bool opens = p->s->now.rests_on_open && !p->stops_at_open,
               is_last = is_restricted(p) && p->s->now.result.verdict == TP_VERDICT_TRUE,
               is_new = p->s->unconfirmed.n > unconfirmed &&
                        p->s->unconfirmed.n <= TP_APP_ELSEWHERE && !is_spent(p);
    const bool again = deserves_another_turn(p, l, is_refused) && !opens && !is_new;
    keep_invariants(p, l);
    keep_best(p, l, &stats);
    tp_worker_clear(&l->worker);
    p->stops_at_open |= opens;
    if (opens || is_new) look_elsewhere(p);
    if (is_last) {
      end_all(p);
      p->next = p->schedule->n;
    }
    tp_schedule_entry turn = l->job.turn;
    turn.random_first = false;
    turn.takes_no_imports |= is_refused;
    if (again && !tp_process_interrupted()) start(p, l, &turn, false);
  } else {
    tp_worker_clear(&l->worker);
  }
}

static void follow(portfolio *p) {
  tp_worker *running[TP_APP_LANES];
  size_t n = 0;
  for (int i = 0; i < TP_APP_LANES; i++)
    if (p->lanes[i].is_busy) running[n++] = &p->lanes[i].worker;
  tp_worker_step(running, n, &p->s->budget);
  for (int i = 0; i < TP_APP_LANES; i++)
    if (p->lanes[i].is_busy) keep_published(p, &p->lanes[i]);
  for (int i = 0; i < TP_APP_LANES && !p->is_decided; i++)
    if (p->lanes[i].is_busy && !tp_worker_is_running(&p->lanes[i].worker)) finish(p, &p->lanes[i]);
}

/* As many as there are cores, and two at least: a search for failures that never ends leaves room
 * for proofs. */
static int count_lanes(const tp_options *o) {
  cpu_set_t cores;
  const uint64_t n = o->workers                                        ? o->workers
                     : o->steps                                        ? 1
                     : sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint64_t)CPU_COUNT(&cores)
                                                                       : 2;
  if (n > TP_APP_LANES) return TP_APP_LANES;
  return n < 2 && !o->workers && !o->steps ? 2 : (int)n;
}

void tp_portfolio_run(tp_session *s, const tp_schedule *schedule) {
  TP_REQUIRE(schedule->n > 0);
  portfolio p = {.s = s,
                 .schedule = schedule,
                 .board = &s->board,
                 .n_lanes = count_lanes(s->o),
                 .start_s = tp_budget_used_s(),
                 .start_wall_s = tp_wall_s(),
                 .search_s = TP_APP_SEARCH_SHARE * tp_budget_left_s(&s->budget)};
  fill_lanes(&p);
  while (count_busy(&p) > 0 &&
         !p.is_decided) {  // after an interrupt the workers end, and nobody new starts
    follow(&p);
    watch_budget(&p);
    if (!p.is_decided && !tp_process_interrupted()) fill_lanes(&p);
  }
  s->has_waiting = p.next < schedule->n;
  end_all(&p);
  TP_INVARIANT(count_busy(&p) == 0);
  const bool may_check = !p.is_decided && !is_restricted(&p) && !tp_budget_is_spent(&s->budget);
  if (p.has_unchecked && may_check && !tp_process_interrupted()) check_again(&p);
  tp_str_clear(&p.unchecked);
  if (!p.is_decided && p.has_best) {
    tp_attempt_clear(&s->now);
    s->now = p.best;
    p.has_best = false;
  }
  if (p.has_best) tp_attempt_clear(&p.best);
  s->stats = p.stats;
}

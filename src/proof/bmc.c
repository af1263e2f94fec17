/* Bounded model checking.
 *
 * The program is unrolled under a bound for loops and recursion that doubles from round to round.
 * After each round:
 *
 *   errors     is one of the error conditions satisfiable? Then the model gives inputs, the
 *              concrete machine runs them, and only if it arrives at an error location the answer
 *              is FALSE.
 *   cut-offs   otherwise, if no cut-off (loop, recursion) and no gap (what could not be executed)
 *              is satisfiable, all runs have been covered: TRUE, with the largest numbers of
 *              iterations as certificate. Where blocks that are too long to be followed are the
 *              only gap, the certificate is offered all the same: its checker can follow them.
 *   next       otherwise the bound or the number of steps grows, until time, memory or the user's
 *              limit ends it.
 *
 * Rounds start from scratch: the term table gives back what the round before built, and input
 * variables are used again, so what is repeated is the symbolic execution, not the formula. */
#include "engine/engine.h"
#include "engine/query.h"
#include "proof/bounded_reach.h"
#include "proof/proof_limits.h"
#include "proof/unroll.h"
#include "engine/test_vector.h"
#include "proof/proof_engines.h"

typedef struct {
  const tp_task *task;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  tp_symex x;
  tp_unroll *u;
  tp_query q;
  double start_s, unroll_until_s;
  uint64_t ask_at, ask_step;  // edges: when it is asked again whether paths can be taken
  uint64_t n_feasible;        // answers yes
  uint32_t unconfirmed;
  uint32_t clean_bound;  // within so many iterations no run goes wrong; 0: not shown
  size_t clean_gaps;     // operations that it does not cover
  bool is_last_query;    // nothing is left to unroll
} bmc;

// ---------------------------------------------------------------------- budget

static double left_s(const bmc *b) { return tp_engine_left_s(b->budget, b->start_s); }

static bool out_of_time(void *ctx) {
  const bmc *b = ctx;
  return tp_engine_is_over(b->budget, b->start_s);
}

/* Some time is kept for asking about what has been unrolled. */
static bool stop_unrolling(void *ctx) {
  return out_of_time(ctx) || tp_cpu_s() > ((const bmc *)ctx)->unroll_until_s;
}

/* Asked less often once the answer was mostly yes: then it costs more than what it saves. */
static bool feasible(void *ctx, tp_term condition) {
  bmc *b = ctx;
  if (b->x.edges_done < b->ask_at) return true;
  const bool is_feasible = tp_query_quick(&b->q, condition) != TP_SMT_UNSAT;
  if (!is_feasible)
    b->ask_step = 0;
  else if (++b->n_feasible > TP_PROOF_ASK_FREELY && b->ask_step < TP_PROOF_ASK_MOST_EDGES)
    b->ask_step = 2 * b->ask_step + 1;
  b->ask_at = b->x.edges_done + b->ask_step;
  return is_feasible;
}

/* While there is more to unroll, a question may take a part of the time that is left: deeper
 * failures are often easier. */
static tp_smt_answer query(bmc *b, tp_term condition) {
  double limit_s = left_s(b) * (b->is_last_query ? 1 : 0.4);
  if (left_s(b) <= 0) return TP_SMT_UNKNOWN;
  return tp_query_thorough(&b->q, condition, b->budget->solver_rlimit,
                           b->budget->cpu_s > 0 ? limit_s : 0);
}

// -------------------------------------------------------------------------- FALSE

static bool confirm(bmc *b) {
  TP_REQUIRE(b->q.model != NULL);
  tp_inputs drawn;
  tp_inputs_init(&drawn);
  if (!tp_test_vector_fails(&b->q, b->task->property, &drawn, &b->out->violated)) {
    tp_inputs_clear(&drawn);
    return false;
  }
  tp_inputs_clear(&b->out->inputs);
  b->out->inputs = drawn;
  return true;
}

static tp_term any_error(bmc *b) {
  size_t n;
  const tp_hit *e = tp_unroll_errors(b->u, &n);
  tp_term any = tp_mk_false(b->x.tt);
  for (size_t i = 0; i < n; i++) any = tp_mk_or(b->x.tt, any, e[i].condition);
  return any;
}

static void note_unproved(bmc *b, tp_loc error) {
  for (size_t i = 0; i < b->out->unproved.n; i++)
    if (b->out->unproved.at[i].id == error.id) return;
  tp_vec_push(&b->out->unproved, error);
}

/* One error after the other, where all together were too hard or the model of all together led
 * nowhere. */
static tp_smt_answer check_singly(bmc *b) {
  size_t n;
  const tp_hit *e = tp_unroll_errors(b->u, &n);
  tp_smt_answer all = TP_SMT_UNSAT;
  b->out->unproved.n = 0;
  if (n == 1 && b->unconfirmed) note_unproved(b, e[0].loc);
  if (n < 2 || n > 200) return TP_SMT_UNKNOWN;
  for (size_t i = 0; i < n && !out_of_time(b); i++) {
    tp_smt_answer a = query(b, e[i].condition);
    if (a == TP_SMT_SAT && confirm(b)) return TP_SMT_SAT;
    if (a != TP_SMT_UNSAT) all = TP_SMT_UNKNOWN;
    if (a == TP_SMT_SAT) note_unproved(b, e[i].loc);
  }
  return out_of_time(b) ? TP_SMT_UNKNOWN : all;
}

/* SAT: FALSE with confirmed inputs. UNSAT: no error within the unrolling. */
static tp_smt_answer check_errors(bmc *b) {
  tp_smt_answer a = query(b, any_error(b));
  if (a == TP_SMT_UNSAT) return a;
  if (a == TP_SMT_SAT && confirm(b)) return a;
  if (a == TP_SMT_SAT) b->unconfirmed++;
  return check_singly(b);
}

// --------------------------------------------------------------------------- TRUE

static const char *position_text(bmc *b, tp_pos pos) {
  return tp_position_text(b->task->program, pos, &b->out->arena);
}

static void add_assumptions(bmc *b, tp_unrolling *cert) {
  const tp_program *p = b->task->program;
  for (size_t i = 1; i < p->assumptions.n; i++)
    tp_unrolling_add_assumption(cert, p->assumptions.at[i]);
  for (size_t i = 0; i < b->x.assumptions.n; i++) {
    const tp_note *n = &b->x.assumptions.at[i];
    if (i < TP_PROOF_BMC_ASSUMPTIONS && !out_of_time(b) &&
        tp_query_quick(&b->q, n->condition) == TP_SMT_UNSAT)
      continue;
    tp_unrolling_add_assumption(
        cert, tp_arena_printf(&b->out->arena, "no %s at %s", n->what, position_text(b, n->pos)));
  }
  for (size_t i = 0; i < cert->assumptions.n; i++)
    tp_vec_push(&b->out->assumptions, tp_arena_strdup(&b->out->arena, cert->assumptions.at[i]));
}

static void conclude_true(bmc *b) {
  TP_REQUIRE(b->out->certificate.n == 0);
  TP_INVARIANT(!b->unconfirmed || b->clean_bound > 0);
  tp_unrolling cert;
  tp_unrolling_init(&cert);
  cert.property = b->task->property;
  cert.ptr_bits = b->task->program->ptr_bits;
  cert.fingerprint = tp_program_fingerprint(b->task->program);
  cert.within = b->out->bound = b->task->within;
  tp_unroll_describe(b->u, &cert);
  add_assumptions(b, &cert);
  tp_unrolling_write(&cert, b->task->program, &b->out->certificate);
  tp_unrolling_clear(&cert);
  b->out->verdict = TP_VERDICT_TRUE;
}

// ------------------------------------------------------------------------ reasons

static void give_up(bmc *b, tp_obstacle obstacle, const char *reason, const char *hint) {
  tp_result_give_up_at(b->out, obstacle, reason, hint);
}

/* The cut says how far paths were followed; how far they were decided, clean_bound. */
static void give_up_at_cut(bmc *b, const tp_cut *c) {
  TP_REQUIRE(c->func.id > 0);
  tp_arena *a = &b->out->arena;
  const char *f = tp_func_of(b->task->program, c->func)->name;
  unsigned long long n = (unsigned long long)c->iterations;
  if (c->kind == TP_CUT_LOOP) {
    const tp_pos pos = tp_loc_of(b->task->program, c->head)->pos;
    give_up(b, (tp_obstacle){TP_OBSTACLE_LOOP, pos, b->clean_bound},
            tp_arena_printf(a, "loop at %s not exhausted after %llu iterations",
                            position_text(b, pos), n),
            "the loop needs an invariant, which other engines may find, or more time");
  } else if (c->kind == TP_CUT_RECURSION) {
    give_up(b,
            (tp_obstacle){TP_OBSTACLE_RECURSION, tp_func_of(b->task->program, c->func)->pos,
                          b->clean_bound},
            tp_arena_printf(a, "recursion of %s not exhausted at depth %llu", f, n),
            "the function needs a contract, which other engines may find, or more time");
  } else {
    give_up(b, (tp_obstacle){.kind = TP_OBSTACLE_LIMIT},
            tp_arena_printf(a, "time ran out in %s after %llu steps", f,
                            (unsigned long long)b->x.edges_done),
            "more time may help (--timelimit)");
  }
}

// ------------------------------------------------------------------------- rounds

typedef struct {
  bool loops, steps, gaps;  // what prevents TRUE
  bool has_other_gaps;      // than long blocks, which the checker of a certificate can follow
  const char *gap_reason;
  tp_obstacle gap;
  const tp_cut *cut;
} obstacles;

static bool possible(bmc *b, tp_term condition) {
  tp_smt_answer a = tp_query_quick(&b->q, condition);
  if (a == TP_SMT_UNKNOWN) a = query(b, condition);
  return a != TP_SMT_UNSAT;
}

static const tp_obstacle_kind obstacle_of_gap[] = {[TP_GAP_CONSTRUCT] = TP_OBSTACLE_CONSTRUCT,
                                                   [TP_GAP_BLOCK] = TP_OBSTACLE_CONSTRUCT,
                                                   [TP_GAP_POINTER] = TP_OBSTACLE_POINTER,
                                                   [TP_GAP_CALLEE] = TP_OBSTACLE_CALLEE};

/* at_bound: runs beyond the bound are not asked about, so that it cuts off nothing that matters. */
static obstacles find_obstacles(bmc *b, bool at_bound) {
  obstacles o = {0};
  size_t n;
  const tp_cut *cuts = tp_unroll_cuts(b->u, &n);
  for (size_t i = 0; i < n; i++)
    if (cuts[i].kind == TP_CUT_STEPS) o.steps = true, o.cut = &cuts[i];
  for (size_t i = 0; i < n && !o.steps && !o.loops && !at_bound; i++)
    if (possible(b, cuts[i].condition)) o.loops = true, o.cut = &cuts[i];
  if (o.steps || o.loops) return o;
  for (size_t i = 0; i < b->x.gaps.n && !o.has_other_gaps; i++) {
    const tp_note *g = &b->x.gaps.at[i];
    if ((o.gaps && g->kind == TP_GAP_BLOCK) || !possible(b, g->condition)) continue;
    o.gaps = true;
    o.has_other_gaps = g->kind != TP_GAP_BLOCK;
    o.gap = (tp_obstacle){.kind = obstacle_of_gap[g->kind], .pos = g->pos};
    o.gap_reason = tp_arena_printf(&b->out->arena, "%s at %s", g->what, position_text(b, g->pos));
  }
  for (size_t i = 1; i < b->task->program->unsupported.n && !o.has_other_gaps; i++) {
    const tp_unsupported *un = &b->task->program->unsupported.at[i];
    if (un->loc.id) continue;
    o.gaps = o.has_other_gaps = true;
    o.gap = (tp_obstacle){.kind = TP_OBSTACLE_CONSTRUCT, .pos = un->pos};
    o.gap_reason = tp_arena_printf(&b->out->arena, "%s at %s", un->what, position_text(b, un->pos));
  }
  return o;
}

static void unroll(bmc *b, uint32_t bound, uint64_t steps) {
  TP_REQUIRE(bound > 0 && steps > 0);
  b->unroll_until_s = tp_cpu_s() + 0.6 * left_s(b);
  const tp_unroll_options o = {.property = b->task->property,
                               .bound = bound,
                               .steps = steps,
                               .feasible = feasible,
                               .stop = stop_unrolling,
                               .ctx = b};
  tp_query_restart(&b->q);
  tp_unroll_run(b->u, o);
  b->stats->iterations++;
  b->stats->unroll_bound = bound;
  b->stats->unrolled_edges = b->x.edges_done;
  b->stats->reached_states = tp_unroll_locations(b->u);
  if (b->budget->progress) b->budget->progress(b->budget->ctx, b->stats, "unroll");
}

/* Errors first, then what prevents TRUE; if nothing is but the errors were too hard, they
 * get all the time left. */
static tp_smt_answer decide_round(bmc *b, bool at_bound, obstacles *ob) {
  b->is_last_query = false;
  tp_smt_answer a = check_errors(b);
  *ob = (obstacles){0};
  if (a == TP_SMT_SAT) return a;
  *ob = find_obstacles(b, at_bound);
  if (a != TP_SMT_UNKNOWN || ob->loops || ob->steps || b->unconfirmed) return a;
  b->is_last_query = true;
  return check_errors(b);
}

/* What has been shown. */
static void note_explored(bmc *b) {
  tp_arena *a = &b->out->arena;
  const char *gaps = b->clean_gaps ? " and meet nothing that the model leaves open" : "";
  if (b->clean_bound)
    b->out->condition = tp_arena_printf(a,
                                        "a proof for runs in which no loop has more than %u "
                                        "iteration%s and no function is active more often%s",
                                        b->clean_bound, b->clean_bound == 1 ? "" : "s", gaps);
}

/* The largest query so far, and the bound of its round. */
static void note_query(bmc *b, uint32_t bound) {
  TP_REQUIRE(bound > 0);
  if (b->q.largest <= b->stats->query_terms) return;
  b->stats->query_terms = b->q.largest;
  b->stats->query_bound = bound;
}

/* No run within the bound goes wrong. The supervisor gets it at once, in case there is no time to
 * say more. */
static void note_bound(bmc *b, uint32_t bound) {
  TP_REQUIRE(bound > 0);
  b->clean_bound = bound;
  b->clean_gaps = b->x.gaps.n;
  b->stats->proved_bound = b->clean_gaps ? 0 : bound;
  if (b->budget->progress) b->budget->progress(b->budget->ctx, b->stats, "unroll");
}

static void conclude_unknown(bmc *b, tp_smt_answer a, const obstacles *ob) {
  note_explored(b);
  if (ob->cut)
    give_up_at_cut(b, ob->cut);
  else if (b->unconfirmed)
    give_up(b, (tp_obstacle){0}, "a counterexample was found that the interpreter does not confirm",
            NULL);
  else if (a == TP_SMT_UNKNOWN)
    give_up(b, (tp_obstacle){.kind = TP_OBSTACLE_SOLVER},
            "the solver gave up on the error condition", "more time may help (--timelimit)");
  else
    give_up(b, ob->gap, ob->gap_reason, NULL);
}

/* What the bounded claim speaks about; it stands without. */
static void note_reach(bmc *b) {
  const double share_s = b->budget->cpu_s > 0 ? TP_PROOF_REACH_SHARE * left_s(b) : TP_PROOF_REACH_S;
  const tp_reach_question question = {
      .program = b->task->program,
      .unroll = b->u,
      .query = &b->q,
      .property = b->task->property,
      .within = b->task->within,
      .until_s = tp_cpu_s() + (share_s < TP_PROOF_REACH_S ? share_s : TP_PROOF_REACH_S),
      .feasible = feasible,
      .stop = out_of_time,
      .ctx = b};
  tp_bounded_reach_find(&question, &b->out->reach);
}

/* One round. True: the verdict (or the reason) stands; false: try with more. */
static bool run_round(bmc *b, uint32_t *bound, uint64_t *steps) {
  TP_REQUIRE(*bound > 0);
  const uint32_t within = b->task->within, most = within ? within : b->task->bmc_max_unroll;
  obstacles ob;
  unroll(b, *bound, *steps);
  tp_smt_answer a = decide_round(b, within && *bound >= within, &ob);
  note_query(b, *bound);
  if (a == TP_SMT_UNSAT && !ob.steps) note_bound(b, *bound);
  if (a == TP_SMT_SAT) {
    b->out->verdict = TP_VERDICT_FALSE;
    return true;
  }
  if (a == TP_SMT_UNSAT && !ob.steps && !ob.loops && !ob.gaps) {
    conclude_true(b);
    if (within) note_reach(b);
    return true;
  }
  conclude_unknown(b, a, &ob);
  if (a == TP_SMT_UNSAT && !ob.steps && !ob.loops && !ob.has_other_gaps && !within) {
    // the checker keeps long blocks whole: whether runs with some fail is for it to say
    conclude_true(b);
    b->out->is_tentative = true;
    return true;
  }
  if (b->unconfirmed > TP_PROOF_BMC_UNCONFIRMED || (!ob.loops && !ob.steps) || out_of_time(b))
    return true;
  if (ob.steps) *steps *= TP_PROOF_BMC_STEPS_FACTOR;
  if (ob.loops && most && *bound >= most) return true;
  if (ob.loops) *bound = most && *bound > most / 2 ? most : *bound * 2;
  return false;
}

static void run_bmc(const tp_task *task, const tp_budget *budget, tp_stats *stats, tp_result *out) {
  bmc b = {.task = task, .budget = budget, .stats = stats, .out = out, .start_s = tp_cpu_s()};
  uint32_t bound = 1;
  uint64_t steps = TP_PROOF_BMC_STEPS;
  tp_symex_init(&b.x, task->program, task->property);
  tp_query_init(&b.q, &b.x, task->solver, stats);
  b.u = tp_unroll_new(&b.x);
  while (!run_round(&b, &bound, &steps))
    if (budget->steps && b.stats->iterations >= budget->steps) break;
  tp_unroll_free(b.u);
  tp_query_clear(&b.q);
  tp_symex_clear(&b.x);
}

const tp_engine tp_engine_bmc = {
    .name = "bmc",
    .help =
        "unrolls loops and recursion step by step; finds failures, proves what unrolls completely",
    .run = run_bmc,
};

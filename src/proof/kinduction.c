/* k-induction with invariants.
 *
 *   bounds      an abstract interpretation (intervals) runs first. What it proves at loop heads is
 *               given to all that follows; often it is the whole proof.
 *   candidates  formulas that concrete runs suggest, in waves, weakest preconditions of safety;
 *               then linear templates, conditions of the program, and what was not proved so far
 *               once more under these conditions: "in this case ...". Those that are inductive
 *               together are invariants (blocks/houdini.h). After each wave the question is whether
 *               they are enough.
 *   induction   with what is known by then: k = 0 asks whether the invariants exclude the errors;
 *               larger k whether an error can follow k blocks without one. Nothing is TRUE before
 *               no way of up to k blocks from the start leads to an error.
 *
 * Blocks are path formulas, which have more ways than the program: TRUE is a proof; a base case
 * with a way to an error is only a hint, so bounded model checking looks there, with inputs that
 * the concrete machine confirms.
 *
 * Whatever the verdict, the invariants are facts for other engines. */
#include "engine/engine.h"
#include "blocks/import_nodes.h"
#include "blocks/graph_proof.h"
#include "blocks/induction.h"
#include "blocks/learn.h"
#include "blocks/templates.h"
#include "proof/proof_engines.h"

enum {
  MOST_EDGES = 400000,
  MOST_GUARDED = 400,
  SAFETY_DEPTH = 1,
  QUICK_RLIMIT = 2000000,
  QUESTION_RLIMIT = 30000000
};
static const uint32_t ks[] = {0, 1, 2, 3, 5, 8, 13};
enum { N_KS = sizeof ks / sizeof *ks };

/* Parts of the time. */
static const double bounds_share = 0.25, mining_share = 0.1, candidates_share = 0.5,
                    question_share = 0.3, hunt_share = 0.25;

typedef struct {
  const tp_task *task;
  const tp_program *p;
  tp_terms *tt;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  tp_imported facts;  // of the abstract interpretation
  tp_term *given;     // by node: what that proved
  tp_learner learner;
  tp_node_formulas variables;
  tp_induction induction;
  uint32_t tried;    // largest k
  uint32_t n_base;   // no way of fewer blocks leads to an error
  uint32_t bounded;  // within so many turns of each loop no run fails, says bmc
  bool has_hunted;
  bool is_patient;    // more candidates will not come: questions may take their time
  const char *stuck;  // why the base case cannot be proved; NULL: it can
  double start_s;
} run;

// ---------------------------------------------------------------------- limits

static double left_s(const run *x) { return tp_engine_left_s(x->budget, x->start_s); }

static bool should_stop(void *ctx) {
  run *x = ctx;
  return tp_engine_is_over(x->budget, x->start_s);
}

static void say_phase(run *x, const char *phase) {
  tp_engine_report_phase(x->budget, x->stats, phase);
}

static tp_budget part_of(const run *x, double share) {
  return tp_engine_sub_budget(x->budget, x->start_s, share);
}

static tp_houdini_options houdini_options(run *x, double share) {
  double until_s = x->budget->cpu_s > 0 ? tp_cpu_s() + share * left_s(x) : 0;
  return (tp_houdini_options){.backend = x->task->solver,
                              .stats = x->stats,
                              .rlimit = x->budget->solver_rlimit,
                              .until_s = until_s,
                              .should_stop = should_stop,
                              .ctx = x};
}

/* Own circuits first: sums of counters under conditions take them a moment, and Z3 seconds. */
static tp_smt_options question_options(run *x) {
  uint64_t rlimit = x->budget->solver_rlimit ? x->budget->solver_rlimit
                    : x->is_patient          ? QUESTION_RLIMIT
                                             : QUICK_RLIMIT;
  return (tp_smt_options){.backend = x->task->solver ? x->task->solver : "mixed",
                          .rlimit = rlimit,
                          .cpu_s = tp_engine_share_s(x->budget, x->start_s, question_share),
                          .stats = x->stats};
}

// ---------------------------------------------------------------------- bounds

/* True: that settled it. */
static bool prove_bounds(run *x) {
  return tp_import_intervals(x->task, part_of(x, bounds_share), x->stats, &x->contexts, x->out,
                             &x->facts);
}

static void build_graph(run *x) {
  tp_blocks_build(&x->blocks, &x->paths, &x->contexts, x->task->property, TP_BLOCKS_TO_LOOPS,
                  MOST_EDGES);
  x->given = TP_NEW_ARRAY(tp_term, x->blocks.nodes.n);
  tp_import_at_nodes(&x->facts, &x->blocks, x->given);
  tp_learner_init(&x->learner, &x->blocks, x->given, x->stats);
  x->stats->reached_states = x->blocks.nodes.n;
  tp_node_formulas_init(&x->variables, &x->blocks);
  tp_templates_variables(&x->blocks, &x->variables);
}

// ------------------------------------------------------------------ candidates

/* Proves what it can of the candidates; what is proved leaves the list. */
static void prove(run *x, tp_node_formulas *candidates) {
  tp_learner_prove(&x->learner, candidates, houdini_options(x, candidates_share));
}

static void mine(run *x) {
  tp_mine_options o = {.seed = x->task->seed,
                       .cpu_s = tp_engine_share_s(x->budget, x->start_s, mining_share),
                       .should_stop = should_stop,
                       .ctx = x};
  say_phase(x, "mine");
  tp_learner_mine(&x->learner, o);
}

// ---------------------------------------------------------------------- verdicts

static tp_graph_proof proof_of(const run *x) {
  return (tp_graph_proof){x->task, &x->blocks, x->learner.known};
}

static void say_true(run *x, uint32_t k) {
  tp_graph_proof g = proof_of(x);
  tp_graph_proof_conclude_true(&g, k, x->out);
}

/* Looks for a failing run within this many turns of each loop. True: that settled it. */
static bool hunt(run *x, uint32_t turns) {
  tp_budget budget = part_of(x, hunt_share);
  say_phase(x, "hunt");
  x->has_hunted = true;
  return tp_falsify(x->task, &budget, turns, x->stats, x->out, &x->bounded);
}

// -------------------------------------------------------------------- induction

/* Does no way of up to k blocks lead to an error? Sets `stuck` if that cannot be shown; the verdict
 * may be settled by then. */
static bool prove_base(run *x, uint32_t k) {
  for (; x->n_base <= k && !x->stuck; x->n_base++) {
    x->induction.options = question_options(x);
    tp_smt_answer a = tp_induction_base(&x->induction, x->n_base);
    if (a == TP_SMT_UNSAT) continue;
    if (!x->has_hunted && hunt(x, 2 * k + 6)) return false;
    if (tp_induction_base_is_excused(&x->induction, x->bounded)) continue;
    x->stuck = a == TP_SMT_SAT ? "the path formulas of the first blocks do not exclude an error"
                               : "the solver gave up on the first blocks";
    return false;
  }
  return !x->stuck;
}

static bool prove_step(run *x, uint32_t k) {
  x->induction.options = question_options(x);
  return tp_induction_step(&x->induction, k) == TP_SMT_UNSAT;
}

/* With what is known now. True: the verdict, or that there is none, stands. */
static bool try_k(run *x, uint32_t k) {
  if (should_stop(x)) return true;
  say_phase(x, "induction");
  x->stats->iterations++;
  if (!prove_base(x, k)) return true;
  if (k > x->tried) x->tried = k;
  if (!prove_step(x, k)) return false;
  say_true(x, k);
  return true;
}

static bool try_ks(run *x, uint32_t most) {
  for (size_t i = 0; i < N_KS && ks[i] <= most; i++)
    if (try_k(x, ks[i])) return true;
  return false;
}

/* Candidates in waves, until one is enough. What was not proved stays in the list, since what comes
 * later may keep it. */
static bool try_candidates(run *x) {
  tp_node_formulas candidates, guarded;
  tp_node_formulas_init(&candidates, &x->blocks);
  tp_node_formulas_init(&guarded, &x->blocks);
  mine(x);
  say_phase(x, "prove candidates");
  bool is_done = false;
  tp_templates_add_safety(&x->blocks, SAFETY_DEPTH, &candidates);
  tp_learner_add_waves(&x->learner, 0, 1, &candidates);
  prove(x, &candidates);
  is_done = try_ks(x, 1);
  if (!is_done) {
    tp_learner_add_waves(&x->learner, 1, 3, &candidates);
    prove(x, &candidates);
    is_done = try_ks(x, 2);
  }
  if (!is_done) {
    tp_learner_add_waves(&x->learner, 0, TP_ALL_WAVES, &candidates);
    tp_templates_add_guarded(&x->blocks, &candidates, MOST_GUARDED, &guarded);
    tp_templates_add(&x->blocks, &x->variables, &candidates);
    prove(x, &candidates);
    is_done = try_ks(x, 3);
  }
  if (!is_done) {
    for (uint32_t n = 0; n < x->blocks.nodes.n; n++)
      for (size_t i = 0; i < candidates.at[n].n; i++)
        tp_node_formulas_add(&guarded, &x->blocks, n, candidates.at[n].at[i]);
    prove(x, &guarded);
  }
  tp_node_formulas_clear(&guarded);
  tp_node_formulas_clear(&candidates);
  return is_done;
}

// ---------------------------------------------------------------------- unknown

static void say_unknown(run *x) {
  tp_arena *a = &x->out->arena;
  const char *hint =
      "try a larger --timelimit, another --engine that finds invariants (octagon, cegar), or "
      "--engine=bmc to look for a failing run";
  tp_graph_proof g = proof_of(x);
  const char *open = tp_graph_proof_unmodelled_position(&g, a), *reason;
  if (x->blocks.gap)
    reason = x->blocks.gap;
  else if (x->stuck)
    reason = x->stuck;
  else if (open)
    reason = tp_arena_printf(
        a, "what happens at %s is not modelled, and it could not be shown that no run comes there",
        open);
  else if (!x->induction.from)
    reason = "the limit came first: nothing was proved yet";
  else
    reason = tp_arena_printf(a,
                             "the invariants that were found do not exclude an error; induction "
                             "over up to %u block%s failed from the loop at %s",
                             x->tried, x->tried == 1 ? "" : "s",
                             tp_graph_proof_position(&g, x->induction.from, a));
  tp_result_give_up(x->out, reason, hint);
  tp_graph_proof_strengthen_facts(&g, x->out);
}

// -------------------------------------------------------------------------- run

static void search(run *x) {
  build_graph(x);
  tp_induction_init(&x->induction, &x->blocks, x->learner.known, question_options(x));
  bool is_done = x->blocks.gap || try_k(x, 0) || try_candidates(x);
  x->is_patient = true;
  if (!is_done) (void)try_ks(x, ks[N_KS - 1]);
  if (x->out->verdict == TP_VERDICT_UNKNOWN) say_unknown(x);
  tp_induction_clear(&x->induction);
  tp_node_formulas_clear(&x->variables);
  tp_learner_clear(&x->learner);
  tp_blocks_clear(&x->blocks);
  tp_free(x->given);
}

static void run_kinduction(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                           tp_result *out) {
  run x = {.task = task,
           .p = task->program,
           .tt = task->program->terms,
           .budget = budget,
           .stats = stats,
           .out = out,
           .start_s = tp_cpu_s()};
  tp_contexts_init(&x.contexts);
  tp_paths_init(&x.paths, task->program);
  if (!prove_bounds(&x)) search(&x);
  tp_imported_clear(&x.facts);
  tp_paths_clear(&x.paths);
  tp_contexts_clear(&x.contexts);
}

const tp_engine tp_engine_kinduction = {
    .name = "kinduction",
    .help =
        "k-induction with invariants from runs, bounds and templates; proves loops that need "
        "relations between variables",
    .run = run_kinduction,
};

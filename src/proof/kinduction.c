/* k-induction with invariants.
 *
 *   claims      what others say of the program (tp_task.candidates) is tried before anything is
 *               mined; an answer without a proof says what became of each.
 *   intervals   an abstract interpretation runs first. What it proves at loop heads is imported by
 *               all that follows; often it is the whole proof.
 *   candidates  formulas that concrete runs suggest, in waves, weakest preconditions of safety;
 *               then linear templates, conditions of the program, and what was not proved so far
 *               once more under these conditions: "in this case ...". Those that are inductive
 *               together are invariants (blocks/houdini.h). After each wave the question is whether
 *               they are enough.
 *   induction   with what is known by then: k = 0 asks whether the invariants exclude the errors;
 *               larger k whether an error can follow k blocks without one. Nothing is TRUE before
 *               no path of up to k blocks from the start leads to an error.
 *
 * Blocks are path formulas, which have more paths than the program: TRUE is a proof; a base case
 * with a path to an error is only a hint, so bounded model checking looks there, with inputs that
 * the concrete machine confirms.
 *
 * Whatever the verdict, the invariants can be imported by other engines. */
#include "blocks/claims.h"
#include "blocks/counterexample_region.h"
#include "blocks/graph_run.h"
#include "blocks/learn.h"
#include "blocks/needed.h"
#include "blocks/templates.h"
#include "engine/board.h"
#include "proof/proof_engines.h"
#include "proof/proof_limits.h"

static const uint32_t ks[] = {0, 1, 2, 3, 5, 8, 13};
enum { N_KS = sizeof ks / sizeof *ks };

typedef struct {
  tp_graph_run g;
  tp_learner learner;
  tp_node_formulas variables;
  tp_induction induction;
  uint32_t tried;     // largest k
  const char *stuck;  // why the base case cannot be proved; NULL: it can
} run;

// ------------------------------------------------------------------ candidates

/* Proves what it can of the candidates; what is proved leaves the list. */
static void prove(run *x, tp_node_formulas *candidates) {
  tp_learner_prove(&x->learner, candidates,
                   tp_graph_run_houdini(&x->g, TP_PROOF_KINDUCTION_CANDIDATES_SHARE));
}

static void mine(run *x) {
  tp_graph_run_report_phase(&x->g, "mine");
  tp_learner_mine(&x->learner, tp_graph_run_mine(&x->g, TP_PROOF_KINDUCTION_MINING_SHARE));
}

// -------------------------------------------------------------------- induction

/* Does no path of up to k blocks lead to an error? Sets `stuck` if that cannot be shown; the
 * verdict may be decided by then. */
static bool prove_base(run *x, uint32_t k) {
  if (x->stuck) return false;
  switch (tp_graph_run_prove_base(&x->g, &x->induction, k, 2 * k + 6,
                                  TP_PROOF_KINDUCTION_FALSIFY_SHARE)) {
    case TP_BASE_HOLDS: return true;
    case TP_BASE_DECIDED: return false;
    case TP_BASE_PATH:
      x->stuck = "the path formulas of the first blocks do not exclude an error";
      return false;
    case TP_BASE_UNKNOWN: x->stuck = "the solver gave up on the first blocks"; return false;
  }
  return false;
}

/* What the invariants do not exclude is for others to come to. */
static void publish_goal(run *x) {
  const tp_term region = x->g.budget->publish ? tp_induction_region(&x->induction) : TP_TERM_NONE;
  if (tp_term_is(region))
    tp_publish_goal(x->g.budget, x->g.p, x->g.blocks.nodes.at[x->induction.from].loc, region);
}

static bool prove_step(run *x, uint32_t k) {
  x->induction.options = tp_graph_run_smt(&x->g);
  const tp_smt_answer answer = tp_induction_step(&x->induction, k);
  if (answer == TP_SMT_SAT && k == 0) publish_goal(x);  // those of longer paths are no nearer
  return answer == TP_SMT_UNSAT;
}

/* Facts that the proof does not need would cost the checker time, and the reader. */
static void conclude_true(run *x, uint32_t k) {
  tp_term *needed = TP_NEW_ARRAY(tp_term, x->g.blocks.nodes.n);
  const bool is_less = k == 0 && tp_needed_facts(&x->learner, tp_graph_run_smt(&x->g), needed);
  const tp_graph_proof proof = tp_graph_run_proof(&x->g, is_less ? needed : x->learner.known);
  tp_graph_proof_conclude_true(&proof, k, x->g.out);
  tp_free(needed);
}

/* With what is known now. True: the verdict, or that there is none, is final. */
static bool try_k(run *x, uint32_t k) {
  TP_REQUIRE(k <= ks[N_KS - 1]);
  if (tp_graph_run_is_over(&x->g)) return true;
  tp_graph_run_report_phase(&x->g, "induction");
  x->g.stats->iterations++;
  if (!prove_base(x, k)) return true;
  if (k > x->tried) x->tried = k;
  if (!prove_step(x, k)) return false;
  conclude_true(x, k);
  return true;
}

static bool try_ks(run *x, uint32_t most) {
  for (size_t i = 0; i < N_KS && ks[i] <= most; i++)
    if (try_k(x, ks[i])) return true;
  return false;
}

static bool has_claims(const run *x) {
  return x->g.task->candidates && x->g.task->candidates->n > 0;
}

/* What others claim, alone: whoever says what holds of a loop says it for this proof. */
static bool try_claims(run *x) {
  if (!has_claims(x)) return false;
  tp_node_formulas candidates;
  tp_node_formulas_init(&candidates, &x->g.blocks);
  tp_claims_add(&x->g.blocks, x->g.task->candidates, &candidates);
  tp_graph_run_report_phase(&x->g, "prove claims");
  tp_houdini_options o = tp_graph_run_houdini(&x->g, TP_PROOF_KINDUCTION_CLAIMS_SHARE);
  o.rlimit = TP_PROOF_KINDUCTION_CLAIM_RLIMIT;
  o.takes_time = true;
  tp_learner_prove(&x->learner, &candidates, o);
  tp_node_formulas_clear(&candidates);
  return try_ks(x, 2);
}

/* Candidates in waves, until one is enough. What was not proved stays in the list, since what comes
 * later may keep it. */
static bool try_candidates(run *x) {
  tp_node_formulas candidates, guarded;
  tp_node_formulas_init(&candidates, &x->g.blocks);
  tp_node_formulas_init(&guarded, &x->g.blocks);
  tp_claims_add(&x->g.blocks, x->g.task->candidates, &candidates);
  mine(x);
  tp_graph_run_report_phase(&x->g, "prove candidates");
  bool is_done = false;
  tp_templates_add_safety(&x->g.blocks, TP_PROOF_KINDUCTION_SAFETY, &candidates);
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
    tp_templates_add_guarded(&x->g.blocks, &candidates, TP_PROOF_KINDUCTION_GUARDED, &guarded);
    tp_templates_add(&x->g.blocks, &x->variables, &candidates);
    prove(x, &candidates);
    is_done = try_ks(x, 3);
  }
  if (!is_done) {
    for (uint32_t n = 0; n < x->g.blocks.nodes.n; n++)
      for (size_t i = 0; i < candidates.at[n].n; i++)
        tp_node_formulas_add(&guarded, &x->g.blocks, n, candidates.at[n].at[i]);
    prove(x, &guarded);
  }
  tp_node_formulas_clear(&guarded);
  tp_node_formulas_clear(&candidates);
  return is_done;
}

// ---------------------------------------------------------------------- unknown

static void conclude_unknown(run *x) {
  TP_REQUIRE(x->g.out->verdict == TP_VERDICT_UNKNOWN);
  tp_arena *a = &x->g.out->arena;
  const char *hint =
      "try a larger --timelimit, another --engine that finds invariants (octagon, cegar), or "
      "--engine=bmc to look for a failing run";
  tp_graph_proof g = tp_graph_run_proof(&x->g, x->learner.known);
  const char *unmodelled = tp_graph_proof_unmodelled_position(&g, a), *reason;
  if (x->g.blocks.gap)
    reason = x->g.blocks.gap;
  else if (x->stuck)
    reason = x->stuck;
  else if (unmodelled)
    reason = tp_arena_printf(
        a, "what happens at %s is not modelled, and it could not be shown that no run comes there",
        unmodelled);
  else if (!x->induction.from)
    reason = "the limit came first: nothing was proved yet";
  else
    reason = tp_arena_printf(a,
                             "the invariants that were found do not exclude an error; induction "
                             "over up to %u block%s failed from the loop at %s",
                             x->tried, x->tried == 1 ? "" : "s",
                             tp_graph_proof_position(&g, x->induction.from, a));
  tp_result_give_up(x->g.out, reason, hint);
  tp_graph_proof_strengthen(&g, x->g.out);
}

// -------------------------------------------------------------------------- run

/* Blocks end where something is claimed, too. */
static void build_graph(run *x) {
  if (!has_claims(x)) {
    tp_graph_run_build(&x->g, TP_BLOCKS_TO_LOOPS);
    return;
  }
  bool *ends_at = TP_NEW_ARRAY(bool, x->g.p->locs.n);
  tp_claims_mark(x->g.task->candidates, ends_at);
  tp_graph_run_build_at(&x->g, ends_at);
  tp_free(ends_at);
}

static void judge_claims(run *x) {
  tp_smt_options o = tp_graph_run_smt(&x->g);
  o.rlimit = TP_PROOF_KINDUCTION_CLAIM_RLIMIT;
  tp_claims_judge(&x->learner, x->g.task->candidates, o, x->g.out);
}

static void search(run *x) {
  const tp_blocks *b = &x->g.blocks;
  build_graph(x);
  tp_learner_init(&x->learner, b, x->g.imported_at, x->g.stats);
  tp_node_formulas_init(&x->variables, b);
  tp_templates_variables(b, &x->variables);
  tp_induction_init(&x->induction, b, x->learner.known, tp_graph_run_smt(&x->g));
  const bool is_done = b->gap || try_k(x, 0) || try_claims(x) || try_candidates(x);
  x->g.effort.rlimit = TP_PROOF_KINDUCTION_LAST_RLIMIT;  // more candidates will not come
  if (!is_done) (void)try_ks(x, ks[N_KS - 1]);
  if (has_claims(x) && !b->gap) judge_claims(x);
  if (x->g.out->verdict == TP_VERDICT_UNKNOWN) conclude_unknown(x);
  tp_induction_clear(&x->induction);
  tp_node_formulas_clear(&x->variables);
  tp_learner_clear(&x->learner);
}

static void run_kinduction(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                           tp_result *out) {
  run x = {0};
  tp_graph_run_init(&x.g, task, budget, stats, out, NULL);
  // own circuits first: sums of counters under conditions take them a moment, and Z3 seconds
  x.g.effort = (tp_query_effort){.backend = "mixed",
                                 .rlimit = TP_PROOF_KINDUCTION_RLIMIT,
                                 .share = TP_PROOF_KINDUCTION_QUERY_SHARE};
  if (!tp_graph_run_import_intervals(&x.g, TP_PROOF_KINDUCTION_INTERVALS_SHARE)) search(&x);
  tp_graph_run_clear(&x.g);
}

const tp_engine tp_engine_kinduction = {
    .name = "kinduction",
    .help =
        "k-induction with invariants from runs, bounds and templates; proves loops that need "
        "relations between variables",
    .run = run_kinduction,
};

/* Horn clauses: the whole block graph at once.
 *
 *   intervals   an abstract interpretation first, as in k-induction: with bounds, wraps need not be
 *               encoded.
 *   clauses     proof/horn_system.h. The solver generalises from the whole program, so it finds
 *               what runs do not suggest: cases, phases. Integers without wraps first: relations
 *               between numbers are short there, and found at once or never. They are guesses; what
 *               is proved of them is known to integers with exact wraps, which follow. Bit-vectors
 *               last.
 *   proof       an answer is a list of candidates: those that are inductive together, in
 *               bit-vectors, are invariants (blocks/houdini.h); whether they exclude the errors is
 *               asked by themselves and over one block (blocks/induction.h).
 *
 * "Reachable" is the answer of an over-approximation: bounded model checking looks there for a
 * failing run. */
#include "blocks/graph_run.h"
#include "proof/horn_system.h"
#include "proof/proof_engines.h"
#include "proof/proof_limits.h"

typedef struct {
  tp_horn_encoding encoding;
  tp_horn_abstraction how;
  uint64_t rlimit;
  double share;
  bool is_repeated;  // only if inputs stand for terms, or something was proved since the last
                     // attempt with exact wraps began
} attempt;

/* What is found is mostly found soon: all get a little before any gets much. */
static const attempt attempts[] = {
    {TP_HORN_INTS_PLAIN, TP_HORN_LINEAR, TP_PROOF_HORN_FIRST_RLIMIT, 0.2, false},
    {TP_HORN_INTS, TP_HORN_AS_IT_IS, TP_PROOF_HORN_FIRST_RLIMIT, 0.2, false},
    {TP_HORN_INTS, TP_HORN_LINEAR, TP_PROOF_HORN_FIRST_RLIMIT, 0.2, true},
    {TP_HORN_BITS, TP_HORN_AS_IT_IS, TP_PROOF_HORN_FIRST_RLIMIT, 0.3, false},
    {TP_HORN_INTS, TP_HORN_LINEAR, TP_PROOF_HORN_LATER_RLIMIT, 0.3, true},
    {TP_HORN_BITS, TP_HORN_AS_IT_IS, TP_PROOF_HORN_LATER_RLIMIT, 0.5, false},
    {TP_HORN_INTS, TP_HORN_AS_IT_IS, TP_PROOF_HORN_LATER_RLIMIT, 0.5, false},
    {TP_HORN_INTS_PLAIN, TP_HORN_LINEAR, TP_PROOF_HORN_LATER_RLIMIT, 0.7, false}};
enum { N_ATTEMPTS = sizeof attempts / sizeof *attempts };

typedef struct {
  tp_graph_run g;
  tp_term *known;  // by node: what was imported, and all that was proved
  tp_node_formulas candidates, proved;
  tp_horn_system system;
  tp_induction induction;
  const char *stuck;   // why no attempt can succeed; NULL: one may
  const char *reason;  // of the last attempt
  size_t n_proved;     // when the last exact attempt over integers began
} run;

// ------------------------------------------------------------------------ proof

/* What is inductive of the candidates of all attempts: what one found may be needed to show that
 * what another found is. */
static void prove(run *x) {
  const tp_blocks *b = &x->g.blocks;
  tp_node_formulas found;
  tp_node_formulas_init(&found, b);
  tp_graph_run_report_phase(&x->g, "prove candidates");
  (void)tp_houdini(b, x->g.imported_at, NULL, &x->candidates,
                   tp_graph_run_houdini(&x->g, TP_PROOF_HORN_HOUDINI_SHARE), &found);
  for (uint32_t n = 0; n < b->nodes.n; n++)
    for (size_t i = 0; i < found.at[n].n; i++) {
      size_t before = x->proved.at[n].n;
      tp_node_formulas_add(&x->proved, b, n, found.at[n].at[i]);
      if (x->proved.at[n].n == before) continue;
      x->known[n] = tp_mk_and(x->g.tt, x->known[n], found.at[n].at[i]);
      x->g.stats->predicates++;
    }
  tp_node_formulas_clear(&found);
}

/* Does no path of up to k blocks lead to an error? Else `stuck` says why, or the verdict is
 * decided. */
static bool prove_base(run *x, uint32_t k) {
  const tp_base_case base = tp_graph_run_prove_base(&x->g, &x->induction, k, TP_PROOF_HORN_FALSIFY,
                                                    TP_PROOF_HORN_FALSIFY_SHARE);
  if (base == TP_BASE_PATH || base == TP_BASE_UNKNOWN)
    x->stuck = "the path formulas of the first blocks do not exclude an error";
  return base == TP_BASE_HOLDS;
}

/* True: nothing is left to do. */
static bool try_induction(run *x) {
  tp_graph_run_report_phase(&x->g, "induction");
  for (uint32_t k = 0; k <= TP_PROOF_HORN_BLOCKS && !tp_graph_run_is_over(&x->g); k++) {
    if (!prove_base(x, k)) return true;
    x->induction.options = tp_graph_run_smt(&x->g);
    if (tp_induction_step(&x->induction, k) != TP_SMT_UNSAT) continue;
    const tp_graph_proof proof = tp_graph_run_proof(&x->g, x->known);
    tp_graph_proof_conclude_true(&proof, k, x->g.out);
    if (x->g.out->verdict == TP_VERDICT_UNKNOWN) x->reason = x->g.out->reason;
    return true;
  }
  return tp_graph_run_is_over(&x->g);
}

// -------------------------------------------------------------------- attempts

static size_t n_formulas(const tp_node_formulas *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_nodes; i++) n += f->at[i].n;
  return n;
}

/* True: nothing is left to do. */
static bool try_once(run *x, const attempt *a) {
  TP_REQUIRE(!x->system.refused && a->share > 0);
  tp_horn_options o = {
      .encoding = a->encoding, .rlimit = a->rlimit, .cpu_s = tp_graph_run_share_s(&x->g, a->share)};
  size_t before = n_formulas(&x->candidates);
  x->g.stats->iterations++;
  tp_graph_run_report_phase(&x->g, "horn clauses");
  if (a->encoding == TP_HORN_INTS) x->n_proved = n_formulas(&x->proved);
  tp_horn_outcome r = tp_horn_system_solve(&x->system, x->known, o, a->how, &x->candidates);
  if (r.answer == TP_HORN_UNKNOWN)
    x->reason =
        tp_arena_printf(&x->g.out->arena, "the solver of Horn clauses gave up: %s", r.reason);
  if (r.answer == TP_HORN_UNREACHABLE)
    x->reason = "what the solver of Horn clauses found could not be proved";
  if (r.answer == TP_HORN_REACHABLE) {
    x->reason = "Horn clauses over the blocks of the program do not exclude an error";
    if (r.is_exact) {
      (void)tp_graph_run_falsify(&x->g, TP_PROOF_HORN_FALSIFY, TP_PROOF_HORN_FALSIFY_SHARE);
      x->stuck = x->reason;
      return true;
    }
  }
  if (n_formulas(&x->candidates) == before) return false;
  prove(x);
  return try_induction(x);
}

static void try_all(run *x) {
  x->reason = "nothing was found";
  for (size_t i = 0; i < N_ATTEMPTS && !tp_graph_run_is_over(&x->g); i++) {
    bool is_new = x->system.has_holes || n_formulas(&x->proved) > x->n_proved;
    if (attempts[i].is_repeated && !is_new) continue;
    if (try_once(x, &attempts[i])) return;
  }
}

static void conclude_unknown(run *x) {
  TP_REQUIRE(x->g.out->verdict == TP_VERDICT_UNKNOWN);
  const tp_graph_proof proof = tp_graph_run_proof(&x->g, x->known);
  const char *reason = x->stuck    ? x->stuck
                       : x->reason ? x->reason
                                   : "the limit came first: nothing was proved yet";
  tp_result_give_up(x->g.out, reason,
                    "try a larger --timelimit, another --engine (kinduction, cegar), or "
                    "--engine=bmc to look for a failing run");
  tp_graph_proof_strengthen(&proof, x->g.out);
}

static void search(run *x) {
  const tp_blocks *b = &x->g.blocks;
  tp_graph_run_build(&x->g, TP_BLOCKS_TO_LOOPS);
  x->known = TP_NEW_ARRAY(tp_term, b->nodes.n);
  memcpy(x->known, x->g.imported_at, b->nodes.n * sizeof *x->known);
  tp_node_formulas_init(&x->candidates, b);
  tp_node_formulas_init(&x->proved, b);
  tp_induction_init(&x->induction, b, x->known, tp_graph_run_smt(&x->g));
  if (b->gap) {
    x->stuck = b->gap;
  } else if (!try_induction(x)) {
    tp_horn_system_init(&x->system, b, x->known);
    x->stuck = x->system.refused;
    if (!x->stuck) try_all(x);
    tp_horn_system_clear(&x->system);
  }
  if (x->g.out->verdict == TP_VERDICT_UNKNOWN) conclude_unknown(x);
  tp_induction_clear(&x->induction);
  tp_node_formulas_clear(&x->candidates);
  tp_node_formulas_clear(&x->proved);
  tp_free(x->known);
}

static void run_horn(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                     tp_result *out) {
  run x = {0};
  tp_graph_run_init(&x.g, task, budget, stats, out, NULL);
  x.g.effort =
      (tp_query_effort){.rlimit = TP_PROOF_HORN_RLIMIT, .share = TP_PROOF_HORN_QUERY_SHARE};
  if (!tp_graph_run_import_intervals(&x.g, TP_PROOF_HORN_INTERVALS_SHARE)) search(&x);
  tp_graph_run_clear(&x.g);
}

const tp_engine tp_engine_horn = {
    .name = "horn",
    .help =
        "invariants from Horn clauses over the whole program; proves loops that go through phases "
        "and cases",
    .run = run_horn,
};

/* Horn clauses: the whole block graph at once.
 *
 *   bounds      an abstract interpretation (intervals) first, as in k-induction: bounds let wraps
 *               be dropped.
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
#include "engine/engine.h"
#include "blocks/import_nodes.h"
#include "blocks/graph_proof.h"
#include "proof/horn_system.h"
#include "blocks/induction.h"
#include "proof/proof_engines.h"

enum {
  MOST_EDGES = 400000,
  QUESTION_RLIMIT = 30000000,
  HUNT_TURNS = 12,
  MOST_BLOCKS = 1,
  SOON = 1500000,
  LATE = 40000000
};

/* Parts of the time that is left. */
static const double bounds_share = 0.25, houdini_share = 0.4, question_share = 0.3,
                    hunt_share = 0.3;

typedef struct {
  tp_horn_encoding encoding;
  tp_horn_abstraction how;
  uint64_t rlimit;
  double share;
  bool is_again;  // only if inputs take the place of terms, or something was proved since the last
                  // attempt with exact wraps began
} attempt;

/* What is found is mostly found soon: all get a little before any gets much. */
static const attempt attempts[] = {{TP_HORN_INTS_PLAIN, TP_HORN_LINEAR, SOON, 0.2, false},
                                   {TP_HORN_INTS, TP_HORN_AS_IT_IS, SOON, 0.2, false},
                                   {TP_HORN_INTS, TP_HORN_LINEAR, SOON, 0.2, true},
                                   {TP_HORN_BITS, TP_HORN_AS_IT_IS, SOON, 0.3, false},
                                   {TP_HORN_INTS, TP_HORN_LINEAR, LATE, 0.3, true},
                                   {TP_HORN_BITS, TP_HORN_AS_IT_IS, LATE, 0.5, false},
                                   {TP_HORN_INTS, TP_HORN_AS_IT_IS, LATE, 0.5, false},
                                   {TP_HORN_INTS_PLAIN, TP_HORN_LINEAR, LATE, 0.7, false}};
enum { N_ATTEMPTS = sizeof attempts / sizeof *attempts };

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
  tp_imported facts;       // of the abstract interpretation
  tp_term *given, *known;  // by node: what that proved, and all that was proved
  tp_node_formulas candidates, proved;
  tp_horn_system system;
  tp_induction induction;
  uint32_t n_base;   // no way of fewer blocks leads to an error
  uint32_t bounded;  // within so many turns of each loop no run fails, says bmc
  bool has_hunted, is_settled;
  const char *stuck;   // why no attempt can succeed; NULL: one may
  const char *reason;  // of the last attempt
  size_t n_proved;     // when the last exact attempt over integers began
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

static double net_s(const run *x, double share) {
  return tp_engine_share_s(x->budget, x->start_s, share);
}

static tp_smt_options question_options(run *x) {
  uint64_t rlimit = x->budget->solver_rlimit ? x->budget->solver_rlimit : QUESTION_RLIMIT;
  return (tp_smt_options){.backend = x->task->solver,
                          .rlimit = rlimit,
                          .cpu_s = net_s(x, question_share),
                          .stats = x->stats};
}

// ----------------------------------------------------------------------- start

/* True: that settled it. */
static bool prove_bounds(run *x) {
  return tp_import_intervals(x->task, part_of(x, bounds_share), x->stats, &x->contexts, x->out,
                             &x->facts);
}

static void build_graph(run *x) {
  tp_blocks_build(&x->blocks, &x->paths, &x->contexts, x->task->property, TP_BLOCKS_TO_LOOPS,
                  MOST_EDGES);
  x->given = TP_NEW_ARRAY(tp_term, x->blocks.nodes.n);
  x->known = TP_NEW_ARRAY(tp_term, x->blocks.nodes.n);
  tp_import_at_nodes(&x->facts, &x->blocks, x->given);
  memcpy(x->known, x->given, x->blocks.nodes.n * sizeof *x->known);
  x->stats->reached_states = x->blocks.nodes.n;
  tp_node_formulas_init(&x->candidates, &x->blocks);
  tp_node_formulas_init(&x->proved, &x->blocks);
  tp_induction_init(&x->induction, &x->blocks, x->known, question_options(x));
}

// ------------------------------------------------------------------------ proof

/* What is inductive of the candidates of all attempts: what one found may keep what another did. */
static void prove(run *x) {
  tp_node_formulas found;
  tp_houdini_options o = {.backend = x->task->solver,
                          .stats = x->stats,
                          .rlimit = x->budget->solver_rlimit,
                          .should_stop = should_stop,
                          .ctx = x};
  if (x->budget->cpu_s > 0) o.until_s = tp_cpu_s() + houdini_share * left_s(x);
  tp_node_formulas_init(&found, &x->blocks);
  say_phase(x, "prove candidates");
  (void)tp_houdini(&x->blocks, x->given, NULL, &x->candidates, o, &found);
  for (uint32_t n = 0; n < x->blocks.nodes.n; n++)
    for (size_t i = 0; i < found.at[n].n; i++) {
      size_t before = x->proved.at[n].n;
      tp_node_formulas_add(&x->proved, &x->blocks, n, found.at[n].at[i]);
      if (x->proved.at[n].n == before) continue;
      x->known[n] = tp_mk_and(x->tt, x->known[n], found.at[n].at[i]);
      x->stats->predicates++;
    }
  tp_node_formulas_clear(&found);
}

/* True: a failing run was found, or there is none at all. */
static bool hunt(run *x) {
  tp_budget budget = part_of(x, hunt_share);
  if (x->has_hunted) return false;
  say_phase(x, "hunt");
  x->has_hunted = true;
  x->is_settled = tp_falsify(x->task, &budget, HUNT_TURNS, x->stats, x->out, &x->bounded);
  return x->is_settled;
}

/* Does no way of up to k blocks lead to an error? */
static bool prove_base(run *x, uint32_t k) {
  for (; x->n_base <= k; x->n_base++) {
    x->induction.options = question_options(x);
    if (tp_induction_base(&x->induction, x->n_base) == TP_SMT_UNSAT) continue;
    if (hunt(x)) return false;
    if (tp_induction_base_is_excused(&x->induction, x->bounded)) continue;
    x->stuck = "the path formulas of the first blocks do not exclude an error";
    return false;
  }
  return true;
}

/* True: there is nothing left to do. */
static bool try_induction(run *x) {
  say_phase(x, "induction");
  for (uint32_t k = 0; k <= MOST_BLOCKS && !should_stop(x); k++) {
    if (!prove_base(x, k)) return true;
    x->induction.options = question_options(x);
    if (tp_induction_step(&x->induction, k) != TP_SMT_UNSAT) continue;
    tp_graph_proof_conclude_true(&(tp_graph_proof){x->task, &x->blocks, x->known}, k, x->out);
    x->is_settled = x->out->verdict == TP_VERDICT_TRUE;
    return true;
  }
  return should_stop(x);
}

// -------------------------------------------------------------------- attempts

static size_t n_formulas(const tp_node_formulas *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_nodes; i++) n += f->at[i].n;
  return n;
}

/* True: there is nothing left to do. */
static bool try_once(run *x, const attempt *a) {
  tp_horn_options o = {.encoding = a->encoding, .rlimit = a->rlimit, .cpu_s = net_s(x, a->share)};
  size_t before = n_formulas(&x->candidates);
  x->stats->iterations++;
  say_phase(x, "horn clauses");
  if (a->encoding == TP_HORN_INTS) x->n_proved = n_formulas(&x->proved);
  tp_horn_outcome r = tp_horn_system_solve(&x->system, x->known, o, a->how, &x->candidates);
  if (r.answer == TP_HORN_UNKNOWN)
    x->reason = tp_arena_printf(&x->out->arena, "the solver of Horn clauses gave up: %s", r.reason);
  if (r.answer == TP_HORN_UNREACHABLE)
    x->reason = "what the solver of Horn clauses found could not be proved";
  if (r.answer == TP_HORN_REACHABLE) {
    x->reason = "Horn clauses over the blocks of the program do not exclude an error";
    if (r.is_exact) {
      (void)hunt(x);
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
  for (size_t i = 0; i < N_ATTEMPTS && !should_stop(x); i++) {
    bool is_new = x->system.has_holes || n_formulas(&x->proved) > x->n_proved;
    if (attempts[i].is_again && !is_new) continue;
    if (try_once(x, &attempts[i])) return;
  }
}

static void search(run *x) {
  build_graph(x);
  if (x->blocks.gap) {
    x->stuck = x->blocks.gap;
  } else if (!try_induction(x)) {
    tp_horn_system_init(&x->system, &x->blocks, x->known);
    x->stuck = x->system.refused;
    if (!x->stuck) try_all(x);
    tp_horn_system_clear(&x->system);
  }
  if (!x->is_settled) {
    tp_graph_proof g = {x->task, &x->blocks, x->known};
    const char *reason = x->stuck    ? x->stuck
                         : x->reason ? x->reason
                                     : "the limit came first: nothing was proved yet";
    tp_result_give_up(x->out, reason,
                      "try a larger --timelimit, another --engine (kinduction, cegar), or "
                      "--engine=bmc to look for a failing run");
    tp_graph_proof_strengthen_facts(&g, x->out);
  }
  tp_induction_clear(&x->induction);
  tp_node_formulas_clear(&x->candidates);
  tp_node_formulas_clear(&x->proved);
  tp_blocks_clear(&x->blocks);
  tp_free(x->given);
  tp_free(x->known);
}

static void run_horn(const tp_task *task, const tp_budget *budget, tp_stats *stats,
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

const tp_engine tp_engine_horn = {
    .name = "horn",
    .help =
        "invariants from Horn clauses over the whole program; proves loops that go through phases "
        "and cases",
    .run = run_horn,
};

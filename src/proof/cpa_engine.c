/* Configurable program analysis: a composition is run to its fixpoint, and the reached set is the
 * proof. The engines cpa and cegar.
 *
 *   explore       the interprocedural loop (cpa/recursion.h) runs until nothing waits or a limit
 *                 ends it. Error locations do not stop it: what holds at all other locations is
 *                 worth knowing even where the property is not proved.
 *   feasibility   the path to an error that was reached is tried at once: if some run takes it, the
 *                 answer is FALSE (engine/feasibility.h). cegar refines the analyses instead of
 *                 leaving the error where it is (proof/cegar.h). Where errors are reached, analyses
 *                 that widen may ask for descending steps (cpa/descend.h).
 *   verdict       nothing waits, no error location and no unsupported one was reached, nothing
 *                 passes an operation that the model leaves open: TRUE. The certificate is the
 *                 reached set, written as formulas; whoever checks it does not run the analysis.
 *   invariants    nothing waits, but there is no TRUE: the same formulas, without a claim about
 *                 errors, for other engines.
 *
 * The reached set covers all runs only if nothing waits: at a limit there are neither proofs nor
 * invariants. */
#include "cpa/composition.h"
#include "cpa/descend.h"
#include "cpa/predicate/predicate_cpa.h"
#include "cpa/recursion.h"
#include "proof/cegar.h"
#include "proof/configurations.h"
#include "blocks/reached_proof.h"
#include "engine/engine.h"
#include "engine/import.h"
#include "proof/proof_limits.h"
#include "proof/failed_path.h"
#include "proof/reached_pictures.h"
#include "proof/precision.h"
#include "engine/feasibility.h"
#include "proof/proof_engines.h"

typedef struct {
  const tp_task *task;
  const tp_program *p;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  tp_composition *c;
  tp_recursion *r;
  tp_reached *reached;
  double start_s, reported_s;  // of the engine, of the last progress
  tp_cegar *cegar;             // NULL: nothing is refined
  uint32_t n_paths;            // that were tried
  double paths_s;              // and what they took
} run;

// ---------------------------------------------------------------------- limits

static bool should_stop(void *ctx) {
  run *x = ctx;
  double now = tp_cpu_s();
  if (x->budget->progress && now - x->reported_s > 0.2) {
    x->reported_s = now;
    x->stats->reached_states = tp_reached_n(x->reached);
    x->budget->progress(x->budget->ctx, x->stats, "explore");
  }
  if (x->budget->cpu_s > 0 && now - x->start_s >= x->budget->cpu_s) return true;
  return x->budget->should_stop && x->budget->should_stop(x->budget->ctx);
}

// --------------------------------------------------------------------- reasons

static void give_up(run *x, const char *reason, const char *hint) {
  tp_result_give_up(x->out, reason, hint);
}

static void give_up_unfinished(run *x, tp_cpa_result end) {
  size_t n = tp_reached_n(x->reached), waiting = tp_reached_waiting(x->reached);
  const char *why = end.end == TP_CPA_INTERRUPTED ? "an analysis gave up" : "the limit came first";
  tp_result_give_up_at(
      x->out, (tp_obstacle){.kind = TP_OBSTACLE_LIMIT},
      tp_arena_printf(&x->out->arena, "%s: explored %zu abstract states, %zu are waiting", why,
                      n - waiting, waiting),
      "try a larger --timelimit, or a coarser --config");
}

// -------------------------------------------------------------- what was reached

static tp_reached_proof proof_of(const run *x) {
  return (tp_reached_proof){x->task, x->c, x->r, x->out};
}

static void find_costliest(run *x) {
  uint64_t *n_steps = TP_NEW_ARRAY(uint64_t, x->p->edges.n);
  size_t n_covers;
  const tp_cover *covers = tp_reached_covers(x->reached, &n_covers);
  for (size_t i = 0; i < n_covers; i++) n_steps[covers[i].step.edge.id]++;
  for (uint32_t i = 1; i <= tp_reached_n(x->reached); i++) {
    const tp_node *n = tp_reached_node(x->reached, i);
    if (n->parent) n_steps[n->step.edge.id]++;
  }
  for (uint32_t e = 1; e < x->p->edges.n; e++) {
    if (n_steps[e] <= x->out->costliest_steps) continue;
    x->out->costliest = (tp_edge){e};
    x->out->costliest_steps = n_steps[e];
  }
  tp_free(n_steps);
}

// -------------------------------------------------------------------- evidence

// ------------------------------------------------------------------ feasibility

static bool is_new_error(void *ctx, const tp_reached *r, uint32_t node) {
  run *x = ctx;
  if (x->cegar) return tp_cegar_is_new(x->cegar, r, node);
  bool is_error =
      tp_property_covers(x->task->property, tp_loc_of(x->p, tp_reached_node(r, node)->loc)->error);
  return is_error && x->n_paths < TP_PROOF_CPA_PATHS &&
         (x->budget->cpu_s <= 0 || x->paths_s < TP_PROOF_CPA_PATHS_SHARE * x->budget->cpu_s);
}

/* Is the path to this error a run? Then that is the answer. */
static bool is_real(run *x, uint32_t node) {
  TP_REQUIRE(node > 0 && node <= tp_reached_n(x->reached));
  tp_reached_paths paths = {0};
  double start_s = tp_cpu_s(),
         left_s =
             x->budget->cpu_s > 0 ? TP_PROOF_CPA_PATHS_SHARE * x->budget->cpu_s - x->paths_s : 0;
  tp_reached_paths_first(x->reached, node, &paths);
  x->n_paths++;
  bool fails = tp_feasibility_check(x->task, &paths, left_s, x->stats, &x->out->inputs,
                                    &x->out->violated) == TP_FEASIBILITY_FAILS;
  tp_reached_paths_clear(&paths);
  x->paths_s += tp_cpu_s() - start_s;
  return fails;
}

/* Fails, or the search goes on: without the path, or with the error where it is. */
static bool is_refuted(run *x, uint32_t node) {
  return tp_cegar_refine(x->cegar, node, tp_engine_share_s(x->budget, x->start_s, 1),
                         &x->out->inputs, &x->out->violated) == TP_CEGAR_FAILS;
}

/* The error to look at after this end of the exploration; 0: none. */
static uint32_t next_error(run *x, tp_cpa_result end) {
  if (end.end == TP_CPA_STOPPED) return 0;
  if (x->cegar) return tp_cegar_next(x->cegar);
  bool is_error =
      end.end == TP_CPA_INTERRUPTED && end.node &&
      tp_property_covers(x->task->property,
                         tp_loc_of(x->p, tp_reached_node(x->reached, end.node)->loc)->error);
  return is_error ? end.node : 0;
}

/* An analysis interrupted the run, and others take over. */
static bool is_abstracted(run *x, tp_cpa_result end) {
  return end.end == TP_CPA_INTERRUPTED && x->cegar && tp_cegar_abstract(x->cegar);
}

/* To the end, or to an error that is real. */
static tp_cpa_result search(run *x) {
  tp_cpa_limits limits = {
      .steps = x->budget->steps, .should_stop = should_stop, .interrupt = is_new_error, .ctx = x};
  tp_cpa_result end = tp_recursion_run(x->r, limits);
  for (uint32_t error; (error = next_error(x, end)) != 0 || is_abstracted(x, end);) {
    if (error != 0 && (x->cegar ? is_refuted(x, error) : is_real(x, error))) {
      x->out->verdict = TP_VERDICT_FALSE;
      return end;
    }
    if (limits.steps && end.steps >= limits.steps)
      return (tp_cpa_result){TP_CPA_STOPPED, 0, end.steps};
    limits.steps -= limits.steps ? end.steps : 0;
    end = tp_recursion_run(x->r, limits);
  }
  return end;
}

/* Where values are handed over, predicates come while the exploration runs: an error may
 * have been reached before them. */
static size_t n_predicates(const run *x) {
  const tp_cpa *predicate = tp_predicate_find(x->c->cpa);
  return predicate ? tp_predicate_n(predicate) : 0;
}

/* To the end; again from the start, with the predicates that came too late, if errors were reached.
 */
static tp_cpa_result search_settled(run *x, bool *is_complete) {
  const tp_reached_proof proof = proof_of(x);
  for (int round = 0;; round++) {
    size_t before = n_predicates(x);
    tp_cpa_result end = search(x);
    *is_complete = end.end == TP_CPA_DONE && tp_reached_waiting(x->reached) == 0;
    if (x->out->verdict == TP_VERDICT_FALSE) return end;
    tp_reached_find_errors(&proof, *is_complete);
    if (!*is_complete || x->cegar || !x->out->unproved.n || n_predicates(x) == before ||
        round == TP_PROOF_CPA_ROUNDS)
      return end;
    x->out->unproved.n = x->out->proved.n = 0;
    tp_predicate_use_everywhere(tp_predicate_find(x->c->cpa));
    tp_recursion_cut(x->r, 0);
  }
}

static void explore(run *x) {
  const tp_reached_proof proof = proof_of(x);
  bool is_complete;
  tp_cpa_result end = search_settled(x, &is_complete);
  if (x->out->verdict == TP_VERDICT_FALSE) return;
  x->stats->reached_states = tp_reached_n(x->reached);
  if (is_complete && x->out->unproved.n &&
      tp_reached_descend(x->reached, tp_cpa_descents(x->c->cpa))) {
    x->out->unproved.n = x->out->proved.n = 0;
    tp_reached_find_errors(&proof, is_complete);
  }
  if (is_complete)
    tp_reached_conclude(&proof);
  else
    give_up_unfinished(x, end);
  if (x->out->verdict == TP_VERDICT_UNKNOWN) find_costliest(x);
}

/* Errors that graphs could not exclude: where they lost what would have excluded the first one. */
static void note_loss(run *x) {
  if (x->out->obstacle.kind != TP_OBSTACLE_ABSTRACTION) return;
  const char *loss = tp_failed_path_loss(x->c->cpa, x->reached, x->task->property, &x->out->arena);
  if (loss) x->out->reason = tp_arena_printf(&x->out->arena, "%s; %s", x->out->reason, loss);
}

static void note_refined(run *x) {
  const char *story = tp_cegar_summary(x->cegar);
  if (story) x->out->reason = tp_arena_printf(&x->out->arena, "%s; %s", x->out->reason, story);
}

typedef enum { EXPLORE, REFINE } mode;

/* With what an earlier run found. The reached set is made after that: initial elements may depend
 * on it. */
static bool start_with_precision(run *x, mode how) {
  tp_precision_read done = {0};
  tp_str why = {0};
  bool ok = !x->task->precision || tp_precision_take(x->c->cpa, x->task->precision, &done, &why);
  if (!ok)
    give_up(x,
            tp_arena_printf(&x->out->arena, "the precision cannot be used: %s", tp_str_text(&why)),
            NULL);
  tp_str_clear(&why);
  if (done.used) tp_recursion_cut(x->r, 0);
  if (ok && how == REFINE)
    x->cegar = tp_cegar_new(x->task, x->c, x->r, x->stats, &x->out->arena,
                            done.used ? TP_CEGAR_REUSED_PRECISION : TP_CEGAR_NO_PRECISION);
  return ok;
}

static void explore_with_precision(run *x) {
  explore(x);
  if (x->out->verdict == TP_VERDICT_UNKNOWN) note_loss(x);
  if (x->cegar && x->out->verdict == TP_VERDICT_UNKNOWN) note_refined(x);
  tp_precision_write(x->c->cpa, &x->out->precision);
  if (x->cegar) tp_str_add(&x->out->precision, tp_cegar_log(x->cegar));
}

static void run_composition(const tp_task *task, const char *text, mode how,
                            const tp_budget *budget, tp_stats *stats, tp_result *out) {
  TP_REQUIRE(text != NULL);
  tp_str why = {0};
  run x = {.task = task,
           .p = task->program,
           .budget = budget,
           .stats = stats,
           .out = out,
           .start_s = tp_cpu_s()};
  x.reported_s = x.start_s;
  if (task->imported) text = tp_import_compose(text, &out->arena);
  x.c = tp_composition_open_with(task->program, task->property, text, task->shape_classes, stats,
                                 &why);
  if (x.c) {
    tp_imported imported = {0};
    tp_import_read(task->imported, task->program, &x.c->contexts, &imported);
    x.c->env.imported = imported.list.at;
    x.c->env.n_imported = imported.list.n;
    x.c->env.solver = task->solver;
    x.c->env.solver_rlimit = budget->solver_rlimit;
    x.c->env.until_s = budget->cpu_s > 0 ? x.start_s + budget->cpu_s : 0;
    x.r = tp_recursion_new(x.c->cpa, x.c->order);
    x.reached = tp_recursion_reached(x.r);
    if (start_with_precision(&x, how)) explore_with_precision(&x);
    if (task->pictures) tp_pictures_draw(x.c->cpa, x.reached, task->property, out);
    tp_cegar_free(x.cegar);
    tp_recursion_free(x.r);
    tp_composition_close(x.c);
    tp_imported_clear(&imported);
  } else {
    give_up(&x,
            tp_arena_printf(&out->arena, "the configuration cannot be used: %s", tp_str_text(&why)),
            NULL);
  }
  tp_str_clear(&why);
}

void tp_engine_run_composition(const tp_task *task, const char *text, const tp_budget *budget,
                               tp_stats *stats, tp_result *out) {
  run_composition(task, text, EXPLORE, budget, stats, out);
}

void tp_engine_refine_composition(const tp_task *task, const char *text, const tp_budget *budget,
                                  tp_stats *stats, tp_result *out) {
  run_composition(task, text, REFINE, budget, stats, out);
}

static void run_cegar(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                      tp_result *out) {
  tp_engine_refine_composition(
      task, task->composition ? task->composition : tp_configuration_text("cegar"), budget, stats,
      out);
}

static void run_cpa(const tp_task *task, const tp_budget *budget, tp_stats *stats, tp_result *out) {
  static const char otherwise[] = "analysis = location callstack interval\n";
  tp_engine_run_composition(task, task->composition ? task->composition : otherwise, budget, stats,
                            out);
}

const tp_engine tp_engine_cpa = {
    .name = "cpa",
    .help = "runs a composition of analyses (--config) to its fixpoint; proves without a bound",
    .run = run_cpa,
};

const tp_engine tp_engine_cegar = {
    .name = "cegar",
    .help =
        "refines a composition of analyses where it reaches errors that no run reaches; proves "
        "without a bound",
    .run = run_cegar,
};

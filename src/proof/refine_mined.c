/* Predicates from concrete runs: what all runs that were seen have in common at a loop head, as far
 * as a prover says that it is an invariant (blocks/mine.h, blocks/houdini.h). They are given to the
 * precision before the first path is asked why it is infeasible; the abstraction finds out by
 * itself that they hold. Of each location the first few are taken, which are the short and strong
 * ones. */
#include "blocks/houdini.h"
#include "proof/proof_limits.h"
#include "proof/refine.h"

#include "cpa/predicate/predicate_cpa.h"
#include "program/liveness.h"

static bool is_wanted(const tp_cpa *cpa) {
  static const char word[] = "mined";
  const char *sources = tp_refine_setting(cpa, "sources", TP_REFINE_SOURCES);
  for (sources += strspn(sources, " "); *sources; sources += strspn(sources, " ")) {
    size_t n = strcspn(sources, " ");
    if (n == sizeof word - 1 && strncmp(sources, word, n) == 0) return true;
    sources += n;
  }
  return false;
}

typedef struct {
  const tp_program *p;
  tp_liveness *liveness;
  tp_loc at;
  bool dies;  // speaks of a local that nobody reads any more
} scope;

static void visit_var(void *ctx, tp_term symbol) {
  scope *s = ctx;
  tp_var v = tp_program_var_of(s->p, symbol);
  bool is_own = v.id && tp_var_of(s->p, v)->func.id == tp_loc_of(s->p, s->at)->func.id;
  s->dies |= is_own && !tp_is_live(s->liveness, s->at, v);
}

static size_t take(tp_cpa *self, const tp_blocks *b, const tp_node_formulas *proved) {
  TP_REQUIRE(proved->n_nodes == b->nodes.n);
  const tp_program *p = self->env->program;
  scope s = {.p = p, .liveness = tp_liveness_new(p)};
  size_t n = 0;
  for (uint32_t node = 0; node < b->nodes.n; node++) {
    s.at = b->nodes.at[node].loc;
    for (size_t i = 0, taken = 0; i < proved->at[node].n && taken < TP_PROOF_MINED_PREDICATES;
         i++) {
      s.dies = false;
      tp_for_vars(p->terms, proved->at[node].at[i], visit_var, &s);
      if (s.dies) continue;
      n += tp_predicate_add(self, s.at, proved->at[node].at[i]);
      taken++;
    }
  }
  tp_liveness_free(s.liveness);
  return n;
}

/* The number of predicates that are new. */
size_t tp_refine_mine(const tp_task *task, tp_cpa *cpa, tp_stats *stats, double cpu_s) {
  TP_REQUIRE(cpu_s >= 0);
  tp_cpa *self = tp_predicate_find(cpa);
  if (!self || !is_wanted(cpa)) return 0;
  size_t n = 0;
  tp_mined_candidates candidates = {0};
  tp_mine(task->program,
          (tp_mine_options){.seed = task->seed,
                            .most = TP_PROOF_MINED_CANDIDATES,
                            .cpu_s = TP_PROOF_MINED_RUNS_SHARE * cpu_s},
          &candidates);
  stats->tests_run += candidates.n_runs;
  if (candidates.list.n && !candidates.n_failed) {
    tp_blocks b;
    tp_node_formulas asked, proved;
    tp_blocks_build(&b, tp_predicate_paths(self), cpa->env->contexts, task->property,
                    TP_BLOCKS_TO_LOOPS, TP_PROOF_MINED_EDGES);
    tp_node_formulas_init(&asked, &b);
    tp_node_formulas_init(&proved, &b);
    tp_node_formulas_add_all(&asked, &b, &candidates);
    tp_houdini_options o = {
        .backend = task->solver,
        .stats = stats,
        .until_s = cpu_s > 0 ? tp_cpu_s() + TP_PROOF_MINED_PROOF_SHARE * cpu_s : 0};
    if (tp_houdini(&b, NULL, NULL, &asked, o, &proved)) n = take(self, &b, &proved);
    tp_node_formulas_clear(&asked);
    tp_node_formulas_clear(&proved);
    tp_blocks_clear(&b);
  }
  tp_mined_candidates_clear(&candidates);
  stats->predicates = tp_predicate_n(self);
  return n;
}

/* Facts about all elements of arrays.
 *
 *   intervals   an abstract interpretation runs first, and imports what it proves.
 *   scalars     bounds, orders, conditions of the program, and which pointers lead into different
 *               objects: what is inductive of them (blocks/houdini.h).
 *   elements    candidates about all elements, from what the program writes and asks
 *               (blocks/elements.h), that no run contradicts (blocks/universals_filter.h); those
 *               that are inductive together with what is known
 *               (blocks/universals.h) are the proof if no block to an error is left.
 *
 * The certificate says them with quantifiers; the checker shows them for an arbitrary index. */
#include "blocks/elements.h"
#include "blocks/elements_mined.h"
#include "blocks/graph_run.h"
#include "blocks/templates.h"
#include "blocks/universals_filter.h"
#include "proof/proof_engines.h"
#include "proof/proof_limits.h"

typedef struct {
  tp_graph_run g;
  tp_term *known;  // by node
  tp_universals universals;
  tp_mined_candidates mined;  // of numbers that elements decide; empty: nothing was mined yet
  const char *reason;
  bool is_failed;  // a run came to an error: there is nothing to prove
} run;

static void learn_scalars(run *x, const tp_node_formulas *variables) {
  const tp_blocks *b = &x->g.blocks;
  tp_node_formulas candidates, found;
  tp_node_formulas_init(&candidates, b);
  tp_node_formulas_init(&found, b);
  tp_graph_run_report_phase(&x->g, "scalars");
  tp_elements_add_pointers(b, &candidates);
  tp_templates_add(b, variables, &candidates);
  (void)tp_houdini(b, x->g.imported_at, NULL, &candidates,
                   tp_graph_run_houdini(&x->g, TP_PROOF_ELEMENTS_SCALARS_SHARE), &found);
  for (uint32_t n = 0; n < b->nodes.n; n++)
    for (size_t i = 0; i < found.at[n].n; i++)
      x->known[n] = tp_mk_and(x->g.tt, x->known[n], found.at[n].at[i]);
  tp_universals_know(&x->universals, x->known);
  tp_node_formulas_clear(&candidates);
  tp_node_formulas_clear(&found);
}

static void add_universals(run *x) {
  for (uint32_t n = 0; n < x->g.blocks.nodes.n; n++)
    for (size_t i = 0; i < x->universals.at[n].list.n; i++)
      if (x->universals.at[n].list.at[i].is_left) {
        x->known[n] = tp_mk_and(x->g.tt, x->known[n], x->universals.at[n].list.at[i].closed);
        x->g.stats->predicates++;
      }
}

static bool shrink(run *x) {
  return tp_universals_shrink(&x->universals, x->known,
                              tp_graph_run_houdini(&x->g, TP_PROOF_ELEMENTS_SHRINK_SHARE));
}

/* Do the facts that are left show each other and exclude the errors? Few are checked sooner than it
 * is found which of them are needed, but for those about blocks that are copied. */
static bool are_proved(run *x) {
  const bool is_much =
      x->g.blocks.paths->blocks.n || tp_universals_n_left(&x->universals) > TP_PROOF_ELEMENTS_FEW;
  if (is_much && shrink(x)) return true;
  const bool are = tp_universals_prove(&x->universals, x->known, tp_graph_run_houdini(&x->g, 1));
  if (are && is_much) (void)shrink(x);
  return are;
}

/* Levels in the order in which they are tried: folds have few candidates of their own, and most
 * that need them need nothing of the later levels. */
static uint32_t level_of(uint32_t stage) {
  static const uint32_t order[TP_ELEMENTS_LEVELS] = {
      TP_ELEMENTS_SEARCHING, 1, 2, TP_ELEMENTS_MINING, TP_ELEMENTS_FOLDING,
      TP_ELEMENTS_SORTING,   4, 5};
  return order[stage % TP_ELEMENTS_LEVELS];
}

/* What runs tell of sums and other numbers. False: there are none, or nothing is told. */
static bool add_mined(run *x) {
  tp_term_list told = {0};
  tp_elements_find_told(&x->g.blocks, &told);
  const bool some = told.n > 0;
  if (some && !x->mined.list.n)
    tp_mine(x->g.blocks.paths->p,
            (tp_mine_options){.cpu_s = tp_graph_run_share_s(&x->g, TP_PROOF_ELEMENTS_RUNS_SHARE)},
            &x->mined);
  if (some) tp_elements_add_mined(&x->universals, &told, &x->mined);
  tp_vec_clear(&told);
  return some;
}

static bool add_candidates(run *x, const tp_node_formulas *variables, uint32_t level) {
  if (level == TP_ELEMENTS_MINING && !add_mined(x)) return false;
  return tp_elements_add(&x->universals, variables, x->known, level);
}

/* What is inductive of the candidates; does it exclude the errors? Once all levels were tried, once
 * more with candidates about ranges that runs hardly come to. */
static bool are_enough(run *x, const tp_node_formulas *variables, uint32_t stage) {
  const tp_houdini_options o = tp_graph_run_houdini(&x->g, 1);
  if (!add_candidates(x, variables, level_of(stage))) return false;
  if (tp_universals_filter(&x->universals, o,
                           tp_graph_run_share_s(&x->g, TP_PROOF_ELEMENTS_RUNS_SHARE),
                           stage >= TP_ELEMENTS_LEVELS)
          .failed) {
    x->reason = "a run fails";
    x->is_failed = true;
    return false;
  }
  tp_universals_trim(&x->universals);
  x->g.stats->iterations++;
  if (!tp_universals_prune(&x->universals, x->known, o)) {
    x->reason = "the limit came before the facts about all elements were proved";
    return false;
  }
  x->reason = "the facts about all elements that were proved do not exclude an error";
  return tp_universals_exclude_errors(&x->universals, x->known, o) && are_proved(x);
}

static void prove_elements(run *x, const tp_node_formulas *variables) {
  tp_graph_run_report_phase(&x->g, "elements");
  const uint32_t last = 2 * TP_ELEMENTS_LEVELS;
  uint32_t stage = 0;
  while (stage < last && !are_enough(x, variables, stage))
    stage = x->is_failed || tp_graph_run_is_over(&x->g) ? last : stage + 1;
  if (stage == last) return;
  add_universals(x);
  tp_graph_proof proof = tp_graph_run_proof(&x->g, x->known);
  proof.folds = &x->universals.folds;
  tp_graph_proof_conclude_true(&proof, 0, x->g.out);
}

static void search(run *x) {
  const tp_blocks *b = &x->g.blocks;
  tp_node_formulas variables;
  tp_graph_run_build(&x->g, TP_BLOCKS_TO_LOOPS);
  tp_node_formulas_init(&variables, b);
  tp_universals_init(&x->universals, b);
  x->known = TP_NEW_ARRAY(tp_term, b->nodes.n);
  memcpy(x->known, x->g.imported_at, b->nodes.n * sizeof *x->known);
  if (b->gap) {
    x->reason = b->gap;
  } else {
    tp_templates_variables(b, &variables);
    if (tp_elements_decide(b, &variables)) {
      learn_scalars(x, &variables);
      prove_elements(x, &variables);
    } else {
      x->reason = "no condition depends on elements of an array";
    }
  }
  if (x->g.out->verdict == TP_VERDICT_UNKNOWN)
    tp_result_give_up(x->g.out, x->reason ? x->reason : x->g.out->reason,
                      "try a larger --timelimit, or --engine=bmc to look for a failing run");
  tp_free(x->known);
  tp_mined_candidates_clear(&x->mined);
  tp_universals_clear(&x->universals);
  tp_node_formulas_clear(&variables);
}

static void run_elements(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                         tp_result *out) {
  run x = {0};
  tp_graph_run_init(&x.g, task, budget, stats, out, NULL);
  x.g.effort = (tp_query_effort){.backend = "mixed",
                                 .rlimit = TP_PROOF_KINDUCTION_RLIMIT,
                                 .share = TP_PROOF_KINDUCTION_QUERY_SHARE};
  if (!tp_graph_run_import_intervals(&x.g, TP_PROOF_ELEMENTS_INTERVALS_SHARE)) search(&x);
  tp_graph_run_clear(&x.g);
}

const tp_engine tp_engine_elements = {
    .name = "elements",
    .help =
        "facts about all elements of arrays, from what the program writes and asks; proves "
        "loops over arrays of any length",
    .run = run_elements,
};

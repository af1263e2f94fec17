/* The frame of engines over block graphs: what every run of one opens, shares out and closes.
 *
 * What       contexts, path formulas, the block graph, invariants that another engine proved,
 * shares of the budget for queries, proofs and other engines, the base case of induction, the
 *            search for a failing run. An engine adds what it proves with.
 * Protocol   _init; _import_intervals where wanted (before _build: the contexts of the invariants
 *            come first); _build or _build_at, once; then the others; _clear, after everything that
 *            borrows from the run. True of _import_intervals or _falsify: the result is decided.
 * Ownership  a run owns contexts (unless the caller lends its own), paths, graph and imported
 *            invariants; it must not be moved after _init. */
#ifndef TP_BLOCKS_GRAPH_RUN_H
#define TP_BLOCKS_GRAPH_RUN_H

#include "blocks/graph_proof.h"
#include "blocks/houdini.h"
#include "blocks/induction.h"
#include "engine/import.h"

/* What one query may cost. */
typedef struct {
  const char *backend;  // where the task names none; NULL: the solver's default
  uint64_t rlimit;      // solver steps, where the budget has no limit of its own
  double share;         // of the time that is left
} tp_query_effort;

typedef struct {
  const tp_task *task;
  const tp_program *p;
  tp_terms *tt;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  double start_s;  // reading of tp_cpu_s()
  tp_contexts own_contexts;
  tp_contexts *contexts;  // own_contexts, or the caller's
  tp_paths paths;
  tp_blocks blocks;      // after _build
  tp_imported imported;  // invariants that another engine proved
  tp_term *imported_at;  // by node: the same, TRUE where nothing is known; after _build
  tp_query_effort effort;
  uint32_t n_base;     // no path of fewer blocks leads from the start to an error
  uint32_t bounded;    // no run fails in which no loop has more iterations, says bounded checking
  bool has_falsified;  // bounded checking was asked for a failing run
} tp_graph_run;

/* contexts: that outlive the run; NULL: its own. */
void tp_graph_run_init(tp_graph_run *x, const tp_task *task, const tp_budget *budget,
                       tp_stats *stats, tp_result *out, tp_contexts *contexts);
void tp_graph_run_clear(tp_graph_run *x);

// ---------------------------------------------------------------------- budget

/* Is a limit of time reached, or the engine asked to stop? For callbacks, too: run is the run. */
bool tp_graph_run_is_over(void *run);
/* A share of the time that is left: as seconds (0: no limit), as a reading of tp_cpu_s() (0: no
 * limit), as the budget of another engine. */
double tp_graph_run_share_s(const tp_graph_run *x, double share);
double tp_graph_run_until_s(const tp_graph_run *x, double share);
tp_budget tp_graph_run_sub_budget(const tp_graph_run *x, double share);
void tp_graph_run_report_phase(const tp_graph_run *x, const char *phase);
/* Options of one query (by the effort), of Houdini, of mining. */
tp_smt_options tp_graph_run_smt(const tp_graph_run *x);
tp_houdini_options tp_graph_run_houdini(tp_graph_run *x, double share);
tp_mine_options tp_graph_run_mine(tp_graph_run *x, double share);

// ----------------------------------------------------------------------- parts

/* Runs intervals for this share of the time and imports what they prove. True: the result is
 * theirs. */
bool tp_graph_run_import_intervals(tp_graph_run *x, double share);
/* The block graph; what is imported by then, at its nodes. */
void tp_graph_run_build(tp_graph_run *x, tp_block_ends ends);
/* The same where blocks end at loop heads and at all locations (by number) of this set. */
void tp_graph_run_build_at(tp_graph_run *x, const bool *ends_at);

/* Bounded checking for a failing run, within so many iterations of each loop; once in a run. True:
 * it decided, and the result is its own. */
bool tp_graph_run_falsify(tp_graph_run *x, uint32_t iterations, double share);

typedef enum {
  TP_BASE_HOLDS,    // no path of up to k blocks leads from the start to an error
  TP_BASE_DECIDED,  // bounded checking decided: the result is set
  TP_BASE_PATH,     // a path formula does lead there, and no failing run was found
  TP_BASE_UNKNOWN   // the solver gave up
} tp_base_case;
/* The base case of induction over k blocks. iterations, share: of bounded checking, which looks for
 * a failing run before the case is given up. */
tp_base_case tp_graph_run_prove_base(tp_graph_run *x, tp_induction *induction, uint32_t k,
                                     uint32_t iterations, double share);

/* Invariants at the nodes as what a proof says; known: by node, borrowed. */
static inline tp_graph_proof tp_graph_run_proof(const tp_graph_run *x, const tp_term *known) {
  return (tp_graph_proof){x->task, &x->blocks, known, NULL};
}

#endif

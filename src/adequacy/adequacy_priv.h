/* Inside of the proof from tests.
 *
 * What       cutpoints.c   where states are abstracted           layout.c     what is known of
 *            addresses
 *            adequacy_segment.c queries about one segment           fabricate.c  from a model to a
 *                          state
 *            cutpoints.c      from the block graph to cutpoints        runs.c       runs that are
 *                          abstracted as they pass
 *            close.c       the loop: ask, fabricate, run         fallback.c   when solver or model
 *                          give out
 *            numeric.c     numbers in place of predicates            narrow.c     their
 * narrowing adequacy_verdict.c certificate, potential errors, directed search classify.c    missed
 * states that runs come to               unreachable.c  and those that none does adequacy.c    one
 * answer from start to end
 * Ownership  everything is the search's own until it ends, but for the report. */
#ifndef TP_ADEQUACY_ADEQUACY_PRIV_H
#define TP_ADEQUACY_ADEQUACY_PRIV_H

#include "adequacy/adequacy.h"
#include "adequacy/fabricate.h"
#include "adequacy/numeric.h"
#include "blocks/graph_run.h"
#include "exec/random_inputs.h"

#define TP_NO_CUTPOINT UINT32_MAX

typedef struct {
  tp_graph_run run;
  const tp_adequacy_question *q;
  tp_adequacy_report *report;
  tp_coverage *c;          // the report's
  tp_term *layout;         // by node
  uint32_t *cutpoint_of;   // by node; TP_NO_CUTPOINT: none
  uint32_t *node_of;       // by cutpoint
  tp_segment *segments;    // by block
  tp_numeric *numeric;     // NULL: predicates
  bool skips_errors;       // not asked about yet
  tp_map context_of_call;  // (context, call, function) -> context
  tp_map node_at;          // (context, location) -> node + 1, nodes with a cutpoint only
  bool *is_cutpoint;       // by location: in some context
  tp_state *start;         // main's entry
  tp_random_inputs draw;   // what runs ask for beyond models and tests
  tp_inputs failing;       // a run of the program that violates the property
  bool has_failing;
  tp_property violated;
  uint64_t patience;  // visits without news before a run is stalled
} tp_adequacy;

// adequacy.c
tp_smt_options tp_adequacy_query_options(const tp_adequacy *x);

// cutpoints.c
void tp_adequacy_find_cutpoints(tp_adequacy *x);
/* The cutpoint where the state stands; TP_NO_CUTPOINT: none. */
uint32_t tp_adequacy_cutpoint_of(const tp_adequacy *x, const tp_state *s);

/* Is the state, at this cutpoint, outside of what is covered? */
bool tp_adequacy_is_new(const tp_adequacy *x, uint32_t cutpoint, const tp_state *s);
/* What is covered at the cutpoint, as a formula. */
tp_term tp_adequacy_formula(const tp_adequacy *x, uint32_t cutpoint);

// runs.c
/* What a run did. */
typedef struct {
  tp_run_result end;
  uint32_t n_news;  // abstract states that it was the first to be in
  uint32_t
      last;  // abstract state at its last visit of a cutpoint; UINT32_MAX: none, or not covered
  uint32_t cutpoint;  // of the last visit
  bool is_violation;  // it ended in an error of the property
  bool is_open;       // it ended where the model does not say what happens
} tp_adequacy_run_end;
/* Runs of the user's tests, abstracted; failing ones are noted. */
void tp_adequacy_run_tests(tp_adequacy *x);
/* Runs of the program with inputs drawn at random, as long as they meet what is new: real tests
 * that cost no question. */
void tp_adequacy_draw_tests(tp_adequacy *x);

/* One segment from s (changed), which stands at cutpoint `from` (TP_NO_CUTPOINT: main's entry),
 * with the model's inputs; `asked` gets what was asked for. The run stops at the next cutpoint, in
 * front of it.
 */
tp_adequacy_run_end tp_adequacy_run_segment(tp_adequacy *x, tp_state *s, uint32_t from,
                                            const tp_segment_model *m, tp_inputs *asked);
/* On from s (changed), abstracted, with inputs drawn at random; they are added to `asked`. */
typedef enum {
  TP_RUN_TRIES,
  TP_RUN_COUNTS
} tp_adequacy_run_how;  // TRIES: only says how much is new
tp_adequacy_run_end tp_adequacy_run_on(tp_adequacy *x, tp_state *s, tp_origin origin,
                                       tp_adequacy_run_how how, const tp_inputs *given,
                                       tp_inputs *asked);
/* A run of the program itself violates the property with these inputs. */
void tp_adequacy_note_failing(tp_adequacy *x, const tp_inputs *inputs, tp_loc error);

// close.c
/* Until nothing is open, or a limit is reached. True: the set is closed. */
bool tp_adequacy_close(tp_adequacy *x);
bool tp_adequacy_is_over(const tp_adequacy *x);
/* Adds an abstract state that no concrete one is known of. */
void tp_adequacy_step(tp_adequacy *x, uint32_t cutpoint, uint64_t values);

// narrow.c
/* Numbers are narrowed where every segment that leads there shows that they may be. */
void tp_adequacy_narrow(tp_adequacy *x);

// fallback.c
/* The question about these sources of the segment was not decided. SAT: another solver has a model.
 * UNSAT: it is settled now, since other solvers say so, or the target covers whatever could not be
 * excluded. UNKNOWN: not even that could be done. */
tp_smt_answer tp_adequacy_ask_otherwise(tp_adequacy *x, uint32_t block, const uint64_t *sources,
                                        size_t n);
void tp_adequacy_weakest(tp_adequacy *x, tp_fallback f);

// classify.c, unreachable.c
/* Of each missed abstract state of the closed set: does a run come there? */
void tp_adequacy_classify(tp_adequacy *x);
/* Those that are neither REAL nor `excused` (by index) are NEVER where induction over k blocks
 * shows that; for up to k blocks from the start that was asked before. */
void tp_adequacy_find_unreachable(tp_adequacy *x, uint32_t k, const bool *excused);

// adequacy_verdict.c
/* By node what holds there, if the set is closed; to be freed. */
tp_term *tp_adequacy_known_at_nodes(const tp_adequacy *x);
void tp_adequacy_add_potential(tp_adequacy *x, tp_potential_error e);
void tp_adequacy_conclude(tp_adequacy *x, bool is_closed);

#endif

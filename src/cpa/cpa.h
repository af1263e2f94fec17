/* Configurable program analysis: the operators that an analysis is made of.
 *
 * What       one table of functions serves CPA, CPA+ and interruptible CPA+; elements, precisions,
 *            steps, what an analysis may ask of its neighbours in a composite, and the services it
 *            gets.
 * Represents an element stands for a set of concrete states (its concretisation); `formula` writes
 *            that set down as a term over program variables and memory cells (program/cells.h). The
 *            formula is what certificates carry and what the law tests evaluate, so it decides what
 *            an element means.
 * Laws       (a) top means every state, an element that means none is not produced (transfer
 *            returns nothing instead of a bottom); (b) leq(a, b) implies that a's states are among
 *            b's; (c) join(a, b) is above both; (d) the successors of e along a step cover the
 *            concrete successors, at every precision; (e) b leq merge(a, b); (f) stop only if the
 *            candidates together cover e; (g) adjust only weakens, by leq (but see `trades`).
 *            test/laws runs them on every row of the table of analyses.
 * Ownership  elements and precisions are immutable and live as long as the analysis (tp_cpa) that
 *            made them.
 * Source     Theoduloz 2010, sec. 3.2, 4.3, 5.4.1; we differ: steps include calls and returns,
 *            merge and stop see only candidates with equal merge keys, an adjusted element replaces
 *            the old one in the reached set (sound by (g)). */
#ifndef TP_CPA_CPA_H
#define TP_CPA_CPA_H

#include "cpa/context.h"
#include "cpa/explicit.h"
#include "diag/stats.h"
#include "program/cells.h"
#include "program/program.h"

typedef struct tp_elem tp_elem;  // of one analysis; its own file knows the body
typedef struct tp_prec tp_prec;  // NULL: the single precision
typedef struct tp_cpa tp_cpa;

// ----------------------------------------------------------------------- steps

/* How a run goes on. Steps are made by cpa/steps.c from the place that an element tells:
 * EDGE     any edge but CALL
 * CALL     from the caller's location to the callee's entry: parameters := arguments, other locals
 *          indeterminate
 * RETURN   from the callee's exit to the location behind the call: edge.var := the callee's result
 * SUMMARY  a whole call at once, by the summary that the interprocedural loop holds
 *          (cpa/recursion.h) */
typedef enum { TP_STEP_EDGE, TP_STEP_CALL, TP_STEP_RETURN, TP_STEP_SUMMARY } tp_step_kind;
typedef struct {
  tp_step_kind kind;
  tp_edge edge;    // CALL, RETURN, SUMMARY: the call edge
  tp_func callee;  // the same; a call through a pointer has one step per candidate
  tp_loc from, to;
  tp_context root;  // SUMMARY: the root context in which the callee is analysed, NONE: none
  tp_term
      also;  // EDGE, ASSUME: holds then, too: the condition over callers' variables; NONE: nothing
} tp_step;

/* Successors go here. An element may have none (the step is impossible), one, or several. */
typedef struct {
  const tp_elem *elem;
  const tp_prec *prec;
} tp_succ;
typedef struct {
  TP_VEC(tp_succ) list;
} tp_out;

// --------------------------------------------------------------------- queries

/* What is known of a BV or Bool term: in its unsigned and in its signed reading, bounds included.
 * Widths up to 64; `is_top` if nothing is known. A constant has equal bounds. */
typedef struct {
  bool is_top;
  uint64_t umin, umax;
  int64_t smin, smax;
} tp_range;

/* One component of a composite as its neighbours see it. */
typedef struct {
  const tp_cpa *cpa;
  const tp_elem *elem;
} tp_view;
bool tp_view_range(tp_view v, tp_term t, tp_range *out);  // false: nothing known

/* What is asked of the reached set in stop and adjust: the elements with the same merge key, oldest
 * first. */
typedef struct {
  const tp_succ *at;
  size_t n;
} tp_reached_view;

typedef enum { TP_CONTINUE, TP_INTERRUPT } tp_adjusted;

/* A neighbour whose adjust made `after` of `before`: what it does not track any more is for others
 * to keep. */
typedef struct {
  tp_cpa *cpa;
  tp_succ before, after;
  tp_reached_view seen;  // its elements at the same place, `before` among them
  tp_loc at;
} tp_handover;

// ------------------------------------------------------------------- operators

typedef struct tp_cpa_ops {
  const char *name;  // "interval"; prefixes its settings
  const char *help;
  const char *const *settings;  // names it understands ("widen-after"), NULL-terminated; NULL: none
  bool is_powerset;             // join is exact, so stop = join may be used
  bool can_interrupt;
  bool trades;    // adjust may say with one component what another does not say any more: then law
                  // (g) holds of meanings only, not by leq
  bool has_join;  // false: merge = join is refused
  const char *default_merge;  // "sep" or "join": the component's merge if no setting NAME.merge

  /* Makes the instance: self->state; settings are looked up with tp_cpa_setting. False: why says
   * what is wrong. */
  bool (*open)(tp_cpa *self, tp_str *why);
  void (*close)(tp_cpa *self);

  // required
  tp_succ (*initial)(
      tp_cpa *self, tp_loc entry,
      tp_context context);  // all states at the start of a root context:
                            // main: globals at their initial values; a contract: anything
  /* Along a SUMMARY step: nothing is known of the callee. The algorithm takes the precision from
   * it, the element from expand. */
  void (*transfer)(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                   tp_out *out);
  bool (*leq)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  void (*print)(tp_cpa *self, const tp_elem *e, tp_str *out);  // one line, for people
  /* A term that holds in exactly (or at least) the states that e means. */
  tp_term (*formula)(tp_cpa *self, const tp_elem *e);

  // optional: NULL means the default that the comment names
  const tp_elem *(*top)(tp_cpa *self);  // required if has_join; else: no top
  const tp_elem *(*join)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  /* The analysis's own, instead of what NAME.merge and NAME.stop choose (composites have them).
   * merge weakens b by a and returns b itself if nothing changes; both elements, and all
   * candidates, have the same merge key. */
  const tp_elem *(*merge)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  bool (*stop)(tp_cpa *self, const tp_elem *e, tp_reached_view candidates);
  /* Only if is_powerset: do the candidates together cover e? For stop = join, where making their
   * join costs more than the answer. Default: leq of the join. */
  bool (*covered)(tp_cpa *self, const tp_elem *e, tp_reached_view candidates);
  /* The thesis's prec. view: same merge key, e included. *out is set on CONTINUE. Identity. */
  tp_adjusted (*adjust)(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                        tp_succ *out);
  uint64_t (*merge_key)(tp_cpa *self, const tp_elem *e);                    // 0
  tp_loc (*place)(tp_cpa *self, const tp_elem *e);                          // NONE: any location
  tp_context (*context)(tp_cpa *self, const tp_elem *e);                    // TP_CONTEXT_NONE: any
  bool (*range)(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out);  // false
  /* The constant that t is in all states of e, as far as what e rests on says so without a
   * question: for neighbours that ask about one number, where `range` is for those that take up
   * whatever they can. NONE. */
  tp_term (*constant)(tp_cpa *self, const tp_elem *e, tp_term t);
  /* Sharpen e by what its neighbours know after the step; must keep the states that all share.
   * NULL result: they share none. e itself. */
  const tp_elem *(*strengthen)(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                               const tp_step *step);
  /* The last word on a successor, when every neighbour has stepped and strengthen is done: what
   * costs much and should see all of it. Keeps the states that all share. NULL: there are none. e
   * itself. */
  const tp_elem *(*complete)(tp_cpa *self, const tp_elem *e);
  /* Does formula say all that e means? If not, a proof should not be cut where e is. true. */
  bool (*speaks)(tp_cpa *self, const tp_elem *e);
  /* The thesis's compare: does what `other` knows imply e? Then a composite may weaken e to top.
   * false. */
  bool (*implied_by)(tp_cpa *self, const tp_elem *e, tp_view other);
  /* For composites with adjust = precision-transfer. forgotten: calls see for the places
   * (variables, cells: terms) that are tracked in `before` and not in `after`, which adjust made of
   * it. take_over: keep what the neighbour knew, as far as e's precision asks for it; keeps the
   * states that e and from->before share. Nothing is ever forgotten; e itself. */
  void (*forgotten)(tp_cpa *self, tp_succ before, tp_succ after,
                    void (*see)(void *ctx, tp_term place), void *ctx);
  const tp_elem *(*take_over)(tp_cpa *self, const tp_elem *e, const tp_handover *from);
  /* The heap that e is, cell by cell, for neighbours that take over. NULL: e is none. */
  const tp_explicit_heap *(*explicit_heap)(tp_cpa *self, const tp_elem *e);
  /* For summaries: what a callee can see of e at its entry (globals, parameters, memory of
   * statics), and the state behind a call: the caller's part of `before`, the callee's part of
   * `exit`, result assigned. The callee may be the function on top itself: its variables in
   * `before` and in `exit` are of different frames. A callee without body has no result variable:
   * what it gives is unknown. reduce is at the callee's entry in context call->root. Defaults:
   * initial of the contract's root (any state); expand: top, else initial of no place. */
  const tp_elem *(*reduce)(tp_cpa *self, const tp_elem *e, const tp_step *call);
  const tp_elem *(*expand)(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                           const tp_step *call);
  /* Weaken a to something above a and b such that repeating it ends: for the summaries of
   * cpa/recursion.h. The algorithm does not call it; loops are widened by adjust. join. */
  const tp_elem *(*widen)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  /* How many times a finished reached set should be recomputed from itself (cpa/descend.h), since
   * widening lost bounds. 0. */
  uint32_t (*descents)(tp_cpa *self);
} tp_cpa_ops;

// ------------------------------------------------------------------- instances

/* One line "name = value" of a composition. */
typedef struct {
  const char *name, *value;
} tp_setting;

/* What others proved: a run that is at loc with exactly the frames of context meets formula. */
typedef struct {
  tp_context context;
  tp_loc loc;
  tp_term formula;
} tp_imported_invariant;

/* What analyses share during one run. */
typedef struct {
  const tp_program *program;
  tp_terms *terms;
  tp_property property;
  tp_contexts *contexts;
  tp_stats *stats;
  const tp_setting *settings;  // "interval.widen-after" = "3"
  size_t n_settings;
  const struct tp_shape_library
      *shape_classes;  // of the analysis shape (shape/library.h); NULL: those of lib/shape
  const tp_imported_invariant *facts;  // each place at most once; for the analysis `facts`
  size_t n_facts;
  const tp_term
      *given;  // predicates that may be inferred for what is not tracked any more (cpa/infer.h)
  size_t n_given;
  const char *solver;      // back end of smt/ for analyses that ask one; NULL: default
  uint64_t solver_rlimit;  // of one question, 0: the analysis's own
  double until_s;          // on the clock tp_cpu_s: nothing is asked any more; 0: no end
  bool plain_steps;        // see tp_steps_make_plain
} tp_cpa_env;

struct tp_cpa {
  const tp_cpa_ops *ops;
  tp_cpa_env *env;               // borrowed
  void *state;                   // the analysis's own
  tp_arena arena;                // its elements
  bool merges_join, stops_join;  // the settings NAME.merge and NAME.stop
};
/* NULL: why says what is wrong. */
tp_cpa *tp_cpa_open(const tp_cpa_ops *ops, tp_cpa_env *env, tp_str *why);
void tp_cpa_close(tp_cpa *cpa);
/* The value of setting NAME.key for this instance, or otherwise. */
const char *tp_cpa_setting(const tp_cpa *cpa, const char *key, const char *otherwise);
bool tp_cpa_setting_u64(const tp_cpa *cpa, const char *key, uint64_t otherwise, uint64_t *out,
                        tp_str *why);

// the standard operators, for any analysis
const tp_elem *tp_merge_sep(tp_cpa *cpa, const tp_elem *a, const tp_elem *b);  // b
const tp_elem *tp_merge_join(tp_cpa *cpa, const tp_elem *a,
                             const tp_elem *b);  // join, b itself if a leq b
bool tp_stop_sep(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates);
bool tp_stop_join(tp_cpa *cpa, const tp_elem *e,
                  tp_reached_view candidates);  // only if is_powerset

/* What the algorithm calls: the analysis's own merge and stop if it has them, else those that its
 * settings NAME.merge (else default_merge) and NAME.stop (else sep) name. */
const tp_elem *tp_cpa_merge(tp_cpa *cpa, const tp_elem *a, const tp_elem *b);
bool tp_cpa_stop(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates);

// operators with their defaults filled in: nobody else tests for NULL
tp_adjusted tp_cpa_adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out);
uint64_t tp_cpa_merge_key(tp_cpa *cpa, const tp_elem *e);
tp_loc tp_cpa_place(tp_cpa *cpa, const tp_elem *e);
tp_context tp_cpa_context(tp_cpa *cpa, const tp_elem *e);
const tp_elem *tp_cpa_widen(tp_cpa *cpa, const tp_elem *a, const tp_elem *b);  // only if has_join
uint32_t tp_cpa_descents(tp_cpa *cpa);
bool tp_cpa_speaks(tp_cpa *cpa, const tp_elem *e);
/* Completes the successors in out; those that mean no state go. */
void tp_cpa_complete(tp_cpa *cpa, tp_out *out);
const tp_elem *tp_cpa_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call);
const tp_elem *tp_cpa_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *exit,
                             const tp_step *call);
/* The successor along a SUMMARY step: expand, and the precision that transfer hands on along the
 * step. */
tp_succ tp_cpa_over_call(tp_cpa *cpa, tp_succ before, const tp_elem *exit, const tp_step *call);

/* The table of analyses: adding one means one folder and one row (cpa/registry.c). NULL-terminated.
 */
extern const tp_cpa_ops *const tp_analyses[];
const tp_cpa_ops *tp_analysis_find(const char *name);

#endif

/* Configurable program analysis: the operators that an analysis is made of.
 *
 * What       one table of functions serves CPA, CPA+ and interruptible CPA+; elements, precisions,
 *            steps, what an analysis may query from the other components of a composite, and the
 *            services that are handed to each analysis.
 * Represents an element stands for a set of concrete states (its concretisation); `formula` writes
 *            that set down as a term over program variables and memory cells (program/cells.h). The
 *            formula is what certificates carry and what the law tests evaluate, so it decides what
 *            an element means.
 * Laws       (a) top means every state, an element that means none is not produced (transfer
 *            returns nothing instead of a bottom); (b) leq(a, b) implies that a's states are among
 *            b's; (c) join(a, b) is above both; (d) the successors of e along a step cover the
 *            concrete successors, at every precision; (e) b leq merge(a, b); (f) stop only if the
 *            candidates together cover e; (g) adjust only weakens, by leq (but see
 *            `transfers_precision`).
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

/* The successor relation of runs: one step. cpa/steps.c makes the steps of a location in a context:
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
  // ASSUME edges: the edge's condition with parameters replaced by the callers' arguments
  // (cpa/arguments.h), a second condition to assume; NONE: the same as the edge's
  tp_term caller_condition;
} tp_step;
/* Do kind, edge, callee and locations fit each other? */
bool tp_step_check(const tp_program *p, const tp_step *step);

/* An abstract state with its precision. A step has no successor (it is impossible), one, or
 * several. */
typedef struct {
  const tp_elem *elem;
  const tp_prec *prec;
} tp_succ;
typedef struct {
  TP_VEC(tp_succ) list;
} tp_out;

// --------------------------------------------------------------------- queries

/* Bounds of a BV or Bool term, in its unsigned and in its signed reading, both included. Widths up
 * to 64; `is_top`: no bounds. A constant has equal bounds. */
typedef struct {
  bool is_top;
  uint64_t umin, umax;
  int64_t smin, smax;
} tp_range;

/* One component of a composite, with its element: the argument of strengthen and compare. */
typedef struct {
  const tp_cpa *cpa;
  const tp_elem *elem;
} tp_view;
bool tp_view_range(tp_view v, tp_term t, tp_range *out);  // false: no bounds

/* The part of the reached set that stop and adjust read: the elements with the same merge key,
 * oldest first. */
typedef struct {
  const tp_succ *at;
  size_t n;
} tp_reached_view;

typedef enum { TP_CONTINUE, TP_INTERRUPT } tp_adjusted;

/* Input of a precision transfer: the component `cpa`, whose adjust made `after` of `before`. The
 * lvalues that `before` tracks and `after` does not are enumerated by each_untracked. */
typedef struct {
  tp_cpa *cpa;
  tp_succ before, after;
  tp_reached_view view;  // the component's elements with the same merge key, `before` among them
  tp_loc loc;
} tp_precision_transfer;

// ------------------------------------------------------------------- operators

typedef struct tp_cpa_ops {
  const char *name;  // "interval"; prefixes its settings
  const char *help;
  const char *const *settings;  // keys of its settings ("widen-after"), NULL-terminated; NULL: none
  bool is_powerset;             // join is exact, so stop = join may be used
  bool can_interrupt;
  // adjust may move constraints from one component to another (precision transfer): law (g) then
  // holds for the sets of states, not by leq
  bool transfers_precision;
  bool has_join;              // false: merge = join is refused
  const char *default_merge;  // "sep" or "join": NAME.merge without a setting

  /* Makes the instance: self->state; settings are looked up with tp_cpa_setting. False: why has the
   * message. */
  bool (*open)(tp_cpa *self, tp_str *why);
  void (*close)(tp_cpa *self);

  // required
  tp_succ (*initial)(
      tp_cpa *self, tp_loc entry,
      tp_context context);  // all states at the start of a root context:
                            // main: globals at their initial values; a contract: anything
  /* Along a SUMMARY step the callee is havocked; the algorithm uses the precision of this
   * successor, and the element of expand. */
  void (*transfer)(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                   tp_out *out);
  bool (*leq)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  void (*print)(tp_cpa *self, const tp_elem *e, tp_str *out);  // one line, for people
  /* A term that holds in all states that e represents, and (has_exact_formula) in no others. */
  tp_term (*formula)(tp_cpa *self, const tp_elem *e);

  // optional: for NULL, the default that the comment names
  const tp_elem *(*top)(tp_cpa *self);  // required if has_join; else: no top
  const tp_elem *(*join)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  /* Operators of the analysis itself, in place of those that NAME.merge and NAME.stop choose
   * (composites have them). merge weakens b by a and returns b itself if a leq b; both elements,
   * and all candidates, have the same merge key. */
  const tp_elem *(*merge)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  bool (*stop)(tp_cpa *self, const tp_elem *e, tp_reached_view candidates);
  /* Only if is_powerset: do the candidates together cover e? For stop = join, where making their
   * join costs more than the decision. Default: leq of the join. */
  bool (*covered)(tp_cpa *self, const tp_elem *e, tp_reached_view candidates);
  /* The thesis's prec. view: same merge key, e included. *out is set on CONTINUE. Identity. */
  tp_adjusted (*adjust)(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                        tp_succ *out);
  uint64_t (*merge_key)(tp_cpa *self, const tp_elem *e);                    // 0
  tp_loc (*location)(tp_cpa *self, const tp_elem *e);                       // NONE: any location
  tp_context (*context)(tp_cpa *self, const tp_elem *e);                    // TP_CONTEXT_NONE: any
  bool (*range)(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out);  // false
  /* The constant that t equals in all states of e, if syntax alone shows it, without a solver
   * query. For components that need the value of one term; `range` is for strengthen, which uses
   * any bounds. NONE. */
  tp_term (*constant)(tp_cpa *self, const tp_elem *e, tp_term t);
  /* The CPA papers' strengthen: e restricted by the other components' elements after the step. Law:
   * the result represents all states that e and every element of `others` represent. NULL: there
   * are no such states. Default: e itself. */
  const tp_elem *(*strengthen)(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                               const tp_step *step);
  /* A second strengthen, once for each successor, when all components have been strengthened: for
   * operations that are expensive and depend on the final path formula, such as predicate
   * abstraction at a block end. Law: the states of e that all components share are kept. NULL:
   * there are none. Default: e itself. */
  const tp_elem *(*strengthen_last)(tp_cpa *self, const tp_elem *e);
  /* Does `formula` hold in no other states than those of e? Where it does not, e's meaning would be
   * lost in a certificate's formula, so no cutpoint should be set at e. Default: true. */
  bool (*has_exact_formula)(tp_cpa *self, const tp_elem *e);
  /* The thesis's compare: are all states that `other` represents states of e? Then a composite may
   * weaken e to top. Default: false. */
  bool (*implied_by)(tp_cpa *self, const tp_elem *e, tp_view other);
  /* For composites with adjust = precision-transfer. each_untracked: calls visit for the lvalues
   * (variables, cells: terms) that are tracked in `before` and not in `after`, which adjust made of
   * `before`. transfer_precision: e restricted by the constraints of from->before on these lvalues,
   * as far as e's precision can express them. Law: the states that e and from->before share are
   * kept. Defaults: no lvalue; e itself. */
  void (*each_untracked)(tp_cpa *self, tp_succ before, tp_succ after,
                         void (*visit)(void *ctx, tp_term lvalue), void *ctx);
  const tp_elem *(*transfer_precision)(tp_cpa *self, const tp_elem *e,
                                       const tp_precision_transfer *from);
  /* e as an explicit heap, an input of precision transfers. NULL: e represents no single heap. */
  const tp_explicit_heap *(*explicit_heap)(tp_cpa *self, const tp_elem *e);
  /* For summaries. reduce: e projected to what the callee reads at its entry (globals, parameters,
   * memory of statics); the result is at the callee's entry in context call->root. expand: the
   * state behind the call: the caller's variables as in `before`, everything that the callee may
   * write as in `exit`, result assigned. A recursive call has the callee on top in `before`: its
   * variables in `before` and in `exit` are of different frames. A callee without body has no
   * result variable: the result is havocked. Defaults: reduce: initial of the contract's root (any
   * state); expand: top, else initial without location. */
  const tp_elem *(*reduce)(tp_cpa *self, const tp_elem *e, const tp_step *call);
  const tp_elem *(*expand)(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                           const tp_step *call);
  /* An element above a and b such that every chain of widenings is finite: for the summaries of
   * cpa/recursion.h. The algorithm does not call it; loops are widened by adjust. Default: join. */
  const tp_elem *(*widen)(tp_cpa *self, const tp_elem *a, const tp_elem *b);
  /* The number of narrowing rounds over a finished reached set (cpa/descend.h). Default: 0. */
  uint32_t (*descents)(tp_cpa *self);
} tp_cpa_ops;

// ------------------------------------------------------------------- instances

/* One line "name = value" of a composition. */
typedef struct {
  const char *name, *value;
} tp_setting;

/* An invariant that another engine proved: formula holds in every run that is at loc with exactly
 * the frames of context. */
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
  const tp_imported_invariant
      *imported;  // each (loc, context) at most once; for the analysis `facts`
  size_t n_imported;
  const tp_term *given_predicates;  // a source of inferred predicates (cpa/infer.h)
  size_t n_given_predicates;
  const char *solver;            // back end of smt/ for analyses with queries; NULL: default
  uint64_t solver_rlimit;        // of one query, 0: the analysis's own
  double until_s;                // reading of tp_cpu_s() from which there are no queries; 0: none
  bool omits_caller_conditions;  // see tp_steps_omit_caller_conditions
} tp_cpa_env;

struct tp_cpa {
  const tp_cpa_ops *ops;
  tp_cpa_env *env;               // borrowed
  void *state;                   // the analysis's own
  tp_arena arena;                // its elements
  bool merges_join, stops_join;  // the settings NAME.merge and NAME.stop
};
/* NULL: why has the message. */
tp_cpa *tp_cpa_open(const tp_cpa_ops *ops, tp_cpa_env *env, tp_str *why);
void tp_cpa_close(tp_cpa *cpa);
/* The value of setting NAME.key for this instance, or otherwise. */
const char *tp_cpa_setting(const tp_cpa *cpa, const char *key, const char *otherwise);
/* A number from 0, or on and off; false: why says that it is not. */
bool tp_cpa_setting_u64(const tp_cpa *cpa, const char *key, uint64_t otherwise, uint64_t *out,
                        tp_str *why);
bool tp_cpa_setting_flag(const tp_cpa *cpa, const char *key, bool otherwise, bool *out,
                         tp_str *why);

// the standard operators, for any analysis
const tp_elem *tp_merge_sep(tp_cpa *cpa, const tp_elem *a, const tp_elem *b);  // b
const tp_elem *tp_merge_join(tp_cpa *cpa, const tp_elem *a,
                             const tp_elem *b);  // join, b itself if a leq b
bool tp_stop_sep(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates);
/* For elements that are no terms, such as locations and calls: certificates write formulas down by
 * these. */
tp_term tp_formula_true(tp_cpa *cpa, const tp_elem *e);
bool tp_stop_join(tp_cpa *cpa, const tp_elem *e,
                  tp_reached_view candidates);  // only if is_powerset

/* The operators of the algorithm: the analysis's own merge and stop if it has them, else those that
 * its settings NAME.merge (else default_merge) and NAME.stop (else sep) name. */
const tp_elem *tp_cpa_merge(tp_cpa *cpa, const tp_elem *a, const tp_elem *b);
bool tp_cpa_stop(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates);

// operators with their defaults filled in: callers never test for NULL
tp_adjusted tp_cpa_adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out);
uint64_t tp_cpa_merge_key(tp_cpa *cpa, const tp_elem *e);
tp_loc tp_cpa_location_of(tp_cpa *cpa, const tp_elem *e);
tp_context tp_cpa_context(tp_cpa *cpa, const tp_elem *e);
const tp_elem *tp_cpa_widen(tp_cpa *cpa, const tp_elem *a, const tp_elem *b);  // only if has_join
uint32_t tp_cpa_descents(tp_cpa *cpa);
bool tp_cpa_has_exact_formula(tp_cpa *cpa, const tp_elem *e);
/* strengthen_last for each successor in out; those that represent no state are removed. */
void tp_cpa_strengthen_last(tp_cpa *cpa, tp_out *out);
const tp_elem *tp_cpa_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call);
const tp_elem *tp_cpa_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *exit,
                             const tp_step *call);
/* The successor along a SUMMARY step: the element of expand, the precision of transfer. */
tp_succ tp_cpa_summary_successor(tp_cpa *cpa, tp_succ before, const tp_elem *exit,
                                 const tp_step *call);

/* The table of analyses: adding one means one folder and one row (cpa/registry.c). NULL-terminated.
 */
extern const tp_cpa_ops *const tp_analyses[];
const tp_cpa_ops *tp_analysis_find(const char *name);

#endif

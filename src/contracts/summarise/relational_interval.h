/* Relational intervals: a lower and an upper bound of one relation, as abstract value.
 *
 * What       joins and widening of intervals; the interval of an expression over relations that are
 *            themselves known as intervals only.
 * Represents all relations r with lower in r and r in upper. An interval is exact if its bounds are
 *            the same expression.
 * Law        join: every relation of either operand is in the result. widen: the same, and every
 *            sequence old, widen(old, x1), ... is constant after finitely many steps. evaluate: for
 *            relations within the intervals of the names, the expression is within the result.
 * Source     Taghdiri 2008, sec. 4.2 (states), 4.5 and fig. 4-8 (widening), 4.6 (instantiation). We
 *            differ: one template serves all contexts, because it is evaluated over intervals. */
#ifndef TP_CONTRACTS_SUMMARISE_RELATIONAL_INTERVAL_H
#define TP_CONTRACTS_SUMMARISE_RELATIONAL_INTERVAL_H

#include "contracts/summarise/relational_bound.h"

typedef struct {
  tp_rbound lower, upper;
} tp_rinterval;

/* The parameters of the analysis, by their names in the thesis, sec. 4.5 and 7.4. */
typedef struct {
  uint32_t operators;    // n: of an expression; larger ones become universal
  uint32_t allocations;  // m: objects of a type that are told apart; more are a set
  uint32_t unions;       // k: paths that go on in the same way before they become a closure
  uint32_t contexts;     // l: templates of a function beside the one that serves all its calls
} tp_rsum_limits;

static inline tp_rinterval tp_rinterval_exact(tp_rbound b) { return (tp_rinterval){b, b}; }
static inline bool tp_rinterval_is_exact(tp_rinterval i) { return i.lower.id == i.upper.id; }
static inline bool tp_rinterval_eq(tp_rinterval a, tp_rinterval b) {
  return a.lower.id == b.lower.id && a.upper.id == b.upper.id;
}
/* All relations of this arity. */
tp_rinterval tp_rinterval_any(tp_rbounds *t, uint32_t arity);
bool tp_rinterval_is_any(const tp_rbounds *t, tp_rinterval i);

tp_rinterval tp_rinterval_join(tp_rbounds *t, tp_rinterval a, tp_rinterval b);
tp_rinterval tp_rinterval_widen(tp_rbounds *t, tp_rinterval old, tp_rinterval next,
                                const tp_rsum_limits *limits);
/* Weaker by the limit on operators, if it is larger. */
tp_rinterval tp_rinterval_limit(tp_rbounds *t, tp_rinterval i, const tp_rsum_limits *limits);

/* What a relation keeps for certain, and where it may differ: base without tuples that begin in
 * `owners`, and `added`. False: the text does not show a base. */
typedef struct {
  tp_rbound base, owners, added;  // added: tuples that are certainly there
} tp_rbound_change;
bool tp_rbound_change_of(tp_rbounds *t, tp_rbound r, tp_rbound_change *out);

/* Evaluation over intervals: what stands for names and new objects. */
typedef struct {
  tp_rbounds *t;
  tp_rinterval (*leaf)(void *ctx, tp_rbound leaf);  // NAME, NEW, NEW_SET
  void *ctx;
  tp_map lower, upper;     // of expressions that were evaluated; clear them in the end
  tp_map formulas;         // of formulas, 0: not exact
  bool is_flat;            // without choices and overrides, as widening needs them
  const tp_rbound *facts;  // they hold in all executions that matter: choices they decide are made
  uint32_t n_facts;
} tp_rinterval_evaluation;
tp_rbound tp_rinterval_lower_of(tp_rinterval_evaluation *e, tp_rbound b);
tp_rbound tp_rinterval_upper_of(tp_rinterval_evaluation *e, tp_rbound b);
/* A formula that is exact; id 0: it depends on what is not. */
tp_rbound tp_rinterval_formula_of(tp_rinterval_evaluation *e, tp_rbound f);
void tp_rinterval_evaluation_clear(tp_rinterval_evaluation *e);

#endif

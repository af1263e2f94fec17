/* The evaluator: the meaning of expressions, integers and formulas in one instance.
 *
 * What       evaluation as the definitions in contracts/rel/logic.h state, with sets of tuples and
 *            loops.
 * Represents the semantics of the logic. The evaluator shares no code with the translation to
 *            circuits and is its oracle: every instance that a solver finds is evaluated before a
 *            caller gets it.
 * Invariants the value of a node is kept until one of its free variables is bound anew.
 * Ownership  borrows bounds and instance; the instance may be changed between calls, after
 *            tp_rel_eval_reset.
 * Cost       deliberately simple: quantifiers are loops over all tuples of atoms, closures repeat
 *            joins. */
#ifndef TP_CONTRACTS_REL_REL_EVAL_H
#define TP_CONTRACTS_REL_REL_EVAL_H

#include "contracts/rel/rel_bounds.h"

enum { TP_REL_MAX_WIDTH = 62 };

typedef enum { TP_REL_IS_FALSE, TP_REL_IS_TRUE, TP_REL_IS_UNDEFINED } tp_rel_truth_value;

typedef struct tp_rel_eval tp_rel_eval;
/* width_bits: of integers, 1 .. TP_REL_MAX_WIDTH. */
tp_rel_eval *tp_rel_eval_new(const tp_rel_bounds *b, const tp_rel_instance *i, uint32_t width_bits);
void tp_rel_eval_free(tp_rel_eval *e);
void tp_rel_eval_reset(tp_rel_eval *e);
/* Without free variables. */
tp_rel_truth_value tp_rel_eval_formula(tp_rel_eval *e, tp_rel_formula f);
/* False: undefined. out: cleared, then filled; the caller's. */
bool tp_rel_eval_expr(tp_rel_eval *e, tp_rel_expr x, tp_rel_tuples *out);
bool tp_rel_eval_int(tp_rel_eval *e, tp_rel_int i, int64_t *out);

#endif

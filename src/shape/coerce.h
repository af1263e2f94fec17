/* Coerce: what consistent structures satisfy, made use of.
 *
 * What       rules of a class, compiled once; applying them to a structure until nothing changes.
 * Represents a rule is a formula (its body) and a literal (its head): for all cells for which the
 * body holds, the head does.
 *            Where the body is definitely true the head must be: 1/2 becomes definite, the opposite
 *            value says that the structure stands for no heap. Heads are p(v), p(u, v), u = v and
 *            their negations. A second form: where the body holds there is a cell with some
 *            properties; if one single node alone can be it, it has them.
 * Sources    the language: a pointer points to one cell, a field is a function, freed and outside
 *            cells have nil fields, data_predicates that exclude each other; the definitions of the
 *            instrumentation predicates, in both directions and contraposed; definitions by paths:
 *            one step more, one step less; the entry's constraints.
 * Law        coerce keeps the meaning: every heap that s stood for and that satisfies the
 *            definitions is one that the result stands for.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 6.4; Theoduloz 2010, sec. 2.3.4. Rules with a witness
 *            are ours. */
#ifndef TP_SHAPE_COERCE_H
#define TP_SHAPE_COERCE_H

#include "shape/class.h"
#include "shape/shape_limits.h"

/* Errors: TP_ERR_LIMIT: a formula has too many variables. */
tp_status tp_shape_rules_new(tp_shape_class *c, const tp_tracking *d,
                             tp_shape_rules **out) TP_MUST_USE;
void tp_shape_rules_free(tp_shape_rules *rules);
size_t tp_shape_rules_count(const tp_shape_rules *rules);
/* Rule i as formulas: for all cells for which the body holds, the head does. head NONE: what
 * pointers and fields are, which nobody needs to be told. */
typedef struct {
  tp_formula body, head;
} tp_shape_rule;
tp_shape_rule tp_shape_rule_at(const tp_shape_class *c, size_t i);
void tp_shape_rules_print(const tp_shape_class *c, tp_str *out);  // one line each

/* e: an evaluation of the class's formulas. False: s stands for no heap; what is left in it means
 * nothing. */
bool tp_shape_coerce(const tp_shape_class *c, tp_evaluation *e, tp_structure *s) TP_MUST_USE;

/* The same for a structure that was made from one that coerce leaves as it is, by changing the
 * predicates in `touched`; and perhaps by splitting a node, where the twins have the values of the
 * node. */
typedef struct {
  uint64_t unary[TP_SHAPE_MAX_UNARY / 64], binary[TP_SHAPE_MAX_BINARY / 64];
  bool nodes;  // a node was split, or became single
} tp_touched;
void tp_touched_difference(const tp_structure *before, const tp_structure *s,
                           tp_touched *out);  // the same nodes; out zeroed
static inline void tp_touched_unary(tp_touched *t, uint32_t p) {
  t->unary[p / 64] |= tp_k64_bit(p % 64);
}
static inline void tp_touched_binary(tp_touched *t, uint32_t p) {
  t->binary[p / 64] |= tp_k64_bit(p % 64);
}
bool tp_shape_coerce_touched(const tp_shape_class *c, tp_evaluation *e, tp_structure *s,
                             const tp_touched *touched) TP_MUST_USE;

#endif

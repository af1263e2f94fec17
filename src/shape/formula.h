/* Formulas over structures: first-order logic with transitive closure.
 *
 * What       a table of formulas, construction, what they read, text, Kleene evaluation.
 * Represents connectives, equality, predicates by number, "there is a node", transitive closure.
 *            Variables are numbers below TP_FORMULA_MAX_VARS. A primed predicate reads the
 *            structure after an operation, a plain one that before it. Negations stand before
 *            atoms, "there is" and closures; "for all" is "there is no ... not".
 * Invariants a formula is made once: equal formulas, equal ids. Kids are older than the formula
 *            they are in.
 * Ownership  formulas live as long as their table. An evaluation keeps buffers and may be used for
 *            many structures.
 * Cost       a formula with one variable left open is evaluated for all nodes at once, in words;
 *            "there is" over another variable is a loop over the nodes that its other conjuncts
 *            leave; closures are computed once per structure, n^2 word operations.
 * Source     Sagiv, Reps, Wilhelm 2002, def. 2.6, 3.6: conjunction is minimum, "there is" maximum,
 *            closure maximum over paths. */
#ifndef TP_SHAPE_FORMULA_H
#define TP_SHAPE_FORMULA_H

#include "shape/structure.h"

enum { TP_FORMULA_MAX_VARS = 32 };

typedef struct tp_formulas tp_formulas;
typedef struct {
  uint32_t id;  // 0: none
} tp_formula;
static inline bool tp_formula_eq(tp_formula a, tp_formula b) { return a.id == b.id; }
#define TP_FORMULA_NONE ((tp_formula){0})

typedef enum {
  TP_FORMULA_VALUE,   // 0, 1/2, 1
  TP_FORMULA_UNARY,   // p(a)
  TP_FORMULA_BINARY,  // p(a, b)
  TP_FORMULA_EQUAL,   // a = b
  TP_FORMULA_NOT,
  TP_FORMULA_AND,
  TP_FORMULA_OR,
  TP_FORMULA_CHOOSE,  // kid 0 ? kid 1 : kid 2
  TP_FORMULA_EXISTS,  // there is an a with kid 0
  TP_FORMULA_CLOSURE  // from a to b in steps (from, to) of kid 0, at least one
} tp_formula_kind;

typedef struct {
  tp_formula_kind kind;
  tp_kleene value;
  bool is_primed;
  uint16_t predicate;
  uint8_t a, b, from, to;  // variables
  tp_formula kid[3];
  uint32_t free;  // free variables, as bits
} tp_formula_node;

tp_formulas *tp_formulas_new(void);
void tp_formulas_free(tp_formulas *t);

typedef enum { TP_BEFORE, TP_AFTER } tp_when;  // plain, primed
tp_formula tp_formula_value(tp_formulas *t, tp_kleene v);
tp_formula tp_formula_unary(tp_formulas *t, tp_when when, uint32_t predicate, uint32_t v);
tp_formula tp_formula_binary(tp_formulas *t, tp_when when, uint32_t predicate, uint32_t u,
                             uint32_t v);
tp_formula tp_formula_equal(tp_formulas *t, uint32_t u, uint32_t v);
tp_formula tp_formula_not(tp_formulas *t, tp_formula f);
tp_formula tp_formula_and(tp_formulas *t, tp_formula f, tp_formula g);
tp_formula tp_formula_or(tp_formulas *t, tp_formula f, tp_formula g);
/* c ? f : g; where f and g agree it has their value, even if c is unknown. */
tp_formula tp_formula_choose(tp_formulas *t, tp_formula c, tp_formula f, tp_formula g);
tp_formula tp_formula_exists(tp_formulas *t, uint32_t v, tp_formula f);
tp_formula tp_formula_forall(tp_formulas *t, uint32_t v, tp_formula f);
/* There is a path of steps from u to v: at least one step; reflexive: or u = v. step is over the
 * variables from, to. */
tp_formula tp_formula_closure(tp_formulas *t, uint32_t from, uint32_t to, tp_formula step,
                              uint32_t u, uint32_t v);
tp_formula tp_formula_reflexive(tp_formulas *t, uint32_t from, uint32_t to, tp_formula step,
                                uint32_t u, uint32_t v);

/* f with the variables u and v in place of from and to, at once. NONE: one of them is bound in f.
 */
tp_formula tp_formula_rename(tp_formulas *t, tp_formula f, uint32_t from, uint32_t u, uint32_t to,
                             uint32_t v);

const tp_formula_node *tp_formula_at(const tp_formulas *t, tp_formula f);
const tp_formula_node *tp_formula_nodes(
    const tp_formulas *t);  // by id, until the next formula is made
/* Adds what f reads: bit p of unary[p / 64] for unary predicate p, and so on. */
typedef struct {
  uint64_t unary[4], binary[4];  // predicates up to 255
  bool equality;
} tp_formula_reads;
void tp_formula_add_reads(const tp_formulas *t, tp_formula f, tp_when when,
                          tp_formula_reads *reads);

// ------------------------------------------------------------------- evaluation

typedef struct tp_evaluation tp_evaluation;
tp_evaluation *tp_evaluation_new(const tp_formulas *t);
void tp_evaluation_free(tp_evaluation *e);
/* From now on of these structures, which have the same nodes. after: what primed predicates read;
 * may be NULL if there are none. Again after either of them was changed, or a formula was made. */
void tp_evaluation_begin(tp_evaluation *e, const tp_structure *before, const tp_structure *after);
void tp_evaluation_bind(tp_evaluation *e, uint32_t variable, uint32_t node);
/* All free variables are bound. */
tp_kleene tp_evaluate(tp_evaluation *e, tp_formula f);
/* All but v are bound: the value for each node as v. */
tp_k64 tp_evaluate_set(tp_evaluation *e, tp_formula f, uint32_t v);

#endif

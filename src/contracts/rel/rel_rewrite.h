/* Rewriting: a node with some of its nodes replaced.
 *
 * What       one pass over the nodes below a root, kids first, each node once; the constructors of
 *            contracts/rel/logic.h build what changes, so the result is as normalised as they make
 *            it.
 * Represents a replacement is asked for every node before its kids: KEEP rebuilds the node over its
 *            rewritten kids; GO_ON takes the rewriting of another node in its place; DONE takes the
 *            other node as it is.
 * Invariants sort and arity of a node do not change. What stands inside of a quantifier may be
 *            replaced by something without free variables, or over the variables bound there.
 * Ownership  borrows the logic; the memo is the rewriter's.
 * Source     substitution; Taghdiri 2008, sec. 2.2 (variable maps), 6.2. */
#ifndef TP_CONTRACTS_REL_REL_REWRITE_H
#define TP_CONTRACTS_REL_REL_REWRITE_H

#include "contracts/rel/logic.h"

typedef enum { TP_REL_REWRITE_KEEP, TP_REL_REWRITE_GO_ON, TP_REL_REWRITE_DONE } tp_rel_rewrite_step;

typedef struct {
  tp_rel *l;
  void *ctx;
  /* other: id of a node, for GO_ON and DONE. */
  tp_rel_rewrite_step (*replace)(void *ctx, uint32_t id, uint32_t *other);
  tp_map memo;
} tp_rel_rewriter;

void tp_rel_rewriter_init(tp_rel_rewriter *r, tp_rel *l, void *ctx,
                          tp_rel_rewrite_step (*replace)(void *, uint32_t, uint32_t *));
void tp_rel_rewriter_clear(tp_rel_rewriter *r);
/* Ids are those of tp_rel_expr, tp_rel_int, tp_rel_formula. */
uint32_t tp_rel_rewrite(tp_rel_rewriter *r, uint32_t id);

/* Each relation in `of` (number of the relation to id of an expression) becomes that expression. */
tp_rel_formula tp_rel_substitute(tp_rel *l, tp_rel_formula f, const tp_map *of);
/* The formula wherever `fact` is true: closed formulas of it that the fact decides are their
 * values, conditionals their branches. Where the fact is not true the two may differ. */
tp_rel_formula tp_rel_given(tp_rel *l, tp_rel_formula f, tp_rel_formula fact);
/* Calls visit for the number of every relation below the node, each once. */
void tp_rel_each_relation(const tp_rel *l, uint32_t id, void *ctx,
                          void (*visit)(void *ctx, uint32_t relation));

#endif

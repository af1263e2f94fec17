/* Candidates for invariants by their form.
 *
 * What       for each node of a block graph: bounds of its variables by constants of the program,
 *            orders between them, parities; conditions of the blocks that leave it, and their
 *            negations; the weakest preconditions of safety along few blocks.
 * Represents guesses over the variables that matter at the node: those that conditions of blocks
 *            depend on, now or later. */
#ifndef TP_BLOCKS_TEMPLATES_H
#define TP_BLOCKS_TEMPLATES_H

#include "blocks/houdini.h"

/* Variables by node that conditions from there on depend on: of the program, scalar, in order of
 * index. */
void tp_templates_variables(const tp_blocks *b, tp_node_formulas *out);
/* variables: as above. */
void tp_templates_add(const tp_blocks *b, const tp_node_formulas *variables,
                      tp_node_formulas *candidates);
/* Candidates that no block to an error is taken, and that this holds behind one to `depth` more
 * blocks. */
void tp_templates_add_safety(const tp_blocks *b, uint32_t depth, tp_node_formulas *candidates);
/* For each truth value of a condition at the node: each of `from` under it. At most `most` for
 * each node. */
void tp_templates_add_guarded(const tp_blocks *b, const tp_node_formulas *from, size_t most,
                              tp_node_formulas *candidates);

#endif

/* Invariants that concrete runs suggest, proved.
 *
 * What       candidates mined from runs (blocks/mine.h) are tried on a block graph, wave by wave;
 *            those that are inductive together are known from then on (blocks/houdini.h).
 *            Candidates of other kinds are proved with them.
 * Represents known: by node, what holds there in every run; conjunctions of neighbours keep each
 *            other along blocks.
 * Use        k-induction, which knows nothing else; Synergy, where splits go round a loop without
 *            end.
 * Ownership  blocks and imported invariants are borrowed. */
#ifndef TP_BLOCKS_LEARN_H
#define TP_BLOCKS_LEARN_H

#include "blocks/houdini.h"
#include "blocks/mine.h"

enum { TP_ALL_WAVES = 1000 };

typedef struct {
  const tp_blocks *blocks;  // with nodes at loop heads
  tp_terms *tt;
  tp_stats *stats;
  const tp_term
      *imported;   // by node: what is known from the start; its conjunctions are inductive together
  tp_term *known;  // imported, and what was proved
  tp_node_formulas proved;
  tp_premise_list why;  // what was proved is kept
  tp_mined_candidates mined;
} tp_learner;
void tp_learner_init(tp_learner *l, const tp_blocks *b, const tp_term *imported, tp_stats *stats);
void tp_learner_clear(tp_learner *l);

/* Runs the program for candidates. Once. */
void tp_learner_mine(tp_learner *l, tp_mine_options o);
/* The mined candidates of waves from .. end - 1; those that solvers are slow at only if end is
 * TP_ALL_WAVES. */
void tp_learner_add_waves(tp_learner *l, uint32_t from, uint32_t end, tp_node_formulas *to);
/* Proves what it can of the candidates; what is proved leaves the list. The number of new formulas.
 */
size_t tp_learner_prove(tp_learner *l, tp_node_formulas *candidates, tp_houdini_options o);

#endif

/* Folds in candidates: functions of the state by recursion over an index, such as the sum of the
 * first x cells of an array.
 *
 * What       F(0) = step(0, 0), F(x) = step(x, F(x - 1)); a term reads F at an index like an array.
 *            Behind a block a fold is the function with the step behind it; what relates functions
 *            of two states are definitions at the indices that are read, and differences at the
 *            cells that the block writes, each shown for an arbitrary index.
 * Represents the folds of certificates (doc/certificates.md); nothing rests on what is found here
 *            before the checker has shown it by itself.
 * Ownership  a list is made with _init and ends with _clear; terms live in the program's table.
 * Source     as certify/inductive/fold_lines.h says; candidates are the loops' own steps. */
#ifndef TP_BLOCKS_CANDIDATE_FOLDS_H
#define TP_BLOCKS_CANDIDATE_FOLDS_H

#include "blocks/blocks.h"
#include "engine/invariants.h"

typedef struct tp_folds {
  const tp_blocks *b;
  TP_VEC(tp_invariant_fold) list;       // of the state before a block: what candidates read
  TP_VEC(tp_invariant_fold) functions;  // of states behind blocks
  tp_map places;                        // which << 32 | sort -> symbol
  tp_map differ;  // block << 32 | pair of functions -> is it shown where they differ?
} tp_folds;
void tp_folds_init(tp_folds *f, const tp_blocks *b);
void tp_folds_clear(tp_folds *f);

/* The symbols that steps are over, of a bit-vector sort. */
tp_term tp_folds_index(tp_folds *f, tp_sort sort);
tp_term tp_folds_before(tp_folds *f, tp_sort sort);
/* The fold with this step, which speaks of the index. */
tp_invariant_fold tp_folds_add(tp_folds *f, tp_term step, tp_sort index);
static inline tp_term tp_fold_at(tp_terms *tt, tp_invariant_fold fold, tp_term index) {
  return tp_mk2(tt, TP_OP_SELECT, fold.symbol, index);
}
/* The fold that is read by this symbol; NULL: none. */
const tp_invariant_fold *tp_folds_of(const tp_folds *f, tp_term symbol);

/* May t be said at the node, in a certificate? */
bool tp_folds_may_say(const tp_folds *f, uint32_t node, tp_term t);
/* What t, over the state behind the path, is over the state before it. */
tp_term tp_folds_after(tp_folds *f, const tp_path *path, tp_term t);

/* What is true of the folds that t reads, along the block. is_valid: is a formula true along it? */
tp_term tp_folds_facts(tp_folds *f, size_t block, tp_term t,
                       bool (*is_valid)(void *ctx, size_t block, tp_term formula), void *ctx);

#endif

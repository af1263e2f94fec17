/* What a step makes of the predicates of a class, and of graphs.
 *
 * What       formulas of predicates behind a step over what was before it; the graph that stands
 *            behind it.
 * Represents for each predicate a formula for elements that were there before, and for those that
 * may be fresh; of predicates without one nothing is known. They
 *            are found among few guesses, each shown by a lemma: the predicate itself or another
 *            one, what is written through a pointer, what a pointer reads, what the certificate
 *            proposes (`update`).
 * Law        behind(k) stands for whatever the step makes of heaps of k.
 * Ownership  an effect owns its tables; to be opened at the end of the step and closed before the
 *            segment goes on. */
#ifndef TP_CERTIFY_SHAPES_TRANSFORMER_H
#define TP_CERTIFY_SHAPES_TRANSFORMER_H

#include "certify/shapes/three_valued.h"
#include "certify/shapes/lemmas.h"

/* Formulas of a predicate behind the step: of elements that were there before, and, by number + 1
 * (TP_CHK_ANY_OLD + 1: any of those), of fresh ones; NULL: nothing is known. */
typedef struct {
  const tp_chk_formula *old, *fresh[TP_CHK_MOST_NEW + 1][TP_CHK_MOST_NEW + 1];
} tp_chk_proved_updates;

typedef struct {
  tp_chk_step step;
  const tp_chk_class *c;
  bool *before, *readable;         // by predicate: could it be spoken of at the start, can it here?
  bool *wanted;                    // ... here, and somebody asks for it
  tp_chk_proved_updates *changes;  // by predicate
  uint64_t *focus;  // by field's predicate: bits of pointers (predicates below 64) whose cell's
                    // field must be known
  TP_VEC(tp_chk_candidate_update) guesses;  // in the order in which they are liked
  uint32_t guessed;                         // predicate
  tp_arena arena;
} tp_chk_transformer;

/* The step from the start of the segment to here, where these graphs may stand (keys of the map).
 * False: it cannot be said; to be closed nevertheless. */
bool tp_chk_transformer_init(tp_chk_transformer *x, tp_chk_exec *g, uint32_t class,
                             const tp_map *targets);
void tp_chk_transformer_clear(tp_chk_transformer *x);
/* The graph's heaps in cases in which it is known what pointers read, appended. False: that cannot
 * be had. */
bool tp_chk_transformer_focus(tp_chk_transformer *x, const tp_chk_structure *k,
                              tp_chk_structures *out);
/* NULL: it has too many nodes. */
tp_chk_structure *tp_chk_transformer_apply(tp_chk_transformer *x, tp_chk_structure *before);

#endif

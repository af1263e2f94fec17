/* Trials: small random heaps before and behind an operation, on which guessed updates are tried
 * before they are proved.
 *
 * What       refutes most wrong candidates without a search.
 * Law        none that matters: a candidate that is refuted is not used, one that is not refuted is
 *            still to be proved.
 * Ownership  a trial owns its structures.
 * Cost       microseconds for a candidate and a heap.
 * Source     as TVLA's users do it by hand; two-valued structures are heaps (Sagiv, Reps, Wilhelm
 *            2002, sec. 3). */
#ifndef TP_CERTIFY_SHAPES_LEMMA_TRIAL_H
#define TP_CERTIFY_SHAPES_LEMMA_TRIAL_H

#include "certify/shapes/effect.h"
#include "certify/shapes/lemmas.h"
#include "certify/shapes/three_valued.h"

typedef struct {
  tp_chk_structure *before, *behind;  // the cell that is made is the last node of `behind`
} tp_chk_trial_heap;
typedef struct {
  TP_VEC(tp_chk_trial_heap) heaps;
  bool makes;
} tp_chk_trial;

/* Heaps in which the operation can be executed. */
tp_chk_trial tp_chk_trial_new(const tp_chk_effect *e);
void tp_chk_trial_clear(tp_chk_trial *t);
/* Is the candidate wrong on one of them? x, y: an old element, or a new one: the made cell, or the
 * value of memory that nobody has written, where nothing led to that before. */
typedef enum { TP_CHK_TRIAL_OLD, TP_CHK_TRIAL_MADE, TP_CHK_TRIAL_UNWRITTEN } tp_chk_trial_element;
bool tp_chk_trial_refutes(const tp_chk_trial *t, tp_chk_trial_element x, tp_chk_trial_element y,
                          const tp_chk_candidate_update *candidate);

#endif

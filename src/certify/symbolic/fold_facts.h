/* Folds (inductive/fold_lines.h) in questions.
 *
 * What       a fold in a state is a function of its index, told by its step there: a symbol, read
 *            like an array. A question that reads it gets its definition at that index, and how
 *            functions of two states differ.
 * Law        of functions F, G with steps S, T, each a theorem by induction over the index:
 *              definition  F(h) = S(h, h = 0 ? 0 : F(h - 1))
 *              difference  if S = T wherever the index is none of p1 ... pn, whatever came before,
 *                          then F(h) = G(h) where all of them are beyond h; and where S and T add
 *                          to what came before, G(h) - F(h) is the sum of the differences at those
 *                          of the points that are at most h, each point once.
 *            The premise of a difference is a question of its own, about an index and a value
 *            before of which nothing is known. Points are guessed: equations of the index in steps.
 * Cost       per question a definition for each read and, for each two functions that it reads, at
 *            most one premise. */
#ifndef TP_CERTIFY_SYMBOLIC_FOLD_FACTS_H
#define TP_CERTIFY_SYMBOLIC_FOLD_FACTS_H

#include "certify/certify_limits.h"
#include "certify/inductive/fold_lines.h"

/* A function that a fold is in some state of a segment. */
typedef struct {
  tp_term symbol;
  tp_term step;  // over the state at the start of the segment and
  tp_term index, before;
} tp_chk_fold_function;
typedef struct {
  TP_VEC(tp_chk_fold_function) list;
  tp_map of_step;  // hash of step, index, before -> number
} tp_chk_fold_functions;

/* The function with this step; equal steps, equal symbols. */
tp_term tp_chk_fold_function_with(tp_chk_fold_functions *x, tp_terms *tt, const tp_chk_fold *fold,
                                  tp_term step);
/* The function of which this is the symbol; NULL: none. */
const tp_chk_fold_function *tp_chk_fold_function_of(const tp_chk_fold_functions *x, tp_term symbol);
void tp_chk_fold_functions_clear(tp_chk_fold_functions *x);

/* Of the read (SELECT symbol INDEX). */
tp_term tp_chk_fold_definition(tp_terms *tt, const tp_chk_fold_function *f, tp_term at);

/* How two functions of the same sorts may differ. */
typedef struct {
  const tp_chk_fold_function *f, *g;
  tp_term points[TP_CERTIFY_FOLD_POINTS];
  uint32_t n;
} tp_chk_fold_difference;
/* False: their sorts differ, or there are too many points. */
bool tp_chk_fold_difference_of(tp_terms *tt, const tp_chk_fold_function *f,
                               const tp_chk_fold_function *g, tp_chk_fold_difference *out);
/* What has to be shown of it, for any index and any value before. */
tp_term tp_chk_fold_premise(tp_terms *tt, const tp_chk_fold_difference *d);
/* What follows from the premise at the index h. */
tp_term tp_chk_fold_conclusion(tp_terms *tt, const tp_chk_fold_difference *d, tp_term h);

#endif

/* InferPred: which predicates should be tracked in place of a variable whose values are not tracked
 * any more.
 *
 * What       sources of predicates about a place (a variable, or a memory cell as a term):
 *              syntactic   atoms of the program that mention it; of a cell: those that mention a
 *                          variable that was loaded from it
 *              given       predicates that the caller knows (a file of an earlier run), where they
 *                          mention it
 *              mined       what the values that were seen have in common: bounds, remainders,
 *                          relations to other variables
 *            Predicates that a refinement finds later need no source here.
 * Represents nothing that must be true: predicates say what to look at.
 * Ownership  terms live in the program's table; the rest belongs to tp_infer.
 * Source     Theoduloz 2010, sec. 4.4.5 (InferPred) and his outlook (invariant mining); Ernst et
 *            al. 2001 (what is mined). */
#ifndef TP_CPA_INFER_H
#define TP_CPA_INFER_H

#include "cpa/cpa.h"

typedef enum { TP_INFER_SYNTACTIC = 1, TP_INFER_GIVEN = 2, TP_INFER_MINED = 4 } tp_infer_source;
/* "syntactic mined" -> sources; "none": none. False: a word is not known. */
bool tp_infer_parse(const char *words, uint32_t *sources);

typedef struct tp_infer tp_infer;
tp_infer *tp_infer_new(const tp_cpa_env *env, uint32_t sources);
void tp_infer_free(tp_infer *x);
/* Predicates for this place, which `from` forgets; each once, in a fixed order. */
void tp_infer_predicates(tp_infer *x, const tp_handover *from, tp_term place,
                         void (*see)(void *ctx, tp_term predicate), void *ctx);

/* infer_mined.c: from the values in from->seen. */
void tp_infer_mine(const tp_cpa_env *env, const tp_handover *from, tp_term place,
                   void (*see)(void *ctx, tp_term predicate), void *ctx);

#endif

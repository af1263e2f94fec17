/* InferPred: the predicates to track instead of the values of a variable that left the precision.
 *
 * What       sources of predicates over an lvalue (a variable, or a memory cell as a term):
 *              syntactic   atoms of the program that mention it; of a cell: those that mention a
 *                          variable that was loaded from it
 *              given       predicates of the environment (a file of an earlier run) that mention
 * the lvalue mined       properties of all values in the reached set: bounds, remainders, relations
 * to other variables Predicates that a refinement finds later need no source here. Represents no
 * facts: predicates are part of a precision. Ownership  terms live in the program's table; the rest
 * belongs to tp_infer. Source     Theoduloz 2010, sec. 4.4.5 (InferPred) and his outlook (invariant
 * mining); Ernst et al. 2001 (what is mined). */
#ifndef TP_CPA_INFER_H
#define TP_CPA_INFER_H

#include "cpa/cpa.h"

typedef enum { TP_INFER_SYNTACTIC = 1, TP_INFER_GIVEN = 2, TP_INFER_MINED = 4 } tp_infer_source;
/* "syntactic mined" -> sources; "none": none. False: an unknown word. */
bool tp_infer_parse(const char *words, uint32_t *sources);

typedef struct tp_infer tp_infer;
tp_infer *tp_infer_new(const tp_cpa_env *env, uint32_t sources);
void tp_infer_free(tp_infer *x);
/* Predicates over this lvalue, which `from` stops tracking; each once, in a fixed order. */
void tp_infer_predicates(tp_infer *x, const tp_precision_transfer *from, tp_term lvalue,
                         void (*visit)(void *ctx, tp_term predicate), void *ctx);

/* infer_mined.c: from the values in from->view. */
void tp_infer_mine(const tp_cpa_env *env, const tp_precision_transfer *from, tp_term lvalue,
                   void (*visit)(void *ctx, tp_term predicate), void *ctx);

#endif

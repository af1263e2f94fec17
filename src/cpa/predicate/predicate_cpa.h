/* Predicate abstraction with adjustable blocks; the interface for refinement.
 *
 * What       the precision of the analysis `predicate` (predicates by location, by function, or for
 *            the whole program), and its elements.
 * Represents an element is an abstraction (a BDD over predicates, at the last block end) and the
 * path formula since then. At block ends
 *            the path formula is abstracted again: Cartesian (each predicate alone) or Boolean (all
 *            combinations).
 * Precision  held by the analysis, grows only; an element computed with fewer predicates stays
 *            sound. A predicate is an expressible term; it is used where all its variables are in
 *            scope.
 * Settings   predicate.blocks      loops-calls (default) | loops | edges       where blocks end
 *            predicate.abstraction cartesian | boolean | none                  none: IMPACT,
 *            formulas come from refinement alone
 *            predicate.precision   location | function | global                what
 *                                  tp_predicate_add means by a location
 *            predicate.initial     none | conditions                           conditions: the
 *                                  branch conditions of the program, everywhere
 *            predicate.infer       some of syntactic given mined; none         adjust =
 * precision-transfer: where predicates come from (cpa/infer.h) predicate.rlimit      N solver steps
 * per question
 * Ownership  terms live in the program's table, precisions with the analysis. */
#ifndef TP_CPA_PREDICATE_PREDICATE_CPA_H
#define TP_CPA_PREDICATE_PREDICATE_CPA_H

#include "cpa/cpa.h"
#include "formula/path.h"

extern const tp_cpa_ops tp_cpa_predicate;

/* The analysis `predicate` inside a composite; NULL: it has none. e: the composite's element; part:
 * its predicate's. */
tp_cpa *tp_predicate_find(const tp_cpa *composite);
const tp_elem *tp_predicate_part(const tp_cpa *composite, const tp_elem *e);

/* Adds a predicate for a location, or by the setting predicate.precision for its function or the
 * program. False: the predicate is there already, or the term is no predicate: a constant, or not
 * expressible. A negation is stored as its argument. */
bool tp_predicate_add(tp_cpa *self, tp_loc at, tp_term predicate);
/* The same for exactly this location, or (NONE) this function, or (NONE) the whole program,
 * whatever the setting. */
bool tp_predicate_add_for(tp_cpa *self, tp_loc at, tp_func func, tp_term predicate);
/* With adjust = precision-transfer inferred predicates are used behind the element that received
 * them. From now on: wherever their variables are in scope, as if they had been added. */
void tp_predicate_use_everywhere(tp_cpa *self);
/* The predicate "false": feasibility of block ends at the location is queried even if there are no
 * other predicates. False: the location is marked already. */
bool tp_predicate_decide(tp_cpa *self, tp_loc at);
bool tp_predicate_is_decided(const tp_cpa *self, tp_loc at);
size_t tp_predicate_n(const tp_cpa *self);  // over all locations and functions
/* Calls see for every predicate; at NONE: global; func NONE unless it is a function's. In a fixed
 * order. */
void tp_predicate_each(const tp_cpa *self,
                       void (*visit)(void *ctx, tp_loc at, tp_func func, tp_term predicate),
                       void *ctx);

/* Was a block ended at this element? Initial elements count. The abstraction there, as a formula;
 * elsewhere: at the last block end. */
bool tp_predicate_is_block_end(const tp_elem *part);
tp_term tp_predicate_formula(tp_cpa *self, const tp_elem *part);
/* The path formula since the last block end; at a block end: of the block that ended there. An
 * initial element's is empty, and main's first block starts with the initial state (tp_path_start).
 * Of the element ANY: NULL. */
const tp_path *tp_predicate_path(const tp_elem *part);
tp_paths *tp_predicate_paths(tp_cpa *self);
/* IMPACT: the same block end with its abstraction strengthened by a formula. */
const tp_elem *tp_predicate_strengthened(tp_cpa *self, const tp_elem *part, tp_term formula);

#endif

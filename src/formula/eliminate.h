/* Elimination of variables from formulas: what is left when some values are not of interest.
 *
 * What       for a formula and variables that shall go ("victims"): a formula without them that
 *            follows from it.
 * Represents the existential quantification, exactly if `exact` says so, else something weaker.
 *            Means: a variable that an equation determines is put in (odd coefficients modulo 2^n);
 *            one that is only compared, by itself, in one sum or extended, is resolved between its
 *            bounds; one that a disequality alone mentions goes with it; Bools take both values;
 *            formulas with disjunctions are taken apart cube by cube, each around a model, until
 *            the cubes cover the formula (at most MAX_CUBES); what still mentions a victim then is
 *            dropped.
 * Law        out follows from t, for all values; checked by nobody here, so callers check what they
 *            build from it.
 * Cost       cubes ask a solver, everything else is rewriting.
 * Source     Komuravelli, Gurfinkel, Chaki 2014 (model-based projection); Fourier-Motzkin for the
 *            bounds; we differ: a victim that resists takes its value in the model. */
#ifndef TP_FORMULA_ELIMINATE_H
#define TP_FORMULA_ELIMINATE_H

#include "smt/smt.h"

typedef struct {
  tp_terms *tt;
  bool (*is_victim)(
      void *ctx,
      tp_term var);  // true also for variables that it does not know: elimination makes new ones
  void *ctx;
  /* What to ask before a formula goes to a solver; NULL: nothing. Its answer must imply its
   * argument. */
  tp_term (*question)(void *ctx, tp_term t);
  tp_smt_options smt;
  uint32_t max_cubes;  // 0: no cubes
} tp_eliminator;

tp_term tp_eliminate(const tp_eliminator *e, tp_term t, bool *exact);

/* Has t a victim? */
bool tp_has_victim(const tp_eliminator *e, tp_term t);
/* The value of var that the equation a = b of bit-vectors determines; NONE: it does not. */
tp_term tp_solve_for(tp_terms *tt, tp_term a, tp_term b, tp_term var);

#endif

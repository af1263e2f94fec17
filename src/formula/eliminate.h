/* Elimination of variables from formulas: projection to the other variables.
 *
 * What       for a formula and a set of variables: a formula without these variables that
 *            follows from the first.
 * Represents the existential quantification, exactly if `exact` says so, else something weaker.
 *            Means: a variable that an equation determines is substituted (odd coefficients modulo
 * 2^n); one that is only compared, by itself, in one sum or extended, is resolved between its
 *            bounds; one that occurs in a single disequality is dropped with it; Bools take both
 * values; formulas with disjunctions are taken apart cube by cube, each around a model, until the
 * cubes cover the formula (at most MAX_CUBES); conjuncts that still contain a variable to eliminate
 * are dropped. Law        out follows from t, for all values; not checked in this module: callers
 * check the formulas that they build from it. Cost       cubes query a solver, everything else is
 * rewriting. Source     Komuravelli, Gurfinkel, Chaki 2014 (model-based projection);
 * Fourier-Motzkin for the bounds; we differ: a variable that no rule eliminates takes its value in
 * the model. */
#ifndef TP_FORMULA_ELIMINATE_H
#define TP_FORMULA_ELIMINATE_H

#include "smt/smt.h"

typedef struct {
  tp_terms *tt;
  bool (*is_eliminated)(
      void *ctx,
      tp_term var);  // true also for unknown variables: elimination makes new ones
  void *ctx;
  /* Prepares a formula for a solver query; NULL: the formula itself. Law: the result implies the
   * argument. */
  tp_term (*query)(void *ctx, tp_term t);
  tp_smt_options smt;
  uint32_t max_cubes;  // 0: no cubes
} tp_eliminator;

tp_term tp_eliminate(const tp_eliminator *e, tp_term t, bool *exact);

/* Does t contain a variable to eliminate? */
bool tp_has_eliminated(const tp_eliminator *e, tp_term t);
/* The value of var that the equation a = b of bit-vectors determines; NONE: it does not. */
tp_term tp_solve_for(tp_terms *tt, tp_term a, tp_term b, tp_term var);

#endif

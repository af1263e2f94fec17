/* The cost of a predicate.
 *
 * What       a number for predicates, so that of several refinements the one is taken that is
 *            likely to be an invariant.
 * Represents few variables are cheap; a constant that does not stand in the program, nor beside one
 *            that does, comes from unrolling a loop and is costly; so is a loop's counter that
 *            equals a constant.
 * Source     Beyer, Loewe, Wendler 2015 (refinement selection); we differ: constants instead of
 *            types of variables. */
#ifndef TP_BLOCKS_PREDICATE_COST_H
#define TP_BLOCKS_PREDICATE_COST_H

#include "program/program.h"

typedef struct {
  const tp_program *p;
  tp_map constants;  // (width, value) of constants in the program, and of their neighbours -> 1
  tp_map counters;   // variables that are added to in a loop -> 1
} tp_predicate_costs;
void tp_predicate_costs_init(tp_predicate_costs *w, const tp_program *p);
void tp_predicate_costs_clear(tp_predicate_costs *w);

uint32_t tp_predicate_cost(const tp_predicate_costs *w, tp_term predicate);

#endif

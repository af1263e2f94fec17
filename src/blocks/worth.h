/* What a predicate is worth.
 *
 * What       a price for predicates, so that of several refinements the one is taken that is likely
 *            to be an invariant.
 * Represents few variables are cheap; a constant that does not stand in the program, nor beside one
 * that does, comes from unrolling a loop and is
 *            dear; so is a loop's counter that equals a constant.
 * Source     Beyer, Loewe, Wendler 2015 (refinement selection); we differ: constants instead of
 *            types of variables. */
#ifndef TP_BLOCKS_WORTH_H
#define TP_BLOCKS_WORTH_H

#include "program/program.h"

typedef struct {
  const tp_program *p;
  tp_map constants;  // (width, value) of constants in the program, and of their neighbours -> 1
  tp_map counters;   // variables that are added to in a loop -> 1
} tp_worth;
void tp_worth_init(tp_worth *w, const tp_program *p);
void tp_worth_clear(tp_worth *w);

enum { TP_WORTH_UNROLLED = 40 };  // the price of what comes from unrolling, at least
uint32_t tp_worth_price(const tp_worth *w, tp_term predicate);

#endif

/* The lowered problem: what a back end gets to see, kept up to date fact by fact.
 *
 * What       lowered facts with the side facts of their helper variables, the variables and
 *            theories that occur; frames, so that pop costs what was pushed.
 * Invariants a fact's side facts and links are in the same frame or below it. */
#ifndef TP_SMT_LOWERED_PROBLEM_H
#define TP_SMT_LOWERED_PROBLEM_H

#include "smt/lower.h"

typedef struct {
  size_t facts, vars, trail, linked;
  unsigned theories;
} tp_problem_frame;

typedef struct {
  tp_terms *tt;
  tp_lower *lower;
  TP_VEC(tp_term) facts;
  TP_VEC(tp_term) vars;
  TP_VEC(tp_problem_frame) frames;  // sizes at each push
  TP_VEC(size_t) starts;            // frames[i].facts, as back ends want it
  TP_VEC(uint8_t) visited;          // by id of lowered term
  TP_VEC(tp_term) trail;            // visited, in order
  uint32_t n_pops;
  TP_VEC(tp_term) todo;
  size_t linked;  // base constants linked to the base array so far
  unsigned theories;
  bool left_out;  // some fact or assumption could not be lowered
} tp_problem;

void tp_problem_init(tp_problem *p, tp_terms *tt);
void tp_problem_clear(tp_problem *p);
void tp_problem_push(tp_problem *p);
void tp_problem_pop(tp_problem *p);
/* The invariants: what is visited is the trail, each term once; variables are visited; frames
 * ascend. Linear in the terms; for assertions. */
bool tp_problem_check(const tp_problem *p);
/* False: the fact cannot be lowered; it is left out, which weakens the problem. */
bool tp_problem_add_fact(tp_problem *p, tp_term fact);
/* Lower an assumption and add what must be asserted with it. False: as above. */
bool tp_problem_add_assumption(tp_problem *p, tp_term assumption, tp_term *lowered);

#endif

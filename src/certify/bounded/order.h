/* In which order the locations of an unrolled function are visited.
 *
 * What       for each location the nest of loops around it and its position at every level.
 * Represents a weak topological order: locations are split into strongly connected components,
 *            each component with a cycle has a head, and what remains without the head is split
 *            again. An unrolled location is (location, turns of each loop around it); comparing
 *            positions and turns level by level, every edge leads to a greater one, so that a
 *            visit in this order sees all predecessors first.
 * Law        nothing depends on this order being a good one: a bad head only costs merges. That
 *            every cycle passes a head is what makes the unrolling finite.
 * Source     Bourdoncle 1993, sec. 4; own code, so that program/loops.c need not be believed. */
#ifndef TP_CERTIFY_BOUNDED_ORDER_H
#define TP_CERTIFY_BOUNDED_ORDER_H

#include "program/program.h"

typedef struct {
  uint32_t position;   // within its level
  uint32_t component;  // the loop entered at this level; 0 at the last level
} tp_chk_level;

typedef struct {
  TP_VEC(tp_chk_level) levels;  // at least one, when known
  bool is_head;                 // of the component at the level before its last
} tp_chk_nesting;

typedef struct {
  const tp_program *p;
  tp_chk_nesting *places;     // by location
  bool *has_order;            // by function
  const uint32_t *preferred;  // by location: rank as a head, 0: none; borrowed
  uint32_t n_components;
} tp_chk_order;
/* preferred: heads that the certificate names, the smallest rank of a component becomes its head;
 * without one it is the location reached first. */
void tp_chk_order_init(tp_chk_order *o, const tp_program *p, const uint32_t *preferred);
void tp_chk_order_clear(tp_chk_order *o);
/* Places of all locations of f that its entry reaches; computed at the first call. */
void tp_chk_order_of_func(tp_chk_order *o, tp_func f);
static inline const tp_chk_nesting *tp_chk_order_place(const tp_chk_order *o, tp_loc l) {
  return &o->places[l.id];
}

/* The number of turns of each loop around a location. */
typedef struct {
  tp_loc loc;
  uint32_t n;            // loops around loc
  uint32_t *iterations;  // n of them, outermost first
} tp_chk_visit;
/* The visit that an edge from `from` to location `to` leads to; turns are cut from `arena`. */
tp_chk_visit tp_chk_order_follow(const tp_chk_order *o, tp_chk_visit from, tp_loc to,
                                 tp_arena *arena);
/* < 0, 0, > 0: a before, same as, after b. Both of one function. */
int tp_chk_order_compare(const tp_chk_order *o, tp_chk_visit a, tp_chk_visit b);

#endif

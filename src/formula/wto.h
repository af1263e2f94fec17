/* Weak topological order of a function's locations: the order in which unrolling merges.
 *
 * What       a linear order in which every loop (component) is contiguous, its head first, and
 *            every edge that goes backwards leads to the head of a component that contains its
 *            source.
 * Represents nested components; irreducible control flow is fine, the head is then the first
 *            location of the component in reverse postorder.
 * Ownership  tables are freed with tp_wto_clear.
 * Source     Bourdoncle, Efficient chaotic iteration strategies with widenings, 1993, sec. 3; we
 *            compute the components top down, without recursion. */
#ifndef TP_FORMULA_WTO_H
#define TP_FORMULA_WTO_H

#include "program/program.h"

typedef struct {
  tp_loc head;
  uint32_t first, last;  // positions of the head and of the last location of the component
  uint32_t parent;       // enclosing component, index; 0: none
  uint32_t depth;        // 1: outermost
} tp_wto_component;

typedef struct {
  tp_func func;
  TP_VEC(tp_loc) order;                 // position -> location
  TP_VEC(tp_wto_component) components;  // [0] unused; outer ones before inner ones
  tp_map position;                      // location id -> position
  TP_VEC(uint32_t) inner;               // position -> innermost component, 0: none
} tp_wto;

void tp_wto_init(tp_wto *w, const tp_program *p, tp_func f);  // f has a body
void tp_wto_clear(tp_wto *w);
/* The definition: components nest, each position knows its innermost one, and an edge that does not
 * go forwards leads to the head of a component around its start. Edges times depth; for assertions.
 */
bool tp_wto_check(const tp_wto *w, const tp_program *p);
uint32_t tp_wto_position(const tp_wto *w, tp_loc l);  // UINT32_MAX: not reachable from the entry
static inline bool tp_wto_inside(const tp_wto *w, uint32_t component, uint32_t position) {
  return w->components.at[component].first <= position &&
         position <= w->components.at[component].last;
}

#endif

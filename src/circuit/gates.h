/* Boolean circuits with sharing.
 *
 * What       gates over inputs, built bottom-up; equal gates are made once, constants are folded.
 * Represents a literal is a node or its negation; node 0 is the constant false. XOR, ITE and
 *            MAJORITY are gates of their own, because adders and comparisons are made of them and
 *            their clauses are fewer than those of the ANDs they could be built from.
 * Invariants arguments are older than the gate; an argument of XOR and the first of ITE and
 *            MAJORITY are not negated, arguments that commute are sorted. Same calls, same ids.
 * Ownership  embedded in its owner: tp_gates_clear frees the rest. Gates are never removed.
 * Source     Kuehlmann et al. 2002 (AND-inverter graphs, two-level rules); we differ: four kinds of
 *            gates. */
#ifndef TP_CIRCUIT_GATES_H
#define TP_CIRCUIT_GATES_H

#include "base/base.h"

typedef struct {
  uint32_t id;
} tp_lit;  // 2 * node + negated
#define TP_LIT_FALSE ((tp_lit){0})
#define TP_LIT_TRUE ((tp_lit){1})
static inline tp_lit tp_lit_of(bool value) { return (tp_lit){value}; }
static inline tp_lit tp_lit_not(tp_lit a) { return (tp_lit){a.id ^ 1}; }
static inline tp_lit tp_lit_flip(tp_lit a, bool negate) { return (tp_lit){a.id ^ negate}; }
static inline bool tp_lit_eq(tp_lit a, tp_lit b) { return a.id == b.id; }
static inline uint32_t tp_lit_node(tp_lit a) { return a.id >> 1; }
static inline bool tp_lit_is_negated(tp_lit a) { return a.id & 1; }
static inline bool tp_lit_is_const(tp_lit a) { return a.id <= 1; }

typedef enum {
  TP_GATE_CONST,
  TP_GATE_INPUT,
  TP_GATE_AND,
  TP_GATE_XOR,
  TP_GATE_ITE,
  TP_GATE_MAJORITY
} tp_gate_kind;
typedef struct {
  uint32_t kind;
  tp_lit arg[3];
} tp_gate;

typedef struct {
  TP_VEC(tp_gate) nodes;
  TP_VEC(uint32_t) uses;  // as argument of how many gates
  uint32_t *slots;        // hash table of nodes, 0: free
  size_t n_slots;
} tp_gates;

void tp_gates_init(tp_gates *g);
void tp_gates_clear(tp_gates *g);
/* The invariants above: topological order, normal forms, literals in range, no gate twice and each
 * in its hash slot, counts of uses. Linear; for check builds and tests. */
bool tp_gates_check(const tp_gates *g);
uint32_t tp_gate_n_args(tp_gate_kind k);

tp_lit tp_gate_input(tp_gates *g);  // a new one each time
tp_lit tp_gate_and(tp_gates *g, tp_lit a, tp_lit b);
tp_lit tp_gate_or(tp_gates *g, tp_lit a, tp_lit b);
tp_lit tp_gate_xor(tp_gates *g, tp_lit a, tp_lit b);
tp_lit tp_gate_ite(tp_gates *g, tp_lit c, tp_lit a, tp_lit b);
tp_lit tp_gate_majority(tp_gates *g, tp_lit a, tp_lit b, tp_lit c);
/* For tests: the n-th gate made from now on (from 1), in any circuit, is the negation of what it
 * should be. 0 disarms. */
void tp_gates_inject(uint64_t at_gate);
/* The value of a gate from those of its arguments; INPUT and CONST have none. */
bool tp_gate_apply(tp_gate_kind k, bool a, bool b, bool c);

#endif

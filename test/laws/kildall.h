/* Kildall's data-flow analysis: the textbook's worklist, with its own idea of the graph.
 *
 * What       the least solution of  R[entry] above d0,  R[l] above post(R[k], g) for every step g
 *            from k to l, by joins, over a domain given as functions.
 * Represents one value for each node that some value reaches; a node is a location, or a location
 * with a call string. Values are only
 *            compared and joined, never looked into.
 * Law        shares nothing with cpa/: steps are read off the model here, nodes are taken from the
 *            worklist in random order. No recursion in the program. Ends if the domain has no
 *            infinite chains.
 * Source     Kildall 1973; the encoding that it is compared with: Theoduloz 2010, sec. 3.3.1. */
#ifndef TP_LAWS_KILDALL_H
#define TP_LAWS_KILDALL_H

#include "cpa/cpa.h"

typedef struct {
  void *ctx;
  const void *(*post)(void *ctx, const void *d, const tp_step *g);  // NULL: nothing comes through
  const void *(*join)(void *ctx, const void *a, const void *b);
  bool (*leq)(void *ctx, const void *a, const void *b);
} kildall_domain;

/* A call string: the calls that are active. Chain 0 is main's, and the only one if call strings are
 * off. */
typedef struct {
  uint32_t parent;
  tp_edge call;
} kildall_chain;

typedef struct {
  tp_loc loc;
  uint32_t chain;
  const void *value;
  bool waiting;
} kildall_fact;

typedef enum { KILDALL_FLAT, KILDALL_CALL_STRINGS } kildall_mode;
typedef struct {
  const tp_program *p;
  kildall_domain d;
  kildall_mode mode;
  TP_VEC(kildall_chain) chains;
  TP_VEC(kildall_fact) facts;
  tp_map index;  // (chain, location) -> fact + 1
  size_t n_waiting;
  uint64_t n_steps;  // posts computed
} kildall;

void kildall_solve(kildall *k, const tp_program *p, kildall_domain d, kildall_mode mode,
                   const void *d0, uint64_t seed);
void kildall_clear(kildall *k);
const kildall_fact *kildall_find(const kildall *k, tp_loc loc,
                                 uint32_t chain);  // NULL: nothing gets there

/* The steps from a fact, with the node that each leads to. */
typedef struct {
  tp_step step;
  tp_loc loc;
  uint32_t chain;
} kildall_step;
typedef TP_VEC(kildall_step) kildall_steps;
void kildall_steps_from(kildall *k, tp_loc loc, uint32_t chain, kildall_steps *out);

#endif

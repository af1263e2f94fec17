/* Recursion by summaries: the interprocedural loop around the one algorithm.
 *
 * What       a reached set in which a recursive function is analysed on its own, in a root context,
 *            under a contract: entry E_k (the join of its callers' states) and exits X_k (the
 *            states at its exit). A SUMMARY step goes from a call to the states behind it:
 * expand(before, x) for each x of X_k; no exits yet, no successors yet. Represents once the run is
 * DONE: every call of a recursive function in the reached set enters the function in a state of
 * some E_k, and every run of its body from E_k that returns does so in a state of X_k; so the
 *            reached set covers all runs.
 * How        E_k grows (join, then widen) by new callers' states, X_k by new exit states; then the
 *            nodes that used the contract are expanded again. A function has few entries; a
 *            state that none of them covers is joined to the last. Functions without body have
 *            the contract TRUE.
 * Use        for every program, recursive or not: without recursion it is tp_cpa_run.
 * Source     Sharir, Pnueli 1981 (the functional approach), with abstract entries as contexts. */
#ifndef TP_CPA_RECURSION_H
#define TP_CPA_RECURSION_H

#include "cpa/algorithm.h"
#include "program/summary.h"

typedef struct {
  tp_func func;
  tp_context root;                // of the number of the contract; NONE: the function has no body
  const tp_elem *entry;           // E_k
  TP_VEC(const tp_elem *) exits;  // X_k: few if the analysis has joins; none: does not return
  uint32_t node;                  // of the entry in the reached set; 0: no body
  uint32_t n_entry_growths, n_exit_growths;
  TP_VEC(uint32_t) users;  // nodes with a SUMMARY step that took X_k; may repeat
} tp_contract;

typedef struct tp_recursion tp_recursion;
/* The reached set starts with main's initial element. */
tp_recursion *tp_recursion_new(tp_cpa *cpa, tp_wait_order order);
void tp_recursion_free(tp_recursion *r);
tp_reached *tp_recursion_reached(tp_recursion *r);
/* As tp_cpa_run, over all contracts until nothing changes. Resumable in the same way. DONE alone
 * makes the reached set and the contracts a proof. */
tp_cpa_result tp_recursion_run(tp_recursion *r, tp_cpa_limits limits);

/* Lazy abstraction (tp_reached_cut): removes the node (0: main's initial node) with all
 * descendants. Contracts were computed with the old precision, so if a body was analysed, the whole
 * reached set is explored again; node numbers are not used twice all the same. */
void tp_recursion_cut(tp_recursion *r, uint32_t node);

/* Contracts are 1 .. n: the numbers in the root contexts of the reached set. */
size_t tp_recursion_n(const tp_recursion *r);
const tp_contract *tp_recursion_contract(const tp_recursion *r, uint32_t k);
/* As summaries, in order, so numbers stay when out was empty: pre = formula(E_k), post = the
 * disjunction of the formulas of X_k. Conjuncts over variables that are not in scope in pre
 * or post (locals; parameters in post) are left out. */
void tp_recursion_summaries(tp_recursion *r, const char *engine, tp_summaries *out);

#endif

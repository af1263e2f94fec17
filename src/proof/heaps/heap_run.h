/* One run of the engine heaps: the heaps that were met, and the contracts of functions that call
 * themselves.
 *
 * What       the state that the search (heaps_engine.c) and its contracts (heap_contracts.c) share.
 * Represents heaps at a place by their text without facts, numbered as they were met, each with the
 *            facts that hold of all heaps with that text.
 * Ownership  the run owns heaps, contexts, contracts; one exploration ends with forget_search. */
#ifndef TP_PROOF_HEAPS_HEAP_RUN_H
#define TP_PROOF_HEAPS_HEAP_RUN_H

#include "cpa/context.h"
#include "engine/engine.h"
#include "proof/heaps/cell_facts.h"
#include "program/effects.h"

/* Numbers of symbols: those before calls, and others of the same contract. */
enum { TP_HEAP_FIRST_SYMBOL = 1, TP_HEAP_FIRST_OTHER_SYMBOL = 1000 };

typedef struct {
  tp_func func;
  uint32_t root;
  tp_symheap *pre;
  tp_term_list symbols;  // of pre: what stands at parameters
  tp_map numbers;        // theirs in the text
  tp_symheap_list posts;
  TP_VEC(const char *) texts;  // of posts
} tp_heap_contract;
typedef struct {
  const char *text;
  tp_cell_masks holds;  // of variables, then of objects and parts as they are written
} tp_heap_entry;
typedef struct {
  const tp_task *task;
  const tp_program *p;
  const tp_budget *budget;
  tp_stats *stats;
  tp_symheap_search x;
  tp_symheap_kinds kinds;
  tp_liveness *liveness;
  tp_effects effects;
  tp_locals locals;
  bool *is_flag, *is_index;  // by variable
  bool *may_be_null;         // by parameter of a contract: some call gives it null
  tp_names *texts;
  tp_map readings;                     // kinds that were tried, by the number of their text
  tp_contexts contexts;                // roots: main, and bodies of contracts
  TP_VEC(tp_heap_contract) contracts;  // the same
  TP_VEC(tp_heap_entry) entries;
  tp_map seen;  // number of the text without facts -> entry
  tp_map n_at;  // heaps at a place (place_of)
  tp_symheap_list todo;
  bool posts_changed;
  bool has_levels;         // links are read as levels of skip lists
  bool has_lost;           // some heap has cells that nothing leads to
  bool goes_back;          // ... or nothing but links back
  bool has_lost_in_proof;  // ... of the proof that was kept
  uint32_t n_place;        // heaps at a place
  uint64_t steps;
  double start_s;
} tp_heap_run;

/* The search ends for this reason, at the heap's location; the first one stays. */
static inline void tp_heap_run_give_up(tp_heap_run *r, const tp_symheap *s, const char *reason) {
  if (r->x.reason) return;
  r->x.reason = reason;
  r->x.where = s->loc;
}

// heap_contracts.c
/* The call of a function with a contract: its structures go, and what its body ended with so far
 * comes back, a heap for each. Takes s. */
void tp_heap_call_by_contract(tp_heap_run *r, tp_symheap *s, const tp_edge_info *e);
/* The body of the contract ends with this heap. Takes s. */
void tp_heap_leave_body(tp_heap_run *r, tp_symheap *s, uint32_t contract);
/* The contract whose body is the bottom frame; 0: main is. */
uint32_t tp_heap_contract_at_bottom(const tp_heap_run *r, uint32_t context);
/* Where a heap has a symbol of its own for what the contract gave, it gets the contract's. */
void tp_heap_name_given(tp_heap_run *r, tp_symheap *s, const tp_heap_contract *k);
/* The text in a certificate, behind `head`; the same for equal heaps. contract: at the bottom.
 * order: as for tp_symheap_print. */
const char *tp_heap_text_of(tp_heap_run *r, const char *head, const tp_symheap *s,
                            uint32_t contract, uint32_t *order);
void tp_heap_forget_contracts(tp_heap_run *r);

#endif

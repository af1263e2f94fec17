/* The largest inductive subset of candidates.
 *
 * What       candidates at nodes of the block graph are assumed all together and dropped one after
 *            the other where a block does not preserve them, until those left are inductive
 *            together: what is left holds in every run.
 * Represents invariants, proved in bit-vectors; imported invariants (of an abstract interpretation,
 *            say) are assumed and stay. A candidate about which a solver gives up is dropped: less
 *            is proved, never more.
 * Ownership  tables of formulas by node are made with _init and end with _clear.
 * Source     Flanagan, Leino 2001 (Houdini). */
#ifndef TP_BLOCKS_HOUDINI_H
#define TP_BLOCKS_HOUDINI_H

#include "blocks/blocks.h"
#include "blocks/mine.h"

/* Formulas by node of the graph. */
typedef struct {
  tp_term_list *at;
  size_t n_nodes;
} tp_node_formulas;
void tp_node_formulas_init(tp_node_formulas *f, const tp_blocks *b);
void tp_node_formulas_clear(tp_node_formulas *f);
/* Unless it is there already, is trivial, speaks of what does not exist at the node, or the node is
 * main's entry or bad. */
void tp_node_formulas_add(tp_node_formulas *f, const tp_blocks *b, uint32_t node, tp_term formula);
/* Candidates of a location, at all its nodes. */
void tp_node_formulas_add_all(tp_node_formulas *f, const tp_blocks *b,
                              const tp_mined_candidates *c);

/* Along some block from a node to another, a fact is kept because this one held before. */
typedef struct {
  uint32_t from, node;
  tp_term premise, fact;
} tp_premise;
typedef TP_VEC(tp_premise) tp_premise_list;

typedef struct {
  const char *backend;  // of the solver; NULL: mixed, since the questions about a block share most
                        // of their terms
  tp_stats *stats;
  uint64_t rlimit;                 // solver steps for one question; 0: default
  bool takes_time;                 // questions with products have as many as others
  double until_s;                  // reading of tp_cpu_s() at which it ends; 0: none
  bool (*should_stop)(void *ctx);  // may be NULL
  void *ctx;
  tp_premise_list *why;  // gets the premises of all that is proved; may be NULL
} tp_houdini_options;

/* imported: by node, invariants whose conjunctions are inductive together; or NULL. proved: more of
 * them, which are taken only where they are needed; or NULL. found: initialised; gets the
 * candidates that are invariants. False: a limit ended it; then nothing is proved and found is as
 * it was. */
bool tp_houdini(const tp_blocks *b, const tp_term *imported, const tp_node_formulas *proved,
                const tp_node_formulas *candidates, tp_houdini_options o, tp_node_formulas *found);

#endif

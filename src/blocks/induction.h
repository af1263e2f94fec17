/* Queries of induction over k blocks.
 *
 * What       over a block graph with known invariants: is a bad node reached behind exactly k
 *            blocks from the start of the program (base); is one reached behind k blocks from some
 *            node, with the invariants at every node of the path and nothing bad before (step).
 * Represents all paths of k blocks at once: paths of one length that meet at a node are joined, so
 *            a query is linear in k.
 * Law        if base has no path for 0 .. k, and step has none for k, no run comes to a bad node.
 * Ownership  the base's paths and the last query's solver, until _clear.
 * Source     Sheeran, Singh, Stalmarck 2000 (k-induction); Beyer, Dangl, Wendler 2015 (with
 *            invariants along the path). */
#ifndef TP_BLOCKS_INDUCTION_H
#define TP_BLOCKS_INDUCTION_H

#include "blocks/blocks.h"
#include "smt/smt.h"

/* All paths of one length from one node: by node, one path or none. */
typedef struct {
  tp_path *at;
  bool *has;
} tp_node_paths;

typedef struct {
  const tp_blocks *b;
  const tp_term *known;  // by node, borrowed; may get stronger between questions
  tp_smt_options options;
  tp_node_paths base;  // from the start
  uint32_t n_base;     // their length
  tp_smt *solver;      // of the last question
  tp_term question;    // the last one: a condition over the state where its paths start, and inputs
  uint32_t from;       // step that failed: the node where it starts
} tp_induction;

void tp_induction_init(tp_induction *x, const tp_blocks *b, const tp_term *known,
                       tp_smt_options options);
void tp_induction_clear(tp_induction *x);
// paths for other queries, with x->known assumed at every node on them
tp_node_paths tp_induction_paths_from(tp_induction *x, uint32_t node);  // of no block
tp_node_paths tp_induction_extended(
    tp_induction *x, const tp_node_paths *w,
    const bool *follows);  // one block more, to nodes that `follows` allows (NULL: all)
void tp_induction_clear_paths(const tp_blocks *b, tp_node_paths *w);

/* UNSAT: no path of exactly k blocks leads to a bad node. k counts up from 0, one call for each. */
tp_smt_answer tp_induction_base(tp_induction *x, uint32_t k);
/* The last base was not UNSAT. Does it hold all the same, since no run fails in which no loop has
 * more than `bounded` iterations? Only if none of its paths leads to an unmodelled location in its
 * next block, behind which paths are not followed. */
bool tp_induction_base_is_excused(tp_induction *x, uint32_t bounded);
/* UNSAT: for all nodes. SAT: x->from, and the model of tp_induction_value. */
tp_smt_answer tp_induction_step(tp_induction *x, uint32_t k);
/* In the state where the failing step starts. */
bool tp_induction_value(tp_induction *x, tp_term t, tp_value *out);

#endif

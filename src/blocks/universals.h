/* Facts about all values of an index, and the largest inductive subset of candidates for them.
 *
 * What       a universal candidate is a body over index symbols, which belong to no program; it is
 *            shown behind a block for symbols of which nothing is known, and used before it for
 *            these symbols and for the indices at which it speaks of a cell that the block reads.
 * Represents (FORALL N body) at nodes of the block graph, in certificates; bit-precise, wraps of
 *            indices included.
 * Law        what is left is inductive together with what was known, whatever instances are chosen:
 *            too few of them lose a candidate.
 * Ownership  lists by node are made with _init and end with _clear.
 * Source     Flanagan, Leino 2001 (Houdini); instances at the indices read: Bradley, Manna, Sipma
 *            2006; one distinguished cell: Monniaux, Gonnord 2016 (cell morphing). */
#ifndef TP_BLOCKS_UNIVERSALS_H
#define TP_BLOCKS_UNIVERSALS_H

#include "blocks/candidate_folds.h"
#include "blocks/houdini.h"
#include "blocks/known_words.h"

enum { TP_INDICES = 2 };  // of one candidate

typedef struct {
  tp_term open;    // over index symbols
  tp_term range;   // where it says something; TRUE: everywhere
  tp_term closed;  // (FORALL N ...): what a certificate says
  bool is_left;
  bool is_contradicted;  // some run has a state in which it is false: it does not come back
  bool is_met;           // some run has a state and indices in the range
  bool is_filtered;      // runs were looked at
  bool is_proved;        // inductive with all others that are proved, whatever else is left
} tp_universal_candidate;

typedef struct {
  const tp_blocks *b;
  TP_VEC(tp_term) indices;  // symbols
  tp_map index_of;          // slot << 32 | sort -> symbol
  struct tp_universal_list {
    TP_VEC(tp_universal_candidate) list;
  } *at;                 // by node
  bool *is_hard;         // by block: candidates behind it are asked about one by one
  bool *is_slow;         // by block: a solver that holds premises of earlier questions gives up
  tp_folds folds;        // that candidates may read
  tp_known_words words;  // of questions
  bool was_long;         // a long run was seen already: one is enough, they take time
} tp_universals;
void tp_universals_init(tp_universals *u, const tp_blocks *b);
void tp_universals_clear(tp_universals *u);
/* Questions are asked in words for what is known by node, which stays known from now on. */
void tp_universals_know(tp_universals *u, const tp_term *known);
/* The symbol of the slot-th index of candidates, of this bit-vector sort. */
tp_term tp_universal_index(tp_universals *u, uint32_t slot, tp_sort sort);
/* Adds a candidate, once more if it was dropped, unless it is trivial, or speaks of what does not
 * exist at the node. One without an index is a formula whose proof may need those with one. */
void tp_universals_add(tp_universals *u, uint32_t node, tp_term open);
/* The same of `body` wherever `range` holds. */
void tp_universals_add_in(tp_universals *u, uint32_t node, tp_term range, tp_term body);

/* Drops all of them; they come back where they are added once more. */
void tp_universals_drop(tp_universals *u);
/* Keeps the first ones at each node, as many as are tried together. */
void tp_universals_trim(tp_universals *u);
/* Drops candidates until what is left is inductive with `known`, by node. False: a limit ended it.
 */
bool tp_universals_prune(tp_universals *u, const tp_term *known, tp_houdini_options o);
/* Do what is known and the candidates that are left exclude all blocks to bad nodes? */
bool tp_universals_exclude_errors(tp_universals *u, const tp_term *known, tp_houdini_options o);
/* The same of candidates that are left, each of which was shown by the others alone: while they are
 * pruned, what was dropped lends its indices to instances of others, which a check does not find.
 */
bool tp_universals_prove(tp_universals *u, const tp_term *known, tp_houdini_options o);
/* Candidates that are left, at all nodes. */
size_t tp_universals_n_left(const tp_universals *u);
/* Drops what the exclusion of errors does not need, and proves what is left as above: certificates
 * become small. False: not within the limits; nothing is dropped. requires: candidates were pruned,
 * and exclude the errors. */
bool tp_universals_shrink(tp_universals *u, const tp_term *known, tp_houdini_options o);

#endif

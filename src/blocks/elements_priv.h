/* Inside of candidates about elements: what the program's blocks say of arrays (private to
 * elements*.c).
 *
 * What       counters and walkers give indices, comparisons give ends of ranges, stores and
 *            conditions give bodies; elements.c puts bodies into ranges.
 * Invariants terms are over the state before a block. A body speaks of a cell at an index symbol.
 * Ownership  a maker lives for one call of tp_elements_add. */
#ifndef TP_BLOCKS_ELEMENTS_PRIV_H
#define TP_BLOCKS_ELEMENTS_PRIV_H

#include "blocks/blocks_limits.h"
#include "blocks/elements.h"

/* A variable that a block moves by a constant. */
typedef struct {
  tp_term symbol;
  uint64_t step;  // its absolute value, the smallest that was seen
  bool is_down;   // some block moves it downwards
} elements_counter;

/* A pointer that a block moves by a constant number of bytes: like an index, counted from where it
 * starts. */
typedef struct {
  tp_term symbol, base;
  uint64_t step;
  tp_term at;  // (offset of symbol - offset of base) / step
} elements_walker;

typedef struct {
  tp_term open;  // over index symbols
  tp_sort sorts[TP_INDICES];
  uint32_t n_indices;
  bool is_unsigned;
} elements_body;

/* Cells of one array that the program orders: the cell at an index symbol. */
typedef struct {
  tp_term cell;                               // at index 0
  tp_sort sort;                               // of the index
  tp_term_kind order;                         // SLE or ULE
  bool is_unsigned;                           // the index
  tp_term others[TP_BLOCKS_UNIVERSAL_TAKEN];  // variables that cells are compared with
  tp_term places[TP_BLOCKS_UNIVERSAL_TAKEN];  // variables, no counters, whose cells are compared
  uint32_t n_others, n_places;
} elements_order;

/* A store of a block, over the state before it. */
typedef struct {
  const tp_block *block;
  tp_term cell, value;
} elements_write;

/* What a counter is, by another one that its loop moves, too. */
typedef struct {
  uint32_t node;
  tp_term counter, value;
} elements_relation;

/* A fold that a loop computes; variables have it and `plus`. */
typedef struct {
  tp_invariant_fold fold;
  tp_term plus;
  bool is_sum;  // its step adds to what came before
} elements_fold;

/* A variable, or the cell at an index, that is at most `most` more in each iteration. */
typedef struct {
  tp_term value;
  tp_term index;  // NONE: a variable
  bool is_unsigned;
  uint64_t most;
} elements_growth;

/* Between which values a cell is that a block writes. */
typedef struct {
  const tp_block *block;
  tp_term cell;   // at index symbol 0
  tp_term said;   // over the state before the block, of the cell that is written
  uint64_t most;  // without sign; UINT64_MAX: not bounded
} elements_span;

typedef struct {
  tp_universals *u;
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_node_formulas *variables;
  const tp_term *known;  // by node
  tp_map settled;        // of the block that is looked at: variable -> what it is known to be
  TP_VEC(elements_counter) counters;  // of all nodes
  TP_VEC(elements_walker) walkers;
  tp_term_list *counters_at;
  tp_term_list *places_at;    // variables and fields that an iteration gives a counter's value
  tp_term_list starts, ends;  // of ranges
  tp_term_list mirrors;       // ends that speak of other counters: n - 1 - i
  TP_VEC(elements_relation) relations;
  TP_VEC(elements_body) bodies;
  TP_VEC(elements_order) orders;
  TP_VEC(elements_write) writes;
  TP_VEC(elements_fold) folds;
  tp_term_list fold_starts;      // of loops downwards whose folds count iterations
  const tp_block *block;         // whose stores are looked at
  tp_map kept;                   // of it: input -> variable that has it behind the block
  tp_term_list bounds;           // of searches
  tp_term_list last_written;     // variables that are in a cell behind the block that writes it
  TP_VEC(elements_body) probes;  // what searches ask of the cell between their bounds
  TP_VEC(elements_growth) growths;
  TP_VEC(elements_span) spans;
  tp_term_list plain;    // candidates without an index
  tp_term_list guards;   // conditions about variables alone
  tp_term_list fields;   // numbers in single cells that no index chooses
  tp_term_list singles;  // addresses of single cells that are written
  bool has_spans;        // spans of what is written are bodies, too
  bool is_wide;          // candidates are made under guards, and but for single cells
  bool is_last;          // and once more without guards, with those of the last level
  bool is_search;        // only what searches ask is looked at
  bool is_error;         // what leads to an error is looked at
} elements_maker;

// ------------------------------------------------------------- all over (elements_counters.c)

/* Is t a read of memory? ctx: a maker. */
bool elements_is_any_cell(void *ctx, const tp_terms *tt, tp_term t);
bool elements_is_pointer(const elements_maker *m, tp_term t);
bool elements_is_unsigned(const elements_maker *m, tp_term symbol);
/* Adds t unless it is there, or the list has `most`. */
void elements_push_once(tp_term_list *l, tp_term t, size_t most);

// ------------------------------------------------------- known values (elements_settled.c)

/* Looks up what variables are known to be at the node: constants, and variables of main for
 * parameters of others. */
void elements_settle(elements_maker *m, uint32_t node);
/* t in these words. */
tp_term elements_settled(elements_maker *m, tp_term t);
/* Notes inputs that a variable has behind the block: later words for them. */
void elements_find_kept(elements_maker *m, const tp_block *k);
/* What v is behind the block, in words of its end where they are known. */
tp_term elements_entered_with(elements_maker *m, const tp_block *k, tp_term v);

// ------------------------------------------------------------ counters (elements_counters.c)

/* An integer of 8 to 64 bits. */
bool elements_is_index_number(const elements_maker *m, tp_term v);
/* v behind the block, over the state before it; flat. */
tp_term elements_after(const elements_maker *m, const tp_block *k, tp_term v);
/* What v may be behind a block where it is `after`: leaves of conditionals. */
void elements_leaves(const elements_maker *m, tp_term v, tp_term after, tp_term_list *out);
/* Is some leaf of the conditional `after` v + constant, which is not 0? *step: the constant. */
bool elements_is_moved(const elements_maker *m, tp_term v, tp_term after, int64_t *step);
static inline uint64_t elements_size_of_step(int64_t step) {
  return step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
}
/* The counter with this symbol; NULL: it is none. */
const elements_counter *elements_counter_of(const elements_maker *m, tp_term symbol);
void elements_find_counters(elements_maker *m);
/* Does t speak of a counter or a walker? */
bool elements_has_counter(const elements_maker *m, tp_term t);
/* Does t speak of a counter of the node? One of another loop may be where a counter begins. */
bool elements_is_counted_at(const elements_maker *m, uint32_t node, tp_term t);
/* Where counters begin: what they are behind a block that does not come from their loop. */
void elements_find_starts(elements_maker *m);
/* What counters are compared with. */
void elements_find_ends(elements_maker *m);

// --------------------------------------------------------- relations (elements_relations.c)

/* Counters of one loop by each other; after starts. */
void elements_find_relations(elements_maker *m);
/* Candidates: relations, sums of counters, and that counters stay where their steps lead. */
void elements_add_relations(elements_maker *m);
/* What variables have of cells behind a block that moves counters on: a list of candidates without
 * an index. */
void elements_find_kept_cells(elements_maker *m, const tp_block *k);
/* t, over the state before the block, in counters as they are behind it; `but` is a symbol of there
 * already. False: it speaks of something else that the block changes. */
bool elements_seen_from_behind(const elements_maker *m, const tp_block *k, tp_term t, tp_term but,
                               tp_term *out);
/* The places, below the step, of which multiples of the step are away from where the counter
 * starts; one at least. */
enum { TP_RESIDUES = 3 };
uint32_t elements_residues(elements_maker *m, const elements_counter *c, uint64_t out[TP_RESIDUES]);
/* The place, below the step, of which multiples of the step are away; 0 unless all starts say so.
 */
uint64_t elements_residue(elements_maker *m, const elements_counter *c);

// ---------------------------------------------------------------- places (elements_places.c)

/* Variables and fields that an iteration gives the value of a counter, by node; after writes. */
void elements_find_places(elements_maker *m);
/* What they have of cells at places: a list of candidates without an index; after writes. */
void elements_find_cells_at_places(elements_maker *m);

// -------------------------------------------------------------- walkers (elements_walkers.c)

/* Variables that are pointers, of the whole program. */
void elements_find_pointers(const tp_paths *x, tp_term_list *out);
void elements_find_walkers(elements_maker *m);
bool elements_has_walker(const elements_maker *m, tp_term t);
/* The distance of an offset from the walker's base, in its steps. */
tp_term elements_in_steps(const elements_maker *m, tp_term offset, const elements_walker *w);
/* A walker's cell is that of an index, counted from its base. False: there is none in t. */
bool elements_index_walkers(const elements_maker *m, tp_term t, tp_term *out);
/* What keeps a walker on its way: its object, whole steps, an end. */
void elements_add_ways(elements_maker *m);

// ---------------------------------------------------------------- bodies (elements_bodies.c)

/* t with the index symbol moved so that the cells of t are at the symbol itself. */
tp_term elements_unshifted(const elements_maker *m, tp_term t, tp_term index);
bool elements_is_index_symbol(void *ctx, const tp_terms *tt, tp_term t);
/* The index for which this address, which speaks of it, is the other one. False: none is found. */
bool elements_index_at(const elements_maker *m, tp_term address, tp_term index, tp_term other,
                       tp_term *out);
void elements_find_bodies(elements_maker *m);
/* Conditions on flags: one variable against a constant, without counters and cells. */
void elements_find_guards(elements_maker *m);

// ------------------------------------------------------------ orders of cells (elements_orders.c)

/* Notes arrays of which the comparison t orders two cells. */
void elements_note_order(elements_maker *m, tp_term t);
/* Notes an array by its cell at the first index symbol: that it is sorted is worth a question. */
void elements_note_sorted(elements_maker *m, tp_term cell, tp_sort sort, tp_term_kind order,
                          bool is_unsigned);
/* Candidates at the node: ranges of arrays with an order are sorted, and nothing in them is above
 * the last value that was written. */
void elements_add_sorted_ranges(elements_maker *m, uint32_t node);
/* Candidates at the node: sorted ranges, ranges below other ranges, cells below and above ranges.
 */
void elements_add_cell_orders(elements_maker *m, uint32_t node);

// -------------------------------------------------------------- searches (elements_searches.c)

/* Variables that a loop moves to places between them. */
void elements_find_bounds(elements_maker *m);
/* Searches start at the first cell. */
void elements_start_searches(elements_maker *m);
/* Notes the condition t where it asks for one cell between bounds; after writes. */
void elements_note_probe(elements_maker *m, tp_term t);
/* Candidates: what was asked of one cell, of all cells on a side of a bound. False: nothing was. */
bool elements_add_probes(elements_maker *m);
/* Candidates: the place that an error is asked about is between the bounds. */
void elements_add_sought(elements_maker *m);

// ------------------------------------------------------------------ spans (elements_spans.c)

/* Spans of what is written at counters; after writes. */
void elements_find_spans(elements_maker *m);
/* The largest value, without sign, of what was written into cells of the array. False: not known.
 */
bool elements_most_of_cell(const elements_maker *m, tp_term cell, uint64_t *most);

// ---------------------------------------------------------------- growth (elements_growth.c)

/* Values that grow by bounded steps; after counters and writes. */
void elements_find_growth(elements_maker *m);
/* Candidates: what they are at most after so many steps. */
void elements_add_growth(elements_maker *m);

// ------------------------------------------------------------------ folds (elements_folds.c)

/* Finds folds, and bodies about cells that have their values; after bodies. False: there are none.
 */
bool elements_find_folds(elements_maker *m);
/* Candidates: variables are folds at counters and at ends. */
void elements_add_folds(elements_maker *m);

// -------------------------------------------------- candidates without an index (elements_plain.c)

/* What leads to no error without a word about elements, and the same with a counter in the place of
 * what counters are compared with: sums and numbers of elements so far. */
void elements_add_plain(elements_maker *m);
/* What is said of one cell, of that cell in another array: a copy ends where its source does. */
void elements_add_plain_elsewhere(elements_maker *m);
/* Orders of variables that what is in cells decides. */
void elements_add_orders(elements_maker *m);
/* What is said of cells, of variables that were written into the last one. */
void elements_add_last_written(elements_maker *m);
/* Cells of a block that was copied or set. */
void elements_add_block(elements_maker *m, const tp_path_block *block);

#endif

/* Inside of mining: tables of values, and what makes facts of them (private to mine*.c).
 *
 * What       a place is a cut point with columns (terms over variables and cells) and rows (states
 *            seen there). A view is some of its rows; generators write the facts of a view to a
 *            list.
 * Invariants columns are sorted by rank: the ones that loop and conditions are about come first,
 *            generators that are costly look at the first few only. Values are below 2^width of
 *            their column. */
#ifndef TP_BLOCKS_MINE_PRIV_H
#define TP_BLOCKS_MINE_PRIV_H

#include "blocks/blocks_limits.h"
#include "blocks/mine.h"
#include "program/liveness.h"

typedef struct {
  tp_term term;
  tp_var var;      // NONE: a cell, or derived
  uint32_t width;  // 1 .. 64
  bool is_bool, is_signed;
  bool is_offset, is_object;  // of a pointer; object numbers are names, not numbers
  bool is_derived;            // operand of a condition: computed from the others
  bool is_control;            // compared with constants
  bool is_broken;             // some state had no value for it
  uint32_t rank;              // 0: changed in the loop and asked for .. 3: neither
  uint64_t *values;           // by row; after sampling
} mine_column;

/* What all places of a program share. */
typedef struct {
  const tp_program *p;
  tp_liveness *live;
  bool *is_asked;           // by variable: occurs below a comparison
  bool allocates;           // some edge makes an object on the heap, or one of any size
  bool reads_texts;         // some edge reads a byte of memory at an address that is not constant
  TP_VEC(int64_t) numbers;  // constants of the program with neighbours, read as signed; ascending
} mine_shared;
void mine_shared_init(mine_shared *sh, const tp_program *p);
void mine_shared_clear(mine_shared *sh);

/* Where a pointer leads in one row: object 0 is null unless it is another one; other: neither null
 * nor a live object of the heap or the stack. */
typedef struct {
  uint32_t object;
  tp_object_kind kind;
  bool is_other;
  uint64_t offset, size;
} mine_target;

/* Which bytes of an object are 0 in one row. */
typedef struct {
  uint64_t at[TP_BLOCKS_MINE_STRING_BYTES / 64];  // bits, of the first ones
  bool is_last;                                   // the last one of the object is
} mine_zeros;

/* A pointer, and where it led. */
typedef struct {
  tp_term pointer;         // a variable's, or a cell
  uint64_t element_bytes;  // of what it points to, by its type; 1: not known
  bool is_text;            // it points to bytes: zeros are noted, too
  TP_VEC(mine_target) rows;
  TP_VEC(mine_zeros) zeros;  // by row
} mine_pointer;

typedef struct {
  uint64_t n, next;
} mine_pace;  // how often; the next to be noted

typedef struct {
  tp_loc loc;
  TP_VEC(mine_column) columns;
  size_t n_observed;     // columns before the derived ones
  TP_VEC(uint64_t) raw;  // while sampling: row after row
  size_t n_rows;
  tp_map seen;  // hashes of rows
  TP_VEC(mine_pointer) pointers;
  TP_VEC(uint32_t) heap;    // by row: how many objects are on the heap
  TP_VEC(tp_term) atoms;    // comparisons that the function's edges contain, over columns
  mine_pace visits, exits;  // of this run
  size_t left;              // rows that this run may still add
} mine_cutpoint;

typedef struct {
  const mine_shared *shared;
  const mine_cutpoint *at;
  const uint32_t *rows;  // numbers of rows
  size_t n;
} mine_view;

typedef struct {
  TP_VEC(tp_mined_candidate) list;
  tp_map seen;  // terms
} mine_candidates;

static inline uint64_t mine_mask(uint32_t width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}
static inline int64_t mine_signed(uint32_t width, uint64_t bits) {
  if (width >= 64) return (int64_t)bits;
  return bits >> (width - 1) ? (int64_t)(bits | ~mine_mask(width)) : (int64_t)bits;
}
static inline const mine_column *mine_col(const mine_view *v, size_t c) {
  return &v->at->columns.at[c];
}
static inline uint32_t mine_rank_cost(const mine_view *v, size_t c) {
  return 3 * mine_col(v, c)->rank;
}
static inline uint64_t mine_value(const mine_view *v, size_t c, size_t i) {
  return mine_col(v, c)->values[v->rows[i]];
}
/* The value read at another width, as the column's sign says. */
static inline uint64_t mine_value_at(const mine_view *v, size_t c, size_t i, uint32_t width) {
  const mine_column *col = mine_col(v, c);
  uint64_t x = mine_value(v, c, i);
  return (col->is_signed ? (uint64_t)mine_signed(col->width, x) : x) & mine_mask(width);
}
tp_term mine_term_at(const mine_view *v, size_t c, uint32_t width);  // the same as a term

/* Is the column the same in all rows? */
bool mine_is_constant(const mine_view *v, size_t c);
/* Distinct values in order of appearance; at most `most` are kept, the number returned goes to most
 * + 1. */
size_t mine_distinct(const mine_view *v, size_t c, uint64_t *out, size_t most);
tp_term mine_equals(const mine_view *v, size_t c, uint64_t bits);  // column == constant

void mine_add(mine_candidates *f, const mine_view *v, tp_term formula, uint32_t cost);
/* An equation with products: of the first wave (mine.h, Use). */
void mine_add_polynomial(mine_candidates *f, const mine_view *v, tp_term formula, uint32_t cost);
int mine_by_cost(const void *a, const void *b);  // of candidates, for qsort

// mine_columns.c
/* All terms of an edge, arguments after the terms that use them, each once per `seen`. */
void mine_each_term(const tp_terms *tt, const tp_edge_info *e, tp_map *seen,
                    void (*see)(void *ctx, tp_term t), void *ctx);
bool mine_is_in_loop(const tp_program *p, tp_loc l, uint32_t loop);
mine_cutpoint *mine_cutpoint_new(const mine_shared *sh, tp_loc loc);

// mine_rows.c
void mine_cutpoint_free(mine_cutpoint *at);
void mine_start_run(mine_cutpoint *at);
void mine_add_row(const mine_shared *sh, mine_cutpoint *at, const tp_state *s,
                  bool leaves);  // leaves: the run goes out of the loop that starts here
/* Columns from rows; derived columns; no notes after this. */
void mine_finish(const mine_shared *sh, mine_cutpoint *at);
/* Values of variables and cells in row r, for tp_eval. */
typedef struct {
  const mine_shared *shared;
  const mine_cutpoint *at;
  tp_map column_of;  // term -> column + 1
  size_t row;
} mine_row;
void mine_row_init(mine_row *r, const mine_shared *sh, const mine_cutpoint *at);
void mine_row_clear(mine_row *r);
bool mine_row_eval(const mine_row *r, tp_term t, tp_arena *arena, uint64_t *out);
bool mine_row_can_eval(const mine_row *r, tp_term t);  // only variables that are columns

// mine_heap.c
void mine_heap_add_pointer(const mine_shared *sh, mine_cutpoint *at, tp_term pointer, tp_type type);
void mine_heap_add_row(const mine_shared *sh, mine_cutpoint *at, const tp_state *s);
void mine_heap_clear(mine_cutpoint *at);
/* Facts of allocated objects; v has all rows of its place. */
void mine_heap(mine_candidates *f, const mine_view *v);

// mine_strings.c
bool mine_string_is_byte(const tp_program *p, tp_type element);
void mine_string_add_row(mine_pointer *b, const tp_state *s, const mine_target *to);
/* Facts of objects of bytes; v has all rows of its place. */
void mine_strings(mine_candidates *f, const mine_view *v);

// what makes facts
void mine_single(mine_candidates *f, const mine_view *v);  // constants, sets, bounds, congruences
void mine_orders(mine_candidates *f, const mine_view *v,
                 size_t most);  // of two columns; differences, sums
void mine_affine(mine_candidates *f, const mine_view *v, size_t most);
void mine_products(mine_candidates *f, const mine_view *v);
/* Columns that vary, at most `most` of them; derived: derived ones, too. */
size_t mine_varying(const mine_view *v, size_t most, bool derived, size_t *out);
void mine_polynomials(mine_candidates *f, const mine_view *v);  // equations of several products
void mine_atoms(mine_candidates *f, const mine_view *v);
void mine_splits(mine_candidates *f, const mine_view *v);

/* Keeps the first `most` formulas that say something: that are false in some state near the ones
 * that were seen; sets waves. */
void mine_filter(const mine_shared *sh, const mine_cutpoint *at, mine_candidates *f, size_t most,
                 uint64_t seed);
/* Sorts by waves and costs, and keeps at most so many. */
void mine_keep_first(mine_candidates *f, size_t most);

#endif

/* Sparse matrices of literals: relations whose tuples depend on inputs of a circuit.
 *
 * What       the operators on relations, cell by cell, as gates.
 * Represents the literal of a cell holds iff the tuple is in the relation; a tuple without a cell
 *            is in no instance. Tuples are numbers as in contracts/rel/rel_bounds.h.
 * Invariants cells are sorted by tuple and never false (tp_rel_matrix_check). Matrices are
 *            immutable; equal calls make equal gates.
 * Ownership  cells live in the pool; the pool borrows the circuit.
 * Limits     a pool holds up to max_cells; beyond, is_full is set and matrices are empty: callers
 *            test is_full before they use a result.
 * Cost       linear in the cells of arguments and result, but for joins (pairs of cells that meet,
 *            sorted) and closures (log n joins).
 * Source     Torlak & Jackson 2007, sec. 3. We differ: cells are arrays, not interval trees. */
#ifndef TP_CONTRACTS_REL_MATRIX_H
#define TP_CONTRACTS_REL_MATRIX_H

#include "circuit/gates.h"

typedef struct {
  uint64_t tuple;
  tp_lit lit;
} tp_rel_cell;
typedef struct {
  const tp_rel_cell *at;
  size_t n;
} tp_rel_matrix;

typedef struct {
  tp_gates *g;
  uint64_t n_atoms;
  uint64_t max_cells, n_cells;
  bool is_full;
  tp_arena arena;
  TP_VEC(tp_rel_cell) build;  // the matrix being made
  TP_VEC(tp_lit) lits;        // scratch of sums
} tp_rel_pool;
void tp_rel_pool_init(tp_rel_pool *p, tp_gates *g, uint64_t n_atoms, uint64_t max_cells);
void tp_rel_pool_clear(tp_rel_pool *p);

/* Conjunction and disjunction of many: sorted, so that equal sets are equal gates. Changes the
 * order of lits. */
tp_lit tp_rel_conjoin(tp_gates *g, tp_lit *lits, size_t n);
tp_lit tp_rel_disjoin(tp_gates *g, tp_lit *lits, size_t n);

/* How many of them are true, as a word with a sign bit that is never set; bits: room for 66. Their
 * number. */
uint32_t tp_rel_count_lits(tp_gates *g, const tp_lit *lits, size_t n, tp_lit *bits);

/* Cells are pushed in any order; cells of one tuple are disjoined. */
void tp_rel_matrix_push(tp_rel_pool *p, uint64_t tuple, tp_lit lit);
tp_rel_matrix tp_rel_matrix_finish(tp_rel_pool *p);
tp_lit tp_rel_matrix_cell(tp_rel_matrix a, uint64_t tuple);
/* The invariants: cells sorted by tuple, none false, literals of the circuit. For assertions. */
bool tp_rel_matrix_check(const tp_rel_pool *p, tp_rel_matrix a);

tp_rel_matrix tp_rel_union(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b);
tp_rel_matrix tp_rel_intersection(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b);
tp_rel_matrix tp_rel_difference(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b);
tp_rel_matrix tp_rel_choose(tp_rel_pool *p, tp_lit c, tp_rel_matrix a, tp_rel_matrix b);
/* radix: n_atoms to the power of the number of columns named */
tp_rel_matrix tp_rel_join(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b,
                          uint64_t radix_of_rest_of_b);
tp_rel_matrix tp_rel_product(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b, uint64_t radix_of_b);
tp_rel_matrix tp_rel_override(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b,
                              uint64_t radix_of_rest);
tp_rel_matrix tp_rel_restrict_domain(tp_rel_pool *p, tp_rel_matrix set, tp_rel_matrix r,
                                     uint64_t radix_of_rest);
tp_rel_matrix tp_rel_restrict_range(tp_rel_pool *p, tp_rel_matrix r, tp_rel_matrix set);
tp_rel_matrix tp_rel_transpose(tp_rel_pool *p, tp_rel_matrix a);
tp_rel_matrix tp_rel_closure(tp_rel_pool *p, tp_rel_matrix a);
tp_rel_matrix tp_rel_identity(tp_rel_pool *p);

tp_lit tp_rel_matrix_is_subset(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b);
tp_lit tp_rel_matrix_some(tp_rel_pool *p, tp_rel_matrix a);
tp_lit tp_rel_matrix_lone(tp_rel_pool *p, tp_rel_matrix a);

#endif

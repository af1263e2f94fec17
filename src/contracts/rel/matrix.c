/* Operators on sparse matrices, as merges of sorted arrays of cells. Constant cells fold away in
 * the gates: relations that bounds fix make no circuit. Closure squares (iterative squaring), which
 * terminates after log2 of the longest simple path. */
#include "contracts/rel/matrix.h"

#include "contracts/contracts_limits.h"

#include <stdlib.h>

void tp_rel_pool_init(tp_rel_pool *p, tp_gates *g, uint64_t n_atoms, uint64_t max_cells) {
  TP_REQUIRE(p && g);
  *p = (tp_rel_pool){.g = g, .n_atoms = n_atoms, .max_cells = max_cells};
  tp_arena_init(&p->arena);
}

void tp_rel_pool_clear(tp_rel_pool *p) {
  tp_arena_clear(&p->arena);
  tp_vec_clear(&p->build);
  tp_vec_clear(&p->lits);
}

// ------------------------------------------------------------------ many at once

static int by_id(const void *x, const void *y) {
  const uint32_t a = ((const tp_lit *)x)->id, b = ((const tp_lit *)y)->id;
  return a < b ? -1 : a > b;
}

/* Chains of TP_CONTRACTS_CLAUSE_LITERALS literals, then chains of these. */
tp_lit tp_rel_conjoin(tp_gates *g, tp_lit *lits, size_t n) {
  TP_REQUIRE(n == 0 || lits);
  if (n > 1) qsort(lits, n, sizeof *lits, by_id);
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (kept && lits[kept - 1].id == lits[i].id) continue;
    if (kept && (lits[kept - 1].id ^ lits[i].id) == 1) return TP_LIT_FALSE;
    if (tp_lit_eq(lits[i], TP_LIT_FALSE)) return TP_LIT_FALSE;
    if (!tp_lit_eq(lits[i], TP_LIT_TRUE)) lits[kept++] = lits[i];
  }
  if (kept == 0) return TP_LIT_TRUE;
  while (kept > 1) {
    size_t groups = 0;
    for (size_t i = 0; i < kept; i += TP_CONTRACTS_CLAUSE_LITERALS) {
      tp_lit r = lits[i];
      for (size_t j = i + 1; j < kept && j < i + TP_CONTRACTS_CLAUSE_LITERALS; j++)
        r = tp_gate_and(g, r, lits[j]);
      lits[groups++] = r;
    }
    kept = groups;
  }
  return lits[0];
}

tp_lit tp_rel_disjoin(tp_gates *g, tp_lit *lits, size_t n) {
  for (size_t i = 0; i < n; i++) lits[i] = tp_lit_not(lits[i]);
  return tp_lit_not(tp_rel_conjoin(g, lits, n));
}

/* Full adders take three bits of one weight to one of that weight and one of the next, until each
 * weight has one bit. */
uint32_t tp_rel_count_lits(tp_gates *g, const tp_lit *lits, size_t n, tp_lit *bits) {
  TP_VEC(tp_lit) now = {0}, carry = {0};
  uint32_t n_bits = 0;
  for (size_t i = 0; i < n; i++) tp_vec_push(&now, lits[i]);
  while (now.n) {
    size_t at = 0;  // a queue: depths stay logarithmic
    for (carry.n = 0; now.n - at > 1;) {
      const tp_lit a = now.at[at], b = now.at[at + 1],
                   c = now.n - at > 2 ? now.at[at + 2] : TP_LIT_FALSE;
      at += now.n - at > 2 ? 3 : 2;
      tp_vec_push(&now, tp_gate_xor(g, a, tp_gate_xor(g, b, c)));
      tp_vec_push(&carry, tp_gate_majority(g, a, b, c));
    }
    bits[n_bits++] = now.at[at];
    now.n = 0;
    for (size_t i = 0; i < carry.n; i++)
      if (!tp_lit_eq(carry.at[i], TP_LIT_FALSE)) tp_vec_push(&now, carry.at[i]);
  }
  tp_vec_clear(&now);
  tp_vec_clear(&carry);
  bits[n_bits++] = TP_LIT_FALSE;  // the sign
  TP_INVARIANT(n_bits <= 66);     // n fits 64 bits; one bit at least, and the sign
  return n_bits;
}

// ---------------------------------------------------------------- making a matrix

void tp_rel_matrix_push(tp_rel_pool *p, uint64_t tuple, tp_lit lit) {
  TP_REQUIRE(lit.id >> 1 < p->g->nodes.n);
  if (tp_lit_eq(lit, TP_LIT_FALSE) || p->is_full) return;
  if (p->build.n + p->n_cells >= p->max_cells) {
    p->is_full = true;
    return;
  }
  tp_vec_push(&p->build, (tp_rel_cell){tuple, lit});
}

static int by_tuple(const void *x, const void *y) {
  const tp_rel_cell *a = x, *b = y;
  if (a->tuple != b->tuple) return a->tuple < b->tuple ? -1 : 1;
  return a->lit.id < b->lit.id ? -1 : a->lit.id > b->lit.id;
}

tp_rel_matrix tp_rel_matrix_finish(tp_rel_pool *p) {
  const size_t n = p->is_full ? 0 : p->build.n;
  tp_rel_cell *c = p->build.at;
  size_t kept = 0;
  bool is_sorted = true;
  for (size_t i = 1; i < n && is_sorted; i++) is_sorted = c[i - 1].tuple < c[i].tuple;
  if (!is_sorted) qsort(c, n, sizeof *c, by_tuple);
  for (size_t i = 0; i < n && !is_sorted;) {
    const uint64_t tuple = c[i].tuple;
    p->lits.n = 0;
    for (; i < n && c[i].tuple == tuple; i++) tp_vec_push(&p->lits, c[i].lit);
    c[kept++] = (tp_rel_cell){tuple, tp_rel_disjoin(p->g, p->lits.at, p->lits.n)};
  }
  if (is_sorted) kept = n;
  tp_rel_cell *at = kept ? tp_arena_array(&p->arena, tp_rel_cell, kept) : NULL;
  if (kept) memcpy(at, c, kept * sizeof *c);
  p->n_cells += kept;
  p->build.n = 0;
  const tp_rel_matrix made = {at, kept};
  TP_INVARIANT(tp_rel_matrix_check(p, made));
  return made;
}

tp_lit tp_rel_matrix_cell(tp_rel_matrix a, uint64_t tuple) {
  size_t low = 0, high = a.n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (a.at[mid].tuple < tuple)
      low = mid + 1;
    else
      high = mid;
  }
  return low < a.n && a.at[low].tuple == tuple ? a.at[low].lit : TP_LIT_FALSE;
}

// ---------------------------------------------------------------------- operators

typedef enum { UNION, INTERSECTION, DIFFERENCE, CHOOSE } pairwise;

static tp_lit gate(tp_gates *g, pairwise op, tp_lit c, tp_lit a, tp_lit b) {
  TP_REQUIRE(op <= CHOOSE);
  switch (op) {
    case UNION: return tp_gate_or(g, a, b);
    case INTERSECTION: return tp_gate_and(g, a, b);
    case DIFFERENCE: return tp_gate_and(g, a, tp_lit_not(b));
    case CHOOSE: return tp_gate_ite(g, c, a, b);
  }
  return TP_LIT_FALSE;
}

static tp_rel_matrix merge(tp_rel_pool *p, pairwise op, tp_lit c, tp_rel_matrix a,
                           tp_rel_matrix b) {
  for (size_t i = 0, j = 0; i < a.n || j < b.n;) {
    const bool has_a = i < a.n && (j == b.n || a.at[i].tuple <= b.at[j].tuple);
    const bool has_b = j < b.n && (i == a.n || b.at[j].tuple <= a.at[i].tuple);
    const uint64_t tuple = has_a ? a.at[i].tuple : b.at[j].tuple;
    tp_rel_matrix_push(
        p, tuple,
        gate(p->g, op, c, has_a ? a.at[i].lit : TP_LIT_FALSE, has_b ? b.at[j].lit : TP_LIT_FALSE));
    i += has_a;
    j += has_b;
  }
  return tp_rel_matrix_finish(p);
}

tp_rel_matrix tp_rel_union(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b) {
  if (a.n == 0 || b.n == 0) return a.n ? a : b;
  return merge(p, UNION, TP_LIT_FALSE, a, b);
}
tp_rel_matrix tp_rel_intersection(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b) {
  if (a.n == 0 || b.n == 0) return a.n ? b : a;
  return merge(p, INTERSECTION, TP_LIT_FALSE, a, b);
}
tp_rel_matrix tp_rel_difference(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b) {
  return a.n == 0 || b.n == 0 ? a : merge(p, DIFFERENCE, TP_LIT_FALSE, a, b);
}
tp_rel_matrix tp_rel_choose(tp_rel_pool *p, tp_lit c, tp_rel_matrix a, tp_rel_matrix b) {
  if (tp_lit_is_const(c)) return tp_lit_eq(c, TP_LIT_TRUE) ? a : b;
  return merge(p, CHOOSE, c, a, b);
}

/* Where the cells of b that begin with an atom start. */
static size_t row_of(tp_rel_matrix b, uint64_t radix, uint64_t atom) {
  size_t low = 0, high = b.n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (b.at[mid].tuple / radix < atom)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

tp_rel_matrix tp_rel_join(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b, uint64_t radix) {
  TP_REQUIRE(radix > 0 && p->n_atoms > 0);
  for (size_t i = 0; i < a.n && !p->is_full; i++) {
    const uint64_t atom = a.at[i].tuple % p->n_atoms, prefix = a.at[i].tuple / p->n_atoms * radix;
    for (size_t j = row_of(b, radix, atom); j < b.n && b.at[j].tuple / radix == atom; j++)
      tp_rel_matrix_push(p, prefix + b.at[j].tuple % radix,
                         tp_gate_and(p->g, a.at[i].lit, b.at[j].lit));
  }
  return tp_rel_matrix_finish(p);
}

tp_rel_matrix tp_rel_product(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b, uint64_t radix) {
  TP_REQUIRE(radix > 0);
  for (size_t i = 0; i < a.n && !p->is_full; i++)
    for (size_t j = 0; j < b.n; j++)
      tp_rel_matrix_push(p, a.at[i].tuple * radix + b.at[j].tuple,
                         tp_gate_and(p->g, a.at[i].lit, b.at[j].lit));
  return tp_rel_matrix_finish(p);
}

/* A set: which atoms begin a tuple of b. */
static tp_rel_matrix domain_of(tp_rel_pool *p, tp_rel_matrix b, uint64_t radix) {
  TP_REQUIRE(radix > 0);
  for (size_t j = 0; j < b.n; j++) tp_rel_matrix_push(p, b.at[j].tuple / radix, b.at[j].lit);
  return tp_rel_matrix_finish(p);
}

tp_rel_matrix tp_rel_override(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b, uint64_t radix) {
  const tp_rel_matrix replaced = domain_of(p, b, radix);
  for (size_t i = 0; i < a.n; i++)
    tp_rel_matrix_push(
        p, a.at[i].tuple,
        tp_gate_and(p->g, a.at[i].lit,
                    tp_lit_not(tp_rel_matrix_cell(replaced, a.at[i].tuple / radix))));
  return tp_rel_union(p, tp_rel_matrix_finish(p), b);
}

tp_rel_matrix tp_rel_restrict_domain(tp_rel_pool *p, tp_rel_matrix set, tp_rel_matrix r,
                                     uint64_t radix) {
  TP_REQUIRE(radix > 0);
  for (size_t i = 0; i < r.n; i++)
    tp_rel_matrix_push(
        p, r.at[i].tuple,
        tp_gate_and(p->g, r.at[i].lit, tp_rel_matrix_cell(set, r.at[i].tuple / radix)));
  return tp_rel_matrix_finish(p);
}

tp_rel_matrix tp_rel_restrict_range(tp_rel_pool *p, tp_rel_matrix r, tp_rel_matrix set) {
  for (size_t i = 0; i < r.n; i++)
    tp_rel_matrix_push(
        p, r.at[i].tuple,
        tp_gate_and(p->g, r.at[i].lit, tp_rel_matrix_cell(set, r.at[i].tuple % p->n_atoms)));
  return tp_rel_matrix_finish(p);
}

tp_rel_matrix tp_rel_transpose(tp_rel_pool *p, tp_rel_matrix a) {
  for (size_t i = 0; i < a.n; i++)
    tp_rel_matrix_push(p, a.at[i].tuple % p->n_atoms * p->n_atoms + a.at[i].tuple / p->n_atoms,
                       a.at[i].lit);
  return tp_rel_matrix_finish(p);
}

/* Pairs that lead to k and from k on, but for k itself. */
static tp_rel_matrix through(tp_rel_pool *p, tp_rel_matrix r, uint64_t k) {
  size_t first = 0, end;
  while (first < r.n && r.at[first].tuple / p->n_atoms < k) first++;
  for (end = first; end < r.n && r.at[end].tuple / p->n_atoms == k;) end++;
  for (size_t i = 0; i < r.n && first < end; i++) {
    const uint64_t from = r.at[i].tuple / p->n_atoms;
    if (r.at[i].tuple % p->n_atoms != k || from == k) continue;
    for (size_t j = first; j < end; j++)
      if (r.at[j].tuple % p->n_atoms != k)
        tp_rel_matrix_push(p, from * p->n_atoms + r.at[j].tuple % p->n_atoms,
                           tp_gate_and(p->g, r.at[i].lit, r.at[j].lit));
  }
  return tp_rel_matrix_finish(p);
}

/* One atom after the other may stand inside of a path: a gate for each triple of atoms, where
 * squaring needs one for each triple in each of its rounds.
 * Source  Warshall, A theorem on Boolean matrices, 1962. */
tp_rel_matrix tp_rel_closure(tp_rel_pool *p, tp_rel_matrix a) {
  tp_rel_matrix r = a;
  for (uint64_t k = 0; k < p->n_atoms && !p->is_full; k++) {
    const tp_rel_matrix more = through(p, r, k);
    if (more.n) r = tp_rel_union(p, r, more);
  }
  return r;
}

tp_rel_matrix tp_rel_identity(tp_rel_pool *p) {
  for (uint64_t i = 0; i < p->n_atoms; i++) tp_rel_matrix_push(p, i * p->n_atoms + i, TP_LIT_TRUE);
  return tp_rel_matrix_finish(p);
}

// ------------------------------------------------------------------------ questions

tp_lit tp_rel_matrix_is_subset(tp_rel_pool *p, tp_rel_matrix a, tp_rel_matrix b) {
  const tp_rel_matrix outside = tp_rel_difference(p, a, b);
  return tp_lit_not(tp_rel_matrix_some(p, outside));
}

tp_lit tp_rel_matrix_some(tp_rel_pool *p, tp_rel_matrix a) {
  p->lits.n = 0;
  for (size_t i = 0; i < a.n; i++) tp_vec_push(&p->lits, a.at[i].lit);
  return tp_rel_disjoin(p->g, p->lits.at, p->lits.n);
}

/* No cell is true after another: one gate says whether there was one so far. */
tp_lit tp_rel_matrix_lone(tp_rel_pool *p, tp_rel_matrix a) {
  tp_lit seen = TP_LIT_FALSE;
  p->lits.n = 0;
  for (size_t i = 0; i < a.n; i++) {
    tp_vec_push(&p->lits, tp_lit_not(tp_gate_and(p->g, seen, a.at[i].lit)));
    seen = tp_gate_or(p->g, seen, a.at[i].lit);
  }
  return tp_rel_conjoin(p->g, p->lits.at, p->lits.n);
}

bool tp_rel_matrix_check(const tp_rel_pool *p, tp_rel_matrix a) {
  for (size_t i = 0; i < a.n; i++)
    if (tp_lit_eq(a.at[i].lit, TP_LIT_FALSE) || a.at[i].lit.id >> 1 >= p->g->nodes.n ||
        (i > 0 && a.at[i - 1].tuple >= a.at[i].tuple))
      return false;
  return true;
}

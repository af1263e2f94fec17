/* Facts of a part of the states: what holds whenever a control variable has one value, or a
 * condition of the program is true.
 *
 * A loop that is a state machine has no invariant worth the name over all its iterations, but one
 * for each state. Parts are facts of their own view; those that hold in all rows anyway are not
 * repeated. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

#include <stdlib.h>

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }

/* `condition` holds in the rows of `part` and in no other of the whole. */
static void add_part(mine_candidates *f, const mine_view *part, tp_term condition, uint32_t cost) {
  mine_candidates own = {0};
  mine_single(&own, part);
  mine_affine(&own, part, TP_BLOCKS_MINE_PART_COLUMNS);
  mine_orders(&own, part, TP_BLOCKS_MINE_PART_COLUMNS);
  if (own.list.n) qsort(own.list.at, own.list.n, sizeof *own.list.at, mine_by_cost);
  size_t taken = 0;
  for (size_t i = 0; i < own.list.n && taken < TP_BLOCKS_MINE_PART_FACTS; i++) {
    if (tp_map_has(&f->seen, own.list.at[i].formula.id)) continue;
    mine_add(f, part, tp_mk_implies(terms(part), condition, own.list.at[i].formula),
             cost + own.list.at[i].cost);
    taken++;
  }
  tp_vec_clear(&own.list);
  tp_map_clear(&own.seen);
}

// ------------------------------------------------------------ control variables

typedef struct {
  size_t n, column[TP_BLOCKS_MINE_CONTROLS], n_values[TP_BLOCKS_MINE_CONTROLS];
  uint64_t values[TP_BLOCKS_MINE_CONTROLS][TP_BLOCKS_MINE_CONTROL_VALUES];
} controls;

static void find_controls(const mine_view *v, controls *k) {
  k->n = 0;
  for (int pass = 0; pass < 2; pass++)  // those that conditions compare with constants first
    for (size_t c = 0; c < v->at->columns.n && k->n < TP_BLOCKS_MINE_CONTROLS; c++) {
      const mine_column *col = mine_col(v, c);
      if (col->is_object || col->is_control != (pass == 0)) continue;
      const size_t most = col->is_control ? TP_BLOCKS_MINE_CONTROL_VALUES
                                          : TP_BLOCKS_MINE_OTHER_VALUES,
                   n = mine_distinct(v, c, k->values[k->n], most);
      if (n < 2 || n > most || v->n < 2 * n) continue;
      k->column[k->n] = c;
      k->n_values[k->n++] = n;
    }
}

/* Before the first iteration, and after it: a column has the value of the first state, or another
 * one.
 */
static void split_by_start(mine_candidates *f, const mine_view *v, uint32_t *rows) {
  size_t taken = 0;
  for (size_t c = 0; c < v->at->columns.n && taken < TP_BLOCKS_MINE_STARTS; c++) {
    const mine_column *col = mine_col(v, c);
    const uint64_t first = mine_value(v, c, 0);
    uint64_t values[TP_BLOCKS_MINE_CONTROL_VALUES];
    if (col->rank > 1 || col->is_derived || col->is_object || col->is_bool ||
        mine_distinct(v, c, values, TP_BLOCKS_MINE_OTHER_VALUES) <= TP_BLOCKS_MINE_OTHER_VALUES)
      continue;
    mine_view part[2] = {{v->shared, v->at, rows, 0}, {v->shared, v->at, NULL, 0}};
    size_t n_starts = 0, back = v->n;
    for (size_t r = 0; r < v->n; r++) {
      if (mine_value(v, c, r) == first)
        rows[n_starts++] = v->rows[r];
      else
        rows[--back] = v->rows[r];
    }
    part[0].n = n_starts;
    part[1].rows = rows + back;
    part[1].n = v->n - back;
    tp_term is_start = mine_equals(v, c, first);
    add_part(f, &part[0], is_start, 16 + 3 * col->rank);
    add_part(f, &part[1], tp_mk_not(terms(v), is_start), 14 + 3 * col->rank);
    taken++;
  }
}

/* All states, if they are few: columns that the loop is about. */
static void add_states(mine_candidates *f, const mine_view *v) {
  if (v->n > TP_BLOCKS_MINE_LISTED_STATES) return;
  tp_term any = tp_mk_false(terms(v));
  for (size_t r = 0; r < v->n; r++) {
    tp_term all = tp_mk_true(terms(v));
    for (size_t c = 0; c < v->at->n_observed; c++)
      if (mine_col(v, c)->rank < 2 && !mine_is_constant(v, c))
        all = tp_mk_and(terms(v), all, mine_equals(v, c, mine_value(v, c, r)));
    any = tp_mk_or(terms(v), any, all);
  }
  mine_add(f, v, any, 24 + (uint32_t)v->n);
}

static void split_by_values(mine_candidates *f, const mine_view *v, const controls *k,
                            uint32_t *rows) {
  for (size_t i = 0; i < k->n; i++)
    for (size_t j = 0; j < k->n_values[i]; j++) {
      mine_view part = {v->shared, v->at, rows, 0};
      for (size_t r = 0; r < v->n; r++)
        if (mine_value(v, k->column[i], r) == k->values[i][j]) rows[part.n++] = v->rows[r];
      if (part.n < 2 && v->n >= 16) continue;
      add_part(f, &part, mine_equals(v, k->column[i], k->values[i][j]),
               12 + 3 * mine_col(v, k->column[i])->rank);
    }
}

/* The values that controls have together, as a disjunction: at most `most`, and not all there could
 * be. */
static void add_cubes(mine_candidates *f, const mine_view *v, const controls *k,
                      const size_t *which, size_t n_which, size_t most) {
  TP_VEC(size_t) rows = {0};  // one for each combination
  size_t possible = 1;
  for (size_t i = 0; i < n_which; i++) possible *= k->n_values[which[i]];
  for (size_t r = 0; r < v->n && rows.n <= most; r++) {
    bool is_new = true;
    for (size_t o = 0; o < rows.n && is_new; o++) {
      bool same = true;
      for (size_t i = 0; i < n_which; i++)
        same = same && mine_value(v, k->column[which[i]], r) ==
                           mine_value(v, k->column[which[i]], rows.at[o]);
      is_new = !same;
    }
    if (is_new) tp_vec_push(&rows, r);
  }
  const bool is_small = rows.n <= 8 || 4 * rows.n <= v->n;
  if (rows.n <= most && rows.n < possible && is_small) {
    tp_term any = tp_mk_false(terms(v));
    for (size_t o = 0; o < rows.n; o++) {
      tp_term all = tp_mk_true(terms(v));
      for (size_t i = 0; i < n_which; i++) {
        const size_t c = k->column[which[i]];
        all = tp_mk_and(terms(v), all, mine_equals(v, c, mine_value(v, c, rows.at[o])));
      }
      any = tp_mk_or(terms(v), any, all);
    }
    mine_add(f, v, any, 22 + (uint32_t)(rows.n / 4 + 2 * n_which));
  }
  tp_vec_clear(&rows);
}

static void add_combinations(mine_candidates *f, const mine_view *v, const controls *k) {
  size_t all[TP_BLOCKS_MINE_CONTROLS];
  for (size_t a = 0; a < k->n; a++) {
    all[a] = a;
    for (size_t b = a + 1; b < k->n; b++)
      add_cubes(f, v, k, (size_t[]){a, b}, 2, TP_BLOCKS_MINE_CUBES_OF_TWO);
  }
  for (size_t n = 3; n <= k->n; n++) add_cubes(f, v, k, all, n, TP_BLOCKS_MINE_CUBES_OF_ALL);
}

// ------------------------------------------------------- the program's conditions

typedef struct {
  tp_term term;     // an atom or its negation
  uint64_t *holds;  // bits by row of the view
} literal;

static size_t find_literals(const mine_view *v, literal *out) {
  size_t n = 0;
  const size_t words = v->n / 64 + 1;
  mine_row row;
  mine_row_init(&row, v->shared, v->at);
  tp_arena arena;
  tp_arena_init(&arena);
  for (size_t i = 0; i < v->at->atoms.n && n + 2 <= TP_BLOCKS_MINE_LITERALS; i++) {
    uint64_t *yes = TP_NEW_ARRAY(uint64_t, words), *no = TP_NEW_ARRAY(uint64_t, words);
    size_t n_yes = 0, n_no = 0;
    for (size_t r = 0; r < v->n; r++) {
      uint64_t x = 0;
      row.row = v->rows[r];
      if (!mine_row_eval(&row, v->at->atoms.at[i], &arena, &x)) break;
      *(x ? &n_yes : &n_no) += 1;
      (x ? yes : no)[r / 64] |= (uint64_t)1 << r % 64;
    }
    if (n_yes && n_no && n_yes + n_no == v->n) {
      out[n++] = (literal){v->at->atoms.at[i], yes};
      out[n++] = (literal){tp_mk_not(terms(v), v->at->atoms.at[i]), no};
    } else {
      tp_free(yes);
      tp_free(no);
    }
  }
  tp_arena_clear(&arena);
  mine_row_clear(&row);
  return n;
}

static void split_by_conditions(mine_candidates *f, const mine_view *v, const literal *l, size_t n,
                                uint32_t *rows) {
  for (size_t i = 0; i < n && i < 2 * TP_BLOCKS_MINE_CONDITIONS; i++) {
    mine_view part = {v->shared, v->at, rows, 0};
    for (size_t r = 0; r < v->n; r++)
      if (l[i].holds[r / 64] >> r % 64 & 1) rows[part.n++] = v->rows[r];
    if (part.n >= 2) add_part(f, &part, l[i].term, 16 + (uint32_t)i);
  }
}

/* Two literals one of which holds in each row: after the loop, then asserted. */
static void add_clauses(mine_candidates *f, const mine_view *v, const literal *l, size_t n) {
  const size_t words = v->n / 64 + 1;
  size_t taken = 0;
  for (size_t a = 0; a < n; a++)
    for (size_t b = a + 1; b < n && taken < TP_BLOCKS_MINE_CLAUSES; b++) {
      if (a / 2 == b / 2) continue;
      size_t covered = 0;
      for (size_t i = 0; i < words; i++)
        covered += (size_t)__builtin_popcountll(l[a].holds[i] | l[b].holds[i]);
      if (covered < v->n) continue;
      mine_add(f, v, tp_mk_or(terms(v), l[a].term, l[b].term), 26 + (uint32_t)(a / 2 + b / 2) / 2);
      taken++;
    }
}

void mine_splits(mine_candidates *f, const mine_view *v) {
  if (v->n < 2) return;
  uint32_t *rows = TP_NEW_ARRAY(uint32_t, v->n);
  controls k;
  find_controls(v, &k);
  split_by_values(f, v, &k, rows);
  add_combinations(f, v, &k);
  split_by_start(f, v, rows);
  add_states(f, v);
  literal l[TP_BLOCKS_MINE_LITERALS];
  const size_t n = find_literals(v, l);
  add_clauses(f, v, l, n);
  split_by_conditions(f, v, l, n, rows);
  for (size_t i = 0; i < n; i++) tp_free(l[i].holds);
  tp_free(rows);
}

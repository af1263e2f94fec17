/* What says something: a formula that is true in states that nobody saw, near those that were seen,
 * is most often true anyway. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"

#include <stdlib.h>

enum { WORDS = TP_BLOCKS_MINE_NEAR_STATES / 64 };

static uint64_t other_value(const mine_shared *sh, const mine_column *c, size_t n_rows, tp_rng *r) {
  switch (tp_rng_below(r, 5)) {
    case 0: return (uint64_t)sh->numbers.at[tp_rng_below(r, sh->numbers.n)] & mine_mask(c->width);
    case 1: return tp_rng_below(r, 8) & mine_mask(c->width);
    case 2: return tp_rng_next(r) & mine_mask(c->width);
    default:
      return (c->values[tp_rng_below(r, n_rows)] + tp_rng_below(r, 3) - 1) & mine_mask(c->width);
  }
}

/* Rows of the place with some columns changed: the first one, or more. */
static mine_cutpoint states_near(const mine_shared *sh, const mine_cutpoint *at, tp_rng *r) {
  mine_cutpoint near = {
      .loc = at->loc, .n_observed = at->n_observed, .n_rows = TP_BLOCKS_MINE_NEAR_STATES};
  for (size_t c = 0; c < at->n_observed; c++) {
    tp_vec_push(&near.columns, at->columns.at[c]);
    near.columns.at[c].values = TP_NEW_ARRAY(uint64_t, TP_BLOCKS_MINE_NEAR_STATES);
  }
  for (size_t i = 0; i < TP_BLOCKS_MINE_NEAR_STATES; i++) {
    const size_t from = tp_rng_below(r, at->n_rows);
    for (size_t c = 0; c < at->n_observed; c++) {
      bool changed = tp_rng_below(r, i % 4 + 1) == 0;
      near.columns.at[c].values[i] = changed ? other_value(sh, &at->columns.at[c], at->n_rows, r)
                                             : at->columns.at[c].values[from];
    }
  }
  return near;
}

/* By near state: is the formula false there? Returns whether it is somewhere. */
static bool find_false(mine_row *row, tp_term formula, tp_arena *arena, uint64_t *out) {
  TP_REQUIRE(tp_sort_kind_of(row->shared->p->terms, tp_sort_of(row->shared->p->terms, formula)) ==
             TP_SORT_BOOL);
  bool some = false;
  memset(out, 0, WORDS * sizeof *out);
  for (row->row = 0; row->row < TP_BLOCKS_MINE_NEAR_STATES; row->row++) {
    uint64_t yes;
    if (!mine_row_eval(row, formula, arena, &yes) || yes) continue;
    out[row->row / 64] |= (uint64_t)1 << row->row % 64;
    some = true;
  }
  return some;
}

/* Drops what says nothing; in the order of costs. */
static uint64_t *exclude_states(mine_row *row, mine_candidates *f, size_t most) {
  uint64_t *excluded =
      TP_NEW_ARRAY(uint64_t, (most < f->list.n ? most : f->list.n) * WORDS + WORDS);
  tp_arena arena;
  tp_arena_init(&arena);
  size_t n = 0;
  for (size_t i = 0; i < f->list.n && n < most; i++)
    if (find_false(row, f->list.at[i].formula, &arena, excluded + n * WORDS))
      f->list.at[n++] = f->list.at[i];
  f->list.n = n;
  tp_arena_clear(&arena);
  return excluded;
}

/* A wave excludes all that the candidates left exclude together, each of its members something that
 * cheaper members do not, or is one of the polynomial equations of the first wave. */
static void choose_wave(mine_candidates *f, const uint64_t *excluded, uint32_t wave) {
  uint64_t so_far[WORDS] = {0};
  size_t n_polynomials = wave == 0 ? 0 : TP_BLOCKS_MINE_POLYNOMIALS;
  for (size_t i = 0; i < f->list.n; i++) {
    if (f->list.at[i].wave < wave) continue;
    const uint64_t *own = excluded + i * WORDS;
    bool is_new = f->list.at[i].is_polynomial && n_polynomials++ < TP_BLOCKS_MINE_POLYNOMIALS;
    for (size_t k = 0; k < WORDS; k++) {
      is_new = is_new || (own[k] & ~so_far[k]);
      so_far[k] |= own[k];
    }
    f->list.at[i].wave = is_new ? wave : wave + 1;
  }
}

static int by_wave(const void *a, const void *b) {
  const tp_mined_candidate *x = a, *y = b;
  if (x->wave != y->wave) return x->wave < y->wave ? -1 : 1;
  return mine_by_cost(a, b);
}

void mine_keep_first(mine_candidates *f, size_t most) {
  if (f->list.n) qsort(f->list.at, f->list.n, sizeof *f->list.at, by_wave);
  if (f->list.n > most) f->list.n = most;
}

void mine_filter(const mine_shared *sh, const mine_cutpoint *at, mine_candidates *f, size_t most,
                 uint64_t seed) {
  tp_rng rng;
  tp_rng_init(&rng, seed + at->loc.id);
  mine_cutpoint near = states_near(sh, at, &rng);
  mine_row row;
  mine_row_init(&row, sh, &near);
  uint64_t *excluded = exclude_states(&row, f, most);
  for (uint32_t wave = 0; wave < TP_BLOCKS_MINE_WAVES; wave++) choose_wave(f, excluded, wave);
  tp_free(excluded);
  mine_keep_first(f, most);
  mine_row_clear(&row);
  for (size_t c = 0; c < near.columns.n; c++) tp_free(near.columns.at[c].values);
  tp_vec_clear(&near.columns);
}

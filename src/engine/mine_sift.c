/* What says something: a formula that is true in states that nobody saw, near those that were seen, is most often true anyway. */
#include "engine/mine_priv.h"

enum { NEAR_STATES = 128 };

static uint64_t other_value(const mine_shared *sh, const mine_column *c, size_t n_rows, tp_rng *r) {
  switch (tp_rng_below(r, 5)) {
    case 0: return (uint64_t)sh->numbers.at[tp_rng_below(r, sh->numbers.n)] & mine_mask(c->width);
    case 1: return tp_rng_below(r, 8) & mine_mask(c->width);
    case 2: return tp_rng_next(r) & mine_mask(c->width);
    default: return (c->values[tp_rng_below(r, n_rows)] + tp_rng_below(r, 3) - 1) & mine_mask(c->width);
  }
}

/* Rows of the place with some columns changed: the first one, or more. */
static mine_place states_near(const mine_shared *sh, const mine_place *at, tp_rng *r) {
  mine_place near = {.loc = at->loc, .n_observed = at->n_observed, .n_rows = NEAR_STATES};
  for (size_t c = 0; c < at->n_observed; c++) {
    tp_vec_push(&near.columns, at->columns.at[c]);
    near.columns.at[c].values = TP_NEW_ARRAY(uint64_t, NEAR_STATES);
  }
  for (size_t i = 0; i < NEAR_STATES; i++) {
    const size_t from = tp_rng_below(r, at->n_rows);
    for (size_t c = 0; c < at->n_observed; c++) {
      bool changed = tp_rng_below(r, i % 4 + 1) == 0;
      near.columns.at[c].values[i] = changed ? other_value(sh, &at->columns.at[c], at->n_rows, r) : at->columns.at[c].values[from];
    }
  }
  return near;
}

static bool says_something(mine_row *row, tp_term formula, tp_arena *arena) {
  for (row->row = 0; row->row < NEAR_STATES; row->row++) {
    uint64_t yes;
    if (mine_row_eval(row, formula, arena, &yes) && !yes) return true;
  }
  return false;
}

void mine_sift(const mine_shared *sh, const mine_place *at, mine_facts *f, size_t most, uint64_t seed) {
  tp_rng rng;
  tp_rng_init(&rng, seed + at->loc.id);
  mine_place near = states_near(sh, at, &rng);
  mine_row row;
  mine_row_init(&row, sh, &near);
  tp_arena arena;
  tp_arena_init(&arena);
  size_t n = 0;
  for (size_t i = 0; i < f->list.n && n < most; i++)
    if (says_something(&row, f->list.at[i].formula, &arena)) f->list.at[n++] = f->list.at[i];
  f->list.n = n;
  tp_arena_clear(&arena);
  mine_row_clear(&row);
  for (size_t c = 0; c < near.columns.n; c++) tp_free(near.columns.at[c].values);
  tp_vec_clear(&near.columns);
}

/* Random programs with few states, as recipes that can also be run by hand, for the tests of this
 * room. */
#ifndef TP_SEARCH_RECIPES_TEST_H
#define TP_SEARCH_RECIPES_TEST_H

#include "search/figures_test.h"

enum {
  RECIPE_PLACES = 6,
  RECIPE_X = 8,
  RECIPE_Y = 4,
  RECIPE_STATES = (RECIPE_PLACES + 1) * RECIPE_X * RECIPE_Y
};
typedef enum {
  RECIPE_ADD,
  RECIPE_ADD_Y,
  RECIPE_INPUT,
  RECIPE_LESS,
  RECIPE_SAME,
  RECIPE_N_KINDS
} recipe_kind;
typedef struct {
  recipe_kind kind;
  uint32_t c, to, otherwise;  // places; RECIPE_PLACES: the error, or the end
} recipe_line;
/* x (3 bits) and y (2 bits) are zero at place 0. */
typedef struct {
  recipe_line at[RECIPE_PLACES];
  bool has_error;
} recipe;

static inline recipe recipe_draw(tp_rng *r) {
  recipe p = {.has_error = tp_rng_below(r, 2) == 0};
  for (int i = 0; i < RECIPE_PLACES; i++)
    p.at[i] = (recipe_line){
        (recipe_kind)tp_rng_below(r, RECIPE_N_KINDS), (uint32_t)tp_rng_below(r, RECIPE_X),
        (uint32_t)tp_rng_below(r, RECIPE_PLACES + 1), (uint32_t)tp_rng_below(r, RECIPE_PLACES + 1)};
  return p;
}

static inline build recipe_build(const recipe *p) {
  build b = figure_new();
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 3)), y = build_var(&b, "y", tp_sort_bv(b.tt, 2));
  tp_loc at[RECIPE_PLACES + 1];
  for (int i = 0; i < RECIPE_PLACES; i++) at[i] = build_loc(&b);
  at[RECIPE_PLACES] = p->has_error ? build_error(&b, TP_P_UNREACH_CALL) : figure_end(&b);
  build_assign(&b, x, bv(&b, 3, 0));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = y, .a = bv(&b, 2, 0), .to = at[0]});
  for (int i = 0; i < RECIPE_PLACES; i++) {
    const recipe_line *l = &p->at[i];
    tp_term wide = tp_mk_zext(b.tt, 3, build_term(&b, y));
    tp_term by = l->kind == RECIPE_ADD ? bv(&b, 3, l->c) : wide;
    b.at = at[i];
    switch (l->kind) {
      case RECIPE_ADD:
      case RECIPE_ADD_Y:
        build_edge(&b,
                   (tp_edge_info){
                       .kind = TP_E_ASSIGN, .var = x, .a = figure_sum(&b, x, by), .to = at[l->to]});
        break;
      case RECIPE_INPUT:
        build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC,
                                      .var = y,
                                      .input = TP_I_NONDET,
                                      .name = "nondet",
                                      .to = at[l->to]});
        break;
      case RECIPE_LESS:
        figure_branch(&b, at[i], tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, x), bv(&b, 3, l->c)),
                      at[l->to], at[l->otherwise]);
        break;
      case RECIPE_SAME:
        figure_branch(&b, at[i], tp_mk_eq(b.tt, build_term(&b, x), wide), at[l->to],
                      at[l->otherwise]);
        break;
      case RECIPE_N_KINDS: break;
    }
  }
  build_done(&b);
  return b;
}

static inline uint32_t recipe_state(uint32_t place, uint32_t x, uint32_t y) {
  return (place * RECIPE_X + x % RECIPE_X) * RECIPE_Y + y % RECIPE_Y;
}

/* Successors of a state; at the last place there are none. */
static inline size_t recipe_next(const recipe *p, uint32_t s, uint32_t out[RECIPE_Y]) {
  uint32_t y = s % RECIPE_Y, x = s / RECIPE_Y % RECIPE_X, place = s / RECIPE_Y / RECIPE_X;
  if (place == RECIPE_PLACES) return 0;
  const recipe_line *l = &p->at[place];
  switch (l->kind) {
    case RECIPE_ADD: out[0] = recipe_state(l->to, x + l->c, y); return 1;
    case RECIPE_ADD_Y: out[0] = recipe_state(l->to, x + y, y); return 1;
    case RECIPE_INPUT:
      for (uint32_t v = 0; v < RECIPE_Y; v++) out[v] = recipe_state(l->to, x, v);
      return RECIPE_Y;
    case RECIPE_LESS: out[0] = recipe_state(x < l->c ? l->to : l->otherwise, x, y); return 1;
    case RECIPE_SAME: out[0] = recipe_state(x == y ? l->to : l->otherwise, x, y); return 1;
    case RECIPE_N_KINDS: break;
  }
  return 0;
}

static inline void recipe_reach(const recipe *p, bool *reached) {
  uint32_t next[RECIPE_Y];
  memset(reached, 0, RECIPE_STATES * sizeof *reached);
  reached[recipe_state(0, 0, 0)] = true;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = 0; s < RECIPE_STATES; s++)
      for (size_t i = 0, n = reached[s] ? recipe_next(p, s, next) : 0; i < n; i++)
        if (!reached[next[i]]) reached[next[i]] = more = true;
  }
}

/* The coarsest bisimulation that tells places apart: a class for each state. */
static inline void recipe_classes(const recipe *p, uint32_t *class) {
  uint64_t signature[RECIPE_STATES];
  uint32_t next[RECIPE_Y], n_classes = 0, before;
  for (uint32_t s = 0; s < RECIPE_STATES; s++) class[s] = s / RECIPE_Y / RECIPE_X;
  do {
    before = n_classes;
    for (uint32_t s = 0; s < RECIPE_STATES; s++) {
      uint64_t hash = 0;
      bool seen[RECIPE_STATES] = {false};
      for (size_t i = 0, n = recipe_next(p, s, next); i < n; i++) seen[class[next[i]]] = true;
      for (uint32_t c = 0; c < RECIPE_STATES; c++)
        if (seen[c]) hash = tp_hash_mix(hash, c + 1);
      signature[s] = tp_hash_mix(class[s], hash);
    }
    uint32_t fresh[RECIPE_STATES];
    n_classes = 0;
    for (uint32_t s = 0; s < RECIPE_STATES; s++) {
      uint32_t other = 0;
      while (signature[other] != signature[s]) other++;
      fresh[s] = other == s ? n_classes++ : fresh[other];
    }
    memcpy(class, fresh, sizeof fresh);
  } while (n_classes != before);
}

#endif

/* Structures, canonical abstraction and embedding: the list of the thesis's figures, and random
 * structures against definitions that are followed word by word. */
#include "shape/blur.h"
#include "shape/pool.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static const tp_kleene values[3] = {TP_KLEENE_FALSE, TP_KLEENE_HALF, TP_KLEENE_TRUE};

// ----------------------------------------------------- the list of five cells

enum { PT_A, PT_P, ZERO, POSITIVE, REACH_A, REACH_P, N_UNARY };
enum { NEXT, N_BINARY };

/* v0 -> v1 -> v2 -> v3 -> v4; a at the first, p at the last; data is positive but in the last cell,
 * where it is 0. */
static void five_cells(tp_structure *s) {
  tp_structure_init(s, N_UNARY, N_BINARY);
  for (uint32_t i = 0; i < 5; i++) tp_structure_add(s);
  s->unary[PT_A] = s->unary[PT_P] = (tp_k64){0, 0};
  tp_k64_set(&s->unary[PT_A], 0, TP_KLEENE_TRUE);
  tp_k64_set(&s->unary[PT_P], 4, TP_KLEENE_TRUE);
  s->unary[POSITIVE] = tp_k64_fill(TP_KLEENE_TRUE, 0xf);
  s->unary[ZERO] = s->unary[REACH_P] = s->unary[PT_P];
  s->unary[REACH_A] = tp_k64_fill(TP_KLEENE_TRUE, 0x1f);
  for (uint32_t i = 0; i < 4; i++) tp_k64_set(tp_structure_row(s, NEXT, i), i + 1, TP_KLEENE_TRUE);
}

static tp_unary_set set_of(const uint32_t *at, size_t n) {
  tp_unary_set out = {{0}};
  for (size_t i = 0; i < n; i++) tp_unary_set_add(&out, at[i]);
  return out;
}

static tp_unary_set fine(void) {
  return set_of((const uint32_t[]){PT_A, PT_P, REACH_A, REACH_P}, 4);
}
static tp_unary_set coarse(void) { return set_of((const uint32_t[]){PT_A, REACH_A}, 2); }

static bool embeds(const tp_structure *s, const tp_structure *t) {
  bool yes;
  assert_int_equal(tp_structure_embeds(s, t, &yes), TP_OK);
  return yes;
}

/* The fine abstraction: the first cell, a summary of those between, the last one. */
static void F13_five_cells_become_three_nodes(void **state) {
  (void)state;
  tp_structure s, t;
  five_cells(&s);
  tp_structure_init(&t, N_UNARY, N_BINARY);
  const tp_unary_set names = fine();
  tp_structure_blur(&t, &s, &names);
  assert_true(tp_structure_check(&t) && tp_structure_is_blurred(&t, &names));
  assert_int_equal(t.n, 3);
  assert_int_equal(t.summary, 4);  // in order of names: a's cell, p's cell, the others
  assert_true(tp_k64_eq(t.unary[PT_A], (tp_k64){1, 1}) && tp_k64_eq(t.unary[PT_P], (tp_k64){2, 2}));
  assert_true(tp_k64_eq(t.unary[POSITIVE], (tp_k64){5, 5}) &&
              tp_k64_eq(t.unary[ZERO], (tp_k64){2, 2}));
  assert_true(tp_k64_eq(t.unary[REACH_A], (tp_k64){7, 7}) &&
              tp_k64_eq(t.unary[REACH_P], (tp_k64){2, 2}));
  assert_true(tp_k64_eq(*tp_structure_row(&t, NEXT, 0), (tp_k64){4, 0}));
  assert_true(tp_k64_eq(*tp_structure_row(&t, NEXT, 1), (tp_k64){0, 0}));
  assert_true(tp_k64_eq(*tp_structure_row(&t, NEXT, 2), (tp_k64){6, 0}));
  tp_structure_clear(&s);
  tp_structure_clear(&t);
}

/* The coarse one: all but the first cell in one node, about which p and the data are unknown. */
static void F13_coarse_names_give_two_nodes(void **state) {
  (void)state;
  tp_structure s, t, direct;
  five_cells(&s);
  tp_structure_init(&t, N_UNARY, N_BINARY);
  tp_structure_init(&direct, N_UNARY, N_BINARY);
  const tp_unary_set names = coarse(), finer = fine();
  tp_structure_blur(&direct, &s, &names);
  assert_int_equal(direct.n, 2);
  assert_int_equal(direct.summary, 2);
  for (uint32_t p = PT_P; p <= REACH_P; p++)
    if (p != REACH_A) assert_int_equal(tp_k64_get(direct.unary[p], 1), TP_KLEENE_HALF);
  assert_int_equal(tp_k64_get(direct.unary[REACH_A], 1), TP_KLEENE_TRUE);
  // the same by way of the fine one
  tp_structure middle;
  tp_structure_init(&middle, N_UNARY, N_BINARY);
  tp_structure_blur(&middle, &s, &finer);
  tp_structure_blur(&t, &middle, &names);
  assert_true(tp_structure_same(&t, &direct));
  assert_true(embeds(&s, &middle) && embeds(&middle, &direct) && embeds(&s, &direct));
  assert_false(embeds(&direct, &middle) || embeds(&middle, &s) || embeds(&direct, &s));
  tp_structure_clear(&s);
  tp_structure_clear(&t);
  tp_structure_clear(&direct);
  tp_structure_clear(&middle);
}

/* What does not embed: a list that is too short, a link too many, a wrong value, a summary into a
 * single node. */
static void F14_negative_cases(void **state) {
  (void)state;
  tp_structure s, t, bad;
  five_cells(&s);
  tp_structure_init(&t, N_UNARY, N_BINARY);
  tp_structure_init(&bad, N_UNARY, N_BINARY);
  const tp_unary_set names = fine();
  tp_structure_blur(&t, &s, &names);
  tp_structure_copy(&bad, &s);
  tp_structure_remove(&bad, 1);
  tp_k64_set(tp_structure_row(&bad, NEXT, 0), 1, TP_KLEENE_TRUE);
  assert_true(embeds(&bad, &t));  // four cells
  while (bad.n > 2) tp_structure_remove(&bad, 1);
  assert_false(embeds(&bad, &t));  // two: nothing in the middle
  tp_structure_copy(&bad, &s);
  tp_k64_set(tp_structure_row(&bad, NEXT, 4), 0, TP_KLEENE_TRUE);
  assert_false(embeds(&bad, &t));  // the last cell has no successor in t
  tp_structure_copy(&bad, &s);
  tp_k64_set(&bad.unary[ZERO], 2, TP_KLEENE_TRUE);
  assert_false(embeds(&bad, &t));
  tp_structure_copy(&bad, &t);
  bad.summary |= 1;
  assert_false(embeds(&bad, &t));
  assert_true(embeds(&t, &bad));
  tp_structure_clear(&s);
  tp_structure_clear(&t);
  tp_structure_clear(&bad);
}

// ------------------------------------------------------------- random structures

static void random_structure(tp_rng *rng, tp_structure *s, uint32_t n, uint32_t halves) {
  tp_structure_reset(s);
  for (uint32_t u = 0; u < n; u++) tp_structure_add(s);
  for (uint32_t u = 0; u < n; u++) {
    if (tp_rng_below(rng, 8) < halves) s->summary |= tp_k64_bit(u);
    for (uint32_t p = 0; p < s->n_unary; p++) {
      const tp_kleene v =
          tp_rng_below(rng, 8) < halves ? TP_KLEENE_HALF : values[2 * tp_rng_below(rng, 2)];
      tp_k64_set(&s->unary[p], u, v);
    }
    for (uint32_t p = 0; p < s->n_binary; p++)
      for (uint32_t w = 0; w < n; w++) {
        const tp_kleene v =
            tp_rng_below(rng, 8) < halves ? TP_KLEENE_HALF : values[2 * (tp_rng_below(rng, 3) / 2)];
        tp_k64_set(tp_structure_row(s, p, u), w, v);
      }
  }
}

static bool maps(const tp_structure *s, const tp_structure *t, const uint32_t *f) {
  uint64_t hit = 0;
  for (uint32_t u = 0; u < s->n; u++) {
    hit |= tp_k64_bit(f[u]);
    for (uint32_t p = 0; p < s->n_unary; p++)
      if (!tp_kleene_leq(tp_k64_get(s->unary[p], u), tp_k64_get(t->unary[p], f[u]))) return false;
    for (uint32_t w = 0; w < s->n; w++) {
      const tp_kleene same = f[u] == f[w] ? tp_structure_equal(t, f[u], f[u]) : TP_KLEENE_FALSE;
      if (!tp_kleene_leq(tp_structure_equal(s, u, w), same)) return false;
      for (uint32_t p = 0; p < s->n_binary; p++)
        if (!tp_kleene_leq(tp_k64_get(*tp_structure_row(s, p, u), w),
                           tp_k64_get(*tp_structure_row(t, p, f[u]), f[w])))
          return false;
    }
  }
  return hit == tp_structure_nodes(t);
}

static bool brute_force_embeds(const tp_structure *s, const tp_structure *t) {
  uint32_t f[5] = {0}, all = 1;
  for (uint32_t u = 0; u < s->n; u++) all *= t->n;
  for (uint32_t code = 0; code < all; code++) {
    uint32_t left = code;
    for (uint32_t u = 0; u < s->n; u++, left /= t->n) f[u] = left % t->n;
    if (maps(s, t, f)) return true;
  }
  return false;
}

/* Random pairs, half of them with t made from s by blurring and forgetting: found iff one of all
 * maps is an embedding. */
static void F14_agrees_with_all_maps(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 14);
  tp_structure s, t, u;
  tp_structure_init(&s, 2, 1);
  tp_structure_init(&t, 2, 1);
  tp_structure_init(&u, 2, 1);
  uint32_t yes = 0, no = 0;
  const unsigned rounds = getenv("TP_SOAK") ? 200000 : 6000;
  for (unsigned i = 0; i < rounds; i++) {
    random_structure(&rng, &s, (uint32_t)tp_rng_below(&rng, 5) + 1,
                     (uint32_t)tp_rng_below(&rng, 3));
    if (i % 2) {
      const tp_unary_set names = {{tp_rng_below(&rng, 4)}};
      tp_structure_blur(&u, &s, &names);
      uint32_t order[5] = {0, 1, 2, 3, 4};
      for (uint32_t k = u.n; k > 1; k--) {
        const uint32_t j = (uint32_t)tp_rng_below(&rng, k), x = order[j];
        order[j] = order[k - 1];
        order[k - 1] = x;
      }
      tp_structure_permute(&t, &u, order);
      if (tp_rng_below(&rng, 2)) tp_k64_set(&t.unary[0], 0, values[tp_rng_below(&rng, 3)]);
    } else {
      random_structure(&rng, &t, (uint32_t)tp_rng_below(&rng, s.n) + 1, 6);
    }
    assert_true(tp_structure_check(&s) && tp_structure_check(&t));
    const bool expected = brute_force_embeds(&s, &t);
    assert_int_equal(embeds(&s, &t), expected);
    *(expected ? &yes : &no) += 1;
  }
  assert_true(yes > rounds / 5 && no > rounds / 5);
  tp_structure_clear(&s);
  tp_structure_clear(&t);
  tp_structure_clear(&u);
}

/* A structure embeds into its abstraction; a renumbering of the nodes changes nothing about it, not
 * even its id. */
static void F13_abstraction_is_canonical(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 13);
  tp_structure s, t, b, c;
  for (int k = 0; k < 4; k++) tp_structure_init((tp_structure *[]){&s, &t, &b, &c}[k], 3, 2);
  tp_graph_pool pool = {0};
  for (int i = 0; i < 3000; i++) {
    random_structure(&rng, &s, (uint32_t)tp_rng_below(&rng, 9), (uint32_t)tp_rng_below(&rng, 4));
    uint32_t order[9];
    for (uint32_t k = 0; k < s.n; k++) {
      const uint32_t j = (uint32_t)tp_rng_below(&rng, k + 1);
      order[k] = order[j];
      order[j] = k;
    }
    tp_structure_permute(&t, &s, order);
    const tp_unary_set names = {{tp_rng_below(&rng, 8)}};
    tp_structure_blur(&b, &s, &names);
    tp_structure_blur(&c, &t, &names);
    assert_true(tp_structure_check(&b) && tp_structure_is_blurred(&b, &names));
    assert_true(embeds(&s, &b));
    assert_ptr_equal(tp_graph_intern(&pool, &b), tp_graph_intern(&pool, &c));
    assert_true(tp_structure_same(&tp_graph_intern(&pool, &b)->s, &b));
    tp_structure_blur(&c, &b, &names);
    assert_true(tp_structure_same(&b, &c));
  }
  assert_true(pool.list.n > 100);
  tp_graph_pool_clear(&pool);
  for (int k = 0; k < 4; k++) tp_structure_clear((tp_structure *[]){&s, &t, &b, &c}[k]);
}

/* Splitting a summary node and joining the twins again gives the node back; removing the twin as
 * well. */
static void splitting_is_undone(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 3);
  tp_structure s, t;
  tp_structure_init(&s, 3, 2);
  tp_structure_init(&t, 3, 2);
  for (int i = 0; i < 500; i++) {
    random_structure(&rng, &s, (uint32_t)tp_rng_below(&rng, 8) + 1, 3);
    const uint32_t u = (uint32_t)tp_rng_below(&rng, s.n);
    s.summary |= tp_k64_bit(u);
    for (uint32_t p = 0; p < 2; p++) tp_k64_set(tp_structure_row(&s, p, u), u, TP_KLEENE_HALF);
    tp_structure_copy(&t, &s);
    const uint32_t twin = tp_structure_split(&t, u);
    assert_true(tp_structure_check(&t) && twin == s.n && tp_structure_is_summary(&t, twin));
    assert_true(embeds(&t, &s));
    tp_structure_remove(&t, i % 2 ? twin : u);
    assert_true(tp_structure_check(&t) && t.n == s.n);
    if (i % 2) assert_true(tp_structure_same(&s, &t));
    assert_true(embeds(&s, &t) && embeds(&t, &s));
  }
  tp_structure_clear(&s);
  tp_structure_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F13_five_cells_become_three_nodes),
      cmocka_unit_test(F13_coarse_names_give_two_nodes),
      cmocka_unit_test(F14_negative_cases),
      cmocka_unit_test(F14_agrees_with_all_maps),
      cmocka_unit_test(F13_abstraction_is_canonical),
      cmocka_unit_test(splitting_is_undone),
  };
  return cmocka_run_group_tests_name("shape structures", tests, NULL, NULL);
}

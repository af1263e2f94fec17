/* Focus, coerce and post: the figures of the thesis; programs over lists and trees; random
 * programs, whose every heap must be one that a reached graph stands for. */
#include "shape/testing.h"

#include <stdio.h>

enum { A, P };  // pointers of the figures
static bool soak(void) { return getenv("TP_SOAK") != NULL; }

/* a -> c0 -> ... -> c(n-1), with p at the last cell. */
static plain list_of(uint32_t n) {
  plain h = plain_empty();
  h.n = n;
  for (uint32_t u = 0; u + 1 < n; u++) h.field[0][u] = (uint8_t)(u + 1);
  h.pointer[A] = 0;
  h.pointer[P] = (uint8_t)(n - 1);
  return h;
}

static tp_structure *blurred_list(const shape_fixture *f, uint32_t n) {
  tp_structure *s = tp_shape_take(f->e), *t = tp_shape_take(f->e);
  const plain h = list_of(n);
  plain_structure(f, &h, s);
  tp_structure_blur(t, s, &f->c->abstraction);
  tp_shape_give(f->e, s);
  return t;
}

static uint32_t node_of(const shape_fixture *f, const tp_structure *s, int pointer) {
  return (uint32_t)__builtin_ctzll(s->unary[f->c->points[pointer]].must);
}

/* The list of five cells, its middle in one node; focus on a->n: nothing, the node, a part of it.
 */
static void F16_three_cases(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "ap", NULL, 0);
  tp_structure *s = blurred_list(&f, 5);
  assert_int_equal(s->n, 3);
  tp_structures cases = {0};
  const uint8_t first = (uint8_t)node_of(&f, s, A);
  assert_int_equal(tp_shape_focus(f.e, s, (tp_focus){2, f.c->field[0], first}, &cases), TP_OK);
  assert_int_equal(cases.n, 3);
  assert_int_equal(cases.at[0]->n, 3);
  assert_int_equal(cases.at[1]->n, 3);
  assert_int_equal(cases.at[2]->n, 4);
  assert_int_equal(tp_structure_row(cases.at[0], f.c->field[0], first)->may, 0);
  for (int i = 1; i < 3; i++) {
    const tp_k64 row = *tp_structure_row(cases.at[i], f.c->field[0], first);
    assert_true(row.may == row.must && __builtin_popcountll(row.must) == 1);
    assert_true(cases.at[i]->summary & row.must);
  }
  assert_int_equal(__builtin_popcountll(cases.at[2]->summary), 2);
  // coerce: the first case is no heap, in the others the node that a->n is is one cell
  assert_false(tp_shape_coerce(f.c, tp_shape_engine_evaluation(f.e), cases.at[0]));
  for (int i = 1; i < 3; i++) {
    assert_true(tp_shape_coerce(f.c, tp_shape_engine_evaluation(f.e), cases.at[i]));
    assert_false(cases.at[i]->summary & tp_structure_row(cases.at[i], f.c->field[0], first)->must);
  }
  assert_int_equal(cases.at[1]->summary, 0);
  assert_int_equal(__builtin_popcountll(cases.at[2]->summary), 1);
  for (size_t i = 0; i < cases.n; i++) tp_shape_give(f.e, cases.at[i]);
  tp_shape_give(f.e, s);
  tp_vec_clear(&cases);
  shape_close(&f);
}

/* p = a->n on that graph: two graphs, p at the second cell, the rest of the list behind it. */
static void F17_load_keeps_the_list(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "apq", NULL, 0);
  tp_structure *s = blurred_list(&f, 5);
  const uint32_t g = tp_shape_engine_add(f.e, s);
  tp_graph_ids out = {0};
  uint32_t events = 0;
  const tp_shape_step step = tp_heap_step(TP_HEAP_LOAD, 2, A, 0);
  assert_int_equal(tp_shape_post(f.e, g, &step, &out, &events), TP_OK);
  assert_int_equal(out.n, 2);
  assert_int_equal(events, 0);
  const int16_t q[] = {2};
  const uint32_t reach_q = f.c->predicates.at[tp_shape_class_find(f.c, 0, q)].index;
  for (size_t i = 0; i < out.n; i++) {
    const tp_structure *t = &tp_graph_at(tp_shape_engine_graphs(f.e), out.at[i])->s;
    const uint64_t first = t->unary[f.c->points[A]].must, all = tp_structure_nodes(t);
    assert_true(t->n >= 3 && tp_k64_eq(t->unary[reach_q], (tp_k64){all & ~first, all & ~first}));
    for (uint32_t n = 3; n < 7; n++) {  // which lists it stands for: three cells, or more
      plain h = list_of(n);
      h.pointer[2] = 1;
      tp_structure *heap = tp_shape_take(f.e);
      plain_structure(&f, &h, heap);
      assert_int_equal(shape_embeds(heap, t), (t->n == 3) == (n == 3));
      tp_shape_give(f.e, heap);
    }
  }
  tp_shape_give(f.e, s);
  tp_vec_clear(&out);
  shape_close(&f);
}

// --------------------------------------------------------- random heaps: the laws

static void random_plain(tp_rng *rng, plain *h, uint32_t n, uint32_t n_fields,
                         uint32_t n_pointers) {
  *h = plain_empty();
  h->n = n;
  for (uint32_t p = 0; p < n_pointers; p++)
    if (n && tp_rng_below(rng, 5)) h->pointer[p] = (uint8_t)tp_rng_below(rng, n);
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t i = 0; i < n_fields; i++)
      if (tp_rng_below(rng, 3))
        h->field[i][u] = (uint8_t)(tp_rng_below(rng, 3) ? (u + 1 + i) % n : tp_rng_below(rng, n));
}

/* Some definite values of s forgotten, nodes merged by a random choice of names: heap still embeds.
 */
static void coarsen(const shape_fixture *f, tp_rng *rng, const tp_structure *heap,
                    tp_structure *out) {
  tp_unary_set names = {{0}};
  for (uint32_t p = 0; p < f->c->n_unary; p++)
    if (tp_rng_below(rng, 2)) tp_unary_set_add(&names, p);
  tp_structure_blur(out, heap, &names);
  for (uint32_t p = 0; p < out->n_unary; p++)
    if (tp_rng_below(rng, 3) == 0)
      out->unary[p] = (tp_k64){out->unary[p].may | (tp_rng_next(rng) & tp_structure_nodes(out)),
                               out->unary[p].must & tp_rng_next(rng)};
  for (uint32_t p = 0; p < out->n_binary; p++)
    for (uint32_t u = 0; u < out->n; u++) {
      tp_k64 *row = tp_structure_row(out, p, u);
      if (tp_rng_below(rng, 3) == 0)
        *row = (tp_k64){row->may | (tp_rng_next(rng) & tp_structure_nodes(out)),
                        row->must & tp_rng_next(rng)};
    }
}

/* Coerce keeps every heap; focus has it in one of its cases. */
static void heaps_are_kept(const char *path, uint64_t seed, unsigned rounds) {
  shape_fixture f = shape_open(path, "pqr", NULL, 0);
  tp_rng rng;
  tp_rng_init(&rng, seed);
  tp_structure *heap = tp_shape_take(f.e), *wide = tp_shape_take(f.e), *kept = tp_shape_take(f.e);
  unsigned sharper = 0;
  for (unsigned i = 0; i < rounds; i++) {
    plain h;
    random_plain(&rng, &h, (uint32_t)tp_rng_below(&rng, 5), f.c->n_fields, 3);
    plain_structure(&f, &h, heap);
    coarsen(&f, &rng, heap, wide);
    assert_true(shape_embeds(heap, wide));
    tp_structure_copy(kept, wide);
    assert_true(tp_shape_coerce(f.c, tp_shape_engine_evaluation(f.e), kept));
    assert_true(shape_embeds(heap, kept) && shape_embeds(kept, wide));
    sharper += !tp_structure_same(kept, wide);
    tp_structures cases = {0};
    tp_focus what = {1, f.c->points[tp_rng_below(&rng, 3)], 0};
    if (wide->n && i % 2) {
      what = (tp_focus){2, f.c->field[tp_rng_below(&rng, f.c->n_fields)],
                        (uint8_t)tp_rng_below(&rng, wide->n)};
      if (wide->summary & tp_k64_bit(what.u)) continue;  // focus is asked of single cells
    }
    assert_int_equal(tp_shape_focus(f.e, wide, what, &cases), TP_OK);
    bool found = false;
    for (size_t k = 0; k < cases.n; k++) {
      found = found || shape_embeds(heap, cases.at[k]);
      assert_true(tp_structure_check(cases.at[k]));
      tp_shape_give(f.e, cases.at[k]);
    }
    assert_true(found);
    tp_vec_clear(&cases);
  }
  assert_true(sharper > rounds / 4);
  tp_shape_give(f.e, heap);
  tp_shape_give(f.e, wide);
  tp_shape_give(f.e, kept);
  shape_close(&f);
}

static void F17_coerce_keeps_every_heap(void **state) {
  (void)state;
  static const char *const files[] = {"sll", "ring", "queue", "sorted",
                                      "dll", "tree", "treep", "nested"};
  for (size_t i = 0; i < 8; i++) {
    char path[64];
    snprintf(path, sizeof path, "lib/shape/%s.scg", files[i]);
    heaps_are_kept(path, 17 + i, soak() ? 50000 : 250);
  }
}

// ---------------------------------------------------------------------- programs

#define NIL(x) tp_heap_step(TP_HEAP_NIL, x, -1, -1)
#define COPY(x, y) tp_heap_step(TP_HEAP_COPY, x, y, -1)
#define LOAD(x, y, f) tp_heap_step(TP_HEAP_LOAD, x, y, f)
#define CLEAR(x, f) tp_heap_step(TP_HEAP_CLEAR, x, -1, f)
#define STORE(x, f, y) tp_heap_step(TP_HEAP_STORE, x, y, f)
#define NEW(x) tp_heap_step(TP_HEAP_NEW, x, -1, -1)
#define FREE(x) tp_heap_step(TP_HEAP_FREE, x, -1, -1)
#define IF(k, xx, yy) ((tp_shape_step){.kind = k, .x = xx, .y = yy})

/* No graph, as in no run. */
static void assert_unreachable(const tp_graph_ids *at) { assert_int_equal(at->n, 0); }

/* Build a list at its end, then walk through it and free it: no nil is followed, nothing freed
 * twice, all of it is freed. */
static void lists_are_built_walked_and_freed(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "pqr", NULL, 0);
  enum { LIST, LAST, T };
  const plain_edge edges[] = {
      {0, 1, NEW(LIST)},        {1, 2, COPY(LAST, LIST)},
      {2, 3, NEW(T)},           {3, 4, STORE(LAST, 0, T)},
      {4, 2, COPY(LAST, T)},    {2, 5, NIL(LAST)},
      {5, 6, NIL(T)},           {6, 7, IF(TP_SHAPE_STEP_NOT_NIL, LIST, 0)},
      {7, 8, LOAD(T, LIST, 0)}, {8, 9, FREE(LIST)},
      {9, 6, COPY(LIST, T)},    {6, 10, IF(TP_SHAPE_STEP_IS_NIL, LIST, 0)},
  };
  tp_graph_ids at[11] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 1000));
  assert_int_equal(events, 0);
  for (size_t i = 0; i < at[10].n; i++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[10].at[i])->s;
    assert_true(s->n >= 1 && s->unary[f.c->freed].must == tp_structure_nodes(s));
  }
  assert_true(at[10].n > 0);
  for (int i = 0; i < 11; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* Reversal in place keeps an acyclic list of the same cells: all of them are reached from the new
 * head in the end. */
static void lists_are_reversed(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "pqr", NULL, 0);
  enum { LIST, REVERSED, T };
  const plain_edge edges[] = {
      {0, 1, NIL(LIST)},
      {1, 2, NEW(T)},
      {2, 3, STORE(T, 0, LIST)},
      {3, 1, COPY(LIST, T)},
      {1, 4, NIL(T)},
      {4, 5, IF(TP_SHAPE_STEP_NOT_NIL, LIST, 0)},
      {5, 6, LOAD(T, LIST, 0)},
      {6, 7, STORE(LIST, 0, REVERSED)},
      {7, 8, COPY(REVERSED, LIST)},
      {8, 9, COPY(LIST, T)},
      {9, 4, NIL(T)},
      {4, 10, IF(TP_SHAPE_STEP_IS_NIL, LIST, 0)},
  };
  tp_graph_ids at[11] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 1000));
  assert_int_equal(events, 0);
  const int16_t reversed[] = {REVERSED}, none[1] = {0};
  const uint32_t reach = f.c->predicates.at[tp_shape_class_find(f.c, 0, reversed)].index,
                 cyclic = f.c->predicates.at[tp_shape_class_find(f.c, 1, none)].index;
  for (size_t i = 0; i < at[10].n; i++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[10].at[i])->s;
    assert_true(s->unary[reach].must == tp_structure_nodes(s) && s->unary[cyclic].may == 0);
  }
  assert_int_equal(at[10].n, 4);  // no cell, one, two, more
  for (int i = 0; i < 11; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* A doubly linked list is built at its front and walked back from anywhere: x->s->p is x. */
static void back_links_are_back_links(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/dll.scg", "pqr", NULL, 0);
  enum { LIST, X, T };
  const plain_edge edges[] = {
      {0, 1, NEW(LIST)},
      {1, 2, NEW(T)},
      {2, 3, STORE(T, 0, LIST)},
      {3, 4, STORE(LIST, 1, T)},
      {4, 1, COPY(LIST, T)},
      {1, 5, COPY(X, LIST)},
      {5, 6, LOAD(T, X, 0)},
      {6, 7, IF(TP_SHAPE_STEP_NOT_NIL, T, 0)},
      {7, 8, LOAD(T, T, 1)},
      {8, 9, IF(TP_SHAPE_STEP_SAME, T, X)},
      {8, 10, IF(TP_SHAPE_STEP_DIFFERENT, T, X)},
      {9, 5, LOAD(X, X, 0)},
      {6, 11, IF(TP_SHAPE_STEP_IS_NIL, T, 0)},
  };
  tp_graph_ids at[12] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 4000));
  assert_int_equal(events, 0);
  assert_unreachable(&at[10]);
  assert_true(at[11].n > 0);
  for (int i = 0; i < 12; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

static bool all_cells(const shape_fixture *f, const tp_structure *s, const char *family,
                      int16_t argument, tp_kleene value, uint64_t but) {
  const int at = tp_shape_class_find(f->c, tp_description_family(f->entry, family),
                                     (const int16_t[]){argument, 0});
  const tp_k64 v = s->unary[f->c->predicates.at[at].index];
  return (value == TP_KLEENE_TRUE ? ~v.must & tp_structure_nodes(s) & ~but : v.may & ~but) == 0;
}

/* Any cell but the first is taken out of a doubly linked list and freed: the others lead forth and
 * back as before. */
static void cells_leave_doubly_linked_lists(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/dll.scg", "pqrs", NULL, 0);
  enum { LIST, X, NEXT, BACK };
  const plain_edge edges[] = {
      {0, 1, NIL(LIST)},
      {1, 2, NEW(X)},
      {2, 3, STORE(X, 0, LIST)},
      {3, 4, IF(TP_SHAPE_STEP_NOT_NIL, LIST, 0)},
      {4, 5, STORE(LIST, 1, X)},
      {3, 5, IF(TP_SHAPE_STEP_IS_NIL, LIST, 0)},
      {5, 6, COPY(LIST, X)},
      {6, 1, NIL(X)},
      {1, 7, COPY(X, LIST)},
      {7, 8, IF(TP_SHAPE_STEP_NOT_NIL, X, 0)},
      {8, 9, LOAD(NEXT, X, 0)},
      {9, 10, IF(TP_SHAPE_STEP_NOT_NIL, NEXT, 0)},
      {10, 7, COPY(X, NEXT)},
      {8, 11, IF(TP_SHAPE_STEP_DIFFERENT, X, LIST)},
      {11, 12, LOAD(NEXT, X, 0)},
      {12, 13, LOAD(BACK, X, 1)},
      {13, 14, STORE(BACK, 0, NEXT)},
      {14, 15, IF(TP_SHAPE_STEP_NOT_NIL, NEXT, 0)},
      {15, 16, STORE(NEXT, 1, BACK)},
      {14, 16, IF(TP_SHAPE_STEP_IS_NIL, NEXT, 0)},
      {16, 17, FREE(X)},
      {17, 18, NIL(X)},
      {18, 19, NIL(NEXT)},
      {19, 20, NIL(BACK)},
  };
  tp_graph_ids at[21] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 4000));
  assert_int_equal(events, 0);
  for (size_t i = 0; i < at[20].n; i++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[20].at[i])->s;
    const uint64_t freed = s->unary[f.c->freed].must;
    assert_true(__builtin_popcountll(freed) == 1 && !(s->summary & freed));
    assert_true(all_cells(&f, s, "reach", LIST, TP_KLEENE_TRUE, freed));
    assert_true(all_cells(&f, s, "cancel_sp", 0, TP_KLEENE_TRUE, 0) &&
                all_cells(&f, s, "cancel_ps", 0, TP_KLEENE_TRUE, 0));
    assert_true(all_cells(&f, s, "cyclic", 0, TP_KLEENE_FALSE, 0));
  }
  assert_int_equal(at[20].n, 3);
  for (int i = 0; i < 21; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* Cells are added below any cell that has room: what grows is a tree, all of it below the root. */
static void trees_grow(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/tree.scg", "pqr", NULL, 0);
  enum { ROOT, AT, T };
  const plain_edge edges[] = {
      {0, 1, NEW(ROOT)},      {1, 2, COPY(AT, ROOT)},
      {2, 3, LOAD(T, AT, 0)}, {3, 4, IF(TP_SHAPE_STEP_NOT_NIL, T, 0)},
      {4, 2, COPY(AT, T)},    {3, 5, IF(TP_SHAPE_STEP_IS_NIL, T, 0)},
      {5, 6, NEW(T)},         {6, 12, STORE(AT, 0, T)},
      {2, 7, LOAD(T, AT, 1)}, {7, 8, IF(TP_SHAPE_STEP_NOT_NIL, T, 0)},
      {8, 2, COPY(AT, T)},    {7, 9, IF(TP_SHAPE_STEP_IS_NIL, T, 0)},
      {9, 10, NEW(T)},        {10, 12, STORE(AT, 1, T)},
      {12, 11, NIL(T)},       {11, 1, NIL(AT)},
  };
  tp_graph_ids at[13] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 4000));
  assert_int_equal(events, 0);
  for (size_t i = 0; i < at[1].n; i++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[1].at[i])->s;
    assert_true(all_cells(&f, s, "downReach", ROOT, TP_KLEENE_TRUE, 0));
    assert_true(all_cells(&f, s, "shared", 0, TP_KLEENE_FALSE, 0) &&
                all_cells(&f, s, "downCyclic", 0, TP_KLEENE_FALSE, 0));
  }
  assert_true(at[1].n > 3);
  for (int i = 0; i < 13; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* A ring grows behind its head: following links never comes to nil, and every cell stays on the
 * ring. */
static void rings_stay_rings(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/ring.scg", "pqr", NULL, 0);
  enum { RING, T, U };
  const plain_edge edges[] = {
      {0, 1, NEW(RING)},
      {1, 2, STORE(RING, 0, RING)},
      {2, 3, NEW(T)},
      {3, 4, LOAD(U, RING, 0)},
      {4, 5, STORE(T, 0, U)},
      {5, 6, STORE(RING, 0, T)},
      {6, 7, NIL(T)},
      {7, 2, NIL(U)},
      {2, 8, COPY(T, RING)},
      {8, 9, LOAD(T, T, 0)},
      {9, 8, COPY(U, T)},
      {9, 10, IF(TP_SHAPE_STEP_IS_NIL, T, 0)},
      {9, 11, IF(TP_SHAPE_STEP_SAME, T, RING)},
  };
  tp_graph_ids at[12] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 2000));
  assert_int_equal(events, 0);
  assert_unreachable(&at[10]);
  const int16_t none[1] = {0};
  const uint32_t cyclic = f.c->predicates.at[tp_shape_class_find(f.c, 1, none)].index;
  assert_true(at[11].n > 0);
  for (size_t i = 0; i < at[11].n; i++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[11].at[i])->s;
    assert_true(s->unary[cyclic].must == tp_structure_nodes(s));
  }
  for (int i = 0; i < 12; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* Insertion of any data where it belongs keeps a list sorted. */
static void insertion_keeps_order(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sorted.scg", "pqrs", NULL, 0);
  enum { LIST, E, AT, BEFORE };
  const tp_shape_step any = tp_heap_step(TP_HEAP_SET, E, -1, -1);
  const tp_shape_step at_most = {
      .kind = TP_SHAPE_STEP_AT_MOST, .x = AT, .y = E, .value = TP_KLEENE_TRUE};
  tp_shape_step greater = at_most;
  greater.value = TP_KLEENE_FALSE;
  const plain_edge edges[] = {
      {0, 1, NIL(LIST)},
      {1, 2, NEW(E)},
      {2, 3, any},
      {3, 4, COPY(AT, LIST)},
      {4, 5, NIL(BEFORE)},
      {5, 6, IF(TP_SHAPE_STEP_NOT_NIL, AT, 0)},
      {6, 7, at_most},
      {7, 8, COPY(BEFORE, AT)},
      {8, 5, LOAD(AT, AT, 0)},
      {5, 9, IF(TP_SHAPE_STEP_IS_NIL, AT, 0)},
      {6, 9, greater},
      {9, 10, STORE(E, 0, AT)},
      {10, 11, IF(TP_SHAPE_STEP_IS_NIL, BEFORE, 0)},
      {11, 13, COPY(LIST, E)},
      {10, 12, IF(TP_SHAPE_STEP_NOT_NIL, BEFORE, 0)},
      {12, 13, STORE(BEFORE, 0, E)},
      {13, 14, NIL(E)},
      {14, 15, NIL(AT)},
      {15, 1, NIL(BEFORE)},
  };
  tp_graph_ids at[16] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 5000));
  assert_int_equal(events, 0);
  const uint32_t in_order =
      f.c->predicates
          .at[tp_shape_class_find(f.c, tp_description_family(f.entry, "inOrder"),
                                  (const int16_t[]){0})]
          .index;
  for (size_t i = 0; i < at[1].n; i++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[1].at[i])->s;
    assert_true(s->unary[in_order].must == tp_structure_nodes(s));
  }
  assert_true(at[1].n >= 3);
  for (int i = 0; i < 16; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* What goes wrong is reported: a nil, a freed cell. */
static void bad_pointers_are_events(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "pqr", NULL, 0);
  const plain_edge nil[] = {{0, 1, NIL(0)}, {1, 2, LOAD(1, 0, 0)}},
                   freed[] = {{0, 1, NEW(0)},
                              {1, 2, COPY(1, 0)},
                              {2, 3, FREE(0)},
                              {3, 4, LOAD(0, 1, 0)}},
                   maybe[] = {{0, 1, NIL(0)}, {0, 1, NEW(0)}, {1, 2, CLEAR(0, 0)}};
  tp_graph_ids at[5] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, nil, 2, at, &events, 100));
  assert_int_equal(events, TP_EVENT_NIL | TP_EVENT_NIL_SURE);
  assert_unreachable(&at[2]);
  events = 0;
  for (int i = 0; i < 5; i++) tp_vec_clear(&at[i]);
  assert_true(shape_explore(&f, freed, 4, at, &events, 100));
  assert_int_equal(events, TP_EVENT_FREED | TP_EVENT_FREED_SURE);
  assert_unreachable(&at[4]);
  events = 0;
  for (int i = 0; i < 5; i++) tp_vec_clear(&at[i]);
  assert_true(shape_explore(&f, maybe, 3, at, &events, 100));
  assert_true(events & TP_EVENT_NIL);
  assert_int_equal(at[2].n, 1);
  for (int i = 0; i < 5; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* A list of ones with a zero at its end is built, and walked while there are ones: behind them is
 * the zero, and never nil. */
static void F19_ones_end_in_zero(void **state) {
  (void)state;
  static const tp_data_predicate data_predicates[2] = {
      {.text = "data == 1", .is_separating = true}, {.text = "data == 0", .is_separating = true}};
  shape_fixture f = shape_open("lib/shape/sll.scg", "apt", data_predicates, 2);
  enum { LIST, AT, T, ONE = 0, ZERO = 1 };
#define DATA(k, xx, a, v) ((tp_shape_step){.kind = k, .x = xx, .data_predicate = a, .value = v})
#define SET TP_SHAPE_STEP_ASSIGN_DATA
#define IS TP_SHAPE_STEP_ASSUME_DATA
  const plain_edge edges[] = {
      {0, 1, NEW(LIST)},
      {1, 2, COPY(AT, LIST)},
      {2, 3, DATA(SET, AT, ONE, TP_KLEENE_TRUE)},
      {3, 4, DATA(SET, AT, ZERO, TP_KLEENE_FALSE)},
      {4, 5, NEW(T)},
      {5, 6, STORE(AT, 0, T)},
      {6, 7, LOAD(AT, AT, 0)},
      {7, 2, NIL(T)},
      {2, 8, DATA(SET, AT, ONE, TP_KLEENE_FALSE)},
      {8, 9, DATA(SET, AT, ZERO, TP_KLEENE_TRUE)},
      {9, 10, COPY(AT, LIST)},
      {10, 11, DATA(IS, AT, ONE, TP_KLEENE_TRUE)},
      {11, 10, LOAD(AT, AT, 0)},
      {10, 12, DATA(IS, AT, ONE, TP_KLEENE_FALSE)},
      {12, 13, DATA(IS, AT, ZERO, TP_KLEENE_FALSE)},
      {12, 14, DATA(IS, AT, ZERO, TP_KLEENE_TRUE)},
  };
  tp_graph_ids at[15] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 1000));
  assert_int_equal(events, 0);
  assert_unreachable(&at[13]);
  assert_true(at[14].n > 0);
  for (int i = 0; i < 15; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

// ---------------------------------------------------------------- random programs

static tp_shape_step random_data_step(tp_rng *rng, int x, int y) {
  if (tp_rng_below(rng, 2)) return tp_heap_step(TP_HEAP_SET, x, tp_rng_below(rng, 2) ? y : -1, -1);
  return (tp_shape_step){.kind = TP_SHAPE_STEP_AT_MOST,
                         .x = (int16_t)x,
                         .y = (int16_t)y,
                         .value = tp_rng_below(rng, 2) ? TP_KLEENE_TRUE : TP_KLEENE_FALSE};
}

static tp_shape_step random_assertion_step(tp_rng *rng, uint32_t n_data_predicates, int x) {
  static const tp_shape_step_kind kinds[] = {TP_SHAPE_STEP_ASSIGN_DATA, TP_SHAPE_STEP_ASSIGN_DATA,
                                             TP_SHAPE_STEP_ASSUME_DATA, TP_SHAPE_STEP_HAVOC_DATA};
  const tp_shape_step_kind kind = kinds[tp_rng_below(rng, 4)];
  const uint64_t v = tp_rng_below(rng, 5);
  return (tp_shape_step){.kind = kind,
                         .x = (int16_t)x,
                         .data_predicate = (int16_t)tp_rng_below(rng, n_data_predicates),
                         .value = v == 4 && kind == TP_SHAPE_STEP_ASSIGN_DATA ? TP_KLEENE_HALF
                                  : v % 2                                     ? TP_KLEENE_TRUE
                                                                              : TP_KLEENE_FALSE};
}

static tp_shape_step random_step(tp_rng *rng, const tp_shape_class *c) {
  const uint32_t n_fields = c->n_fields, n_pointers = c->n_pointers;
  const int x = (int)tp_rng_below(rng, n_pointers), y = (int)tp_rng_below(rng, n_pointers),
            f = (int)tp_rng_below(rng, n_fields);
  if (c->n_orders && tp_rng_below(rng, 3) == 0) return random_data_step(rng, x, y);
  if (c->n_data_predicates && tp_rng_below(rng, 3) == 0)
    return random_assertion_step(rng, c->n_data_predicates, x);
  switch (tp_rng_below(rng, 14)) {
    case 0: return NIL(x);
    case 1:
      return COPY(x, tp_rng_below(rng, 4)   ? y
                     : tp_rng_below(rng, 2) ? TP_UNKNOWN_SLOT
                                            : TP_OUTSIDE_SLOT);
    case 2:
    case 3: return LOAD(x, y, f);
    case 4: return CLEAR(x, f);
    case 5:
    case 6:
    case 7: return STORE(x, f, tp_rng_below(rng, 8) ? y : TP_OUTSIDE_SLOT);
    case 8: return FREE(x);
    case 9:
      return IF(tp_rng_below(rng, 2) ? TP_SHAPE_STEP_IS_NIL : TP_SHAPE_STEP_NOT_NIL, (int16_t)x,
                (int16_t)y);
    case 10:
      return IF(tp_rng_below(rng, 2) ? TP_SHAPE_STEP_SAME : TP_SHAPE_STEP_DIFFERENT, (int16_t)x,
                (int16_t)y);
    default: return NEW(x);
  }
}

/* Runs of the program: whatever heap one has at a location, a graph of the location stands for it.
 */
static uint64_t runs_are_covered(const shape_fixture *f, tp_rng *rng, const plain_edge *edges,
                                 size_t n_edges, const tp_graph_ids *at, bool from_anything) {
  uint64_t seen = 0;
  tp_structure *s = tp_shape_take(f->e);
  for (int run = 0; run < 20; run++) {
    plain h = from_anything ? plain_start(tp_rng_next(rng), f->c->n_pointers) : plain_empty();
    uint32_t where = 0;
    for (int i = 0; i < 40; i++) {
      const plain_edge *e = &edges[tp_rng_below(rng, n_edges)];
      if (e->from != where) continue;
      plain next = h;
      if (!plain_step(&next, &e->step)) continue;
      h = next;
      where = e->to;
      seen++;
      plain_structure(f, &h, s);
      bool covered = false;
      for (size_t k = 0; k < at[where].n && !covered; k++)
        covered = shape_embeds(s, &tp_graph_at(tp_shape_engine_graphs(f->e), at[where].at[k])->s);
      assert_true(covered);
    }
  }
  tp_shape_give(f->e, s);
  return seen;
}

/* Names of pointers: those of capital letters do not separate. A third of the programs starts with
 * pointers that lead anywhere. */
static void random_programs_are_covered(const char *path, const char *names,
                                        uint32_t n_data_predicates, uint64_t seed,
                                        unsigned rounds) {
  tp_rng rng;
  tp_rng_init(&rng, seed);
  uint64_t seen = 0, finished = 0, anything = 0;
  static const tp_data_predicate data_predicates[2] = {{.text = "first"},
                                                       {.text = "second", .is_separating = true}};
  shape_fixture f = shape_open(path, names, data_predicates, n_data_predicates);
  for (unsigned i = 0; i < rounds; i++) {
    enum { LOCATIONS = 5 };
    plain_edge edges[14];
    const size_t n = 6 + (size_t)tp_rng_below(&rng, 9);
    for (size_t k = 0; k < n; k++) {
      const uint32_t from = k < LOCATIONS ? (uint32_t)k : (uint32_t)tp_rng_below(&rng, LOCATIONS);
      edges[k] = (plain_edge){
          from,
          k < LOCATIONS ? (uint32_t)(k + 1) % LOCATIONS : (uint32_t)tp_rng_below(&rng, LOCATIONS),
          random_step(&rng, f.c)};
    }
    tp_graph_ids at[LOCATIONS] = {{0}};
    uint32_t events = 0;
    const bool from_anything = i % 3 == 0;
    if (from_anything) tp_shape_engine_start(f.e, &at[0]);
    if (shape_explore(&f, edges, n, at, &events, 60)) {
      seen += runs_are_covered(&f, &rng, edges, n, at, from_anything);
      finished++;
      anything += from_anything;
    }
    for (int k = 0; k < LOCATIONS; k++) tp_vec_clear(&at[k]);
  }
  assert_true(finished > rounds / 8 && anything > rounds / 40 && seen > rounds);
  shape_close(&f);
}

static void F18_every_heap_of_random_programs_is_covered(void **state) {
  (void)state;
  const unsigned rounds = soak() ? 5000 : 40;
  random_programs_are_covered("lib/shape/sll.scg", "pq", 0, 181, rounds);
  random_programs_are_covered("lib/shape/sll.scg", "pQr", 0, 182, rounds);
  random_programs_are_covered("lib/shape/dll.scg", "pq", 0, 183, rounds);
  random_programs_are_covered("lib/shape/tree.scg", "pq", 0, 184, rounds);
  random_programs_are_covered("lib/shape/treep.scg", "pQ", 0, 185, rounds);
  random_programs_are_covered("lib/shape/ring.scg", "pq", 0, 186, rounds);
  random_programs_are_covered("lib/shape/queue.scg", "pq", 0, 187, rounds);
  random_programs_are_covered("lib/shape/sorted.scg", "pq", 0, 188, rounds);
  random_programs_are_covered("lib/shape/nested.scg", "pq", 0, 189, rounds);
  random_programs_are_covered("lib/shape/sll.scg", "pq", 2, 190, rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F16_three_cases),
      cmocka_unit_test(F17_load_keeps_the_list),
      cmocka_unit_test(F17_coerce_keeps_every_heap),
      cmocka_unit_test(lists_are_built_walked_and_freed),
      cmocka_unit_test(lists_are_reversed),
      cmocka_unit_test(back_links_are_back_links),
      cmocka_unit_test(cells_leave_doubly_linked_lists),
      cmocka_unit_test(trees_grow),
      cmocka_unit_test(rings_stay_rings),
      cmocka_unit_test(insertion_keeps_order),
      cmocka_unit_test(F19_ones_end_in_zero),
      cmocka_unit_test(bad_pointers_are_events),
      cmocka_unit_test(F18_every_heap_of_random_programs_is_covered),
  };
  return cmocka_run_group_tests_name("shape transformer", tests, NULL, NULL);
}

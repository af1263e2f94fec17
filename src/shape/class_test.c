/* Classes: order, lattice, generators; two-valued graphs and what consistency says about them;
 * regions; data of cells. */
#include "shape/structure_draw.h"
#include "shape/partial_heap.h"
#include "shape/structure_print.h"
#include "shape/region.h"
#include "shape/testing.h"
#include "shape/verify.h"

#include <stdio.h>

static const char *const files[] = {
    "lib/shape/sll.scg",    "lib/shape/dll.scg",   "lib/shape/tree.scg", "lib/shape/treep.scg",
    "lib/shape/nested.scg", "lib/shape/queue.scg", "lib/shape/ring.scg", "lib/shape/sorted.scg"};
enum { N_FILES = 8, N_NAMES = 3 };
static const char *const names[N_NAMES] = {"p", "q", "r"};

/* A tracking definition from bits: which pointers, which of them separate, which of two
 * data_predicates.
 */
typedef struct {
  tp_tracked_pointer pointers[N_NAMES];
  tp_data_predicate data_predicates[2];
  tp_tracking d;
} tracking;

static void make_tracking(tracking *t, uint32_t tracked, uint32_t separating, uint32_t asserted) {
  static const char *const texts[2] = {"data == 0", "data > 0"};
  *t = (tracking){0};
  for (uint32_t i = 0; i < N_NAMES; i++)
    if ((tracked >> i) & 1)
      t->pointers[t->d.n_pointers++] = (tp_tracked_pointer){names[i], (separating >> i) & 1};
  for (uint32_t i = 0; i < 2; i++)
    if ((asserted >> i) & 1)
      t->data_predicates[t->d.n_data_predicates++] =
          (tp_data_predicate){.text = texts[i], .is_separating = (separating >> 2) & 1};
  t->d.pointers = t->pointers;
  t->d.data_predicates = t->data_predicates;
}

static tp_shape_class *class_of(const tp_description *entry, uint32_t families,
                                const char *const *fields, const tp_tracking *d) {
  tp_shape_class *c;
  assert_int_equal(tp_shape_class_new((tp_generator){entry, families}, fields, d, &c), TP_OK);
  return c;
}

typedef struct {
  uint32_t tracked, separating, asserted, families;
} choice;

static choice random_choice(tp_rng *rng, const tp_description *entry) {
  choice x = {(uint32_t)tp_rng_below(rng, 8), 0, (uint32_t)tp_rng_below(rng, 4), 0};
  x.separating = x.tracked & (uint32_t)tp_rng_next(rng);
  x.families = tp_generator_close((tp_generator){entry, (uint32_t)tp_rng_next(rng) &
                                                            tp_description_all_families(entry)})
                   .families;
  return x;
}

static tp_shape_class *class_from(const tp_description *entry, choice x) {
  tracking t;
  make_tracking(&t, x.tracked, x.separating, x.asserted);
  return class_of(entry, x.families, NULL, &t.d);
}

/* The order is one; joins and meets of what classes are made from give bounds of the classes. */
static void order_laws(const tp_description *entry, tp_rng *rng) {
  for (int i = 0; i < 60; i++) {
    const choice x = random_choice(rng, entry), y = random_choice(rng, entry);
    const choice low = {x.tracked | y.tracked, x.separating | y.separating, x.asserted | y.asserted,
                        x.families | y.families},
                 high = {x.tracked & y.tracked, x.separating & y.separating,
                         x.asserted & y.asserted, x.families & y.families};
    tp_shape_class *a = class_from(entry, x), *b = class_from(entry, y),
                   *meet = class_from(entry, low), *join = class_from(entry, high);
    assert_true(tp_shape_class_refines(a, a));
    assert_true(tp_shape_class_refines(meet, a) && tp_shape_class_refines(meet, b));
    assert_true(tp_shape_class_refines(a, join) && tp_shape_class_refines(b, join) &&
                tp_shape_class_refines(meet, join));
    if (tp_shape_class_refines(a, b) && tp_shape_class_refines(b, a))
      assert_int_equal(a->predicates.n, b->predicates.n);
    if (tp_shape_class_refines(a, b))
      assert_true(tp_shape_class_refines(a, join) && tp_shape_class_refines(join, b));
    for (int k = 0; k < 4; k++) tp_shape_class_free((tp_shape_class *[]){a, b, meet, join}[k]);
  }
}

typedef void (*visit)(const tp_description *entry, tp_rng *rng);
static void each_entry(visit v, uint64_t seed) {
  tp_rng rng;
  tp_rng_init(&rng, seed);
  for (size_t i = 0; i < N_FILES; i++) {
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_description entry = {0};
    assert_int_equal(tp_description_read(&entry, files[i], diag), TP_OK);
    v(&entry, &rng);
    tp_description_clear(&entry);
    tp_diag_free(diag);
  }
}

static void F11_classes_are_ordered(void **state) {
  (void)state;
  each_entry(order_laws, 11);
}

/* More tracked, more families: a finer class. The coarsest generator makes the class without
 * predicates. */
static void is_monotone(const tp_description *entry, tp_rng *rng) {
  for (int i = 0; i < 60; i++) {
    const choice x = random_choice(rng, entry);
    choice more = x;
    const choice extra = random_choice(rng, entry);
    more.tracked |= extra.tracked;
    more.separating |= extra.separating;
    more.asserted |= extra.asserted;
    if (i % 2) more.families |= extra.families;
    tp_shape_class *coarse = class_from(entry, x), *fine = class_from(entry, more), *nothing;
    tracking t, u;
    make_tracking(&t, x.tracked, x.separating, x.asserted);
    make_tracking(&u, more.tracked, more.separating, more.asserted);
    assert_true(tp_tracking_refines(&u.d, &t.d));
    assert_true(tp_shape_class_refines(fine, coarse));
    assert_int_equal(tp_shape_class_new((tp_generator){0}, NULL, &u.d, &nothing), TP_OK);
    assert_int_equal(nothing->predicates.n, 0);
    assert_true(tp_shape_class_refines(coarse, nothing));
    tp_shape_class_free(coarse);
    tp_shape_class_free(fine);
    tp_shape_class_free(nothing);
  }
}

static void F20_generators_are_monotone(void **state) {
  (void)state;
  each_entry(is_monotone, 20);
}

/* A doubly linked list is a list if one field is ignored: its class has all predicates of that
 * list's class. */
static void F20_entries_are_ordered_by_meaning(void **state) {
  (void)state;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_description sll = {0}, dll = {0};
  assert_int_equal(tp_description_read(&sll, files[0], diag), TP_OK);
  assert_int_equal(tp_description_read(&dll, files[1], diag), TP_OK);
  assert_string_equal(dll.refines, "sll");
  assert_int_equal(dll.refines_fields.at[0], 0);
  tracking t;
  make_tracking(&t, 7, 5, 1);
  const char *next = "s";
  tp_shape_class *one = class_of(&sll, tp_description_all_families(&sll), &next, &t.d),
                 *two = class_of(&dll, tp_description_all_families(&dll), NULL, &t.d);
  assert_true(tp_shape_class_refines(two, one));
  assert_false(tp_shape_class_refines(one, two));
  tp_shape_class_free(one);
  tp_shape_class_free(two);
  tp_description_clear(&sll);
  tp_description_clear(&dll);
  tp_diag_free(diag);
}

// ------------------------------------------------------------- two-valued graphs

/* The first pointer leads to the first of five cells. */
static plain five_in_a_row(void) {
  plain h = plain_empty();
  h.n = 5;
  for (uint32_t u = 0; u < 4; u++) h.field[0][u] = (uint8_t)(u + 1);
  h.pointer[0] = 0;
  return h;
}

/* Five cells in a row: definitions give every predicate its value; any other value is inconsistent,
 * which coerce finds out. */
static void F12_instrumentation_is_consistent(void **state) {
  (void)state;
  shape_fixture f = shape_open(files[0], "ap", NULL, 0);
  plain h = five_in_a_row();
  h.pointer[1] = 4;
  tp_structure *s = tp_shape_take(f.e), *t = tp_shape_take(f.e);
  plain_structure(&f, &h, s);
  assert_true(tp_structure_is_definite(s));
  const int16_t a[] = {0}, p[] = {1};
  assert_true(tp_k64_eq(s->unary[f.c->predicates.at[tp_shape_class_find(f.c, 0, a)].index],
                        (tp_k64){0x1f, 0x1f}));
  assert_true(tp_k64_eq(s->unary[f.c->predicates.at[tp_shape_class_find(f.c, 0, p)].index],
                        (tp_k64){0x10, 0x10}));
  tp_structure_copy(t, s);
  assert_true(tp_shape_coerce(f.c, tp_shape_engine_evaluation(f.e), t));
  assert_true(tp_structure_same(s, t));
  for (size_t i = 0; i < f.c->predicates.n; i++) {
    const tp_shape_predicate *q = &f.c->predicates.at[i];
    for (uint32_t u = 0; q->kind == TP_SHAPE_PREDICATE_FAMILY && u < 5; u++) {
      tp_structure_copy(t, s);
      tp_k64_set(&t->unary[q->index], u, tp_kleene_not(tp_k64_get(s->unary[q->index], u)));
      assert_false(tp_shape_coerce(f.c, tp_shape_engine_evaluation(f.e), t));
      tp_structure_copy(t, s);  // forgotten values are found again
      tp_k64_set(&t->unary[q->index], u, TP_KLEENE_HALF);
      assert_true(tp_shape_coerce(f.c, tp_shape_engine_evaluation(f.e), t));
      assert_true(tp_structure_same(s, t));
    }
  }
  tp_shape_give(f.e, s);
  tp_shape_give(f.e, t);
  shape_close(&f);
}

// ------------------------------------------------------------------------ regions

static plain random_heap(tp_rng *rng, uint32_t n_fields) {
  plain h = plain_empty();
  h.n = (uint32_t)tp_rng_below(rng, 6);
  for (uint32_t p = 0; h.n && p < 2; p++)
    if (tp_rng_below(rng, 4)) h.pointer[p] = (uint8_t)tp_rng_below(rng, h.n);
  for (uint32_t u = 0; u < h.n; u++)
    for (uint32_t i = 0; i < n_fields; i++)
      if (tp_rng_below(rng, 3)) h.field[i][u] = (uint8_t)tp_rng_below(rng, h.n);
  return h;
}

static uint32_t random_graph(const shape_fixture *f, tp_rng *rng) {
  tp_structure *s = tp_shape_take(f->e);
  const plain h = random_heap(rng, f->c->n_fields);
  plain_structure(f, &h, s);
  const uint32_t id = tp_shape_engine_add(f->e, s);
  tp_shape_give(f->e, s);
  return id;
}

static void F18_regions_are_a_lattice(void **state) {
  (void)state;
  shape_fixture f = shape_open(files[0], "pq", NULL, 0);
  const tp_shape_abstraction a = {&f.e, 1};
  tp_shape_region r[5];  // two random ones, their join, bottom, top
  for (int i = 0; i < 5; i++) tp_shape_region_init(&r[i], 1);
  tp_shape_region_top(&r[4], a);
  tp_rng rng;
  tp_rng_init(&rng, 18);
  for (int i = 0; i < 300; i++) {
    for (int k = 0; k < 2; k++) {
      r[k].sets[0].n = 0;
      for (uint64_t n = tp_rng_below(&rng, 4) + 1; n > 0; n--)
        tp_graph_ids_add(&r[k].sets[0], random_graph(&f, &rng));
      tp_shape_region_reduce(&r[k], a);
    }
    tp_shape_region_copy(&r[2], &r[0]);
    tp_shape_region_join(&r[2], &r[1], a);
    assert_true(tp_shape_region_leq(&r[0], &r[2], a) && tp_shape_region_leq(&r[1], &r[2], a));
    for (int k = 0; k < 3; k++) {
      assert_true(tp_shape_region_leq(&r[k], &r[k], a) && tp_shape_region_leq(&r[3], &r[k], a) &&
                  tp_shape_region_leq(&r[k], &r[4], a));
      assert_false(tp_shape_region_leq(&r[k], &r[3], a) || tp_shape_region_leq(&r[4], &r[k], a));
    }
    if (tp_shape_region_leq(&r[0], &r[1], a)) assert_true(tp_shape_region_same(&r[2], &r[1]));
    if (tp_shape_region_leq(&r[2], &r[0], a)) assert_true(tp_shape_region_leq(&r[1], &r[0], a));
  }
  assert_true(tp_shape_region_is_bottom(&r[3]) && !tp_shape_region_is_bottom(&r[4]));
  for (int i = 0; i < 5; i++) tp_shape_region_clear(&r[i]);
  shape_close(&f);
}

/* From the fine class to a coarse one the meaning grows; back again the graph embeds into what
 * comes out. */
static void F18_classes_change_both_ways(void **state) {
  (void)state;
  shape_fixture fine = shape_open(files[1], "pq", NULL, 0),
                coarse = shape_open(files[1], "pQ", NULL, 0),
                other = shape_open(files[1], "p", NULL, 0);
  tp_rng rng;
  tp_rng_init(&rng, 181);
  for (int i = 0; i < 200; i++) {
    shape_fixture *f = i % 2 ? &coarse : &other;
    const uint32_t id = random_graph(&fine, &rng);
    tp_graph_ids one = {0}, there = {0}, back = {0};
    tp_graph_ids_add(&one, id);
    tp_shape_region_adjust(f->e, &there, fine.e, &one);
    tp_shape_region_adjust(fine.e, &back, f->e, &there);
    assert_int_equal(there.n, 1);
    assert_int_equal(back.n, 1);
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(fine.e), id)->s,
                       *t = &tp_graph_at(tp_shape_engine_graphs(fine.e), back.at[0])->s;
    // coerce may say more about s than it said of itself
    tp_structure *sharp = tp_shape_take(fine.e);
    tp_structure_copy(sharp, s);
    assert_true(tp_shape_coerce(fine.c, tp_shape_engine_evaluation(fine.e), sharp));
    assert_true(shape_embeds(sharp, t));
    tp_shape_give(fine.e, sharp);
    tp_vec_clear(&one);
    tp_vec_clear(&there);
    tp_vec_clear(&back);
  }
  shape_close(&fine);
  shape_close(&coarse);
  shape_close(&other);
}

// -------------------------------------------------------------------- known heaps

/* Some of the cells of a heap (the first ones), some values of them forgotten: a graph stands for
 * the heap. */
static void partly_known_heaps_are_covered(const char *path, uint64_t seed, unsigned rounds) {
  shape_fixture f = shape_open(path, "pq", NULL, 0);
  tp_rng rng;
  tp_rng_init(&rng, seed);
  tp_structure *s = tp_shape_take(f.e);
  unsigned exact = 0;
  for (unsigned i = 0; i < rounds; i++) {
    const plain h = random_heap(&rng, f.c->n_fields);
    const bool is_complete = i % 2;
    const uint32_t n = is_complete ? h.n : (uint32_t)tp_rng_below(&rng, h.n + 1);
    int16_t pointer[2], field[3 * PLAIN_CELLS];
    for (uint32_t p = 0; p < 2; p++) {
      pointer[p] = h.pointer[p] == PLAIN_NIL ? TP_PARTIAL_NIL : h.pointer[p];
      if (pointer[p] >= (int16_t)n || tp_rng_below(&rng, 4) == 0) pointer[p] = TP_PARTIAL_NOTHING;
    }
    for (uint32_t k = 0; k < f.c->n_fields; k++)
      for (uint32_t u = 0; u < n; u++) {
        int16_t *to = &field[k * n + u];
        *to = h.field[k][u] == PLAIN_NIL ? TP_PARTIAL_NIL : h.field[k][u];
        if (*to >= (int16_t)n || tp_rng_below(&rng, 6) == 0) *to = TP_PARTIAL_NOTHING;
      }
    tp_graph_ids out = {0};
    const tp_partial_heap known = {.n_cells = n,
                                   .pointer = pointer,
                                   .field = field,
                                   .is_complete = is_complete,
                                   .outside = i % 3 == 0 ? TP_PARTIAL_MAYBE : TP_PARTIAL_NO};
    assert_int_equal(tp_shape_from_partial(f.e, &known, &out), TP_OK);
    plain_structure(&f, &h, s);
    bool covered = false;
    for (size_t k = 0; k < out.n; k++)
      covered = covered || shape_embeds(s, &tp_graph_at(tp_shape_engine_graphs(f.e), out.at[k])->s);
    assert_true(covered);
    exact += out.n == 1;
    tp_vec_clear(&out);
  }
  assert_true(exact > rounds / 8);
  tp_shape_give(f.e, s);
  shape_close(&f);
}

static void known_cells_become_graphs(void **state) {
  (void)state;
  for (size_t i = 0; i < N_FILES; i++) partly_known_heaps_are_covered(files[i], 58 + i, 150);
}

/* Figure 5.2(a): a doubly linked list of five cells, l1 to the first. It is no tree, and as a graph
 * it is 5.2(b): a first cell, those behind it, and cancel holds of all, forth and back. */
static void F67_figure_5_2(void **state) {
  (void)state;
  enum { CELLS = 5, NIL = PLAIN_NIL };
  static const uint8_t target[2 * CELLS] = {1, 2, 3, 4, NIL, NIL, 0, 1, 2, 3};
  static const char *const of_lists = "lib/shape/dll.scg", *const of_trees = "lib/shape/tree.scg";
  for (int is_tree = 0; is_tree < 2; is_tree++) {
    shape_fixture g = shape_open(is_tree ? of_trees : of_lists, "l", NULL, 0);
    bool yes;
    assert_int_equal(tp_description_describes(g.entry, &(tp_plain_heap){CELLS, target}, &yes),
                     TP_OK);
    assert_int_equal(yes, !is_tree);
    shape_close(&g);
  }
  shape_fixture f = shape_open(of_lists, "l", NULL, 0);
  int16_t pointer[1] = {0}, field[2 * CELLS];
  for (uint32_t i = 0; i < 2 * CELLS; i++) field[i] = target[i] == NIL ? TP_PARTIAL_NIL : target[i];
  const tp_partial_heap known = {
      .n_cells = CELLS, .pointer = pointer, .field = field, .is_complete = true};
  tp_graph_ids out = {0};
  assert_int_equal(tp_shape_from_partial(f.e, &known, &out), TP_OK);
  assert_int_equal(out.n, 1);
  const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), out.at[0])->s;
  assert_int_equal(s->n, 2);
  assert_int_equal(__builtin_popcountll(s->summary), 1);
  for (int back = 0; back < 2; back++) {
    const uint32_t family = tp_description_family(f.entry, back ? "cancel_ps" : "cancel_sp");
    const int cancel = tp_shape_class_find(f.c, family, (const int16_t[4]){0});
    assert_true(cancel >= 0);
    assert_int_equal(s->unary[f.c->predicates.at[cancel].index].must, 3);
  }
  tp_vec_clear(&out);
  shape_close(&f);
}

// --------------------------------------------------------------------------- data

/* p = new; p->data: "data == x" becomes true of one cell, splits no other; x is assigned: unknown
 * again. Contradictions are none. */
static void F19_facts_about_data(void **state) {
  (void)state;
  static const char *const mentioned[] = {"x"};
  const tp_data_predicate data_predicates[2] = {{"data == x", mentioned, 1, false},
                                                {"data > 0", NULL, 0, false}};
  shape_fixture f = shape_open(files[0], "pq", data_predicates, 2);
  const tp_shape_step known = {
      .kind = TP_SHAPE_STEP_ASSIGN_DATA, .x = 0, .data_predicate = 0, .value = TP_KLEENE_TRUE};
  const plain_edge edges[] = {
      {0, 1, tp_heap_step(TP_HEAP_NEW, 0, -1, -1)},
      {1, 2, tp_heap_step(TP_HEAP_NEW, 1, -1, -1)},
      {2, 3, known},
      {3,
       4,
       {.kind = TP_SHAPE_STEP_ASSUME_DATA, .x = 0, .data_predicate = 0, .value = TP_KLEENE_FALSE}},
      {3,
       5,
       {.kind = TP_SHAPE_STEP_ASSUME_DATA, .x = 1, .data_predicate = 0, .value = TP_KLEENE_FALSE}},
      {3, 6, {.kind = TP_SHAPE_STEP_HAVOC_DATA, .data_predicate = 0}},
      {6,
       7,
       {.kind = TP_SHAPE_STEP_ASSUME_DATA, .x = 0, .data_predicate = 0, .value = TP_KLEENE_FALSE}},
  };
  tp_graph_ids at[8] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 100));
  assert_int_equal(at[4].n, 0);  // it is x there
  assert_int_equal(at[5].n, 1);  // nobody knows about the other cell
  assert_int_equal(at[7].n, 1);  // nor about the first one, behind an assignment to x
  const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), at[3].at[0])->s;
  assert_int_equal(__builtin_popcountll(s->unary[f.c->data_predicate[0]].must), 1);
  assert_int_equal(s->unary[f.c->data_predicate[1]].must, 0);
  assert_true(tp_data_predicate_mentions(&f.c->data_predicates[0], "x") &&
              !tp_data_predicate_mentions(&f.c->data_predicates[1], "x"));
  for (int i = 0; i < 8; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

/* A picture without its first lines, which say how all pictures look; tables of names as [names].
 */
static const char *body_of(const char *picture) {
  static char body[4000];
  size_t n = 0;
  const char *at = strstr(picture, "arrowsize=0.7];\n") + strlen("arrowsize=0.7];\n");
  while (*at && n + 1 < sizeof body) {
    const char *table =
        strncmp(at, "[shape=plain,", 13) == 0 ? strstr(at, "BGCOLOR=\"white\">") : NULL;
    if (!table) {
      body[n++] = *at++;
      continue;
    }
    body[n++] = '[';
    for (at = strchr(table, '>') + 1; *at != '<';) body[n++] = *at++;
    body[n++] = ']';
    at = strchr(at, '\n');
  }
  body[n] = 0;
  return body;
}

/* Text and picture of the list of five cells: every cell, every pointer, the dotted arrows. */
static void structures_are_drawn(void **state) {
  (void)state;
  shape_fixture f = shape_open(files[0], "ap", NULL, 0);
  plain h = five_in_a_row();
  tp_structure *s = tp_shape_take(f.e), *t = tp_shape_take(f.e);
  plain_structure(&f, &h, s);
  tp_structure_blur(t, s, &f.c->abstraction);
  tp_str text = {0}, picture = {0};
  tp_shape_print(f.c, t, &text);
  assert_string_equal(tp_str_text(&text),
                      "cell 0: pt[a], reach[a]; n(1)?\ncells 1: reach[a]; n(1)?\n");
  tp_shape_draw(f.c, t, NULL, &picture);
  assert_string_equal(
      body_of(tp_str_text(&picture)),
      "  n0 [shape=ellipse, peripheries=1, label=\"reach[a]\"];\n"
      "  n1 [shape=ellipse, peripheries=2, label=\"reach[a]\"];\n"
      "  nil [p]\n  p0 [a]\n"
      "  p0 -> n0 [label=\"\"];\n"
      "  n0 -> n1 [label=\"n\", style=dotted];\n  n1 -> n1 [label=\"n\", style=dotted];\n}\n");
  tp_str_clear(&text);
  tp_str_clear(&picture);
  tp_shape_give(f.e, s);
  tp_shape_give(f.e, t);
  shape_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F11_classes_are_ordered),
      cmocka_unit_test(F20_generators_are_monotone),
      cmocka_unit_test(F20_entries_are_ordered_by_meaning),
      cmocka_unit_test(F12_instrumentation_is_consistent),
      cmocka_unit_test(F18_regions_are_a_lattice),
      cmocka_unit_test(F18_classes_change_both_ways),
      cmocka_unit_test(known_cells_become_graphs),
      cmocka_unit_test(F67_figure_5_2),
      cmocka_unit_test(F19_facts_about_data),
      cmocka_unit_test(structures_are_drawn),
  };
  return cmocka_run_group_tests_name("shape classes", tests, NULL, NULL);
}

/* Explicit heaps: thresholds, stores through pointers that nobody knows, what is freed, joins up to
 * names. */
#include "cpa/heap/heap_cpa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cpa/algorithm.h"
#include "cpa/composite.h"
#include "cpa/composition.h"
#include "program/build_test.h"

enum { LINK = 8, CELL = 16 };

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_loc last;  // the straight line so far
  tp_var a, p_, q, number;
} model;

static tp_loc next(model *m) { return loc(m->p, m->p->main); }

/* main with pointers a, p and q, and a number. */
static model model_new(void) {
  model m = {.diag = tp_diag_new(stderr, false)};
  tp_program *p = m.p = tp_program_new(m.diag, 64);
  p->main = func(p, "main");
  m.last = entry_of(p, p->main);
  m.a = var(p, p->main, "a", ptr_sort(p), TP_TYPE_NONE);
  m.p_ = var(p, p->main, "p", ptr_sort(p), TP_TYPE_NONE);
  m.q = var(p, p->main, "q", ptr_sort(p), TP_TYPE_NONE);
  m.number = var(p, p->main, "i", bv_sort(p, 32), TP_TYPE_NONE);
  return m;
}
static void model_free(model *m) {
  tp_program_free(m->p);
  tp_diag_free(m->diag);
}

#define ADD(m, edge, ...)                      \
  do {                                         \
    const tp_loc to_ = next(m);                \
    edge((m)->p, (m)->last, to_, __VA_ARGS__); \
    (m)->last = to_;                           \
  } while (0)

/* The list of figure 4.2: a leads to the first of four cells, p to the last; data 1, 1, 1, 0. */
static void build_list(model *m) {
  tp_program *p = m->p;
  ADD(m, new_heap, m->a, CELL);
  ADD(m, assign, m->p_, term_of(p, m->a));
  for (int i = 0; i < 3; i++) {
    ADD(m, store, term_of(p, m->p_), bv(p, 32, 1));
    ADD(m, new_heap, m->q, CELL);
    ADD(m, store, plus(p, term_of(p, m->p_), LINK), term_of(p, m->q));
    ADD(m, assign, m->p_, term_of(p, m->q));
    ADD(m, assign, m->q, tp_mk_null(p->terms));
  }
  ADD(m, store, term_of(p, m->p_), bv(p, 32, 0));
  ADD(m, store, plus(p, term_of(p, m->p_), LINK), tp_mk_null(p->terms));
}

/* The elements at the end of the line, one behind the other. */
static void check_end(model *m, const char *settings, const char *expected) {
  tp_str text = {0}, why = {0}, got = {0};
  tp_stats stats = {0};
  assign(m->p, m->last, exit_of(m->p, m->p->main), m->number, term_of(m->p, m->number));
  tp_program_finish(m->p);
  tp_str_printf(&text, "analysis = location heap\nwaitlist = bfs\nheap.liveness = off\n%s",
                settings);
  tp_composition *c = tp_composition_open(m->p, TP_P_UNREACH_CALL, text.text, &stats, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  tp_reached *r = tp_reached_new(c->cpa, c->order);
  tp_reached_add_initial(r, c->cpa->ops->initial(c->cpa, entry_of(m->p, m->p->main),
                                                 tp_context_root(&c->contexts, m->p->main, 0)));
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){.steps = 1000}).end, TP_CPA_DONE);
  assert_true(tp_reached_check(r, &why));
  for (uint32_t n = 1; n <= tp_reached_n(r); n++) {
    const tp_node *node = tp_reached_node(r, n);
    if (node->removed || node->loc.id != m->last.id) continue;
    const tp_view v = tp_composite_view(c->cpa, node->state.elem, 1);
    if (got.n) tp_str_add(&got, " | ");
    v.cpa->ops->print((tp_cpa *)v.cpa, v.elem, &got);
  }
  if (strcmp(tp_str_text(&got), expected) != 0)
    fail_msg("%s: %s instead of %s", settings, tp_str_text(&got), expected);
  tp_reached_free(r);
  tp_composition_close(c);
  tp_str_clear(&text);
  tp_str_clear(&why);
  tp_str_clear(&got);
  model_free(m);
  assert_int_equal(tp_live_bytes(), 0);
}

static void F55_a_structure_of_more_cells_than_the_threshold_leaves(void **state) {
  (void)state;
  static const char *const all =
      "a=&1 p=&2 q=NULL; 1: [0]=1 [8]=&3; 2: [0]=0 [8]=NULL; 3: [0]=1 [8]=&4; 4: [0]=1 [8]=&2";
  static const struct {
    const char *settings, *expected;
  } cases[] = {
      {"heap.cells = 3\n", "; others"},
      {"heap.cells = 4\n", all},
      {"heap.cells = 5\n", all},
      {"heap.cells = inf\n", all},
      {"heap.cells = 0\n", "; others"},
      {"heap.cells = 3 a=4 p=2\n", all},
      {"heap.cells = inf a=3\n", "; others"},
      {"heap.values = 0\n", all},
      {"heap.data = 1\n",
       "a=&1 p=&2 q=NULL; 1: [0]=? [8]=&3; 2: [0]=? [8]=NULL; 3: [0]=? [8]=&4; 4: [0]=? [8]=&2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model m = model_new();
    build_list(&m);
    check_end(&m, cases[i].settings, cases[i].expected);
  }
}

/* Only numbers are counted, so the pointers stay. */
static void F56_values_alone_or_cells_alone(void **state) {
  (void)state;
  static const struct {
    const char *settings, *expected;
  } cases[] = {
      {"heap.cells = 0\nheap.values = 0\n", "; others"},
      {"heap.cells = 0\nheap.values = 1\n", "i=7; others"},
      {"heap.cells = 1\nheap.values = 0\nheap.data = 0\n", "a=&1; 1: [0]=?"},
      {"heap.cells = 1\nheap.values = 1\n", "a=&1 i=7; 1: [0]=7"},
      {"heap.cells = 2\nheap.values = 5\n", "a=&1 i=7; 1: [0]=7"},
      {"heap.cells = 5\nheap.values = 2\n", "a=&1 i=7; 1: [0]=7"},
      {"heap.cells = inf\nheap.values = 0 i=inf\n", "a=&1 i=7; 1: [0]=7"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model m = model_new();
    ADD(&m, new_heap, m.a, CELL);
    ADD(&m, assign, m.number, bv(m.p, 32, 7));
    ADD(&m, store, term_of(m.p, m.a), term_of(m.p, m.number));
    check_end(&m, cases[i].settings, cases[i].expected);
  }
}

static void F55_a_store_through_an_unknown_pointer_forgets_the_field_in_all_cells(void **state) {
  (void)state;
  model m = model_new();
  tp_program *p = m.p;
  ADD(&m, new_heap, m.a, CELL);
  ADD(&m, new_heap, m.p_, CELL);
  ADD(&m, store, term_of(p, m.a), bv(p, 32, 3));
  ADD(&m, load, m.q, plus(p, term_of(p, m.p_), LINK));  // nobody wrote it: anything
  ADD(&m, store, plus(p, term_of(p, m.p_), LINK), term_of(p, m.a));
  ADD(&m, assign, m.q,
      tp_mk_ite(p->terms, tp_mk_eq(p->terms, term_of(p, m.number), bv(p, 32, 1)), term_of(p, m.a),
                term_of(p, m.p_)));
  ADD(&m, store, term_of(p, m.q), bv(p, 32, 5));
  check_end(&m, "", "a=&1 p=&2; 1: [0]=?; 2: [0]=? [8]=&1");
}

static void what_is_freed_cannot_be_used(void **state) {
  (void)state;
  model m = model_new();
  tp_program *p = m.p;
  ADD(&m, new_heap, m.a, CELL);
  ADD(&m, new_heap, m.p_, CELL);
  const tp_loc freed = next(&m);
  tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_FREE, .from = m.last, .to = freed, .a = term_of(p, m.a)});
  const tp_loc end = next(&m);
  store(p, freed, next(&m), term_of(p, m.a), bv(p, 32, 1));  // no run goes on
  assume(p, freed, end,
         tp_mk2(p->terms, TP_OP_SELECT, term_of(p, p->ghost_live),
                tp_mk1(p->terms, TP_OP_PTR_OBJ, term_of(p, m.a))));
  const tp_loc good = next(&m);
  assume(p, freed, good, tp_mk_eq(p->terms, term_of(p, p->ghost_heap), bv(p, 32, 1)));
  m.last = good;
  check_end(&m, "", "a=&1 p=&2; 1: ? freed; 2:");
}

/* Cells have other names on both ways; what is said of them stays. */
static void heaps_are_joined_up_to_names(void **state) {
  (void)state;
  model m = model_new();
  tp_program *p = m.p;
  const tp_term choice = tp_mk_eq(p->terms, term_of(p, m.number), bv(p, 32, 1));
  const tp_loc start = m.last, join = next(&m);
  for (uint32_t way = 0; way < 2; way++) {
    m.last = next(&m);
    assume(p, start, m.last, way ? choice : tp_mk_not(p->terms, choice));
    ADD(&m, new_heap, way ? m.a : m.p_, CELL);
    ADD(&m, new_heap, way ? m.p_ : m.a, CELL);
    ADD(&m, store, term_of(p, m.a), bv(p, 32, 4));
    ADD(&m, store, term_of(p, m.p_), bv(p, 32, way));
    ADD(&m, store, plus(p, term_of(p, m.p_), LINK), term_of(p, m.a));
    tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_SKIP, .from = m.last, .to = join});
  }
  m.last = join;
  check_end(&m, "heap.merge = join\nmerge = join-on-location\n",
            "a=&1 p=&2; 1: [0]=4; 2: [0]=? [8]=&1");
}

/* The list of figure 4.2 has one structure of four cells, below a. */
static void check_samples(const char *settings, tp_cpa_end end, size_t n_samples) {
  model m = model_new();
  build_list(&m);
  assign(m.p, m.last, exit_of(m.p, m.p->main), m.number, term_of(m.p, m.number));
  tp_program_finish(m.p);
  tp_str text = {0}, why = {0};
  tp_stats stats = {0};
  tp_str_printf(&text,
                "analysis = location heap\nheap.liveness = off\nheap.start = off\n"
                "heap.over = interrupt\n%s",
                settings);
  tp_composition *c = tp_composition_open(m.p, TP_P_UNREACH_CALL, text.text, &stats, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  tp_cpa *heap = tp_composite_find(c->cpa, &tp_cpa_heap);
  assert_true(tp_heap_can_sample(heap));
  const tp_context main = tp_context_root(&c->contexts, m.p->main, 0);
  for (int followed = 0; followed < 2; followed++) {
    size_t n;
    if (followed) assert_true(tp_heap_follow(heap, CELL));
    assert_int_equal(tp_heap_is_followed(heap, CELL), followed);
    tp_reached *r = tp_reached_new(c->cpa, c->order);
    tp_reached_add_initial(r, c->cpa->ops->initial(c->cpa, entry_of(m.p, m.p->main), main));
    assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){.steps = 1000}).end,
                     followed ? end : TP_CPA_DONE);
    (void)tp_heap_samples_of(heap, &n);
    assert_int_equal(n, followed ? n_samples : 0);
    tp_reached_free(r);
  }
  tp_heap_unfollow(heap, CELL);
  assert_false(tp_heap_is_followed(heap, CELL));
  assert_false(tp_heap_follow(heap, CELL + 1));
  tp_composition_close(c);
  tp_str_clear(&text);
  tp_str_clear(&why);
  model_free(&m);
  assert_int_equal(tp_live_bytes(), 0);
}

static void F62_interrupts_at_the_threshold(void **state) {
  (void)state;
  check_samples("heap.cells = 4\nheap.samples = 1\n", TP_CPA_INTERRUPTED, 1);
  check_samples("heap.cells = 5\nheap.samples = 1\n", TP_CPA_DONE, 0);
}

/* Two different structures of at least two cells: the lists of two and of three. */
static void F73_as_many_samples_as_are_wanted(void **state) {
  (void)state;
  check_samples("heap.cells = 2\nheap.samples = 2\n", TP_CPA_INTERRUPTED, 2);
  check_samples("heap.cells = 4\nheap.samples = 2\n", TP_CPA_DONE, 1);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "heap.cells = many\n", "heap.cells = a=3\n",    "heap.cells = 3 nobody=2\n",
      "heap.values = -1\n",  "heap.liveness = yes\n", "heap.cell = 3\n",
      "heap.over = stop\n",  "heap.samples = few\n",  "heap.start = maybe\n"};
  model m = model_new();
  tp_program_finish(m.p);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    tp_str text = {0}, why = {0};
    tp_stats stats = {0};
    tp_str_printf(&text, "analysis = location heap\n%s", wrong[i]);
    assert_null(tp_composition_open(m.p, TP_P_UNREACH_CALL, text.text, &stats, &why));
    assert_non_null(strstr(tp_str_text(&why), "heap"));
    tp_str_clear(&text);
    tp_str_clear(&why);
  }
  model_free(&m);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F55_a_structure_of_more_cells_than_the_threshold_leaves),
      cmocka_unit_test(F56_values_alone_or_cells_alone),
      cmocka_unit_test(F55_a_store_through_an_unknown_pointer_forgets_the_field_in_all_cells),
      cmocka_unit_test(what_is_freed_cannot_be_used),
      cmocka_unit_test(heaps_are_joined_up_to_names),
      cmocka_unit_test(F62_interrupts_at_the_threshold),
      cmocka_unit_test(F73_as_many_samples_as_are_wanted),
      cmocka_unit_test(wrong_settings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

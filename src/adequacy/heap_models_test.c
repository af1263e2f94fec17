/* Models of graphs: of the graph of a list, of a ring, and of one with what is outside, some model
 * has that graph again as its abstraction; summary nodes have two cells; fewer cells make no model.
 */
#include "adequacy/heap_models.h"

#include <stdarg.h>
#include <stddef.h>

#include "shape/testing.h"

enum { MOST = 7 };
typedef struct {
  const char *name;
  uint32_t n;            // cells, in a chain from p
  int16_t last, q;       // where the last one leads, and pointer q
  uint32_t least, same;  // of its graph: fewest cells; cells of the model that has the graph again
} heap_case;
static const heap_case cases[] = {
    {"one cell", 1, TP_PARTIAL_NIL, TP_PARTIAL_NIL, 1, 1},
    {"two cells", 2, TP_PARTIAL_NIL, TP_PARTIAL_NIL, 2, 2},
    {"list", 5, TP_PARTIAL_NIL, TP_PARTIAL_NIL, 3, 3},
    {"list with a cursor", 6, TP_PARTIAL_NIL, 3, 6, 6},
    {"ring", 4, 0, TP_PARTIAL_NIL, 3, 3},
    {"lasso", 5, 2, TP_PARTIAL_NIL, 3, 3},
    {"uninitialised end", 1, TP_PARTIAL_NUMBER, TP_PARTIAL_NIL, 1, 1}};

static uint32_t graph_of(tp_shape_engine *e, const heap_case *h) {
  int16_t pointer[2] = {0, h->q}, field[MOST];
  tp_graph_ids out = {0};
  for (uint32_t i = 0; i < h->n; i++) field[i] = i + 1 < h->n ? (int16_t)(i + 1) : h->last;
  const tp_partial_heap heap = {.n_cells = h->n,
                                .pointer = pointer,
                                .field = field,
                                .is_complete = true,
                                .outside = TP_PARTIAL_YES};
  assert_int_equal(tp_shape_from_partial(e, &heap, &out), TP_OK);
  assert_int_equal(out.n, 1);
  const uint32_t id = out.at[0];
  tp_vec_clear(&out);
  return id;
}

typedef struct {
  shape_fixture *f;
  uint32_t graph, n_models;
  uint64_t order;  // of what was visited
  bool ends;       // at the model that has the graph again
} watch;

static const tp_structure *structure(const watch *w) {
  return &tp_graph_at(tp_shape_engine_graphs(w->f->e), w->graph)->s;
}

static bool visit(void *ctx, const tp_heap_model *m) {
  watch *w = ctx;
  uint8_t n_of[TP_SHAPE_MAX_NODES] = {0};
  w->n_models++;
  for (uint32_t i = 0; i < m->n_cells; i++) {
    n_of[m->node[i]]++;
    w->order = tp_hash_mix(w->order, (uint64_t)m->field[0][i] + 16);
  }
  for (uint32_t u = 0; u < structure(w)->n; u++)
    if (n_of[u]) assert_true(n_of[u] >= (tp_structure_is_summary(structure(w), u) ? 2 : 1));
  assert_int_equal(n_of[m->node[m->pointer[0]]], 1);  // p leads to a cell of its own
  return w->ends && tp_heap_model_graph(w->f->e, structure(w), m) == w->graph;
}

static bool models(watch *w, bool is_known, uint32_t n) {
  w->n_models = 0;
  w->order = 0;
  const bool known[] = {is_known, is_known};
  return tp_heap_models(w->f->c, structure(w), known, n, visit, w);
}

static void graphs_have_models(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "pq", NULL, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const heap_case *h = &cases[i];
    watch w = {.f = &f, .graph = graph_of(f.e, h)};
    assert_int_equal(tp_heap_model_least(f.c, structure(&w)), h->least);
    assert_false(models(&w, true, h->least - 1));
    assert_int_equal(w.n_models, 0);
    assert_false(models(&w, true, h->same));
    assert_true(w.n_models > 0);
    const uint64_t order = w.order;
    assert_false(models(&w, true, h->same));
    assert_true(order == w.order);  // the same models in the same order
    assert_false(models(&w, true, h->same + 1));
    w.ends = true;
    if (!models(&w, true, h->same)) fail_msg("%s: no model has the graph again", h->name);
  }
  shape_close(&f);
}

static void not_known_pointers_stay_open(void **state) {
  (void)state;
  shape_fixture f = shape_open("lib/shape/sll.scg", "pq", NULL, 0);
  const heap_case list = {"list", 3, TP_PARTIAL_NIL, TP_PARTIAL_NIL, 3, 3};
  const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(f.e), graph_of(f.e, &list))->s;
  tp_heap_model m = {.n_cells = 1,
                     .pointer = (const int16_t[]){TP_PARTIAL_NOTHING, TP_PARTIAL_NIL}};
  m.field[0][0] = TP_PARTIAL_NIL;
  const uint32_t id = tp_heap_model_graph(f.e, s, &m);
  assert_true(id > 0);
  const tp_k64 to = tp_graph_at(tp_shape_engine_graphs(f.e), id)->s.unary[f.c->points[0]];
  assert_true(to.may != 0 && to.must == 0);
  shape_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(graphs_have_models),
                                     cmocka_unit_test(not_known_pointers_stay_open)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

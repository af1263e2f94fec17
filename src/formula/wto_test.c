// Weak topological orders of random graphs: their defining properties.
#include "formula/wto.h"

#include "exec/testing.h"

enum { N_GRAPHS = 300 };

static void check_order(const tp_program *p, const tp_wto *w) {
  for (uint32_t i = 0; i < w->order.n; i++) assert_int_equal(tp_wto_position(w, w->order.at[i]), i);
  for (uint32_t c = 1; c < w->components.n; c++) {
    const tp_wto_component *k = &w->components.at[c];
    assert_int_equal(tp_wto_position(w, k->head), k->first);
    if (k->parent) {
      assert_true(k->parent < c);
      assert_true(tp_wto_inside(w, k->parent, k->first) && tp_wto_inside(w, k->parent, k->last));
    }
  }
  for (uint32_t e = 1; e < p->edges.n; e++) {
    uint32_t from = tp_wto_position(w, p->edges.at[e].from),
             to = tp_wto_position(w, p->edges.at[e].to);
    if (from == UINT32_MAX) continue;
    assert_true(to != UINT32_MAX);
    bool closes = false;
    for (uint32_t c = w->inner.at[from]; c; c = w->components.at[c].parent)
      closes |= w->components.at[c].first == to;
    assert_true(to > from || closes);
  }
}

static void random_graphs(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= N_GRAPHS; seed++) {
    tp_rng rng;
    tp_rng_init(&rng, seed);
    build b = build_new(64);
    build_func(&b, "main", (tp_sort){0});
    tp_loc locs[12];
    uint64_t n = 3 + tp_rng_below(&rng, 10);
    tp_var v = build_var(&b, "v", tp_sort_bool(b.tt));
    locs[0] = b.at, locs[1] = b.exit;
    for (uint64_t i = 2; i < n && i < 12; i++) locs[i] = build_loc(&b);
    if (n > 12) n = 12;
    for (uint64_t i = 0; i < n; i++) {
      if (i == 1) continue;
      tp_loc yes = locs[tp_rng_below(&rng, n)], no = locs[tp_rng_below(&rng, n)];
      tp_term c = build_term(&b, v);
      if (tp_rng_below(&rng, 3) == 0) {
        tp_program_add_edge(b.p, (tp_edge_info){.kind = TP_E_SKIP, .from = locs[i], .to = yes});
        continue;
      }
      tp_program_add_edge(b.p,
                          (tp_edge_info){.kind = TP_E_ASSUME, .from = locs[i], .to = yes, .a = c});
      tp_program_add_edge(
          b.p,
          (tp_edge_info){.kind = TP_E_ASSUME, .from = locs[i], .to = no, .a = tp_mk_not(b.tt, c)});
    }
    tp_program_finish(b.p);
    tp_wto w;
    tp_wto_init(&w, b.p, b.func);
    check_order(b.p, &w);
    tp_wto_clear(&w);
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

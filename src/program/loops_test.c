/* Adjacency, loops, cutpoints, recursion: small graphs by hand, random graphs against definitions.
 */
#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { MAX_NODES = 12 };

/* A program whose only function has nodes 0 .. n-1 (0: entry) and these edges. Nodes with several
 * successors choose by a variable, so that the program is well-formed. */
typedef struct {
  tp_program *p;
  tp_func f;
  tp_var choice;
  tp_loc at[MAX_NODES];
  uint32_t n;
} graph;

static graph graph_new(uint32_t n) {
  graph g = {.p = tp_program_new(NULL, 64), .n = n};
  g.f = func(g.p, "main");
  g.p->main = g.f;
  g.choice = var(g.p, g.f, "choice", bv_sort(g.p, 32), TP_TYPE_NONE);
  g.at[0] = entry_of(g.p, g.f);
  for (uint32_t i = 1; i < n; i++) g.at[i] = loc(g.p, g.f);
  return g;
}

/* to: successors, ended by -1 */
static void graph_edges(graph *g, uint32_t from, const int *to) {
  uint32_t n = 0;
  while (to[n] >= 0) n++;
  tp_terms *tt = g->p->terms;
  tp_term x = term_of(g->p, g->choice), rest = tp_mk_true(tt);
  if (n == 1) step(g->p, g->at[from], g->at[to[0]]);
  for (uint32_t i = 0; n > 1 && i < n; i++) {
    tp_term is = tp_mk_eq(tt, x, bv(g->p, 32, i));
    assume(g->p, g->at[from], g->at[to[i]], i + 1 < n ? is : rest);
    rest = tp_mk_and(tt, rest, tp_mk_not(tt, is));
  }
}

static void graph_done(graph *g) {
  tp_program_finish(g->p);
  tp_str why = {0};
  if (!tp_program_check(g->p, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
}

static tp_loc_info info(const graph *g, uint32_t i) { return *tp_loc_of(g->p, g->at[i]); }

static bool has_edge(const graph *g, uint32_t a, uint32_t b) {
  tp_edge_list out = tp_out_edges(g->p, g->at[a]);
  for (uint32_t i = 0; i < out.n; i++)
    if (g->p->edges.at[out.at[i]].to.id == g->at[b].id) return true;
  return false;
}

/* Is b reachable from a by one or more edges, never passing through (or starting behind) a node of
 * `avoid`? */
static bool reaches(const graph *g, uint32_t a, uint32_t b, const bool *avoid) {
  bool seen[MAX_NODES] = {0};
  uint32_t stack[MAX_NODES * MAX_NODES], n = 0;
  stack[n++] = a;
  while (n) {
    uint32_t x = stack[--n];
    for (uint32_t y = 0; y < g->n; y++) {
      if (!has_edge(g, x, y)) continue;
      if (y == b) return true;
      if (seen[y] || avoid[y]) continue;
      seen[y] = true;
      stack[n++] = y;
    }
  }
  return false;
}

static bool is_reachable(const graph *g, uint32_t i) { return info(g, i).order != TP_ORDER_NONE; }

/* a dominates b: without a, b cannot be reached from the entry. */
static bool dominates(const graph *g, uint32_t a, uint32_t b) {
  if (a == b || a == 0) return true;
  bool avoid[MAX_NODES] = {0};
  avoid[a] = true;
  return b != 0 && !reaches(g, 0, b, avoid);
}

static bool is_in_loop(const graph *g, uint32_t i, uint32_t loop) {
  for (uint32_t l = info(g, i).loop; l; l = g->p->loops.at[l].parent)
    if (l == loop) return true;
  return false;
}

// ---------------------------------------------------------------------- by hand

static void nested_loops(void **state) {
  (void)state;
  graph g = graph_new(6);
  graph_edges(&g, 0, (int[]){1, -1});
  graph_edges(&g, 1, (int[]){2, 5, -1});
  graph_edges(&g, 2, (int[]){3, 4, -1});
  graph_edges(&g, 3, (int[]){2, -1});
  graph_edges(&g, 4, (int[]){1, -1});
  graph_done(&g);
  assert_int_equal(g.p->loops.n, 3);
  assert_int_equal(g.p->loops.at[1].head.id, g.at[1].id);
  assert_int_equal(g.p->loops.at[1].depth, 1);
  assert_int_equal(g.p->loops.at[2].head.id, g.at[2].id);
  assert_int_equal(g.p->loops.at[2].parent, 1);
  assert_int_equal(g.p->loops.at[2].depth, 2);
  assert_int_equal(info(&g, 3).loop, 2);
  assert_int_equal(info(&g, 4).loop, 1);
  assert_int_equal(info(&g, 5).loop, 0);
  assert_false(g.p->loops.at[1].is_irreducible);
  // the outer cycle passes the inner head, so one cutpoint is enough
  assert_false(info(&g, 1).is_cutpoint);
  assert_true(info(&g, 2).is_cutpoint);
  tp_program_free(g.p);
}

static void loop_with_two_entries_is_irreducible(void **state) {
  (void)state;
  graph g = graph_new(4);
  graph_edges(&g, 0, (int[]){1, 2, -1});
  graph_edges(&g, 1, (int[]){2, 3, -1});
  graph_edges(&g, 2, (int[]){1, -1});
  graph_done(&g);
  assert_int_equal(g.p->loops.n, 2);
  assert_true(g.p->loops.at[1].is_irreducible);
  assert_int_equal(info(&g, 1).loop, 1);
  assert_int_equal(info(&g, 2).loop, 1);
  assert_int_equal(info(&g, 1).is_cutpoint + info(&g, 2).is_cutpoint, 1);
  tp_program_free(g.p);
}

static void self_loop(void **state) {
  (void)state;
  graph g = graph_new(2);
  graph_edges(&g, 0, (int[]){0, 1, -1});
  graph_done(&g);
  assert_int_equal(g.p->loops.n, 2);
  assert_true(info(&g, 0).is_loop_head && info(&g, 0).is_cutpoint);
  tp_program_free(g.p);
}

/* 1 and 2 do nothing for ever: a run that gets there has ended. 3 chooses, so its cycle stays. */
static void idle_cycles_are_cut(void **state) {
  (void)state;
  graph g = graph_new(5);
  graph_edges(&g, 0, (const int[]){1, 3, -1});
  graph_edges(&g, 1, (const int[]){2, -1});
  graph_edges(&g, 2, (const int[]){1, -1});
  graph_edges(&g, 3, (const int[]){4, 3, -1});
  graph_done(&g);
  assert_int_equal(tp_out_edges(g.p, g.at[1]).n + tp_out_edges(g.p, g.at[2]).n, 1);
  assert_true(has_edge(&g, 3, 3));
  assert_int_equal(g.p->loops.n, 2);
  tp_program_free(g.p);
}

static void unreachable_edges_are_unlinked(void **state) {
  (void)state;
  graph g = graph_new(4);
  graph_edges(&g, 0, (int[]){1, -1});
  graph_edges(&g, 2, (int[]){3, -1});
  graph_edges(&g, 3, (int[]){1, -1});
  graph_done(&g);
  assert_int_equal(tp_in_edges(g.p, g.at[1]).n, 1);
  assert_int_equal(tp_out_edges(g.p, g.at[2]).n, 0);
  assert_int_equal(info(&g, 3).order, TP_ORDER_NONE);
  assert_int_equal(info(&g, 0).order, 0);
  tp_program_finish(g.p);  // a second time changes nothing
  assert_int_equal(tp_in_edges(g.p, g.at[1]).n, 1);
  tp_program_free(g.p);
}

static void reverse_postorder_puts_the_first_branch_first(void **state) {
  (void)state;
  graph g = graph_new(4);
  graph_edges(&g, 0, (int[]){1, 2, -1});
  graph_edges(&g, 1, (int[]){3, -1});
  graph_edges(&g, 2, (int[]){3, -1});
  graph_done(&g);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(info(&g, i).order, i);
  tp_program_free(g.p);
}

static void recursion_is_found_through_calls_and_pointers(void **state) {
  (void)state;
  tp_program *p = tp_program_new(NULL, 64);
  const char *names[] = {"main", "even", "odd", "self", "leaf", "handler", "unused"};
  tp_func f[7];
  for (int i = 0; i < 7; i++) f[i] = func(p, names[i]);
  p->main = f[0];
  const struct {
    int from, to;
  } calls[] = {{0, 1}, {1, 2}, {2, 1}, {0, 3}, {3, 3}, {0, 4}};
  for (size_t i = 0; i < 6; i++) {
    tp_func from = f[calls[i].from];
    tp_loc a = i == 3 || i == 5 ? loc(p, from) : entry_of(p, from), b = loc(p, from);
    if (i == 3) step(p, b, a);
    call(p, a, b, f[calls[i].to], TP_TERM_NONE);
    if (i == 0) step(p, b, (tp_loc){b.id});
  }
  // handler calls through a pointer that holds its own address
  tp_var through = var(p, f[5], "h", ptr_sort(p), TP_TYPE_NONE);
  tp_loc a = loc(p, f[5]), b = loc(p, f[5]);
  assign(p, entry_of(p, f[5]), a, through,
         tp_mk_ptr_const(p->terms, tp_func_of(p, f[5])->object, 0));
  call(p, a, b, TP_FUNC_NONE, term_of(p, through));
  tp_program_finish(p);
  const bool expected[] = {false, true, true, true, false, true, false};
  for (int i = 0; i < 7; i++)
    if (i != 3) assert_int_equal(tp_func_of(p, f[i])->is_recursive, expected[i]);
  assert_true(tp_func_of(p, f[3])->is_recursive);
  tp_program_free(p);
}

// ------------------------------------------------------------------------ random

/* Natural loops by the definition: back edges are those whose target dominates their source. */
static void check_loops(const graph *g) {
  static const bool nothing[MAX_NODES];
  for (uint32_t h = 0; h < g->n; h++) {
    for (uint32_t u = 0; u < g->n; u++) {
      if (!is_reachable(g, h) || !is_reachable(g, u) || !has_edge(g, u, h) || !dominates(g, h, u))
        continue;
      assert_true(info(g, h).is_loop_head);
      uint32_t loop = info(g, h).loop;
      assert_int_equal(g->p->loops.at[loop].head.id, g->at[h].id);
      assert_true(is_in_loop(g, u, loop));
      bool avoid[MAX_NODES] = {0};
      avoid[h] = true;
      for (uint32_t x = 0; u != h && x < g->n; x++)  // the body: what reaches u without passing h
        if (is_reachable(g, x) && x != h && (x == u || reaches(g, x, u, avoid)))
          assert_true(is_in_loop(g, x, loop));
    }
  }
  for (uint32_t l = 1; l < g->p->loops.n; l++) {
    bool other_entry = false;
    for (uint32_t a = 0; a < g->n; a++)
      for (uint32_t b = 0; b < g->n; b++)
        other_entry |= is_reachable(g, a) && has_edge(g, a, b) && !is_in_loop(g, a, l) &&
                       is_in_loop(g, b, l) && g->at[b].id != g->p->loops.at[l].head.id;
    assert_int_equal(g->p->loops.at[l].is_irreducible, other_entry);
  }
  for (uint32_t x = 0; x < g->n; x++)  // on a cycle <=> in a loop
    if (is_reachable(g, x)) assert_int_equal(info(g, x).loop != 0, reaches(g, x, x, nothing));
}

static void check_minimal_cutpoints(const graph *g) {
  bool cut[MAX_NODES];
  for (uint32_t i = 0; i < g->n; i++) cut[i] = info(g, i).is_cutpoint;
  for (uint32_t i = 0; i < g->n; i++)
    if (is_reachable(g, i) && !cut[i]) assert_false(reaches(g, i, i, cut));
  for (uint32_t i = 0; i < g->n; i++) {
    if (!cut[i]) continue;
    cut[i] = false;
    assert_true(reaches(g, i, i, cut));  // without it a cycle is uncut
    cut[i] = true;
  }
}

static void random_graphs_agree_with_the_definitions(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 2);
  for (int round = 0; round < 3000; round++) {
    graph g = graph_new(2 + (uint32_t)tp_rng_below(&rng, MAX_NODES - 2));
    for (uint32_t i = 0; i < g.n; i++) {
      int to[4] = {-1, -1, -1, -1};
      uint64_t n = tp_rng_below(&rng, 10) < 7 ? 1 + tp_rng_below(&rng, 2) : tp_rng_below(&rng, 4);
      for (uint64_t k = 0; k < n; k++) to[k] = (int)tp_rng_below(&rng, g.n);
      graph_edges(&g, i, to);
    }
    graph_done(&g);
    check_loops(&g);
    check_minimal_cutpoints(&g);
    tp_program_free(g.p);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static void a_long_chain_of_loops_needs_no_recursion(void **state) {
  (void)state;
  tp_program *p = tp_program_new(NULL, 64);
  tp_func f = func(p, "main");
  tp_var x = var(p, f, "x", bv_sort(p, 32), TP_TYPE_NONE);
  tp_term is_zero = tp_mk_eq(p->terms, term_of(p, x), bv(p, 32, 0));
  tp_loc at = entry_of(p, f);
  enum { LENGTH = 100000 };
  for (int i = 0; i < LENGTH; i++) {
    tp_loc next = loc(p, f);
    branch(p, at, next, i % 2 ? at : next, is_zero);
    at = next;
  }
  tp_program_finish(p);
  assert_int_equal(p->loops.n, 1 + LENGTH / 2);
  assert_int_equal(tp_loc_of(p, at)->order, LENGTH);
  tp_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_loops),
      cmocka_unit_test(loop_with_two_entries_is_irreducible),
      cmocka_unit_test(self_loop),
      cmocka_unit_test(idle_cycles_are_cut),
      cmocka_unit_test(unreachable_edges_are_unlinked),
      cmocka_unit_test(reverse_postorder_puts_the_first_branch_first),
      cmocka_unit_test(recursion_is_found_through_calls_and_pointers),
      cmocka_unit_test(random_graphs_agree_with_the_definitions),
      cmocka_unit_test(a_long_chain_of_loops_needs_no_recursion),
  };
  return cmocka_run_group_tests_name("program/loops", tests, NULL, NULL);
}

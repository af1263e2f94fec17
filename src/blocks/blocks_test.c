// The block graph of small programs: which nodes, which blocks, what Houdini finds over it.
#include "blocks/blocks.h"

#include "blocks/houdini.h"
#include "exec/testing.h"
#include "smt/smt.h"

typedef struct {
  build b;
  tp_paths *paths;
  tp_contexts *contexts;
  tp_blocks blocks;
} graph;

static graph graph_of(build b, uint64_t steps) {
  static tp_paths paths;  // one graph at a time: the blocks point to it
  static tp_contexts contexts;
  graph g = {.b = b, .paths = &paths, .contexts = &contexts};
  tp_contexts_init(g.contexts);
  tp_paths_init(g.paths, g.b.p);
  tp_blocks_build(&g.blocks, g.paths, g.contexts, TP_P_UNREACH_CALL, TP_BLOCKS_TO_LOOPS, steps);
  assert_int_equal(g.blocks.first.n, g.blocks.nodes.n + 1);
  for (size_t i = 0; i < g.blocks.list.n; i++) {
    const tp_block *k = &g.blocks.list.at[i];
    assert_true(g.blocks.first.at[k->from] <= i && i < g.blocks.first.at[k->from + 1]);
    assert_true(k->to > 0 && !g.blocks.nodes.at[k->from].is_error);
    if (i > g.blocks.first.at[k->from]) assert_true(g.blocks.list.at[i - 1].to < k->to);
  }
  return g;
}

static void graph_free(graph *g) {
  tp_blocks_clear(&g->blocks);
  tp_paths_clear(g->paths);
  tp_contexts_clear(g->contexts);
  build_free(&g->b);
}

static size_t n_errors(const graph *g) {
  size_t n = 0;
  for (size_t i = 0; i < g->blocks.nodes.n; i++) n += g->blocks.nodes.at[i].is_error;
  return n;
}

static tp_sort bv32(const build *b) { return tp_sort_bv(b->tt, 32); }
static tp_term plus(const build *b, tp_var v, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, v), bv(b, 32, n));
}
static tp_term less(const build *b, tp_var v, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, build_term(b, v), bv(b, 32, n));
}
static tp_term same(const build *b, tp_var v, tp_var w) {
  return tp_mk_eq(b->tt, build_term(b, v), build_term(b, w));
}
static void input(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}
static void go_to(build *b, tp_loc l) { build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = l}); }
static void call(build *b, tp_func f) {
  build_edge(b, (tp_edge_info){.kind = TP_E_CALL, .callee = f});
}

/* Twenty branches in a row, each of which two ways join again; then an error behind them. */
static build ladder(void) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", bv32(&b)), in = build_var(&b, "in", bv32(&b));
  build_assign(&b, x, bv(&b, 32, 0));
  for (int i = 0; i < 20; i++) {
    input(&b, in);
    tp_loc no = build_branch(&b, less(&b, in, i)), both = build_loc(&b);
    build_assign(&b, x, plus(&b, x, 1));
    go_to(&b, both);
    b.at = no;
    go_to(&b, both);
  }
  build_assert(&b, less(&b, x, 21));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void ways_are_merged_at_joins(void **state) {
  (void)state;
  graph g = graph_of(ladder(), 1000);  // a tree of ways would have a million
  assert_null(g.blocks.gap);
  assert_int_equal(g.blocks.nodes.n, 2);
  assert_int_equal(n_errors(&g), 1);
  assert_int_equal(g.blocks.list.n, 1);
  tp_smt *s = tp_smt_new(g.b.tt, (tp_smt_options){0});
  tp_smt_assert(s, tp_paths_query(g.paths, tp_path_condition(g.paths, &g.blocks.list.at[0].path)));
  assert_int_equal(tp_smt_check(s, NULL, 0), TP_SMT_UNSAT);
  tp_smt_free(s);
  graph_free(&g);
}

static void limits_leave_a_gap(void **state) {
  (void)state;
  graph g = graph_of(ladder(), 30);
  assert_non_null(g.blocks.gap);
  graph_free(&g);
}

/* f: x := x + 1 (global). g: while (in) f(). main: x := 0; f(); while (in) { g(); g(); }  assert(x
 * == 7). */
static build calls_in_loops(void) {
  build b = build_new(64);
  tp_var x = build_global(&b, "x", bv32(&b), bv(&b, 32, 0));
  tp_func f = build_func(&b, "f", (tp_sort){0});
  build_assign(&b, x, plus(&b, x, 1));
  build_return(&b, TP_TERM_NONE);
  tp_func g = build_func(&b, "g", (tp_sort){0});
  tp_var in = build_var(&b, "in", bv32(&b));
  tp_loc head = b.at = build_loc(&b);
  tp_program_add_edge(
      b.p, (tp_edge_info){.kind = TP_E_SKIP, .from = b.p->funcs.at[g.id].entry, .to = head});
  input(&b, in);
  tp_loc out = build_branch(&b, less(&b, in, 0));
  call(&b, f);
  go_to(&b, head);
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  in = build_var(&b, "in", bv32(&b));
  call(&b, f);
  head = b.at;
  input(&b, in);
  out = build_branch(&b, less(&b, in, 0));
  call(&b, g);
  call(&b, g);
  go_to(&b, head);
  b.at = out;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 7)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

/* Nodes: entry, main's loop, g's loop in two contexts, the error. Blocks: entry to main's loop;
 * from there to the first g, and to the error; from the first g to itself and the second; from the
 * second to itself and main's loop. */
static void callees_without_loops_are_part_of_blocks(void **state) {
  (void)state;
  graph g = graph_of(calls_in_loops(), 0);
  assert_null(g.blocks.gap);
  assert_int_equal(g.blocks.nodes.n, 5);
  assert_int_equal(n_errors(&g), 1);
  assert_int_equal(g.blocks.list.n, 7);
  graph_free(&g);
}

/* f calls itself; main calls f, and a function without body that may write. */
static void what_is_open_becomes_a_node(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", (tp_sort){0});
  call(&b, f);
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  tp_var in = build_var(&b, "in", bv32(&b));
  build_assign(&b, in, bv(&b, 32, 1));
  call(&b, f);
  build_edge(
      &b,
      (tp_edge_info){
          .kind = TP_E_HAVOC, .var = in, .input = TP_I_EXTERN, .name = "other", .may_write = true});
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  graph g = graph_of(b, 0);
  assert_int_equal(g.blocks.nodes.n, 3);
  for (uint32_t n = 1; n < 3; n++)
    assert_true(g.blocks.nodes.at[n].is_unmodelled && tp_block_node_is_bad(&g.blocks, n));
  assert_int_equal(g.blocks.list.n, 2);
  graph_free(&g);
}

/* A loop to main's entry: the place before the program starts is a node of its own. */
static void main_may_start_with_a_loop(void **state) {
  (void)state;
  build b = build_new(64);
  tp_var x = build_global(&b, "x", bv32(&b), bv(&b, 32, 0));
  build_func(&b, "main", (tp_sort){0});
  tp_loc head = b.at, out = build_branch(&b, less(&b, x, 10));
  build_assign(&b, x, plus(&b, x, 1));
  go_to(&b, head);
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  graph g = graph_of(b, 0);
  assert_int_equal(g.blocks.nodes.n, 2);
  assert_int_equal(g.blocks.list.n, 2);
  assert_int_equal(g.blocks.list.at[0].to, 1);
  assert_int_equal(g.blocks.list.at[1].from, 1);
  graph_free(&g);
}

// --------------------------------------------------------------------- Houdini

/* x := 0; y := 0; i := 0; while (i < 10) { x += 2; y += 2; i += 1; if (in < 0) f := 1 }: what is
 * true of it and what is not. */
typedef struct {
  graph g;
  tp_var x, y, i, f;
  uint32_t head;
} loop;

static loop loop_new(void) {
  loop l = {0};
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  l.x = build_var(&b, "x", bv32(&b)), l.y = build_var(&b, "y", bv32(&b)),
  l.i = build_var(&b, "i", bv32(&b)), l.f = build_var(&b, "f", bv32(&b));
  tp_var in = build_var(&b, "in", bv32(&b));
  tp_var all[] = {l.x, l.y, l.i, l.f};
  for (size_t i = 0; i < 4; i++) build_assign(&b, all[i], bv(&b, 32, 0));
  tp_loc head = b.at, out = build_branch(&b, less(&b, l.i, 10));
  build_assign(&b, l.x, plus(&b, l.x, 2));
  build_assign(&b, l.y, plus(&b, l.y, 2));
  build_assign(&b, l.i, plus(&b, l.i, 1));
  input(&b, in);
  tp_loc no = build_branch(&b, less(&b, in, 0));
  build_assign(&b, l.f, bv(&b, 32, 1));
  go_to(&b, head);
  b.at = no;
  go_to(&b, head);
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  l.g = graph_of(b, 0);
  l.head = 1;
  return l;
}

static tp_node_formulas find(loop *l, const tp_term *candidates, size_t n, const tp_term *given,
                             tp_houdini_options o, bool ends) {
  tp_node_formulas c, found;
  tp_node_formulas_init(&c, &l->g.blocks);
  tp_node_formulas_init(&found, &l->g.blocks);
  for (size_t i = 0; i < n; i++) tp_node_formulas_add(&c, &l->g.blocks, l->head, candidates[i]);
  assert_int_equal(tp_houdini(&l->g.blocks, given, NULL, &c, o, &found), ends);
  tp_node_formulas_clear(&c);
  return found;
}

static void what_is_inductive_together_is_found(void **state) {
  (void)state;
  loop l = loop_new();
  build *b = &l.g.b;
  tp_term twice = tp_mk_eq(b->tt, build_term(b, l.x),
                           tp_mk2(b->tt, TP_OP_BV_MUL, bv(b, 32, 2), build_term(b, l.i)));
  tp_term candidates[] = {
      same(b, l.x, l.y),                                  // inductive
      twice,                                              // inductive
      less(b, l.i, 11),                                   // inductive
      less(b, l.x, 21),                                   // only with the two before
      less(b, l.y, 20),                                   // wrong at the end
      tp_mk_eq(b->tt, build_term(b, l.f), bv(b, 32, 0)),  // wrong after a turn
      tp_mk_eq(b->tt, build_term(b, l.f), bv(b, 32, 1)),  // wrong at the start
      less(b, l.f, 2),                                    // inductive
      tp_mk_not(b->tt, less(b, l.i, 0)),  // inductive with less(i, 11); without it 2 i may wrap
  };
  tp_node_formulas found = find(&l, candidates, 9, NULL, (tp_houdini_options){0}, true);
  const tp_term expected[] = {candidates[0], candidates[1], candidates[2],
                              candidates[3], candidates[7], candidates[8]};
  assert_int_equal(found.at[l.head].n, 6);
  for (size_t i = 0; i < 6; i++) assert_true(tp_term_eq(found.at[l.head].at[i], expected[i]));
  tp_node_formulas_clear(&found);
  // alone it is not inductive, unless the rest is given
  found = find(&l, &candidates[3], 1, NULL, (tp_houdini_options){0}, true);
  assert_int_equal(found.at[l.head].n, 0);
  tp_node_formulas_clear(&found);
  tp_term given[] = {tp_mk_true(b->tt), tp_mk_and(b->tt, candidates[1],
                                                  tp_mk_and(b->tt, candidates[2], candidates[8]))};
  found = find(&l, &candidates[3], 1, given, (tp_houdini_options){0}, true);
  assert_int_equal(found.at[l.head].n, 1);
  tp_node_formulas_clear(&found);
  graph_free(&l.g);
}

static bool at_once(void *ctx) {
  (void)ctx;
  return true;
}

static void what_the_solver_does_not_know_is_not_found(void **state) {
  (void)state;
  loop l = loop_new();
  tp_term bound = less(&l.g.b, l.i, 11);
  tp_node_formulas found =
      find(&l, &bound, 1, NULL, (tp_houdini_options){.backend = "none of that name"}, true);
  assert_int_equal(found.at[l.head].n, 0);
  tp_node_formulas_clear(&found);
  found = find(&l, &bound, 1, NULL, (tp_houdini_options){.should_stop = at_once}, false);
  assert_int_equal(found.at[l.head].n, 0);
  tp_node_formulas_clear(&found);
  graph_free(&l.g);
}

static void candidates_stay_in_scope(void **state) {
  (void)state;
  graph g = graph_of(calls_in_loops(), 0);
  tp_mined_candidates c = {0};
  tp_node_formulas f;
  // main's `in` is the last variable; g's loop has it in its frames, too
  tp_term in = g.b.p->vars.at[g.b.p->vars.n - 1].term,
          positive = tp_mk2(g.b.tt, TP_OP_BV_SLT, bv(&g.b, 32, 0), in);
  for (uint32_t n = 1; n < g.blocks.nodes.n; n++)
    tp_vec_push(&c.list,
                (tp_mined_candidate){.loc = g.blocks.nodes.at[n].loc, .formula = positive});
  tp_node_formulas_init(&f, &g.blocks);
  tp_node_formulas_add_all(&f, &g.blocks, &c);
  size_t n_at = 0, n_in = 0;
  for (uint32_t n = 0; n < g.blocks.nodes.n; n++) {
    assert_true(f.at[n].n <= 1);
    n_at += f.at[n].n;
    n_in += !tp_block_node_is_bad(&g.blocks, n) && n > 0;
  }
  assert_int_equal(n_at, n_in);
  // g's own `in` does not exist in main
  tp_var inner = {0};
  for (uint32_t v = 1; v < g.b.p->vars.n && !inner.id; v++)
    if (!strcmp(g.b.p->vars.at[v].name, "in")) inner.id = v;
  tp_func own = g.b.p->vars.at[inner.id].func;
  for (uint32_t n = 0; n < g.blocks.nodes.n; n++)
    assert_int_equal(tp_block_node_may_use(&g.blocks, n, build_term(&g.b, inner)),
                     g.b.p->locs.at[g.blocks.nodes.at[n].loc.id].func.id == own.id);
  tp_node_formulas_clear(&f);
  tp_vec_clear(&c.list);
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ways_are_merged_at_joins),
      cmocka_unit_test(limits_leave_a_gap),
      cmocka_unit_test(callees_without_loops_are_part_of_blocks),
      cmocka_unit_test(what_is_open_becomes_a_node),
      cmocka_unit_test(main_may_start_with_a_loop),
      cmocka_unit_test(what_is_inductive_together_is_found),
      cmocka_unit_test(what_the_solver_does_not_know_is_not_found),
      cmocka_unit_test(candidates_stay_in_scope),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

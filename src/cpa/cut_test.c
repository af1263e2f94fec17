/* Cutting the reached set: what was removed is found again, nothing else is lost. */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "cpa/reached_priv.h"
#include "exec/testing.h"

enum { LOCS = 9, VARS = 3, WIDTH = 2 };

// -------------------------------------------------------------- random programs

/* No plain copies: a store notes those of unknown variables only, so that its steps are not
 * monotone, and with steps that are not, the order of exploration shows. */
static tp_term random_value(build *b, const tp_var *vars, tp_rng *rng) {
  tp_term v = build_term(b, vars[tp_rng_below(rng, VARS)]);
  if (tp_rng_below(rng, 2)) return bv(b, WIDTH, (int64_t)tp_rng_below(rng, 4));
  return tp_mk2(b->tt, TP_OP_BV_ADD, v, bv(b, WIDTH, 1 + (int64_t)tp_rng_below(rng, 3)));
}

/* Two branches, or one assignment or input, from every location to any other; calls of a function
 * that counts. */
static void random_location(build *b, const tp_loc *locs, const tp_var *vars, tp_func count,
                            uint32_t i, tp_rng *rng) {
  tp_loc to = locs[tp_rng_below(rng, LOCS)], other = locs[tp_rng_below(rng, LOCS)];
  tp_var v = vars[tp_rng_below(rng, VARS)];
  tp_term arg = build_term(b, vars[0]);
  b->at = locs[i];
  switch (tp_rng_below(rng, 8)) {
    case 0:
    case 1:
    case 2: {
      tp_term c = tp_mk_eq(b->tt, build_term(b, v), random_value(b, vars, rng));
      tp_program_add_edge(b->p,
                          (tp_edge_info){.kind = TP_E_ASSUME, .from = locs[i], .to = to, .a = c});
      tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_ASSUME,
                                               .from = locs[i],
                                               .to = other,
                                               .a = tp_mk_not(b->tt, c),
                                               .negated = true});
      break;
    }
    case 3:
      build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .name = "input", .to = to});
      break;
    case 4:
      build_edge(
          b,
          (tp_edge_info){
              .kind = TP_E_CALL, .var = v, .callee = count, .args = &arg, .n_args = 1, .to = to});
      break;
    default:
      build_edge(b, (tp_edge_info){
                        .kind = TP_E_ASSIGN, .var = v, .a = random_value(b, vars, rng), .to = to});
      break;
  }
}

static build random_program(tp_rng *rng) {
  build b = build_new(64);
  tp_sort s = tp_sort_bv(b.tt, WIDTH);
  tp_func count = build_func(&b, "count", s);
  tp_var n = build_param(&b, "n", s);
  tp_loc no = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, n), bv(&b, WIDTH, 0)));
  build_return(&b, bv(&b, WIDTH, 1));
  b.at = no;
  build_return(&b, tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, n), bv(&b, WIDTH, 1)));
  build_func(&b, "main", (tp_sort){0});
  tp_loc locs[LOCS] = {b.at};
  tp_var vars[VARS];
  for (int i = 1; i < LOCS; i++) locs[i] = build_loc(&b);
  for (int i = 0; i < VARS; i++) vars[i] = build_var(&b, "v", s);
  for (uint32_t i = 0; i + 1 < LOCS; i++) random_location(&b, locs, vars, count, i, rng);
  b.at = locs[LOCS - 1];
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

// ------------------------------------------------------------------------ covers

static tp_reached *explored(tp_composition *c) {
  tp_recursion *whole = tp_recursion_new(c->cpa, c->order);  // as the engine starts it
  tp_succ initial = tp_reached_node(tp_recursion_reached(whole), 1)->state;
  tp_recursion_free(whole);
  tp_reached *r = tp_reached_new(c->cpa, c->order);
  (void)tp_reached_add_initial(r, initial);
  return r;
}

static void check(tp_reached *r) {
  tp_str why = {0};
  if (!tp_reached_check(r, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
}

/* Every element of a is covered by those of b. */
static bool is_below(const tp_reached *a, const tp_reached *b) {
  for (uint32_t i = 1; i < a->nodes.n; i++) {
    if (a->nodes.at[i].removed) continue;
    const tp_bucket *at = &b->buckets.at[tp_reached_bucket(b, a->nodes.at[i].key)];
    if (!tp_cpa_stop(a->cpa, a->nodes.at[i].state.elem,
                     (tp_reached_view){at->states.at, at->states.n}))
      return false;
  }
  return true;
}

static uint32_t random_node(const tp_reached *r, tp_rng *rng) {
  uint32_t node;
  do node = 1 + (uint32_t)tp_rng_below(rng, tp_reached_n(r));
  while (r->nodes.at[node].removed);
  return node;
}

static const char *const texts[] = {
    "analysis = location callstack value\nvalue.threshold = inf\nwaitlist = bfs\n",
    "analysis = location callstack value\nvalue.threshold = inf\nwaitlist = dfs\n",
    "analysis = location callstack constant\nconstant.merge = join\nmerge = join-on-location\n",
    "analysis = location callstack constant\nconstant.merge = join\nmerge = "
    "join-on-location\nwaitlist = dfs\n",
    "analysis = location callstack value constant\nvalue.threshold = inf\nvalue.merge = "
    "sep\nconstant.merge = join\nmerge = pred-join\n",
};

static void cut_at_random(tp_reached *r, tp_rng *rng) {
  for (int k = 0; k < 6; k++) {
    (void)tp_reached_cut(r, random_node(r, rng),
                         tp_rng_below(rng, 2) ? TP_CUT_BELOW : TP_CUT_WITH_NODE);
    check(r);  // at any moment: open work is waiting work
    assert_true(r->n_waiting > 0);
    (void)tp_cpa_run(r, (tp_cpa_limits){.steps = 1 + tp_rng_below(rng, 12)});
    check(r);
  }
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  check(r);
}

static void what_is_cut_is_found_again(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 20);
  for (int i = 0; i < 150; i++) {
    build b = random_program(&rng);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
      tp_str why = {0};
      tp_stats stats = {0};
      tp_composition *c = tp_composition_open(b.p, TP_P_UNREACH_CALL, texts[k], &stats, &why);
      if (!c) fail_msg("%s", tp_str_text(&why));
      tp_reached *whole = explored(c), *cut = explored(c);
      assert_int_equal(tp_cpa_run(whole, (tp_cpa_limits){0}).end, TP_CPA_DONE);
      (void)tp_cpa_run(cut, (tp_cpa_limits){.steps = 1 + tp_rng_below(&rng, 30)});
      cut_at_random(cut, &rng);
      if (!is_below(whole, cut)) fail_msg("program %d, composition %zu: something was lost", i, k);
      if (!is_below(cut, whole))
        fail_msg("program %d, composition %zu: something was left over", i, k);
      tp_reached_free(whole);
      tp_reached_free(cut);
      tp_composition_close(c);
    }
    build_free(&b);
  }
}

// ---------------------------------------------------------------------- FIX 20

/* 0 -> 1 -> 11 -> 3 and 0 -> 2 -> 22 -> 222 -> 3 -> 33 -> 333 -> err. In breadth-first order 3 is
 * reached by the first way, and what the second way brings is covered. Cutting off the first way
 * must open the second one. */
static void FIX20_what_a_removed_node_covered_is_opened_again(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bool(b.tt));
  tp_loc l2 = build_branch(&b, build_term(&b, x)), l1 = b.at;
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP});
  tp_loc l11 = b.at;
  tp_edge first = build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP});
  tp_loc l3 = b.at;
  for (int i = 0; i < 2; i++) build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP});
  tp_loc err = build_error(&b, TP_P_UNREACH_CALL);
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = err});
  b.at = l2;
  for (int i = 0; i < 2; i++) build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP});
  tp_loc l222 = b.at;
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = l3});
  build_done(&b);

  tp_str why = {0};
  tp_stats stats = {0};
  tp_composition *c = tp_composition_open(
      b.p, TP_P_UNREACH_CALL, "analysis = location callstack\nwaitlist = bfs\n", &stats, &why);
  tp_reached *r = explored(c);
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  uint32_t at[32] = {0};
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) at[tp_reached_node(r, i)->loc.id] = i;
  assert_int_equal(tp_reached_node(r, at[l3.id])->step.edge.id, first.id);
  size_t n_covers;
  const tp_cover *covers = tp_reached_covers(r, &n_covers);
  assert_int_equal(n_covers, 1);
  assert_int_equal(covers[0].from, at[l222.id]);
  assert_int_equal(covers[0].by, at[l3.id]);

  size_t n = tp_reached_cut(r, at[l3.id], TP_CUT_WITH_NODE);
  assert_int_equal(n, 4);  // 3, 33, 333, err
  assert_true(tp_reached_node(r, at[l222.id])->waiting);
  assert_true(tp_reached_node(r, at[l11.id])->waiting);
  assert_int_equal(tp_reached_waiting(r), 2);
  assert_true(tp_reached_node(r, at[err.id])->removed);
  check(r);
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  check(r);

  // below 1: 11 goes, with the node of 3 that came from it, or stays with the one that came from
  // 222
  (void)tp_reached_cut(r, at[l1.id], TP_CUT_BELOW);
  assert_true(tp_reached_node(r, at[l1.id])->waiting);
  check(r);
  tp_reached_free(r);
  tp_composition_close(c);
  tp_str_clear(&why);
  build_free(&b);
}

/* A loop's head took in what came from its body: cutting in the body opens the way before the loop,
 * too. */
static void what_went_into_a_node_leaves_with_it(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_sort s = tp_sort_bv(b.tt, 8);
  tp_var x = build_var(&b, "x", s);
  build_assign(&b, x, bv(&b, 8, 1));
  tp_loc head = b.at, out = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 8, 1))),
         body = b.at;
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = x, .a = bv(&b, 8, 2), .to = head});
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_str why = {0};
  tp_stats stats = {0};
  tp_composition *c = tp_composition_open(b.p, TP_P_UNREACH_CALL, texts[2], &stats, &why);
  tp_reached *r = explored(c);
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  size_t n_merges;
  const tp_merge_link *merges = tp_reached_merges(r, &n_merges);
  assert_int_equal(n_merges, 1);
  assert_int_equal(tp_reached_node(r, merges[0].into)->loc.id, head.id);
  assert_int_equal(tp_reached_node(r, merges[0].from)->loc.id, body.id);
  uint32_t before_cut = merges[0].into;
  (void)tp_reached_cut(r, merges[0].from, TP_CUT_BELOW);
  assert_true(tp_reached_node(r, before_cut)->removed);
  assert_true(tp_reached_node(r, 1)->waiting);
  check(r);
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  check(r);
  tp_reached_free(r);
  tp_composition_close(c);
  tp_str_clear(&why);
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(FIX20_what_a_removed_node_covered_is_opened_again),
      cmocka_unit_test(what_went_into_a_node_leaves_with_it),
      cmocka_unit_test(what_is_cut_is_found_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

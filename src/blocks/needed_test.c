// What a proof needs of the facts that were proved: each kind of property takes its own facts, and
// what keeps them, and what does not exclude the error takes all.
#include "blocks/needed.h"

#include "exec/testing.h"

typedef struct {
  build b;
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  tp_stats stats;
  tp_learner learner;
  tp_term *imported;
  tp_term facts[5];
} loop;

enum { SAME, TWICE, MOST, BOUND, FLAG, N_FACTS };
enum { HEAD = 1 };

static tp_term less(const build *b, tp_var v, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_ULT, build_term(b, v), bv(b, 32, n));
}
static void add(build *b, tp_var v, int64_t n) {
  build_assign(b, v, tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, v), bv(b, 32, n)));
}

/* x = y = i = f = 0; while (i < 10) { x += 2; y += 2; i += 1; f = f } assert(property); and all
 * facts about it proved: x == y, x == 2 i, i < 11, x < 21, f < 2. */
static void loop_init(loop *l, int property) {
  *l = (loop){.b = build_new(64)};
  build *b = &l->b;
  build_func(b, "main", (tp_sort){0});
  tp_sort s = tp_sort_bv(b->tt, 32);
  tp_var x = build_var(b, "x", s), y = build_var(b, "y", s), i = build_var(b, "i", s),
         f = build_var(b, "f", s);
  tp_var all[] = {x, y, i, f};
  for (size_t v = 0; v < 4; v++) build_assign(b, all[v], bv(b, 32, 0));
  l->facts[SAME] = tp_mk_eq(b->tt, build_term(b, x), build_term(b, y));
  l->facts[TWICE] = tp_mk_eq(b->tt, build_term(b, x),
                             tp_mk2(b->tt, TP_OP_BV_MUL, bv(b, 32, 2), build_term(b, i)));
  l->facts[MOST] = less(b, i, 11);
  l->facts[BOUND] = less(b, x, 21);
  l->facts[FLAG] = less(b, f, 2);
  tp_loc head = b->at, out = build_branch(b, less(b, i, 10));
  add(b, x, 2), add(b, y, 2), add(b, i, 1);
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b->at = out;
  build_assert(b, property < N_FACTS ? l->facts[property] : less(b, y, 20));
  build_return(b, TP_TERM_NONE);
  build_done(b);
  tp_contexts_init(&l->contexts);
  tp_paths_init(&l->paths, b->p);
  tp_blocks_build(&l->blocks, &l->paths, &l->contexts, TP_P_UNREACH_CALL, TP_BLOCKS_TO_LOOPS, 0);
  l->imported = TP_NEW_ARRAY(tp_term, l->blocks.nodes.n);
  for (size_t n = 0; n < l->blocks.nodes.n; n++) l->imported[n] = tp_mk_true(b->tt);
  tp_learner_init(&l->learner, &l->blocks, l->imported, &l->stats);
  tp_node_formulas candidates;
  tp_node_formulas_init(&candidates, &l->blocks);
  for (size_t k = 0; k < N_FACTS; k++)
    tp_node_formulas_add(&candidates, &l->blocks, HEAD, l->facts[k]);
  assert_int_equal(tp_learner_prove(&l->learner, &candidates, (tp_houdini_options){0}), N_FACTS);
  tp_node_formulas_clear(&candidates);
}

static void loop_clear(loop *l) {
  tp_learner_clear(&l->learner);
  tp_free(l->imported);
  tp_blocks_clear(&l->blocks);
  tp_paths_clear(&l->paths);
  tp_contexts_clear(&l->contexts);
  build_free(&l->b);
}

static bool is_conjunct(const tp_terms *tt, tp_term all, tp_term t) {
  return tp_term_eq(all, t) ||
         (tp_kind(tt, all) == TP_OP_AND &&
          (is_conjunct(tt, tp_arg(tt, all, 0), t) || is_conjunct(tt, tp_arg(tt, all, 1), t)));
}

static const struct {
  int property;
  const char *solver;
  bool is_less;
  enum { NO, YES, MAYBE } needs[N_FACTS];
} rows[] = {
    {SAME, NULL, true, {[SAME] = YES}},
    {FLAG, NULL, true, {[FLAG] = YES}},
    {MOST, NULL, true, {[MOST] = YES}},
    // x is below 21 since it is twice what is below 10 in the loop
    {BOUND, NULL, true, {[SAME] = MAYBE, [TWICE] = YES, [MOST] = MAYBE, [BOUND] = YES}},
    {N_FACTS, NULL, false, {YES, YES, YES, YES, YES}},  // y < 20 is not so
    {SAME, "none of that name", false, {YES, YES, YES, YES, YES}},
};

static void each_property_takes_its_own_facts(void **state) {
  (void)state;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    loop l;
    loop_init(&l, rows[r].property);
    tp_term *needed = TP_NEW_ARRAY(tp_term, l.blocks.nodes.n);
    assert_int_equal(
        tp_needed_facts(&l.learner, (tp_smt_options){.backend = rows[r].solver}, needed),
        rows[r].is_less);
    for (size_t k = 0; k < N_FACTS; k++)
      if (rows[r].needs[k] != MAYBE &&
          is_conjunct(l.b.tt, needed[HEAD], l.facts[k]) != (rows[r].needs[k] == YES))
        fail_msg("row %zu: fact %zu should %sbe needed", r, k, rows[r].needs[k] ? "" : "not ");
    tp_free(needed);
    loop_clear(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_property_takes_its_own_facts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

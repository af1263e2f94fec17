// What is known to be equal is said in one word: variables, constants, pointers to the start of
// their object; what is merely alike keeps its own.
#include "blocks/known_words.h"

#include "exec/testing.h"

enum { EQ_XY, EQ_YZ, EQ_Z7, LESS_XY, EQ_PQ, P_START, OTHER_START, APART_PQ, N_FACTS };
enum { X, Y, Z, P_OFFSET, Q_OFFSET, SAME_OBJECT, NEVER, N_TERMS };

static const struct {
  const char *name;
  unsigned known;
  int a, b;
  bool is_one;  // do a and b have the same word?
} rows[] = {
    {"two variables", 1u << EQ_XY, X, Y, true},
    {"a chain", 1u << EQ_XY | 1u << EQ_YZ, X, Z, true},
    {"a chain, read from its end", 1u << EQ_YZ | 1u << EQ_XY, Z, X, true},
    {"an order is no equation", 1u << LESS_XY, X, Y, false},
    {"nothing is said of z", 1u << EQ_XY, X, Z, false},
    {"a constant at the end of a chain", 1u << EQ_XY | 1u << EQ_YZ | 1u << EQ_Z7, X, Y, true},
    {"pointers", 1u << EQ_PQ, P_OFFSET, Q_OFFSET, true},
    {"pointers that lead to starts", 1u << P_START | 1u << OTHER_START, P_OFFSET, Q_OFFSET, true},
    {"a start, and a pointer of which nothing is known", 1u << P_START, P_OFFSET, Q_OFFSET, false},
    {"a start says nothing of the object", 1u << P_START | 1u << OTHER_START, SAME_OBJECT, -1,
     false},
    {"objects that are different ones", 1u << APART_PQ, SAME_OBJECT, NEVER, true},
    {"the same of pointers to their starts", 1u << APART_PQ | 1u << P_START, SAME_OBJECT, NEVER,
     true},
    {"objects of which nothing is known", 1u << P_START, SAME_OBJECT, NEVER, false},
    {"a start of pointers that are equal", 1u << P_START | 1u << EQ_PQ, SAME_OBJECT, -1, true},
};

typedef struct {
  build b;
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  tp_term facts[N_FACTS], terms[N_TERMS];
} fixture;

/* A loop, so that there is a node. */
static void fixture_init(fixture *f) {
  *f = (fixture){.b = build_new(64)};
  build *b = &f->b;
  build_func(b, "main", (tp_sort){0});
  const tp_sort s = tp_sort_bv(b->tt, 32);
  const tp_var x = build_var(b, "x", s), y = build_var(b, "y", s), z = build_var(b, "z", s),
               p = build_var(b, "p", tp_sort_ptr(b->tt)), q = build_var(b, "q", tp_sort_ptr(b->tt));
  const tp_term px = build_term(b, x), py = build_term(b, y), pz = build_term(b, z),
                pp = build_term(b, p), pq = build_term(b, q);
  tp_terms *tt = b->tt;
  f->terms[X] = px, f->terms[Y] = py, f->terms[Z] = pz;
  f->terms[P_OFFSET] = tp_mk1(tt, TP_OP_PTR_OFF, pp);
  f->terms[Q_OFFSET] = tp_mk1(tt, TP_OP_PTR_OFF, pq);
  f->terms[SAME_OBJECT] =
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, pp), tp_mk1(tt, TP_OP_PTR_OBJ, pq));
  f->terms[NEVER] = tp_mk_false(tt);
  f->facts[APART_PQ] = tp_mk_not(tt, f->terms[SAME_OBJECT]);
  f->facts[EQ_XY] = tp_mk_eq(tt, px, py);
  f->facts[EQ_YZ] = tp_mk_eq(tt, py, pz);
  f->facts[EQ_Z7] = tp_mk_eq(tt, pz, bv(b, 32, 7));
  f->facts[LESS_XY] = tp_mk2(tt, TP_OP_BV_ULE, px, py);
  f->facts[EQ_PQ] = tp_mk_eq(tt, pp, pq);
  f->facts[P_START] = tp_mk_eq(tt, f->terms[P_OFFSET], bv(b, 64, 0));
  f->facts[OTHER_START] = tp_mk_eq(tt, f->terms[Q_OFFSET], bv(b, 64, 0));
  const tp_loc head = b->at, out = build_branch(b, tp_mk2(tt, TP_OP_BV_ULT, px, bv(b, 32, 10)));
  build_assign(b, x, tp_mk2(tt, TP_OP_BV_ADD, px, bv(b, 32, 1)));
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b->at = out;
  build_return(b, TP_TERM_NONE);
  build_done(b);
  tp_contexts_init(&f->contexts);
  tp_paths_init(&f->paths, b->p);
  tp_blocks_build(&f->blocks, &f->paths, &f->contexts, TP_P_UNREACH_CALL, TP_BLOCKS_TO_LOOPS, 0);
}

static void fixture_clear(fixture *f) {
  tp_blocks_clear(&f->blocks);
  tp_paths_clear(&f->paths);
  tp_contexts_clear(&f->contexts);
  build_free(&f->b);
}

static void equal_things_have_one_word(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  assert_true(f.blocks.nodes.n > 1);
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    tp_term *known = TP_NEW_ARRAY(tp_term, f.blocks.nodes.n);
    for (size_t n = 0; n < f.blocks.nodes.n; n++) {
      known[n] = tp_mk_true(f.b.tt);
      for (size_t k = 0; k < N_FACTS && n == 1; k++)
        if (rows[r].known & 1u << k) known[n] = tp_mk_and(f.b.tt, known[n], f.facts[k]);
    }
    tp_known_words w;
    tp_known_words_init(&w, &f.blocks, known);
    const tp_term a = tp_known_words_of(&w, 1, f.terms[rows[r].a]),
                  b = rows[r].b < 0 ? tp_mk_true(f.b.tt)
                                    : tp_known_words_of(&w, 1, f.terms[rows[r].b]);
    if (tp_term_eq(a, b) != rows[r].is_one) fail_msg("%s", rows[r].name);
    const tp_term elsewhere = tp_known_words_of(&w, 0, f.terms[X]);
    assert_true(tp_term_eq(elsewhere, f.terms[X]));
    tp_known_words_clear(&w);
    tp_free(known);
  }
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_things_have_one_word)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

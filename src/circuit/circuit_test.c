/* Circuits against evaluation: gates against truth tables, the SAT solver against enumeration,
 * circuits of random terms and of every operation against tp_eval, definitions under levels. And: a
 * wrong gate is noticed. */
#include "circuit/blast.h"
#include "circuit/words.h"
#include "term/random_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int rounds(int quick) { return getenv("TP_SOAK") ? 50 * quick : quick; }

// ---------------------------------------------------------------- truth tables

enum { N_INPUTS = 4, POOL = 60 };  // a truth table has 16 bits

typedef struct {
  tp_gates g;
  tp_rng rng;
  tp_lit lit[POOL];
  uint16_t table[POOL];
  int n;
} bench;

static const uint16_t input_table[N_INPUTS] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};

static void bench_init(bench *b, uint64_t seed) {
  tp_gates_init(&b->g);
  tp_rng_init(&b->rng, seed);
  b->n = 0;
  for (int i = 0; i < N_INPUTS; i++) {
    b->table[b->n] = input_table[i];
    b->lit[b->n++] = tp_gate_input(&b->g);
  }
  b->table[b->n] = 0;
  b->lit[b->n++] = TP_LIT_FALSE;
}

/* One more gate over earlier ones, each perhaps negated. */
static void grow(bench *b) {
  tp_lit a[3];
  uint16_t t[3], r = 0;
  for (int i = 0; i < 3; i++) {
    int from = (int)tp_rng_below(&b->rng, (uint64_t)b->n);
    bool negate = tp_rng_below(&b->rng, 2);
    a[i] = tp_lit_flip(b->lit[from], negate);
    t[i] = negate ? (uint16_t)~b->table[from] : b->table[from];
  }
  switch (tp_rng_below(&b->rng, 5)) {
    case 0: b->lit[b->n] = tp_gate_and(&b->g, a[0], a[1]), r = t[0] & t[1]; break;
    case 1: b->lit[b->n] = tp_gate_or(&b->g, a[0], a[1]), r = t[0] | t[1]; break;
    case 2: b->lit[b->n] = tp_gate_xor(&b->g, a[0], a[1]), r = t[0] ^ t[1]; break;
    case 3:
      b->lit[b->n] = tp_gate_ite(&b->g, a[0], a[1], a[2]),
      r = (uint16_t)((t[0] & t[1]) | (~t[0] & t[2]));
      break;
    default:
      b->lit[b->n] = tp_gate_majority(&b->g, a[0], a[1], a[2]),
      r = (uint16_t)((t[0] & t[1]) | (t[0] & t[2]) | (t[1] & t[2]));
      break;
  }
  b->table[b->n++] = r;
}

/* The table of a literal, computed through the gates. */
static uint16_t simulate(const tp_gates *g, tp_lit a) {
  uint16_t *t = TP_NEW_ARRAY(uint16_t, g->nodes.n), r;
  for (size_t i = 1; i < g->nodes.n; i++) {
    const tp_gate *n = &g->nodes.at[i];
    if (n->kind == TP_GATE_INPUT) {
      t[i] = input_table[i - 1];
      continue;
    }
    for (uint32_t row = 0; row < 16; row++) {
      bool v[3] = {false, false, false};
      for (uint32_t k = 0; k < tp_gate_n_args((tp_gate_kind)n->kind); k++) {
        assert_true(tp_lit_node(n->arg[k]) < i);
        v[k] = (t[tp_lit_node(n->arg[k])] >> row & 1) != tp_lit_is_negated(n->arg[k]);
      }
      t[i] |= (uint16_t)(tp_gate_apply((tp_gate_kind)n->kind, v[0], v[1], v[2]) << row);
    }
  }
  r = t[tp_lit_node(a)];
  tp_free(t);
  return tp_lit_is_negated(a) ? (uint16_t)~r : r;
}

static void gates_have_their_tables(void **state) {
  (void)state;
  for (int round = 0; round < rounds(2000); round++) {
    bench b;
    bench_init(&b, (uint64_t)round);
    while (b.n < 30) grow(&b);
    for (int i = 0; i < b.n; i++) assert_int_equal(simulate(&b.g, b.lit[i]), b.table[i]);
    size_t n = b.g.nodes.n;  // the same once more: nothing new
    tp_rng_init(&b.rng, (uint64_t)round);
    b.n = N_INPUTS + 1;
    while (b.n < 30) grow(&b);
    assert_int_equal(b.g.nodes.n, n);
    tp_gates_clear(&b.g);
  }
}

/* Clauses and assumptions over random circuits, in several calls; all sixteen assignments decide
 * what is true. */
static void sat_agrees(bool one_sided) {
  int answers[2] = {0, 0};
  for (int round = 0; round < rounds(400); round++) {
    bench b;
    bench_init(&b, 77000 + (uint64_t)round);
    tp_sat *s = tp_sat_new(&b.g);
    if (one_sided) tp_sat_use_polarity(s);
    uint16_t possible = 0xffff;
    for (int step = 0; step < 12; step++) {
      while (b.n < 6 + 4 * step) grow(&b);
      tp_lit clause[2], assumed[3];
      uint16_t under = 0xffff, t = 0, table[3];
      for (int i = 0; i < 2; i++) {
        int from = (int)tp_rng_below(&b.rng, (uint64_t)b.n);
        clause[i] = b.lit[from];
        t |= b.table[from];
      }
      if (step % 3 == 2) {
        tp_sat_clause(s, clause, 2);
        possible &= t;
      }
      for (int i = 0; i < 3; i++) {
        int from = (int)tp_rng_below(&b.rng, (uint64_t)b.n);
        assumed[i] = tp_lit_not(b.lit[from]);
        table[i] = (uint16_t)~b.table[from];
        under &= table[i];
      }
      tp_sat_answer a = tp_sat_solve(s, assumed, 3, 0, 0);
      assert_int_equal(a, possible & under ? TP_SAT_SATISFIABLE : TP_SAT_UNSATISFIABLE);
      answers[a == TP_SAT_SATISFIABLE]++;
      if (a == TP_SAT_SATISFIABLE) {
        int row = 0;
        for (int i = 0; i < N_INPUTS; i++) row |= tp_sat_value(s, b.lit[i]) << i;
        assert_true((possible & under) >> row & 1);
        for (int i = 0; i < b.n; i++)
          assert_int_equal(tp_sat_value(s, b.lit[i]), b.table[i] >> row & 1);
      } else {
        uint16_t core = possible;
        for (int i = 0; i < 3; i++)
          if (tp_sat_failed(s, assumed[i])) core &= table[i];
        assert_int_equal(core, 0);
      }
    }
    tp_sat_free(s);
    tp_gates_clear(&b.g);
  }
  assert_true(answers[0] > 100 && answers[1] > 100);
}

static void sat_agrees_with_enumeration(void **state) {
  (void)state;
  sat_agrees(false);
}

static void sat_of_one_side_agrees_with_enumeration(void **state) {
  (void)state;
  sat_agrees(true);
}

// ------------------------------------------------------- circuits under values

/* One assignment: of terms for tp_eval, of nodes for the circuit. */
typedef struct {
  tp_random r;
  tp_gates g;
  tp_blast *b;
  tp_arena arena;
  TP_VEC(tp_value) values;  // by index of variable
  TP_VEC(uint8_t) node;
} world;

static void world_init(world *w, uint64_t seed, uint32_t width, unsigned sorts) {
  memset(w, 0, sizeof *w);
  tp_random_init(&w->r, tp_terms_new(64), seed, width, sorts);
  tp_gates_init(&w->g);
  w->b = tp_blast_new(w->r.tt, &w->g);
}

static void world_clear(world *w) {
  tp_blast_free(w->b);
  tp_gates_clear(&w->g);
  tp_terms_free(w->r.tt);
  tp_arena_clear(&w->arena);
  tp_vec_clear(&w->values);
  tp_vec_clear(&w->node);
}

static bool value_of(void *ctx, tp_term v, tp_value *out) {
  world *w = ctx;
  *out = w->values.at[tp_var_index(w->r.tt, v)];
  return true;
}

static uint64_t no_base(void *ctx, uint32_t object) { return (void)ctx, object; }

static tp_value eval(world *w, tp_term t) {
  tp_env env = {w, value_of, no_base, NULL};
  tp_value v = {0};
  assert_int_equal(tp_eval(w->r.tt, t, &env, &w->arena, &v), TP_OK);
  return v;
}

static bool lit_value(const world *w, tp_lit a) {
  return w->node.at[tp_lit_node(a)] != tp_lit_is_negated(a);
}

static tp_u128 word_value(const world *w, const tp_lit *word, uint32_t n) {
  tp_u128 v = 0;
  for (uint32_t i = 0; i < n; i++) v |= (tp_u128)lit_value(w, word[i]) << i;
  return v;
}

static void set_word(world *w, const tp_lit *word, uint32_t n, tp_u128 value) {
  for (uint32_t i = 0; i < n; i++)
    if (w->g.nodes.at[tp_lit_node(word[i])].kind == TP_GATE_INPUT)
      w->node.at[tp_lit_node(word[i])] = value >> i & 1;
}

static tp_u128 element_at(const tp_array_value *a, tp_u128 index) {
  for (size_t i = a->n; i-- > 0;)
    if (a->cells[i].index.bits == index) return a->cells[i].value.bits;
  return a->otherwise.bits;
}

/* Draw values of all variables and carry them through the circuit, the elements that arrays are
 * read at included. */
static void simulate_random(world *w) {
  tp_terms *tt = w->r.tt;
  const tp_reads *r = tp_blast_reads(w->b);
  size_t read = 0;
  tp_vec_resize(&w->values, tp_n_vars(tt));
  tp_vec_resize(&w->node, w->g.nodes.n);
  for (uint32_t i = 0; i < tp_n_vars(tt); i++) {
    tp_term v = tp_var_by_index(tt, i);
    w->values.at[i] = tp_random_value(&w->r, tp_sort_of(tt, v), &w->arena);
    tp_lit word[TP_WORD_MAX];
    if (tp_sort_kind_of(tt, tp_sort_of(tt, v)) == TP_SORT_ARRAY) continue;
    size_t n = w->g.nodes.n;
    assert_true(tp_blast_term(w->b, v, word));
    if (w->g.nodes.n > n) tp_vec_resize(&w->node, w->g.nodes.n);
    set_word(w, word, tp_width(tt, v), w->values.at[i].bits);
  }
  for (uint32_t i = 1; i < w->g.nodes.n; i++) {
    const tp_gate *n = &w->g.nodes.at[i];
    for (; read < r->reads.n && r->reads.at[read].index != TP_INDEX_DEFAULT &&
           tp_lit_node(tp_reads_word_of(r, r->reads.at[read].element)[0]) <= i;
         read++) {
      const tp_read *e = &r->reads.at[read];
      tp_u128 at = word_value(w, tp_reads_word_of(r, e->index), tp_reads_width(r, e->index));
      tp_value array = w->values.at[tp_var_index(tt, (tp_term){e->array})];
      set_word(w, tp_reads_word_of(r, e->element), tp_reads_width(r, e->element),
               element_at(array.array, at));
    }
    if (n->kind == TP_GATE_INPUT) continue;
    bool v[3] = {false, false, false};
    for (uint32_t k = 0; k < tp_gate_n_args((tp_gate_kind)n->kind); k++)
      v[k] = lit_value(w, n->arg[k]);
    w->node.at[i] = tp_gate_apply((tp_gate_kind)n->kind, v[0], v[1], v[2]);
  }
}

/* Does the circuit compute the term, for n random assignments? */
static bool computes(world *w, tp_term t, int n) {
  tp_lit word[TP_WORD_MAX];
  assert_null(tp_blast_unsupported(w->b, t));
  if (tp_sort_kind_of(w->r.tt, tp_sort_of(w->r.tt, t)) == TP_SORT_ARRAY) return true;
  assert_true(tp_blast_term(w->b, t, word));
  bool same = true;
  for (int i = 0; i < n && same; i++) {
    simulate_random(w);
    same = word_value(w, word, tp_width(w->r.tt, t)) == eval(w, t).bits;
  }
  return same;
}

static void random_terms(uint32_t width, int n, uint64_t seed) {
  for (int i = 0; i < n; i++) {
    world w;
    tp_term raw, normal;
    world_init(&w, seed + (uint64_t)i, width, TP_RANDOM_ARRAYS);
    tp_random_term(&w.r, 4 + (uint32_t)(i % 40), &raw, &normal);
    if (!computes(&w, raw, 5) || !computes(&w, normal, 5))
      fail_msg("width %u, seed %llu", width, (unsigned long long)(seed + (uint64_t)i));
    world_clear(&w);
  }
}
static void random_terms_1(void **state) { (void)state, random_terms(1, rounds(300), 1000000); }
static void random_terms_4(void **state) { (void)state, random_terms(4, rounds(300), 2000000); }
static void random_terms_8(void **state) { (void)state, random_terms(8, rounds(300), 3000000); }
static void random_terms_32(void **state) { (void)state, random_terms(32, rounds(60), 4000000); }
static void random_terms_64(void **state) { (void)state, random_terms(64, rounds(15), 5000000); }

/* Every operation on words, also with constants on either side. */
static void every_operation(void **state) {
  (void)state;
  static const uint32_t widths[] = {1, 2, 3, 5, 8, 13, 16, 32, 64, 100, 128};
  for (int k = TP_OP_BV_ADD; k <= TP_OP_BV_SEXT; k++)
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
      for (int shape = 0; shape < rounds(6); shape++) {
        world w;
        world_init(&w, (uint64_t)(k * 1000 + shape), widths[i], TP_RANDOM_BOOL_BV);
        tp_terms *tt = w.r.tt;
        tp_terms_set_rewriting(tt, false);
        tp_sort s = tp_sort_bv(tt, widths[i]);
        tp_term a = tp_mk_var(tt, "a", s), b = tp_mk_var(tt, "b", s), t;
        if (shape % 3 == 1) a = tp_mk_value(tt, s, tp_random_value(&w.r, s, &w.arena));
        if (shape % 3 == 2) b = tp_mk_value(tt, s, tp_random_value(&w.r, s, &w.arena));
        uint32_t low = (uint32_t)tp_rng_below(&w.r.rng, widths[i]),
                 more = (uint32_t)tp_rng_below(&w.r.rng, 129 - widths[i]);
        if (k == TP_OP_BV_EXTRACT)
          t = tp_mk_extract(tt, low + (uint32_t)tp_rng_below(&w.r.rng, widths[i] - low), low, a);
        else if (k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT)
          t = tp_mk_resize(tt, widths[i] + more, k == TP_OP_BV_SEXT, a);
        else if (k == TP_OP_BV_NEG || k == TP_OP_BV_NOT)
          t = tp_mk1(tt, (tp_term_kind)k, a);
        else if (k == TP_OP_BV_CONCAT && widths[i] > 64)
          t = a;
        else
          t = tp_mk2(tt, (tp_term_kind)k, a, b);
        if (!computes(&w, t, widths[i] <= 16 ? 30 : 6))
          fail_msg("%s, width %u, shape %d", tp_kind_name((tp_term_kind)k), widths[i], shape);
        world_clear(&w);
      }
}

/* Facts taken as definitions: whatever the inputs are, the literals that are left say whether the
 * facts hold for the values that circuits give to variables. After the level is popped the old
 * circuits are back. */
static void definitions(void **state) {
  (void)state;
  int taken = 0, left = 0;
  for (int round = 0; round < rounds(400); round++) {
    world w;
    world_init(&w, 9000 + (uint64_t)round, round % 2 ? 8 : 3, TP_RANDOM_BOOL_BV);
    tp_terms *tt = w.r.tt;
    tp_sort s = tp_sort_bv(tt, w.r.width);
    tp_term facts[4], raw, normal, outside, x[4];
    tp_random_term(&w.r, 10, &raw, &outside);
    uint32_t n = tp_width(tt, outside);
    tp_lit before[TP_WORD_MAX], inside[TP_WORD_MAX], after[TP_WORD_MAX];
    assert_true(tp_blast_term(w.b, outside, before));
    for (int i = 0; i < 4; i++) {
      do tp_random_term(&w.r, 12, &raw, &normal);
      while (!tp_sort_eq(tp_sort_of(tt, normal), s));
      x[i] = i && tp_rng_below(&w.r.rng, 2) ? w.r.vars[0][0] : tp_mk_var(tt, "x", s);
      if (!tp_term_is(x[i]) || !tp_sort_eq(tp_sort_of(tt, x[i]), s)) x[i] = tp_mk_var(tt, "x", s);
      tp_term left_side = tp_rng_below(&w.r.rng, 2)
                              ? x[i]
                              : tp_mk2(tt, TP_OP_BV_ADD, tp_mk1(tt, TP_OP_BV_NEG, x[i]), x[0]);
      facts[i] = tp_mk_eq(tt, left_side, normal);
    }
    tp_lits lits = {0};
    tp_blast_push(w.b);
    assert_true(tp_blast_facts(w.b, facts, 4, &lits));
    taken += 4 - (int)lits.n;
    left += (int)lits.n;
    for (int k = 0; k < 10; k++) {
      simulate_random(&w);
      for (uint32_t i = 0; i < tp_n_vars(tt);
           i++) {  // defined variables have the values of their circuits
        tp_term v = tp_var_by_index(tt, i);
        assert_true(tp_blast_term(w.b, v, inside));
        w.values.at[i].bits = word_value(&w, inside, tp_width(tt, v));
      }
      bool all = true, hold = true;
      for (size_t i = 0; i < lits.n; i++) all = all && lit_value(&w, lits.at[i]);
      for (int i = 0; i < 4; i++) hold = hold && eval(&w, facts[i]).bits;
      if (all != hold) fail_msg("round %d: circuit %d, facts %d", round, all, hold);
    }
    tp_blast_pop(w.b);
    assert_true(tp_blast_term(w.b, outside, after));
    assert_memory_equal(before, after, n * sizeof *before);
    for (int i = 0; i < 4; i++) {  // inputs again
      assert_true(tp_blast_term(w.b, x[i], after));
      assert_int_equal(w.g.nodes.at[tp_lit_node(after[0])].kind, TP_GATE_INPUT);
    }
    tp_vec_clear(&lits);
    world_clear(&w);
  }
  assert_true(taken > left / 2 && left > 10);
}

static void refuses_what_it_cannot(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_gates g;
  tp_gates_init(&g);
  tp_blast *b = tp_blast_new(tt, &g);
  tp_sort bv = tp_sort_bv(tt, 8), fp = tp_sort_fp(tt, 32);
  tp_term x = tp_mk_var(tt, "x", bv), f = tp_mk_var(tt, "f", fp),
          i = tp_mk_var(tt, "i", tp_sort_int(tt)), p = tp_mk_var(tt, "p", tp_sort_ptr(tt));
  tp_term nested = tp_mk_var(tt, "n", tp_sort_array(tt, bv, tp_sort_array(tt, bv, bv))),
          floats = tp_mk_var(tt, "fs", tp_sort_array(tt, bv, fp));
  tp_term bound = tp_mk_bound(tt, 1, bv);
  tp_terms_set_rewriting(tt, false);
  tp_term bad[] = {
      tp_mk2(tt, TP_OP_FP_LT, f, f),
      tp_mk2(tt, TP_OP_INT_LE, i, tp_mk_int(tt, 3)),
      tp_mk_eq(tt, p, tp_mk_null(tt)),
      tp_mk_quantifier(tt, TP_OP_FORALL, 1, tp_mk2(tt, TP_OP_BV_ULE, x, bound)),
      tp_mk_eq(tt, tp_mk2(tt, TP_OP_SELECT, tp_mk2(tt, TP_OP_SELECT, nested, x), x), x),
      tp_mk1(tt, TP_OP_FP_IS_NAN, tp_mk2(tt, TP_OP_SELECT, floats, x))};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_non_null(tp_blast_unsupported(b, bad[k]));
    assert_non_null(
        tp_blast_unsupported(b, tp_mk_and(tt, tp_mk_eq(tt, x, tp_mk_bv(tt, 8, k)), bad[k])));
  }
  assert_null(tp_blast_unsupported(b, tp_mk_eq(tt, x, tp_mk_bv(tt, 8, 3))));
  tp_blast_free(b);
  tp_gates_clear(&g);
  tp_terms_free(tt);
}

/* The test of these tests: one wrong gate in an operation is seen in its values. */
static void a_wrong_gate_is_noticed(void **state) {
  (void)state;
  static const tp_term_kind kinds[] = {TP_OP_BV_ADD, TP_OP_BV_MUL, TP_OP_BV_UDIV, TP_OP_BV_SREM,
                                       TP_OP_BV_SHL, TP_OP_BV_XOR, TP_OP_BV_SLT,  TP_OP_EQ};
  int found = 0, all = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (uint64_t at = 1; at <= 60; at += 7) {
      world w;
      world_init(&w, at, 6, TP_RANDOM_BOOL_BV);
      tp_sort s = tp_sort_bv(w.r.tt, 6);
      tp_gates_inject(at);
      tp_term t = tp_mk2(w.r.tt, kinds[k], tp_mk_var(w.r.tt, "a", s), tp_mk_var(w.r.tt, "b", s));
      bool ok = computes(&w, t, 200),
           was_made = w.g.nodes.n > 12 + at;  // past the constant and the inputs
      tp_gates_inject(0);
      all += was_made;
      found += was_made && !ok;
      if (!was_made) assert_true(ok);
      world_clear(&w);
    }
  if (all < 30 || found * 10 < all * 9) fail_msg("%d of %d wrong gates noticed", found, all);
}

/* Clauses without end, in a child with little memory: it must end as any other of our processes
 * does. */
static void memory_that_runs_out_in_the_solver(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  return;  // address space cannot be limited
#else
  pid_t child = fork();
  if (child == 0) {
    tp_gates g;
    tp_rng r;
    tp_lit in[100];
    tp_gates_init(&g);
    tp_rng_init(&r, 1);
    for (int i = 0; i < 100; i++) in[i] = tp_gate_input(&g);
    tp_sat *s = tp_sat_new(&g);
    struct rlimit limit = {.rlim_cur = 128u << 20, .rlim_max = 128u << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0 || !freopen("/dev/null", "w", stderr)) _exit(1);
    for (int i = 0; i < 20000000; i++) {
      tp_lit c[8];
      for (int k = 0; k < 8; k++)
        c[k] = tp_lit_flip(in[tp_rng_below(&r, 100)], tp_rng_below(&r, 2));
      tp_sat_clause(s, c, 8);
    }
    _exit(2);
  }
  int status = 0;
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 71);
#endif
}

int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gates_have_their_tables),
      cmocka_unit_test(sat_agrees_with_enumeration),
      cmocka_unit_test(sat_of_one_side_agrees_with_enumeration),
      cmocka_unit_test(random_terms_1),
      cmocka_unit_test(random_terms_4),
      cmocka_unit_test(random_terms_8),
      cmocka_unit_test(random_terms_32),
      cmocka_unit_test(random_terms_64),
      cmocka_unit_test(every_operation),
      cmocka_unit_test(definitions),
      cmocka_unit_test(refuses_what_it_cannot),
      cmocka_unit_test(a_wrong_gate_is_noticed),
      cmocka_unit_test(memory_that_runs_out_in_the_solver),
  };
  return cmocka_run_group_tests_name("circuit", tests, NULL, NULL);
}

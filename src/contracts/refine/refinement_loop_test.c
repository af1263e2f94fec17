/* The loop of refinement over another language and another logic: words of bits and propositional
 * formulas.
 *
 * K29: the example of Taghdiri 2008, chapter 2: xor_all(b, a[]) sets a[i] = xor(b, a[i]), where xor
 * is a function of two branches; if b and a[0] hold before, a[0] does not hold after. Bits are the
 * variables of a call, in the order of its callee's formula; a formula is a truth table over them,
 * so that solving is enumeration, and a refutation is a cube: the bits that its proof needs. */
#include "contracts/refine/refinement_loop.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_BITS = 8, MAX_CALLS = 4, MAX_SPECIFICATIONS = 64 };
typedef uint32_t bits;  // an assignment

/* Behaviour that is excluded: the bits of `care` are as in `values`. */
typedef struct {
  bits care, values;
} cube;

typedef struct function function;
typedef struct {
  const function *callee;
  uint8_t at[MAX_BITS];  // variable of the callee, as a bit of the caller
  bool is_exact;
} call;

/* Its variables: inputs and outputs first, then what its calls return. body: does the function
 * allow this assignment, whatever its calls do? */
struct function {
  const char *name;
  int n_bits, n_interface;
  bool (*body)(bits b);
  int n_calls;
  call calls[MAX_CALLS];
};

typedef struct {
  cube cubes[MAX_CALLS][MAX_SPECIFICATIONS];
  int n[MAX_CALLS];
} refinements;

struct tp_refinement_question {
  const function *f;
  refinements *added;  // of the function's calls
  bool is_main;
  bits fixed, found;  // fixed: the interface
};

typedef struct {
  const function *functions[4];
  refinements of[4];
  bool knows;        // start from: equal arguments give false
  int n_replays[4];  // by function
  bits pairs[64];
  int n_pairs;
} setting;

static bool bit(bits b, int i) { return b >> i & 1; }

static int index_of(const setting *s, const function *f) {
  for (int i = 0; i < 4; i++)
    if (s->functions[i] == f) return i;
  fail();
  return -1;
}

static bits at_call(const call *c, bits b) {
  bits out = 0;
  for (int i = 0; i < c->callee->n_interface; i++) out |= (bits)bit(b, c->at[i]) << i;
  return out;
}

static bool is_excluded(const refinements *r, int c, bits interface) {
  for (int k = 0; k < r->n[c]; k++)
    if ((interface & r->cubes[c][k].care) == r->cubes[c][k].values) return true;
  return false;
}

/* Is the assignment one of the question's? needs: only these bits of the interface are fixed. */
static bool is_solution(const setting *s, const tp_refinement_question *q, bits b, bits needs) {
  const bits interface = ((bits)1 << q->f->n_interface) - 1;
  if (!q->is_main && ((b ^ q->fixed) & interface & needs)) return false;
  if (!q->f->body(b)) return false;
  for (int c = 0; c < q->f->n_calls; c++) {
    const bits at = at_call(&q->f->calls[c], b);
    if (is_excluded(q->added, c, at)) return false;
    const bool is_xor = strcmp(q->f->calls[c].callee->name, "xor") == 0;
    if (s->knows && is_xor && bit(at, 0) == bit(at, 1) && bit(at, 2)) return false;
  }
  return true;
}

static bool find(const setting *s, const tp_refinement_question *q, bits needs, bits *found) {
  for (bits b = 0; b >> q->f->n_bits == 0; b++)
    if (is_solution(s, q, b, needs)) {
      *found = b;
      return true;
    }
  return false;
}

static tp_refinement_answer solve(void *ctx, tp_refinement_question *q) {
  return find(ctx, q, ~(bits)0, &q->found) ? TP_REFINEMENT_POSSIBLE : TP_REFINEMENT_IMPOSSIBLE;
}

static size_t inexact(const tp_refinement_question *q, size_t number) {
  for (int c = 0; c < q->f->n_calls; c++)
    if (!q->f->calls[c].is_exact && number-- == 0) return (size_t)c;
  return SIZE_MAX;
}

static size_t n_calls(void *ctx, const tp_refinement_question *q) {
  size_t n = 0;
  (void)ctx;
  while (inexact(q, n) != SIZE_MAX) n++;
  return n;
}

static tp_refinement_known recall(void *ctx, tp_refinement_question *q, size_t number) {
  (void)ctx, (void)q, (void)number;
  return (tp_refinement_known){0};
}

static tp_refinement_question *enter(void *ctx, tp_refinement_question *q, size_t number) {
  setting *s = ctx;
  const call *c = &q->f->calls[inexact(q, number)];
  tp_refinement_question *callee = TP_NEW(tp_refinement_question);
  *callee = (tp_refinement_question){
      .f = c->callee, .added = &s->of[index_of(s, c->callee)], .fixed = at_call(c, q->found)};
  s->n_replays[index_of(s, c->callee)]++;
  return callee;
}

/* The proof: bits are left out as long as the rest is contradictory. */
static bool learn(void *ctx, tp_refinement_question *q, size_t number,
                  tp_refinement_question *callee) {
  setting *s = ctx;
  bits care = ((bits)1 << callee->f->n_interface) - 1, found;
  const int c = (int)inexact(q, number);
  for (int i = 0; i < callee->f->n_interface; i++)
    if (!find(s, callee, care & ~((bits)1 << i), &found)) care &= ~((bits)1 << i);
  const bits pair = (bits)index_of(s, q->f) << 24 | (bits)c << 20 | callee->fixed;
  for (int i = 0; i < s->n_pairs; i++) assert_true(s->pairs[i] != pair);  // K34
  s->pairs[s->n_pairs++] = pair;
  q->added->cubes[c][q->added->n[c]++] = (cube){care, callee->fixed & care};
  return true;
}

static void confirm(void *ctx, const tp_refinement_question *q) { (void)ctx, (void)q; }

static void leave(void *ctx, tp_refinement_question *q) {
  (void)ctx;
  tp_free(q);
}

static const tp_refinement_ops ops = {solve, n_calls, recall, enter, learn, confirm, leave};

static tp_refinement_answer decide(setting *s, const function *main, uint64_t most,
                                   tp_refinement_count *count) {
  tp_refinement_question q = {.f = main, .added = &s->of[0], .is_main = true};
  s->functions[0] = main;
  *count = (tp_refinement_count){.max_refinements = most};
  return tp_refinement_decide(&ops, s, &q, count);
}

// ----------------------------------------------------------------------- xor_all

/* b, a, result: if (b) result = !a; else result = a; */
static bool xor_body(bits v) { return bit(v, 2) == (bit(v, 0) ? !bit(v, 1) : bit(v, 1)); }
static const function xor_function = {"xor", 3, 3, xor_body, 0, {{0}}};

/* b, a[0], a'[0], and the property's negation. */
static bool xor_all_fails(bits v) { return bit(v, 0) && bit(v, 1) && bit(v, 2); }
static bool xor_all_fails_otherwise(bits v) { return bit(v, 0) && bit(v, 1) && !bit(v, 2); }
static const function xor_all = {"xor_all",     3, 3,
                                 xor_all_fails, 1, {{&xor_function, {0, 1, 2}, false}}},
                      xor_all_wrong = {"xor_all", 3,
                                       3,         xor_all_fails_otherwise,
                                       1,         {{&xor_function, {0, 1, 2}, false}}};

static void K29_one_refinement_from_true(void **state) {
  (void)state;
  tp_refinement_count count;
  setting s = {.functions = {NULL, &xor_function}};
  assert_int_equal(decide(&s, &xor_all, 100, &count), TP_REFINEMENT_IMPOSSIBLE);
  assert_int_equal(count.n_refinements, 1);
  assert_int_equal(count.n_main, 2);
  assert_int_equal(count.n_replay, 1);
  assert_int_equal(s.of[0].cubes[0][0].care, 7);  // b and a[0] imply not the result
  assert_int_equal(s.of[0].cubes[0][0].values, 7);
}

static void K29_none_from_what_is_known(void **state) {
  (void)state;
  tp_refinement_count count;
  setting s = {.functions = {NULL, &xor_function}, .knows = true};
  assert_int_equal(decide(&s, &xor_all, 100, &count), TP_REFINEMENT_IMPOSSIBLE);
  assert_int_equal(count.n_refinements, 0);
  assert_int_equal(count.n_main, 1);
}

static void K29_a_failure_that_is_real(void **state) {
  (void)state;
  tp_refinement_count count;
  setting s = {.functions = {NULL, &xor_function}};
  assert_int_equal(decide(&s, &xor_all_wrong, 100, &count), TP_REFINEMENT_POSSIBLE);
  assert_int_equal(count.n_refinements, 0);
  assert_int_equal(count.n_replay, 1);
}

// ---------------------------------------------------------------- three levels

/* low: out = !in. middle: out = low(in). high: out = middle(in). main: in, out, and out = in is a
 * failure. */
static bool low_body(bits v) { return bit(v, 1) != bit(v, 0); }
static bool low_wrong_body(bits v) { return bit(v, 1) == bit(v, 0); }
static bool middle_body(bits v) { return bit(v, 1) == bit(v, 2); }
static bool main_fails(bits v) { return bit(v, 0) == bit(v, 1); }
static const function low = {"low", 2, 2, low_body, 0, {{0}}},
                      low_wrong = {"low", 2, 2, low_wrong_body, 0, {{0}}};
static const function middle = {"middle", 3, 2, middle_body, 1, {{&low, {0, 2}, false}}},
                      middle_wrong = {"middle",    3, 2,
                                      middle_body, 1, {{&low_wrong, {0, 2}, false}}};
static const function high = {"high", 3, 2, middle_body, 1, {{&middle, {0, 2}, false}}},
                      high_wrong = {"high", 3, 2, middle_body, 1, {{&middle_wrong, {0, 2}, false}}};
static const function chain = {"main", 2, 2, main_fails, 1, {{&high, {0, 1}, false}}},
                      chain_wrong = {"main", 2, 2, main_fails, 1, {{&high_wrong, {0, 1}, false}}};

static void K30_inner_calls_are_refined_first(void **state) {
  (void)state;
  tp_refinement_count count;
  setting s = {.functions = {NULL, &high, &middle, &low}};
  assert_int_equal(decide(&s, &chain, 100, &count), TP_REFINEMENT_IMPOSSIBLE);
  assert_true(s.of[2].n[0] > 0 && s.of[1].n[0] > 0 &&
              s.of[0].n[0] > 0);  // at the calls of low, middle, high
  setting w = {.functions = {NULL, &high_wrong, &middle_wrong, &low_wrong}};
  assert_int_equal(decide(&w, &chain_wrong, 100, &count), TP_REFINEMENT_POSSIBLE);
}

static void a_limit_is_no_answer(void **state) {
  (void)state;
  tp_refinement_count count;
  setting s = {.functions = {NULL, &high, &middle, &low}};
  assert_int_equal(decide(&s, &chain, 1, &count), TP_REFINEMENT_LIMIT);
  assert_int_equal(count.n_refinements, 1);
}

static void K31_exact_calls_are_not_replayed(void **state) {
  (void)state;
  tp_refinement_count count;
  function exact = xor_all;
  exact.calls[0].is_exact = true;
  setting s = {.functions = {NULL, &xor_function}};
  assert_int_equal(decide(&s, &exact, 100, &count), TP_REFINEMENT_POSSIBLE);
  assert_int_equal(count.n_replay, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(K29_one_refinement_from_true),
                                     cmocka_unit_test(K29_none_from_what_is_known),
                                     cmocka_unit_test(K29_a_failure_that_is_real),
                                     cmocka_unit_test(K30_inner_calls_are_refined_first),
                                     cmocka_unit_test(a_limit_is_no_answer),
                                     cmocka_unit_test(K31_exact_calls_are_not_replayed)};
  return cmocka_run_group_tests_name("refinement_loop", tests, NULL, NULL);
}

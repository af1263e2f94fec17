/* Boolean terms as clauses beside all assignments of their symbols: there is a model if and only if
 * an assignment meets the facts, and it is one of these. */
#include "certify/symbolic/skeleton_clauses.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { SYMBOLS = 6, FACTS = 12, PROBLEMS = 300, POOL = 24 };

typedef struct {
  tp_terms *tt;
  tp_term symbols[SYMBOLS], facts[FACTS];
} world;

static uint64_t next(uint64_t *seed) { return *seed = tp_hash_u64(*seed + 1); }

static tp_term combine(tp_terms *tt, uint64_t kind, tp_term a, tp_term b, tp_term c) {
  switch (kind % 7) {
    case 0: return tp_mk_and(tt, a, b);
    case 1: return tp_mk_or(tt, a, b);
    case 2: return tp_mk2(tt, TP_OP_XOR, a, b);
    case 3: return tp_mk_eq(tt, a, b);
    case 4: return tp_mk_ite(tt, a, b, c);
    case 5: return tp_mk_implies(tt, a, b);
    default: return tp_mk_not(tt, a);
  }
}

/* Facts share their parts, which stand on both sides of negations. */
static void draw_facts(world *w, uint64_t seed) {
  tp_term pool[POOL];
  for (int i = 0; i < SYMBOLS; i++) pool[i] = w->symbols[i];
  for (int i = SYMBOLS; i < POOL; i++)
    pool[i] = combine(w->tt, next(&seed), pool[next(&seed) % (uint64_t)i],
                      pool[next(&seed) % (uint64_t)i], pool[next(&seed) % (uint64_t)i]);
  for (int i = 0; i < FACTS; i++) {
    const tp_term t = pool[next(&seed) % POOL];
    w->facts[i] =
        tp_mk_or(w->tt, next(&seed) % 2 ? t : tp_mk_not(w->tt, t), pool[next(&seed) % POOL]);
  }
}

typedef struct {
  const world *w;
  uint32_t assignment;
} values;

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const values *v = ctx;
  for (int i = 0; i < SYMBOLS; i++)
    if (tp_term_eq(v->w->symbols[i], var)) {
      *out = (tp_value){.bits = v->assignment >> i & 1};
      return true;
    }
  return false;
}

static uint64_t base_of(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool is_met(const world *w, size_t n, uint32_t assignment) {
  values v = {w, assignment};
  tp_env env = {.ctx = &v, .var = value_of, .base = base_of};
  tp_arena arena = {0};
  bool yes = true;
  for (size_t i = 0; i < n && yes; i++) {
    tp_value out = {0};
    assert_int_equal(tp_eval(w->tt, w->facts[i], &env, &arena, &out), TP_OK);
    yes = out.bits != 0;
  }
  tp_arena_clear(&arena);
  return yes;
}

static bool has_model(const world *w, size_t n) {
  for (uint32_t a = 0; a < UINT32_C(1) << SYMBOLS; a++)
    if (is_met(w, n, a)) return true;
  return false;
}

static uint32_t model_of(const tp_chk_skeleton_clauses *c, const world *w) {
  uint32_t a = 0;
  for (int i = 0; i < SYMBOLS; i++)
    if (tp_chk_skeleton_clauses_holds(c, w->symbols[i])) a |= UINT32_C(1) << i;
  return a;
}

static void models_are_those_of_the_facts(void **unused) {
  (void)unused;
  int n_refuted = 0, n_models = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    world w = {.tt = tp_terms_new(64)};
    tp_chk_skeleton_clauses c;
    tp_clause_search_answer answer = TP_CLAUSE_SEARCH_MODEL;
    for (int i = 0; i < SYMBOLS; i++) w.symbols[i] = tp_mk_var(w.tt, "b", tp_sort_bool(w.tt));
    draw_facts(&w, seed);
    tp_chk_skeleton_clauses_init(&c, w.tt);
    for (size_t n = 1; n <= FACTS && answer == TP_CLAUSE_SEARCH_MODEL; n++) {
      tp_chk_skeleton_clauses_add(&c, w.facts[n - 1]);
      answer = tp_clause_search_run(c.search, 0);
      assert_int_equal(answer,
                       has_model(&w, n) ? TP_CLAUSE_SEARCH_MODEL : TP_CLAUSE_SEARCH_REFUTED);
      if (answer == TP_CLAUSE_SEARCH_MODEL) assert_true(is_met(&w, n, model_of(&c, &w)));
      n_models += answer == TP_CLAUSE_SEARCH_MODEL;
      n_refuted += answer == TP_CLAUSE_SEARCH_REFUTED;
    }
    tp_chk_skeleton_clauses_clear(&c);
    tp_terms_free(w.tt);
  }
  assert_true(n_refuted > PROBLEMS / 4 && n_models > PROBLEMS);
}

static void constants_are_no_symbols(void **unused) {
  (void)unused;
  tp_terms *tt = tp_terms_new(64);
  const tp_term facts[] = {tp_mk_true(tt), tp_mk_false(tt)};
  for (int i = 0; i < 2; i++) {
    tp_chk_skeleton_clauses c;
    tp_chk_skeleton_clauses_init(&c, tt);
    tp_chk_skeleton_clauses_add(&c, facts[i]);
    assert_int_equal(tp_clause_search_run(c.search, 0),
                     i ? TP_CLAUSE_SEARCH_REFUTED : TP_CLAUSE_SEARCH_MODEL);
    tp_chk_skeleton_clauses_clear(&c);
  }
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_are_those_of_the_facts),
      cmocka_unit_test(constants_are_no_symbols),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

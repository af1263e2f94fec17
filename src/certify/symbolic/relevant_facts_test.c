/* Relevant facts: a table of goals, each with the facts that may bear on it. */
#include "certify/symbolic/relevant_facts.h"

#include "certify/certify_limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { N_SYMBOLS = 6 };

typedef struct {
  tp_terms *tt;
  tp_term symbol[N_SYMBOLS];
  tp_chk_relevance relevance;
} scene;

static scene scene_new(void) {
  scene s = {.tt = tp_terms_new(64)};
  for (int i = 0; i < N_SYMBOLS; i++) s.symbol[i] = tp_mk_var(s.tt, "v", tp_sort_bv(s.tt, 8));
  tp_chk_relevance_init(&s.relevance, s.tt);
  return s;
}
static void scene_free(scene *s) {
  tp_chk_relevance_clear(&s->relevance);
  tp_terms_free(s->tt);
}

/* "ab": a < b + 1; "a": a < 7; "": no symbol. */
static tp_term fact_of(scene *s, const char *names) {
  tp_term seven = tp_mk_bv(s->tt, 8, 7);
  if (!names[0]) return tp_mk_true(s->tt);
  tp_term left = s->symbol[names[0] - 'a'];
  tp_term right =
      names[1] ? tp_mk2(s->tt, TP_OP_BV_ADD, s->symbol[names[1] - 'a'], tp_mk_bv(s->tt, 8, 1))
               : seven;
  return tp_mk2(s->tt, TP_OP_BV_ULT, left, right);
}

static void facts_that_share_symbols_are_relevant(void **state) {
  (void)state;
  static const struct {
    const char *facts[5], *goal, *relevant;  // a digit for each fact
  } cases[] = {
      {{"a", "b", "c", "d", "e"}, "c", "00100"},
      {{"a", "ab", "bc", "d", "de"}, "c", "11100"},  // through two facts
      {{"a", "ab", "bc", "d", "de"}, "e", "00011"},
      {{"ab", "cd", "bc", "e", "f"}, "a", "11100"},  // against the order of facts
      {{"a", "b", "c", "d", "e"}, "f", "00000"},     // of which nothing is known
      {{"a", "b", "ce", "d", "e"}, "", "00101"},     // no symbol: the last fact
      {{"ab", "bc", "cd", "de", "ef"}, "a", "11111"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    scene s = scene_new();
    tp_term facts[5], goal = fact_of(&s, cases[i].goal);
    bool relevant[5];
    size_t expected = 0;
    for (int k = 0; k < 5; k++) facts[k] = fact_of(&s, cases[i].facts[k]);
    size_t n = tp_chk_relevant_facts(&s.relevance, facts, 5, &goal, 1, relevant);
    for (int k = 0; k < 5; k++) {
      expected += cases[i].relevant[k] == '1';
      if (relevant[k] != (cases[i].relevant[k] == '1')) fail_msg("case %zu, fact %d", i, k);
    }
    assert_int_equal(n, expected);
    scene_free(&s);
  }
}

static void nothing_is_relevant_without_facts(void **state) {
  (void)state;
  scene s = scene_new();
  bool none[1] = {true};
  assert_int_equal(tp_chk_relevant_facts(&s.relevance, NULL, 0, &s.symbol[0], 1, none), 0);
  assert_int_equal(tp_chk_relevant_facts(&s.relevance, NULL, 0, NULL, 0, none), 0);
  scene_free(&s);
}

/* A fact with more symbols than the limit is found by the first ones only, and nothing breaks. */
static void large_facts_are_found_by_some_symbols(void **state) {
  (void)state;
  scene s = scene_new();
  tp_term sum = s.symbol[0];
  for (int i = 0; i < 2 * TP_CERTIFY_RELEVANT_SYMBOLS; i++)
    sum = tp_mk2(s.tt, TP_OP_BV_XOR,
                 tp_mk2(s.tt, TP_OP_BV_MUL, sum, tp_mk_var(s.tt, "w", tp_sort_bv(s.tt, 8))),
                 s.symbol[1]);
  tp_term fact = tp_mk2(s.tt, TP_OP_BV_ULT, sum, tp_mk_bv(s.tt, 8, 7));
  bool relevant[1];
  assert_int_equal(tp_chk_relevant_facts(&s.relevance, &fact, 1, &fact, 1, relevant), 1);
  assert_true(relevant[0]);
  scene_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facts_that_share_symbols_are_relevant),
      cmocka_unit_test(nothing_is_relevant_without_facts),
      cmocka_unit_test(large_facts_are_found_by_some_symbols),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

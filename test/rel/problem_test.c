/* Problems as text: what is read can be solved; what is wrong is said with its position. */
#include "../../bench/rel/problem.h"
#include "contracts/rel/symmetry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* The answer, checked against what the text expects; GAVE_UP: it could not be read, and said holds
 * why. */
static tp_rel_answer answer_to(const char *text, char *said, size_t size) {
  FILE *to = fmemopen(said, size, "w");
  tp_diag *diag = tp_diag_new(to, false);
  tp_rel_problem p;
  tp_rel_answer answer = TP_REL_UNKNOWN;
  if (tp_rel_problem_read(&p, "test.rel", text, diag) == TP_OK) {
    tp_rel_options options = tp_rel_default_options();
    options.width_bits = p.width_bits;
    tp_rel_finder *f = tp_rel_finder_new(p.bounds, options);
    for (size_t i = 0; i < p.facts.n; i++)
      assert_int_equal(tp_rel_finder_add(f, p.facts.at[i]), TP_OK);
    answer = tp_rel_finder_solve(f, NULL, 0);
    if (p.expected != TP_REL_UNKNOWN) assert_int_equal(answer, p.expected);
    tp_rel_finder_free(f);
  }
  tp_rel_problem_clear(&p);
  tp_diag_free(diag);
  fclose(to);
  return answer;
}

static void every_operator_is_read(void **state) {
  (void)state;
  static const char *const facts[] = {"(= (+ A0 A1) (- A A2))",
                                      "(= (& A A1) A1)",
                                      "(= (. A0 r) A1)",
                                      "(= (. A0 (^ r)) (+ A1 A2))",
                                      "(= (. A0 (* r)) A)",
                                      "(= (~ (~ r)) r)",
                                      "(= (<: A0 r) (-> A0 A1))",
                                      "(= (:> r A2) (-> A1 A2))",
                                      "(= (++ r (-> A0 A0)) (+ (-> A0 A0) (-> A1 A2)))",
                                      "(= (set ((x A) (y (. x r))) true) r)",
                                      "(= (if (some r) A0 A1) A0)",
                                      "(no none)",
                                      "(in r (-> univ univ))",
                                      "(some (& iden (-> A A)))",
                                      "(equal (size r) 2)",
                                      "(equal (total (+ (atom 1) (atom 2))) 3)",
                                      "(equal (plus 1 1 1) (minus 5 2))",
                                      "(equal (times 2 3) (negative -6))",
                                      "(equal (quotient 7 2) 3)",
                                      "(equal (remainder 7 2) 1)",
                                      "(equal (sum ((x A)) (size (. x r))) 2)",
                                      "(equal (if (no r) 1 2) 2)",
                                      "(< 1 2)",
                                      "(<= 2 2)",
                                      "(in (atom 3) ints)",
                                      "(not false)",
                                      "(or false true)",
                                      "(=> false false)",
                                      "(<=> (one A0) (lone none))",
                                      "(all ((x A) (y (- A x))) (not (= x y)))",
                                      "(exists ((x A)) (no (. r x)))",
                                      "(partial r A A)",
                                      "(function (-> A A0) A A)",
                                      "(order r A)"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    char text[400], said[1000] = "";
    const char *universe = "(atoms A 3) (integers 4 atoms) (exactly r (+ (-> A0 A1) (-> A1 A2)))";
    snprintf(text, sizeof text, "%s (fact %s) (expect some)", universe, facts[i]);
    if (answer_to(text, said, sizeof said) != TP_REL_SAT) fail_msg("%s: %s", facts[i], said);
    snprintf(text, sizeof text, "%s (fact (not %s)) (expect none)", universe, facts[i]);
    if (answer_to(text, said, sizeof said) != TP_REL_UNSAT)
      fail_msg("not %s: %s", facts[i], said);
  }
}

static void bounds_are_kept(void **state) {
  (void)state;
  char said[1000] = "";
  static const char
      lower[] = "(atoms A 3) (relation r A0 A) (fact (not (in A0 r)))",
      upper[] = "(atoms A 3) (relation r A0 (+ A0 A1)) (fact (some (& r A2)))",
      between[] =
          "# a comment\n(atoms A 3) (relation r A0 (+ A0 A1)) (fact (in A1 r)) (expect some)";
  assert_int_equal(answer_to(lower, said, sizeof said), TP_REL_UNSAT);
  assert_int_equal(answer_to(upper, said, sizeof said), TP_REL_UNSAT);
  assert_int_equal(answer_to(between, said, sizeof said), TP_REL_SAT);
}

static void what_is_wrong_is_said_where_it_stands(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } rows[] = {
      {"", "test.rel:1:1: error: a problem has at least one relation or fact"},
      {"(atoms A 3", "test.rel:1:1: error: this list has no end"},
      {"(atoms A 3))", "test.rel:1:12: error: expected a word or a list, not ')'"},
      {"(atoms A 0)", "test.rel:1:10: error: expected a number from 1 to 1000"},
      {"(atoms A 3) (atoms A 2)", "test.rel:1:13: error: there are atoms of this name"},
      {"(atoms A 3) (fact true) (atoms B 2)",
       "test.rel:1:25: error: atoms come before everything else"},
      {"(atoms A 3) (fact (some B))", "test.rel:1:25: error: nothing is called 'B' here"},
      {"(atoms A 3) (fact (some (. A A)))", "test.rel:1:25: error: "},
      {"(atoms A 3) (fact (in A (-> A A)))", "test.rel:1:19: error: "},
      {"(atoms A 3) (fact (some A A))", "test.rel:1:19: error: 'some' wants 1 argument, not 2"},
      {"(atoms A 3) (fact (all (x A) true))",
       "test.rel:1:25: error: expected a variable and its set, as in (x A)"},
      {"(atoms A 3) (fact (and (exists ((x A)) true) (some x)))",
       "test.rel:1:52: error: nothing is called 'x' here"},
      {"(atoms A 3) (fact (some (plus 1 2)))",
       "test.rel:1:25: error: expected a relation; 'plus' is none of its operators"},
      {"(atoms A 3) (fact (< A 2))",
       "test.rel:1:22: error: expected a number from -2147483648 to 2147483647"},
      {"(atoms A 3) (fact A)",
       "test.rel:1:19: error: expected a formula; 'A' is none of its operators"},
      {"(atoms A 3) (relation r A) (relation q r)",
       "test.rel:1:40: error: bounds are made of what has a fixed value"},
      {"(atoms A 3) (relation r A A0)",
       "test.rel:1:13: error: the lower bound is not within the upper one"},
      {"(atoms A 3) (relation r A (-> A A))",
       "test.rel:1:13: error: both bounds must have as many columns"},
      {"(atoms A 3) (relation A A)", "test.rel:1:23: error: this name is taken"},
      {"(atoms A 900) (relation r (-> A A A A A A A))",
       "test.rel:1:27: error: too many columns for so many atoms"},
      {"(integers 63) (fact true)", "test.rel:1:11: error: expected a number from 1 to 62"},
      {"(atoms A 1) (expect perhaps)", "test.rel:1:21: error: expected 'some' or 'none'"},
      {"(atoms A 1) (wish A)", "test.rel:1:13: error: expected (atoms ...)"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char said[2000] = "";
    assert_int_equal(answer_to(rows[i].text, said, sizeof said), TP_REL_UNKNOWN);
    if (strncmp(said, rows[i].said, strlen(rows[i].said)) != 0)
      fail_msg("%s\nwanted: %s\nsaid:   %s", rows[i].text, rows[i].said, said);
  }
}

static void deep_lists_are_refused(void **state) {
  (void)state;
  tp_str text = {0};
  char said[2000] = "";
  tp_str_add(&text, "(fact ");
  for (int i = 0; i < 100000; i++) tp_str_add(&text, "(not ");
  assert_int_equal(answer_to(tp_str_text(&text), said, sizeof said), TP_REL_UNKNOWN);
  assert_non_null(strstr(said, "nested deeper than"));
  tp_str_clear(&text);
}

/* The answer to the facts of a text; fixed: how many orders were. */
static tp_rel_answer answer_with_orders(const char *text, uint32_t *fixed) {
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_rel_problem p;
  assert_int_equal(tp_rel_problem_read(&p, "test.rel", text, diag), TP_OK);
  if (fixed) *fixed = tp_rel_symmetry_fix_orders(p.bounds, p.facts.at, p.facts.n);
  tp_rel_finder *f = tp_rel_finder_new(p.bounds, tp_rel_default_options());
  for (size_t i = 0; i < p.facts.n; i++)
    assert_int_equal(tp_rel_finder_add(f, p.facts.at[i]), TP_OK);
  const tp_rel_answer answer = tp_rel_finder_solve(f, NULL, 0);
  tp_rel_finder_free(f);
  tp_rel_problem_clear(&p);
  tp_diag_free(diag);
  return answer;
}

/* Orders of interchangeable atoms are bound to one of them, all others stay open; answers are the
 * same. */
static void orders_are_fixed_without_a_change_of_answers(void **state) {
  (void)state;
  static const struct {
    const char *declarations;
    uint32_t fixed;
  } worlds[] = {
      {"(atoms A 4) (relation r (-> A A)) (relation q (-> A A))", 1},
      {"(atoms A 4) (relation r (-> A A)) (relation q (-> A A1))", 0},  // A1 is not like the others
      {"(atoms A 4) (relation r (- (-> A A) (-> A0 A1))) (relation q (-> A A))", 0},
      {"(atoms A 4) (atoms B 2) (relation r (-> A A)) (relation q (-> A A))", 1},
      {"(atoms A 3) (relation r (- (-> A A) (& iden (-> A A)))) (relation q (-> A A))", 1}};
  static const char *const facts[] = {
      "true",
      "(in q r)",
      "(and (some q) (no (& q (^ r))) (no (& q iden)))",
      "(= q (~ r))",
      "(and (order q A) (no (& q r)))",
      "(order q A)",
      "(and (in q (^ r)) (all ((x A)) (some (. x q))))",
      "(exists ((x A)) (and (no (. x r)) (some (. x q))))",
      "(and (in (. q q) r) (some q) (no (& q r)))",
      "(all ((x A)) (exists ((y A)) (and (in (-> x y) q) (in (-> y x) (* r)))))",
      "(no r)",
      "(= A (. A (. q (^ r))))"};
  uint32_t found = 0, none = 0;
  for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++)
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
      char text[500];
      uint32_t fixed = 0;
      snprintf(text, sizeof text, "%s (fact (order r A)) (fact %s)", worlds[w].declarations,
               facts[i]);
      const tp_rel_answer before = answer_with_orders(text, NULL),
                          after = answer_with_orders(text, &fixed);
      if (before != after || fixed != worlds[w].fixed)
        fail_msg("%s: %d %d, %u orders fixed", text, (int)before, (int)after, fixed);
      *(after == TP_REL_SAT ? &found : &none) += 1;
    }
  assert_true(found >= 10 && none >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_is_read),
      cmocka_unit_test(bounds_are_kept),
      cmocka_unit_test(what_is_wrong_is_said_where_it_stands),
      cmocka_unit_test(deep_lists_are_refused),
      cmocka_unit_test(orders_are_fixed_without_a_change_of_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

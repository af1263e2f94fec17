/* What is read off postconditions: what a call may make and free; what is no such equation, or does
 * not cover all calls, bounds nothing. */
#include "contracts/modular/call_allocation.h"

#include "contracts/spec/testing.h"

const char TESTED_PROGRAM[] =
    "struct c { struct c *next; };\nstruct c *f(struct c *x) { return x; }\n";

static void test_K26_allocation_of_contracts(void **state) {
  static const struct {
    const char *clauses;
    tp_call_makes makes;
    bool may_free;
  } cases[] = {
      {"ensures \\alloc' = \\alloc", TP_CALL_MAKES_NONE, false},
      {"ensures \\alloc' = \\alloc - x", TP_CALL_MAKES_NONE, true},
      {"ensures \\alloc' = \\alloc + \\result", TP_CALL_MAKES_RESULT, false},
      {"ensures \\alloc' = \\alloc - x + \\result", TP_CALL_MAKES_RESULT, true},
      {"ensures \\result != null => \\result !in \\alloc and \\alloc' = \\alloc + \\result\n"
       "ensures \\result = null => \\alloc' = \\alloc",
       TP_CALL_MAKES_RESULT, false},
      {"ensures not \\result = null => \\alloc' = \\alloc\n"
       "ensures \\result = null => \\alloc' = \\alloc - x.next",
       TP_CALL_MAKES_NONE, true},
      // the first equation of a case bounds it
      {"ensures \\alloc' = \\alloc\nensures x = x.next => \\alloc' = \\alloc + \\result",
       TP_CALL_MAKES_NONE, false},
      // no bound, or not in all cases
      {"ensures \\result != null => \\alloc' = \\alloc + \\result", TP_CALL_MAKES_ANY, true},
      {"ensures x = null => \\alloc' = \\alloc\nensures x != null => \\alloc' = \\alloc",
       TP_CALL_MAKES_ANY, true},
      {"ensures \\alloc in \\alloc'", TP_CALL_MAKES_ANY, true},
      {"ensures \\alloc = \\alloc'", TP_CALL_MAKES_ANY, true},
      {"ensures \\alloc' = \\alloc + x", TP_CALL_MAKES_ANY, true},
      {"ensures \\alloc' = \\alloc' + \\result", TP_CALL_MAKES_ANY, true},
      {"ensures \\alloc' = \\alloc or \\result = null", TP_CALL_MAKES_ANY, true},
      {"ensures not \\alloc' = \\alloc", TP_CALL_MAKES_ANY, true},
      {"requires x != null", TP_CALL_MAKES_ANY, true},
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reading r;
    tp_str text = {0};
    tp_str_printf(&text, "function f { %s }", cases[i].clauses);
    read_all(w, &r, text.text);
    assert_string_equal(said(w), "");
    assert_int_equal(r.m.of_functions.n, 1);
    const tp_call_allocation a = tp_call_allocation_of(&r.m, r.m.of_functions.at[0]);
    if (a.makes != cases[i].makes || a.may_free != cases[i].may_free)
      fail_msg("%s: makes %d, frees %d", cases[i].clauses, a.makes, a.may_free);
    end(&r);
    tp_str_clear(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_K26_allocation_of_contracts)};
  return cmocka_run_group_tests_name("call_allocation", tests, set_up, tear_down);
}

/* Property files: every formula, groups, and what is refused. */
#include "app/property.h"

#include <setjmp.h>
#include <cmocka.h>

#define CHECK(f) "CHECK( init(main()), LTL(G " f ") )\n"

static const struct {
  const char *text;
  tp_property property;  // NONE: refused
  const char *why;
} rows[] = {
    {CHECK("! call(reach_error())"), TP_P_UNREACH_CALL, ""},
    {CHECK("! call(__VERIFIER_error())"), TP_P_UNREACH_CALL, ""},
    {"CHECK(init(main()),LTL(G!label(ERROR)))", TP_P_UNREACH_CALL, ""},
    {CHECK("assert"), TP_P_UNREACH_CALL, ""},
    {CHECK("! overflow"), TP_P_NO_OVERFLOW, ""},
    {CHECK("valid-free"), TP_P_VALID_FREE, ""},
    {CHECK("valid-deref"), TP_P_VALID_DEREF, ""},
    {CHECK("valid-memtrack"), TP_P_VALID_MEMTRACK, ""},
    {CHECK("valid-memcleanup"), TP_P_VALID_MEMCLEANUP, ""},
    {CHECK("valid-free") CHECK("valid-deref") "\n# comment\n" CHECK("valid-memtrack"),
     TP_P_VALID_MEMSAFETY, ""},
    {CHECK("valid-deref") CHECK("valid-deref"), TP_P_VALID_DEREF, ""},
    {CHECK("valid-free") CHECK("valid-deref"), TP_P_NONE, "combination"},
    {CHECK("valid-free") CHECK("! overflow"), TP_P_NONE, "combination"},
    {CHECK("! data-race"), TP_P_NONE, "!data-race"},
    {"CHECK( init(main()), LTL(F end) )", TP_P_NONE, "termination"},
    {"COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", TP_P_NONE, "expected CHECK"},
    {"", TP_P_NONE, "no CHECK"},
    {"# nothing", TP_P_NONE, "no CHECK"},
    {CHECK("! overflow") "x", TP_P_NONE, "expected CHECK"},
    {"CHECK( init(main()), LTL(G ! overflow", TP_P_NONE, "expected CHECK"},
};

static void property_files_are_read(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_property p = TP_P_NONE;
    tp_str why = {0};
    tp_status st = tp_property_of_text(rows[i].text, &p, &why);
    assert_int_equal(st == TP_OK, rows[i].property != TP_P_NONE);
    if (st == TP_OK) assert_int_equal(p, rows[i].property);
    if (!strstr(tp_str_text(&why), rows[i].why))
      print_error("%s: %s\n", rows[i].text, tp_str_text(&why));
    assert_non_null(strstr(tp_str_text(&why), rows[i].why));
    tp_str_clear(&why);
  }
}

static void names_are_read(void **state) {
  (void)state;
  tp_property p;
  tp_str why = {0};
  for (unsigned k = 1; k < TP_N_PROPERTIES; k++) {
    assert_int_equal(tp_property_of_argument(tp_property_name((tp_property)k), &p, &why), TP_OK);
    assert_int_equal(p, k);
  }
  assert_int_equal(tp_property_of_argument("fairness", &p, &why), TP_ERR_INPUT);
  assert_non_null(strstr(why.text, "no-overflow"));
  assert_int_equal(tp_property_of_argument("/nonexistent.prp", &p, &why), TP_ERR_SYSTEM);
  tp_str_clear(&why);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(property_files_are_read),
                                     cmocka_unit_test(names_are_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

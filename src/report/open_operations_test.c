// Which failures refute which assumptions, and what becomes of the answer.
#include "report/open_operations.h"

#include <setjmp.h>
#include <cmocka.h>

static const struct {
  const char *name, *assumption, *position;
  bool is_access, refutes;
} rows[] = {
    {"the same place", "no invalid operation at a.c:3:4 (store)", "a.c:3:4", true, true},
    {"a longer column", "no invalid operation at a.c:3:41 (store)", "a.c:3:4", true, false},
    {"another line", "no invalid operation at a.c:31:4 (store)", "a.c:3:4", true, false},
    {"another file", "no invalid operation at aa.c:3:4 (store)", "a.c:3:4", true, false},
    {"a call", "no invalid operation at the call of strcpy at a.c:3:4 (store)", "a.c:3:4", true,
     true},
    {"no access", "no division by zero at a.c:3:4", "a.c:3:4", false, true},
    {"an access where none is assumed", "no division by zero at a.c:3:4", "a.c:3:4", true, false},
    {"an overflow where an access is assumed", "no invalid operation at a.c:3:4 (load)", "a.c:3:4",
     false, false},
    {"about the surroundings", "memory can always be allocated", "a.c:3:4", true, false},
    {"no position", "no invalid operation at  (load)", "", true, false},
};

static void refutations(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const tp_refutation by = {"valid-memsafety", "read of a freed object", rows[i].position,
                              rows[i].is_access};
    if (tp_refutes(&by, rows[i].assumption) != rows[i].refutes) fail_msg("%s", rows[i].name);
  }
}

static void first_line(void **unused) {
  (void)unused;
  const tp_refutation by = {"memsafety", "read of a freed object", "a.c:3:4", true};
  tp_str out = {0};
  tp_open_operations_refute(
      "Note: x\nTRUE: unreach-call holds in every run without undefined behaviour, which was not "
      "excluded\nProved by bmc.\nRESULT: true\n",
      false, &by, &out);
  assert_string_equal(
      tp_str_text(&out),
      "Note: x\nUNKNOWN: some runs have undefined behaviour, and behind that anything may happen: "
      "read of a freed object\n  where: a.c:3:4 (memsafety)\n  known: unreach-call holds in every "
      "run up to there\nProved by bmc.\nRESULT: unknown(some runs have undefined behaviour: read "
      "of a freed object at a.c:3:4)\n");
  tp_str_clear(&out);
  tp_open_operations_refute("{\"verdict\": \"bounded\", \"bound\": 3}", true, &by, &out);
  assert_null(strstr(tp_str_text(&out), "bound"));  // neither of the claims stands
  assert_non_null(strstr(tp_str_text(&out), "\"verdict\": \"unknown\""));
  assert_non_null(strstr(tp_str_text(&out), "\"reason\": \"some runs have undefined behaviour: "));
  assert_non_null(strstr(tp_str_text(&out), "\"operation\": \"read of a freed object\""));
  assert_non_null(strstr(tp_str_text(&out), "\"property\": \"memsafety\""));
  tp_str_clear(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refutations), cmocka_unit_test(first_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

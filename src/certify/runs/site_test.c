/* Reading the messages of failed runs. */
#include "certify/runs/site.h"

#include <setjmp.h>
#include <cmocka.h>

static void the_first_stack_is_read(void **state) {
  (void)state;
  static const struct {
    const char *messages;
    size_t n;
    uint64_t at[3];
  } rows[] = {
      {"", 0, {0}},
      {"==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x40\nREAD of size "
       "4 at 0x60 thread T0\n"
       "    #0 0x4c3a21  (program+0xc3a21) (BuildId: 00)\n    #1 0x4d  (program+0x4d)\n\n0x60 is "
       "located\nfreed by thread T0 here:\n    #0 0x999  (x+0x9)\n",
       2,
       {0x4c3a21, 0x4d}},
      {"==7==ERROR: AddressSanitizer: SEGV on unknown address\n", 0, {0}},
      {"    #0 0x11  (not a report)\n", 0, {0}},
      {"twoproof run: site 0000000000401136\ntwoproof: violated: x\n", 1, {0x401135}},
      {"twoproof run: site 0000000000401136 0000000000401200\n", 2, {0x401135, 0x4011ff}},
      {"twoproof run: site 0000000000401136\n==7==ERROR: AddressSanitizer: SEGV\n    #0 0x0  "
       "(<unknown module>)\n",
       1,
       {0x401135}},
      {"twoproof run: site\n", 0, {0}},
      {"==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x401136  (x+0x1)\n    "
       "#1 0x401200  (x+0x2)\n\nSUMMARY\n",
       2,
       {0x401136, 0x401200}},
      {"UndefinedBehaviorSanitizer:DEADLYSIGNAL\n==7==ERROR: UndefinedBehaviorSanitizer: SEGV on "
       "unknown address\n    #0 0x401136  (x+0x1)\n",
       1,
       {0x401136}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint64_t at[3] = {0};
    assert_int_equal(tp_chk_site_addresses(rows[i].messages, at, 3), rows[i].n);
    for (size_t k = 0; k < rows[i].n; k++) assert_int_equal(at[k], rows[i].at[k]);
  }
}

static void paths_of_one_file_are_the_same(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    bool same;
  } rows[] = {
      {"/d/f.c", "/d/f.c", true},  {"/d/f.c", "/e/f.c", false},  {"/d/e/f.c", "e/f.c", true},
      {"/d/e/f.c", "./f.c", true}, {"/d/ef.c", "f.c", false},    {"f.c", "g.c", false},
      {"f.c", "", false},          {"/d/f.c", "f.c", true},      {"a/f.c", "b/f.c", false},
      {"/d//f.c", "/d/f.c", true}, {".//f.c", "/d/./f.c", true}, {"d//./f.c", "/e/d/f.c", true},
      {"/d/f.c", "//f.c", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(tp_chk_site_same_file(rows[i].a, rows[i].b), rows[i].same);
    assert_int_equal(tp_chk_site_same_file(rows[i].b, rows[i].a), rows[i].same);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_stack_is_read),
                                     cmocka_unit_test(paths_of_one_file_are_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The objects that programs which show a failing contract know (lib/replay/heap.c): what was freed
 * or moved is gone, wherever in it a pointer leads, and a newer block at its address is another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 8, TP_ATOMS = 2 * N, TP_NULL = 100, TP_UNKNOWN = -1 };
#define TP_FRESH(n) calloc(1, n)
#include "../../lib/replay/heap.c"

static void reset(void) {
  memset(tp_at, 0, sizeof tp_at);
  memset(tp_gone, 0, sizeof tp_gone);
  memset(tp_ended, 0, sizeof tp_ended);
  tp_n_made = tp_n_begun = tp_new = 0;
}

static void test_made_objects_are_live(void **state) {
  (void)state;
  reset();
  char *a = tp_malloc(16), *b = tp_calloc(2, 8);
  const int local = 0;
  assert_int_equal(tp_name(NULL, 0, N), TP_NULL);
  assert_int_equal(tp_name((void *)&local, 0, N), TP_UNKNOWN);
  assert_true(tp_is_unknown());
  assert_int_equal(tp_name(a, 0, N), 0);
  assert_int_equal(tp_name(b, 0, N), 1);
  assert_int_equal(tp_name(a, 0, N), 0);
  assert_int_equal(tp_name(a + 8, 0, N), 2);
  assert_false(tp_gone[0] || tp_gone[1] || tp_gone[2]);
  assert_false(tp_is_unknown());
  tp_free(a);
  assert_true(tp_gone[0] && tp_gone[2]);
  assert_false(tp_gone[1]);
  tp_free(b);
}

/* A pointer that is first seen when its block has ended. */
static void test_ended_blocks_are_gone(void **state) {
  (void)state;
  static const size_t places[] = {0, 8};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    reset();
    char *const a = tp_malloc(16), *volatile lost = a + places[i];
    tp_free(a);
    assert_int_equal(tp_name(lost, 0, N), 0);
    assert_true(tp_gone[0]);
    assert_false(tp_is_unknown());
  }
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    reset();
    char *const a = tp_malloc(16), *volatile lost = a + places[i];
    strcpy(a, "content");
    char *const moved = tp_realloc(a, 24);
    assert_string_equal(moved, "content");
    assert_int_equal(tp_name(moved, N, N), N);
    assert_int_equal(tp_name(lost, 0, N), 0);
    assert_true(tp_gone[0]);
    assert_false(tp_gone[N]);
    tp_free(moved);
    assert_true(tp_gone[N]);
  }
}

static void test_objects_of_the_start_end(void **state) {
  (void)state;
  reset();
  char *a = tp_at[3] = tp_object(1, 16), *b = tp_at[4] = tp_object(1, 16);
  strcpy(a, "content");
  char *const moved = tp_realloc(a, 8);
  assert_string_equal(moved, "content");
  tp_free(b);
  assert_true(tp_gone[3] && tp_gone[4]);
  assert_int_equal(tp_name(moved, N, N), N);
  assert_false(tp_gone[N]);
  tp_free(moved);
}

/* The same address twice: the newer block is live, and is no object that was there before. */
static void test_addresses_that_are_used_again(void **state) {
  (void)state;
  reset();
  char *a = tp_malloc(16);
  assert_int_equal(tp_name(a, 0, N), 0);
  tp_end(a);
  tp_keep(a, 16);
  assert_int_equal(tp_name(a, 0, N), 1);
  assert_true(tp_gone[0]);
  assert_false(tp_gone[1]);
  tp_adopt(16, 0, N);
  assert_int_equal(tp_name(a, 0, N), 1);
  tp_free(a);
  assert_true(tp_gone[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_made_objects_are_live),
      cmocka_unit_test(test_ended_blocks_are_gone),
      cmocka_unit_test(test_objects_of_the_start_end),
      cmocka_unit_test(test_addresses_that_are_used_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

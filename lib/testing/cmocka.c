/* What unit tests for cmocka call, for runs of them on the concrete machine: groups of tests with
 * their fixtures, and assertions, which end the run where they fail. Mock objects are not played. */
#include <stdlib.h>
#include <string.h>

typedef unsigned long long tp_largest;
struct tp_unit_test {
  const char *name;
  void (*test)(void **state);
  int (*setup)(void **state), (*teardown)(void **state);
  void *initial_state;
};

static void tp_require(int c) {
  if (!c) abort();
}

int _cmocka_run_group_tests(const char *name, const struct tp_unit_test *tests, size_t n,
                            int (*setup)(void **state), int (*teardown)(void **state)) {
  void *group = NULL;
  (void)name;
  if (setup) tp_require(setup(&group) == 0);
  for (size_t i = 0; i < n; i++) {
    void *state = tests[i].initial_state ? tests[i].initial_state : group;
    if (tests[i].setup) tp_require(tests[i].setup(&state) == 0);
    tests[i].test(&state);
    if (tests[i].teardown) tp_require(tests[i].teardown(&state) == 0);
  }
  if (teardown) tp_require(teardown(&group) == 0);
  return 0;
}

void _assert_true(tp_largest c, const char *text, const char *file, int line) {
  (void)text, (void)file, (void)line;
  tp_require(c != 0);
}
void _assert_return_code(tp_largest c, size_t n, tp_largest e, const char *text, const char *file,
                         int line) {
  (void)n, (void)e, (void)text, (void)file, (void)line;
  tp_require((long long)c >= 0);
}
void _assert_int_equal(tp_largest a, tp_largest b, const char *file, int line) {
  (void)file, (void)line;
  tp_require(a == b);
}
void _assert_int_not_equal(tp_largest a, tp_largest b, const char *file, int line) {
  (void)file, (void)line;
  tp_require(a != b);
}
void _assert_float_equal(float a, float b, float e, const char *file, int line) {
  (void)file, (void)line;
  tp_require(a - b <= e && b - a <= e);
}
void _assert_float_not_equal(float a, float b, float e, const char *file, int line) {
  (void)file, (void)line;
  tp_require(!(a - b <= e && b - a <= e));
}
void _assert_string_equal(const char *a, const char *b, const char *file, int line) {
  (void)file, (void)line;
  tp_require(strcmp(a, b) == 0);
}
void _assert_string_not_equal(const char *a, const char *b, const char *file, int line) {
  (void)file, (void)line;
  tp_require(strcmp(a, b) != 0);
}
void _assert_memory_equal(const void *a, const void *b, size_t n, const char *file, int line) {
  (void)file, (void)line;
  tp_require(memcmp(a, b, n) == 0);
}
void _assert_memory_not_equal(const void *a, const void *b, size_t n, const char *file, int line) {
  (void)file, (void)line;
  tp_require(memcmp(a, b, n) != 0);
}
void _assert_in_range(tp_largest x, tp_largest from, tp_largest to, const char *file, int line) {
  (void)file, (void)line;
  tp_require(from <= x && x <= to);
}
void _assert_not_in_range(tp_largest x, tp_largest from, tp_largest to, const char *file,
                          int line) {
  (void)file, (void)line;
  tp_require(x < from || to < x);
}
static int tp_is_in(tp_largest x, const tp_largest set[], size_t n) {
  for (size_t i = 0; i < n; i++)
    if (set[i] == x) return 1;
  return 0;
}
void _assert_in_set(tp_largest x, const tp_largest set[], size_t n, const char *file, int line) {
  (void)file, (void)line;
  tp_require(tp_is_in(x, set, n));
}
void _assert_not_in_set(tp_largest x, const tp_largest set[], size_t n, const char *file,
                        int line) {
  (void)file, (void)line;
  tp_require(!tp_is_in(x, set, n));
}
void _fail(const char *file, int line) {
  (void)file, (void)line;
  abort();
}
void *_test_malloc(size_t n, const char *file, int line) {
  (void)file, (void)line;
  return malloc(n);
}
void *_test_calloc(size_t n, size_t m, const char *file, int line) {
  (void)file, (void)line;
  return calloc(n, m);
}
void *_test_realloc(void *p, size_t n, const char *file, int line) {
  (void)file, (void)line;
  return realloc(p, n);
}
void _test_free(void *p, const char *file, int line) {
  (void)file, (void)line;
  free(p);
}

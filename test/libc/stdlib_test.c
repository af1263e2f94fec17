/* stdlib.c against glibc: numbers, sorting with the very sequence of comparisons, memory. */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <string.h>

#include "environment.h"
#include "pragmas.h"

_Bool __tp_errno_is_stale, __tp_writes_files;
static int n_free_checks, errno_of_model;
void __tp_set_errno(int to) { errno_of_model = to; }
unsigned long __tp_object_size(const void *p) { return malloc_usable_size((void *)(uintptr_t)p); }
void __tp_check_free(const void *p) { n_free_checks += p != NULL; }
void *__tp_new_global(const char *who, unsigned long n) {
  (void)who;
  return n < 4096 ? calloc(n, 1) : NULL;
}

#include "renamed.h"

#include "../../lib/libc/stdlib.c"

#include "restored.h"

enum { ROUNDS = 30000 };

// --------------------------------------------------------------------- numbers

static void random_number_text(char *s) {
  static const char *const known[] = {"2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "-2147483649",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "-9223372036854775809",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "-18446744073709551615",
                                      "-18446744073709551616",
                                      "0x",
                                      "0xg",
                                      "-0x1f",
                                      "+ 1",
                                      ""};
  static const char alphabet[] = "0123456789abcdefxXzZ+- \t-0";
  if (below(3) == 0) {
    strcpy(s, known[below(sizeof known / sizeof known[0])]);
    return;
  }
  size_t n = (size_t)below(24);
  for (size_t i = 0; i < n; i++) s[i] = alphabet[below(below(2) ? 10 : sizeof alphabet - 1)];
  s[n] = 0;
}

#define SAME_NUMBER(type, name)                                                     \
  do {                                                                              \
    char *end = s, *model_end = s;                                                  \
    errno = 0;                                                                      \
    type real = name(s, &end, base);                                                \
    int real_errno = errno;                                                         \
    __tp_errno_is_stale = 0, errno_of_model = 0;                                    \
    type model = model_##name(s, &model_end, base);                                 \
    if (model != real || model_end != end) fail_msg(#name "(\"%s\", %d)", s, base); \
    if (!__tp_errno_is_stale) assert_int_equal(errno_of_model, real_errno);         \
    assert_true(model_##name(s, NULL, base) == real);                               \
  } while (0)

static void numbers_agree(void **state) {
  (void)state;
  world_begin(1);
  for (int i = 0; i < ROUNDS; i++) {
    char s[32];
    random_number_text(s);
    static const int bases[] = {0, 2, 8, 10, 10, 16, 36};
    int base = bases[below(7)];
    SAME_NUMBER(long, strtol);
    SAME_NUMBER(long long, strtoll);
    SAME_NUMBER(unsigned long, strtoul);
    SAME_NUMBER(unsigned long long, strtoull);
    SAME_NUMBER(intmax_t, strtoimax);
    SAME_NUMBER(uintmax_t, strtoumax);
    assert_int_equal(model_atoi(s), atoi(s));
    assert_true(model_atol(s) == atol(s) && model_atoll(s) == atoll(s));
    int x = (int)world_next(), y = (int)(world_next() | 1);
    if (x != INT_MIN) assert_int_equal(model_abs(x), abs(x));
    if (x == INT_MIN) continue;
    assert_true(model_labs(x) == labs(x) && model_llabs(x) == llabs(x) &&
                model_imaxabs(x) == imaxabs(x));
    model_div_t d = model_div(x, y);
    assert_true(d.quot == div(x, y).quot && d.rem == div(x, y).rem);
    model_ldiv_t l = model_ldiv(x, y);
    assert_true(l.quot == ldiv(x, y).quot && l.rem == ldiv(x, y).rem);
    model_lldiv_t ll = model_lldiv(x, y);
    assert_true(ll.quot == lldiv(x, y).quot && ll.rem == lldiv(x, y).rem);
  }
}

static void strtod_covers_what_the_library_gives(void **state) {
  (void)state;
  world_begin(2);
  static const char *const texts[] = {"1.5", "  -2e3x", "nan", "inf", "x", "", "0x1p3", "1e999"};
  for (volatile size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    char *real_end;
    static char *end;
    double real = strtod(texts[i], &real_end);
    static double seen;
    uint64_t bits;
    memcpy(&bits, &real, 8);
    SCRIPT((uint64_t)(real_end - texts[i]), bits);
    assert_true(POSSIBLE(seen = model_strtod(texts[i], &end)));
    assert_true(end == real_end && memcmp(&seen, &real, 8) == 0);
  }
}

static void random_numbers_are_in_range(void **state) {
  (void)state;
  world_begin(3);
  static long n;
  for (volatile int i = 0; i < 1000; i++) {
    int real = rand();
    SCRIPT((uint64_t)real);
    assert_true(POSSIBLE(n = model_rand()));
    assert_int_equal(n, real);
    world.n = 0;
    if (POSSIBLE(n = model_random())) assert_true(n >= 0 && n <= RAND_MAX);
  }
}

// ------------------------------------------------------------ sorting, searching

typedef struct {
  unsigned char key, id;
} element;
static unsigned char calls[2][4096];
static size_t n_calls[2];
static int who;

static int compare(const void *a, const void *b) {
  const element *x = a, *y = b;
  if (n_calls[who] + 2 <= sizeof calls[0]) {
    calls[who][n_calls[who]++] = x->id;
    calls[who][n_calls[who]++] = y->id;
  }
  return (x->key > y->key) - (x->key < y->key);
}

static void sorting_agrees(void **state) {
  (void)state;
  world_begin(4);
  for (int round = 0; round < 3000; round++) {
    size_t n = (size_t)below(40);
    element *a = malloc(n * sizeof *a + 1), *b = malloc(n * sizeof *b + 1);
    for (size_t i = 0; i < n; i++)
      a[i] = b[i] = (element){(unsigned char)below(12), (unsigned char)i};
    n_calls[0] = n_calls[1] = 0;
    who = 0;
    qsort(a, n, sizeof *a, compare);
    who = 1;
    model_qsort(b, n, sizeof *b, compare);
    assert_true(memcmp(a, b, n * sizeof *a) == 0);
#ifndef __SANITIZE_ADDRESS__  // its qsort compares once more
    assert_int_equal(n_calls[0], n_calls[1]);
    assert_true(memcmp(calls[0], calls[1], n_calls[0]) == 0);
#endif
    element key = {(unsigned char)below(13), 99};
    assert_ptr_equal(model_bsearch(&key, a, n, sizeof *a, compare),
                     bsearch(&key, a, n, sizeof *a, compare));
    free(a);
    free(b);
  }
}

// --------------------------------------------------- memory, environment, the end

static void realloc_keeps_what_fits(void **state) {
  (void)state;
  n_free_checks = 0;
  char *p = model_realloc(NULL, 8);
  memcpy(p, "abcdefg", 8);
  p = model_realloc(p, 100);
  assert_string_equal(p, "abcdefg");
  p = model_realloc(p, 4);
  assert_memory_equal(p, "abcd", 4);
  p = model_reallocarray(p, 3, 5);
  assert_memory_equal(p, "abcd", 4);
  assert_null(model_reallocarray(NULL, SIZE_MAX / 2, 3));
  assert_null(model_realloc(p, 0));
  assert_int_equal(n_free_checks, 4);
  void *q = NULL;
  assert_int_equal(model_posix_memalign(&q, 16, 3), 0);
  free(q);
}

static void getenv_gives_any_text_or_none(void **state) {
  (void)state;
  world_begin(5);
  static char *s;
  SCRIPT(0);
  assert_true(POSSIBLE(s = model_getenv("HOME")));
  assert_null(s);
  SCRIPT(1, 6);
  world.text = "/root";
  assert_true(POSSIBLE(s = model_getenv("HOME")));
  assert_string_equal(s, "/root");
  free(s);
}

static char order[8];
static void first(void) { strcat(order, "1"); }
static void third(void) { strcat(order, "3"); }
static void second(void) {
  strcat(order, "2");
  model_atexit(third);
}

static void handlers_run_in_reverse(void **state) {
  (void)state;
  model_atexit(first);
  model_atexit(second);
  __tp_run_atexit();
  assert_string_equal(order, "231");  // a handler registered by a handler runs next
  __tp_run_atexit();
  assert_string_equal(order, "231");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_agree),
      cmocka_unit_test(strtod_covers_what_the_library_gives),
      cmocka_unit_test(random_numbers_are_in_range),
      cmocka_unit_test(sorting_agrees),
      cmocka_unit_test(realloc_keeps_what_fits),
      cmocka_unit_test(getenv_gives_any_text_or_none),
      cmocka_unit_test(handlers_run_in_reverse),
  };
  return cmocka_run_group_tests_name("libc/stdlib", tests, NULL, NULL);
}

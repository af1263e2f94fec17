/* format.c and stdio.c against glibc: integers, characters and strings exactly, the rest by bounds.
 */
#include <string.h>

#include "environment.h"
#include "pragmas.h"

_Bool __tp_errno_is_stale, __tp_writes_files, __tp_has_closed, __tp_has_opened;
void __tp_note_closed_stream(struct __tp_file *f) { (void)f; }
void *__tp_new_global(const char *who, unsigned long n) {
  (void)who;
  return calloc(n, 1);
}

#include "renamed.h"

#include "../../lib/libc/format.c"
#include "../../lib/libc/stdio.c"

#include "restored.h"

enum { ROUNDS = 40000 };

static char format[64], real[512], seen[512];

/* "<text>%[flags][width][.precision]<length><conversion><text>%%" */
static void random_format(const char *length, char conversion) {
  char *f = format + sprintf(format, "%s%%", below(2) ? "x=" : "");
  for (int i = 0; i < 3; i++)
    if (below(3) == 0)
      *f++ = (strchr("dicsuoxX", conversion) && below(5) == 0 ? "-+ #0"
              : conversion == 's' || conversion == 'c'
                  ? "--"
                  : "-0+ #")[below(strchr("sc", conversion) ? 2 : 5)];
  *f = 0;
  if (strchr("sc", conversion)) {  // other flags are undefined there
    for (char *c = format; *c; c++)
      if (strchr("+ #0", *c)) *c = '-';
  }
  if (below(2)) f += sprintf(f, "%d", (int)below(14) + 1);
  if (conversion != 'c' && below(3) == 0) f += sprintf(f, ".%d", (int)below(12));
  sprintf(f, "%s%c%s", length, conversion, below(2) ? " end%%" : "");
}

#define SAME_OUTPUT(...)                                                                    \
  do {                                                                                      \
    size_t size = below(4) ? sizeof real : (size_t)below(10);                               \
    memset(real, 'z', sizeof real);                                                         \
    memset(seen, 'z', sizeof seen);                                                         \
    int n = snprintf(real, size, format, __VA_ARGS__),                                      \
        m = model_snprintf(seen, size, format, __VA_ARGS__);                                \
    if (n != m || memcmp(real, seen, sizeof real) != 0)                                     \
      fail_msg("%s: \"%.*s\" (%d), model \"%.*s\" (%d)", format, 60, real, n, 60, seen, m); \
  } while (0)

static uint64_t random_value(void) {
  return below(8) ? world_next() : below(2) ? 0 : (uint64_t)1 << below(64);
}

static void integers_agree(void **state) {
  (void)state;
  world_begin(1);
  for (int i = 0; i < ROUNDS; i++) {
    char conversion = "diuoxX"[below(6)];
    uint64_t v = below(2) ? random_value() : -random_value();
    random_format("", conversion);
    SAME_OUTPUT((int)v);
    random_format("hh", conversion);
    SAME_OUTPUT((int)v);
    random_format("h", conversion);
    SAME_OUTPUT((int)v);
    random_format("l", conversion);
    SAME_OUTPUT((long)v);
    random_format("ll", conversion);
    SAME_OUTPUT((long long)v);
    random_format("z", conversion);
    SAME_OUTPUT((size_t)v);
    random_format("j", conversion);
    SAME_OUTPUT((intmax_t)v);
  }
}

static void texts_agree(void **state) {
  (void)state;
  world_begin(2);
  static const char *const texts[] = {"", "a", "hello", "a longer text", NULL};
  for (int i = 0; i < ROUNDS; i++) {
    random_format("", 's');
    const char *text = texts[below(5)];
    SAME_OUTPUT(text);
    random_format("", 'c');
    int c = (int)below(200) + 1;
    SAME_OUTPUT(c);
  }
  const char unterminated[3] = {'a', 'b', 'c'};
  strcpy(format, "%.3s|");
  SAME_OUTPUT(unterminated);
  strcpy(format, "%*d|%-*d|%.*d");
  SAME_OUTPUT(5, 42, -6, 43, -1, 44);
  strcpy(format, "%d %s %c %lu %lld%%");
  SAME_OUTPUT(-1, "two", '3', 4ul, 5ll);
}

static void counts_are_stored(void **state) {
  (void)state;
  int a = 0, b = 0;
  long c = 0;
  assert_int_equal(model_sprintf(seen, "%d%n,%n%s%ln", 1234, &a, &b, "xy", &c), 7);
  assert_int_equal(a, 4);
  assert_int_equal(b, 5);
  assert_int_equal(c, 7);
}

/* What glibc prints for floats and pointers is one of the model's results. */
static void floats_and_pointers_are_covered(void **state) {
  (void)state;
  world_begin(3);
  static const double values[] = {0, -1.5, 1e300, 1e-300, 123456789, -1.0 / 0.0, 0.0 / 0.0};
  static const char *const formats[] = {"%f",     "%e",   "%g",     "%a",
                                        "%10.3f", "%.0f", "%-12gx", "%.40f"};
  for (volatile size_t f = 0; f < 8; f++) {
    for (volatile size_t v = 0; v < 7; v++) {
      volatile int n = snprintf(real, sizeof real, formats[f], values[v]);
      volatile int plain = f == 6 ? n - 1 : n;  // the x is not the conversion's
      world.script[0] = (uint64_t)plain;
      for (int i = 0; i < plain && i < 60; i++)
        world.script[1 + i] = (uint64_t)(unsigned char)real[i];
      world.n = 1 + (plain < 60 ? plain : 60);
      world.next = 0;
      static int m;
      assert_true(
          POSSIBLE(m = model_snprintf(seen, plain < 60 ? sizeof seen : 40, formats[f], values[v])));
      assert_int_equal(m, n);
      if (plain < 60) assert_string_equal(seen, real);
    }
  }
  volatile int n = snprintf(real, sizeof real, "%p", (void *)real);
  SCRIPT((uint64_t)n);
  static int m;
  assert_true(POSSIBLE(m = model_snprintf(seen, 1, "%p", (void *)real)));
  assert_int_equal(m, n);
}

static void what_is_not_modelled_says_so(void **state) {
  (void)state;
  world_begin(4);
  static const char *const formats[] = {"%ls", "%1$d", "%Lf", "%y", "%lc"};
  for (volatile size_t i = 0; i < 5; i++) {
    world.was_unsupported = false;
    assert_false(POSSIBLE(model_snprintf(seen, 10, formats[i], 1)));
    assert_true(world.was_unsupported);
  }
}

static void output_gives_a_count_or_an_error(void **state) {
  (void)state;
  world_begin(5);
  static int n;
  SCRIPT(12);
  assert_true(POSSIBLE(n = model_printf("%s %d\n", "x", 3)));
  assert_int_equal(n, 12);
  SCRIPT((uint64_t)-1);
  assert_true(POSSIBLE(n = model_puts("x")));
  SCRIPT((uint64_t)-2);
  assert_false(POSSIBLE(n = model_puts("x")));
  SCRIPT(0);
  assert_true(POSSIBLE(n = model_putchar(300)));
  assert_int_equal(n, 300 & 255);
  static char *text;
  SCRIPT(3);
  world.text = "abc";
  assert_true(POSSIBLE(n = model_asprintf(&text, "%d", 100)));
  assert_string_equal(text, "abc");
  free(text);
  static size_t written;
  SCRIPT(5);
  assert_false(POSSIBLE(written = model_fwrite("abcd", 1, 4, NULL)));
  SCRIPT(4);
  assert_true(POSSIBLE(written = model_fwrite("abcd", 1, 4, NULL)));
  assert_int_equal(written, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_agree),
      cmocka_unit_test(texts_agree),
      cmocka_unit_test(counts_are_stored),
      cmocka_unit_test(floats_and_pointers_are_covered),
      cmocka_unit_test(what_is_not_modelled_says_so),
      cmocka_unit_test(output_gives_a_count_or_an_error),
  };
  return cmocka_run_group_tests_name("libc/format", tests, NULL, NULL);
}

/* input.c and unistd.c: results stay within the contract, and what a real call gave is possible. */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "environment.h"
#include "pragmas.h"

_Bool __tp_errno_is_stale;

#include "renamed.h"

#define spec scan_spec
#include "../../lib/libc/input.c"
#undef spec
#include "../../lib/libc/unistd.c"

#include "restored.h"

static int n;
static char *line;
static char text[64];

static void characters(void **state) {
  (void)state;
  world_begin(1);
  for (volatile int i = 0; i < 2000; i++)
    if (POSSIBLE(n = model_getchar())) assert_true(n >= EOF && n <= 255);
  SCRIPT((uint64_t)-1);
  assert_true(POSSIBLE(n = model_fgetc(NULL)));
  assert_int_equal(n, EOF);
  SCRIPT(255);
  assert_true(POSSIBLE(n = model_getc(NULL)));
  assert_int_equal(n, 255);
}

static void lines_end_within_the_buffer(void **state) {
  (void)state;
  world_begin(2);
  static int got;
  for (volatile int i = 0; i < 5000; i++) {
    static int size;
    size = (int)below(12);
    memset(text, '#', sizeof text);
    SCRIPT(below(4) == 0, below(14));
    if (!POSSIBLE(line = model_fgets(text, size, NULL))) continue;
    for (int k = size; k < 20; k++) assert_int_equal(text[k], '#');
    if (line) assert_non_null(memchr(text, 0, (size_t)size)), got++;
  }
  assert_true(got > 100);
  SCRIPT(0, 3);
  world.text = "hi\n";
  assert_true(POSSIBLE(line = model_fgets(text, 10, NULL)));
  assert_string_equal(line, "hi\n");
  SCRIPT(0, 10);  // ten characters and the end do not fit
  assert_false(POSSIBLE(line = model_fgets(text, 10, NULL)));
  static char *grown;
  static size_t size;
  SCRIPT(0, 3);
  assert_true(POSSIBLE(n = (int)model_getline(&grown, &size, NULL)));
  assert_string_equal(grown, "hi\n");
  assert_int_equal(size, 4);
  free(grown);
}

static void blocks(void **state) {
  (void)state;
  world_begin(3);
  world.text = "abcd";
  static size_t items;
  SCRIPT(2);
  assert_true(POSSIBLE(items = model_fread(text, 2, 2, NULL)));
  assert_int_equal(items, 2);
  SCRIPT(3);
  assert_false(POSSIBLE(items = model_fread(text, 2, 2, NULL)));
  memset(text, '#', sizeof text);
  SCRIPT(3);
  assert_true(POSSIBLE(n = (int)model_read(0, text, 4)));
  assert_memory_equal(text, "abc#", 4);
  SCRIPT((uint64_t)-1);
  assert_true(POSSIBLE(n = (int)model_read(0, text, 4)));
  assert_int_equal(n, -1);
  SCRIPT(5);
  assert_false(POSSIBLE(n = (int)model_read(0, text, 4)));
}

/* What sscanf really assigns is one of the model's results. */
static void scanf_covers_what_the_library_does(void **state) {
  (void)state;
  world_begin(4);
  static int a, b;
  static char word[8], c;
  static long l;
  assert_int_equal(sscanf("12 xyz -7 q", "%d %3s %ld %c", &a, word, &l, &c), 4);
  SCRIPT(1, 12, 1, 3, 1, (uint64_t)-7, 1);
  world.text = "xyz";
  static int a2;
  static char word2[8], c2;
  static long l2;
  assert_true(POSSIBLE(n = model_scanf("%d %3s %ld %c", &a2, word2, &l2, &c2)));
  assert_int_equal(n, 4);
  assert_true(a == a2 && l == l2 && strcmp(word, word2) == 0);
  assert_int_equal(c2, 'x');  // the text again
  SCRIPT(1, 5, 0);            // the second does not match
  b = 99;
  assert_true(POSSIBLE(n = model_sscanf("5 x", "%d%d", &a, &b)));
  assert_true(n == 1 && a == 5 && b == 99);
  SCRIPT(0, 1);
  assert_true(POSSIBLE(n = model___isoc99_scanf("%d", &a)));
  assert_int_equal(n, EOF);
  static short h;
  SCRIPT(1, 1, 3, 1, (uint64_t)-4);
  assert_true(POSSIBLE(n = model_fscanf(NULL, "%*d,%[^]x]%%%hd", word, &h)));
  assert_true(n == 2 && h == -4 && strcmp(word, "xyz") == 0);
  SCRIPT(1, 4);
  assert_false(POSSIBLE(n = model_scanf("%3s", word)));  // longer than the width
  world.was_unsupported = false;
  SCRIPT(1);
  assert_false(POSSIBLE(n = model_scanf("%ms", &line)));
  assert_true(world.was_unsupported);
}

static void the_clock(void **state) {
  (void)state;
  world_begin(5);
  static long t, stored;
  SCRIPT(1700000000);
  assert_true(POSSIBLE(t = model_time(&stored)));
  assert_true(t == stored && t == 1700000000);
  static struct model_tm *broken;
  for (volatile int i = 0; i < 2000; i++)
    if (POSSIBLE(broken = model_localtime(&t)) && broken)
      assert_true(broken->tm_mon >= 0 && broken->tm_mon < 12);
  SCRIPT(1, 60, 59, 23, 31, 11, 123, 6, 365, 1, 3600);
  assert_true(POSSIBLE(broken = model_gmtime(&t)));
  assert_int_equal(broken->tm_year, 123);
  static unsigned left;
  SCRIPT(4);
  assert_false(POSSIBLE(left = model_sleep(3)));
  SCRIPT(2);
  assert_true(POSSIBLE(left = model_sleep(3)));
  assert_int_equal(left, 2);
}

static void bits(void **state) {
  (void)state;
  world_begin(6);
  for (int i = 0; i < 10000; i++) {
    uint64_t x = below(9) ? world_next() : 0;
    assert_int_equal(model_ffs((int)x), ffs((int)x));
    assert_int_equal(model_ffsl((long)x), ffsl((long)x));
    assert_int_equal(model_ffsll((long long)x), ffsll((long long)x));
    assert_int_equal(model_htons((uint16_t)x), __builtin_bswap16((uint16_t)x));
    assert_int_equal(model_ntohl((uint32_t)x), __builtin_bswap32((uint32_t)x));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters), cmocka_unit_test(lines_end_within_the_buffer),
      cmocka_unit_test(blocks),     cmocka_unit_test(scanf_covers_what_the_library_does),
      cmocka_unit_test(the_clock),  cmocka_unit_test(bits),
  };
  return cmocka_run_group_tests_name("libc/input", tests, NULL, NULL);
}

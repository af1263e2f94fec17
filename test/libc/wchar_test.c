/* wchar.c against glibc. Strings stand at the very end of their memory, so that a sanitizer build
 * sees every access beyond what the function may read. */
#include <wchar.h>

#include "environment.h"

#include "pragmas.h"

int __tp_any_of_sign(int difference);
int __tp_any_of_sign(int difference) { return difference; }

#include "renamed.h"

#include "../../lib/libc/wchar.c"

#include "restored.h"

enum { ROUNDS = 20000 };

static const wchar_t alphabet[] = {L'a', L'a', L'b', L'c', L' ', L'\x3b1', L'\x10ffff', -5};
enum { N_ALPHABET = sizeof alphabet / sizeof *alphabet };

_Bool __tp_errno_is_stale;

/* A string of its own memory, exactly; with room for `extra` more characters. */
static wchar_t *random_string(size_t extra) {
  size_t n = (size_t)below(9);
  wchar_t *s = malloc((n + 1 + extra) * sizeof *s);
  for (size_t i = 0; i < n; i++) s[i] = alphabet[below(N_ALPHABET)];
  for (size_t i = 0; i <= extra; i++) s[n + i] = i ? L'#' : 0;
  return s;
}
static wchar_t *copy_of(const wchar_t *s, size_t n) {
  return memcpy(malloc(n ? n * sizeof *s : 1), s, n * sizeof *s);
}
static long place(const wchar_t *base, const wchar_t *found) {
  return found ? (long)(found - base) : -1;
}
static int sign(int x) { return (x > 0) - (x < 0); }

static void searches_agree(void **state) {
  (void)state;
  world_begin(1);
  for (int i = 0; i < ROUNDS; i++) {
    wchar_t *s = random_string(0), *t = random_string(0),
            c = below(8) ? alphabet[below(N_ALPHABET)] : 0;
    size_t n = wcslen(s) + 1, k = (size_t)below(n + 1);
    assert_int_equal(model_wcslen(s), wcslen(s));
    assert_int_equal(model_wcsnlen(s, k), wcsnlen(s, k));
    assert_int_equal(place(s, model_wcschr(s, c)), place(s, wcschr(s, c)));
    assert_int_equal(place(s, model_wcsrchr(s, c)), place(s, wcsrchr(s, c)));
    assert_int_equal(place(s, model_wcschrnul(s, c)), place(s, wcschrnul(s, c)));
    assert_int_equal(place(s, model_wcsstr(s, t)), place(s, wcsstr(s, t)));
    assert_int_equal(place(s, model_wcspbrk(s, t)), place(s, wcspbrk(s, t)));
    assert_int_equal(model_wcsspn(s, t), wcsspn(s, t));
    assert_int_equal(model_wcscspn(s, t), wcscspn(s, t));
    assert_int_equal(place(s, model_wmemchr(s, c, k)), place(s, wmemchr(s, c, k)));
    free(s);
    free(t);
  }
}

static void comparisons_agree(void **state) {
  (void)state;
  world_begin(2);
  for (int i = 0; i < ROUNDS; i++) {
    wchar_t *s = random_string(0), *t = below(4) ? random_string(0) : wcsdup(s);
    size_t n = (size_t)below(10), m = wcslen(s) < wcslen(t) ? wcslen(s) : wcslen(t);
    volatile size_t k = (size_t)below(m + 2);
    assert_int_equal(model_wcscmp(s, t), sign(wcscmp(s, t)));
    assert_int_equal(model_wcsncmp(s, t, n), sign(wcsncmp(s, t, n)));
    assert_int_equal(model_wmemcmp(s, t, k), sign(wmemcmp(s, t, k)));
    free(s);
    free(t);
  }
}

/* One function on equal copies of memory: same result place, same memory after. */
#define SAME_EFFECT(model_call, real_call)                     \
  do {                                                         \
    wchar_t *to = copy_of(start, size), *model_to = to;        \
    long model_at = place(to, model_call);                     \
    to = copy_of(start, size);                                 \
    assert_int_equal(model_at, place(to, real_call));          \
    assert_memory_equal(model_to, to, size * sizeof(wchar_t)); \
    free(model_to);                                            \
    free(to);                                                  \
  } while (0)

static void copies_agree(void **state) {
  (void)state;
  world_begin(3);
  for (int i = 0; i < ROUNDS; i++) {
    wchar_t *start = random_string(24), *s = random_string(0), c = below(2) ? L'a' : L'\x10ffff';
    size_t size = wcslen(start) + 25, n = (size_t)below(12), k = (size_t)below(wcslen(s) + 2);
    SAME_EFFECT(model_wcscpy(to, s), wcscpy(to, s));
    SAME_EFFECT(model_wcpcpy(to, s), wcpcpy(to, s));
    SAME_EFFECT(model_wcsncpy(to, s, n), wcsncpy(to, s, n));
    SAME_EFFECT(model_wcscat(to, s), wcscat(to, s));
    SAME_EFFECT(model_wcsncat(to, s, n), wcsncat(to, s, n));
    SAME_EFFECT(model_wmemcpy(to, s, k), wmemcpy(to, s, k));
    SAME_EFFECT(model_wmempcpy(to, s, k), wmempcpy(to, s, k));
    SAME_EFFECT(model_wmemmove(to + k, to, 8), wmemmove(to + k, to, 8));
    SAME_EFFECT(model_wmemset(to, c, n), wmemset(to, c, n));
    wchar_t *copy = model_wcsdup(s);
    assert_int_equal(wcscmp(copy, s), 0);
    free(copy), free(start), free(s);
  }
}

static void tokens_agree(void **state) {
  (void)state;
  world_begin(4);
  for (int i = 0; i < ROUNDS; i++) {
    wchar_t *s = random_string(0), *set = random_string(0);
    size_t size = wcslen(s) + 1;
    wchar_t *a = copy_of(s, size), *b = copy_of(s, size), *rest_a = NULL, *rest_b = NULL;
    for (wchar_t *x = a, *y = b;; x = y = NULL) {
      wchar_t *token = model_wcstok(x, set, &rest_a), *real = wcstok(y, set, &rest_b);
      assert_int_equal(place(a, token), place(b, real));
      assert_int_equal(place(a, rest_a), place(b, rest_b));
      if (!token) break;
    }
    assert_memory_equal(a, b, size * sizeof *a);
    free(a), free(b), free(s), free(set);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_agree),
      cmocka_unit_test(comparisons_agree),
      cmocka_unit_test(copies_agree),
      cmocka_unit_test(tokens_agree),
  };
  return cmocka_run_group_tests_name("libc/wchar", tests, NULL, NULL);
}

/* string.c, ctype.c, errno.c against glibc. Strings stand at the very end of their memory, so that
 * a sanitizer build sees every access beyond what the function may read. */
#include <ctype.h>
#include <libgen.h>
#undef basename
#include <string.h>
#include <strings.h>

#include "environment.h"

#include "pragmas.h"

void *__tp_new_global(const char *who, unsigned long n);
void *__tp_new_global(const char *who, unsigned long n) {
  (void)who;
  return calloc(n, 1);
}

#include "renamed.h"

#include "../../lib/libc/ctype.c"
#include "../../lib/libc/errno.c"
#include "../../lib/libc/string.c"

#include "restored.h"

enum { ROUNDS = 20000 };

static const char alphabet[] = "aabbcAB \x80\xff";
static size_t random_length(void) { return (size_t)below(9); }

/* A string of its own memory, exactly; with room for `extra` more bytes. */
static char *random_string(size_t extra) {
  size_t n = random_length();
  char *s = malloc(n + 1 + extra);
  for (size_t i = 0; i < n; i++) s[i] = alphabet[below(sizeof alphabet - 1)];
  for (size_t i = 0; i <= extra; i++) s[n + i] = i ? '#' : 0;
  return s;
}
static char *copy_of(const char *s, size_t n) { return memcpy(malloc(n ? n : 1), s, n); }
static long place(const char *base, const void *found) {
  return found ? (long)((const char *)found - base) : -1;
}

static void searches_agree(void **state) {
  (void)state;
  world_begin(1);
  for (int i = 0; i < ROUNDS; i++) {
    char *s = random_string(0), *t = random_string(0);
    int c = below(8) ? alphabet[below(sizeof alphabet - 1)] : 0;
    if (!below(3)) c += 256 * ((int)below(5) - 2);  // converted to char, or to unsigned char
    size_t n = strlen(s) + 1, k = (size_t)below(n + 1);
    assert_int_equal(model_strlen(s), strlen(s));
    assert_int_equal(model_strnlen(s, k), strnlen(s, k));
    assert_int_equal(place(s, model_strchr(s, c)), place(s, strchr(s, c)));
    assert_int_equal(place(s, model_index(s, c)), place(s, index(s, c)));
    assert_int_equal(place(s, model_strrchr(s, c)), place(s, strrchr(s, c)));
    assert_int_equal(place(s, model_rindex(s, c)), place(s, rindex(s, c)));
    assert_int_equal(place(s, model_strchrnul(s, c)), place(s, strchrnul(s, c)));
    assert_int_equal(place(s, model_strstr(s, t)), place(s, strstr(s, t)));
    assert_int_equal(place(s, model_strpbrk(s, t)), place(s, strpbrk(s, t)));
    assert_int_equal(model_strspn(s, t), strspn(s, t));
    assert_int_equal(model_strcspn(s, t), strcspn(s, t));
    assert_int_equal(place(s, model_memchr(s, c, k)), place(s, memchr(s, c, k)));
    assert_int_equal(place(s, model_memrchr(s, c, k)), place(s, memrchr(s, c, k)));
    free(s);
    free(t);
  }
}

static int sign(int x) { return (x > 0) - (x < 0); }

static void comparisons_agree(void **state) {
  (void)state;
  world_begin(2);
  for (int i = 0; i < ROUNDS; i++) {
    char *s = random_string(0), *t = below(4) ? random_string(0) : strdup(s);
    size_t n = (size_t)below(10), m = strlen(s) < strlen(t) ? strlen(s) : strlen(t);
    volatile size_t k = (size_t)below(m + 2);
    assert_int_equal(sign(model_strcmp(s, t)), sign(strcmp(s, t)));
    assert_int_equal(sign(model_strcoll(s, t)), sign(strcmp(s, t)));
    assert_int_equal(sign(model_strncmp(s, t, n)), sign(strncmp(s, t, n)));
    assert_int_equal(sign(model_strcasecmp(s, t)), sign(strcasecmp(s, t)));
    assert_int_equal(sign(model_strncasecmp(s, t, n)), sign(strncasecmp(s, t, n)));
    assert_int_equal(sign(model_memcmp(s, t, k)), sign(memcmp(s, t, k)));
    assert_int_equal(model_bcmp(s, t, k) != 0, memcmp(s, t, k) != 0);
    free(s);
    free(t);
  }
}

/* One function on equal copies of memory: same result place, same memory after. */
#define SAME_EFFECT(model_call, real_call)            \
  do {                                                \
    char *to = copy_of(start, size), *model_to = to;  \
    long model_at = place(to, model_call);            \
    to = copy_of(start, size);                        \
    assert_int_equal(model_at, place(to, real_call)); \
    assert_memory_equal(model_to, to, size);          \
    free(model_to);                                   \
    free(to);                                         \
  } while (0)

static void copies_agree(void **state) {
  (void)state;
  world_begin(3);
  for (int i = 0; i < ROUNDS; i++) {
    char *start = random_string(24), *s = random_string(0);
    size_t size = strlen(start) + 25, n = (size_t)below(12), k = (size_t)below(strlen(s) + 2);
    int c = below(2) ? 'a' : 0;
    SAME_EFFECT(model_strcpy(to, s), strcpy(to, s));
    SAME_EFFECT(model_stpcpy(to, s), stpcpy(to, s));
    SAME_EFFECT(model_strncpy(to, s, n), strncpy(to, s, n));
    SAME_EFFECT(model_strcat(to, s), strcat(to, s));
    SAME_EFFECT(model_strncat(to, s, n), strncat(to, s, n));
    SAME_EFFECT(model_memcpy(to, s, k), memcpy(to, s, k));
    SAME_EFFECT(model_mempcpy(to, s, k), mempcpy(to, s, k));
    SAME_EFFECT(model_memmove(to + k, to, 8), memmove(to + k, to, 8));
    SAME_EFFECT(model_memset(to, 300 + c, n), memset(to, 300 + c, n));
    SAME_EFFECT(model_memccpy(to, s, c, k), memccpy(to, s, c, k));
    SAME_EFFECT((model_bzero(to, n), NULL), (bzero(to, n), NULL));
    SAME_EFFECT((model_bcopy(to, to + k, n), NULL), (memmove(to + k, to, n), NULL));
    char *a = model_strdup(s), *b = model_strndup(s, n), *real = strndup(s, n);
    assert_string_equal(a, s);
    assert_string_equal(b, real);
    free(a), free(b), free(real), free(start), free(s);
  }
}

static void tokens_agree(void **state) {
  (void)state;
  world_begin(4);
  for (int i = 0; i < ROUNDS; i++) {
    char *s = random_string(0), *set = random_string(0);
    size_t size = strlen(s) + 1;
    char *a = copy_of(s, size), *b = copy_of(s, size), *c = copy_of(s, size), *rest_a = NULL,
         *rest_b = NULL;
    for (char *x = a, *y = b;; x = y = NULL) {
      char *token = model_strtok_r(x, set, &rest_a), *real = strtok_r(y, set, &rest_b);
      assert_int_equal(place(a, token), place(b, real));
      if (!token) break;
    }
    assert_memory_equal(a, b, size);
    for (char *x = c;; x = NULL) {
      char *token = model_strtok(x, set);
      if (!token) break;
    }
    assert_memory_equal(c, a, size);
    memcpy(a, s, size);
    memcpy(b, s, size);
    for (char *x = a, *y = b; x;) {
      char *token = model_strsep(&x, set), *real = strsep(&y, set);
      assert_int_equal(place(a, token), place(b, real));
    }
    assert_memory_equal(a, b, size);
    free(a), free(b), free(c), free(s), free(set);
  }
}

static void characters_agree(void **state) {
  (void)state;
  for (int c = -128; c < 256; c++) {
    assert_int_equal((*model___ctype_b_loc())[c], (*__ctype_b_loc())[c]);
    assert_int_equal((*model___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c]);
    assert_int_equal((*model___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c]);
    assert_int_equal(model_tolower(c), (tolower)(c));
    assert_int_equal(model_toupper(c), (toupper)(c));
#define SAME_CLASS(name)                                  \
  do {                                                    \
    int (*volatile real)(int) = name; /* not gcc's own */ \
    assert_int_equal(model_##name(c), real(c));           \
  } while (0)
    SAME_CLASS(isalnum);
    SAME_CLASS(isalpha);
    SAME_CLASS(isblank);
    SAME_CLASS(iscntrl);
    SAME_CLASS(isdigit);
    SAME_CLASS(isgraph);
    SAME_CLASS(islower);
    SAME_CLASS(isprint);
    SAME_CLASS(ispunct);
    SAME_CLASS(isspace);
    SAME_CLASS(isupper);
    SAME_CLASS(isxdigit);
    SAME_CLASS(isascii);
    SAME_CLASS(toascii);
  }
}

static void errno_is_kept_until_something_may_have_set_it(void **state) {
  (void)state;
  world_begin(5);
  __tp_errno_is_stale = 0;
  *model___errno_location() = 7;
  assert_int_equal(*model___errno_location(), 7);
  __tp_errno_is_stale = 1;
  SCRIPT(34);
  static int seen;
  assert_true(POSSIBLE(seen = *model___errno_location()));
  assert_int_equal(seen, 34);
  assert_int_equal(*model___errno_location(), 34);
  static char *text;
  SCRIPT(10);
  assert_true(POSSIBLE(text = model_strerror(2)));
  assert_true(strlen(text) < 10);
  free(text);
}

char *__xpg_basename(char *path);
char *basename(const char *path);

/* Paths of slashes, points and letters. */
static void names_of_files_agree(void **state) {
  (void)state;
  world_begin(9);
  for (int i = 0; i < 20000; i++) {
    char ours[9], theirs[9];
    const size_t n = (size_t)below(sizeof ours - 1);
    for (size_t k = 0; k < n; k++) ours[k] = "//.ab"[below(5)];
    ours[n] = 0;
    assert_string_equal(model_basename(ours), basename(ours));
    memcpy(theirs, ours, sizeof ours);
    assert_string_equal(model___xpg_basename(ours), __xpg_basename(theirs));
    memcpy(ours, theirs, sizeof ours);
    SCRIPT(0);  // two slashes at the start: they stay
    assert_string_equal(model_dirname(ours), dirname(theirs));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_files_agree),
      cmocka_unit_test(searches_agree),
      cmocka_unit_test(comparisons_agree),
      cmocka_unit_test(copies_agree),
      cmocka_unit_test(tokens_agree),
      cmocka_unit_test(characters_agree),
      cmocka_unit_test(errno_is_kept_until_something_may_have_set_it),
  };
  return cmocka_run_group_tests_name("libc/string", tests, NULL, NULL);
}

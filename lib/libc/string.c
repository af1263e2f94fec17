/* Strings and memory blocks: string.h, strings.h.
 *
 * The results of comparisons are the differences of the deciding bytes, as the
 * platform's library returns them. C promises the sign only, and compilers fold calls to
 * other numbers: where more than the sign can matter, front/ passes the result through
 * __tp_any_of_sign. Bytes are read
 * in order and not beyond the one that decides. Copies of blocks are single
 * operations of the verifier. */
#include "tp_model.h"

typedef unsigned char byte;

// --------------------------------------------------------------------- blocks

void *memcpy(void *to, const void *from, size_t n) {
  __builtin_memcpy(to, from, n);
  return to;
}

void *mempcpy(void *to, const void *from, size_t n) {
  __builtin_memcpy(to, from, n);
  return (byte *)to + n;
}

void *memmove(void *to, const void *from, size_t n) {
  __builtin_memmove(to, from, n);
  return to;
}

void *memset(void *to, int c, size_t n) {
  __builtin_memset(to, c, n);
  return to;
}

void bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

int memcmp(const void *a, const void *b, size_t n) {
  const byte *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) {
  const byte *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

void *memchr(const void *s, int c, size_t n) {
  const byte *x = s;
  for (size_t i = 0; i < n; i++)
    if (x[i] == (byte)c) return (void *)(x + i);
  return NULL;
}

void *memrchr(const void *s, int c, size_t n) {
  const byte *x = s;
  while (n > 0)
    if (x[--n] == (byte)c) return (void *)(x + n);
  return NULL;
}

void *memccpy(void *to, const void *from, int c, size_t n) {
  byte *x = to;
  const byte *y = from;
  for (size_t i = 0; i < n; i++) {
    x[i] = y[i];
    if (y[i] == (byte)c) return x + i + 1;
  }
  return NULL;
}

// -------------------------------------------------------------------- lengths

static size_t __tp_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strlen(const char *s) { return __tp_length(s); }

size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

// --------------------------------------------------------------------- copies

/* Byte i is about to be copied: objects overlap if one of them comes to the start of the other. */
#define CHECK_STEP(to, from, i) (__tp_check_apart((to) + (i), from), __tp_check_apart(to, (from) + (i)))

char *strcpy(char *to, const char *from) {
  for (size_t i = 0;; i++) {
    CHECK_STEP(to, from, i);
    if (!(to[i] = from[i])) return to;
  }
}

char *stpcpy(char *to, const char *from) {
  for (size_t i = 0;; i++) {
    CHECK_STEP(to, from, i);
    if (!(to[i] = from[i])) return to + i;
  }
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n; i++) {
    CHECK_STEP(to, from, i);
    if (!from[i]) break;
    to[i] = from[i];
  }
  for (; i < n; i++) {
    __tp_check_apart(to + i, from);
    to[i] = 0;
  }
  return to;
}

char *strcat(char *to, const char *from) {
  char *end = to + __tp_length(to);
  for (size_t i = 0;; i++) {
    CHECK_STEP(end, from, i);
    if (!(end[i] = from[i])) return to;
  }
}

char *strncat(char *to, const char *from, size_t n) {
  char *end = to + __tp_length(to);
  size_t i = 0;
  for (; i < n; i++) {
    CHECK_STEP(end, from, i);
    if (!from[i]) break;
    end[i] = from[i];
  }
  __tp_check_apart(end + i, from);
  end[i] = 0;
  return to;
}

static char *__tp_duplicate(const char *s, size_t n) {
  char *copy = malloc(n + 1);
  if (!copy) {
    __tp_errno_is_stale = 1;
    return NULL;
  }
  __builtin_memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *strdup(const char *s) { return __tp_duplicate(s, __tp_length(s)); }
char *__strdup(const char *s) { return __tp_duplicate(s, __tp_length(s)); }

char *strndup(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return __tp_duplicate(s, n);
}

// ---------------------------------------------------------------- comparisons

int __tp_any_of_sign(int difference);
int __tp_any_of_sign(int difference) {
  if (difference == 0) return 0;
  int any = __tp_env_int("~strcmp");
  __tp_assume(any != 0 && (any < 0) == (difference < 0));
  return any;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (byte)*a - (byte)*b;
}

int strcoll(const char *a, const char *b) {               // the C locale
  while (*a && *a == *b) a++, b++;
  return (byte)*a - (byte)*b;
}

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0; n--, a++, b++)
    if (!*a || *a != *b) return (byte)*a - (byte)*b;
  return 0;
}

static int __tp_lower(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (byte)c; }

int strcasecmp(const char *a, const char *b) {
  while (*a && __tp_lower(*a) == __tp_lower(*b)) a++, b++;
  return __tp_lower(*a) - __tp_lower(*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n > 0; n--, a++, b++)
    if (!*a || __tp_lower(*a) != __tp_lower(*b)) return __tp_lower(*a) - __tp_lower(*b);
  return 0;
}

// ------------------------------------------------------------------- searches

static char *__tp_find(const char *s, char c) {
  for (;; s++) {
    if (*s == c) return (char *)s;
    if (!*s) return NULL;
  }
}

static char *__tp_find_last(const char *s, char c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (char *)last;
  }
}

char *strchr(const char *s, int c) { return __tp_find(s, (char)c); }
char *index(const char *s, int c) { return __tp_find(s, (char)c); }
char *strrchr(const char *s, int c) { return __tp_find_last(s, (char)c); }
char *rindex(const char *s, int c) { return __tp_find_last(s, (char)c); }

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

char *strstr(const char *text, const char *what) {
  for (;; text++) {
    size_t i = 0;
    while (what[i] && text[i] == what[i]) i++;
    if (!what[i]) return (char *)text;
    if (!*text) return NULL;
  }
}

/* Length of the start of s whose characters are all in set (or all not in it). */
static size_t __tp_span(const char *s, const char *set, _Bool is_in) {
  size_t n = 0;
  while (s[n] && (__tp_find(set, s[n]) != NULL) == is_in) n++;
  return n;
}

size_t strspn(const char *s, const char *set) { return __tp_span(s, set, 1); }
size_t strcspn(const char *s, const char *set) { return __tp_span(s, set, 0); }

char *strpbrk(const char *s, const char *set) {
  s += __tp_span(s, set, 0);
  return *s ? (char *)s : NULL;
}

static char *__tp_token(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  s += __tp_span(s, set, 1);
  if (!*s) {
    *rest = s;
    return NULL;
  }
  char *end = s + __tp_span(s, set, 0);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}

char *strtok_r(char *s, const char *set, char **rest) { return __tp_token(s, set, rest); }

char *strtok(char *s, const char *set) {
  static char *rest;
  __tp_check_defined(s || rest, "strtok goes on with a string that there never was");
  return __tp_token(s, set, &rest);
}

char *strsep(char **s, const char *set) {
  char *start = *s;
  if (!start) return NULL;
  char *end = start + __tp_span(start, set, 0);
  if (*end) {
    *end = 0;
    *s = end + 1;
  } else {
    *s = NULL;
  }
  return start;
}

// --------------------------------------------------------------------- errors

/* Some text of unknown length. */
static char *__tp_error_text(void) {
  unsigned long n = __tp_env_ulong("~strerror");
  __tp_assume(n > 0 && n < 1024);
  char *text = __tp_new_global("strerror", n);
  __tp_env_bytes("~strerror", text, n);
  text[n - 1] = 0;
  return text;
}
char *strerror(int error) { return (void)error, __tp_error_text(); }
char *strsignal(int number) { return (void)number, __tp_error_text(); }
/* What fits; the GNU one may give a text of its own instead. */
static void __tp_fill_error(char *to, size_t n) {
  if (n == 0) return;
  __tp_env_bytes("~strerror", to, n);
  size_t end = __tp_env_ulong("~strerror");
  __tp_assume(end < n);
  to[end] = 0;
}
char *strerror_r(int error, char *to, size_t n) {
  (void)error;
  if (__tp_env_bool("~strerror")) return __tp_error_text();
  __tp_fill_error(to, n);
  return to;
}
int __xpg_strerror_r(int error, char *to, size_t n) {
  (void)error;
  __tp_fill_error(to, n);
  int failed = __tp_env_int("~strerror");
  __tp_assume(failed >= 0);
  return failed;
}

/* The name behind the last slash (basename of string.h); that of libgen.h and dirname cut slashes off. */
char *basename(const char *path) {
  const char *name = path;
  for (; *path; path++)
    if (*path == '/') name = path + 1;
  return (char *)(uintptr_t)name;
}
static char *__tp_point(void) {
  static char point[] = ".";
  return point;
}
/* Where the text without slashes at its end ends. */
static size_t __tp_without_slashes(const char *path, size_t n) {
  while (n > 1 && path[n - 1] == '/') n--;
  return n;
}
char *__xpg_basename(char *path) {
  size_t n = 0, start;
  if (!path || !*path) return __tp_point();
  while (path[n]) n++;
  size_t end = __tp_without_slashes(path, n);
  if (end == 1 && path[0] == '/') return path + n - 1;  // slashes only: the last one
  if (end < n) path[end] = 0;
  for (start = end; start > 0 && path[start - 1] != '/'; start--) continue;
  return path + start;
}
char *dirname(char *path) {
  size_t n = 0;
  if (!path || !*path) return __tp_point();
  while (path[n]) n++;
  n = __tp_without_slashes(path, n);
  while (n > 0 && path[n - 1] != '/') n--;
  if (n == 0) return __tp_point();
  n = __tp_without_slashes(path, n);
  if (n == 1 && path[1] == '/' && path[2] != '/') n = __tp_env_bool("~dirname") ? 1 : 2;  // two slashes may mean something
  path[n] = 0;
  return path;
}

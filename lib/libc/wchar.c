/* Wide strings and blocks of wide characters: wchar.h.
 *
 * Wide characters compare as numbers. Of the results of comparisons C promises the sign only; where
 * more can matter, front/ passes the result through __tp_any_of_sign. Characters are read in order
 * and not beyond the one that decides. What depends on the locale is not here. */
#include "tp_model.h"

/* Of string.c, which is linked wherever this file is. */
int __tp_any_of_sign(int difference);
int (*const __tp_wide_magnitude)(int) = __tp_any_of_sign;

static int __tp_order(wchar_t a, wchar_t b) { return (a > b) - (a < b); }

// --------------------------------------------------------------------- blocks

/* A size that no object has stands for one that does not fit. */
static size_t __tp_wide_bytes(size_t n) {
  size_t bytes;
  return __builtin_mul_overflow(n, sizeof(wchar_t), &bytes) ? SIZE_MAX : bytes;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
  __builtin_memcpy(to, from, __tp_wide_bytes(n));
  return to;
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) {
  __builtin_memcpy(to, from, __tp_wide_bytes(n));
  return to + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  __builtin_memmove(to, from, __tp_wide_bytes(n));
  return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return __tp_order(a[i], b[i]);
  return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t *)(s + i);
  return NULL;
}

// -------------------------------------------------------------------- lengths

static size_t __tp_wide_length(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t wcslen(const wchar_t *s) { return __tp_wide_length(s); }

size_t wcsnlen(const wchar_t *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

// --------------------------------------------------------------------- copies

/* Character i is about to be copied: objects overlap if one of them comes to the start of the other. */
#define CHECK_STEP(to, from, i) (__tp_check_apart((to) + (i), from), __tp_check_apart(to, (from) + (i)))

/* Copies the string with its end, and gives the address of the copied end. */
static wchar_t *__tp_wide_copy(wchar_t *to, const wchar_t *from) {
  for (size_t i = 0;; i++) {
    CHECK_STEP(to, from, i);
    if (!(to[i] = from[i])) return to + i;
  }
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  __tp_wide_copy(to, from);
  return to;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) { return __tp_wide_copy(to, from); }

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  __tp_wide_copy(to + __tp_wide_length(to), from);
  return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
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

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
  wchar_t *end = to + __tp_wide_length(to);
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

wchar_t *wcsdup(const wchar_t *s) {
  size_t bytes = (__tp_wide_length(s) + 1) * sizeof(wchar_t);
  wchar_t *copy = malloc(bytes);
  if (!copy) {
    __tp_errno_is_stale = 1;
    return NULL;
  }
  __builtin_memcpy(copy, s, bytes);
  return copy;
}

// ---------------------------------------------------------------- comparisons

int wcscmp(const wchar_t *a, const wchar_t *b) {
  while (*a && *a == *b) a++, b++;
  return __tp_order(*a, *b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n > 0; n--, a++, b++)
    if (!*a || *a != *b) return __tp_order(*a, *b);
  return 0;
}

// ------------------------------------------------------------------- searches

static wchar_t *__tp_wide_find(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) { return __tp_wide_find(s, c); }

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = NULL;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (wchar_t *)last;
  }
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
  while (*s && *s != c) s++;
  return (wchar_t *)s;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *what) {
  for (;; text++) {
    size_t i = 0;
    while (what[i] && text[i] == what[i]) i++;
    if (!what[i]) return (wchar_t *)text;
    if (!*text) return NULL;
  }
}

/* Length of the start of s whose characters are all in set (or all not in it). */
static size_t __tp_wide_span(const wchar_t *s, const wchar_t *set, _Bool is_in) {
  size_t n = 0;
  while (s[n] && (__tp_wide_find(set, s[n]) != NULL) == is_in) n++;
  return n;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set) { return __tp_wide_span(s, set, 1); }
size_t wcscspn(const wchar_t *s, const wchar_t *set) { return __tp_wide_span(s, set, 0); }

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
  s += __tp_wide_span(s, set, 0);
  return *s ? (wchar_t *)s : NULL;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  s += __tp_wide_span(s, set, 1);
  if (!*s) {
    *rest = NULL;
    return NULL;
  }
  wchar_t *end = s + __tp_wide_span(s, set, 0);
  *rest = *end ? end + 1 : NULL;
  *end = 0;
  return s;
}

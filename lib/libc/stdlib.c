/* Numbers, sorting, memory, the end of the program: stdlib.h, inttypes.h.
 *
 * qsort compares in the order of the platform's merge sort (halves first, then
 * the merge, stable), so that also a comparison with side effects is right; it
 * moves elements in place instead of through a buffer. */
#include "tp_model.h"

#include <errno.h>

// -------------------------------------------------------------------- integers

#define ABSOLUTE(type, name, min)                             \
  type name(type x) {                                         \
    __tp_check_overflow(x != (min), "overflow in " #name);    \
    return x < 0 ? -x : x;                                    \
  }
ABSOLUTE(int, abs, INT_MIN)
ABSOLUTE(long, labs, LONG_MIN)
ABSOLUTE(long long, llabs, LLONG_MIN)
ABSOLUTE(intmax_t, imaxabs, INTMAX_MIN)

#define QUOTIENT(type, name, result, min)                                  \
  typedef struct { type quot, rem; } result;                               \
  result name(type a, type b) {                                            \
    __tp_check_defined(b != 0, "division by zero in " #name);              \
    __tp_check_overflow(a != (min) || b != -1, "overflow in " #name);      \
    return (result){a / b, a % b};                                         \
  }
QUOTIENT(int, div, div_t, INT_MIN)
QUOTIENT(long, ldiv, ldiv_t, LONG_MIN)
QUOTIENT(long long, lldiv, lldiv_t, LLONG_MIN)

static int __tp_digit(char c, int base) {
  int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
  return d < base ? d : -1;
}

static _Bool __tp_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The number at s: magnitude (cut at max), sign, and where it ends (s if there is none). */
static unsigned long long __tp_parse(const char *s, char **end, int base, unsigned long long max, _Bool *is_negative, _Bool *is_cut) {
  const char *p = s, *start;
  unsigned long long value = 0;
  *is_negative = *is_cut = 0;
  if (end) *end = (char *)s;
  if (base < 0 || base == 1 || base > 36) {
    __tp_errno_is_stale = 1;
    return 0;
  }
  while (__tp_is_space(*p)) p++;
  if (*p == '-' || *p == '+') *is_negative = *p++ == '-';
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && __tp_digit(p[2], 16) >= 0) p += 2, base = 16;
  else if (base == 0) base = *p == '0' ? 8 : 10;
  for (start = p; __tp_digit(*p, base) >= 0; p++) {
    unsigned digit = (unsigned)__tp_digit(*p, base);
    if (value > (max - digit) / (unsigned)base) *is_cut = 1;
    else value = value * (unsigned)base + digit;
  }
  if (p != start && end) *end = (char *)p;
  if (*is_cut) __tp_set_errno(ERANGE);
  return *is_cut ? max : value;
}

static long long __tp_to_signed(const char *s, char **end, int base, unsigned long long max) {
  _Bool is_negative, is_cut;
  unsigned long long v = __tp_parse(s, end, base, max + 1, &is_negative, &is_cut);
  if (is_negative) return (long long)(0 - v);
  if (v > max) __tp_set_errno(ERANGE);
  return (long long)(v > max ? max : v);
}

static unsigned long long __tp_to_unsigned(const char *s, char **end, int base, unsigned long long max) {
  _Bool is_negative, is_cut;
  unsigned long long v = __tp_parse(s, end, base, max, &is_negative, &is_cut);
  return is_negative && !is_cut ? 0 - v : v;
}

long strtol(const char *s, char **end, int base) { return (long)__tp_to_signed(s, end, base, LONG_MAX); }
long long strtoll(const char *s, char **end, int base) { return __tp_to_signed(s, end, base, LLONG_MAX); }
intmax_t strtoimax(const char *s, char **end, int base) { return __tp_to_signed(s, end, base, INTMAX_MAX); }
unsigned long strtoul(const char *s, char **end, int base) { return (unsigned long)__tp_to_unsigned(s, end, base, ULONG_MAX); }
unsigned long long strtoull(const char *s, char **end, int base) { return __tp_to_unsigned(s, end, base, ULLONG_MAX); }
uintmax_t strtoumax(const char *s, char **end, int base) { return __tp_to_unsigned(s, end, base, UINTMAX_MAX); }
int atoi(const char *s) { return (int)__tp_to_signed(s, NULL, 10, LONG_MAX); }
long atol(const char *s) { return (long)__tp_to_signed(s, NULL, 10, LONG_MAX); }
long long atoll(const char *s) { return __tp_to_signed(s, NULL, 10, LLONG_MAX); }

/* Any number, read from any start of the text. */
static double __tp_to_double(const char *s, char **end) {
  unsigned long length = 0, used = __tp_env_ulong("~strtod");
  while (s[length]) length++;
  __tp_assume(used <= length);
  if (end) *end = (char *)s + used;
  __tp_errno_is_stale = 1;
  return used ? __tp_env_double("~strtod") : 0.0;
}

double strtod(const char *s, char **end) { return __tp_to_double(s, end); }
double atof(const char *s) { return __tp_to_double(s, NULL); }
float strtof(const char *s, char **end) { return (float)__tp_to_double(s, end); }

// -------------------------------------------------------------- random numbers

/* The same seed gives the same numbers again (C11 7.22.2.2): once a sequence is started behind another, only the library knows them. */
static _Bool __tp_numbers_drawn, __tp_numbers_repeat;
static void __tp_seed(void) { __tp_numbers_repeat |= __tp_numbers_drawn; }
static int __tp_any_random(void) {
  __tp_numbers_drawn = 1;
  return __tp_numbers_repeat ? __tp_env_int("~rand") : __tp_env_int("rand");
}
static int __tp_random(void) {
  int n = __tp_any_random();
  __tp_assume(n >= 0);
  return n;
}

int rand(void) { return __tp_random(); }
long random(void) { return __tp_random(); }
long lrand48(void) { return __tp_random(); }
long mrand48(void) { return __tp_any_random(); }
void srand(unsigned seed) { (void)seed, __tp_seed(); }
void srandom(unsigned seed) { (void)seed, __tp_seed(); }
void srand48(long seed) { (void)seed, __tp_seed(); }
int rand_r(unsigned *seed) {                               // a function of the seed
  *seed = __tp_env_uint("~rand");
  int n = __tp_env_int("~rand");
  __tp_assume(n >= 0);
  return n;
}
double drand48(void) {
  __tp_numbers_drawn = 1;
  double x = __tp_numbers_repeat ? __tp_env_double("~rand") : __tp_env_double("rand");
  __tp_assume(x >= 0.0 && x < 1.0);
  return x;
}

// --------------------------------------------------------- sorting, searching

typedef int (*comparison)(const void *, const void *);

/* Merge two sorted neighbours of n1 and n2 elements. */
static void __tp_merge(char *first, size_t n1, size_t n2, size_t size, comparison compare) {
  char *second = first + n1 * size, moved[size];
  while (n1 > 0 && n2 > 0) {
    if (compare(first, second) <= 0) {
      n1--;
    } else {                                               // the second goes in front of the first
      __builtin_memcpy(moved, second, size);
      __builtin_memmove(first + size, first, n1 * size);
      __builtin_memcpy(first, moved, size);
      second += size;
      n2--;
    }
    first += size;
  }
}

typedef struct {
  char *base;
  size_t n;
  int stage;                   // 0: left half, 1: right half, 2: merge
} part;

/* Merge sort from the top, with its own stack: halves of halves end after 64 levels. */
void qsort(void *base, size_t n, size_t size, comparison compare) {
  part stack[65];
  int depth = 0;
  __tp_assumption("qsort keeps the order of elements that compare equal");
  if (size == 0) return;
  stack[0] = (part){base, n, 0};
  while (depth >= 0) {
    part *top = &stack[depth];
    size_t half = top->n / 2;
    if (top->n <= 1) {
      depth--;
    } else if (top->stage == 0) {
      top->stage = 1;
      stack[++depth] = (part){top->base, half, 0};
    } else if (top->stage == 1) {
      top->stage = 2;
      stack[++depth] = (part){top->base + half * size, top->n - half, 0};
    } else {
      __tp_merge(top->base, half, top->n - half, size, compare);
      depth--;
    }
  }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, comparison compare) {
  size_t low = 0, high = n;
  __tp_assumption("bsearch finds the middle one first of elements that compare equal");
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *at = (const char *)base + middle * size;
    int order = compare(key, at);
    if (order == 0) return (void *)at;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}

// ---------------------------------------------------------------------- memory

void *realloc(void *p, size_t n) {
  if (!p) return malloc(n);
  __tp_check_free(p);
  if (n == 0) {
    free(p);
    return NULL;
  }
  void *q = malloc(n);
  if (!q) {
    __tp_errno_is_stale = 1;
    return NULL;
  }
  size_t old = __tp_object_size(p);
  __builtin_memcpy(q, p, old < n ? old : n);
  free(p);
  return q;
}

void *reallocarray(void *p, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    __tp_errno_is_stale = 1;
    return NULL;
  }
  if (!p) return malloc(bytes);
  __tp_check_free(p);
  if (bytes == 0) {
    free(p);
    return NULL;
  }
  void *q = malloc(bytes);
  if (!q) return NULL;
  size_t old = __tp_object_size(p);
  __builtin_memcpy(q, p, old < bytes ? old : bytes);
  free(p);
  return q;
}

/* Alignment beyond that of malloc is a fact about addresses that we do not promise. */
void *aligned_alloc(size_t alignment, size_t n) {
  (void)alignment;
  return malloc(n);
}
void *memalign(size_t alignment, size_t n) {
  (void)alignment;
  return malloc(n);
}
void *valloc(size_t n) { return malloc(n); }
int posix_memalign(void **p, size_t alignment, size_t n) {
  (void)alignment;
  void *q = malloc(n);
  if (!q) return 12;                                       // ENOMEM
  *p = q;
  return 0;
}

// ------------------------------------------------- environment, end of program

/* A text of any length, which stays; or none. Two calls may ask for one name: only the library knows what a later call gives. */
static _Bool was_asked;
static char *__tp_environment(const char *name) {
  const _Bool is_later = was_asked;
  was_asked = 1;
  __tp_touch(name);
  if (!(is_later ? __tp_env_bool("~getenv") : __tp_env_bool("getenv"))) return NULL;
  unsigned long n = __tp_env_ulong("getenv");
  __tp_assume(n > 0 && n < ULONG_MAX / 2);
  char *text = __tp_new_global("getenv", n);
  __tp_env_bytes("getenv", text, n);
  text[n - 1] = 0;
  return text;
}

char *getenv(const char *name) { return __tp_environment(name); }
char *secure_getenv(const char *name) { return __tp_environment(name); }
static int __tp_change_environment(const char *name) {
  was_asked = 1;
  __tp_touch(name);
  __tp_errno_is_stale = 1;
  return __tp_env_bool("~setenv") ? -1 : 0;
}
int setenv(const char *name, const char *value, int overwrite) {
  (void)overwrite;
  __tp_touch(value);
  return __tp_change_environment(name);
}
int unsetenv(const char *name) { return __tp_change_environment(name); }
int clearenv(void) {
  was_asked = 1;
  return __tp_env_bool("~setenv") ? -1 : 0;
}

int system(const char *command) {
  if (command) __tp_touch(command);
  __tp_writes_files = 1;
  __tp_errno_is_stale = 1;
  return __tp_env_int("system");
}

enum { MAX_HANDLERS = 64 };
static void (*handlers[MAX_HANDLERS])(void);
static int n_handlers;

int atexit(void (*handler)(void)) {
  if (n_handlers == MAX_HANDLERS) __tp_unsupported("more than 64 functions registered with atexit");
  handlers[n_handlers++] = handler;
  return 0;
}

void __tp_run_atexit(void) {
  while (n_handlers > 0) handlers[--n_handlers]();
}

_Noreturn void _Exit(int status) { __tp_end(status); }
_Noreturn void _exit(int status) { __tp_end(status); }
_Noreturn void quick_exit(int status) { __tp_end(status); }

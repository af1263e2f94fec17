/* What the harness checks: arguments of library functions, jumps, heap memory.
 *
 * No sanitizer watches these. A library function is wrapped by the linker, so that its arguments
 * are checked before the call; heap blocks are counted where the text of the program allocates
 * them, or the C library for the program; the site of a jump to an address without code is read
 * from the stack. */
#include "certify/runs/native_replay_priv.h"

// Made by the Makefile from lib/harness.
static const char *const arguments[] = {
#include "certify/runs/arguments.inc"
};
static const char *const jumps[] = {
#include "certify/runs/jumps.inc"
};
static const char *const heap[] = {
#include "certify/runs/heap.inc"
};
static const char *const frees[] = {
#include "certify/runs/frees.inc"
};
static const char *const copies[] = {
#include "certify/runs/copies.inc"
};
#define ADD_LINES(lines) tp_chk_harness_add(lines, sizeof lines / sizeof *lines, out)

#define CHECKS_ABSOLUTE "tp_represented(!IS_MIN(x), SITE)"
#define CHECKS_QUOTIENT "tp_divisor(b == 0, SITE), tp_represented(!IS_MIN(a) || b != -1, SITE)"

/* The first N_OVERFLOWING are watched for no-overflow, too. */
enum { N_OVERFLOWING = 7 };
static const struct {
  const char *name, *result, *parameters, *check, *arguments;
} wrapped[] = {
    {"abs", "int", "(int x)", CHECKS_ABSOLUTE, "(x)"},
    {"labs", "long", "(long x)", CHECKS_ABSOLUTE, "(x)"},
    {"llabs", "long long", "(long long x)", CHECKS_ABSOLUTE, "(x)"},
    {"imaxabs", "__INTMAX_TYPE__", "(__INTMAX_TYPE__ x)", CHECKS_ABSOLUTE, "(x)"},
    {"div", "struct tp_div", "(int a, int b)", CHECKS_QUOTIENT, "(a, b)"},
    {"ldiv", "struct tp_ldiv", "(long a, long b)", CHECKS_QUOTIENT, "(a, b)"},
    {"lldiv", "struct tp_lldiv", "(long long a, long long b)", CHECKS_QUOTIENT, "(a, b)"},
    {"memcpy", "void *", "(void *to, const void *from, tp_size n)",
     "tp_not_null(to, SITE), tp_not_null(from, SITE);\n  if (to != from) tp_apart(to, n, from, n, "
     "SITE)",
     "(to, from, n)"},
    {"mempcpy", "void *", "(void *to, const void *from, tp_size n)",
     "tp_not_null(to, SITE), tp_not_null(from, SITE);\n  if (to != from) tp_apart(to, n, from, n, "
     "SITE)",
     "(to, from, n)"},
    {"memmove", "void *", "(void *to, const void *from, tp_size n)",
     "tp_not_null(to, SITE), tp_not_null(from, SITE)", "(to, from, n)"},
    {"memset", "void *", "(void *to, int c, tp_size n)", "tp_not_null(to, SITE)", "(to, c, n)"},
    {"strtok", "char *", "(char *s, const char *set)",
     "static int is_started;\n  if (!s && !is_started) tp_violated_at(\"there is no string to go "
     "on with\", 0, SITE);\n  is_started = 1",
     "(s, set)"},
    {"strcpy", "char *", "(char *to, const char *from)",
     "tp_apart(to, tp_length(from) + 1, from, tp_length(from) + 1, SITE)", "(to, from)"},
    {"stpcpy", "char *", "(char *to, const char *from)",
     "tp_apart(to, tp_length(from) + 1, from, tp_length(from) + 1, SITE)", "(to, from)"},
    {"strncpy", "char *", "(char *to, const char *from, tp_size n)",
     "tp_size m = tp_length_within(from, n);\n  tp_apart(to, n, from, m < n ? m + 1 : n, SITE)",
     "(to, from, n)"},
    {"strcat", "char *", "(char *to, const char *from)",
     "tp_apart(to + tp_length(to), tp_length(from) + 1, from, tp_length(from) + 1, SITE)",
     "(to, from)"},
    {"strncat", "char *", "(char *to, const char *from, tp_size n)",
     "tp_size m = tp_length_within(from, n);\n  tp_apart(to + tp_length(to), m + 1, from, m < n ? "
     "m + 1 : n, SITE)",
     "(to, from, n)"}};

static const char *const of_characters[] = {"isalnum", "isalpha",  "isblank", "iscntrl", "isdigit",
                                            "isgraph", "islower",  "isprint", "ispunct", "isspace",
                                            "isupper", "isxdigit", "tolower", "toupper"};

/* Functions of the C library that allocate for the program. Their models, where they are linked,
 * are text of the program. */
#define GIVES(name, parameters, arguments)                                               \
  {name, "extern void *__real_" name parameters ";\nQUIET void *__wrap_" name parameters \
         " { return tp_given(__real_" name arguments "); }\n"}
#define GIVES_LINE(name, parameters, arguments)                                        \
  {name, "extern long __real_" name parameters ";\nQUIET long __wrap_" name parameters \
         " {\n  char *old = *to;\n  long n = __real_" name arguments                   \
         ";\n  tp_untrack(old);\n  tp_given(*to);\n  return n;\n}\n"}
#define GIVES_TEXT(name, parameters, before)                                                  \
  {name,                                                                                      \
   "extern int __vasprintf_chk(char **, int, const char *, __builtin_va_list);\n"             \
   "QUIET int __wrap_" name parameters " {\n" before                                          \
   "  int n = __vasprintf_chk(to, 0, format, list);\n  if (n >= 0) tp_given(*to);\n  return " \
   "n;\n}\n"}
static const struct {
  const char *name, *text;
} allocating[] = {
    GIVES("strdup", "(const char *s)", "(s)"),
    GIVES("__strdup", "(const char *s)", "(s)"),
    GIVES("strndup", "(const char *s, tp_size n)", "(s, n)"),
    GIVES("wcsdup", "(const void *s)", "(s)"),
    GIVES("aligned_alloc", "(tp_size alignment, tp_size n)", "(alignment, n)"),
    GIVES("memalign", "(tp_size alignment, tp_size n)", "(alignment, n)"),
    GIVES("valloc", "(tp_size n)", "(n)"),
    {"posix_memalign",
     "extern int __real_posix_memalign(void **, tp_size, tp_size);\n"
     "QUIET int __wrap_posix_memalign(void **to, tp_size alignment, tp_size n) {\n"
     "  int failed = __real_posix_memalign(to, alignment, n);\n"
     "  if (!failed) tp_given(*to);\n  return failed;\n}\n"},
    {"reallocarray",
     "QUIET void *__wrap_reallocarray(void *p, tp_size k, tp_size n) {\n  tp_size bytes;\n"
     "  return __builtin_mul_overflow(k, n, &bytes) ? 0 : realloc(p, bytes);\n}\n"},
    GIVES_LINE("getline", "(char **to, tp_size *size, void *from)", "(to, size, from)"),
    GIVES_LINE("getdelim", "(char **to, tp_size *size, int end, void *from)",
               "(to, size, end, from)"),
    GIVES_TEXT("asprintf", "(char **to, const char *format, ...)",
               "  __builtin_va_list list;\n  __builtin_va_start(list, format);\n"),
    GIVES_TEXT("vasprintf", "(char **to, const char *format, __builtin_va_list list)", "")};
enum { N_ALLOCATING = sizeof allocating / sizeof *allocating };

enum {
  N_WRAPPED = sizeof wrapped / sizeof *wrapped,
  N_OF_CHARACTERS = sizeof of_characters / sizeof *of_characters
};

/* The i-th of those that allocate, as in tp_chk_harness_wrapped. */
static const char *wrapped_allocating(const tp_chk_native_request *r, size_t i) {
  if (i >= N_ALLOCATING || r->n_models > 0) return NULL;
  const char *name = allocating[i].name;
  return tp_chk_harness_is_own(r->program, name) ? "" : name;
}

const char *tp_chk_harness_wrapped(const tp_chk_native_request *r, size_t i) {
  const tp_chk_wraps wraps = tp_chk_detector_of(r)->wraps;
  if (wraps == TP_CHK_WRAPS_ALLOCATING) return wrapped_allocating(r, i);
  if (wraps == TP_CHK_WRAPS_COPIES) return i ? NULL : "__asan_memcpy";  // clang's name
  if (wraps == TP_CHK_WRAPS_FREE)
    return i ? NULL : tp_chk_harness_is_own(r->program, "free") ? "" : "free";
  const size_t n = wraps == TP_CHK_WRAPS_ALL           ? N_WRAPPED + N_OF_CHARACTERS
                   : wraps == TP_CHK_WRAPS_OVERFLOWING ? N_OVERFLOWING
                                                       : 0;
  if (i >= n) return NULL;
  const char *name = i < N_WRAPPED ? wrapped[i].name : of_characters[i - N_WRAPPED];
  return tp_chk_harness_is_own(r->program, name) ? "" : name;
}

/* Behind the text that counts blocks. */
static void write_allocating(const tp_chk_native_request *r, tp_str *out) {
  const char *name;
  for (size_t i = 0; (name = wrapped_allocating(r, i)) != NULL; i++)
    if (*name) tp_str_add(out, allocating[i].text);
}

static void write_wrappers(const tp_chk_native_request *r, tp_str *out) {
  const char *first = tp_chk_harness_wrapped(r, 0);
  if (!first) return;
  switch (tp_chk_detector_of(r)->wraps) {
    case TP_CHK_WRAPS_FREE:
      if (*first) ADD_LINES(frees);
      return;
    case TP_CHK_WRAPS_COPIES: ADD_LINES(copies); return;
    case TP_CHK_WRAPS_NOTHING:
    case TP_CHK_WRAPS_ALLOCATING:
    case TP_CHK_WRAPS_OVERFLOWING:
    case TP_CHK_WRAPS_ALL: break;
  }
  ADD_LINES(arguments);
  const char *name;
  for (size_t i = 0; (name = tp_chk_harness_wrapped(r, i)) != NULL; i++) {
    if (!*name) continue;
    if (i < N_WRAPPED)
      tp_str_printf(
          out, "extern %s __real_%s%s;\nQUIET %s __wrap_%s%s {\n  %s;\n  return __real_%s%s;\n}\n",
          wrapped[i].result, name, wrapped[i].parameters, wrapped[i].result, name,
          wrapped[i].parameters, wrapped[i].check, name, wrapped[i].arguments);
    else
      tp_str_printf(out,
                    "extern int __real_%s(int);\nQUIET int __wrap_%s(int c) {\n  tp_character(c, "
                    "SITE);\n  return __real_%s(c);\n}\n",
                    name, name, name);
  }
  tp_str_add(out, "\n");
}

void tp_chk_harness_write_checks(const tp_chk_native_request *r, tp_str *out) {
  tp_str_printf(out, "enum { TP_CHECKS_UNDEFINED = %d, TP_CHECKS_CLEANUP = %d };\n",
                r->violated == TP_P_UNDEFINED, r->violated == TP_P_VALID_MEMCLEANUP);
  if (r->violated == TP_P_VALID_DEREF) ADD_LINES(jumps);
  if (tp_chk_detector_of(r)->wraps != TP_CHK_WRAPS_ALLOCATING) {
    write_wrappers(r, out);
    return;
  }
  ADD_LINES(heap);
  write_allocating(r, out);
}

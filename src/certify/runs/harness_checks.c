/* What the harness checks: arguments of library functions, jumps, heap memory.
 *
 * No sanitizer watches these. A library function is wrapped by the linker, so that its arguments
 * are checked before the call; heap blocks are counted where the text of the program allocates
 * them; the site of a jump to an address without code is read from the stack. */
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

enum {
  N_WRAPPED = sizeof wrapped / sizeof *wrapped,
  N_OF_CHARACTERS = sizeof of_characters / sizeof *of_characters
};

const char *tp_chk_harness_wrapped(const tp_chk_native_request *r, size_t i) {
  const tp_chk_wraps wraps = tp_chk_detector_of(r)->wraps;
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

static void write_wrappers(const tp_chk_native_request *r, tp_str *out) {
  const char *first = tp_chk_harness_wrapped(r, 0);
  if (!first) return;
  switch (tp_chk_detector_of(r)->wraps) {
    case TP_CHK_WRAPS_FREE:
      if (*first) ADD_LINES(frees);
      return;
    case TP_CHK_WRAPS_COPIES: ADD_LINES(copies); return;
    case TP_CHK_WRAPS_NOTHING:
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
  write_wrappers(r, out);
  if (r->violated == TP_P_VALID_MEMTRACK || r->violated == TP_P_VALID_MEMCLEANUP) ADD_LINES(heap);
}

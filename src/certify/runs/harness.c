/* The harness: a C file that plays the world around the program under test.
 *
 * It defines every function that asked for an input in the recorded run (and stubs for functions
 * that nobody defines), gives the answers in the recorded order, and checks that the compiled
 * program asks the same questions: another name means that its run is not the recorded one.
 * What models of library functions asked for is answered to the same models, which are then linked.
 * The file stands on its own: `cc -finstrument-functions program.c harness.c && ./a.out; echo $?`.
 */
#include "certify/runs/native_replay_priv.h"
#include "certify/runs/native_monitors.h"

#include <dlfcn.h>
#include <link.h>

/* Statuses of a native run. */
static const char prologue[] =
    "/* Test harness: answers the program's questions from a vector of inputs.\n"
    " * Exit status: 107 the property is violated, 108 the program asked something else than "
    "recorded,\n"
    " * 109 it asked more, 110 it left the assumptions. No header is included, so that any "
    "function of\n"
    " * the C library can be played. */\n"
    "#define QUIET __attribute__((no_instrument_function))\n"
    "typedef unsigned long long tp_u64;\n"
    "typedef __SIZE_TYPE__ tp_size;\n"
    "typedef __UINTPTR_TYPE__ tp_word;\n"
    "extern long tp_system_call(long, ...) __asm__(\"syscall\");\n"
    "#ifdef __x86_64__\n"
    "enum { TP_WRITE = 1, TP_EXIT = 231 };\n"
    "#else\n"
    "enum { TP_WRITE = 4, TP_EXIT = 252 };\n"
    "#endif\n"
    "\n"
    "QUIET static void tp_say(const char *text) {\n"
    "  long n = 0;\n"
    "  while (text[n]) n++;\n"
    "  tp_system_call(TP_WRITE, 2l, text, n);\n"
    "}\n"
    "\n"
    "QUIET static void tp_end(int status, const char *text, const char *more) {\n"
    "  tp_say(\"twoproof: \");\n"
    "  tp_say(text);\n"
    "  tp_say(more);\n"
    "  tp_say(\"\\n\");\n"
    "  for (;;) tp_system_call(TP_EXIT, (long)status);\n"
    "}\n"
    "QUIET static void tp_say_hex(tp_u64 x) {\n"
    "  char text[18] = \" \";\n"
    "  for (int i = 0; i < 16; i++) text[1 + i] = \"0123456789abcdef\"[x >> (60 - 4 * i) & 15];\n"
    "  tp_say(text);\n"
    "}\n"
    "/* The property is violated; entered: the function that was entered, or 0; site: behind the "
    "call in the program. */\n"
    "QUIET static void tp_violated_at(const char *what, void *entered, void *site) {\n"
    "  tp_say(\"twoproof run: site\");\n"
    "  tp_say_hex((tp_word)site);\n"
    "  if (entered) tp_say_hex((tp_word)entered + 1);\n"
    "  tp_say(\"\\n\");\n"
    "  tp_end(107, \"violated: \", what);\n"
    "}\n"
    "QUIET int tp_violated(const char *what) {\n"
    "  tp_violated_at(what, 0, __builtin_return_address(0));\n"
    "  return 0;\n"
    "}\n\n";

static const char ending[] =
    "extern void tp_abort(void) __asm__(\"abort\");\n"
    "/* An error function, or an assertion that fails: what is asked about, or the end of the "
    "program. */\n"
    "QUIET void tp_failed(const char *what, void *site) {\n"
    "  if (TP_CHECKS_REACH) tp_violated_at(what, 0, site);\n"
    "  tp_abort();\n"
    "}\n\n";

static const char reader[] =
    "static unsigned long tp_asked;\n"
    "QUIET static struct tp_input tp_next(const char *who) {\n"
    "  if (tp_asked == sizeof tp_inputs / sizeof *tp_inputs - 1) tp_end(109, \"no input left for "
    "\", who);\n"
    "  struct tp_input in = tp_inputs[tp_asked++];\n"
    "  for (int i = 0;; i++) {\n"
    "    if (in.who[i] != who[i]) {\n"
    "      tp_say(\"twoproof: recorded question: \");\n"
    "      tp_say(in.who);\n"
    "      tp_say(\"\\n\");\n"
    "      tp_end(108, \"the program asked \", who);\n"
    "    }\n"
    "    if (who[i]) continue;\n"
    "    if (tp_asked == sizeof tp_inputs / sizeof *tp_inputs - 1) tp_say(\"twoproof run: every "
    "input was asked for\\n\");\n"
    "    return in;\n"
    "  }\n"
    "}\n\n";

/* Random answers: mostly small, some at the borders, some of all bits; every answer is said, so
 * that a failing run can be repeated elsewhere. The seed comes from the environment. */
static const char random_reader[] =
    "struct tp_input { tp_u64 low, high; };\n"
    "extern char **environ;\n"
    "QUIET static tp_u64 tp_seed(void) {\n"
    "  static const char name[] = \"TWOPROOF_SEED=\";\n"
    "  tp_u64 seed = 0;\n"
    "  for (char **e = environ; e && *e; e++) {\n"
    "    int i = 0;\n"
    "    while (name[i] && (*e)[i] == name[i]) i++;\n"
    "    if (name[i]) continue;\n"
    "    for (; (*e)[i]; i++) seed = seed * 10 + (tp_u64)((*e)[i] - '0');\n"
    "  }\n"
    "  return seed;\n"
    "}\n"
    "QUIET static tp_u64 tp_random(void) {\n"
    "  static tp_u64 state;\n"
    "  static int is_seeded;\n"
    "  if (!is_seeded) state = tp_seed();\n"
    "  is_seeded = 1;\n"
    "  tp_u64 x = state += 0x9e3779b97f4a7c15u;\n"
    "  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;\n"
    "  x = (x ^ x >> 27) * 0x94d049bb133111ebu;\n"
    "  return x ^ x >> 31;\n"
    "}\n"
    "QUIET static struct tp_input tp_next(const char *who, unsigned width) {\n"
    "  static unsigned long asked;\n"
    "  if (asked++ == 10000) tp_end(111, \"enough questions by \", who);\n"
    "  struct tp_input in = {tp_random(), tp_random()};\n"
    "  tp_u64 small = tp_random(), top = (tp_u64)1 << (width - 1) % 64;\n"
    "  switch (tp_random() % 8) {\n"
    "    case 0: break;\n"
    "    case 1: in.low = (tp_u64)1 << small % (width < 64 ? width : 64), in.high = 0; break;\n"
    "    case 2: in.low = top - 1 + small % 3, in.high = 0; break;\n"
    "    case 3: in.low = 0 - small % 17, in.high = in.low ? ~0ull : 0; break;\n"
    "    case 4: in.low = small % 256, in.high = 0; break;\n"
    "    default: in.low = small % 12, in.high = 0; break;\n"
    "  }\n"
    "  if (width < 64) in.low &= top * 2 - 1;\n"
    "  if (width <= 64) in.high = 0;\n"
    "  tp_say(\"twoproof: answer \");\n"
    "  tp_say(who);\n"
    "  tp_say_hex(in.high);\n"
    "  tp_say_hex(in.low);\n"
    "  tp_say(\"\\n\");\n"
    "  return in;\n"
    "}\n\n";

/* Entering one of the error functions. Their addresses come from the environment (they may be
 * static), with what the linker knows as a fallback; those that the program only declares are here.
 */
static const char watcher[] =
    "void reach_error();\n"
    "void __VERIFIER_error();\n"
    "extern int main();\n"
    "extern char **environ;\n"
    "static int tp_main_returned;\n"
    "/* Is f in a comma-separated list of hexadecimal addresses? */\n"
    "QUIET static int tp_is_listed(const char *list, tp_word f) {\n"
    "  while (*list) {\n"
    "    tp_word value = 0;\n"
    "    for (; *list && *list != ','; list++) value = value * 16 + (tp_word)(*list <= '9' ? *list "
    "- '0' : *list - 'a' + 10);\n"
    "    if (value == f) return 1;\n"
    "    if (*list) list++;\n"
    "  }\n"
    "  return 0;\n"
    "}\n"
    "QUIET static int tp_is_error(void *f) {\n"
    "  static const char name[] = \"TWOPROOF_ERROR_FUNCTIONS=\";\n"
    "  if (f == (void *)reach_error || f == (void *)__VERIFIER_error) return 1;\n"
    "  for (char **e = environ; e && *e; e++) {\n"
    "    int i = 0;\n"
    "    while (name[i] && (*e)[i] == name[i]) i++;\n"
    "    if (!name[i] && tp_is_listed(*e + i, (tp_word)f)) return 1;\n"
    "  }\n"
    "  return 0;\n"
    "}\n"
    "QUIET void __cyg_profile_func_enter(void *f, void *site) {\n"
    "  if (TP_CHECKS_REACH && tp_is_error(f)) tp_violated_at(\"an error function was entered\", f, "
    "site);\n"
    "}\n"
    "QUIET void __cyg_profile_func_exit(void *f, void *site) {\n"
    "  (void)site;\n"
    "  if (f == (void *)main) tp_main_returned = 1;\n"
    "}\n\n";

/* Heap blocks that the program's own text allocated (not the C library for itself): counted for
 * memcleanup; for memtrack marked from globals and the stack that still lives at the end. A block
 * is found by any pointer into it. LeakSanitizer would need ptrace, which the sandbox forbids. */
static const char leak_checker[] =
    "extern void *__libc_malloc(tp_size), *__libc_calloc(tp_size, tp_size), *__libc_realloc(void "
    "*, tp_size);\n"
    "extern void __libc_free(void *);\n"
    "extern char __executable_start, etext, __data_start, _end;\n"
    "extern void *__libc_stack_end;\n"
    "extern void *tp_map(void *, tp_size, int, int, int, long) __asm__(\"mmap\");\n"
    "struct tp_block { char *at; tp_size n; int marked; };\n"
    "enum { TP_BLOCKS = 1 << 20 };\n"
    "static struct tp_block *tp_blocks;\n"
    "static tp_size tp_n_blocks;\n"
    "QUIET static void *tp_track(void *p, tp_size n, void *caller) {\n"
    "  if (!p || (char *)caller < &__executable_start || (char *)caller >= &etext) return p;\n"
    "  if (!tp_blocks) {\n"
    "    tp_blocks = tp_map(0, TP_BLOCKS * sizeof *tp_blocks, 3, 0x4022, -1, 0);\n"
    "    if (tp_blocks == (void *)-1) tp_end(111, \"no memory for the harness\", \"\");\n"
    "  }\n"
    "  if (tp_n_blocks == TP_BLOCKS) tp_end(111, \"too many heap blocks\", \"\");\n"
    "  tp_blocks[tp_n_blocks++] = (struct tp_block){p, n, 0};\n"
    "  return p;\n"
    "}\n"
    "QUIET static void tp_forget(void *p) {\n"
    "  for (tp_size i = tp_n_blocks; p && i-- > 0;)\n"
    "    if (tp_blocks[i].at == (char *)p) {\n"
    "      tp_blocks[i] = tp_blocks[--tp_n_blocks];\n"
    "      return;\n"
    "    }\n"
    "}\n"
    "QUIET void *malloc(tp_size n) { return tp_track(__libc_malloc(n), n, "
    "__builtin_return_address(0)); }\n"
    "QUIET void *calloc(tp_size k, tp_size n) { return tp_track(__libc_calloc(k, n), k * n, "
    "__builtin_return_address(0)); }\n"
    "QUIET void free(void *p) {\n"
    "  tp_forget(p);\n"
    "  __libc_free(p);\n"
    "}\n"
    "QUIET void *realloc(void *p, tp_size n) {\n"
    "  void *q = __libc_realloc(p, n);\n"
    "  if (q || n == 0) tp_forget(p);\n"
    "  return tp_track(q, n, __builtin_return_address(0));\n"
    "}\n"
    "QUIET static int tp_mark_range(char *from, char *to) {\n"
    "  int marked = 0;\n"
    "  from = (char *)(((tp_word)from + sizeof(void *) - 1) & ~(tp_word)(sizeof(void *) - 1));\n"
    "  for (; from + sizeof(void *) <= to; from += sizeof(void *)) {\n"
    "    char *p;\n"
    "    __builtin_memcpy(&p, from, sizeof p);\n"
    "    for (tp_size i = 0; i < tp_n_blocks; i++) {\n"
    "      struct tp_block *b = &tp_blocks[i];\n"
    "      if (!b->marked && p >= b->at && p <= b->at + b->n) marked = b->marked = 1;\n"
    "    }\n"
    "  }\n"
    "  return marked;\n"
    "}\n"
    "QUIET static void tp_check_heap(void) {\n"
    "  char here;\n"
    "  if (tp_main_returned) tp_say(\"twoproof run: main has returned\\n\");\n"
    "  if (TP_CHECK_CLEANUP) {\n"
    "    if (tp_n_blocks > 0) tp_end(107, \"violated: \", \"heap memory is not freed at the "
    "end\");\n"
    "    return;\n"
    "  }\n"
    "  tp_mark_range(&__data_start, &_end);\n"
    "  if (!tp_main_returned) tp_mark_range(&here, (char *)__libc_stack_end);\n"
    "  for (int again = 1; again;) {\n"
    "    again = 0;\n"
    "    for (tp_size i = 0; i < tp_n_blocks; i++)\n"
    "      if (tp_blocks[i].marked == 1) {\n"
    "        tp_blocks[i].marked = 2;\n"
    "        again |= tp_mark_range(tp_blocks[i].at, tp_blocks[i].at + tp_blocks[i].n);\n"
    "      }\n"
    "  }\n"
    "  for (tp_size i = 0; i < tp_n_blocks; i++)\n"
    "    if (!tp_blocks[i].marked) tp_end(107, \"violated: \", \"a heap block is lost\");\n"
    "}\n"
    "/* Where the program ends, if it is not by main's return. */\n"
    "QUIET static void tp_ends_at(void *site) {\n"
    "  tp_say(\"twoproof run: site\");\n"
    "  tp_say_hex((tp_word)site);\n"
    "  tp_say(\"\\n\");\n"
    "}\n"
    "extern void __real_exit(int) __attribute__((noreturn));\n"
    "QUIET void __wrap_exit(int status) {\n"
    "  tp_ends_at(__builtin_return_address(0));\n"
    "  __real_exit(status);\n"
    "}\n"
    "__attribute__((destructor)) QUIET static void tp_heap_at_exit(void) { tp_check_heap(); }\n"
    "__attribute__((weak, noreturn)) QUIET void tp_abort(void) {\n"
    "  tp_ends_at(__builtin_return_address(0));\n"
    "  tp_check_heap();\n"
    "  tp_end(110, \"abort\", \"\");\n"
    "}\n\n";

/* Library functions that sanitizers do not watch: their arguments are checked in front of the call.
 */
static const char wrapper_parts[] =
    "extern tp_size tp_length(const char *) __asm__(\"strlen\");\n"
    "extern tp_size tp_length_within(const char *, tp_size) __asm__(\"strnlen\");\n"
    "QUIET static void tp_character(int c, void *site) {\n"
    "  if (c < -1 || c > 255) tp_violated_at(\"a character is neither EOF nor an unsigned char\", "
    "0, site);\n"
    "}\n"
    "QUIET static void tp_not_null(const void *p, void *site) {\n"
    "  if (!p) tp_violated_at(\"an argument is null\", 0, site);\n"
    "}\n"
    "/* n bytes at a, m at b. */\n"
    "QUIET static void tp_apart(const void *a, tp_size n, const void *b, tp_size m, void *site) {\n"
    "  if ((tp_word)a < (tp_word)b + m && (tp_word)b < (tp_word)a + n) tp_violated_at(\"objects "
    "overlap\", 0, site);\n"
    "}\n"
    "QUIET static void tp_represented(int is, void *site) {\n"
    "  if (!is) tp_violated_at(\"overflow in a library function\", 0, site);\n"
    "}\n"
    "QUIET static void tp_divisor(int is_zero, void *site) {\n"
    "  if (is_zero && TP_CHECKS_UNDEFINED) tp_violated_at(\"division by zero in a library "
    "function\", 0, site);\n"
    "}\n"
    "#define IS_MIN(x) ((unsigned long long)(x) << (64 - 8 * sizeof(x)) == 1ull << 63)\n"
    "struct tp_div { int quot, rem; };\n"
    "struct tp_ldiv { long quot, rem; };\n"
    "struct tp_lldiv { long long quot, rem; };\n"
    "#define SITE __builtin_return_address(0)\n";

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

/* Does the program define a function of this name? */
static bool is_own(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model &&
        strcmp(p->funcs.at[i].name, name) == 0)
      return true;
  return false;
}

const char *tp_chk_harness_wrapped(const tp_chk_native_request *r, size_t i) {
  const bool is_watched = (r->violated == TP_P_UNDEFINED && !tp_chk_native_is_unset(r) &&
                           !tp_chk_native_is_pointer_pair(r)) ||
                          r->violated == TP_P_NO_OVERFLOW;
  if (!is_watched ||
      i >= (r->violated == TP_P_NO_OVERFLOW ? N_OVERFLOWING : N_WRAPPED + N_OF_CHARACTERS))
    return NULL;
  const char *name = i < N_WRAPPED ? wrapped[i].name : of_characters[i - N_WRAPPED];
  return is_own(r->program, name) ? "" : name;
}

static void write_wrappers(const tp_chk_native_request *r, tp_str *out) {
  if (!tp_chk_harness_wrapped(r, 0)) return;
  tp_str_printf(out, "#define TP_CHECKS_UNDEFINED %d\n%s", r->violated == TP_P_UNDEFINED,
                wrapper_parts);
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

static bool is_keyword(const char *s) {
  static const char *const keywords[] = {
      "asm",      "auto",   "break",    "case",   "char",     "const",    "continue", "default",
      "do",       "double", "else",     "enum",   "extern",   "float",    "for",      "goto",
      "if",       "inline", "int",      "long",   "register", "restrict", "return",   "short",
      "signed",   "sizeof", "static",   "struct", "switch",   "typedef",  "typeof",   "union",
      "unsigned", "void",   "volatile", "while"};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcmp(s, keywords[i]) == 0) return true;
  return false;
}

/* A C identifier, so that a name from a file cannot become anything else in the harness; asm("...")
 * calls functions also "int" or "a b". */
static bool is_identifier(const char *s) {
  if (!s || !s[0] || (s[0] >= '0' && s[0] <= '9') || is_keyword(s)) return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
          *s == '_'))
      return false;
  return true;
}

static bool is_memory_request(const tp_input *in) {
  return in->width_bits == 0 && in->name && strcmp(in->name, "__VERIFIER_nondet_memory") == 0;
}
/* Models of <math.h> call compiler builtins that may end in themselves; they are never linked, and
 * what they ask for is their result. */
static bool is_mathematical(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (!f->is_model || strcmp(f->name, name) != 0) continue;
    const char *path = tp_diag_path(p->diag, f->pos.file), *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "math.c") == 0;
  }
  return false;
}
static bool is_asked_by_model(const tp_chk_native_request *r, const tp_input *in) {
  return in->kind == TP_I_ENVIRONMENT && r->n_models > 0 && !is_mathematical(r->program, in->name);
}

bool tp_chk_native_has_library(const char *name) {
  static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
  bool found = false;
  for (size_t i = 0; i < 2 && !found; i++) {
    void *lib = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    found = lib && dlsym(lib, name);
    if (lib) dlclose(lib);
  }
  return found;
}

bool tp_chk_native_has_variable(const char *name) {
  void *lib = dlopen("libc.so.6", RTLD_LAZY | RTLD_LOCAL), *at = lib ? dlsym(lib, name) : NULL;
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  bool found = at && dladdr1(at, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
               ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
  if (lib) dlclose(lib);
  return found;
}

/* Does the run rest on values that the C library computes? Such a function is never played: what
 * the model lets it return is more than what it really returns. */
bool tp_chk_native_needs_library(const tp_chk_native_request *r) {
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if ((tp_input_is_guess(in) && !r->guesses_are_unused) ||
        (in->kind == TP_I_EXTERN && in->name && tp_chk_native_has_library(in->name)))
      return true;
  }
  return false;
}

/* Can the compiled program be given this input? */
static bool is_fed(const tp_chk_native_request *r, const tp_input *in) {
  switch (in->kind) {
    case TP_I_NONDET:
      return is_identifier(in->name) && (in->width_bits > 0 || is_memory_request(in));
    case TP_I_EXTERN:
      return is_identifier(in->name) && in->width_bits > 0 && !tp_chk_native_has_library(in->name);
    case TP_I_ENVIRONMENT:
      // a guess is what a model asks; without models the library itself computes it
      if (r->real_library || !is_identifier(in->name + tp_input_is_guess(in))) return false;
      return is_asked_by_model(r, in) || (in->width_bits > 0 && !tp_input_is_guess(in));
    case TP_I_ARGS: return true;
    case TP_I_INDETERMINATE:
    case TP_I_VOLATILE: return false;
  }
  return false;
}
static bool is_listed(const tp_chk_native_request *r, const tp_input *in) {
  return in->kind != TP_I_ARGS && is_fed(r, in);
}

static const char *c_type(const tp_input *in) {
  if (in->is_float) return in->width_bits == 32 ? "float" : "double";
  if (in->width_bits == 1) return "_Bool";
  if (in->width_bits <= 8) return in->is_signed ? "signed char" : "unsigned char";
  if (in->width_bits <= 16) return in->is_signed ? "short" : "unsigned short";
  if (in->width_bits <= 32) return in->is_signed ? "int" : "unsigned int";
  if (in->width_bits <= 64) return in->is_signed ? "long long" : "unsigned long long";
  return in->is_signed ? "__int128" : "unsigned __int128";
}

static uint64_t key_of(const char *name) { return tp_hash_bytes(name, strlen(name), 0); }

/* Contents of memory, as arrays that the table points to. */
static void write_bytes(const tp_chk_native_request *r, tp_str *out) {
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_listed(r, in) || in->width_bits > 0 || in->n_bytes == 0) continue;
    tp_str_printf(out, "static const unsigned char tp_bytes%zu[] = {", i);
    for (size_t k = 0; k < in->n_bytes; k++) tp_str_printf(out, "%s%u", k ? "," : "", in->bytes[k]);
    tp_str_add(out, "};\n");
  }
}

static void write_vector(const tp_chk_native_request *r, tp_chk_native_report *report) {
  tp_str *out = &report->harness;
  write_bytes(r, out);
  tp_str_add(out,
             "static const struct tp_input {\n  const char *who;\n  tp_u64 low, high;\n  const "
             "unsigned char *bytes;\n} tp_inputs[] = {\n");
  report->n_fed = report->n_unfed = 0;
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_fed(r, in) &&
        !((r->zeroes_indeterminate || r->fills_indeterminate) && in->kind == TP_I_INDETERMINATE))
      report->n_unfed++;
    if (!is_listed(r, in)) continue;
    report->n_fed++;
    if (in->width_bits > 0)
      tp_str_printf(out, "  {\"%s\", 0x%llxu, 0x%llxu, 0},", in->name, (unsigned long long)in->bits,
                    (unsigned long long)(in->bits >> 64));
    else if (in->n_bytes > 0)
      tp_str_printf(out, "  {\"%s\", %zuu, 0, tp_bytes%zu},", in->name, in->n_bytes, i);
    else
      tp_str_printf(out, "  {\"%s\", 0, 0, 0},", in->name);
    if (tp_pos_known(in->pos)) {
      tp_str_add(out, "  // ");
      tp_pos_print(r->program->diag, in->pos, out);
    }
    tp_str_add(out, "\n");
  }
  tp_str_add(out, "  {\"\", 0, 0, 0}};\n\n");
}

/* Indeterminate values, each with the number of questions before it. */
static void write_unknowns(const tp_chk_native_request *r, tp_str *out) {
  size_t asked = 0, n = 0;
  tp_str table = {0};
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (is_listed(r, in)) asked++;
    if (in->kind != TP_I_INDETERMINATE || !is_identifier(in->name)) continue;
    size_t bytes = in->width_bits ? (in->width_bits + 7) / 8 : in->n_bytes;
    tp_str_printf(&table, "  {\"%s\", %u, %zu, %zu, \"", in->name, in->pos.line, asked, bytes);
    for (size_t k = 0; k < bytes; k++)
      tp_str_printf(&table, "\\x%02x",
                    in->width_bits ? (unsigned)(in->bits >> 8 * k) & 0xff : in->bytes[k]);
    tp_str_add(&table, "\"},\n");
    n++;
  }
  tp_str_printf(out,
                "static const struct tp_unknown {\n  const char *name;\n  unsigned line;\n  "
                "unsigned long asked;\n  tp_size n;\n"
                "  const char *bytes;\n} tp_unknowns[%zu] = {\n%s};\nenum { TP_UNKNOWNS = %zu };\n",
                n + 1, tp_str_text(&table), n);
  tp_str_clear(&table);
}

static const char filling[] =
    "/* Called where a variable's lifetime starts; line 0: a heap block. */\n"
    "QUIET void tp_fill_local(void *p, tp_u64 size, const char *name, int line) {\n"
    "  static unsigned long next;\n"
    "  for (unsigned long k = next; k < TP_UNKNOWNS && tp_unknowns[k].asked <= tp_asked; k++) {\n"
    "    const struct tp_unknown *u = &tp_unknowns[k];\n"
    "    int i = 0;\n"
    "    while (name[i] && u->name[i] == name[i]) i++;\n"
    "    if (u->asked < tp_asked || name[i] || u->name[i] || (line && u->line != (unsigned)line)) "
    "continue;\n"
    "    for (tp_u64 b = 0; b < size; b++) ((char *)p)[b] = b < u->n ? u->bytes[b] : 0;\n"
    "    next = k + 1;\n"
    "    return;\n"
    "  }\n"
    "}\n"
    "extern void *__real_malloc(tp_size);\n"
    "QUIET void *__wrap_malloc(tp_size n) {\n"
    "  void *p = __real_malloc(n);\n"
    "  if (p) tp_fill_local(p, n, \"malloc\", 0);\n"
    "  return p;\n"
    "}\n\n";

/* The function that asked for this input. 32- and 64-bit floats travel as bits. Narrow integers
 * come as int, as callers without a declaration expect them. */
static void write_source(const tp_input *in, bool is_random, tp_str *out) {
  const char *type = c_type(in);
  tp_str_printf(out, "QUIET %s %s() {\n  struct tp_input in = tp_next(\"%s\"",
                in->is_float || in->width_bits >= 32 ? type : "int", in->name, in->name);
  if (is_random) tp_str_printf(out, ", %u", (unsigned)in->width_bits);
  tp_str_add(out, ");\n");
  if (in->is_float)
    tp_str_printf(
        out,
        "  %s value;\n  __builtin_memcpy(&value, &in.low, sizeof value);\n  return value;\n}\n\n",
        type);
  else if (in->width_bits > 64)
    tp_str_printf(out, "  return (%s)((unsigned __int128)in.high << 64 | in.low);\n}\n\n", type);
  else
    tp_str_printf(out, "  return (%s)in.low;\n}\n\n", type);
}

/* A jump to where no code is leaves no frame of its caller to the sanitizer: the return address
 * lies on the stack. No header is included, so the layouts of the C library and the kernel are
 * written down here. */
static const char jump_watcher[] =
    "#ifdef __x86_64__\n"
    "struct tp_action { void *handler; unsigned long mask[16]; int flags; void *restorer; };\n"
    "enum { TP_FAULT_ADDRESS = 16, TP_REGISTERS = 40, TP_SP = 15, TP_PC = 16 };\n"
    "#else\n"
    "struct tp_action { void *handler; unsigned long mask[32]; int flags; void *restorer; };\n"
    "enum { TP_FAULT_ADDRESS = 12, TP_REGISTERS = 20, TP_SP = 7, TP_PC = 14 };\n"
    "#endif\n"
    "extern int tp_set_action(int, const struct tp_action *, struct tp_action *) "
    "__asm__(\"sigaction\");\n"
    "static struct tp_action tp_sanitizers;\n"
    "__attribute__((no_sanitize(\"address\"))) QUIET static void tp_on_fault(int number, char "
    "*info, char *context) {\n"
    "  tp_word *registers = (tp_word *)(context + TP_REGISTERS), pc = registers[TP_PC];\n"
    "  if (*(tp_word *)(info + TP_FAULT_ADDRESS) == pc) {\n"
    "    tp_say(\"twoproof run: site\");\n"
    "    tp_say_hex(*(tp_word *)registers[TP_SP]);\n"
    "    tp_say(\"\\n\");\n"
    "  }\n"
    "  ((void (*)(int, char *, char *))tp_sanitizers.handler)(number, info, context);\n"
    "}\n"
    "__attribute__((constructor)) QUIET static void tp_watch_jumps(void) {\n"
    "  struct tp_action ours = {.handler = (void *)tp_on_fault, .flags = 0x08000004};   // "
    "SA_ONSTACK | SA_SIGINFO\n"
    "  tp_set_action(11, &ours, &tp_sanitizers);\n"
    "}\n\n";

static const char memory_source[] =
    "QUIET static void tp_fill(const char *who, void *p, tp_size n) {\n"
    "  struct tp_input in = tp_next(who);\n"
    "  for (tp_size i = 0; i < n; i++) ((unsigned char *)p)[i] = i < in.low && in.bytes ? "
    "in.bytes[i] : 0;\n"
    "}\n"
    "QUIET void __VERIFIER_nondet_memory(void *p, tp_size n) { "
    "tp_fill(\"__VERIFIER_nondet_memory\", p, n); }\n\n";

/* What lib/libc/tp_model.h promises to the models. */
static const char model_services[] =
    "#define TP_ENV(type, name) QUIET type __tp_env_##name(const char *who) { return "
    "(type)tp_next(who).low; }\n"
    "TP_ENV(_Bool, bool) TP_ENV(char, char) TP_ENV(unsigned char, uchar) TP_ENV(short, short) "
    "TP_ENV(unsigned short, ushort)\n"
    "TP_ENV(int, int) TP_ENV(unsigned, uint) TP_ENV(long, long) TP_ENV(unsigned long, ulong)\n"
    "TP_ENV(long long, llong) TP_ENV(tp_u64, ullong)\n"
    "QUIET float __tp_env_float(const char *who) {\n"
    "  struct tp_input in = tp_next(who);\n"
    "  float f;\n"
    "  __builtin_memcpy(&f, &in.low, sizeof f);\n"
    "  return f;\n"
    "}\n"
    "QUIET double __tp_env_double(const char *who) {\n"
    "  struct tp_input in = tp_next(who);\n"
    "  double d;\n"
    "  __builtin_memcpy(&d, &in.low, sizeof d);\n"
    "  return d;\n"
    "}\n"
    "/* The models write these with compiler builtins, which would call themselves here. */\n"
    "QUIET void *memcpy(void *to, const void *from, tp_size n) {\n"
    "  for (tp_size i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];\n"
    "  return to;\n"
    "}\n"
    "QUIET void *memmove(void *to, const void *from, tp_size n) {\n"
    "  if ((tp_word)to <= (tp_word)from) return memcpy(to, from, n);\n"
    "  while (n-- > 0) ((char *)to)[n] = ((const char *)from)[n];\n"
    "  return to;\n"
    "}\n"
    "QUIET void *memset(void *to, int value, tp_size n) {\n"
    "  for (tp_size i = 0; i < n; i++) ((char *)to)[i] = (char)value;\n"
    "  return to;\n"
    "}\n"
    "QUIET void __tp_env_bytes(const char *who, void *p, unsigned long n) { tp_fill(who, p, n); }\n"
    "QUIET void __tp_assume(_Bool c) {\n"
    "  if (!c) tp_end(110, \"assumption of a library model failed\", \"\");\n"
    "}\n"
    "extern void tp_exit(int) __asm__(\"exit\");\n"
    "extern void *tp_calloc(tp_size, tp_size) __asm__(\"calloc\");\n"
    "QUIET void __tp_end(int status) { tp_exit(status); }\n"
    "QUIET unsigned long __tp_object_size(const void *p) {\n"
    "  (void)p;\n"
    "  return ~0ul;\n"
    "}\n"
    "QUIET void __tp_check_free(const void *p) { (void)p; }\n"
    "QUIET void __tp_check_defined(_Bool c, const char *message) { (void)c, (void)message; }\n"
    "QUIET void __tp_check_overflow(_Bool c, const char *message) { (void)c, (void)message; }\n"
    "QUIET void __tp_check_apart(const void *a, const void *b) { (void)a, (void)b; }\n"
    "QUIET _Bool __tp_memory_checked(void) { return 1; }\n"
    "QUIET void __tp_assumption(const char *what) { (void)what; }\n"
    "QUIET void __tp_unsupported(const char *what) { tp_end(112, \"not modelled: \", what); }\n"
    "QUIET void *__tp_new_global(const char *who, unsigned long n) {\n"
    "  (void)who;\n"
    "  return tp_calloc(1, n);\n"
    "}\n\n";

/* Functions with a meaning of their own, for programs that only declare them (or not even that).
 * Weak: the program's own definitions come first. */
static const struct {
  const char *name, *body;
} known[] = {
    {"__VERIFIER_assume", "(int c) { tp_assumed(c); }"},
    {"assume", "(int c) { tp_assumed(c); }"},
    {"__ESBMC_assume", "(int c) { tp_assumed(c); }"},
    {"__CPROVER_assume", "(int c) { tp_assumed(c); }"},
    {"assume_abort_if_not", "(int c) { tp_assumed(c); }"},
    {"assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__VERIFIER_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__ESBMC_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__CPROVER_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"__SMACK_assert", "(int c) { tp_asserted(c, __builtin_return_address(0)); }"},
    {"reach_error", "() { tp_failed(\"reach_error\", __builtin_return_address(0)); }"},
    {"__VERIFIER_error", "() { tp_failed(\"__VERIFIER_error\", __builtin_return_address(0)); }"},
    {"error", "() { tp_failed(\"error\", __builtin_return_address(0)); }"},
    // builtins that the build had to rename
    {"tp___builtin_trap", "() { tp_end(110, \"__builtin_trap\", \"\"); }"},
    {"tp___builtin_unreachable", "() { tp_end(110, \"__builtin_unreachable\", \"\"); }"}};

static bool is_known(const char *name) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0) return true;
  return false;
}

static void write_known(const tp_map *done, tp_str *out) {
  tp_str_add(out,
             "QUIET static void tp_assumed(int c) {\n  if (!c) tp_end(110, \"assumption failed\", "
             "\"\");\n}\n"
             "QUIET static void tp_asserted(int c, void *site) {\n  if (!c) tp_failed(\"an "
             "assertion\", site);\n}\n");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!tp_map_has(done, key_of(known[i].name)))
      tp_str_printf(out, "__attribute__((weak)) QUIET void %s%s\n", known[i].name, known[i].body);
  tp_str_add(out, "\n");
}
/* Functions that nobody defines and the vector does not mention. */
static void write_stub(const char *name, tp_str *out) {
  if (!is_known(name) && !tp_chk_native_has_library(name))
    tp_str_printf(
        out, "QUIET long %s() {\n  tp_say(\"twoproof: not recorded: %s\\n\");\n  return 0;\n}\n\n",
        name, name);
}

static void write_functions(const tp_chk_native_request *r, tp_str *out) {
  tp_map done = {0};
  const tp_program *p = r->program;
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model)
      tp_map_set(&done, key_of(p->funcs.at[i].name), 1);
  bool own_assert = tp_map_has(&done, key_of("__assert_fail"));
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_listed(r, in) || is_asked_by_model(r, in) || tp_map_has(&done, key_of(in->name)))
      continue;
    tp_map_set(&done, key_of(in->name), 1);
    if (!is_memory_request(in)) write_source(in, r->is_random, out);
  }
  if (!own_assert)
    tp_str_add(out,
               "QUIET void __assert_fail(const char *what, const char *file, unsigned line, const "
               "char *f) {\n"
               "  (void)file, (void)line, (void)f;\n  if (TP_CHECKS_REACH) tp_violated_at(what, 0, "
               "__builtin_return_address(0));\n  tp_abort();\n}\n\n");
  for (size_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (f->has_body || f->is_model || !is_identifier(f->name) || tp_map_has(&done, key_of(f->name)))
      continue;
    if (is_known(f->name)) {
      // error() with arguments is the C library's, from <error.h>
      if (strcmp(f->name, "error") == 0 && f->type.id && tp_type_of(p, f->type)->n_params > 0)
        tp_map_set(&done, key_of("error"), 1);
      continue;
    }
    tp_map_set(&done, key_of(f->name), 1);
    bool is_given = strcmp(f->name, "__assert_fail") == 0 ||
                    (!r->is_random && strcmp(f->name, "__VERIFIER_nondet_memory") == 0) ||
                    (r->n_models > 0 && strncmp(f->name, "__tp_", 5) == 0);
    if (!is_given) write_stub(f->name, out);
  }
  write_known(&done, out);
  tp_map_clear(&done);
}

/* A variable that is declared everywhere and defined nowhere. */
static void write_variable(const char *name, uint64_t size_bytes, tp_map *done, tp_str *out) {
  if (!is_identifier(name) || tp_map_has(done, key_of(name)) || tp_chk_native_has_library(name))
    return;
  tp_map_set(done, key_of(name), 1);
  tp_str_printf(out, "__attribute__((weak, aligned(16))) char %s[%llu];\n", name,
                (unsigned long long)(size_bytes ? size_bytes : 1));
}

static void write_variables(const tp_program *p, tp_str *out) {
  tp_map done = {0};
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (s->is_extern && s->kind == TP_O_GLOBAL) write_variable(s->name, s->size_bytes, &done, out);
  }
  for (size_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && !tp_term_is(v->initial))
      write_variable(v->name, tp_sort_bytes(p->terms, tp_sort_of(p->terms, v->term)), &done, out);
  }
  tp_map_clear(&done);
}

void tp_chk_harness_write(const tp_chk_native_request *r, tp_chk_native_report *report) {
  tp_str *out = &report->harness;
  tp_str_add(out, prologue);
  tp_str_printf(out, "enum { TP_CHECKS_REACH = %d };\n", r->violated == TP_P_UNREACH_CALL);
  tp_str_add(out, ending);
  if (r->is_random)
    tp_str_add(out, random_reader);
  else
    write_vector(r, report);
  if (!r->is_random) tp_str_add(out, reader);
  if (r->fills_indeterminate) {
    write_unknowns(r, out);
    tp_str_add(out, filling);
  }
  tp_str_add(out, watcher);
  if (r->violated == TP_P_VALID_DEREF) tp_str_add(out, jump_watcher);
  if (!r->is_random) tp_str_add(out, memory_source);
  if (r->n_models > 0) tp_str_add(out, model_services);
  write_wrappers(r, out);
  bool cleanup = r->violated == TP_P_VALID_MEMCLEANUP;
  if (cleanup || r->violated == TP_P_VALID_MEMTRACK) {
    tp_str_printf(out, "#define TP_CHECK_CLEANUP %d\n", cleanup);
    tp_str_add(out, leak_checker);
  }
  write_functions(r, out);
  write_variables(r->program, out);
  tp_chk_monitor_harness(r, out);
}

/* ARGS inputs come as argc, then the strings argv[0] .. argv[argc - 1]. */
bool tp_chk_harness_arguments(const tp_chk_native_request *r, tp_arena *arena, const char ***out,
                              size_t *n) {
  TP_VEC(const char *) strings = {0};
  uint64_t argc = 1;
  bool has_argc = false;
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (in->kind != TP_I_ARGS) continue;
    if (in->width_bits > 0 && !has_argc) {
      argc = (uint64_t)in->bits & 0xffffffffu;
      has_argc = true;
    } else if (in->width_bits == 0) {
      tp_vec_push(&strings, tp_arena_strndup(arena, (const char *)in->bytes,
                                             strnlen((const char *)in->bytes, in->n_bytes)));
    }
  }
  bool ok = argc >= 1 && argc <= 10000;
  if (ok) {
    *n = (size_t)argc;
    *out = tp_arena_array(arena, const char *, argc + 1);
    for (size_t i = 0; i < argc; i++)
      (*out)[i] = i < strings.n ? strings.at[i] : i ? "" : "program";
  }
  tp_vec_clear(&strings);
  return ok;
}

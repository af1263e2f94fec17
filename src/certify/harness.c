/* The harness: a C file that plays the world around the program under test.
 *
 * It defines every function that asked for an input in the recorded run (and stubs for functions
 * that nobody defines), gives the answers in the recorded order, and checks that the compiled
 * program asks the same questions: another name means that its run is not the recorded one.
 * The file stands on its own: `cc program.c harness.c && ./a.out; echo $?` shows the failure. */
#include "certify/native.h"

#include <dlfcn.h>

/* Statuses of a native run. */
static const char prologue[] =
    "/* Test harness: answers the program's questions from a vector of inputs.\n"
    " * Exit status: 107 the property is violated, 108 the program asked something else than recorded,\n"
    " * 109 it asked more, 110 it left the assumptions. No header is included, so that any function of\n"
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
    "QUIET int tp_violated(const char *what) {\n"
    "  tp_end(107, \"violated: \", what);\n"
    "  return 0;\n"
    "}\n\n";

static const char reader[] =
    "QUIET static struct tp_input tp_next(const char *who) {\n"
    "  static unsigned long next;\n"
    "  if (next == sizeof tp_inputs / sizeof *tp_inputs - 1) tp_end(109, \"no input left for \", who);\n"
    "  struct tp_input in = tp_inputs[next++];\n"
    "  for (int i = 0;; i++) {\n"
    "    if (in.who[i] != who[i]) {\n"
    "      tp_say(\"twoproof: recorded question: \");\n"
    "      tp_say(in.who);\n"
    "      tp_say(\"\\n\");\n"
    "      tp_end(108, \"the program asked \", who);\n"
    "    }\n"
    "    if (!who[i]) return in;\n"
    "  }\n"
    "}\n\n";

/* Random answers: mostly small, some at the borders, some of all bits; every answer is said, so that
 * a failing run can be repeated elsewhere. The seed comes from the environment. */
static const char random_reader[] =
    "struct tp_input { tp_u64 low, high; };\n"
    "extern char **environ;\n"
    "QUIET static tp_u64 tp_seed(void) {\n"
    "  static const char name[] = \"TWOPROOF_SEED=\";\n"
    "  tp_u64 seed = 0;\n"
    "  for (char **e = environ; e && *e; e++) {\n"
    "    int i = 0;\n"
    "    while (name[i] && (*e)[i] == name[i]) i++;\n"
    "    for (; !name[i] && (*e)[i]; i++) seed = seed * 10 + (tp_u64)((*e)[i] - '0');\n"
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
    "QUIET static void tp_say_hex(tp_u64 x) {\n"
    "  char text[18] = \" \";\n"
    "  for (int i = 0; i < 16; i++) text[1 + i] = \"0123456789abcdef\"[x >> (60 - 4 * i) & 15];\n"
    "  tp_say(text);\n"
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
 * static), with what the linker knows as a fallback. */
static const char watcher[] =
    "__attribute__((weak)) void reach_error(void);\n"
    "__attribute__((weak)) void __VERIFIER_error(void);\n"
    "extern int main();\n"
    "extern char **environ;\n"
    "static int tp_main_returned;\n"
    "/* Is f in a comma-separated list of hexadecimal addresses? */\n"
    "QUIET static int tp_is_listed(const char *list, tp_word f) {\n"
    "  while (*list) {\n"
    "    tp_word value = 0;\n"
    "    for (; *list && *list != ','; list++) value = value * 16 + (tp_word)(*list <= '9' ? *list - '0' : *list - 'a' + 10);\n"
    "    if (value == f) return 1;\n"
    "    if (*list) list++;\n"
    "  }\n"
    "  return 0;\n"
    "}\n"
    "QUIET static int tp_is_error(void *f) {\n"
    "  static const char name[] = \"TWOPROOF_ERROR_FUNCTIONS=\";\n"
    "  if (f == (void *)reach_error || f == (void *)__VERIFIER_error) return f != 0;\n"
    "  for (char **e = environ; e && *e; e++) {\n"
    "    int i = 0;\n"
    "    while (name[i] && (*e)[i] == name[i]) i++;\n"
    "    if (!name[i] && tp_is_listed(*e + i, (tp_word)f)) return 1;\n"
    "  }\n"
    "  return 0;\n"
    "}\n"
    "QUIET void __cyg_profile_func_enter(void *f, void *site) {\n"
    "  (void)site;\n"
    "  if (tp_is_error(f)) tp_violated(\"an error function was entered\");\n"
    "}\n"
    "QUIET void __cyg_profile_func_exit(void *f, void *site) {\n"
    "  (void)site;\n"
    "  if (f == (void *)main) tp_main_returned = 1;\n"
    "}\n\n";

/* Heap blocks that the program's own text allocated (not the C library for itself): counted for
 * memcleanup; for memtrack marked from globals and the stack that still lives at the end.
 * A block is found by any pointer into it. LeakSanitizer would need ptrace, which the sandbox forbids. */
static const char leak_checker[] =
    "extern void *__libc_malloc(tp_size), *__libc_calloc(tp_size, tp_size), *__libc_realloc(void *, tp_size);\n"
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
    "QUIET void *malloc(tp_size n) { return tp_track(__libc_malloc(n), n, __builtin_return_address(0)); }\n"
    "QUIET void *calloc(tp_size k, tp_size n) { return tp_track(__libc_calloc(k, n), k * n, __builtin_return_address(0)); }\n"
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
    "  if (TP_CHECK_CLEANUP) {\n"
    "    if (tp_n_blocks > 0) tp_violated(\"heap memory is not freed at the end\");\n"
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
    "    if (!tp_blocks[i].marked) tp_violated(\"a heap block is lost\");\n"
    "}\n"
    "__attribute__((destructor)) QUIET static void tp_heap_at_exit(void) { tp_check_heap(); }\n\n";

/* Can the compiled program be given this input? */
static bool is_fed(const tp_input *in) {
  switch (in->kind) {
    case TP_I_NONDET:
    case TP_I_EXTERN:
    case TP_I_ENVIRONMENT: return in->width_bits > 0 && in->name && in->name[0];
    case TP_I_ARGS: return true;
    case TP_I_INDETERMINATE:
    case TP_I_VOLATILE: return false;
  }
  return false;
}
static bool is_listed(const tp_input *in) { return in->kind != TP_I_ARGS && is_fed(in); }

static const char *c_type(const tp_input *in) {
  if (in->is_float) return in->width_bits == 32 ? "float" : "double";
  if (in->width_bits == 1) return "_Bool";
  if (in->width_bits <= 8) return in->is_signed ? "signed char" : "unsigned char";
  if (in->width_bits <= 16) return in->is_signed ? "short" : "unsigned short";
  if (in->width_bits <= 32) return in->is_signed ? "int" : "unsigned int";
  if (in->width_bits <= 64) return in->is_signed ? "long long" : "unsigned long long";
  return in->is_signed ? "__int128" : "unsigned __int128";
}

/* A C identifier, so that a name from a file cannot become anything else in the harness. */
static bool is_identifier(const char *s) {
  if (!s || !s[0] || (s[0] >= '0' && s[0] <= '9')) return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') || *s == '_')) return false;
  return true;
}

static uint64_t key_of(const char *name) { return tp_hash_bytes(name, strlen(name), 0); }

static void write_vector(const tp_native_request *r, tp_str *out, size_t *n_unfed) {
  tp_str_add(out, "static const struct tp_input {\n  const char *who;\n  tp_u64 low, high;\n} tp_inputs[] = {\n");
  *n_unfed = 0;
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_fed(in)) ++*n_unfed;
    if (!is_listed(in) || !is_identifier(in->name)) continue;
    tp_str_printf(out, "  {\"%s\", 0x%llxu, 0x%llxu},", in->name, (unsigned long long)in->bits,
                  (unsigned long long)(in->bits >> 64));
    if (tp_pos_known(in->pos)) {
      tp_str_add(out, "  // ");
      tp_pos_print(r->program->diag, in->pos, out);
    }
    tp_str_add(out, "\n");
  }
  tp_str_add(out, "  {\"\", 0, 0}};\n\n");
}

/* The function that asked for this input. 32- and 64-bit floats travel as bits. */
static void write_source(const tp_input *in, bool is_random, tp_str *out) {
  const char *type = c_type(in);
  tp_str_printf(out, "QUIET %s %s() {\n  struct tp_input in = tp_next(\"%s\"", type, in->name, in->name);
  if (is_random) tp_str_printf(out, ", %u", (unsigned)in->width_bits);
  tp_str_add(out, ");\n");
  if (in->is_float)
    tp_str_printf(out, "  %s value;\n  __builtin_memcpy(&value, &in.low, sizeof value);\n  return value;\n}\n\n", type);
  else if (in->width_bits > 64)
    tp_str_printf(out, "  return (%s)((unsigned __int128)in.high << 64 | in.low);\n}\n\n", type);
  else
    tp_str_printf(out, "  return (%s)in.low;\n}\n\n", type);
}

static bool is_in_c_library(const char *name) {
  static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
  bool found = false;
  for (size_t i = 0; i < 2 && !found; i++) {
    void *lib = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    found = lib && dlsym(lib, name);
    if (lib) dlclose(lib);
  }
  return found;
}

/* Functions that nobody defines and the vector does not mention. */
static void write_stub(const char *name, tp_str *out) {
  static const char *const assumes[] = {"__VERIFIER_assume", "assume"};
  static const char *const errors[] = {"reach_error", "__VERIFIER_error", "error"};
  for (size_t i = 0; i < sizeof assumes / sizeof *assumes; i++)
    if (strcmp(name, assumes[i]) == 0) {
      tp_str_printf(out, "QUIET void %s(int c) {\n  if (!c) tp_end(110, \"assumption failed\", \"\");\n}\n\n", name);
      return;
    }
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(name, errors[i]) == 0) {
      tp_str_printf(out, "QUIET void %s() { tp_violated(\"%s\"); }\n\n", name, name);
      return;
    }
  if (!is_in_c_library(name))
    tp_str_printf(out, "QUIET long %s() {\n  tp_say(\"twoproof: not recorded: %s\\n\");\n  return 0;\n}\n\n", name, name);
}

static void write_functions(const tp_native_request *r, tp_str *out) {
  tp_map done = {0};
  const tp_program *p = r->program;
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model) tp_map_set(&done, key_of(p->funcs.at[i].name), 1);
  bool own_assert = tp_map_has(&done, key_of("__assert_fail"));
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    if (!is_listed(in) || !is_identifier(in->name) || tp_map_has(&done, key_of(in->name))) continue;
    tp_map_set(&done, key_of(in->name), 1);
    write_source(in, r->is_random, out);
  }
  if (!own_assert)
    tp_str_add(out,
               "QUIET void __assert_fail(const char *what, const char *file, unsigned line, const char *f) {\n"
               "  (void)file, (void)line, (void)f;\n  tp_end(107, \"violated: assertion: \", what);\n}\n\n");
  for (size_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (f->has_body || f->is_model || !is_identifier(f->name) || tp_map_has(&done, key_of(f->name))) continue;
    tp_map_set(&done, key_of(f->name), 1);
    if (strcmp(f->name, "__assert_fail") != 0) write_stub(f->name, out);
  }
  tp_map_clear(&done);
}

/* Variables that are declared everywhere and defined nowhere. */
static void write_variables(const tp_program *p, tp_str *out) {
  tp_map done = {0};
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (!s->is_extern || s->kind != TP_O_GLOBAL || !is_identifier(s->name) || tp_map_has(&done, key_of(s->name)) ||
        is_in_c_library(s->name))
      continue;
    tp_map_set(&done, key_of(s->name), 1);
    unsigned long long n = s->size_bytes ? s->size_bytes : 1;
    tp_str_printf(out, "__attribute__((weak, aligned(16))) char %s[%llu];\n", s->name, n);
  }
  tp_map_clear(&done);
}

void tp_harness_write(const tp_native_request *r, tp_str *out, size_t *n_unfed) {
  tp_str_add(out, prologue);
  if (r->is_random) tp_str_add(out, random_reader);
  else write_vector(r, out, n_unfed);
  if (!r->is_random) tp_str_add(out, reader);
  tp_str_add(out, watcher);
  bool cleanup = r->violated == TP_P_VALID_MEMCLEANUP;
  if (cleanup || r->violated == TP_P_VALID_MEMTRACK) {
    tp_str_printf(out, "#define TP_CHECK_CLEANUP %d\n", cleanup);
    tp_str_add(out, leak_checker);
  }
  write_functions(r, out);
  write_variables(r->program, out);
}

/* ARGS inputs come as argc, then the strings argv[0] .. argv[argc - 1]. */
bool tp_harness_arguments(const tp_native_request *r, tp_arena *arena, const char ***out, size_t *n) {
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
      tp_vec_push(&strings, tp_arena_strndup(arena, (const char *)in->bytes, strnlen((const char *)in->bytes, in->n_bytes)));
    }
  }
  bool ok = argc >= 1 && argc <= 10000;
  if (ok) {
    *n = (size_t)argc;
    *out = tp_arena_array(arena, const char *, argc + 1);
    for (size_t i = 0; i < argc; i++) (*out)[i] = i < strings.n ? strings.at[i] : i ? "" : "program";
  }
  tp_vec_clear(&strings);
  return ok;
}

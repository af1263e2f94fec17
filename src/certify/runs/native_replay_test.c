/* Native replay: programs, inputs and what the builds of both compilers must say.
 * Each failing case has a neighbour that does not fail. */
#include "certify/runs/native_replay.h"
#include "base/process.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct {
  const char *name;  // who asks; NULL ends the list
  uint32_t width_bits;
  tp_u128 bits;
  bool is_float;
  tp_input_kind kind;
  const char *bytes;  // width_bits == 0
} ask;

typedef struct {
  const char *name;
  uint32_t ptr_bits;
  tp_property property;
  const char *label;  // of the error location
  const char *source;
  ask asks[6];
  tp_chk_native_outcome clang, gcc;
  const char *detail;  // part of clang's detail
} sample;

#define C TP_CHK_NATIVE_CONFIRMED
#define N TP_CHK_NATIVE_NOT
#define B TP_CHK_NATIVE_NO_BUILD
#define NONDET "int __VERIFIER_nondet_int(void);\n"
#define STATIC_ERROR "static void reach_error(void) {}\n"
#define SUM_OF_101                                                          \
  NONDET STATIC_ERROR                                                       \
      "int main(void) { int sum = 0; for (int i = 0; i < 101; i++) sum += " \
      "__VERIFIER_nondet_int();\n"                                          \
      "  if (sum == 705 && __VERIFIER_nondet_int() == 6) reach_error(); return sum == 705; }"

/* Samples whose first input is asked for more often. */
static const struct {
  const char *name;
  unsigned again;
} repeated[] = {{"many equal inputs in a row", 99},
                {"many equal inputs in a row, one too few", 98}};

static unsigned again_of(const sample *s, const ask *a) {
  for (size_t i = 0; i < sizeof repeated / sizeof *repeated && a == s->asks; i++)
    if (strcmp(repeated[i].name, s->name) == 0) return repeated[i].again;
  return 0;
}

static const sample samples[] = {
    {"static error function",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     NONDET STATIC_ERROR
     "int main(void) { if (__VERIFIER_nondet_int() == 42) reach_error(); return 0; }",
     {{"__VERIFIER_nondet_int", 32, 42, 0, 0, NULL}},
     C,
     C,
     "error function"},
    {"static error function, other input",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     NONDET STATIC_ERROR
     "int main(void) { if (__VERIFIER_nondet_int() == 42) reach_error(); return 7; }",
     {{"__VERIFIER_nondet_int", 32, 41, 0, 0, NULL}},
     N,
     N,
     "status 7"},
    {"many equal inputs in a row",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     SUM_OF_101,
     {{"__VERIFIER_nondet_int", 32, 7, 0, 0, NULL},
      {"__VERIFIER_nondet_int", 32, 5, 0, 0, NULL},
      {"__VERIFIER_nondet_int", 32, 6, 0, 0, NULL}},
     C,
     C,
     "error function"},
    {"many equal inputs in a row, one too few",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     SUM_OF_101,
     {{"__VERIFIER_nondet_int", 32, 7, 0, 0, NULL},
      {"__VERIFIER_nondet_int", 32, 5, 0, 0, NULL},
      {"__VERIFIER_nondet_int", 32, 6, 0, 0, NULL}},
     N,
     N,
     ""},
    {"ilp32",
     32,
     TP_P_UNREACH_CALL,
     NULL,
     "long long __VERIFIER_nondet_longlong(void);\n" STATIC_ERROR
     "int main(void) { if (sizeof(long) == 4 && __VERIFIER_nondet_longlong() == -5000000000) "
     "reach_error(); return 0; }",
     {{"__VERIFIER_nondet_longlong", 64, (tp_u128)-5000000000, 0, 0, NULL}},
     C,
     C,
     ""},
    {"error function without body",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "extern void __VERIFIER_error(void);\nint main(void) { __VERIFIER_error(); return 0; }",
     {{0}},
     C,
     C,
     "__VERIFIER_error"},
    {"failed assert",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "#include <assert.h>\n" NONDET
     "int main(void) { assert(__VERIFIER_nondet_int() > 0); return 0; }",
     {{"__VERIFIER_nondet_int", 32, 0, 0, 0, NULL}},
     C,
     C,
     "__VERIFIER_nondet_int() > 0"},
    {"assert that holds",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "#include <assert.h>\n" NONDET
     "int main(void) { assert(__VERIFIER_nondet_int() > 0); return 0; }",
     {{"__VERIFIER_nondet_int", 32, 1, 0, 0, NULL}},
     N,
     N,
     "status 0"},
    {"label",
     64,
     TP_P_UNREACH_CALL,
     "ERROR",
     NONDET
     "int main(void) { if (__VERIFIER_nondet_int()) goto ERROR; return 0; ERROR: return 1; }",
     {{"__VERIFIER_nondet_int", 32, 1, 0, 0, NULL}},
     C,
     C,
     "label"},
    {"label not reached",
     64,
     TP_P_UNREACH_CALL,
     "ERROR",
     NONDET "int main(void) { if (__VERIFIER_nondet_int()) ERROR: return 1; return 0; }",
     {{"__VERIFIER_nondet_int", 32, 0, 0, 0, NULL}},
     N,
     N,
     "status 0"},
    {"float and bool and pointer",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "float nf(void); double nd(void); _Bool nb(void); void *np(void); unsigned __int128 "
     "nq(void);\n" STATIC_ERROR "int main(void) { if (nf() == 1.5f && nd() == -0.25 && nb() && "
     "np() == 0 && nq() >> 100 == 3) reach_error(); return 0; }",
     {{"nf", 32, 0x3fc00000, true, TP_I_EXTERN, NULL},
      {"nd", 64, 0xbfd0000000000000, true, TP_I_EXTERN, NULL},
      {"nb", 1, 1, 0, TP_I_EXTERN, NULL},
      {"np", 64, 0, 0, TP_I_EXTERN, NULL},
      {"nq", 128, (tp_u128)3 << 100, 0, TP_I_EXTERN, NULL}},
     C,
     C,
     ""},
    {"in front of the first variable",
     64,
     TP_P_VALID_DEREF,
     NULL,
     NONDET
     "static int a[4], at; int main(void) { at -= __VERIFIER_nondet_int(); a[at] = 1; return 0; }",
     {{"__VERIFIER_nondet_int", 32, 1, 0, 0, NULL}},
     C,
     C,
     "overflow"},
    {"in front of the first variable with a value",
     64,
     TP_P_VALID_DEREF,
     NULL,
     NONDET "static int a[4] = {1}, at = 1; int main(void) { at -= __VERIFIER_nondet_int(); a[at] "
            "= 1; return 0; }",
     {{"__VERIFIER_nondet_int", 32, 2, 0, 0, NULL}},
     C,
     C,
     "overflow"},
    {"in the first variable",
     64,
     TP_P_VALID_DEREF,
     NULL,
     NONDET
     "static int a[4], at; int main(void) { at -= __VERIFIER_nondet_int(); a[at] = 1; return 0; }",
     {{"__VERIFIER_nondet_int", 32, 0, 0, 0, NULL}},
     N,
     N,
     "status 0"},
    {"another question",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "int a(void); int b(void);\n" STATIC_ERROR
     "int main(void) { if (a() == 1) reach_error(); return 0; }",
     {{"b", 32, 1, 0, TP_I_EXTERN, NULL}},
     N,
     N,
     "not recorded: a"},
    {"one question more",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "int a(void);\n" STATIC_ERROR "int main(void) { a(); if (a() == 1) reach_error(); return 0; }",
     {{"a", 32, 1, 0, TP_I_EXTERN, NULL}},
     N,
     N,
     "no input left"},
    {"order of evaluation",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "int a(void); int b(void);\nint f(int x, int y) { return x - y; }\n" STATIC_ERROR
     "int main(void) { if (f(a(), b()) == 1) reach_error(); return 0; }",
     {{"a", 32, 3, 0, TP_I_EXTERN, NULL}, {"b", 32, 2, 0, TP_I_EXTERN, NULL}},
     C,
     N,
     ""},
    {"gcc's dialect only",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     STATIC_ERROR
     "int main(void) { int x = 1; int g(void) { return x; } if (g()) reach_error(); return 0; }",
     {{0}},
     B,
     C,
     "error"},
    {"inline without extern",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     STATIC_ERROR
     "inline int g(void) { return 1; }\nint main(void) { if (g()) reach_error(); return 0; }",
     {{0}},
     C,
     C,
     ""},
    {"library function replaced by inputs",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "#include <stdlib.h>\n" STATIC_ERROR
     "int main(void) { srand(1); if (rand() == 5 && rand() == 6) reach_error(); return 0; }",
     {{"rand", 32, 5, 0, TP_I_ENVIRONMENT, NULL}, {"rand", 32, 6, 0, TP_I_ENVIRONMENT, NULL}},
     C,
     C,
     ""},
    {"builtin defined again",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "long __builtin_expect(long a, long b) { return a; }\n" NONDET STATIC_ERROR
     "int main(void) { if (__builtin_expect(__VERIFIER_nondet_int() == 2, 0)) reach_error(); "
     "return 0; }",
     {{"__VERIFIER_nondet_int", 32, 2, 0, 0, NULL}},
     C,
     C,
     ""},
    {"memory as input",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "void __VERIFIER_nondet_memory(void *, unsigned long);\n" STATIC_ERROR
     "int main(void) { char s[4]; __VERIFIER_nondet_memory(s, 4); if (s[0] == 'h' && s[1] == 'i' "
     "&& !s[2]) reach_error(); return 0; }",
     {{"__VERIFIER_nondet_memory", 0, 0, 0, TP_I_NONDET, "hi"}},
     C,
     C,
     ""},
    {"the models answer",
     32,
     TP_P_UNREACH_CALL,
     NULL,
     "#include <stdio.h>\n" STATIC_ERROR
     "int main(void) { char s[8]; if (getchar() == 'x' && fgets(s, 8, stdin) && s[1] == 'k' && "
     "!s[2]) reach_error(); return 0; }",
     {{"getchar", 32, 'x', 0, TP_I_ENVIRONMENT, NULL},
      {"fgets", 1, 0, 0, TP_I_ENVIRONMENT, NULL},
      {"fgets", 32, 2, 0, TP_I_ENVIRONMENT, NULL},
      {"fgets", 0, 0, 0, TP_I_ENVIRONMENT, "ok"}},
     C,
     C,
     ""},
    {"crash is no violation of unreach-call",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     STATIC_ERROR "int main(void) { *(volatile int *)0 = 1; reach_error(); return 0; }",
     {{0}},
     N,
     N,
     "signal 11"},
    {"write a file",
     64,
     TP_P_UNREACH_CALL,
     NULL,
     "#include <stdio.h>\n" STATIC_ERROR
     "int main(void) { fopen(\"x\", \"w\"); reach_error(); return 0; }",
     {{0}},
     N,
     N,
     "forbidden by the sandbox"},
    {"overflow",
     64,
     TP_P_NO_OVERFLOW,
     NULL,
     NONDET "int main(void) { int x = __VERIFIER_nondet_int(), y = x + 1; return y > 0; }",
     {{"__VERIFIER_nondet_int", 32, 0x7fffffff, 0, 0, NULL}},
     C,
     C,
     "signed integer overflow"},
    {"overflow that gcc folds away",
     64,
     TP_P_NO_OVERFLOW,
     NULL,
     NONDET "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > x; }",
     {{"__VERIFIER_nondet_int", 32, 0x7fffffff, 0, 0, NULL}},
     C,
     N,
     "signed integer overflow"},
    {"no overflow",
     64,
     TP_P_NO_OVERFLOW,
     NULL,
     NONDET "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > 0; }",
     {{"__VERIFIER_nondet_int", 32, 0x7ffffffe, 0, 0, NULL}},
     N,
     N,
     "status 1"},
    {"minimum through minus one",
     32,
     TP_P_NO_OVERFLOW,
     NULL,
     NONDET "int main(void) { return (-2147483647 - 1) / __VERIFIER_nondet_int(); }",
     {{"__VERIFIER_nondet_int", 32, 0xffffffff, 0, 0, NULL}},
     C,
     C,
     "cannot be represented"},
    {"division by zero is no overflow",
     64,
     TP_P_NO_OVERFLOW,
     NULL,
     NONDET "int main(void) { return 1 / __VERIFIER_nondet_int(); }",
     {{"__VERIFIER_nondet_int", 32, 0, 0, 0, NULL}},
     N,
     N,
     ""},
    {"division by zero is undefined",
     64,
     TP_P_UNDEFINED,
     NULL,
     NONDET "int main(void) { return 1 / __VERIFIER_nondet_int(); }",
     {{"__VERIFIER_nondet_int", 32, 0, 0, 0, NULL}},
     C,
     C,
     "division by zero"},
    {"heap bounds",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "#include <stdlib.h>\n" NONDET
     "int main(void) { int *p = malloc(12); return p[__VERIFIER_nondet_int()] = 0; }",
     {{"__VERIFIER_nondet_int", 32, 3, 0, 0, NULL}},
     C,
     C,
     "heap-buffer-overflow"},
    {"inside the heap block",
     32,
     TP_P_VALID_DEREF,
     NULL,
     "#include <stdlib.h>\n" NONDET
     "int main(void) { int *p = malloc(12); return p[__VERIFIER_nondet_int()] = 0; }",
     {{"__VERIFIER_nondet_int", 32, 2, 0, 0, NULL}},
     N,
     N,
     "status 0"},
    {"null",
     32,
     TP_P_VALID_DEREF,
     NULL,
     "int main(void) { int *volatile p = 0; return *p; }",
     {{0}},
     C,
     C,
     "SEGV"},
    {"out of scope",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "int main(void) { int *p; { int x = 1; p = &x; } { int y = 2; (void)y; } return *p; }",
     {{0}},
     C,
     C,
     "scope"},
    {"double free",
     64,
     TP_P_VALID_FREE,
     NULL,
     "#include <stdlib.h>\nint main(void) { char *p = malloc(1); free(p); free(p); return 0; }",
     {{0}},
     C,
     C,
     "double-free"},
    {"free of a string literal",
     64,
     TP_P_VALID_FREE,
     NULL,
     "#include <stdlib.h>\nint main(void) { char *p = \"a\"; if (1) free(p); return 0; }",
     {{0}},
     C,
     C,
     "never allocated"},
    {"free of a copied literal",
     64,
     TP_P_VALID_FREE,
     NULL,
     "#include <stdlib.h>\n#include <string.h>\nint main(void) { char *p = strdup(\"a\"); free(p); "
     "p = malloc(0); free(p); free(0); return 0; }",
     {{0}},
     N,
     N,
     "status 0"},
    {"free of constant data, ilp32",
     32,
     TP_P_VALID_FREE,
     NULL,
     "#include <stdlib.h>\nstatic const int a[4] = {1};\nint main(void) { free((void *)a); return "
     "0; "
     "}",
     {{0}},
     C,
     C,
     "never allocated"},
    {"copy out of a block into its neighbour",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "#include <alloca.h>\n#include <string.h>\nint main(void) { char *p = alloca(100); "
     "memset(p, 1, 100); char *q = alloca(50); memcpy(q, p, 99); return q[3]; }",
     {{0}},
     C,
     C,
     ""},
    {"copy between places that overlap in one object",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "#include <string.h>\nint main(void) { char a[20] = {0}; memcpy(a, a + 1, 10); return 0; }",
     {{0}},
     N,
     N,
     ""},
    {"a bad free is no bad access",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "#include <stdlib.h>\nint main(void) { char *p = malloc(1); free(p); free(p); return 0; }",
     {{0}},
     N,
     N,
     ""},
    {"byte of a block of 0 bytes",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "#include <stdlib.h>\nint main(void) { char *p = malloc(0); *p = 1; free(p); return 0; }",
     {{0}},
     C,
     C,
     "use-after-poison"},
    {"byte of a block behind one of 0 bytes",
     64,
     TP_P_VALID_DEREF,
     NULL,
     "#include <stdlib.h>\nint main(void) { free(malloc(0)); char *p = malloc(1); *p = 1; free(p); "
     "return 0; }",
     {{0}},
     N,
     N,
     "status 0"},
    {"lost copy of a string",
     64,
     TP_P_VALID_MEMTRACK,
     NULL,
     "#include <string.h>\nchar *kept;\nint main(void) { kept = strdup(\"a\"); kept = "
     "strdup(\"b\"); "
     "return 0; }",
     {{0}},
     C,
     C,
     "a heap block is lost"},
    {"freed copy of a string",
     64,
     TP_P_VALID_MEMCLEANUP,
     NULL,
     "#include <stdlib.h>\n#include <string.h>\nint main(void) { free(strdup(\"a\")); return 0; }",
     {{0}},
     N,
     N,
     "status 0"},
    {"lost block",
     64,
     TP_P_VALID_MEMTRACK,
     NULL,
     "#include <stdlib.h>\nvoid *kept;\nint main(void) { kept = malloc(8); *(void **)kept = "
     "malloc(4); malloc(3); return 0; }",
     {{0}},
     C,
     C,
     "a heap block is lost"},
    {"block lost with main",
     32,
     TP_P_VALID_MEMTRACK,
     NULL,
     "#include <stdlib.h>\nint main(void) { char *p = malloc(8); return !p; }",
     {{0}},
     C,
     C,
     "lost"},
    {"all blocks reachable",
     64,
     TP_P_VALID_MEMTRACK,
     NULL,
     "#include <stdlib.h>\nvoid *kept;\nint main(void) { kept = malloc(8); *(void **)kept = "
     "malloc(4); return 0; }",
     {{0}},
     N,
     N,
     "status 0"},
    {"block of a live frame",
     64,
     TP_P_VALID_MEMTRACK,
     NULL,
     "#include <stdlib.h>\nvoid f(void) { char *volatile p = malloc(5); p[0] = 1; exit(3); }\nint "
     "main(void) { f(); return 0; }",
     {{0}},
     N,
     N,
     "status 3"},
    {"not cleaned up",
     64,
     TP_P_VALID_MEMCLEANUP,
     NULL,
     "#include <stdio.h>\n#include <stdlib.h>\nvoid *kept;\nint main(void) { puts(\"x\"); kept = "
     "malloc(8); free(malloc(3)); return 0; }",
     {{0}},
     C,
     C,
     "not freed"},
    {"cleaned up",
     32,
     TP_P_VALID_MEMCLEANUP,
     NULL,
     "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(\"x\"); "
     "free(realloc(malloc(8), 80)); return 0; }",
     {{0}},
     N,
     N,
     "status 0"},
};

static void run_sample(const sample *s) {
  tp_str dir = {0};
  assert_int_equal(tp_temp_dir(&dir), TP_OK);
  tp_str_add(&dir, "/program.c");
  assert_int_equal(tp_write_file(dir.text, s->source, strlen(s->source)), TP_OK);
  tp_program p = {.ptr_bits = s->ptr_bits};
  tp_inputs inputs = {0};
  tp_vec_resize(&p.funcs, 1);
  tp_vec_resize(&p.locs, 2);
  p.locs.at[1].label = s->label;
  static const char *const declared[][2] = {
      {"void __VERIFIER_error", "__VERIFIER_error"}, {"int a(void);", "a"}, {"int b(void);", "b"}};
  for (size_t i = 0; i < 3; i++)
    if (strstr(s->source, declared[i][0]))
      tp_vec_push(&p.funcs, (tp_func_info){.name = declared[i][1]});
  for (const ask *a = s->asks; a->name; a++)
    for (unsigned i = 0; i <= again_of(s, a); i++)
      tp_vec_push(&inputs.v, (tp_input){.kind = a->kind,
                                        .width_bits = a->width_bits,
                                        .is_float = a->is_float,
                                        .bits = a->bits,
                                        .bytes = (const uint8_t *)a->bytes,
                                        .n_bytes = a->bytes ? strlen(a->bytes) : 0,
                                        .name = a->name});
  const char *files[] = {dir.text};
  glob_t models = {0};
  glob("lib/libc/[!m]*.c", 0, NULL, &models);
  tp_chk_native_request r = {.models = (const char *const *)models.gl_pathv,
                             .n_models = models.gl_pathc,
                             .program = &p,
                             .files = files,
                             .n_files = 1,
                             .inputs = &inputs,
                             .violated = s->property,
                             .error = {1},
                             .cpu_s = 2};
  tp_chk_native_report report = {0};
  assert_int_equal(tp_chk_native_replay(&r, &report), TP_OK);
  const tp_chk_native_outcome expected[TP_CHK_N_NATIVE] = {s->clang, s->gcc};
  for (int c = 0; c < TP_CHK_N_NATIVE; c++) {
    const tp_chk_native_result *result = &report.by[c];
    if (result->outcome != expected[c])
      print_error("%s, %s: %s (%s)\n", s->name, tp_chk_native_compilers[c],
                  tp_chk_native_outcome_name(result->outcome), tp_str_text(&result->detail));
    assert_int_equal(result->outcome, expected[c]);
  }
  if (!strstr(tp_str_text(&report.by[0].detail), s->detail))
    print_error("%s: %s\n", s->name, tp_str_text(&report.by[0].detail));
  assert_non_null(strstr(tp_str_text(&report.by[0].detail), s->detail));
  globfree(&models);
  tp_chk_native_report_clear(&report);
  tp_vec_clear(&p.funcs);
  tp_vec_clear(&p.locs);
  tp_vec_clear(&inputs.v);
  tp_str_clear(&dir);
}

/* Of each property and pair of outcomes the first row, and each fourth row; TP_SOAK: all. */
static bool is_tried(size_t row) {
  if (row % 4 == 0 || getenv("TP_SOAK")) return true;
  for (size_t i = 0; i < row; i++)
    if (samples[i].property == samples[row].property && samples[i].clang == samples[row].clang &&
        samples[i].gcc == samples[row].gcc)
      return false;
  return true;
}

static void builds_of_both_compilers_say_what_the_table_says(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    if (is_tried(i)) run_sample(&samples[i]);
}

static void labels_are_found_and_nothing_else(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"ERROR: x();", "ERROR: if (C) {} else  x();"},
      {"if (a) ERROR : return 1;", "if (a) ERROR : if (C) {} else  return 1;"},
      {"else ERROR: ;", "else ERROR: if (C) {} else  ;"},
      {"L: ERROR: goto L;", "L: ERROR: if (C) {} else  goto L;"},
      {"x ? ERROR : y;", "x ? ERROR : y;"},
      {"case ERROR: break;", "case ERROR: break;"},
      {"/* ERROR: */ \"; ERROR:\" // ; ERROR:\n", "/* ERROR: */ \"; ERROR:\" // ; ERROR:\n"},
      {"#define X ERROR: f()\n", "#define X ERROR: f()\n"},
      {"goto ERROR; MY_ERROR: ERRORS: ;", "goto ERROR; MY_ERROR: ERRORS: ;"},
      {"struct { int ERROR : 3; };", "struct { int ERROR : 3; };"},
      {"; ERROR", "; ERROR"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_str out = {0};
    size_t n = tp_chk_mark_label(rows[i][0], "ERROR", "C", &out);
    assert_string_equal(tp_str_text(&out), rows[i][1]);
    assert_int_equal(n, strcmp(rows[i][0], rows[i][1]) != 0);
    tp_str_clear(&out);
  }
}

static void places_behind_returns_are_marked(void **state) {
  (void)state;
  static const struct {
    const char *text;
    tp_chk_text_place places[2];  // line 0: none
    const char *marked;
  } rows[] = {
      {"return a;", {{1, 8}}, "return M a;"},
      {"return(a + 1);", {{1, 11}}, "return M(a + 1);"},
      {"if (c) return a; return b;", {{1, 15}}, "if (c) return M a; return b;"},
      {"if (c) return a; return b;", {{1, 15}, {1, 25}}, "if (c) return M a; return M b;"},
      {"return\n  a\n  + 1;", {{3, 3}}, "return M\n  a\n  + 1;"},
      {"/* return */ x; // return\n return \"return\", a;",
       {{2, 19}},
       "/* return */ x; // return\n return M \"return\", a;"},
      {"returned = my_return;\n", {{1, 12}}, "returned = my_return;\n"},
      {"x; return a;", {{1, 2}}, "x; return a;"},
      {"return a, b;", {{1, 8}, {1, 11}}, "return M a, b;"},
      {"return", {{1, 1}}, "return M"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_str out = {0};
    const size_t n = rows[i].places[1].line ? 2 : 1;
    (void)tp_chk_mark_returns(rows[i].text, rows[i].places, n, " M", &out);
    assert_string_equal(tp_str_text(&out), rows[i].marked);
    tp_str_clear(&out);
  }
}

static void executed_declarations_get_a_call(void **state) {
  (void)state;
  static const char ir[] =
      "define i32 @f(i32 %0) !dbg !4 {\n"
      "  %2 = alloca i32, align 4\n"
      "  %x.y = alloca [4 x i32], align 16\n"
      "  %3 = alloca i32, i64 %9, align 16, !dbg !5\n"
      "    #dbg_declare(ptr %2, !20, !DIExpression(), !21)\n"
      "    #dbg_declare(ptr %x.y, !22, !DIExpression(), !21)\n"
      "    #dbg_declare(ptr %3, !22, !DIExpression(), !21)\n"
      "    #dbg_declare(ptr %2, !23, !DIExpression(), !21)\n"
      "}\n"
      "!20 = !DILocalVariable(name: \"a\", scope: !4, line: 3)\n"
      "!21 = !DILocation(line: 7, column: 2, scope: !4)\n"
      "!22 = !DILocalVariable(name: \"b\", scope: !4, line: 3)\n"
      "!23 = !DILocalVariable(name: \"p\", arg: 1, scope: !4, line: 3)\n";
  tp_str out = {0};
  tp_chk_fill_locals(ir, &out);
  static const char *const parts[] = {
      "#dbg_declare(ptr %2, !20, !DIExpression(), !21)\n  call void @tp_fill_local(ptr %2, i64 "
      "ptrtoint (ptr getelementptr (i32, ptr null, i32 1) to "
      "i64), ptr @tp_name_20, i32 7), !dbg !21\n",
      "(ptr %x.y, i64 ptrtoint (ptr getelementptr ([4 x i32], ptr null, i32 1) to i64), ptr "
      "@tp_name_22, i32 7), !dbg !21\n",
      "@tp_name_20 = private constant [2 x i8] c\"a\\00\"\n"};
  for (size_t i = 0; i < 3; i++) assert_non_null(strstr(out.text, parts[i]));
  size_t calls = 0;
  for (const char *at = out.text; (at = strstr(at, "  call void")); at++) calls++;
  assert_int_equal(calls, 2);  // neither the variable-length array nor the parameter
  tp_str_clear(&out);
  assert_int_equal(tp_live_bytes(), 0);
}

static void no_verdict_without_clang(void **state) {
  (void)state;
  static const struct {
    tp_chk_native_outcome clang, gcc;
    const char *order;
    tp_property property;
    bool stands;
  } rows[] = {{C, C, NULL, TP_P_UNREACH_CALL, true},
              {C, B, NULL, TP_P_UNREACH_CALL, true},
              {C, N, NULL, TP_P_UNREACH_CALL, false},
              {C, N, "a.c:3", TP_P_UNREACH_CALL, true},
              {N, C, "a.c:3", TP_P_UNREACH_CALL, false},
              {B, C, NULL, TP_P_UNREACH_CALL, false},
              {C, TP_CHK_NATIVE_STOPPED, "a.c:3", TP_P_UNREACH_CALL, false},
              {TP_CHK_NATIVE_STOPPED, C, NULL, TP_P_UNREACH_CALL, false},
              {C, N, NULL, TP_P_NO_OVERFLOW, true},
              {N, C, NULL, TP_P_NO_OVERFLOW, false},
              {C, N, NULL, TP_P_VALID_DEREF, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_chk_native_report report = {.by = {{.outcome = rows[i].clang}, {.outcome = rows[i].gcc}}};
    tp_str why = {0};
    assert_int_equal(tp_chk_native_stands(&report, rows[i].property, rows[i].order, &why),
                     rows[i].stands);
    assert_true(why.n > 0);
    tp_str_clear(&why);
  }
}

static int tear_down(void **state) {
  (void)state;
  tp_temp_remove_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builds_of_both_compilers_say_what_the_table_says),
      cmocka_unit_test(labels_are_found_and_nothing_else),
      cmocka_unit_test(places_behind_returns_are_marked),
      cmocka_unit_test(executed_declarations_get_a_call),
      cmocka_unit_test(no_verdict_without_clang)};
  return cmocka_run_group_tests(tests, NULL, tear_down);
}

/* The error path of small programs, word for word; folding; the limit on lines; order of
 * evaluation. */
#include "base/process.h"
#include "front/front.h"
#include "report/error_path.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static char source_path[300];

/* Runs the program, loaded with these options, on these 32-bit inputs. */
static void run(const char *source, tp_front_options options, const uint32_t *values, size_t n,
                size_t max_lines, tp_error_path *path) {
  assert_int_equal(tp_write_file(source_path, source, strlen(source)), TP_OK);
  tp_diag *diag = tp_diag_new(stderr, false);
  const char *files[] = {source_path};
  options.files = files;
  options.n_files = 1;
  tp_program *p;
  assert_int_equal(tp_front_load(&options, diag, &p), TP_OK);
  tp_inputs inputs;
  tp_inputs_init(&inputs);
  for (size_t i = 0; i < n; i++)
    tp_inputs_add(&inputs, (tp_input){.width_bits = 32, .bits = values[i]});
  tp_error_path_of(p, &inputs, (tp_error_path_options){.max_lines = max_lines}, path);
  tp_inputs_clear(&inputs);
  tp_program_free(p);
  tp_diag_free(diag);
}

/* The same for reach_error; text: the path without the line that names the file. */
static void tell(const char *source, const uint32_t *values, size_t n, size_t max_lines,
                 tp_error_path *path, tp_str *text) {
  run(source, (tp_front_options){.property = TP_P_UNREACH_CALL, .without_models = true}, values, n,
      max_lines, path);
  const char *rest = strchr(path->text.text, '\n');
  tp_str_add(text, rest ? rest + 1 : "");
}

#define HEAD "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n"

static const struct {
  const char *name, *source;
  uint32_t values[2];
  size_t n_values;
  const char *text;
} samples[] = {
    {"input, branch, error",
     HEAD "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  unsigned char c = 'a';\n  if (x "
          "< 0)\n    reach_error();\n  return 0;\n}\n",
     {(uint32_t)-7},
     1,
     "    3 | int main(void) {\n"
     "    4 |   int x = __VERIFIER_nondet_int();    x = -7 (input)\n"
     "    5 |   unsigned char c = 'a';              c = 97 ('a')\n"
     "    6 |   if (x < 0)\n"
     "    7 |     reach_error();                    ERROR: call of reach_error\n"},
    {"calls are indented",
     HEAD "static int twice(int a) {\n  int b = a + a;\n  return b;\n}\nint main(void) {\n  int x "
          "= twice(4);\n  if (x == 8) reach_error();\n  return 0;\n}\n",
     {0},
     0,
     "    7 | int main(void) {\n"
     "    8 |   int x = twice(4);\n"
     "      |   twice(a = 4)\n"
     "    4 |     int b = a + a;                    b = 8\n"
     "    5 |     return b;                         returns 8\n"
     "    8 |   int x = twice(4);                   x = 8\n"
     "    9 |   if (x == 8) reach_error();          ERROR: call of reach_error\n"},
    {"memory",
     HEAD "struct pair { int left; double right; };\nint main(void) {\n  static struct pair p;\n  "
          "struct pair *q = &p; static\n  int a[3];\n  q->left = 3;\n  p.right = 0.5;\n  a[2] = "
          "q->left;\n"
          "  if (a[2] == 3) reach_error();\n  return 0;\n}\n",
     {0},
     0,
     "    4 | int main(void) {\n"
     "    6 |   struct pair *q = &p; static         q = &p\n"
     "    8 |   q->left = 3;                        q->left = 3\n"
     "    9 |   p.right = 0.5;                      p.right = 0.5\n"
     "   10 |   a[2] = q->left;                     a[2] = 3\n"
     "   11 |   if (a[2] == 3) reach_error();       ERROR: call of reach_error\n"},
    {"turns are folded",
     HEAD "int main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0;\n  for (int i = 0; i < n; "
          "i++)\n    s += i;\n  if (s > 4000) reach_error();\n  return 0;\n}\n",
     {100},
     1,
     "    3 | int main(void) {\n"
     "    4 |   int n = __VERIFIER_nondet_int(), s = 0;  n = 100 (input), s = 0\n"
     "    5 |   for (int i = 0; i < n; i++)         i = 0\n"
     "    6 |     s += i;                           s = 0\n"
     "    5 |   for (int i = 0; i < n; i++)         i = 1\n"
     "    6 |     s += i;                           s = 1\n"
     "    5 |   for (int i = 0; i < n; i++)         i = 2\n"
     "  ... | 96 more iterations of the loop in line 5: s = 3 .. 4753, i = 3 .. 98\n"
     "    5 |   for (int i = 0; i < n; i++)\n"
     "    6 |     s += i;                           s = 4851\n"
     "    5 |   for (int i = 0; i < n; i++)         i = 99\n"
     "    6 |     s += i;                           s = 4950\n"
     "    5 |   for (int i = 0; i < n; i++)         i = 100\n"
     "    7 |   if (s > 4000) reach_error();        ERROR: call of reach_error\n"},
};

static void paths_read_as_expected(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    tp_error_path path;
    tp_str text = {0};
    tell(samples[i].source, samples[i].values, samples[i].n_values, 200, &path, &text);
    if (strcmp(text.text, samples[i].text) != 0) print_error("%s\n", samples[i].name);
    assert_string_equal(text.text, samples[i].text);
    assert_int_equal(path.run.end, TP_END_ERROR);
    tp_str_clear(&text);
    tp_error_path_clear(&path);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static size_t count_lines(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

static const char nested[] = HEAD
    "static int f(int k) { return k < 1 ? 0 : f(k - 1); }\nint main(void) {\n  int n = "
    "__VERIFIER_nondet_int();\n"
    "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      f(j);\n  f(300);\n  if "
    "(n == 30) reach_error();\n  return 0;\n}\n";

static void long_paths_fit(void **state) {
  (void)state;
  const uint32_t n = 30;
  tp_error_path path;
  tp_str text = {0};
  tell(nested, &n, 1, 200, &path, &text);
  assert_true(count_lines(path.text.text) <= 200);
  assert_non_null(strstr(text.text, "lines are not shown"));
  assert_non_null(strstr(text.text, "reach_error"));
  tp_str_clear(&text);
  tp_error_path_clear(&path);
  tell(nested, &n, 1, 0, &path, &text);  // all of it
  assert_true(count_lines(path.text.text) > 5000);
  assert_null(strstr(text.text, "more iterations"));
  tp_str_clear(&text);
  tp_error_path_clear(&path);
  assert_int_equal(tp_live_bytes(), 0);
}

static void long_runs_keep_both_ends(void **state) {
  (void)state;
  const uint32_t n = 300000;
  tp_error_path path;
  tp_str text = {0};
  tell(HEAD
       "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  for (int i = 0; i < n; i++)\n    "
       ";\n  reach_error();\n  return 0;\n}\n",
       &n, 1, 200, &path, &text);
  assert_int_equal(path.run.end, TP_END_ERROR);
  assert_true(count_lines(path.text.text) < 30);
  assert_non_null(strstr(text.text, "299996 more iterations"));
  assert_non_null(strstr(text.text, "reach_error"));
  tp_str_clear(&text);
  tp_error_path_clear(&path);
}

static void open_orders_are_found(void **state) {
  (void)state;
  static const struct {
    const char *expression;
    bool is_open;
  } rows[] = {{"f(a(), b())", true}, {"a() - b()", true},      {"a() && b()", false},
              {"a(); b()", false},   {"a() ? b() : 1", false}, {"a()", false},
              {"f(a(), 3)", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char source[600];
    snprintf(
        source, sizeof source,
        HEAD
        "static int g;\nstatic int a(void) { return ++g; }\nstatic int b(void) { return g += 2; }\n"
        "static int f(int x, int y) { return x + y; }\n"
        "int main(void) {\n  %s;\n  (void)f;\n  reach_error();\n}\n",
        rows[i].expression);
    tp_error_path path;
    tp_str text = {0};
    tell(source, NULL, 0, 200, &path, &text);
    if ((path.order.n > 0) != rows[i].is_open)
      print_error("%s: %s\n", rows[i].expression, tp_str_text(&path.order));
    assert_int_equal(path.order.n > 0, rows[i].is_open);
    tp_str_clear(&text);
    tp_error_path_clear(&path);
  }
}

// ---------------------------------------------------------------- what went wrong

#define HEAP \
  "void *malloc(unsigned long);\nvoid *realloc(void *, unsigned long);\nvoid free(void *);\n"
#define INPUT "extern int __VERIFIER_nondet_int(void);\n"

static const struct {
  const char *source;
  tp_property property;
  uint32_t value;               // of the one input, if there is one
  const char *message, *notes;  // notes without the file's name
} failures[] = {
    {"int main(void) { int *p = 0; return *p; }", TP_P_VALID_DEREF, 0,
     "read through a null pointer", ""},
    {"struct s { int a, b; };\nint main(void) { struct s *p = 0; p->b = 1; }", TP_P_VALID_DEREF, 0,
     "write at offset 4 from a null pointer", ""},
    {"int main(void) { int *p = (int *)0x12345678; return *p; }", TP_P_VALID_DEREF, 0,
     "read through 0x12345678, which is not the address of an object", ""},
    {HEAP "int main(void) { char *p = malloc(3);\n  return p[__VERIFIER_nondet_int()]; }",
     TP_P_VALID_DEREF, 3, "read of p[3], outside of an allocated object of 3 bytes",
     ":5:28: note: allocated here\n"},
    {"int a[4];\nint main(void) { a[__VERIFIER_nondet_int()] = 1; }", TP_P_VALID_DEREF,
     (uint32_t)-1, "write to a[-1], 4 bytes before 'a' (int[4])", ":2:1: note: declared here\n"},
    {HEAP "int main(void) { char *p = malloc(3);\n  free(p);\n  return *p; }", TP_P_VALID_DEREF, 0,
     "read of a freed object", ":5:28: note: allocated here\n:6:3: note: freed here\n"},
    {"int main(void) { int *p;\n  { int x = 1;\n    p = &x;\n  }\n  return *p; }", TP_P_VALID_DEREF,
     0, "read of an object whose scope has ended", NULL},
    {"int main(void) { char *p = \"ab\"; p[__VERIFIER_nondet_int()] = 1; }", TP_P_VALID_DEREF, 1,
     "write to a string literal", NULL},
    {HEAP "int main(void) { char *p = malloc(3);\n  free(p);\n  free(p); }", TP_P_VALID_FREE, 0,
     "freed twice", ":5:28: note: allocated here\n:6:3: note: freed here\n"},
    {HEAP "int main(void) { char *p = malloc(3);\n  free(p);\n  realloc(p, 8); }", TP_P_VALID_FREE,
     0, "freed twice, in realloc", ":5:28: note: allocated here\n:6:3: note: freed here\n"},
    {HEAP "int main(void) { char *p = malloc(3);\n  free(p + 1); }", TP_P_VALID_FREE, 0,
     "free of an address 1 bytes into an allocated object of 3 bytes",
     ":5:28: note: allocated here\n"},
    {HEAP "int main(void) { int x[2];\n  free(x); }", TP_P_VALID_FREE, 0,
     "free of an address that malloc did not return: 'x' (int[2])", ":5:22: note: declared here\n"},
    {HEAP "int main(void) { malloc(3);\n  return 0; }", TP_P_VALID_MEMTRACK, 0,
     "an object of 3 bytes is neither freed nor reachable at the end of the program",
     ":5:18: note: allocated here\n"},
    {HEAP "void *p, *q;\nint main(void) { p = malloc(3); q = malloc(4); }", TP_P_VALID_MEMCLEANUP,
     0, "memory is not freed at the end of the program (2 objects, 7 bytes)", NULL},
    {"int main(void) { int x = __VERIFIER_nondet_int(); int y = x * x; return y; }",
     TP_P_NO_OVERFLOW, 65536, "overflow in a signed multiplication: 65536 * 65536 does not fit int",
     ""},
    {"int main(void) { int x = __VERIFIER_nondet_int(); int y = x - 3; return y; }",
     TP_P_NO_OVERFLOW, 0x80000001,
     "overflow in a signed subtraction: -2147483647 - 3 does not fit int", ""},
    {"int main(void) { int x = __VERIFIER_nondet_int(); x++; return x; }", TP_P_NO_OVERFLOW,
     0x7fffffff, "overflow in a signed addition: 2147483647 + 1 does not fit int", ""},
    {"int main(void) { int x = __VERIFIER_nondet_int(); return (x + x) / 2; }", TP_P_NO_OVERFLOW,
     0x7fffffff, "overflow in a signed addition: 2147483647 + 2147483647 does not fit int", ""},
    {"int main(void) { int x = __VERIFIER_nondet_int(); return -x; }", TP_P_NO_OVERFLOW, 0x80000000,
     "overflow in a negation (x = -2147483648)", ""},
};

static void drop_all(tp_str *text, const char *part) {
  size_t n = strlen(part);
  for (char *at; n && text->n && (at = strstr(text->text, part)) != NULL; text->n -= n)
    memmove(at, at + n, strlen(at + n) + 1);
}

static void failures_are_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    tp_error_path path;
    tp_str source = {0};
    tp_str_printf(&source, INPUT "%s\n", failures[i].source);
    run(source.text,
        (tp_front_options){.property = failures[i].property,
                           .malloc_policy = TP_MALLOC_NEVER_FAILS},
        &failures[i].value, 1, 200, &path);
    assert_int_equal(path.run.end, TP_END_ERROR);
    drop_all(&path.notes, source_path);
    if (strcmp(tp_str_text(&path.message), failures[i].message) != 0)
      print_error("%s\n", failures[i].source);
    assert_string_equal(tp_str_text(&path.message), failures[i].message);
    if (failures[i].notes) assert_string_equal(tp_str_text(&path.notes), failures[i].notes);
    assert_non_null(strstr(tp_str_text(&path.text), failures[i].message));
    tp_str_clear(&source);
    tp_error_path_clear(&path);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static int set_up(void **state) {
  (void)state;
  tp_str d = {0};
  if (tp_temp_dir(&d) != TP_OK) return 1;
  snprintf(source_path, sizeof source_path, "%s/program.c", d.text);
  tp_str_clear(&d);
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  tp_temp_remove_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_read_as_expected), cmocka_unit_test(long_paths_fit),
      cmocka_unit_test(long_runs_keep_both_ends), cmocka_unit_test(open_orders_are_found),
      cmocka_unit_test(failures_are_named)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

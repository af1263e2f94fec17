/* From C to edges: single dereferences (row F02), assertions and monitors as error locations (row
 * F03). The programs are small texts; what the interpreter makes of them is compared with gcc's
 * program. */
#include "exec/exec.h"
#include "front/front.h"
#include "six_operations.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/tp_lowering_XXXXXX", source[64], native[64];
static tp_diag *diag;

static int setup(void **state) {
  (void)state;
  if (!mkdtemp(dir)) return -1;
  snprintf(source, sizeof source, "%s/program.c", dir);
  snprintf(native, sizeof native, "%s/program", dir);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  remove(source);
  remove(native);
  return rmdir(dir);
}

static tp_program *load(const char *text, tp_property property) {
  assert_int_equal(tp_write_file(source, text, strlen(text)), TP_OK);
  const char *files[] = {source};
  tp_front_options options = {.files = files, .n_files = 1, .property = property};
  tp_program *p;
  diag = tp_diag_new(stderr, false);
  if (tp_front_load(&options, diag, &p) != TP_OK) fail_msg("the program cannot be read");
  tp_str why = {0};
  if (!tp_program_check(p, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
  return p;
}
static void unload(tp_program *p) {
  tp_program_free(p);
  tp_diag_free(diag);
}

static tp_func func_named(const tp_program *p, const char *name) {
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (strcmp(p->funcs.at[f].name, name) == 0) return (tp_func){f};
  fail_msg("no function %s", name);
  return TP_FUNC_NONE;
}

// ------------------------------------------------------------ single dereferences

static const char nested[] =
    "struct inner { int pad, c; };\n"
    "struct outer { struct inner *b; };\n"
    "extern int __VERIFIER_nondet_int(void);\n"
    "int f(int x) { return x * 3 + 1; }\n"
    "void assign(struct outer *a, int *p, int x) {\n"
    "  a->b->c = *p + f(x);\n"
    "}\n"
    "int main(void) {\n"
    "  struct inner in = {0, 0};\n"
    "  struct outer out = {&in};\n"
    "  int y = __VERIFIER_nondet_int() % 1000;\n"
    "  assign(&out, &y, 5);\n"
    "  return in.c & 127;\n"
    "}\n";

/* Kinds of the operations of `assign` in order of execution: one letter each. */
static void operations_of(const tp_program *p, tp_func f, char *out) {
  tp_loc at = tp_func_of(p, f)->entry;
  while (tp_out_edges(p, at).n == 1) {
    const tp_edge_info *e = tp_edge_of(p, (tp_edge){tp_out_edges(p, at).at[0]});
    static const char letters[] = {[TP_E_LOAD] = 'L', [TP_E_STORE] = 'S', [TP_E_CALL] = 'C'};
    if (e->kind < sizeof letters && letters[e->kind]) *out++ = letters[e->kind];
    at = e->to;
  }
  *out = 0;
}

static void F02_nested_access_becomes_single_dereferences(void **state) {
  (void)state;
  tp_program *p = load(nested, TP_P_UNREACH_CALL);
  tp_func f = func_named(p, "assign");
  char order[32];
  operations_of(p, f, order);
  assert_string_equal(order, "LCLS");  // *p, f(x), a->b, then the store to ->c
  tp_str text = {0};
  tp_program_print(p, &text);
  static const char *const expected[] = {" = *p ", " = f(x) ", " = a->b ", "->c = "};
  for (size_t i = 0; i < 4; i++)
    if (!strstr(text.text, expected[i])) fail_msg("no \"%s\" in\n%s", expected[i], text.text);
  tp_str_clear(&text);
  unload(p);
}

/* A program in the thesis's language needs nothing but the six operations, calls and returns. */
static void F02_list_programs_are_six_operations(void **state) {
  (void)state;
  tp_program *p = load(
      "struct node { int data; struct node *next; };\n"
      "void *malloc(unsigned long n);\n"
      "extern int __VERIFIER_nondet_int(void);\n"
      "void reach_error(void) {}\n"
      "int main(void) {\n"
      "  struct node *a = malloc(sizeof *a);\n"
      "  struct node *p = a;\n"
      "  while (__VERIFIER_nondet_int()) {\n"
      "    p->data = 1;\n"
      "    struct node *t = malloc(sizeof *t);\n"
      "    p->next = t;\n"
      "    p = p->next;\n"
      "  }\n"
      "  p->data = 0;\n"
      "  p = a;\n"
      "  while (p->data == 1) p = p->next;\n"
      "  if (p->data != 0) reach_error();\n"
      "  return 0;\n"
      "}\n",
      TP_P_UNREACH_CALL);
  tp_pointsto *classes = tp_pointsto_new(p);
  unsigned seen[TP_SIX_ASSUME + 1] = {0};
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->from.id == 0) continue;
    tp_six_op op = tp_six_of(p, classes, (tp_edge){e});
    assert_null(tp_six_type_fault(p, &op));
    seen[op.kind]++;
    bool is_outside =
        edge->kind == TP_E_HAVOC || edge->kind == TP_E_CALL || edge->kind == TP_E_RETURN;
    if (op.kind == TP_SIX_OTHER && !is_outside) {
      tp_str line = {0};
      tp_edge_print(p, (tp_edge){e}, &line);
      fail_msg("not one of the six: %s", line.text);
    }
  }
  assert_int_equal(seen[TP_SIX_MALLOC], 2);
  assert_int_equal(seen[TP_SIX_STORE], 3);
  assert_true(seen[TP_SIX_LOAD] >= 4 && seen[TP_SIX_COPY] >= 1 && seen[TP_SIX_ASSUME] >= 6);
  tp_pointsto_free(classes);
  unload(p);
}

// -------------------------------------------------------------------- differential

/* Programs whose exit status depends on two inputs through pointers, structs, arrays, loops. */
static const char *const programs[] = {
    nested,
    "extern int __VERIFIER_nondet_int(void);\n"
    "struct pair { short a; struct { unsigned char b[3]; long c; } in; } t[4];\n"
    "static struct pair *at(int i) { return t + (i & 3); }\n"
    "int main(void) {\n"
    "  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"
    "  struct pair *p = at(x);\n"
    "  p->in.b[y & 1] = (unsigned char)x;\n"
    "  p->in.c = -y;\n"
    "  at(y)->a += (short)(p->in.b[0] - p->in.b[1]);\n"
    "  long *c = &t[x & 3].in.c;\n"
    "  *c = *c * 3 + at(y)->a;\n"
    "  return (int)((unsigned long)*c & 255);\n"
    "}\n",
    "extern int __VERIFIER_nondet_int(void);\n"
    "int g[5], *gp = g + 2;\n"
    "int main(void) {\n"
    "  int n = __VERIFIER_nondet_int() & 7, **pp = &gp, sum = 0;\n"
    "  for (int i = 0; i < n; i++) (*pp)[i % 3 - 1] += i, *pp = g + (i & 1) + 1;\n"
    "  for (int *q = g; q != g + 5; q++) sum = sum * 5 + *q;\n"
    "  return sum & 255;\n"
    "}\n",
    "extern int __VERIFIER_nondet_int(void);\n"
    "#include <string.h>\n"
    "#include <stdlib.h>\n"
    "int main(void) {\n"
    "  char text[16] = \"\";\n"
    "  int n = __VERIFIER_nondet_int() & 3;\n"
    "  for (int i = 0; i < n; i++) strcat(text, i & 1 ? \"ab\" : \"xyz\");\n"
    "  char *copy = strdup(text);\n"
    "  int result = (int)strlen(copy) * 10 + (strchr(copy, 'b') != NULL) + (strcmp(copy, \"xyz\") "
    "== 0) * 3 + abs(-n);\n"
    "  free(copy);\n"
    "  return result + atoi(\" -7x\") + 7;\n"
    "}\n",
};

static int native_status(const char *inputs) {
  setenv("INPUTS", inputs, 1);
  int status = system(native);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void build_native(const char *text) {
  static const char reader[] =
      "\n#include <stdio.h>\nextern char *getenv(const char *);\n"
      "int __VERIFIER_nondet_int(void) { static char *at; int v = 0, n = 0; if (!at) at = "
      "getenv(\"INPUTS\");"
      " sscanf(at, \"%d%n\", &v, &n); at += n; return v; }\n";
  tp_str all = {0};
  tp_str_add(&all, text);
  tp_str_add(&all, reader);
  assert_int_equal(tp_write_file(source, all.text, all.n), TP_OK);
  char command[256];
  snprintf(command, sizeof command, "gcc -O0 -fwrapv -w -o %s %s", native, source);
  assert_int_equal(system(command), 0);
  tp_str_clear(&all);
}

static void F02_lowered_programs_run_like_compiled_ones(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 7);
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
    build_native(programs[i]);
    tp_program *p = load(programs[i], TP_P_UNREACH_CALL);
    for (int round = 0; round < 12; round++) {
      tp_inputs in;
      tp_inputs_init(&in);
      tp_str text = {0};
      for (int k = 0; k < 2; k++) {
        int v = (int)(int64_t)tp_rng_below(&rng, 2000) - 1000;
        tp_inputs_add(&in, (tp_input){.kind = TP_I_NONDET,
                                      .width_bits = 32,
                                      .is_signed = true,
                                      .bits = (uint32_t)v,
                                      .name = ""});
        tp_str_printf(&text, "%d ", v);
      }
      tp_vector_oracle vector = {.in = &in};
      tp_oracle oracle = tp_oracle_of_vector(&vector);
      tp_run_result r = tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL);
      if (r.end != TP_END_EXIT)
        fail_msg("program %zu, inputs %s: ended with %d (%s)", i, text.text, (int)r.end,
                 r.why ? r.why : "");
      assert_int_equal(r.exit_status & 255, native_status(text.text));
      tp_str_clear(&text);
      tp_inputs_clear(&in);
    }
    unload(p);
  }
}

// ----------------------------------------------------- assertions and monitors

/* Does some run with one input of -2 .. 4 (repeated) reach an error location? */
static bool fails(const tp_program *p) {
  for (int v = -2; v <= 4; v++) {
    tp_inputs in;
    tp_inputs_init(&in);
    for (int k = 0; k < 8; k++)
      tp_inputs_add(&in, (tp_input){.kind = TP_I_NONDET,
                                    .width_bits = 32,
                                    .is_signed = true,
                                    .bits = (uint32_t)(k % 3 ? v : 1),
                                    .name = ""});
    tp_vector_oracle vector = {.in = &in, .then_zero = true};
    tp_oracle oracle = tp_oracle_of_vector(&vector);
    tp_run_result r = tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL);
    bool is_error = r.end == TP_END_ERROR && tp_loc_of(p, r.loc)->error == TP_P_UNREACH_CALL;
    tp_inputs_clear(&in);
    if (is_error) return true;
  }
  return false;
}

static void expect(const char *text, bool failing) {
  tp_program *p = load(text, TP_P_UNREACH_CALL);
  assert_int_equal(fails(p), failing);
  unload(p);
}

static void F03_assertions_become_error_locations(void **state) {
  (void)state;
#define WITH_ASSERT(condition)                                                         \
  "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"                     \
  "int main(void) {\n  __VERIFIER_nondet_int();\n  int x = __VERIFIER_nondet_int();\n" \
  "  if (x < 0) x = -x;\n  assert(" condition ");\n  return 0;\n}\n"
  expect(WITH_ASSERT("x >= 0"), false);
  expect(WITH_ASSERT("x > 0"), true);
}

/* The product with a monitor automaton, written in C: calls drive it, its error state is an error.
 */
#define MONITOR                                                                                \
  "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n"                       \
  "static enum { UNLOCKED, LOCKED } monitor;\n"                                                \
  "static void lock(void) { if (monitor == LOCKED) reach_error(); monitor = LOCKED; }\n"       \
  "static void unlock(void) { if (monitor == UNLOCKED) reach_error(); monitor = UNLOCKED; }\n" \
  "int main(void) {\n  int old, new = 0, turns = 0;\n"

static void F03_monitors_become_error_locations(void **state) {
  (void)state;
  expect(MONITOR
         "  do {\n    lock();\n    old = new;\n    if (__VERIFIER_nondet_int() > 0) { unlock(); "
         "new++; }\n"
         "  } while (new != old && ++turns < 5);\n  if (new == old) unlock();\n  return 0;\n}\n",
         false);
  expect(MONITOR
         "  do {\n    lock();\n    old = new;\n    if (__VERIFIER_nondet_int() > 0) { unlock(); "
         "new++; }\n"
         "  } while (new != old && ++turns < 5);\n  unlock();\n  return 0;\n}\n",
         true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F02_nested_access_becomes_single_dereferences),
      cmocka_unit_test(F02_list_programs_are_six_operations),
      cmocka_unit_test(F02_lowered_programs_run_like_compiled_ones),
      cmocka_unit_test(F03_assertions_become_error_locations),
      cmocka_unit_test(F03_monitors_become_error_locations),
  };
  return cmocka_run_group_tests_name("program/lowering", tests, setup, teardown);
}

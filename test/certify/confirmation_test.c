/* Confirmation under attack: a failing run of the model beside a compiled program that fails in
 * another way.
 *
 * Each base program fails in one line. It is loaded and run by the interpreter; then its file is
 * overwritten, so that the compiler builds another program under the same name: the same lines, but
 * with an attack in the line marked ATTACK, in front of the failure. The program that was modelled
 * must be confirmed, none of the attacked ones may be. All pairs with TP_SOAK, else one attack for
 * each third base, in turns. */
#include "certify/runs/native_replay.h"

#include "base/process.h"
#include "front/front.h"
#include "report/error_path.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  const char *name;
  tp_property property;  // what is asked
  tp_property violated;
  tp_u128 input;          // each __VERIFIER_nondet_int gives this
  const char *source;     // one ATTACK
  const char *same_kind;  // statement that violates the same property in the attacked line
} base;

#define HEAD                                                                                     \
  "#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\nextern "   \
  "void missing_function(void);\nextern char *missing_pointer(void);\n"                          \
  "void reach_error(void) {}\nstatic volatile int sink;\nstatic int *volatile nowhere;\nstatic " \
  "void fail_elsewhere(void);\n"
#define TAIL "static void fail_elsewhere(void) { SAME }\n"

static const base bases[] = {
    {"null", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 0,
     "int main(void) {\n  int *volatile p = 0;\nATTACK\n  return *p;\n}\n", "*nowhere = 1;"},
    {"heap overflow", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 3,
     "int main(void) {\n  int *p = malloc(12);\nATTACK\n  int i = __VERIFIER_nondet_int();\n  p[i] "
     "= 1;\n  return 0;\n}\n",
     "char *q = malloc(2); q[2] = 1;"},
    {"heap underflow", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 1,
     "int main(void) {\n  int *p = malloc(12);\nATTACK\n  int i = __VERIFIER_nondet_int();\n  "
     "p[-i] = 1;\n  return 0;\n}\n",
     "char *q = malloc(2); q[-1] = 1;"},
    {"use after free", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 0,
     "int main(void) {\n  int *p = malloc(4);\n  *p = 0;\nATTACK\n  free(p);\n  return *p;\n}\n",
     "char *q = malloc(2); free(q); *q = 1;"},
    {"stack array", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 4,
     "int main(void) {\n  int a[4] = {0};\nATTACK\n  return a[__VERIFIER_nondet_int()];\n}\n",
     "int b[2]; volatile int k = 2; b[k] = 1;"},
    {"global array", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 4,
     "static int a[4];\nint main(void) {\nATTACK\n  a[__VERIFIER_nondet_int()] = 1;\n  return "
     "0;\n}\n",
     "static int b[2]; volatile int k = 2; b[k] = 1;"},
    {"out of scope", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 0,
     "int main(void) {\n  int *p;\n  { int x = 1; p = &x; }\nATTACK\n  return *p;\n}\n",
     "int *q; { int y = 1; q = &y; } *q = 2;"},
    {"in a function", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 5,
     "static int get(const int *p, int i) {\n  return p[i];\n}\nint main(void) {\n  int *p = "
     "calloc(5, 4);\nATTACK\n  int x = get(p, __VERIFIER_nondet_int());\n  free(p);\n  return "
     "x;\n}\n",
     "char *q = malloc(2); q[2] = 1;"},
    {"library call", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 0,
     "int main(void) {\n  char *p = malloc(3);\nATTACK\n  strcpy(p, \"abc\");\n  free(p);\n  "
     "return 0;\n}\n",
     "char *q = malloc(2); strcpy(q, \"ab\");"},
    {"bad call", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 0,
     "int main(void) {\n  void (*volatile f)(void) = 0;\nATTACK\n  f();\n  return 0;\n}\n",
     "void (*volatile g)(void) = 0; g();"},
    {"double free", TP_P_VALID_FREE, TP_P_VALID_FREE, 0,
     "int main(void) {\n  char *p = malloc(1);\nATTACK\n  free(p);\n  free(p);\n  return 0;\n}\n",
     "char *q = malloc(2); free(q); free(q);"},
    {"free of a local", TP_P_VALID_FREE, TP_P_VALID_FREE, 0,
     "int main(void) {\n  int x, *volatile p = &x;\nATTACK\n  free(p);\n  return 0;\n}\n",
     "char *volatile q = malloc(2); free(q + 1);"},
    {"free behind the block", TP_P_VALID_FREE, TP_P_VALID_FREE, 0,
     "int main(void) {\n  int *volatile p;\n  { int a[20] = {0}; p = a; }\nATTACK\n  sink = "
     "p[2];\n  free(p);\n  return 0;\n}\n",
     "char *volatile q = malloc(2); free(q + 1);"},
    {"returned address", TP_P_VALID_DEREF, TP_P_VALID_DEREF, 0,
     "static char *f(void) {\n  char a[20] = {0};\n  return a;\n}\nint main(void) {\n  char *p = "
     "f();\nATTACK\n  if (p) sink = *p;\n  return 0;\n}\n",
     "int *q; { int y = 1; q = &y; } *q = 2;"},
    {"overflow", TP_P_NO_OVERFLOW, TP_P_NO_OVERFLOW, 0x7fffffff,
     "int main(void) {\n  int x = 1;\nATTACK\n  x += __VERIFIER_nondet_int();\n  return x > "
     "0;\n}\n",
     "volatile int y = 0x7fffffff; y = y + 1;"},
    {"product", TP_P_NO_OVERFLOW, TP_P_NO_OVERFLOW, 0x10000,
     "int main(void) {\n  int x = __VERIFIER_nondet_int();\nATTACK\n  x = x * x;\n  return x > "
     "0;\n}\n",
     "volatile int y = 0x10000; y = y * y;"},
    {"shift", TP_P_NO_OVERFLOW, TP_P_NO_OVERFLOW, 1,
     "int main(void) {\n  int x = __VERIFIER_nondet_int();\nATTACK\n  x = x << 31 << 1;\n  return "
     "x > 0;\n}\n",
     "volatile int y = 3; y = y << 31;"},
    {"error function", TP_P_UNREACH_CALL, TP_P_UNREACH_CALL, 7,
     "int main(void) {\nATTACK\n  if (__VERIFIER_nondet_int() == 7) reach_error();\n  return "
     "0;\n}\n",
     "reach_error();"},
    {"error function through a pointer", TP_P_UNREACH_CALL, TP_P_UNREACH_CALL, 7,
     "static void (*volatile f)(void);\nint main(void) {\n  f = reach_error;\nATTACK\n  if "
     "(__VERIFIER_nondet_int() == 7) f();\n  return 0;\n}\n",
     "exit(107);"},
    {"assertion", TP_P_UNREACH_CALL, TP_P_UNREACH_CALL, 7,
     "#include <assert.h>\nint main(void) {\n  int x = __VERIFIER_nondet_int();\nATTACK\n  "
     "assert(x != 7);\n  return 0;\n}\n",
     "assert(sink == 1);"},
    {"aligned array", TP_P_UNREACH_CALL, TP_P_UNREACH_CALL, 7,
     "int main(void) {\n  char c = 1, a[7] = {0}, d = 2;\n  int x = "
     "__VERIFIER_nondet_int();\nATTACK\n"
     "  if (x == 7 && (unsigned long)a % 16 == 0) reach_error();\n  return c + d;\n}\n",
     "reach_error();"},
    {"lost block", TP_P_VALID_MEMTRACK, TP_P_VALID_MEMTRACK, 0,
     "int main(void) {\n  char *p = malloc(4);\n  p[0] = 1;\nATTACK\n  return 0;\n}\n",
     "sink = !malloc(3); exit(0);"},
    {"block left at exit", TP_P_VALID_MEMCLEANUP, TP_P_VALID_MEMCLEANUP, 1,
     "static char *p;\nint main(void) {\n  p = malloc(4);\n  int x = "
     "__VERIFIER_nondet_int();\nATTACK\n  if (x) exit(1);\n  free(p);\n  return 0;\n}\n",
     "exit(1);"},
    {"block left by abort", TP_P_VALID_MEMCLEANUP, TP_P_VALID_MEMCLEANUP, 1,
     "int main(void) {\n  char *p = malloc(4);\n  int x = __VERIFIER_nondet_int();\nATTACK\n  if "
     "(x) abort();\n  free(p);\n  return 0;\n}\n",
     "abort();"},
    {"division by zero", TP_P_UNDEFINED, TP_P_UNDEFINED, 0,
     "int main(void) {\n  int x = __VERIFIER_nondet_int();\nATTACK\n  return 10 / x;\n}\n",
     "volatile int y = 0; y = 1 / y;"},
};

/* SAME: the base's statement. */
static const char *const attacks[] = {
    "  *nowhere = 1;",
    "  missing_function();",
    "  *missing_pointer() = 1;",
    "  exit(0);",
    "  abort();",
    "  fail_elsewhere();",
    "  SAME",
};

enum { N_BASES = sizeof bases / sizeof *bases, N_ATTACKS = sizeof attacks / sizeof *attacks };

static void add_replaced(tp_str *out, const char *text, const char *mark, const char *by) {
  for (const char *at; (at = strstr(text, mark)) != NULL; text = at + strlen(mark)) {
    tp_str_add_n(out, text, (size_t)(at - text));
    tp_str_add(out, by);
  }
  tp_str_add(out, text);
}

/* attack NULL: the program that is modelled. */
static void write_program(const base *b, const char *attack, const char *path) {
  tp_str attacked = {0}, text = {0};
  tp_str_add(&attacked, HEAD);
  add_replaced(&attacked, b->source, "ATTACK", attack ? attack : "");
  tp_str_add(&attacked, TAIL);
  add_replaced(&text, tp_str_text(&attacked), "SAME", attack ? b->same_kind : "");
  assert_int_equal(tp_write_file(path, text.text, text.n), TP_OK);
  tp_str_clear(&attacked);
  tp_str_clear(&text);
}

static bool answer(void *ctx, tp_input *io) {
  io->bits = io->width_bits ? *(const tp_u128 *)ctx : 0;
  io->bytes = NULL;
  io->n_bytes = 0;
  return true;
}

static tp_chk_native_report replay_with(const base *b, const tp_program *p, const tp_inputs *inputs,
                                        const tp_error_path *path, const char *file,
                                        tp_chk_storage storage) {
  const tp_chk_native_failure failure = {path->error_pos, path->error_function};
  const tp_chk_native_request r = {.program = p,
                                   .files = &file,
                                   .n_files = 1,
                                   .inputs = inputs,
                                   .violated = b->violated,
                                   .error = path->run.loc,
                                   .failure = failure,
                                   .storage = storage,
                                   .cpu_s = 5};
  tp_chk_native_report report = {0};
  assert_int_equal(tp_chk_native_replay(&r, &report), TP_OK);
  return report;
}

static bool stands(const base *b, const tp_chk_native_report *report, tp_str *why) {
  return tp_chk_native_stands(report, b->violated, NULL, why);
}

/* The builds that the tool tries when the first ones do not show the failure. */
static tp_chk_storage other_storage(const base *b) {
  return b->violated == TP_P_VALID_DEREF    ? TP_CHK_STORAGE_ENDED_TOO
         : b->violated == TP_P_VALID_FREE   ? TP_CHK_STORAGE_OF_FRAMES
         : b->violated == TP_P_UNREACH_CALL ? TP_CHK_STORAGE_ALIGNED
                                            : TP_CHK_STORAGE_WATCHED;
}

static tp_chk_native_report replay(const base *b, const tp_program *p, const tp_inputs *inputs,
                                   const tp_error_path *path, const char *file) {
  tp_chk_native_report report = replay_with(b, p, inputs, path, file, TP_CHK_STORAGE_WATCHED);
  tp_str why = {0};
  const bool is_shown = stands(b, &report, &why);
  tp_str_clear(&why);
  if (is_shown || other_storage(b) == TP_CHK_STORAGE_WATCHED) return report;
  tp_chk_native_report_clear(&report);
  return replay_with(b, p, inputs, path, file, other_storage(b));
}

static void attack_base(const base *b, const char *file, int *confirmed) {
  write_program(b, NULL, file);
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = NULL;
  const tp_front_options front = {
      .files = &file, .n_files = 1, .property = b->property, .model_dir = "build/lib/libc"};
  assert_int_equal(tp_front_load(&front, diag, &p), TP_OK);
  tp_u128 value = b->input;
  tp_inputs inputs;
  tp_inputs_init(&inputs);
  tp_record_oracle record = {{&value, answer}, &inputs};
  tp_oracle oracle = tp_oracle_recording(&record);
  const tp_run_result run = tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL);
  if (run.end != TP_END_ERROR) fail_msg("%s: the interpreter's run does not fail", b->name);
  tp_error_path path;
  tp_error_path_of(p, &inputs, (tp_error_path_options){.steps = run.steps}, &path);
  for (size_t i = 0; i <= N_ATTACKS; i++) {
    const char *attack = i < N_ATTACKS ? attacks[i] : NULL;
    if (attack && !getenv("TP_SOAK") && (i + (size_t)(b - bases)) % (5 * N_ATTACKS) != 0) continue;
    write_program(b, attack, file);
    tp_chk_native_report report = replay(b, p, &inputs, &path, file);
    tp_str why = {0};
    bool said = stands(b, &report, &why);
    if (said != !attack)
      print_error("%s, attack \"%s\": %s\n", b->name, attack ? attack : "", tp_str_text(&why));
    if (said && attack) ++*confirmed;
    if (!attack) assert_true(said);
    tp_str_clear(&why);
    tp_chk_native_report_clear(&report);
  }
  tp_error_path_clear(&path);
  tp_inputs_clear(&inputs);
  tp_program_free(p);
  tp_diag_free(diag);
}

static void only_the_failure_itself_confirms(void **state) {
  (void)state;
  tp_str file = {0};
  int confirmed = 0;
  assert_int_equal(tp_temp_dir(&file), TP_OK);
  tp_str_add(&file, "/program.c");
  for (size_t i = 0; i < N_BASES; i++) attack_base(&bases[i], file.text, &confirmed);
  assert_int_equal(confirmed, 0);
  assert_true(N_BASES * N_ATTACKS >= 100);
  tp_str_clear(&file);
  assert_int_equal(tp_live_bytes(), 0);
}

static int tear_down(void **state) {
  (void)state;
  tp_temp_remove_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_the_failure_itself_confirms)};
  return cmocka_run_group_tests(tests, NULL, tear_down);
}

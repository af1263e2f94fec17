/* Differential test of the front end and the interpreter: random programs (gen.h) leave the same
 * checksums in the interpreter as in builds by gcc and clang, with and without optimisation, for
 * both data models.
 *
 * 10 programs in a quick run, 5,000 with TP_SOAK=1; TP_FUZZ_COUNT and TP_FUZZ_SEED choose
 * otherwise. A soak writes the next seed to build/soak/fuzz_diff after each batch and goes on from
 * there when it is started again. One batch in eight (the first one among them) is also built with
 * sanitizers: the generator's promise is tested, too. A program on which they disagree is left
 * alone in build/fuzz-SEED.c. */
#include "base/process.h"
#include "exec/exec.h"
#include "front/front.h"
#include "gen.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { BATCH = 25, QUICK = 10, SOAK = 5000, N_BUILDS = 3, SANITIZED_EVERY = 8 };
static const char *const builds[N_BUILDS] = {"gcc -O0", "gcc -O2", "clang-19 -O1"};

typedef struct {
  uint64_t first;
  unsigned n;
  gen_options options;
  tp_str dir, source;
  uint64_t native[N_BUILDS][BATCH], ours[BATCH];
} batch;

// ---------------------------------------------------------------------- native

static void start_shell(tp_process *p, const char *command) {
  const char *argv[] = {"sh", "-c", command, NULL};
  tp_process_spec spec = {.argv = argv, .limits = {.cpu_s = 120, .output_bytes = 1 << 20}};
  assert_int_equal(tp_process_start(p, spec), TP_OK);
}

static void expect_success(tp_process *p, const batch *b, const char *what) {
  if (p->end == TP_PROCESS_EXITED && p->code == 0) return;
  tp_str how = {0};
  tp_process_print_end(p, &how);
  fail_msg("%s, seed %llu: %s\n%.2000s", what, (unsigned long long)b->first, tp_str_text(&how),
           tp_str_text(&p->err));
}

static void parse_output(const batch *b, const char *text, uint64_t *out) {
  for (unsigned i = 0; i < b->n; i++) {
    unsigned number;
    unsigned long long value;
    int used = 0;
    if (sscanf(text, "%u %llx %n", &number, &value, &used) != 2 || number != i)
      fail_msg("output of %u not found", i);
    out[i] = value;
    text += used;
  }
}

static const char *machine_flags(const batch *b) {
  return b->options.long_bits == 32 ? "-m32 -msse2 -mfpmath=sse" : "-m64";
}

static void start_builds(const batch *b, tp_process *p) {
  for (int k = 0; k < N_BUILDS; k++) {
    tp_str command = {0};
    tp_str_printf(&command, "cd %s && %s %s -w -ffp-contract=off -DNATIVE -o native%d batch.c",
                  tp_str_text(&b->dir), builds[k], machine_flags(b), k);
    start_shell(&p[k], command.text);
    tp_str_clear(&command);
  }
}

static void wait_for_all(tp_process *p, size_t n) {
  tp_process *all[8];
  for (size_t i = 0; i < n; i++) all[i] = &p[i];
  while (tp_process_step(all, n, 1000)) continue;
}

static void run_native(batch *b, int k) {
  tp_str path = {0};
  tp_str_printf(&path, "%s/native%d", tp_str_text(&b->dir), k);
  const char *argv[] = {path.text, NULL};
  tp_process p;
  tp_process_spec spec = {
      .argv = argv, .sandbox = TP_SANDBOX_STRICT, .limits = {.cpu_s = 60, .output_bytes = 1 << 20}};
  assert_int_equal(tp_process_run(&p, spec), TP_OK);
  expect_success(&p, b, builds[k]);
  parse_output(b, tp_str_text(&p.out), b->native[k]);
  tp_process_clear(&p);
  tp_str_clear(&path);
}

/* Undefined behaviour would stop this build. (Sanitizers do not work inside our sandbox.) */
static void run_sanitized(const batch *b) {
  tp_str command = {0};
  tp_str_printf(&command,
                "cd %s && gcc %s -O1 -w -fsanitize=address,undefined -fno-sanitize-recover=all "
                "-DNATIVE -o checked batch.c"
                " && ./checked >/dev/null",
                tp_str_text(&b->dir), machine_flags(b));
  tp_process p;
  start_shell(&p, command.text);
  wait_for_all(&p, 1);
  expect_success(&p, b, "sanitizers");
  tp_process_clear(&p);
  tp_str_clear(&command);
}

// ----------------------------------------------------------------- interpreter

static tp_var find_checksum(const tp_program *p, unsigned number) {
  char name[32];
  snprintf(name, sizeof name, "checksum_%u_", number);
  for (uint32_t v = 1; v < p->vars.n; v++)
    if (p->vars.at[v].kind == TP_V_GLOBAL && strcmp(p->vars.at[v].name, name) == 0)
      return (tp_var){v};
  return TP_VAR_NONE;
}

static void read_checksums(batch *b, const tp_program *p, const tp_state *s) {
  for (unsigned i = 0; i < b->n; i++) {
    tp_value v;
    tp_var var = find_checksum(p, i);
    assert_true(var.id != 0);
    assert_int_equal(tp_state_value(s, var, &v), TP_OK);
    b->ours[i] = (uint64_t)v.bits;
  }
}

static void interpret(batch *b) {
  tp_str path = {0}, why = {0};
  tp_str_printf(&path, "%s/batch.c", tp_str_text(&b->dir));
  const char *files[] = {path.text};
  tp_front_options options = {
      .files = files,
      .n_files = 1,
      .property = TP_P_UNREACH_CALL,
      .machine = b->options.long_bits == 32 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p;
  assert_int_equal(tp_front_load(&options, diag, &p), TP_OK);
  if (!tp_program_check(p, &why))
    fail_msg("seed %llu: %s", (unsigned long long)b->first, tp_str_text(&why));
  tp_inputs none;
  tp_inputs_init(&none);
  tp_vector_oracle zeros = {.in = &none, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&zeros);
  tp_state *s = tp_state_initial(p);
  tp_run_result r = tp_exec_run(p, s, &oracle, (tp_run_limits){.steps = 100000000}, NULL);
  if (!tp_state_check(s, &why))
    fail_msg("seed %llu: %s", (unsigned long long)b->first, tp_str_text(&why));
  read_checksums(b, p, s);  // of the programs before a stop, at least
  if (r.end != TP_END_EXIT) {
    tp_str pos = {0};
    tp_pos_print(diag, r.pos, &pos);
    print_error("seed %llu: the run ends with %d at %s: %s\n", (unsigned long long)b->first,
                (int)r.end, tp_str_text(&pos), r.why ? r.why : "");
    tp_str_clear(&pos);
  } else if (r.used_indeterminate) {
    fail_msg("seed %llu: the interpreter sees an indeterminate value being used",
             (unsigned long long)b->first);
  }
  tp_state_free(s);
  tp_program_free(p);
  tp_diag_free(diag);
  tp_str_clear(&path);
}

// --------------------------------------------------------------------- batches

static void keep_program(const batch *b, unsigned i) {
  char path[64];
  tp_str text = {0};
  gen_file(b->first + i, 1, b->options, &text);
  snprintf(path, sizeof path, "build/fuzz-%llu-%u.c", (unsigned long long)(b->first + i),
           b->options.long_bits);
  if (tp_write_file(path, text.text, text.n) != TP_OK) print_error("cannot write %s\n", path);
  tp_str_clear(&text);
}

static unsigned compare(const batch *b) {
  unsigned bad = 0;
  for (unsigned i = 0; i < b->n; i++) {
    bool same = true;
    for (int k = 0; k < N_BUILDS; k++) same &= b->native[k][i] == b->ours[i];
    if (same) continue;
    bad++;
    print_error(
        "seed %llu (long has %u bits): %llx by gcc -O0, %llx by gcc -O2, %llx by clang, %llx by "
        "us\n",
        (unsigned long long)(b->first + i), b->options.long_bits,
        (unsigned long long)b->native[0][i], (unsigned long long)b->native[1][i],
        (unsigned long long)b->native[2][i], (unsigned long long)b->ours[i]);
    keep_program(b, i);
  }
  return bad;
}

/* Two of three batches are lp64, the others ilp32. */
static unsigned run_batch(uint64_t first, unsigned n) {
  uint64_t number = first / BATCH;
  batch b = {.first = first,
             .n = n,
             .options = {.long_bits = number % 3 == 1 ? 32 : 64, .with_heap = true}};
  tp_process p[N_BUILDS];
  assert_int_equal(tp_temp_dir(&b.dir), TP_OK);
  gen_file(first, n, b.options, &b.source);
  tp_str path = {0};
  tp_str_printf(&path, "%s/batch.c", tp_str_text(&b.dir));
  assert_int_equal(tp_write_file(path.text, b.source.text, b.source.n), TP_OK);
  start_builds(&b, p);
  interpret(&b);
  wait_for_all(p, N_BUILDS);
  for (int k = 0; k < N_BUILDS; k++) {
    expect_success(&p[k], &b, builds[k]);
    tp_process_clear(&p[k]);
    run_native(&b, k);
  }
  if (number % SANITIZED_EVERY == 0) run_sanitized(&b);
  unsigned bad = compare(&b);
  tp_remove_tree(b.dir.text);
  tp_str_clear(&path);
  tp_str_clear(&b.dir);
  tp_str_clear(&b.source);
  return bad;
}

static uint64_t number_from(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static const char progress_path[] = "build/soak/fuzz_diff";

static uint64_t progress(void) {
  tp_str text = {0};
  uint64_t done = 0;
  if (tp_read_file(progress_path, &text) == TP_OK) done = strtoull(tp_str_text(&text), NULL, 10);
  tp_str_clear(&text);
  return done;
}

static void note_progress(uint64_t done) {
  char text[32];
  int n = snprintf(text, sizeof text, "%llu\n", (unsigned long long)done);
  (void)mkdir("build", 0777);
  (void)mkdir("build/soak", 0777);
  if (tp_write_file(progress_path, text, (size_t)n) != TP_OK)
    print_error("progress cannot be noted\n");
}

static void builds_agree(void **state) {
  (void)state;
  bool soak = getenv("TP_SOAK") != NULL;
  uint64_t seed = number_from("TP_FUZZ_SEED", 0),
           count = number_from("TP_FUZZ_COUNT", soak ? SOAK : QUICK);
  uint64_t done = soak ? progress() : 0;
  unsigned bad = 0;
  if (done >= count) done = 0;
  for (; done < count; done += BATCH) {
    if (soak)
      print_message("%llu of %llu programs\n", (unsigned long long)done, (unsigned long long)count);
    bad += run_batch(seed + done, (unsigned)(count - done < BATCH ? count - done : BATCH));
    if (soak && !bad) note_progress(done + BATCH);
  }
  assert_int_equal(bad, 0);
}

static void same_seed_same_text(void **state) {
  (void)state;
  tp_str a = {0}, b = {0}, c = {0};
  gen_file(5, 3, (gen_options){64, true}, &a);
  gen_file(5, 3, (gen_options){64, true}, &b);
  gen_file(6, 3, (gen_options){64, true}, &c);
  assert_string_equal(a.text, b.text);
  assert_string_not_equal(a.text, c.text);
  tp_str_clear(&a);
  tp_str_clear(&b);
  tp_str_clear(&c);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_seed_same_text),
                                     cmocka_unit_test(builds_agree)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tp_temp_remove_all();
  return failed;
}

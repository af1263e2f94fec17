/* A hostile program tries everything that the sandbox forbids: each attempt is stopped and seen.
 * Also: limits, output caps, groups, temporary directories. */
#include "base/process.h"
#include "base/sandbox.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <linux/filter.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static const char hostile_source[] =
    "#define _GNU_SOURCE\n"
    "#include <arpa/inet.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include "
    "<stdlib.h>\n"
    "#include <string.h>\n#include <sys/mman.h>\n#include <sys/ptrace.h>\n#include <sys/socket.h>\n"
    "#include <sys/syscall.h>\n#include <unistd.h>\n"
    "static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }\n"
    "static char static_path[] = \"/bin/true\";\n"
    "int main(int argc, char **argv) {\n"
    "  const char *mode = argc > 1 ? argv[1] : \"\";\n"
    "  static char *none[] = {0};\n"
    "  if (is(mode, \"good\")) {\n"
    "    char *p = malloc(1 << 22); memset(p, 1, 1 << 22);\n"
    "    FILE *f = fopen(\"/etc/passwd\", \"r\"); int c = f ? fgetc(f) : -1; if (f) fclose(f);\n"
    "    printf(\"fine %d\\n\", c > 0 && p[5]); free(p); return 3; }\n"
    "  if (is(mode, \"write\")) { FILE *f = fopen(argv[2], \"w\"); return f ? 0 : 1; }\n"
    "  if (is(mode, \"append\")) { int f = open(argv[2], O_WRONLY | O_APPEND); return f >= 0 ? 0 : "
    "1; }\n"
    "  if (is(mode, \"creat\")) return creat(argv[2], 0600) >= 0 ? 0 : 1;\n"
    "  if (is(mode, \"tmpfile\")) return tmpfile() ? 0 : 1;\n"
    "  if (is(mode, \"unlink\")) return unlink(argv[2]);\n"
    "  if (is(mode, \"rename\")) return rename(argv[2], \"x\");\n"
    "  if (is(mode, \"mkdir\")) return syscall(SYS_mkdir, \"sub\", 0700);\n"
    "  if (is(mode, \"connect\")) { int s = socket(AF_INET, SOCK_STREAM, 0); return s >= 0 ? 0 : "
    "1; }\n"
    "  if (is(mode, \"exec\")) { execve(\"/bin/true\", none, none); return 1; }\n"
    "  if (is(mode, \"exec-static\")) { execve(static_path, none, none); return 1; }\n"
    "  if (is(mode, \"kill\")) return kill(getppid(), SIGKILL);\n"
    "  if (is(mode, \"killall\")) return kill(-1, SIGTERM);\n"
    "  if (is(mode, \"ptrace\")) return (int)ptrace(PTRACE_ATTACH, getppid(), 0, 0);\n"
    "  if (is(mode, \"fork\")) for (;;) fork();\n"
    "  if (is(mode, \"vfork\")) { if (vfork() == 0) _exit(0); return 0; }\n"
    "  if (is(mode, \"flood\")) for (;;) puts(\"all work and no play makes a full disk\");\n"
    "  if (is(mode, \"loop\")) for (volatile int i = 0;; i++) {}\n"
    "  if (is(mode, \"sleep\")) for (;;) sleep(100);\n"
    "  if (is(mode, \"eat\")) for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); "
    "}\n"
    "  if (is(mode, \"abort\")) abort();\n"
    "  if (is(mode, \"crash\")) { volatile int *volatile p = 0; *p = 1; }\n"
    "  return 2;\n}\n";

static char dir[256], victim[300];

typedef struct {
  const char *name;
  const char *flags;  // compiler flags of the build
} build;
static const build builds[] = {
    {"m64", "-m64"}, {"m32", "-m32"}, {"asan", "-fsanitize=address"}, {"static", "-static"}};

typedef struct {
  const char *mode;
  tp_process_end end;
  int code;
} attempt;
static const attempt attempts[] = {
    {"good", TP_PROCESS_EXITED, 3},
    {"write", TP_PROCESS_SIGNALLED, SIGSYS},
    {"append", TP_PROCESS_SIGNALLED, SIGSYS},
    {"creat", TP_PROCESS_SIGNALLED, SIGSYS},
    {"tmpfile", TP_PROCESS_SIGNALLED, SIGSYS},
    {"unlink", TP_PROCESS_SIGNALLED, SIGSYS},
    {"rename", TP_PROCESS_SIGNALLED, SIGSYS},
    {"mkdir", TP_PROCESS_SIGNALLED, SIGSYS},
    {"connect", TP_PROCESS_SIGNALLED, SIGSYS},
    {"exec", TP_PROCESS_SIGNALLED, SIGSYS},
    {"exec-static", TP_PROCESS_SIGNALLED, SIGSYS},
    {"kill", TP_PROCESS_SIGNALLED, SIGSYS},
    {"killall", TP_PROCESS_SIGNALLED, SIGSYS},
    {"ptrace", TP_PROCESS_SIGNALLED, SIGSYS},
    {"fork", TP_PROCESS_SIGNALLED, SIGSYS},
    {"vfork", TP_PROCESS_SIGNALLED, SIGSYS},
    {"flood", TP_PROCESS_TOO_MUCH_OUTPUT, 0},
    {"loop", TP_PROCESS_TIMED_OUT, 0},
    {"sleep", TP_PROCESS_TIMED_OUT, 0},
    {"eat", TP_PROCESS_OUT_OF_MEMORY, 0},
    {"abort", TP_PROCESS_SIGNALLED, SIGABRT},
};

static void say(tp_str *s, const char *name, const tp_process *p) {
  tp_str_clear(s);
  tp_str_printf(s, "%s: ", name);
  tp_process_print_end(p, s);
}

static void compile(const build *b) {
  char source[300], binary[300], command[1200];
  snprintf(source, sizeof source, "%s/hostile.c", dir);
  snprintf(binary, sizeof binary, "%s/hostile-%s", dir, b->name);
  assert_int_equal(tp_write_file(source, hostile_source, sizeof hostile_source - 1), TP_OK);
  snprintf(command, sizeof command, "gcc -w -O0 %s -o %s %s", b->flags, binary, source);
  const char *argv[] = {"sh", "-c", command, NULL};
  tp_process p;
  assert_int_equal(tp_process_run(&p, (tp_process_spec){.argv = argv, .err = TP_STDIO_INHERIT}),
                   TP_OK);
  assert_int_equal(p.end, TP_PROCESS_EXITED);
  assert_int_equal(p.code, 0);
  tp_process_clear(&p);
}

/* All attempts of one build, in one empty directory that must stay empty. */
static void try_all(const build *b) {
  compile(b);
  tp_str cage = {0}, seen = {0}, expected = {0};
  assert_int_equal(tp_temp_dir(&cage), TP_OK);
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
    const attempt *a = &attempts[i];
    char binary[300];
    snprintf(binary, sizeof binary, "%s/hostile-%s", dir, b->name);
    const char *argv[] = {binary, a->mode, victim, NULL};
    const char *env[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
    tp_process_spec spec = {.argv = argv,
                            .env = env,
                            .directory = cage.text,
                            .sandbox = TP_SANDBOX_STRICT,
                            .limits = {.cpu_s = 2,
                                       .wall_s = 8,
                                       .resident_bytes = 300u << 20,
                                       .stack_bytes = 8u << 20,
                                       .file_bytes = 1 << 20,
                                       .output_bytes = 1 << 20}};
    if (strcmp(a->mode, "sleep") == 0) spec.limits.wall_s = 0.3;
    if (strcmp(a->mode, "loop") == 0) spec.limits.cpu_s = 0.3;
    tp_process p;
    assert_int_equal(tp_process_run(&p, spec), TP_OK);
    say(&seen, a->mode, &p);
    tp_process wanted = {.end = a->end, .code = a->code};
    say(&expected, a->mode, &wanted);
    if (strcmp(seen.text, expected.text) != 0)
      print_error("build %s, stderr: %s\n", b->name, tp_str_text(&p.err));
    assert_string_equal(seen.text, expected.text);
    assert_true(p.out.n <= 1 << 20);
    if (strcmp(a->mode, "good") == 0) assert_string_equal(tp_str_text(&p.out), "fine 1\n");
    tp_process_clear(&p);
    assert_int_equal(rmdir(cage.text), 0);  // still empty
    assert_int_equal(mkdir(cage.text, 0700), 0);
    assert_int_equal(access(victim, F_OK), 0);
  }
  tp_str_clear(&cage);
  tp_str_clear(&seen);
  tp_str_clear(&expected);
}
static void hostile_m64(void **s) {
  (void)s;
  try_all(&builds[0]);
}
static void hostile_m32(void **s) {
  (void)s;
  try_all(&builds[1]);
}
static void hostile_asan(void **s) {
  (void)s;
  try_all(&builds[2]);
}
static void hostile_static(void **s) {
  (void)s;
  try_all(&builds[3]);
}

/* What children get is what would be built for them. */
static void filters_are_filled_in_right(void **state) {
  (void)state;
  static const struct {
    uint64_t self, path;
  } cases[] = {{1, 0x100000000000},
               {2, 0x4fffffffe000},
               {4194303, 0x123456789000},
               {3, 0},
               {15, 0x5e1f00005000}};
  assert_int_equal(tp_sandbox_prepare(), TP_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_sandbox_code built, filled;
    assert_int_equal(tp_sandbox_program(cases[i].self, cases[i].path, &built), TP_OK);
    assert_true(tp_sandbox_filled(cases[i].self, cases[i].path, &filled));
    assert_int_equal(built.n, filled.n);
    assert_memory_equal(built.at, filled.at, built.n * sizeof *built.at);
    tp_sandbox_code_clear(&built);
    tp_sandbox_code_clear(&filled);
  }
}

// ------------------------------------------------------------------ processes

static int work_writes(void *ctx, int channel) {
  const char *text = ctx;
  return write(channel, text, strlen(text)) == (ssize_t)strlen(text) ? 7 : 1;
}
static void worker_talks_through_channel(void **s) {
  (void)s;
  tp_process p;
  assert_int_equal(tp_process_run(&p, (tp_process_spec){.work = work_writes, .ctx = "hello"}),
                   TP_OK);
  assert_int_equal(p.end, TP_PROCESS_EXITED);
  assert_int_equal(p.code, 7);
  assert_string_equal(tp_str_text(&p.channel), "hello");
  tp_process_clear(&p);
}

static int work_exhausts(void *ctx, int channel) {
  (void)ctx;
  (void)channel;
  for (int i = 0; i < 100000; i++) memset(tp_alloc(1 << 20), 1, 1 << 20);
  return 0;
}
static void worker_out_of_memory_has_its_status(void **s) {
  (void)s;
#if defined(__SANITIZE_ADDRESS__)
  skip();  // the sanitizer needs the address space
#endif
  tp_process p;
  tp_process_spec spec = {.work = work_exhausts, .limits = {.address_bytes = 400u << 20}};
  assert_int_equal(tp_process_run(&p, spec), TP_OK);
  assert_int_equal(p.end, TP_PROCESS_EXITED);
  assert_int_equal(p.code, 71);
  tp_process_clear(&p);
}

/* A child that leaves a grandchild behind: the group is killed, the pipes close, nobody waits. */
static void group_dies_with_its_leader(void **s) {
  (void)s;
  tp_process_adopt_orphans();
  const char *argv[] = {"sh", "-c", "sleep 1000 & echo $!", NULL};
  tp_process p;
  assert_int_equal(tp_process_run(&p, (tp_process_spec){.argv = argv}), TP_OK);
  assert_true(p.wall_s < 100);
  pid_t grandchild = (pid_t)atoi(tp_str_text(&p.out));
  assert_true(grandchild > 0);
  tp_process_clear(&p);
  tp_process_kill_descendants();
  assert_int_not_equal(kill(grandchild, 0), 0);
}

static void several_children_at_once(void **s) {
  (void)s;
  tp_process p[8], *all[8];
  static const char *const argv[] = {"sh", "-c", "sleep 0.2; echo done; exit 4", NULL};
  for (int i = 0; i < 8; i++) {
    all[i] = &p[i];
    assert_int_equal(tp_process_start(&p[i], (tp_process_spec){.argv = argv}), TP_OK);
  }
  while (tp_process_step(all, 8, 1000) > 0) {
  }
  for (int i = 0; i < 8; i++) {
    assert_int_equal(p[i].code, 4);
    assert_string_equal(tp_str_text(&p[i].out), "done\n");
    tp_process_clear(&p[i]);
  }
}

static void missing_program_ends_with_127(void **s) {
  (void)s;
  const char *argv[] = {"/nonexistent/program", NULL};
  tp_process p;
  assert_int_equal(tp_process_run(&p, (tp_process_spec){.argv = argv}), TP_OK);
  assert_int_equal(p.code, 127);
  assert_non_null(strstr(tp_str_text(&p.err), "No such file"));
  tp_process_clear(&p);
}

static void temp_trees_vanish(void **s) {
  (void)s;
  tp_str path = {0};
  assert_int_equal(tp_temp_dir(&path), TP_OK);
  for (int i = 0; i < 50; i++) {
    tp_str_add(&path, "/deeper");
    assert_int_equal(mkdir(path.text, 0700), 0);
  }
  tp_str file = {0};
  tp_str_printf(&file, "%s/link", path.text);
  assert_int_equal(symlink("/etc", file.text), 0);
  const char *top;
  assert_int_equal(tp_temp_root(&top), TP_OK);
  char kept[300];
  snprintf(kept, sizeof kept, "%s", top);
  tp_temp_remove_all();
  assert_int_not_equal(access(kept, F_OK), 0);
  assert_int_equal(access("/etc/passwd", F_OK), 0);
  tp_str_clear(&path);
  tp_str_clear(&file);
}

#ifndef __SANITIZE_ADDRESS__
/* In place of the C library's for the whole program: libseccomp finds no memory at the n-th time.
 */
static uint64_t n_calls, fails_at;
extern void *__libc_calloc(size_t n, size_t size_bytes);
extern void *calloc(size_t n, size_t size_bytes);
void *calloc(size_t n, size_t size_bytes) {
  return ++n_calls == fails_at ? NULL : __libc_calloc(n, size_bytes);
}

/* libseccomp looked for a free place in a table that it had not got, for ever; or it left out what
 * it had no memory for, and said nothing. */
static void a_filter_without_memory_is_no_filter(void **state) {
  (void)state;
  enum { SELF = 1234567, PATH = 0x123456, TRIES = 6 };
  tp_sandbox_code whole, code;
  assert_int_equal(tp_sandbox_program(SELF, PATH, &whole), TP_OK);
  uint64_t n_events = 2100;  // fewer than it takes
  for (uint64_t at = 1; at < n_events; at += n_events / TRIES) {
    n_calls = 0, fails_at = at;
    const tp_status st = tp_sandbox_program(SELF, PATH, &code);
    fails_at = 0;
    if (st == TP_OK)
      assert_true(code.n == whole.n && memcmp(code.at, whole.at, whole.n * sizeof *whole.at) == 0);
    tp_sandbox_code_clear(&code);
  }
  tp_sandbox_code_clear(&whole);
}
#endif

static int set_up(void **state) {
  (void)state;
  tp_str d = {0};
  if (tp_temp_dir(&d) != TP_OK) return 1;
  snprintf(dir, sizeof dir, "%s", d.text);
  snprintf(victim, sizeof victim, "%s/victim", dir);
  tp_str_clear(&d);
  return tp_write_file(victim, "x", 1) != TP_OK;
}

static int tear_down(void **state) {
  (void)state;
  tp_temp_remove_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_m64),
                                     cmocka_unit_test(hostile_m32),
                                     cmocka_unit_test(hostile_asan),
                                     cmocka_unit_test(hostile_static),
                                     cmocka_unit_test(filters_are_filled_in_right),
                                     cmocka_unit_test(worker_talks_through_channel),
                                     cmocka_unit_test(worker_out_of_memory_has_its_status),
                                     cmocka_unit_test(group_dies_with_its_leader),
                                     cmocka_unit_test(several_children_at_once),
                                     cmocka_unit_test(missing_program_ends_with_127),
#ifndef __SANITIZE_ADDRESS__
                                     cmocka_unit_test(a_filter_without_memory_is_no_filter),
#endif
                                     cmocka_unit_test(temp_trees_vanish)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

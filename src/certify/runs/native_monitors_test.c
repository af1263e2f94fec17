/* Watching calls in assembly: which lines are rewritten, and how. That the rewritten programs
 * behave is what test/monitor shows with both compilers and both data models. */
#include "certify/runs/native_monitors.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static tp_monitors *watching(void) {
  static char path[] = "/tmp/tp_watch_XXXXXX";
  static const char text[] =
      "monitor m state a on call lock -> a on return unlock when $result == 1 -> a";
  static tp_monitors m;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(tp_write_file(path, text, strlen(text)), TP_OK);
  tp_diag *diag = tp_diag_new(stderr, false);
  m = (tp_monitors){0};
  assert_int_equal(tp_monitors_read(&m, path, diag), TP_OK);
  tp_diag_free(diag);
  remove(path);
  memcpy(path + strlen(path) - 6, "XXXXXX", 6);
  return &m;
}

static const struct {
  const char *name, *line;
  uint32_t bits;
  const char *expected;  // NULL: cannot be watched; a part of the result otherwise
  bool is_watched;
} lines[] = {
    {"direct, gcc", "\tcall\tlock", 64,
     "pushq\t$1\n\tcall\ttp_before\n\tleaq\t8(%rsp), %rsp\n\tcall\tlock\n\tcall\ttp_after\n", true},
    {"direct, clang", "\tcallq\tunlock", 64, "pushq\t$2\n\tcall\ttp_before\n", true},
    {"through the procedure linkage table", "\tcall\tlock@PLT", 64,
     "call\tlock@PLT\n\tcall\ttp_after", true},
    {"32 bits", "\tcalll\tlock", 32,
     "pushl\t$1\n\tcall\ttp_before\n\tleal\t4(%esp), %esp\n\tcalll\tlock", true},
    {"through a register", "\tcall\t*%rdx", 64, "pushq\t%rdx\n\tcall\ttp_before_pointer\n", true},
    {"through memory, with a comment", "\tcallq\t*-24(%rbp)   # 8-byte", 64,
     "pushq\t-24(%rbp)\n\tcall\ttp_before_pointer\n", true},
    {"through a table, 32 bits", "\tcalll\t*table(,%eax,4)", 32, "pushl\ttable(,%eax,4)\n", true},
    {"another function", "\tcall\tlock2", 64, "\tcall\tlock2\n", false},
    {"another function, longer before", "\tcall\txlock", 64, "\tcall\txlock\n", false},
    {"a builtin that was renamed", "\tcall\ttp_lock", 64, "pushq\t$1\n", true},
    {"no call", "\tmovq\tlock(%rip), %rax", 64, "\tmovq\tlock(%rip), %rax\n", false},
    {"a label", "lock:", 64, "lock:\n", false},
    {"relative to the stack pointer", "\tcall\t*8(%rsp)", 64, NULL, false},
};

static void lines_are_rewritten(void **state) {
  (void)state;
  tp_monitors *m = watching();
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    tp_str out = {0};
    bool ok = tp_chk_monitor_assembly(m, lines[i].bits, lines[i].line, &out);
    if (ok != (lines[i].expected != NULL)) fail_msg("%s", lines[i].name);
    if (ok && !strstr(tp_str_text(&out), lines[i].expected))
      fail_msg("%s:\n%s", lines[i].name, tp_str_text(&out));
    if (ok && (strstr(tp_str_text(&out), "tp_after") != NULL) != lines[i].is_watched)
      fail_msg("%s:\n%s", lines[i].name, tp_str_text(&out));
    tp_str_clear(&out);
  }
  tp_monitors_clear(m);
}

/* The table of addresses has each function that the code names, and none that only a text names. */
static void addresses_are_listed(void **state) {
  (void)state;
  tp_monitors *m = watching();
  tp_str out = {0};
  assert_true(
      tp_chk_monitor_assembly(m, 64, "\tmovq\t$lock, -8(%rbp)\n\t.string\t\"unlock\"\n", &out));
  assert_non_null(strstr(out.text, "\t.quad\tlock\n\t.quad\t1\n"));
  assert_null(strstr(out.text, "\t.quad\tunlock"));
  tp_str_clear(&out);
  assert_true(tp_chk_monitor_assembly(m, 32, "handlers:\n\t.long\tunlock\n", &out));
  assert_non_null(strstr(out.text, "\t.long\tunlock\n\t.long\t2\n"));
  tp_str_clear(&out);
  assert_true(tp_chk_monitor_assembly(m, 64, "\tret\n", &out));
  assert_null(strstr(out.text, "tp_monitored_function"));
  tp_str_clear(&out);
  tp_monitors_clear(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_rewritten),
                                     cmocka_unit_test(addresses_are_listed)};
  return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}

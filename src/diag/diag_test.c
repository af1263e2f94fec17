/* Diagnostics: source line, caret, windows, odd files. */
#include "diag/diag.h"

#include <stdlib.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static char path[] = "/tmp/tp_diag_XXXXXX";

static const char source[] =
    "int main(void) {\n"
    "\tx = p->next;\r\n"
    "  /* \xc3\xa4 */ y = 12;\n"
    "last line without end";

static int write_source(void **state) {
  (void)state;
  int fd = mkstemp(path);
  if (fd < 0) return -1;
  close(fd);
  return tp_write_file(path, source, sizeof source - 1) == TP_OK ? 0 : -1;
}
static int remove_source(void **state) {
  (void)state;
  return unlink(path);
}

/* What tp_diag_say writes, with the path replaced by F. */
static void say(tp_pos pos, const char *tag, const char *file, char *out, size_t size) {
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  tp_diag *d = tp_diag_new(to, false);
  pos.file = tp_diag_file(d, file);
  tp_diag_say(d, TP_ERROR, pos, tag, "dereference of %s", "p");
  assert_int_equal(tp_diag_count(d, TP_ERROR), 1);
  assert_int_equal(tp_diag_count(d, TP_WARNING), 0);
  tp_diag_free(d);
  fclose(to);
  const char *rest = strncmp(text, file, strlen(file)) == 0 ? text + strlen(file) : text;
  snprintf(out, size, "%s", rest);
  free(text);
}

static const struct {
  tp_pos pos;
  const char *expected;
} cases[] = {
    {{0, 2, 6},
     ":2:6: error: dereference of p [valid-deref]\n    2 | \tx = p->next;\n      | \t    "
     "^~~~~~~\n"},
    {{0, 2, 2},
     ":2:2: error: dereference of p [valid-deref]\n    2 | \tx = p->next;\n      | \t^\n"},
    {{0, 3, 12},
     ":3:12: error: dereference of p [valid-deref]\n    3 |   /* \xc3\xa4 */ y = 12;\n      |      "
     "     ^\n"},
    {{0, 4, 1},
     ":4:1: error: dereference of p [valid-deref]\n    4 | last line without end\n      | ^~~~\n"},
    {{0, 2, 0}, ":2: error: dereference of p [valid-deref]\n    2 | \tx = p->next;\n"},
    {{0, 1, 200}, ":1:200: error: dereference of p [valid-deref]\n    1 | int main(void) {\n"},
    {{0, 99, 1}, ":99:1: error: dereference of p [valid-deref]\n"},
    {{0, 0, 0}, "error: dereference of p [valid-deref]\n"},
};

static void messages_show_line_and_caret(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    say(cases[i].pos, "valid-deref", path, text, sizeof text);
    assert_string_equal(text, cases[i].expected);
  }
}

static void files_that_are_none_have_no_lines(void **state) {
  (void)state;
  const char *odd[] = {"/dev/zero", "/tmp", "/no/such/file"};
  for (size_t i = 0; i < 3; i++) {
    char text[512];
    say((tp_pos){0, 1, 1}, NULL, odd[i], text, sizeof text);
    assert_string_equal(text, ":1:1: error: dereference of p\n");
  }
}

static void long_lines_show_a_window(void **state) {
  (void)state;
  char name[] = "/tmp/tp_diag_XXXXXX", text[1024];
  int fd = mkstemp(name);
  assert_true(fd >= 0);
  close(fd);
  char line[2000];
  memset(line, 'a', sizeof line);
  line[1000] = '(';
  line[1999] = '\n';
  assert_int_equal(tp_write_file(name, line, sizeof line), TP_OK);
  say((tp_pos){0, 1, 1001}, NULL, name, text, sizeof text);
  assert_true(strlen(text) < 400);
  const char *shown = strstr(text, "    1 | "), *caret = strchr(text, '^');
  assert_non_null(shown);
  assert_non_null(caret);
  const char *second = strchr(shown, '\n') + 1;
  assert_int_equal(shown[caret - second], '(');  // the caret stands under the parenthesis
  unlink(name);
}

static void paths_are_interned(void **state) {
  (void)state;
  tp_diag *d = tp_diag_new(NULL, false);
  uint32_t a = tp_diag_file(d, "a.c"), b = tp_diag_file(d, "b.c");
  assert_int_not_equal(a, b);
  assert_int_equal(tp_diag_file(d, "a.c"), a);
  assert_string_equal(tp_diag_path(d, b), "b.c");
  assert_string_equal(tp_diag_path(d, 0), "");
  assert_null(tp_diag_source_line(d, a, 1));
  tp_diag_free(d);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_show_line_and_caret),
      cmocka_unit_test(files_that_are_none_have_no_lines),
      cmocka_unit_test(long_lines_show_a_window),
      cmocka_unit_test(paths_are_interned),
  };
  return cmocka_run_group_tests_name("diag", tests, write_source, remove_source);
}

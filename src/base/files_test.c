/* Files that can be read once, and texts that stand where they cannot do harm. */
#include "base/files.h"

#include "base/process.h"

#include <setjmp.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void texts_keep_to_their_line_and_literal(void **state) {
  (void)state;
  static const struct {
    const char *text, *line, *literal;
  } cases[] = {{"a.c", "a.c", "a.c"},
               {"a\nb", "a\\012b", "a\\012b"},
               {"a*/b", "a*\\057b", "a*/b"},
               {"a/*b", "a/*b", "a/*b"},
               {"a\"b\\", "a\"b\\", "a\\\"b\\\\"},
               {"?\?/", "?\?/", "\\?\\?/"},
               {"\001\177", "\\001\\177", "\\001\\177"},
               {"gr\303\266\303\237e", "gr\303\266\303\237e", "gr\303\266\303\237e"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_str line = {0}, literal = {0};
    tp_str_add_line_text(&line, cases[i].text);
    tp_str_add_c_text(&literal, cases[i].text);
    assert_string_equal(line.text, cases[i].line);
    assert_string_equal(literal.text, cases[i].literal);
    tp_str_clear(&line);
    tp_str_clear(&literal);
  }
  assert_true(tp_is_includable("a*/b\\.c"));
  assert_false(tp_is_includable("a\"b.c"));
  assert_false(tp_is_includable("a\nb.c"));
}

static void devices_have_limits(void **state) {
  (void)state;
  tp_str text = {0}, why = {0};
  assert_int_equal(tp_read_file("/dev/zero", &text), TP_ERR_SYSTEM);
  assert_int_equal(errno, EFBIG);
  assert_null(text.text);
  assert_int_equal(tp_intake("/dev/zero", TP_INTAKE_SOURCE, &why), TP_ERR_INPUT);
  assert_non_null(strstr(why.text, "64 MB"));
  tp_str_clear(&why);
  tp_intake_clear();
  assert_int_equal(tp_read_file("/", &text), TP_ERR_SYSTEM);
  assert_int_equal(errno, EISDIR);
  assert_null(text.text);  // nothing to clear: callers return the error at once
  tp_str_add(&text, "before");
  assert_int_equal(tp_read_file("/dev/zero", &text), TP_ERR_SYSTEM);
  assert_string_equal(text.text, "before");
  tp_str_clear(&text);
}

/* A pipe is read once; then its name means what was read, and compilers get a copy. */
static void pipes_are_read_once(void **state) {
  (void)state;
  tp_str dir = {0}, path = {0}, copy = {0}, text = {0}, why = {0};
  assert_int_equal(tp_temp_dir(&dir), TP_OK);
  tp_str_printf(&path, "%s/pipe \"1\".i", dir.text);
  assert_int_equal(mkfifo(path.text, 0600), 0);
  const char *argv[] = {"sh", "-c", "printf 'int x;\\n' >\"$0\"", path.text, NULL};
  tp_process writer;
  assert_int_equal(tp_process_start(&writer, (tp_process_spec){.argv = argv,
                                                               .out = TP_STDIO_DISCARD,
                                                               .err = TP_STDIO_DISCARD}),
                   TP_OK);
  assert_int_equal(tp_intake(path.text, TP_INTAKE_SOURCE, &why), TP_OK);
  tp_process_clear(&writer);
  for (int turn = 0; turn < 2; turn++) {
    assert_int_equal(tp_read_file(path.text, &text), TP_OK);
    assert_string_equal(text.text, "int x;\n");
    tp_str_clear(&text);
  }
  const char *compiled = tp_intake_compiled(path.text);
  assert_string_not_equal(compiled, path.text);
  assert_string_equal(compiled + strlen(compiled) - 2, ".i");
  assert_int_equal(tp_read_file(compiled, &copy), TP_OK);
  assert_non_null(strstr(copy.text, "pipe \\\"1\\\".i\"\nint x;\n"));
  assert_string_equal(tp_intake_directory(path.text), dir.text);
  tp_intake_clear();
  assert_null(tp_intake_text(path.text));
  tp_str_clear(&copy);
  tp_str_clear(&path);
  tp_remove_tree(dir.text);
  tp_str_clear(&dir);
  tp_temp_remove_all();
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_keep_to_their_line_and_literal),
                                     cmocka_unit_test(devices_have_limits),
                                     cmocka_unit_test(pipes_are_read_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

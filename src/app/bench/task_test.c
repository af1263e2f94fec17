/* Task definitions, directories and sets of them. */
#include "app/bench/task.h"
#include "base/process.h"

#include <setjmp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <cmocka.h>

static char dir[300];

static void put(const char *name, const char *text) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  assert_int_equal(tp_write_file(path, text, strlen(text)), TP_OK);
}

static tp_status read_tasks(tp_bench_tasks *t, const char *name, tp_str *why) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return tp_bench_tasks_read(t, path, why);
}

static void tasks_are_read(void **state) {
  (void)state;
  put("a.yml",
      "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: "
      "../p/unreach-call.prp\n    expected_verdict: true\n"
      "  - property_file: /abs/mem.prp\n    expected_verdict: false\n    subproperty: valid-free\n"
      "options:\n  language: C\n  data_model: ILP32\n");
  put("b.yml", "input_files:\n  - b1.c\n  - b2.c\nproperties:\n  - property_file: x.prp\n");
  tp_bench_tasks t = {0};
  tp_str why = {0};
  assert_int_equal(read_tasks(&t, "a.yml", &why), TP_OK);
  assert_int_equal(read_tasks(&t, "b.yml", &why), TP_OK);
  assert_int_equal(t.v.n, 3);
  const tp_bench_task *a = &t.v.at[0], *m = &t.v.at[1], *b = &t.v.at[2];
  assert_non_null(strstr(a->files[0], "/a.c"));
  assert_non_null(strstr(a->property, "/../p/unreach-call.prp"));
  assert_int_equal(a->expected, TP_EXPECT_TRUE);
  assert_string_equal(a->machine, "ilp32");
  assert_null(a->subproperty);
  assert_string_equal(m->property, "/abs/mem.prp");
  assert_int_equal(m->expected, TP_EXPECT_FALSE);
  assert_string_equal(m->subproperty, "valid-free");
  assert_int_equal(b->n_files, 2);
  assert_string_equal(b->machine, "lp64");
  assert_int_equal(b->expected, TP_EXPECT_NOTHING);
  tp_bench_tasks_clear(&t);
  tp_str_clear(&why);
}

static void directories_and_sets_are_read(void **state) {
  (void)state;
  put("all.set", "# comment\n\n a.yml\n[b]*.yml\n");
  tp_bench_tasks t = {0};
  tp_str why = {0};
  assert_int_equal(read_tasks(&t, "", &why), TP_OK);
  assert_int_equal(t.v.n, 3);
  assert_int_equal(read_tasks(&t, "all.set", &why), TP_OK);
  assert_int_equal(t.v.n, 6);
  tp_bench_tasks_clear(&t);
  tp_str_clear(&why);
}

static void nonsense_is_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "a: [",
                                      "x",
                                      "input_files: a.c\n",
                                      "properties: []\n",
                                      "- 1\n- 2\n",
                                      "input_files: a.c\nproperties:\n  - nothing: 1\n",
                                      "&a [*a]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    put("bad.yml", texts[i]);
    tp_bench_tasks t = {0};
    tp_str why = {0};
    assert_int_equal(read_tasks(&t, "bad.yml", &why), TP_ERR_INPUT);
    assert_true(why.n > 0);
    tp_bench_tasks_clear(&t);
    tp_str_clear(&why);
  }
  tp_bench_tasks t = {0};
  tp_str why = {0};
  assert_int_equal(read_tasks(&t, "none.yml", &why), TP_ERR_SYSTEM);
  tp_bench_tasks_clear(&t);
  tp_str_clear(&why);
  assert_int_equal(tp_live_bytes(), 0);
}

static int set_up(void **state) {
  (void)state;
  tp_str d = {0};
  if (tp_temp_dir(&d) != TP_OK) return 1;
  snprintf(dir, sizeof dir, "%s", d.text);
  tp_str_clear(&d);
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  tp_temp_remove_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tasks_are_read),
                                     cmocka_unit_test(directories_and_sets_are_read),
                                     cmocka_unit_test(nonsense_is_refused)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

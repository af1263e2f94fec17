/* `twoproof test` and `twoproof check` write more than tests into their folders: what is a test
 * there is known by its name. */
#include "app/test_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_test(const struct dirent *e) {
  return e->d_name[0] != '.' && strcmp(e->d_name, "metadata.xml") != 0;
}

static int is_passing_test(const struct dirent *e) {
  return fnmatch("test-*.txt", e->d_name, 0) == 0;
}

static int is_any_test(const struct dirent *e) {
  return is_passing_test(e) || fnmatch("fails-*.txt", e->d_name, 0) == 0;
}

static int is_test_of_evidence(const struct dirent *e) {
  return strcmp(e->d_name, "inputs.txt") == 0;
}

static bool has_file(const char *folder, const char *name) {
  char path[PATH_MAX];
  return (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path &&
         access(path, R_OK) == 0;
}

static int (*filter_of(const char *folder, tp_tests_of_suite which))(const struct dirent *) {
  if (has_file(folder, "coverage.txt"))
    return which == TP_TESTS_ALL ? is_any_test : is_passing_test;
  return has_file(folder, "inputs.txt") && has_file(folder, "harness.c") ? is_test_of_evidence
                                                                         : is_test;
}

static bool read_test(const char *path, tp_inputs *out) {
  tp_str text = {0}, why = {0};
  bool ok = tp_read_file(path, &text) == TP_OK;
  if (!ok)
    tp_str_add(&why, strerror(errno));
  else
    ok = tp_inputs_read(tp_str_text(&text), out, &why) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: test %s: %s\n", path, tp_str_text(&why));
  tp_str_clear(&text);
  tp_str_clear(&why);
  return ok;
}

bool tp_test_list_read(tp_session *s, const char *path, tp_tests_of_suite which,
                       tp_test_list *out) {
  struct stat st;
  struct dirent **files = NULL;
  int n = -1;
  const bool is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
  *out = (tp_test_list){0};
  if (is_folder) n = scandir(path, &files, filter_of(path, which), alphasort);
  if (is_folder && n < 0) {
    fprintf(stderr, "twoproof: tests %s: %s\n", path, strerror(errno));
    tp_session_give_up(s, "the tests cannot be read");
    return false;
  }
  out->at = tp_arena_array(&out->arena, tp_inputs, is_folder ? n : 1);
  out->names = tp_arena_array(&out->arena, const char *, is_folder ? n : 1);
  bool ok = true;
  for (int i = 0; i < (is_folder ? n : 1); i++) {
    const char *file =
        is_folder ? tp_arena_printf(&out->arena, "%s/%s", path, files[i]->d_name) : path;
    tp_inputs_init(&out->at[out->n]);
    out->names[out->n] = file;
    if (ok) ok = read_test(file, &out->at[out->n++]);
    if (is_folder) free(files[i]);
  }
  free(files);
  if (!ok) tp_session_give_up(s, "a test cannot be read");
  return ok;
}

void tp_test_list_clear(tp_test_list *t) {
  for (size_t i = 0; i < t->n; i++) tp_inputs_clear(&t->at[i]);
  tp_arena_clear(&t->arena);
}

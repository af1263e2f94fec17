/* What stores find out about memory: the pairs of store_cases.c.
 *
 * The file becomes one program whose main calls one of its functions good_* and bad_*; each
 * analysis runs once, and the functions whose error location it reached are compared with the
 * names: a bad_* that is not reached is unsound, a good_* that is reached is imprecise (the suffix
 * says which analysis is asked). */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  const char *text;
  char suffix;  // of good_* that only this one must prove
} analysis;
static const analysis ANALYSES[] = {
    {"analysis = location callstack value\nvalue.threshold = 20\n", 'v'},
    {"analysis = location callstack interval\n", 'i'},
    {"analysis = location callstack value\nvalue.points-to = on\n", 'v'},
    {"analysis = location callstack value\nvalue.memory = off\n", 0},
    {"analysis = location callstack constant\n", 0},
};
enum { N_ANALYSES = sizeof ANALYSES / sizeof *ANALYSES };

/* store_cases.c with CASES replaced by a case for each function. */
static char *write_program(void) {
  tp_str text = {0}, out = {0};
  if (tp_read_file("test/cpa/store_cases.c", &text) != TP_OK) return NULL;
  const char *cases = strstr(text.text, "    CASES\n");
  tp_str_add_n(&out, text.text, (size_t)(cases - text.text));
  for (const char *at = text.text; (at = strstr(at, "\nint ")); at++) {
    const char *name = at + 5, *end = strchr(name, '(');
    if (strncmp(name, "good_", 5) == 0 || strncmp(name, "bad_", 4) == 0)
      tp_str_printf(&out, "    CASE(%.*s);\n", (int)(end - name), name);
  }
  tp_str_add(&out, cases + strlen("    CASES\n"));
  char *path = tp_alloc(64);
  strcpy(path, "/tmp/store-cases-XXXXXX.c");
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, out.text, out.n) == (ssize_t)out.n);
  close(fd);
  tp_str_clear(&text);
  tp_str_clear(&out);
  return path;
}

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

/* Must this analysis prove good_NAME? */
static bool must_prove(const analysis *a, const char *name) {
  if (a->suffix == 0 || ends_with(name, "_n")) return false;
  if (ends_with(name, "_v") || ends_with(name, "_i")) return name[strlen(name) - 1] == a->suffix;
  return true;
}

static int compare(const analysis *a, const tp_program *p, const tp_reached *set) {
  bool *reached = TP_NEW_ARRAY(bool, p->funcs.n);
  int wrong = 0;
  for (uint32_t i = 1; i <= tp_reached_n(set); i++) {
    const tp_node *n = tp_reached_node(set, i);
    if (!n->removed && tp_loc_of(p, n->loc)->error == TP_P_UNREACH_CALL)
      reached[tp_loc_of(p, n->loc)->func.id] = true;
  }
  for (size_t f = 1; f < p->funcs.n; f++) {
    const char *name = p->funcs.at[f].name;
    bool is_bad = strncmp(name, "bad_", 4) == 0, is_good = strncmp(name, "good_", 5) == 0;
    const char *what = is_bad && !reached[f]                          ? "unsound"
                       : is_good && reached[f] && must_prove(a, name) ? "imprecise"
                                                                      : NULL;
    if (!what) continue;
    print_error("%s: %s: %s", what, name, a->text);
    wrong++;
  }
  tp_free(reached);
  return wrong;
}

static void stores_know_memory(void **state) {
  (void)state;
  int wrong = 0;
  char *path = write_program();
  if (!path) skip();
  const char *files[] = {path};
  tp_front_options options = {.files = files, .n_files = 1, .property = TP_P_UNREACH_CALL};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p;
  assert_int_equal(tp_front_load(&options, diag, &p), TP_OK);
  for (size_t i = 0; i < N_ANALYSES; i++) {
    tp_str why = {0};
    tp_stats stats = {0};
    tp_composition *c = tp_composition_open(p, TP_P_UNREACH_CALL, ANALYSES[i].text, &stats, &why);
    if (!c) fail_msg("%s", tp_str_text(&why));
    tp_recursion *run = tp_recursion_new(c->cpa, c->order);
    assert_int_equal(tp_recursion_run(run, (tp_cpa_limits){.steps = 1000000}).end, TP_CPA_DONE);
    wrong += compare(&ANALYSES[i], p, tp_recursion_reached(run));
    tp_recursion_free(run);
    tp_composition_close(c);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  unlink(path);
  tp_free(path);
  assert_int_equal(wrong, 0);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stores_know_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

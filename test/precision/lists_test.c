/* The rows of the thesis's tables 3.2(a) and 4.2: does the abstraction of a configuration of
 * config/thesis exclude the error of a list program? The reached set is looked at, so nothing here
 * waits for the check of a certificate: test/precision/lists.sh has verdicts, `make tables` whole
 * tables. The error of every broken twin is reached; of the largest programs that is all that is
 * looked at here. usage: lists_test [ROW] */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "engine/extract.h"
#include "proof/precision.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_TURNS = 80, STEPS_OF_A_TURN = 500 };
static const char
    *only;  // the one row that is tried; NULL: all, of each kind the first if nothing is said

/* Whether a row is tried: its kind is what the last one of a test was of, or not. */
static bool is_tried(const char *row, bool is_first_of_its_kind) {
  if (only) return strcmp(only, row) == 0;
  if (is_first_of_its_kind || getenv("TP_SOAK")) return true;
  printf("soak %s\n", row);
  return false;
}

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_stats stats;
  tp_composition *c;
} list_run;

static void read_text(const char *path, tp_str *out) {
  assert_int_equal(tp_read_file(path, out), TP_OK);
}

/* bench/shape/list makes the program; "_bad" behind its name is its second argument. */
static void make_program(const char *program, char *path) {
  char command[300];
  const size_t n = strlen(program);
  const bool is_bad = n > 4 && strcmp(program + n - 4, "_bad") == 0;
  const int file = mkstemps(path, 2);
  assert_true(file >= 0);
  close(file);
  snprintf(command, sizeof command, "bench/shape/list %.*s %s >%s", (int)(is_bad ? n - 4 : n),
           program, is_bad ? "bad" : "", path);
  assert_int_equal(system(command), 0);
}

/* The composition keeps the address of r's statistics. */
static void open_run(list_run *r, const char *program, const char *configuration) {
  *r = (list_run){.diag = tp_diag_new(stderr, false)};
  char path[200], source[] = "/tmp/lists-XXXXXX.c";
  tp_str text = {0}, given = {0}, why = {0};
  tp_precision_read done = {0};
  make_program(program, source);
  const char *paths[] = {source};
  const tp_front_options options = {.files = paths, .n_files = 1, .property = TP_P_UNREACH_CALL};
  assert_int_equal(tp_front_load(&options, r->diag, &r->p), TP_OK);
  unlink(source);
  snprintf(path, sizeof path, "config/thesis/%s.conf", configuration);
  read_text(path, &text);
  r->c = tp_composition_open(r->p, TP_P_UNREACH_CALL, tp_str_text(&text), &r->stats, &why);
  if (!r->c) fail_msg("%s: %s", path, tp_str_text(&why));
  snprintf(path, sizeof path, "bench/shape/%.*s.precision",
           (int)(strstr(program, "_bad") ? (size_t)(strstr(program, "_bad") - program)
                                         : strlen(program)),
           program);
  if (tp_read_file(path, &given) == TP_OK)
    assert_true(tp_precision_take(r->c->cpa, tp_str_text(&given), &done, &why) && done.used > 0 &&
                done.unknown == 0);
  tp_str_clear(&text);
  tp_str_clear(&given);
  tp_str_clear(&why);
}

static void close_run(list_run *r) {
  tp_composition_close(r->c);
  tp_program_free(r->p);
  tp_diag_free(r->diag);
  assert_int_equal(tp_live_bytes(), 0);
}

typedef enum { EXCLUDED, ALARM, NO_END } outcome;
static const char *const outcomes[] = {"the error is excluded", "the error is reached", "no end"};

static bool has_error(const list_run *r, const tp_reached *reached) {
  for (uint32_t i = 1; i <= tp_reached_n(reached); i++) {
    const tp_node *n = tp_reached_node(reached, i);
    if (!n->removed && n->loc.id && tp_loc_of(r->p, n->loc)->error != TP_P_NONE) return true;
  }
  return false;
}

/* Up to an error, or to the end; at most this many turns. */
static outcome explore(list_run *r, size_t turns, size_t *n_reached) {
  tp_recursion *run = tp_recursion_new(r->c->cpa, r->c->order);
  outcome is = NO_END;
  for (size_t turn = 0; turn < turns && is == NO_END; turn++) {
    const bool ends =
        tp_recursion_run(run, (tp_cpa_limits){.steps = STEPS_OF_A_TURN}).end == TP_CPA_DONE;
    is = has_error(r, tp_recursion_reached(run)) ? ALARM : ends ? EXCLUDED : NO_END;
  }
  *n_reached = tp_reached_n(tp_recursion_reached(run));
  tp_recursion_free(run);
  return is;
}

static size_t must_be_within(const char *row, const char *program, const char *configuration,
                             size_t turns, outcome wanted) {
  list_run r;
  open_run(&r, program, configuration);
  size_t n;
  const outcome is = explore(&r, turns, &n);
  close_run(&r);
  if (is != wanted) fail_msg("%s: %s under %s: %s", row, program, configuration, outcomes[is]);
  return n;
}

static size_t must_be(const char *row, const char *program, const char *configuration,
                      outcome wanted) {
  return must_be_within(row, program, configuration, MOST_TURNS, wanted);
}

static void twin_must_fail(const char *row, const char *program, const char *configuration) {
  char bad[80];
  snprintf(bad, sizeof bad, "%s_bad", program);
  (void)must_be(row, bad, configuration, ALARM);
  printf("ok %s\n", row);
}

static const char *program_of(const char *row) { return strchr(row, '_') + 1; }

/* Columns A to F: those that exclude the error, those that raise an alarm. */
static void table_3_2_a_columns_exclude_what_they_should(void **state) {
  (void)state;
  static const struct {
    const char *row, *excluding, *alarming;
  } rows[] = {
      {"X01_simple", "abcdef", ""},      {"X02_simple_backw", "abcdef", ""},
      {"X03_list_1", "abcdef", ""},      {"X04_list_2", "abcdef", ""},
      {"X05_list_3", "abcdef", ""},      {"X06_list_4", "abcdef", ""},
      {"X07_alternating", "abcd", "ef"}, {"X08_list_flag", "abcd", "ef"},
      {"X09_list_flag2", "c", "abdef"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bool is_first = i == 0 || strcmp(rows[i].excluding, rows[i - 1].excluding) != 0;
    if (!is_tried(rows[i].row, is_first)) continue;
    char configuration[] = "shape-?";
    size_t n[6] = {0};
    for (int alarming = 0; alarming < 2; alarming++)
      for (const char *c = alarming ? rows[i].alarming : rows[i].excluding; *c; c++) {
        configuration[6] = *c;
        n[*c - 'a'] = must_be(rows[i].row, program_of(rows[i].row), configuration,
                              alarming ? ALARM : EXCLUDED);
      }
    // what A joins B, C and D keep apart; E and F join as A does where predicates are the same
    if (strcmp(rows[i].excluding, "abcdef") == 0)
      if (n[0] != n[4] || n[0] != n[5] || n[1] != n[2] || n[1] != n[3] || 3 * n[0] >= n[1])
        fail_msg("%s: elements %zu %zu %zu %zu %zu %zu", rows[i].row, n[0], n[1], n[2], n[3], n[4],
                 n[5]);
    configuration[6] = rows[i].excluding[0];
    twin_must_fail(rows[i].row, program_of(rows[i].row), configuration);
  }
}

/* What is claimed of reached elements; of seconds, which a test cannot look at, bench/RESULTS.md.
 */
typedef enum {
  NOTHING,
  K5_MOST,
  EXPLICIT_FEWEST,
  EXPLICIT_THEN_K3,
  K3_FEWEST,
  EXPLICIT_MUCH_FEWER
} claim;

/* Columns k = 0, 3, 5: the error is excluded; k = infinity: also, of bounded lists; of others there
 * is no end, in more steps than k = 5 takes. Bounded lists of at most five cells stay
 * explicit with k = 5, as with infinity. */
static void table_4_2_thresholds_exclude_the_error(void **state) {
  (void)state;
  static const struct {
    const char *row;
    bool is_bounded;
    claim claim;
  } rows[] = {
      {"X50_list_1", false, NOTHING},
      {"X51_list_2", false, K5_MOST},
      {"X52_list_3", false, K5_MOST},
      {"X53_list_4", false, K5_MOST},
      {"X54_list_bnd4_1", true, EXPLICIT_FEWEST},
      {"X55_list_bnd4_2", true, EXPLICIT_FEWEST},
      {"X56_list_bnd4_3", true, EXPLICIT_FEWEST},
      {"X57_list_bnd4_4", true, EXPLICIT_FEWEST},
      {"X58_list_flags_1", false, K3_FEWEST},
      {"X59_list_flags_2", false, K3_FEWEST},
      {"X60_list_flags_3", false, K3_FEWEST},
      {"X61_list_flags_4", false, K3_FEWEST},
      {"X62_list_flags_5", false, K3_FEWEST},
      {"X63_list_bnd2_f1", true, EXPLICIT_MUCH_FEWER},
      {"X64_list_bnd4_f1", true, EXPLICIT_THEN_K3},
      {"X65_list_bnd4_f2", true, EXPLICIT_THEN_K3},
      {"X66_list_bnd4_f3", true, EXPLICIT_THEN_K3},
      {"X67_list_bnd4_f4", true, EXPLICIT_THEN_K3},
      {"X68_list_bnd4_f5", true, EXPLICIT_THEN_K3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *row = rows[i].row, *program = program_of(row);
    if (!is_tried(row, i == 0 || rows[i].claim != rows[i - 1].claim)) continue;
    const size_t k0 = must_be(row, program, "c2-k0", EXCLUDED),
                 k3 = must_be(row, program, "c2-k3", EXCLUDED),
                 k5 = must_be(row, program, "c2-k5", EXCLUDED);
    if (rows[i].is_bounded)
      assert_int_equal(must_be(row, program, "c2-kinf", EXCLUDED), k5);
    else
      assert_true(must_be_within(row, program, "c2-kinf", 2 + k5 / STEPS_OF_A_TURN, NO_END) > k5);
    switch (rows[i].claim) {
      case NOTHING: break;
      case K5_MOST: assert_true(k5 > k3 && k5 > k0); break;
      case EXPLICIT_FEWEST: assert_true(k5 < k3 && k5 < k0); break;
      case EXPLICIT_THEN_K3: assert_true(k5 < k3 && k3 < k0); break;
      case K3_FEWEST: assert_true(k3 < k5 && k3 < k0); break;
      case EXPLICIT_MUCH_FEWER: assert_true(10 * k5 < k0 && 10 * k3 < k0); break;
    }
    twin_must_fail(row, program, "c2-k3");
  }
}

/* free() it. */
static char *certificate_of(const char *program, const char *configuration) {
  list_run r;
  tp_str text = {0};
  open_run(&r, program, configuration);
  tp_recursion *run = tp_recursion_new(r.c->cpa, r.c->order);
  assert_int_equal(
      tp_recursion_run(run, (tp_cpa_limits){.steps = MOST_TURNS * STEPS_OF_A_TURN}).end,
      TP_CPA_DONE);
  tp_invariants v;
  tp_cert_shapes shapes;
  tp_invariants_init(&v);
  tp_cert_shapes_init(&shapes);
  assert_true(tp_extract_invariants(run, &r.c->env, r.c->cpa, TP_P_UNREACH_CALL, &shapes, &v));
  assert_true(tp_invariants_write(&v, r.p, &text));
  char *copy = strdup(tp_str_text(&text));
  tp_str_clear(&text);
  tp_invariants_clear(&v);
  tp_cert_shapes_clear(&shapes);
  tp_recursion_free(run);
  close_run(&r);
  return copy;
}

/* Lines that begin so, in a certificate; *both: those of them that a shape line follows. */
static size_t n_lines(const char *text, const char *begin, size_t *both) {
  size_t n = 0;
  *both = 0;
  for (const char *line = text, *next; *line; line = next) {
    const char *end = strchr(line, '\n');
    next = end ? end + 1 : line + strlen(line);
    if (strncmp(line, begin, strlen(begin)) != 0) continue;
    n++;
    *both += strncmp(next, "shape ", 6) == 0;
  }
  return n;
}

/* Where lists become graphs later, explicit ones have graphs, too, and formulas only of what graphs
 * do not say. Those that an entry of longer lists is above have none of their own: a larger k adds
 * few. Where nothing is handed over there are formulas alone. */
static void explicit_lists_that_become_graphs_have_graphs_in_certificates(void **state) {
  (void)state;
  static const char *const columns[] = {"c2-k3", "c2-k5"};
  size_t n[2], with_graphs;
  for (int i = 0; i < 2; i++) {
    char *text = certificate_of("list_1", columns[i]);
    n[i] = n_lines(text, "at ", &with_graphs);
    assert_true((strstr(text, "(SELECT (memory ptr)") != NULL) ==
                (i == 1));  // cells are said one by one where graphs make some of them one node
    assert_true(n[i] > 10 && with_graphs == n[i]);
    free(text);
  }
  assert_true(n[1] < n[0] + n[0] / 3);
  char *text = certificate_of("list_bnd4_1", "c2-k5");
  assert_true(n_lines(text, "at ", &with_graphs) > 10);
  assert_int_equal(n_lines(text, "shape ", &with_graphs), 0);
  free(text);
}

int main(int argc, char **argv) {
  if (argc > 1) only = argv[1];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_3_2_a_columns_exclude_what_they_should),
      cmocka_unit_test(table_4_2_thresholds_exclude_the_error),
      cmocka_unit_test(explicit_lists_that_become_graphs_have_graphs_in_certificates)};
  return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}

/* The structures of lib/shape: every update formula and every rule against heaps. And that the
 * check would notice: without any one of the formulas it fails. */
#include "shape/verify.h"

#include <glob.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static bool soak(void) { return getenv("TP_SOAK") != NULL; }

/* Everything of up to four cells for one or two fields, three for more, and many random heaps; a
 * part of that in quick runs. */
static tp_verify_volume volume_for(const tp_description *entry) {
  const uint32_t all = entry->fields.n <= 2 ? 4 : 3;
  if (soak())
    return (tp_verify_volume){.all_cells = all, .random_cells = 6, .n_random = 100000, .seed = 15};
  if (entry->fields.n == 1)
    return (tp_verify_volume){.all_cells = 4, .random_cells = 6, .n_random = 3000, .seed = 15};
  const uint64_t every = entry->fields.n == 2 ? 300 : 200;
  return (tp_verify_volume){.all_cells = entry->fields.n == 2 ? 2 : 1,
                            .sample_cells = all,
                            .every = every,
                            .random_cells = 6,
                            .n_random = 1500,
                            .seed = 15};
}

typedef void (*visit)(const char *path, tp_description *entry);

static void each_file(visit v) {
  glob_t files;
  assert_int_equal(glob("lib/shape/*.scg", 0, NULL, &files), 0);
  assert_true(files.gl_pathc >= 8);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_description entry = {0};
    assert_int_equal(tp_description_read(&entry, files.gl_pathv[i], diag), TP_OK);
    v(files.gl_pathv[i], &entry);
    tp_description_clear(&entry);
    tp_diag_free(diag);
  }
  globfree(&files);
}

static void is_right(const char *path, tp_description *entry) {
  const tp_verify_volume volume = volume_for(entry);
  tp_verify_result r = {0};
  assert_int_equal(tp_description_verify(entry, &volume, &r), TP_OK);
  if (r.is_wrong) print_error("%s:%u: %s\n", path, r.pos.line, tp_str_text(&r.text));
  assert_false(r.is_wrong);
  assert_true(r.heaps > 1500 && r.steps > 4 * r.heaps);
  tp_str_clear(&r.text);
  tp_str_clear(&r.heap);
}

static void F15_update_formulas_are_right(void **state) {
  (void)state;
  each_file(is_right);
}

/* Without its update line k the entry is wrong, and the check says so. */
static void is_noticed(const char *path, tp_description *entry) {
  const tp_verify_volume volume = {.all_cells = entry->fields.n > 2 ? 1 : 2,
                                   .sample_cells = 3,
                                   .every = 20,
                                   .random_cells = 5,
                                   .n_random = 30000,
                                   .seed = 16};
  for (size_t k = 0; k < entry->updates.n; k++) {
    const tp_update gone = entry->updates.at[k];
    memmove(&entry->updates.at[k], &entry->updates.at[k + 1],
            (--entry->updates.n - k) * sizeof gone);
    tp_verify_result r = {0};
    assert_int_equal(tp_description_verify(entry, &volume, &r), TP_OK);
    if (!r.is_wrong) print_error("%s:%u: nobody misses this line\n", path, gone.pos.line);
    assert_true(r.is_wrong && r.text.n > 0 && r.pos.line > 0);
    tp_str_clear(&r.text);
    tp_str_clear(&r.heap);
    entry->updates.n++;
    memmove(&entry->updates.at[k + 1], &entry->updates.at[k],
            (entry->updates.n - 1 - k) * sizeof gone);
    entry->updates.at[k] = gone;
  }
}

static void F15_without_any_update_line_the_check_fails(void **state) {
  (void)state;
  each_file(is_noticed);
}

/* A constraint that excludes heaps is noticed as well: each constraint with its head negated. */
static void is_noticed_as_constraint(const char *path, tp_description *entry) {
  const tp_verify_volume volume = {.all_cells = 2, .random_cells = 4, .n_random = 3000, .seed = 17};
  for (size_t k = 0; k < entry->constraints.n; k++) {
    const tp_template *head = entry->constraints.at[k].head,
                      negated = {.kind = TP_TEMPLATE_NOT, .kid = {head}};
    entry->constraints.at[k].head = &negated;
    tp_verify_result r = {0};
    assert_int_equal(tp_description_verify(entry, &volume, &r), TP_OK);
    if (!r.is_wrong)
      print_error("%s:%u: the opposite is no worse\n", path, entry->constraints.at[k].pos.line);
    assert_true(r.is_wrong);
    tp_str_clear(&r.text);
    tp_str_clear(&r.heap);
    entry->constraints.at[k].head = head;
  }
}

static void F17_wrong_constraints_are_noticed(void **state) {
  (void)state;
  each_file(is_noticed_as_constraint);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F15_update_formulas_are_right),
      cmocka_unit_test(F15_without_any_update_line_the_check_fails),
      cmocka_unit_test(F17_wrong_constraints_are_noticed),
  };
  return cmocka_run_group_tests_name("shape entries against heaps", tests, NULL, NULL);
}

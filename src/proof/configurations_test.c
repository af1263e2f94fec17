/* What is built in is what stands in config/, and every configuration is one that would be
 * accepted. */
#include "cpa/composition.h"
#include "proof/configurations.h"
#include "engine/engine.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static void built_in_texts_are_the_files(void **state) {
  (void)state;
  glob_t g;
  assert_int_equal(glob("config/*.conf", 0, NULL, &g), 0);
  size_t n = 0;
  while (tp_configurations[n].name) n++;
  assert_int_equal(n, g.gl_pathc);
  for (size_t i = 0; i < n; i++) {
    char path[200];
    tp_str text = {0};
    snprintf(path, sizeof path, "config/%s.conf", tp_configurations[i].name);
    assert_int_equal(tp_read_file(path, &text), TP_OK);
    assert_string_equal(text.text, tp_configurations[i].text);
    assert_ptr_equal(tp_configuration_text(tp_configurations[i].name), tp_configurations[i].text);
    assert_int_equal(text.text[0], '#');  // says what it is for
    tp_str_clear(&text);
  }
  assert_null(tp_configuration_text("nothing"));
  globfree(&g);
}

static void configurations_are_accepted(void **state) {
  (void)state;
  for (const tp_configuration *c = tp_configurations; c->name; c++) {
    tp_str why = {0};
    if (!tp_composition_check(c->text, NULL, &why)) fail_msg("%s: %s", c->name, tp_str_text(&why));
    tp_str_clear(&why);
  }
}

static void engines_have_their_configuration(void **state) {
  (void)state;
  static const char *const names[] = {"value", "interval", "octagon", "slam"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_non_null(tp_engine_find(names[i]));
    assert_non_null(tp_configuration_text(names[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(built_in_texts_are_the_files),
                                     cmocka_unit_test(configurations_are_accepted),
                                     cmocka_unit_test(engines_have_their_configuration)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The text of compositions: what is refused, where, and why; what is built. */
#include "base/nearest.h"
#include "cpa/composition.h"
#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void F31_refused_texts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t line;
    const char *why;
  } cases[] = {
      {"", 0, "expected a line 'analysis = COMPONENTS'"},
      {"analysis location", 1, "expected 'name = value', found 'analysis location'"},
      {"analysis =", 1, "expected 'name = value'"},
      {"# nothing\n\n= sep", 3, "expected 'name = value'"},
      {"analysis = location\nmerge = sep\nmerge = sep", 3, "merge was set on line 2 already"},
      {"analysis = locaton", 1, "unknown analysis 'locaton'; did you mean 'location'? Known: "},
      {"analysis = location\nmerg = sep", 2, "unknown setting 'merg'; did you mean 'merge'?"},
      {"analysis = location\nstop = sepp", 2,
       "unknown stop 'sepp'; did you mean 'sep'? Known: sep, join, pred-join"},
      {"waitlist = dsf\nanalysis = location", 1, "unknown waitlist 'dsf'; did you mean 'dfs'?"},
      {"analysis = location (callstack", 1, "expected ')' at the end"},
      {"analysis = location callstack)", 1, "expected a name, '(' or ')', found ') without ('"},
      {"analysis = location ()", 1, "expected a component between"},
      {"analysis = location + callstack", 1, "found '+ callstack'"},
      {"analysis = ((((((((((((((((location))))))))))))))))", 1, "nest deeper than"},
      {"analysis = per-location(location callstack)", 1, "expected one analysis in per-location"},
      {"analysis = location callstack(path)", 1,
       "'callstack' is an analysis and cannot name a group"},
      {"analysis = location\npath.interrupt = 3", 2, "path is not among the components"},
      {"analysis = path\npath.interupt = 3", 2,
       "unknown setting of path 'interupt'; did you mean 'interrupt'?"},
      {"analysis = location\nnobody.merge = sep", 2, "unknown component 'nobody'"},
      {"analysis = location\nlocation.stop = join", 2,
       "location.stop = join: its join means more than the union"},
      {"analysis = location callstack\nmerge = join", 2,
       "merge = join: there is no data component"},
      {"analysis = location callstack\nmerge = pred-join", 2,
       "merge = pred-join: it needs two data components"},
      {"analysis = location callstack\nstop = join", 2, "stop = join: no component is joined"},
      {"analysis = location constant\nconstant.stop = join", 2,
       "constant.stop = join: its join means more"},
      {"analysis = location constant\nconstant.merge = sep\nmerge = join", 3,
       "constant is merged by sep"},
      {"analysis = constant\nmerge = join", 2, "there is no location"},
      {"analysis = callstack pair(callstack)\npair.merge = join", 2,
       "pair.merge = join: there is no location"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_str why = {0}, all = {0};
    uint32_t line = 99;
    if (tp_composition_check(cases[i].text, &line, &why)) fail_msg("allowed: %s", cases[i].text);
    if (!strstr(tp_str_text(&why), cases[i].why) || line != cases[i].line)
      fail_msg("%s: line %u: %s", cases[i].text, line, tp_str_text(&why));
    assert_false(tp_composition_check(cases[i].text, NULL, &all));
    if (line) assert_memory_equal(tp_str_text(&all), "line ", 5);
    tp_str_clear(&why);
    tp_str_clear(&all);
  }
}

static void compositions_are_built(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t n;  // components, flattened
    tp_wait_order order;
  } cases[] = {
      {"analysis = location", 1, TP_WAIT_REVERSE_POSTORDER},
      {"analysis = location callstack # who is where\nwaitlist = bfs\n", 2, TP_WAIT_BFS},
      {"  analysis=location(callstack)  ", 0, 0},
      {"analysis = location (callstack (path location))\r\nwaitlist = callstack", 4,
       TP_WAIT_CALLSTACK},
      {"analysis = location, pair(callstack path)\npair.transfer = strengthened\nlocation.merge = "
       "sep\n",
       3, TP_WAIT_REVERSE_POSTORDER},
      {"analysis = constant-location\nmerge = join", 1, TP_WAIT_REVERSE_POSTORDER},
      {"analysis = location per-location(path)\ntransfer = strengthened\ncompare = weaken\nadjust "
       "= none\n",
       2, TP_WAIT_REVERSE_POSTORDER},
  };
  tp_program *p = tp_program_new(NULL, 64);
  p->main = func(p, "main");
  step(p, entry_of(p, p->main), exit_of(p, p->main));
  tp_program_finish(p);
  size_t live = tp_live_bytes();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_str why = {0};
    tp_composition *c = tp_composition_open(p, TP_P_UNREACH_CALL, cases[i].text, NULL, &why);
    if (!c != !cases[i].n) fail_msg("%s: %s", cases[i].text, tp_str_text(&why));
    if (c) {
      assert_int_equal(tp_composite_n(c->cpa), cases[i].n);
      assert_int_equal(c->order, cases[i].order);
    }
    tp_composition_close(c);
    tp_str_clear(&why);
    assert_int_equal(tp_live_bytes(), live);
  }
  tp_program_free(p);
}

static void nearest_names(void **state) {
  (void)state;
  static const char *const names[] = {"interval", "octagon", "value", NULL};
  assert_string_equal(tp_nearest_name("intervals", names), "interval");
  assert_string_equal(tp_nearest_name("octogon", names), "octagon");
  assert_string_equal(tp_nearest_name("vlaue", names), "value");
  assert_null(tp_nearest_name("predicates", names));
  assert_null(tp_nearest_name("", names));
  char long_name[200];
  memset(long_name, 'a', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = 0;
  assert_null(tp_nearest_name(long_name, names));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F31_refused_texts),
                                     cmocka_unit_test(compositions_are_built),
                                     cmocka_unit_test(nearest_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

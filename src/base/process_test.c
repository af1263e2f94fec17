/* Waiting for children that are not there. */
#include "base/process.h"

#include <setjmp.h>

#include <cmocka.h>

/* A wait without any running child once never returned: no pipe, no process to wake it. */
static void waiting_for_nobody_returns(void **state) {
  (void)state;
  assert_int_equal(tp_process_step(NULL, 0, -1), 0);
  tp_process ended = {.end = TP_PROCESS_EXITED};
  tp_process *all[] = {&ended};
  assert_int_equal(tp_process_step(all, 1, -1), 0);
}

static void programs_end_with_their_status(void **state) {
  (void)state;
  static const struct {
    const char *command;
    tp_process_end end;
    int code;
  } cases[] = {{"exit 0", TP_PROCESS_EXITED, 0}, {"exit 7", TP_PROCESS_EXITED, 7}, {"kill -9 $$", TP_PROCESS_SIGNALLED, 9}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *argv[] = {"sh", "-c", cases[i].command, NULL};
    tp_process p;
    assert_int_equal(tp_process_run(&p, (tp_process_spec){.argv = argv, .out = TP_STDIO_DISCARD, .err = TP_STDIO_DISCARD}), TP_OK);
    assert_int_equal(p.end, cases[i].end);
    assert_int_equal(p.code, cases[i].code);
    tp_process_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(waiting_for_nobody_returns), cmocka_unit_test(programs_end_with_their_status)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A call whose first interrupts are lost ends all the same: the net fires again until it is taken
 * away, and never afterwards. */
#include "smt/watchdog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* A library that hears only the interrupt after `deaf` lost ones. */
typedef struct {
  int deaf;
  atomic_int heard;
} library;

static void interrupt(void *ctx) {
  library *l = ctx;
  atomic_fetch_add(&l->heard, 1);
}

static void lost_interrupts_are_repeated(void **state) {
  (void)state;
  for (int deaf = 0; deaf < 4; deaf++) {
    library l = {.deaf = deaf};
    double start = tp_wall_s();
    tp_watchdog *w = tp_watchdog_start(0.01, interrupt, &l);
    while (atomic_load(&l.heard) <= l.deaf && tp_wall_s() - start < 60) continue;
    assert_true(tp_watchdog_stop(w));
    int heard = atomic_load(&l.heard);
    assert_true(heard > deaf);
    usleep(100000);
    assert_int_equal(heard, atomic_load(&l.heard));
  }
}

static void a_call_in_time_is_left_alone(void **state) {
  (void)state;
  library l = {0};
  tp_watchdog *w = tp_watchdog_start(60, interrupt, &l);
  assert_false(tp_watchdog_stop(w));
  assert_int_equal(0, atomic_load(&l.heard));
  assert_null(tp_watchdog_start(0, interrupt, &l));
  assert_false(tp_watchdog_stop(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lost_interrupts_are_repeated),
      cmocka_unit_test(a_call_in_time_is_left_alone),
  };
  return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}

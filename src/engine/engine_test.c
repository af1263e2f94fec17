/* Budgets: what an engine gives to those that help it. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* 0 means no limit to whoever gets it: what is over must not become that. */
static void a_share_of_nothing_is_a_limit(void **state) {
  (void)state;
  const tp_budget limited = {.cpu_s = 2}, free = {0};
  const double now_s = tp_cpu_s(), starts_s[] = {now_s, now_s - 1, now_s - 2, now_s - 5};
  for (size_t i = 0; i < sizeof starts_s / sizeof *starts_s; i++) {
    tp_budget part = tp_engine_sub_budget(&limited, starts_s[i], 0.5);
    assert_true(part.cpu_s > 0 && part.cpu_s <= 1);
    assert_true(tp_engine_share_s(&limited, starts_s[i], 0.5) > 0);
    assert_true(tp_engine_sub_budget(&free, starts_s[i], 0.5).cpu_s == 0);
    assert_true(tp_engine_share_s(&free, starts_s[i], 0.5) == 0);
  }
  assert_true(tp_engine_is_over(&limited, now_s - 2) && !tp_engine_is_over(&free, now_s - 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_share_of_nothing_is_a_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

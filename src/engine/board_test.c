// The record of facts: what is kept, its text, and texts that readers refuse.
#include "engine/board.h"
#include "exec/testing.h"

#include "engine/engine_limits.h"

static void what_is_known_is_kept_once(void **state) {
  (void)state;
  tp_board b;
  tp_str text = {0};
  tp_board_init(&b);
  assert_true(tp_board_add(&b, TP_BOARD_INPUTS, "random", "1\n2\n"));
  assert_false(tp_board_add(&b, TP_BOARD_INPUTS, "bmc", "1\n2\n"));
  assert_true(tp_board_add(&b, TP_BOARD_GOAL, "kinduction", "at 3 TRUE\n"));
  assert_true(tp_board_add(&b, TP_BOARD_INPUTS, "random", "3"));
  tp_board_write(&b, &text);
  assert_string_equal(
      text.text,
      "fact inputs random\n  1\n  2\nfact goals kinduction\n  at 3 TRUE\nfact inputs "
      "random\n  3\n");
  assert_string_equal(tp_board_join(&b, TP_BOARD_INPUTS, &b.arena), "1\n2\n3");
  assert_null(tp_board_join(&b, TP_BOARD_INVARIANTS, &b.arena));
  tp_str_clear(&text);
  tp_board_clear(&b);
  assert_int_equal(tp_live_bytes(), 0);
}

static void what_is_too_large_is_dropped(void **state) {
  (void)state;
  tp_board b;
  tp_str large = {0};
  tp_board_init(&b);
  while (large.n <= TP_ENGINE_BOARD_BYTES / 2) tp_str_add(&large, "1234567\n");
  assert_true(tp_board_add(&b, TP_BOARD_INPUTS, "random", large.text));
  tp_str_add(&large, "8\n");
  assert_false(tp_board_add(&b, TP_BOARD_INPUTS, "random", large.text));
  assert_true(tp_board_add(&b, TP_BOARD_INVARIANTS, "value", large.text));  // of another kind
  assert_true(tp_board_add(&b, TP_BOARD_INPUTS, "random", "9\n"));
  assert_int_equal(b.v.n, 3);
  tp_str_clear(&large);
  tp_board_clear(&b);
}

static tp_board heard;
static void hear(void *ctx, tp_board_kind kind, const char *text) {
  tp_board_add(&heard, kind, ctx, text);
}

static void goals_are_read_as_they_were_published(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 32));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_budget budget = {.publish = hear, .ctx = "me"};
  const tp_loc entry = tp_func_of(b.p, b.p->main)->entry;
  const tp_term formula = tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 299)),
                foreign =
                    tp_mk_eq(b.tt, tp_mk_var(b.tt, "other", tp_sort_bv(b.tt, 32)), bv(&b, 32, 1));
  tp_board_goal goal;
  tp_inputs in;
  tp_board_init(&heard);
  tp_publish_goal(&(tp_budget){0}, b.p, entry, formula);  // nobody listens
  tp_publish_goal(&budget, b.p, entry, formula);
  tp_publish_goal(&budget, b.p, entry, foreign);            // has no text
  tp_publish_goal(&budget, b.p, entry, tp_mk_false(b.tt));  // no state is there
  assert_int_equal(heard.v.n, 1);
  assert_true(tp_board_read_goal(&heard.v.at[0], b.p, &goal));
  assert_int_equal(goal.at.id, entry.id);
  assert_true(tp_term_eq(goal.formula, formula));
  assert_string_equal(goal.by, "me");
  tp_inputs_init(&in);
  tp_inputs_add(&in, (tp_input){.kind = TP_I_NONDET, .width_bits = 32, .bits = 42, .name = "n"});
  tp_publish_inputs(&budget, b.p, &in);
  tp_inputs_clear(&in);
  tp_inputs_init(&in);
  assert_false(tp_board_read_inputs(&heard.v.at[0], &in));
  assert_true(tp_board_read_inputs(&heard.v.at[1], &in));
  assert_int_equal(in.v.n, 1);
  assert_int_equal((uint64_t)in.v.at[0].bits, 42);
  tp_inputs_clear(&in);
  tp_board_clear(&heard);
  static const char *const refused[] = {"",
                                        "at",
                                        "at 0 TRUE",
                                        "at 99 TRUE",
                                        "at 1",
                                        "at 1 (",
                                        "at 1 (bv 32 1)",
                                        "to 1 TRUE",
                                        "at 1 (var 99)",
                                        "at x TRUE",
                                        "at -1 TRUE",
                                        "\n"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const tp_board_fact f = {TP_BOARD_GOAL, "me", refused[i]};
    if (tp_board_read_goal(&f, b.p, &goal)) fail_msg("accepted: %s", refused[i]);
  }
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_known_is_kept_once),
                                     cmocka_unit_test(what_is_too_large_is_dropped),
                                     cmocka_unit_test(goals_are_read_as_they_were_published)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

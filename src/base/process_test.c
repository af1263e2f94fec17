/* Waiting for children that are not there. */
#include "base/process.h"

#include <setjmp.h>

#include <signal.h>
#include <time.h>
#include <unistd.h>

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
  } cases[] = {{"exit 0", TP_PROCESS_EXITED, 0},
               {"exit 7", TP_PROCESS_EXITED, 7},
               {"kill -9 $$", TP_PROCESS_SIGNALLED, 9}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *argv[] = {"sh", "-c", cases[i].command, NULL};
    tp_process p;
    assert_int_equal(
        tp_process_run(
            &p, (tp_process_spec){.argv = argv, .out = TP_STDIO_DISCARD, .err = TP_STDIO_DISCARD}),
        TP_OK);
    assert_int_equal(p.end, cases[i].end);
    assert_int_equal(p.code, cases[i].code);
    tp_process_clear(&p);
  }
}

/* A compiler's own memory says nothing of its assembler's. */
static void memory_of_the_whole_group_is_limited(void **state) {
  (void)state;
  const char *argv[] = {"sh", "-c", "tail /dev/zero; true", NULL};
  tp_process p;
  const tp_process_spec spec = {
      .argv = argv,
      .out = TP_STDIO_DISCARD,
      .err = TP_STDIO_DISCARD,
      .limits = {.resident_bytes = 60u << 20, .address_bytes = 2000u << 20, .wall_s = 60}};
  assert_int_equal(tp_process_run(&p, spec), TP_OK);
  assert_int_equal(p.end, TP_PROCESS_OUT_OF_MEMORY);
  assert_true(tp_process_hit_limit(&p));
  tp_process_clear(&p);
}

static volatile sig_atomic_t asked;
static void on_ask(int number) {
  (void)number;
  asked = 1;
}

/* Counts aloud until it is asked to end. */
static int count_in_child(void *ctx, int channel) {
  (void)ctx;
  struct sigaction a = {.sa_handler = on_ask};
  sigaction(SIGTERM, &a, NULL);
  for (unsigned char i = 0; !asked; i++) {
    struct timespec pause = {.tv_nsec = 5000000};
    if (write(channel, &i, 1) != 1) return 1;
    nanosleep(&pause, NULL);
  }
  return 42;
}

static void follow_until(tp_process *p, size_t n, double most_s) {
  double until_s = tp_wall_s() + most_s;
  while (p->channel.n < n && tp_wall_s() < until_s) tp_process_step(&p, 1, 20);
}

/* A paused child says nothing more until it is resumed; a child that is asked ends in its own way.
 */
static void children_pause_and_are_asked(void **state) {
  (void)state;
  tp_process p;
  assert_int_equal(tp_process_start(&p, (tp_process_spec){.work = count_in_child,
                                                          .out = TP_STDIO_DISCARD,
                                                          .err = TP_STDIO_DISCARD}),
                   TP_OK);
  follow_until(&p, 1, 60);
  assert_true(p.channel.n >= 1);
  tp_process_pause(&p);
  follow_until(&p, SIZE_MAX, 0.2);  // what was on its way
  size_t before = p.channel.n;
  follow_until(&p, SIZE_MAX, 0.3);
  assert_int_equal(p.channel.n, before);
  assert_int_equal(p.end, TP_PROCESS_RUNNING);
  tp_process_resume(&p);
  follow_until(&p, before + 1, 60);
  assert_true(p.channel.n > before);
  tp_process_ask(&p);
  follow_until(&p, SIZE_MAX, 0.1);
  for (tp_process *all = &p; tp_process_step(&all, 1, 100) > 0;) {
  }
  assert_int_equal(p.end, TP_PROCESS_EXITED);
  assert_int_equal(p.code, 42);
  tp_process_ask(&p);  // nobody there: nothing happens
  tp_process_pause(&p);
  tp_process_clear(&p);
  // a paused child can be killed
  asked = 0;
  assert_int_equal(tp_process_start(&p, (tp_process_spec){.work = count_in_child,
                                                          .out = TP_STDIO_DISCARD,
                                                          .err = TP_STDIO_DISCARD}),
                   TP_OK);
  tp_process_pause(&p);
  tp_process_clear(&p);
}

/* Adds up what it is sent, in pieces of 1 MB; ends at a 1 in front. */
static int add_in_child(void *ctx, int channel) {
  static unsigned char piece[1 << 20];
  (void)ctx;
  for (;;) {
    uint64_t sum = 0;
    for (size_t have = 0; have < sizeof piece;) {
      ssize_t n = read(0, piece + have, sizeof piece - have);
      if (n <= 0) return 1;
      have += (size_t)n;
    }
    if (piece[0] == 1) return 3;
    for (size_t i = 0; i < sizeof piece; i++) sum += piece[i];
    if (write(channel, &sum, sizeof sum) != sizeof sum) return 1;
  }
}

static void children_take_requests(void **state) {
  (void)state;
  static unsigned char piece[1 << 20];
  tp_process p;
  tp_process_spec spec = {.work = add_in_child,
                          .takes_requests = true,
                          .out = TP_STDIO_DISCARD,
                          .err = TP_STDIO_DISCARD};
  assert_int_equal(tp_process_start(&p, spec), TP_OK);
  memset(piece, 2, sizeof piece);
  for (size_t turn = 1; turn <= 3; turn++) {
    uint64_t sum = 0;
    assert_int_equal(tp_process_send(&p, piece, sizeof piece), TP_OK);
    follow_until(&p, turn * sizeof sum, 60);
    assert_int_equal(p.channel.n, turn * sizeof sum);
    memcpy(&sum, p.channel.text + (turn - 1) * sizeof sum, sizeof sum);
    assert_int_equal(sum, 2 * sizeof piece);
  }
  piece[0] = 1;
  assert_int_equal(tp_process_send(&p, piece, sizeof piece), TP_OK);
  for (tp_process *all = &p; tp_process_step(&all, 1, 100) > 0;) {
  }
  assert_int_equal(p.code, 3);
  assert_int_equal(tp_process_send(&p, piece, sizeof piece), TP_ERR_SYSTEM);  // nobody there
  tp_process_clear(&p);
  // a child that dies while it is sent something is an error, no signal
  assert_int_equal(tp_process_start(&p, spec), TP_OK);
  tp_process_kill(&p);
  assert_int_equal(tp_process_send(&p, piece, sizeof piece), TP_ERR_SYSTEM);
  tp_process_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(children_take_requests),
                                     cmocka_unit_test(waiting_for_nobody_returns),
                                     cmocka_unit_test(programs_end_with_their_status),
                                     cmocka_unit_test(memory_of_the_whole_group_is_limited),
                                     cmocka_unit_test(children_pause_and_are_asked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

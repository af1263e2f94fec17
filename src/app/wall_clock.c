/* SIGALRM at the limit; processes that are forked have no timer. */
#include "app/wall_clock.h"

#include "base/base.h"
#include "base/process.h"

#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t is_over;

static void on_alarm(int signal_number) {
  (void)signal_number;
  is_over = 1;
  tp_process_interrupt();
}

void tp_wall_clock_start(double seconds) {
  TP_REQUIRE(seconds >= 0);
  if (seconds <= 0) return;
  const time_t whole = (time_t)seconds;
  struct itimerval timer = {
      .it_value = {.tv_sec = whole, .tv_usec = (suseconds_t)((seconds - (double)whole) * 1e6) + 1}};
  if (timer.it_value.tv_usec > 999999) timer.it_value.tv_usec = 999999;
  struct sigaction a = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &a, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
}

bool tp_wall_clock_is_over(void) { return is_over != 0; }

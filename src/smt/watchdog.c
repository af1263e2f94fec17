/* A thread that sleeps for the CPU time that the guarded thread has left.
 *
 * CPU time passes no faster than wall time for one thread, so sleeping for the rest can only wake
 * too early; then the rest is slept again. Stopping wakes the thread and joins it, so the callback
 * never runs after tp_watchdog_stop.
 *
 * An interrupt that reaches a solver library between two of its calls is lost, and the call behind
 * it would have no limit. So the callback is repeated until the guarded thread stops the watch. */
#include "smt/watchdog.h"

#include "smt/smt_limits.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

struct tp_watchdog {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  clockid_t clock;  // CPU time of the guarded thread
  double until;     // on that clock
  bool stop, fired;
  void (*fire)(void *ctx);
  void *ctx;
};

static double read_clock(clockid_t id) {
  struct timespec t = {0};
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sleep for what is left; the guarded thread cannot use it up faster than that. */
static void *watch(void *arg) {
  tp_watchdog *w = arg;
  pthread_mutex_lock(&w->lock);
  while (!w->stop) {
    double left = w->until - read_clock(w->clock);
    if (left <= 0) {
      w->fired = true;
      w->fire(w->ctx);
      left = 1e-3 * TP_SMT_WATCHDOG_REPEAT_MS;
    }
    double at = read_clock(CLOCK_MONOTONIC) + left + 1e-3;
    struct timespec t = {.tv_sec = (time_t)at, .tv_nsec = (long)((at - (double)(time_t)at) * 1e9)};
    pthread_cond_timedwait(&w->wake, &w->lock, &t);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

tp_watchdog *tp_watchdog_start(double cpu_s, void (*fire)(void *ctx), void *ctx) {
  TP_REQUIRE(fire);
  if (cpu_s <= 0) return NULL;
  tp_watchdog *w = TP_NEW(tp_watchdog);
  w->fire = fire;
  w->ctx = ctx;
  pthread_mutex_init(&w->lock, NULL);
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&w->wake, &attr);
  pthread_condattr_destroy(&attr);
  pthread_getcpuclockid(pthread_self(), &w->clock);
  w->until = read_clock(w->clock) + cpu_s;
  sigset_t all, old;  // signals are for the other threads
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  int failed = pthread_create(&w->thread, NULL, watch, w);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (!failed) return w;
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->lock);
  tp_free(w);
  return NULL;
}

bool tp_watchdog_stop(tp_watchdog *w) {
  if (!w) return false;
  pthread_mutex_lock(&w->lock);
  w->stop = true;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  bool fired = w->fired;
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->lock);
  tp_free(w);
  return fired;
}

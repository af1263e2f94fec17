/* The progress line: redrawn in place on a terminal, printed every half minute elsewhere, never
 * mixed with results. */
#include "app/heartbeat.h"
#include "app/app_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void tp_heartbeat_init(tp_heartbeat *h, unsigned verbosity) {
  const char *term = getenv("TERM");
  bool can_redraw = isatty(2) && term && strcmp(term, "dumb") != 0;
  *h = (tp_heartbeat){.redraws = can_redraw, .is_verbose = verbosity > 0, .last_s = tp_wall_s()};
}

void tp_heartbeat_beat(tp_heartbeat *h, double cpu_s, double mb, const char *phase,
                       const tp_stats *stats) {
  double now = tp_wall_s();
  const double every_s = h->redraws      ? TP_APP_REDRAW_S
                         : h->is_verbose ? TP_APP_LINE_S
                                         : TP_APP_LOG_S;
  if (now - h->last_s < every_s) return;
  h->last_s = now;
  fprintf(stderr, "%s%7.1f s %6.0f MB  %s, %llu queries, %llu runs%s", h->redraws ? "\r\033[K" : "",
          cpu_s, mb, phase, (unsigned long long)stats->solver_calls,
          (unsigned long long)stats->tests_run, h->redraws ? "" : "\n");
  fflush(stderr);
  h->is_drawn = h->redraws;
}

void tp_heartbeat_erase(tp_heartbeat *h) {
  if (h->is_drawn) fputs("\r\033[K", stderr);
  fflush(stderr);
  h->is_drawn = false;
}

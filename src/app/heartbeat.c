/* The progress line: redrawn in place on a terminal, printed every half minute elsewhere, never
 * mixed with results. */
#include "app/heartbeat.h"
#include "app/app_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

void tp_heartbeat_init(tp_heartbeat *h, unsigned verbosity) {
  const char *term = getenv("TERM");
  bool can_redraw = isatty(2) && term && strcmp(term, "dumb") != 0;
  *h = (tp_heartbeat){.redraws = can_redraw, .is_verbose = verbosity > 0, .last_s = tp_wall_s()};
}

/* What fits one line of the terminal: a line that wraps could not be redrawn. */
static int columns(void) {
  struct winsize w;
  return ioctl(2, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col - 1 : TP_APP_PROGRESS_COLUMNS;
}

void tp_heartbeat_beat(tp_heartbeat *h, double cpu_s, double mb, const char *phase,
                       const tp_stats *stats) {
  double now = tp_wall_s();
  const double every_s = h->redraws      ? TP_APP_REDRAW_S
                         : h->is_verbose ? TP_APP_LINE_S
                                         : TP_APP_LOG_S;
  if (now - h->last_s < every_s) return;
  h->last_s = now;
  tp_str line = {0};
  tp_str_printf(&line, "%7.1f s %6.0f MB  %s, %llu queries, %llu runs", cpu_s, mb, phase,
                (unsigned long long)stats->solver_calls, (unsigned long long)stats->tests_run);
  if (h->redraws)
    fprintf(stderr, "\r\033[K%.*s", columns(), line.text);
  else
    fprintf(stderr, "%s\n", line.text);
  tp_str_clear(&line);
  fflush(stderr);
  h->is_drawn = h->redraws;
}

void tp_heartbeat_erase(tp_heartbeat *h) {
  if (h->is_drawn) fputs("\r\033[K", stderr);
  fflush(stderr);
  h->is_drawn = false;
}

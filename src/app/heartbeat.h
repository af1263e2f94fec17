/* One line on standard error that says the tool is alive and what it is doing. */
#ifndef TP_APP_HEARTBEAT_H
#define TP_APP_HEARTBEAT_H

#include "diag/stats.h"

typedef struct {
  bool redraws;  // a terminal: in place; elsewhere: a line now and then, more often with -v
  bool is_verbose;
  bool is_drawn;
  double last_s;
} tp_heartbeat;

void tp_heartbeat_init(tp_heartbeat *h, unsigned verbosity);
/* cpu_s: of the whole run so far; mb: of the running worker; phase: what is going on ("bmc: turn
 * 12"). */
void tp_heartbeat_beat(tp_heartbeat *h, double cpu_s, double mb, const char *phase,
                       const tp_stats *stats);
void tp_heartbeat_erase(tp_heartbeat *h);

#endif

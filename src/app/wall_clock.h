/* The limit on the clock: the run ends as after an interrupt, with what is known by then.
 *
 * What       a timer of this process; its signal asks everything to end (base/process.h). */
#ifndef TP_APP_WALL_CLOCK_H
#define TP_APP_WALL_CLOCK_H

#include <stdbool.h>

/* Starts the clock; 0: no limit. Once in a process. */
void tp_wall_clock_start(double seconds);
/* Did the limit end this run? */
bool tp_wall_clock_is_over(void);

#endif

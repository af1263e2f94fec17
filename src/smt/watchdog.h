/* A net under calls into a solver library: fires a callback from another thread when the calling
 * thread has used too much CPU.
 *
 * What       one watcher thread per guarded call. Deterministic limits are the solver's step
 *            limits; this one is for the case that they do not help. */
#ifndef TP_SMT_WATCHDOG_H
#define TP_SMT_WATCHDOG_H

#include "base/base.h"

typedef struct tp_watchdog tp_watchdog;
/* cpu_s <= 0: no watch, returns NULL. Once the time is used up, fire runs in another thread, again
 * and again until tp_watchdog_stop is called, and never after that has returned. */
tp_watchdog *tp_watchdog_start(double cpu_s, void (*fire)(void *ctx), void *ctx);
/* Did it fire? NULL: false. */
bool tp_watchdog_stop(tp_watchdog *w);

#endif

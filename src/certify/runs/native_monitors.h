/* Monitors beside a compiled program.
 *
 * What       (1) C code for the harness that runs the automata; (2) a pass over assembly that tells
 *            it about every call in the program's own text that may be an event.
 * Represents the same events as in the model (program/monitor.h): calls at the place of the call,
 * by name or through a
 *            pointer, of static, external and library functions alike.
 * Limits     what cannot be observed in a compiled program (arguments behind a struct) ends the run
 *            as unconfirmed. */
#ifndef TP_CERTIFY_RUNS_NATIVE_MONITORS_H
#define TP_CERTIFY_RUNS_NATIVE_MONITORS_H

#include "certify/runs/native_replay.h"

/* The automata, for the harness; nothing if there are no monitors. */
void tp_chk_monitor_harness(const tp_chk_native_request *r, tp_str *out);
/* Tell the harness about calls. False: there is a call that cannot be watched. */
bool tp_chk_monitor_assembly(const tp_monitors *m, uint32_t ptr_bits, const char *text,
                             tp_str *out);

#endif

/* Monitors beside a compiled program.
 *
 * What       (1) C code for the harness that runs the automata; (2) a pass over assembly that
 *            reports to the harness every call in the program's own text that may be an event.
 * Represents the same events as in the model (program/monitor.h): calls at the call site, by name
 *            or through a pointer, of static, external and library functions alike.
 * Limits     values that cannot be observed in a compiled program (arguments after a struct) end
 *            the run as unconfirmed. */
#ifndef TP_CERTIFY_RUNS_NATIVE_MONITORS_H
#define TP_CERTIFY_RUNS_NATIVE_MONITORS_H

#include "certify/runs/native_replay.h"

/* The automata, for the harness; nothing if there are no monitors. */
void tp_chk_monitor_harness(const tp_chk_native_request *r, tp_str *out);
/* Inserts the calls of the harness. False: some call cannot be monitored. */
bool tp_chk_monitor_assembly(const tp_monitors *m, uint32_t ptr_bits, const char *text,
                             tp_str *out);

#endif

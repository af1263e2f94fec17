/* A dialogue with a child process over its standard input and output.
 *
 * What       start a command, send text, read one s-expression at a time, under limits.
 * Represents one process group; the end of the dialogue kills the group.
 * Errors     a child that dies, hangs, or floods us ends the dialogue; we never block on it and
 *            never get SIGPIPE (its standard input and output are sockets). */
#ifndef TP_SMT_DIALOGUE_H
#define TP_SMT_DIALOGUE_H

#include "base/base.h"

typedef struct tp_dialogue tp_dialogue;
typedef enum { TP_DIALOGUE_REPLY, TP_DIALOGUE_DIED, TP_DIALOGUE_TIMEOUT } tp_dialogue_end;

/* command: words separated by spaces, '...' and "..." quote. NULL: it cannot be started. */
tp_dialogue *tp_dialogue_start(const char *command);
void tp_dialogue_close(tp_dialogue *d);
void tp_dialogue_send(tp_dialogue *d, const char *text,
                      size_t n);  // buffered; written by the next read
/* Read the next complete s-expression into out. cpu_s: limit on the child's own CPU time from now
 * (0: none); with a limit, a child that uses no CPU at all for a second counts as hung. */
tp_dialogue_end tp_dialogue_read(tp_dialogue *d, double cpu_s, tp_str *out);
void tp_dialogue_signal(tp_dialogue *d, int signal);  // to the group, for tests of faults

#endif

/* A cage for programs under test.
 *
 * What       a seccomp filter: read-only, no sockets, no new processes, no signals to others.
 * Represents default: an unlisted system call fails (ENOSYS); a forbidden one (open for writing,
 *            socket, exec, fork, kill) ends the process with SIGSYS, so that it is seen.
 * Covers     amd64 and i386 programs, static and dynamic, with sanitizer runtimes.
 * Law        the filter survives exec; the one exec that starts the program is recognised by
 *            an unguessable address of its path, which the program cannot learn. */
#ifndef TP_BASE_SANDBOX_H
#define TP_BASE_SANDBOX_H

#include "base/base.h"

/* Copy the path to an address that only the kernel will see, for the exec to come; NULL: failed. */
char *tp_sandbox_hide_path(const char *path);
/* Install the filter in this process (a fresh child); the next exec must use `hidden`.
 * hidden NULL: no exec will come, this process itself goes on in the cage.
 * Errors: TP_ERR_SYSTEM; then the program must not be started. */
tp_status tp_sandbox_enter(const char *hidden) TP_MUST_USE;

#endif

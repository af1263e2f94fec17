/* A cage for programs under test.
 *
 * What       a seccomp filter: read-only, no sockets, no new processes, no signals to others.
 * Represents default: an unlisted system call fails (ENOSYS); a forbidden one (open for writing,
 *            socket, exec, fork, kill) ends the process with SIGSYS, so that it is seen.
 * Covers     amd64 and i386 programs, static and dynamic, with sanitizer runtimes.
 * Law        the filter survives exec; the one exec that starts the program is recognised by an
 *            unguessable address of its path, which the program cannot learn. */
#ifndef TP_BASE_SANDBOX_H
#define TP_BASE_SANDBOX_H

#include "base/base.h"

/* Build the filter now, for all children to come; who enters without that builds it then. Errors:
 * TP_ERR_SYSTEM. */
tp_status tp_sandbox_prepare(void) TP_MUST_USE;
/* Copy the path to an address that only the kernel will see, for the exec to come; NULL: failed. */
char *tp_sandbox_hide_path(const char *path);
void tp_sandbox_unmap_path(char *hidden);
/* Install the filter in this process (a fresh child); the next exec must use `hidden`. Takes no
 * memory if the filter is prepared. hidden NULL: no exec will come, this process itself goes on in
 * the cage. Errors: TP_ERR_SYSTEM; then the program must not be started. */
tp_status tp_sandbox_enter(const char *hidden) TP_MUST_USE;

/* For tests: the filter as a program, built for these numbers, and as children get it, filled into
 * the one that was prepared (false: it has no place for them). Both must be the same. */
typedef struct {
  struct sock_filter *at;
  uint16_t n;
} tp_sandbox_code;
tp_status tp_sandbox_program(uint64_t self, uint64_t path, tp_sandbox_code *out) TP_MUST_USE;
bool tp_sandbox_filled(uint64_t self, uint64_t path, tp_sandbox_code *out);
void tp_sandbox_code_clear(tp_sandbox_code *c);

#endif

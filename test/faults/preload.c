/* Loaded in front of all libraries (LD_PRELOAD): memory that libraries ask for, and whatever makes
 * or fills files, fails at the n-th time.
 *
 * Counters and faults are in the file that $TWOPROOF_FAULT_FILE names (base/fault.h), for all
 * programs of a run; a fault's phase is the name of a program here. With $TWOPROOF_FAULT_TRACE the
 * stack of whoever meets the fault goes to standard error. Only regular files count: a full disk
 * does not stop pipes. stdio writes below these calls, so a stream fails at fwrite, fputs, fputc,
 * fflush or fclose. */
#include "base/fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The function of this name that would have been called. */
#define NEXT(name, ...) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

/* Before main nobody can handle anything: initialisers of C++ libraries end the process when they
 * find no memory. So events count from main on. */
static int (*program_main)(int argc, char **argv, char **env);
static int main_under_faults(int argc, char **argv, char **env) {
  const char *file = getenv("TWOPROOF_FAULT_FILE");
  void *here[1];
  (void)backtrace(here, 1);  // loads its library now
  if (file && tp_faults_share(file)) tp_fault_enter_phase(program_invocation_short_name);
  return program_main(argc, argv, env);
}
typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                       void (*)(void), void *);
start_main __libc_start_main;
EXPORT int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv,
                             void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                             void *end) {
  program_main = start;
  return NEXT(__libc_start_main, main_under_faults, argc, argv, init, fini, rtld_fini, end);
}

/* Who meets the fault, if somebody wants to know. */
static bool strikes(tp_fault_event event) {
  if (!tp_fault_pass(event)) return false;
  if (getenv("TWOPROOF_FAULT_TRACE")) {
    void *frames[40];
    backtrace_symbols_fd(frames, backtrace(frames, 40), 2);
  }
  return true;
}

// ---------------------------------------------------------------------- memory

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t m);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);

static bool no_memory(void) {
  if (!strikes(TP_FAULT_EVENT_MALLOC)) return false;
  errno = ENOMEM;
  return true;
}

EXPORT void *malloc(size_t n) { return no_memory() ? NULL : __libc_malloc(n); }
EXPORT void *calloc(size_t n, size_t m) { return no_memory() ? NULL : __libc_calloc(n, m); }
EXPORT void *realloc(void *p, size_t n) { return n && no_memory() ? NULL : __libc_realloc(p, n); }
EXPORT void *memalign(size_t alignment, size_t n) {
  return no_memory() ? NULL : __libc_memalign(alignment, n);
}
EXPORT void *aligned_alloc(size_t alignment, size_t n) {
  return no_memory() ? NULL : __libc_memalign(alignment, n);
}
EXPORT int posix_memalign(void **out, size_t alignment, size_t n) {
  void *p = no_memory() ? NULL : __libc_memalign(alignment, n);
  if (!p) return ENOMEM;
  *out = p;
  return 0;
}

// ----------------------------------------------------------------------- files

static bool is_full(void) {
  if (!strikes(TP_FAULT_EVENT_WRITE)) return false;
  errno = ENOSPC;
  return true;
}

static bool is_file(int fd) {
  struct stat st;
  const int saved = errno;
  const bool is = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  errno = saved;
  return is;
}

#define OPEN(name)                                                          \
  EXPORT int name(const char *path, int flags, ...) {                       \
    va_list ap;                                                             \
    va_start(ap, flags);                                                    \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
    va_end(ap);                                                             \
    if ((flags & O_CREAT) && is_full()) return -1;                          \
    return NEXT(name, path, flags, mode);                                   \
  }
#define OPENAT(name)                                                        \
  EXPORT int name(int at, const char *path, int flags, ...) {               \
    va_list ap;                                                             \
    va_start(ap, flags);                                                    \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
    va_end(ap);                                                             \
    if ((flags & O_CREAT) && is_full()) return -1;                          \
    return NEXT(name, at, path, flags, mode);                               \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

EXPORT int creat(const char *path, mode_t mode) { return is_full() ? -1 : NEXT(creat, path, mode); }
EXPORT int mkdir(const char *path, mode_t mode) { return is_full() ? -1 : NEXT(mkdir, path, mode); }
EXPORT char *mkdtemp(char *name) { return is_full() ? NULL : NEXT(mkdtemp, name); }
EXPORT int mkstemp(char *name) { return is_full() ? -1 : NEXT(mkstemp, name); }
EXPORT int mkstemps(char *name, int n) { return is_full() ? -1 : NEXT(mkstemps, name, n); }
EXPORT int ftruncate(int fd, off_t n) {
  return is_file(fd) && is_full() ? -1 : NEXT(ftruncate, fd, n);
}
EXPORT ssize_t write(int fd, const void *p, size_t n) {
  return is_file(fd) && is_full() ? -1 : NEXT(write, fd, p, n);
}
EXPORT ssize_t pwrite(int fd, const void *p, size_t n, off_t at) {
  return is_file(fd) && is_full() ? -1 : NEXT(pwrite, fd, p, n, at);
}
EXPORT ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at) {
  return is_file(fd) && is_full() ? -1 : NEXT(pwrite64, fd, p, n, at);
}
EXPORT ssize_t writev(int fd, const struct iovec *v, int n) {
  return is_file(fd) && is_full() ? -1 : NEXT(writev, fd, v, n);
}

static bool makes(const char *mode) { return mode[0] != 'r'; }
EXPORT FILE *fopen(const char *path, const char *mode) {
  return makes(mode) && is_full() ? NULL : NEXT(fopen, path, mode);
}
EXPORT FILE *fopen64(const char *path, const char *mode) {
  return makes(mode) && is_full() ? NULL : NEXT(fopen64, path, mode);
}

/* A stream that is written to a file. */
static bool fills_file(FILE *f) {
  return f && (fcntl(fileno(f), F_GETFL) & O_ACCMODE) != O_RDONLY && is_file(fileno(f));
}
EXPORT size_t fwrite(const void *p, size_t size, size_t n, FILE *f) {
  return fills_file(f) && is_full() ? 0 : NEXT(fwrite, p, size, n, f);
}
EXPORT int fputs(const char *s, FILE *f) {
  return fills_file(f) && is_full() ? EOF : NEXT(fputs, s, f);
}
EXPORT int fputc(int c, FILE *f) { return fills_file(f) && is_full() ? EOF : NEXT(fputc, c, f); }
EXPORT int fflush(FILE *f) { return fills_file(f) && is_full() ? EOF : NEXT(fflush, f); }
EXPORT int fclose(FILE *f) {
  const bool fails = fills_file(f) && is_full();
  if (!fails) return NEXT(fclose, f);
  (void)!ftruncate(fileno(f), 0);  // what was buffered is lost
  NEXT(fclose, f);
  errno = ENOSPC;
  return EOF;
}

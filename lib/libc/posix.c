/* Files, folders, processes, signals, users and the terminal, beyond unistd.c.
 *
 * Whether a call on files succeeds is the world's to decide, at any time, like the numbers of files. What else the system
 * answers is known by its range only, and the program has often a part in it: a guess (`~`, tp_model.h), so a failing run that
 * rests on it must fail with the system itself. Structures are bytes of the sizes that amd64 and i386 have. */
#include "system.h"

#if __SIZEOF_POINTER__ == 8
enum { STAT_BYTES = 144, STAT64_BYTES = 144, DIRENT_BYTES = 280, DIRENT64_BYTES = 280, DIRENT_NAME = 19, DIRENT64_NAME = 19, FLOCK_BYTES = 32, REGEX_BYTES = 64, STATFS_BYTES = 120,
       RUSAGE_BYTES = 144 };
#else
enum { STAT_BYTES = 88, STAT64_BYTES = 96, DIRENT_BYTES = 268, DIRENT64_BYTES = 276, DIRENT_NAME = 11, DIRENT64_NAME = 19, FLOCK_BYTES = 16, REGEX_BYTES = 32, STATFS_BYTES = 64,
       RUSAGE_BYTES = 72 };
#endif
enum { TERMIOS_BYTES = 60, SIGSET_BYTES = 128, UNAME_BYTES = 65 };

static int __tp_done_path(const char *path) {
  __tp_touch(path);
  return __tp_done();
}

// ----------------------------------------------------------------------- files

static int __tp_fill(void *to, unsigned long n) {
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("stat")) return -1;
  __tp_env_bytes("~stat", to, n);
  return 0;
}
#if __SIZEOF_POINTER__ == 8
struct __tp_stat { uint64_t device, number, links; uint32_t mode, user, group, zero; uint64_t as_device; int64_t size, block, blocks, times[6], zeros[3]; };
/* What a file system may say. */
static void __tp_make_stat(struct __tp_stat *s) {
  const unsigned kind = s->mode >> 12;
  __tp_assume(s->mode <= 0xffff && (kind == 1 || kind == 2 || kind == 4 || kind == 6 || kind == 8 || kind == 12));
  __tp_assume(s->links >= 1 && s->size >= 0 && s->block >= 512 && s->blocks >= 0);
  for (int i = 1; i < 6; i += 2) __tp_assume(s->times[i] >= 0 && s->times[i] < 1000000000);
  s->zero = 0;
  for (int i = 0; i < 3; i++) s->zeros[i] = 0;
}
/* Links are what lstat sees only. The world has the first word, no more: later answers go with the first. */
static int __tp_stat(void *to, unsigned long n) {
  static _Bool is_later;
  __tp_errno_is_stale = 1;
  const _Bool is_guess = is_later || __tp_is_guess();
  is_later = 1;
  if (is_guess ? __tp_env_bool("~stat") : __tp_env_bool("stat")) return -1;
  if (is_guess || __tp_env_bool("stat")) return __tp_env_bytes("~stat", to, n), 0;
  __tp_env_bytes("stat", to, n);
  __tp_make_stat(to);
  return 0;
}
#else
static int __tp_stat(void *to, unsigned long n) { return __tp_fill(to, n); }
#endif
static int __tp_stat_path(const char *path, void *to, unsigned long n) {
  __tp_touch(path);
  return __tp_stat(to, n);
}
int stat(const char *path, void *to) { return __tp_stat_path(path, to, STAT_BYTES); }
int lstat(const char *path, void *to) { return __tp_stat_path(path, to, STAT_BYTES); }
int stat64(const char *path, void *to) { return __tp_stat_path(path, to, STAT64_BYTES); }
int lstat64(const char *path, void *to) { return __tp_stat_path(path, to, STAT64_BYTES); }
/* What a file is does not change while it is open. */
static int __tp_stat_open(int fd, void *to, unsigned long n) {
  __tp_errno_is_stale = 1;
  if (fd < 0 || __tp_env_bool("~fstat")) return -1;
  __tp_env_bytes("~fstat", to, n);
  return 0;
}
int fstat(int fd, void *to) { return __tp_stat_open(fd, to, STAT_BYTES); }
int fstat64(int fd, void *to) { return __tp_stat_open(fd, to, STAT64_BYTES); }
int fstatat(int fd, const char *path, void *to, int flags) {
  (void)fd, (void)flags;
  return __tp_stat_path(path, to, STAT_BYTES);
}
int statfs(const char *path, void *to) {
  __tp_touch(path);
  return __tp_fill(to, STATFS_BYTES);
}
int fstatfs(int fd, void *to) { return (void)fd, __tp_fill(to, STATFS_BYTES); }

int mkdir(const char *path, unsigned mode) { return (void)mode, __tp_done_path(path); }
int rmdir(const char *path) { return __tp_done_path(path); }
int chmod(const char *path, unsigned mode) { return (void)mode, __tp_done_path(path); }
int fchmod(int fd, unsigned mode) { return (void)fd, (void)mode, __tp_done_on(fd); }
int chown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, __tp_done_path(path); }
int lchown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, __tp_done_path(path); }
int fchown(int fd, unsigned user, unsigned group) { return (void)fd, (void)user, (void)group, __tp_done_on(fd); }
int mkfifo(const char *path, unsigned mode) { return (void)mode, __tp_done_path(path); }
int unlinkat(int fd, const char *path, int flags) { return (void)fd, (void)flags, __tp_done_path(path); }
int mkdirat(int fd, const char *path, unsigned mode) { return (void)fd, (void)mode, __tp_done_path(path); }
int faccessat(int fd, const char *path, int mode, int flags) { return (void)fd, (void)mode, (void)flags, __tp_done_path(path); }
int fchdir(int fd) { return (void)fd, __tp_done_on(fd); }
int fsync(int fd) { return (void)fd, __tp_done_on(fd); }
int fdatasync(int fd) { return (void)fd, __tp_done_on(fd); }
int flock(int fd, int operation) { return (void)fd, (void)operation, __tp_done_on(fd); }
int symlink(const char *to, const char *path) {
  __tp_touch(to);
  return __tp_done_path(path);
}
int link(const char *old, const char *path) {
  __tp_touch(old);
  return __tp_done_path(path);
}
int truncate(const char *path, long n) {
  (void)n;
  __tp_writes_files = 1;
  return __tp_done_path(path);
}
int ftruncate(int fd, long n) {
  (void)fd, (void)n;
  __tp_writes_files = 1;
  return __tp_done_on(fd);
}
int utime(const char *path, const void *times) {
  if (times) __tp_touch_bytes(times, 2 * sizeof(long));
  return __tp_done_path(path);
}
int utimes(const char *path, const void *times) {
  if (times) __tp_touch_bytes(times, 4 * sizeof(long));
  return __tp_done_path(path);
}
int utimensat(int fd, const char *path, const void *times, int flags) {
  (void)fd, (void)flags;
  if (times) __tp_touch_bytes(times, 4 * sizeof(long));
  return __tp_done_path(path);
}
int futimens(int fd, const void *times) {
  (void)fd;
  if (times) __tp_touch_bytes(times, 4 * sizeof(long));
  return __tp_done_on(fd);
}
long lseek(int fd, long offset, int whence) {
  (void)fd, (void)offset, (void)whence;
  long n = __tp_env_long("~lseek");
  __tp_assume(n >= -1);
  __tp_errno_is_stale = 1;
  return n;
}
int openat(int fd, const char *path, int flags, ...) {
  (void)fd;
  if (flags & 0103) __tp_writes_files = 1;  // O_WRONLY, O_RDWR, O_CREAT
  __tp_touch(path);
  return __tp_descriptor();
}
int dup2(int old, int new) {
  (void)old;
  __tp_has_closed = 1;
  return __tp_done() ? -1 : new;
}
static int __tp_pipe(int ends[2]) {
  if (__tp_done()) return -1;
  ends[0] = __tp_descriptor(), ends[1] = __tp_descriptor();
  __tp_assume(ends[0] >= 0 && ends[1] >= 0 && ends[0] != ends[1]);
  __tp_writes_files = 1;
  return 0;
}
int pipe(int ends[2]) { return __tp_pipe(ends); }
int pipe2(int ends[2], int flags) { return (void)flags, __tp_pipe(ends); }
int fcntl(int fd, int command, ...) {
  (void)fd;
  va_list more;
  va_start(more, command);
  switch (command) {
    case 0: case 1030: __tp_has_closed = 1; break;  // F_DUPFD, F_DUPFD_CLOEXEC
    case 1: case 2: case 3: case 4: case 8: case 9: break;  // numbers: flags, owner
    case 6: case 7: case 13: case 14: __tp_touch_bytes(va_arg(more, void *), FLOCK_BYTES); break;  // F_SETLK, F_SETLKW
    default: __tp_unsupported("this command of fcntl");
  }
  va_end(more);
  return __tp_number();
}
int ioctl(int fd, unsigned long request, ...) {
  (void)fd;
  enum { WINDOW_SIZE = 0x5413, AVAILABLE = 0x541b, BLOCKING = 0x5421 };
  if (request != WINDOW_SIZE && request != AVAILABLE && request != BLOCKING) __tp_unsupported("this request of ioctl");
  va_list more;
  va_start(more, request);
  void *p = va_arg(more, void *);
  va_end(more);
  if (request == BLOCKING) (void)*(const volatile int *)p;
  if (__tp_done()) return -1;
  if (request == WINDOW_SIZE) __tp_env_bytes("~ioctl", p, 8);
  if (request == AVAILABLE) *(int *)p = __tp_env_int("~ioctl");
  return 0;
}

static long __tp_some_of(unsigned long n) {
  long done = __tp_env_long("~transferred");
  __tp_assume(done >= -1 && (done < 0 || (unsigned long)done <= n));
  __tp_errno_is_stale = 1;
  return done;
}
static long __tp_get(void *to, unsigned long n) {
  long done = __tp_some_of(n);
  if (done > 0) __tp_env_bytes("~transferred", to, (unsigned long)done);
  return done;
}
static long __tp_put(const void *from, unsigned long n) {
  __tp_touch_bytes(from, n);
  return __tp_some_of(n);
}
long pread(int fd, void *to, unsigned long n, long at) { return (void)fd, (void)at, __tp_get(to, n); }
long pwrite(int fd, const void *from, unsigned long n, long at) { return (void)fd, (void)at, __tp_put(from, n); }
struct iovec { void *base; unsigned long n; };
long readv(int fd, const struct iovec *list, int n) {
  (void)fd;
  unsigned long sum = 0;
  for (int i = 0; i < n; i++) {
    if (list[i].n) __tp_env_bytes("~transferred", list[i].base, list[i].n);  // how far it is filled is not known
    sum += list[i].n;
  }
  return __tp_some_of(sum);
}
long writev(int fd, const struct iovec *list, int n) {
  (void)fd;
  unsigned long sum = 0;
  for (int i = 0; i < n; i++) {
    __tp_touch_bytes(list[i].base, list[i].n);
    sum += list[i].n;
  }
  return __tp_some_of(sum);
}
char *realpath(const char *path, char *to) {
  enum { PATH_BYTES = 4096 };
  __tp_touch(path);
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("~realpath")) return NULL;
  unsigned long n = __tp_env_ulong("~realpath");
  __tp_assume(n > 0 && n <= PATH_BYTES);
  if (!to && !(to = malloc(n))) return NULL;
  __tp_env_bytes("~realpath", to, n);
  to[n - 1] = 0;
  return to;
}
/* The last six characters, which are X, become others. */
static _Bool __tp_make_name(char *name) {
  unsigned long n = 0;
  while (name[n]) n++;
  __tp_errno_is_stale = 1;
  if (n < 6 || __tp_env_bool("~mkstemp")) return 0;
  for (unsigned long i = n - 6; i < n; i++) {
    name[i] = __tp_env_char("~mkstemp");
    __tp_assume(name[i] != 0);
  }
  return 1;
}
int mkstemp(char *name) {
  __tp_writes_files = 1;
  if (!__tp_make_name(name)) return -1;
  int fd = __tp_descriptor();
  __tp_assume(fd >= 0);
  return fd;
}
char *mkdtemp(char *name) { return __tp_make_name(name) ? name : NULL; }

// --------------------------------------------------------------------- folders

/* A folder that is being read owns the entry that was read last. */
typedef struct {
  char entry[DIRENT64_BYTES];
} __tp_folder;
static __tp_folder *__tp_open_folder(void) {
  __tp_errno_is_stale = 1;
  return __tp_env_bool("opendir") ? NULL : malloc(sizeof(__tp_folder));
}
void *opendir(const char *path) {
  __tp_touch(path);
  return __tp_open_folder();
}
void *fdopendir(int fd) { return (void)fd, __tp_open_folder(); }
static void *__tp_next_entry(__tp_folder *f, unsigned long n, unsigned long name) {
  __tp_env_bytes("~readdir", f->entry, n);
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("~readdir")) return NULL;
  unsigned long end = __tp_env_ulong("~readdir");
  __tp_assume(end > name && end < n);
  f->entry[end] = 0;
  return f->entry;
}
void *readdir(void *f) { return __tp_next_entry(f, DIRENT_BYTES, DIRENT_NAME); }
void *readdir64(void *f) { return __tp_next_entry(f, DIRENT64_BYTES, DIRENT64_NAME); }
int closedir(void *f) {
  free(f);
  __tp_has_closed = 1;
  return __tp_done();
}
void rewinddir(void *f) { (void)*(const volatile char *)f; }
int dirfd(void *f) { return (void)*(const volatile char *)f, __tp_number(); }

// ------------------------------------------------------------------- processes

static int __tp_replaced(void) {
  if (__tp_env_bool("~exec")) __tp_end(0);  // another program goes on
  __tp_errno_is_stale = 1;
  return -1;
}
static void __tp_touch_list(char *const *list) {
  for (; *list; list++) __tp_touch(*list);
}
int execv(const char *path, char *const *arguments) { return __tp_touch(path), __tp_touch_list(arguments), __tp_replaced(); }
int execvp(const char *path, char *const *arguments) { return __tp_touch(path), __tp_touch_list(arguments), __tp_replaced(); }
int execve(const char *path, char *const *arguments, char *const *environment) {
  __tp_touch(path), __tp_touch_list(arguments), __tp_touch_list(environment);
  return __tp_replaced();
}
static int __tp_replaced_by(const char *path, const char *first, va_list more) {
  __tp_touch(path);
  for (const char *s = first; s; s = va_arg(more, const char *)) __tp_touch(s);
  return __tp_replaced();
}
int execl(const char *path, const char *first, ...) {
  va_list more;
  va_start(more, first);
  const int failed = __tp_replaced_by(path, first, more);
  va_end(more);
  return failed;
}
int execlp(const char *path, const char *first, ...) {
  va_list more;
  va_start(more, first);
  const int failed = __tp_replaced_by(path, first, more);
  va_end(more);
  return failed;
}
static int __tp_waited(int *status) {
  int child = __tp_number();
  if (status && child >= 0) *status = __tp_env_int("~wait");
  return child;
}
int wait(int *status) { return __tp_waited(status); }
int waitpid(int child, int *status, int options) { return (void)child, (void)options, __tp_waited(status); }
int setuid(unsigned user) { return (void)user, __tp_done(); }
int setgid(unsigned group) { return (void)group, __tp_done(); }
unsigned getegid(void) { return __tp_env_uint("~getegid"); }
int getpgrp(void) { return __tp_number(); }
int setsid(void) { return __tp_number(); }
int getrusage(int who, void *to) {
  (void)who;
  return __tp_fill(to, RUSAGE_BYTES);
}
int nice(int by) { return (void)by, __tp_errno_is_stale = 1, __tp_env_int("~nice"); }

// --------------------------------------------------------------------- signals

/* signal and sigaction have no model: what they are given may be called at any time (also by raise). */
#define NO_SIGNAL __tp_assumption("no signal comes: functions that handle signals do not run")
/* Sets are bits, signal n the bit n - 1; the library uses the first 64, and keeps 32 and 33 for itself. */
static int __tp_change_set(unsigned char *set, int number, _Bool in) {
  if (number < 1 || number > 64 || number == 32 || number == 33) return __tp_errno_is_stale = 1, -1;
  const unsigned char bit = (unsigned char)(1u << ((number - 1) & 7));
  unsigned char *at = &set[(number - 1) >> 3];
  *at = (unsigned char)(in ? *at | bit : *at & ~bit);
  return 0;
}
static int __tp_whole_set(unsigned char *set, unsigned char byte) {
  for (int i = 0; i < 8; i++) set[i] = byte;
  __tp_env_bytes("~sigemptyset", set + 8, SIGSET_BYTES - 8);  // some libraries write it
  return 0;
}
int sigemptyset(void *set) { return __tp_whole_set(set, 0); }
int sigfillset(void *set) {
  __tp_whole_set(set, 255);
  ((unsigned char *)set)[3] = 0x7f, ((unsigned char *)set)[4] = 0xfe;
  return 0;
}
int sigaddset(void *set, int number) { return __tp_change_set(set, number, 1); }
int sigdelset(void *set, int number) { return __tp_change_set(set, number, 0); }
int sigismember(const void *set, int number) {
  if (number < 1 || number > 64) return __tp_errno_is_stale = 1, -1;
  return ((const unsigned char *)set)[(number - 1) >> 3] >> ((number - 1) & 7) & 1;
}
static int __tp_mask(const void *new, void *old) {
  NO_SIGNAL;
  if (new) __tp_touch_bytes(new, 8);
  if (old) __tp_env_bytes("~sigprocmask", old, SIGSET_BYTES);
  return 0;
}
int sigprocmask(int how, const void *new, void *old) {
  (void)how;
  __tp_mask(new, old);
  return __tp_computed();
}
int kill(int process, int number) {
  if (number) __tp_unsupported("a signal that is sent");
  return (void)process, __tp_computed();
}
unsigned alarm(unsigned seconds) {
  (void)seconds;
  NO_SIGNAL;
  return __tp_env_uint("~alarm");
}

// ------------------------------------------------------------------- terminals

int tcgetattr(int fd, void *to) { return (void)fd, __tp_fill(to, TERMIOS_BYTES); }
int tcsetattr(int fd, int when, const void *from) {
  (void)fd, (void)when;
  __tp_touch_bytes(from, TERMIOS_BYTES);
  return __tp_done_on(fd);
}
int tcflush(int fd, int queue) { return (void)fd, (void)queue, __tp_done_on(fd); }
int tcdrain(int fd) { return (void)fd, __tp_done_on(fd); }
unsigned cfgetospeed(const void *t) { return __tp_touch_bytes(t, TERMIOS_BYTES), __tp_env_uint("~cfgetospeed"); }
unsigned cfgetispeed(const void *t) { return __tp_touch_bytes(t, TERMIOS_BYTES), __tp_env_uint("~cfgetospeed"); }

// ------------------------------------------------------- users and the machine

struct passwd { char *name, *password; unsigned user, group; char *real_name, *home, *shell; };
static struct passwd *__tp_user(void) {
  static struct passwd user;
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("~getpwnam")) return NULL;
  user = (struct passwd){__tp_text(), __tp_text(), __tp_env_uint("~getpwnam"), __tp_env_uint("~getpwnam"), __tp_text(), __tp_text(), __tp_text()};
  return &user;
}
struct passwd *getpwuid(unsigned user) { return (void)user, __tp_user(); }
struct passwd *getpwnam(const char *name) { return __tp_touch(name), __tp_user(); }
struct passwd *getpwent(void) { return __tp_user(); }
void setpwent(void) {}
void endpwent(void) {}
struct group { char *name, *password; unsigned group; char **members; };
static struct group *__tp_group(void) {
  static struct group group;
  static char *nobody[1];  // how many there are is not known
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("~getgrnam")) return NULL;
  __tp_assumption("a group of users has no members");
  group = (struct group){__tp_text(), __tp_text(), __tp_env_uint("~getgrnam"), nobody};
  return &group;
}
struct group *getgrgid(unsigned group) { return (void)group, __tp_group(); }
struct group *getgrnam(const char *name) { return __tp_touch(name), __tp_group(); }
int uname(char *to) {
  if (__tp_computed()) return -1;
  for (int i = 0; i < 6; i++) __tp_fill_text(to + UNAME_BYTES * i, UNAME_BYTES);
  return 0;
}
int gethostname(char *to, unsigned long n) {
  if (__tp_computed()) {
    if (n) __tp_env_bytes("~gethostname", to, n);
    return -1;
  }
  if (n) __tp_env_bytes("~gethostname", to, n);  // a long name may have no end
  return 0;
}
char *ttyname(int fd) { return (void)fd, __tp_errno_is_stale = 1, __tp_env_bool("~ttyname") ? NULL : __tp_text(); }
char *getlogin(void) { return __tp_errno_is_stale = 1, __tp_env_bool("~getlogin") ? NULL : __tp_text(); }

// ------------------------------------------------------------ chance and time

long getrandom(void *to, unsigned long n, unsigned flags) { return (void)flags, __tp_get(to, n); }
int getentropy(void *to, unsigned long n) {
  if (__tp_computed()) return -1;
  if (n) __tp_env_bytes("~getentropy", to, n);
  return 0;
}
unsigned arc4random(void) { return __tp_env_uint("~arc4random"); }
void arc4random_buf(void *to, unsigned long n) {
  if (n) __tp_env_bytes("~arc4random", to, n);
}
unsigned arc4random_uniform(unsigned below) {
  unsigned n = __tp_env_uint("~arc4random");
  __tp_assume(below ? n < below : n == 0);
  return n;
}
int clock_getres(int clock, long *to) {
  (void)clock;
  if (__tp_computed()) return -1;
  if (to) to[0] = __tp_env_long("~clock_getres"), to[1] = __tp_env_long("~clock_getres");
  return 0;
}
void tzset(void) {}

// ---------------------------------------------------------- patterns of texts

int fnmatch(const char *pattern, const char *text, int flags) {
  (void)flags;
  __tp_touch(pattern), __tp_touch(text);
  return __tp_env_bool("~fnmatch") ? 0 : __tp_env_bool("~fnmatch") ? 1 : 2;
}
/* The compiled pattern owns memory until regfree; its first word leads there. */
int regcomp(void *to, const char *pattern, int flags) {
  (void)flags;
  __tp_touch(pattern);
  __tp_env_bytes("~regcomp", to, REGEX_BYTES);
  int failed = __tp_env_int("~regcomp");
  __tp_assume(failed >= 0);
  *(void **)to = failed ? NULL : malloc(1);
  if (!failed && !*(void **)to) return 12;  // REG_ESPACE
  return failed;
}
struct match { int from, to; };
int regexec(const void *pattern, const char *text, unsigned long n, struct match *matches, int flags) {
  (void)**(const volatile char *const *)pattern;
  __tp_touch(text);
  if (__tp_env_bool("~regexec")) return 1;  // REG_NOMATCH
  if (!matches || __tp_env_bool("~regexec")) return 0;  // REG_NOSUB: as they were
  long length = 0;
  if (flags & 4) length = matches[0].to;  // REG_STARTEND
  else
    while (text[length]) length++;
  for (unsigned long i = 0; i < n; i++) {
    struct match m = {__tp_env_int("~regexec"), __tp_env_int("~regexec")};
    __tp_assume((m.from == -1 && m.to == -1) || (m.from >= 0 && m.from <= m.to && m.to <= length));
    __tp_assume(i > 0 || m.from >= 0);
    matches[i] = m;
  }
  return 0;
}
void regfree(void *pattern) {
  free(*(void **)pattern);
  *(void **)pattern = NULL;
}
unsigned long regerror(int error, const void *pattern, char *to, unsigned long n) {
  (void)error, (void)pattern;
  if (n) __tp_fill_text(to, n);
  unsigned long whole = __tp_env_ulong("~regerror");
  __tp_assume(whole > 0 && whole < LONG_MAX);
  return whole;
}

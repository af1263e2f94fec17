/* The system: unistd.h, fcntl.h, time.h, and small things.
 *
 * Whatever comes from outside is an environment input in the range that the
 * call promises. */
#include "system.h"

// ------------------------------------------------------------------------ time

static long __tp_clock(const char *who) {
  (void)who;
  long t = __tp_env_long("time");
  __tp_assume(t >= -1);
  return t;
}

long time(long *to) {
  long t = __tp_clock("time");
  if (to) *to = t;
  return t;
}
long clock(void) { return __tp_clock("clock"); }
double difftime(long end, long start) { return (double)end - (double)start; }

struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };

int clock_gettime(int id, struct timespec *to) {
  (void)id;
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("clock_gettime")) return -1;
  to->tv_sec = __tp_env_long("clock_gettime");
  to->tv_nsec = __tp_env_long("clock_gettime");
  __tp_assume(to->tv_nsec >= 0 && to->tv_nsec < 1000000000);
  return 0;
}
int gettimeofday(struct timeval *to, void *zone) {
  (void)zone;
  if (!to) return 0;
  to->tv_sec = __tp_env_long("gettimeofday");
  to->tv_usec = __tp_env_long("gettimeofday");
  __tp_assume(to->tv_usec >= 0 && to->tv_usec < 1000000);
  return 0;
}

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

static int __tp_in(int low, int high) {
  int n = __tp_env_int("~localtime");
  __tp_assume(n >= low && n <= high);
  return n;
}

static void __tp_touch_time(const struct tm *t) {
  (void)*(const volatile int *)&t->tm_sec, (void)*(const volatile int *)&t->tm_isdst;
}

static struct tm *__tp_fill_time(struct tm *t) {
  t->tm_sec = __tp_in(0, 60);
  t->tm_min = __tp_in(0, 59);
  t->tm_hour = __tp_in(0, 23);
  t->tm_mday = __tp_in(1, 31);
  t->tm_mon = __tp_in(0, 11);
  t->tm_year = __tp_env_int("~localtime");
  t->tm_wday = __tp_in(0, 6);
  t->tm_yday = __tp_in(0, 365);
  t->tm_isdst = __tp_env_int("~localtime");
  t->tm_gmtoff = __tp_env_long("~localtime");
  t->tm_zone = "UTC";
  return t;
}

static struct tm *__tp_broken_down(const long *time, struct tm *to) {
  (void)*(const volatile long *)time;
  __tp_errno_is_stale = 1;
  return __tp_env_bool("~localtime") ? __tp_fill_time(to) : NULL;
}

static struct tm broken_down;
struct tm *localtime(const long *time) { return __tp_broken_down(time, &broken_down); }
struct tm *gmtime(const long *time) { return __tp_broken_down(time, &broken_down); }
struct tm *localtime_r(const long *time, struct tm *to) { return __tp_broken_down(time, to); }
struct tm *gmtime_r(const long *time, struct tm *to) { return __tp_broken_down(time, to); }

static long __tp_made_time(struct tm *t) {
  __tp_touch_time(t);
  __tp_errno_is_stale = 1;
  if (__tp_env_bool("~mktime")) return -1;
  __tp_fill_time(t);
  return __tp_env_long("~mktime");
}
long mktime(struct tm *t) { return __tp_made_time(t); }
long timegm(struct tm *t) { return __tp_made_time(t); }

size_t strftime(char *to, size_t max, const char *format, const struct tm *t) {
  __tp_touch(format);
  __tp_touch_time(t);
  if (max == 0) return 0;
  __tp_env_bytes("~strftime", to, max);                     // contents unknown if it does not fit
  size_t n = __tp_env_ulong("~strftime");
  __tp_assume(n < max);
  to[n] = 0;
  return n;
}

/* The day and time in 25 characters, at least; years of five digits need more. */
static char *__tp_time_text(void) {
  static char text[32];
  __tp_env_bytes("~ctime", text, sizeof text - 1);
  text[sizeof text - 1] = 0;
  return __tp_env_bool("~ctime") ? text : NULL;
}
char *ctime(const long *time) {
  (void)*(const volatile long *)time;
  return __tp_time_text();
}
/* In 26 bytes of the caller. */
static char *__tp_time_text_at(char *to) {
  if (__tp_env_bool("~ctime")) return NULL;
  __tp_env_bytes("~ctime", to, 26);
  size_t end = __tp_env_ulong("~ctime");
  __tp_assume(end < 26);
  to[end] = 0;
  return to;
}
char *ctime_r(const long *time, char *to) {
  (void)*(const volatile long *)time;
  return __tp_time_text_at(to);
}
char *asctime_r(const struct tm *t, char *to) {
  __tp_touch_time(t);
  return __tp_time_text_at(to);
}
char *asctime(const struct tm *t) {
  __tp_touch_time(t);
  return __tp_time_text();
}

// -------------------------------------------------------------------- waiting

unsigned sleep(unsigned seconds) {
  unsigned left = __tp_env_uint("~sleep");
  __tp_assume(left <= seconds);
  return left;
}
int usleep(unsigned microseconds) {
  (void)microseconds;
  return __tp_done();
}
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  const volatile struct timespec *time = wanted;
  (void)time->tv_sec, (void)time->tv_nsec;
  int failed = __tp_done();
  if (failed && left) {
    left->tv_sec = __tp_env_long("~nanosleep");
    left->tv_nsec = __tp_env_long("~nanosleep");
    __tp_assume(left->tv_sec >= 0 && left->tv_sec <= wanted->tv_sec && left->tv_nsec >= 0 && left->tv_nsec < 1000000000);
  }
  return failed;
}
int sched_yield(void) { return __tp_done(); }

// ----------------------------------------------------------------------- files

/* Each number may be that of a new file if it is larger than those before: the process may have been started with the others
 * open. Once the program has closed a file, or is given the number of one that it opened itself, the number is a guess. */
int __tp_descriptor(void) {
  static int last = -1;
  int n;
  __tp_has_opened = 1;
  __tp_errno_is_stale = 1;
  if (!__tp_has_closed) {
    n = __tp_env_int("open");
    __tp_assume(n == -1 || n > last);
    if (n > last) last = n;
  } else {
    n = __tp_env_int("~open");
    __tp_assume(n >= -1);
  }
  return n;
}

int open(const char *path, int flags, ...) {
  if (flags & 0103) __tp_writes_files = 1;                 // O_WRONLY, O_RDWR, O_CREAT
  __tp_touch(path);
  return __tp_descriptor();
}
int creat(const char *path, unsigned mode) {
  (void)mode;
  __tp_writes_files = 1;
  __tp_touch(path);
  return __tp_descriptor();
}
int dup(int fd) {
  (void)fd;
  return __tp_descriptor();
}
/* The numbers that the program has closed, as far as they are kept. */
enum { KEPT_NUMBERS = 4 };
static int closed_numbers[KEPT_NUMBERS];
static unsigned n_closed_numbers;
static _Bool __tp_is_closed(int fd) {
  if (n_closed_numbers > KEPT_NUMBERS) return 1;
  for (unsigned i = 0; i < n_closed_numbers; i++)
    if (closed_numbers[i] == fd) return 1;
  return 0;
}
int close(int fd) {
  const int failed = __tp_done_on(fd);
  if (n_closed_numbers < KEPT_NUMBERS) closed_numbers[n_closed_numbers] = fd;
  n_closed_numbers++;
  __tp_has_closed = 1;
  return failed;
}

/* -1 .. n */
static long __tp_transferred(long done, size_t n) {
  __tp_assume(done >= -1 && (done < 0 || (size_t)done <= n));
  __tp_errno_is_stale = 1;
  return done;
}
long read(int fd, void *to, size_t n) {
  __tp_errno_is_stale = 1;
  if (fd < 0) return -1;
  if (__tp_is_closed(fd)) __tp_reads_closed = 1;
  long done = __tp_transferred(__TP_READ(long, "read"), n);
  if (done > 0) __TP_READ_BYTES("read", to, (unsigned long)done);
  return done;
}
long write(int fd, const void *from, size_t n) {
  __tp_touch_bytes(from, n);
  __tp_errno_is_stale = 1;
  if (fd < 0) return -1;
  const _Bool is_own = __tp_has_opened || __tp_has_closed;
  return __tp_transferred(is_own ? __tp_env_long("~write") : __tp_env_long("read"), n);
}
int access(const char *path, int mode) {
  (void)mode;
  __tp_touch(path);
  return __tp_done();
}
int unlink(const char *path) {
  __tp_touch(path);
  return __tp_done();
}
/* Where the program has gone by itself, the name of the folder is no input of the world. */
static _Bool __tp_has_moved;
#define FOLDER(type) (__tp_has_moved ? __tp_env_##type("~getcwd") : __tp_env_##type("getcwd"))
int chdir(const char *path) {
  __tp_has_moved = 1;
  __tp_touch(path);
  return __tp_done();
}
int isatty(int fd) {
  (void)fd;
  __tp_errno_is_stale = 1;
  return __tp_env_bool("~isatty");
}
char *getcwd(char *to, size_t n) {
  __tp_errno_is_stale = 1;
  if (!to) __tp_unsupported("getcwd that allocates");
  if (FOLDER(bool) || n == 0) return NULL;
  if (__tp_has_moved) __tp_env_bytes("~getcwd", to, n);
  else __tp_env_bytes("getcwd", to, n);
  size_t end = FOLDER(ulong);
  __tp_assume(end < n);
  to[end] = 0;
  return to;
}
long readlink(const char *path, char *to, size_t n) {
  __tp_touch(path);
  long done = __tp_transferred(__tp_env_long("readlink"), n);
  if (done > 0) __tp_env_bytes("readlink", to, (unsigned long)done);
  return done;
}

// ------------------------------------------------------------------- identity

static int __tp_positive(void) {
  int n = __tp_env_int("getpid");
  __tp_assume(n > 0);
  return n;
}
/* These are asked of the world once: a process keeps them. (A parent may end: getppid.) */
int getpid(void) {
  static int id;
  if (id == 0) id = __tp_positive();
  return id;
}
int getppid(void) { return __tp_env_int("getppid"); }
static unsigned __tp_kept(_Bool *is_known, unsigned *kept) {
  if (!*is_known) *kept = __tp_env_uint("getuid");
  *is_known = 1;
  return *kept;
}
unsigned getuid(void) {
  static _Bool is_known;
  static unsigned id;
  return __tp_kept(&is_known, &id);
}
unsigned geteuid(void) {
  static _Bool is_known;
  static unsigned id;
  return __tp_kept(&is_known, &id);
}
unsigned getgid(void) {
  static _Bool is_known;
  static unsigned id;
  return __tp_kept(&is_known, &id);
}
int getpagesize(void) {
  static int size;
  if (size == 0) size = __tp_positive();
  return size;
}
long sysconf(int name) {
  (void)name;
  __tp_errno_is_stale = 1;
  return __tp_env_long("~sysconf");
}
unsigned umask(unsigned mode) {
  (void)mode;
  return __tp_env_uint("~umask") & 0777;
}

// ------------------------------------------------------------------------ bits

static int __tp_first_bit(unsigned long long x) {
  int n = 1;
  if (x == 0) return 0;
  for (; !(x & 1); x >>= 1) n++;
  return n;
}
int ffs(int x) { return __tp_first_bit((unsigned)x); }
int ffsl(long x) { return __tp_first_bit((unsigned long)x); }
int ffsll(long long x) { return __tp_first_bit((unsigned long long)x); }

uint16_t htons(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
uint16_t ntohs(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
static uint32_t __tp_swap(uint32_t x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
uint32_t htonl(uint32_t x) { return __tp_swap(x); }
uint32_t ntohl(uint32_t x) { return __tp_swap(x); }

/* Sockets, names of hosts, waiting for several files.
 *
 * What comes from outside is an input of the world, unless nothing can come there, or the program may talk to itself (it has made a pair of
 * sockets, or is bound and connects); whether a call succeeds is the world's to decide, what else the system answers is a guess. */
#include "system.h"

/* What the program has done with success. */
static _Bool __tp_has_socket, __tp_is_bound, __tp_listens, __tp_has_accepted, __tp_is_connected, __tp_has_pair, __tp_has_ended;
/* Nothing comes to a socket of the program's own that is not connected, nor accepted, nor bound for datagrams; nor behind the end of a stream. */
static _Bool __tp_is_own_voice(void) {
  const _Bool hears = !__tp_has_socket || __tp_is_connected || __tp_has_accepted || (__tp_is_bound && !__tp_listens),
              hears_itself = __tp_has_pair || ((__tp_is_bound || __tp_listens) && __tp_is_connected);
  return !hears || hears_itself || __tp_has_ended || __tp_has_closed || __tp_is_guess();
}

// --------------------------------------------------------------------- sockets

int socket(int family, int kind, int protocol) {
  (void)family, (void)kind, (void)protocol;
  __tp_has_socket = 1;
  return __tp_descriptor();
}
int socketpair(int family, int kind, int protocol, int ends[2]) {
  (void)family, (void)kind, (void)protocol;
  __tp_has_pair = 1;
  if (__tp_done()) return -1;
  ends[0] = __tp_descriptor(), ends[1] = __tp_descriptor();
  __tp_assume(ends[0] >= 0 && ends[1] >= 0 && ends[0] != ends[1]);
  return 0;
}
static int __tp_noted(int failed, _Bool *is_so) {
  if (!failed) *is_so = 1;
  return failed;
}
int bind(int fd, const void *address, unsigned n) {
  __tp_touch_bytes(address, n);
  return __tp_noted(__tp_done_on(fd), &__tp_is_bound);
}
int connect(int fd, const void *address, unsigned n) {
  __tp_touch_bytes(address, n);
  return __tp_noted(__tp_done_on(fd), &__tp_is_connected);
}
int listen(int fd, int most) {
  (void)most;
  return __tp_noted(__tp_done_on(fd), &__tp_listens);
}
int shutdown(int fd, int how) { return (void)fd, (void)how, __tp_done_on(fd); }
/* As much of an address as there is room for; *n becomes its whole length. */
static void __tp_fill_address(void *to, unsigned *n) {
  if (*n) __tp_env_bytes("~address", to, *n);
  *n = __tp_env_uint("~address");
}
/* A socket of the program's own must listen. */
static int __tp_accepted(int from, void *address, unsigned *n) {
  __tp_errno_is_stale = 1;
  if (from < 0) return -1;
  int fd = __tp_listens || !__tp_has_socket ? __tp_descriptor() : __tp_number();
  if (fd < 0) return -1;
  if (address) __tp_fill_address(address, n);
  __tp_has_accepted = 1;
  return fd;
}
int accept(int fd, void *address, unsigned *n) { return __tp_accepted(fd, address, n); }
int accept4(int fd, void *address, unsigned *n, int flags) { return (void)flags, __tp_accepted(fd, address, n); }
int getsockname(int fd, void *address, unsigned *n) {
  (void)fd;
  if (__tp_done_on(fd)) return -1;
  __tp_fill_address(address, n);
  return 0;
}
int getpeername(int fd, void *address, unsigned *n) {
  (void)fd;
  if (__tp_done_on(fd)) return -1;
  __tp_fill_address(address, n);
  return 0;
}
int setsockopt(int fd, int level, int option, const void *value, unsigned n) {
  (void)fd, (void)level, (void)option;
  __tp_touch_bytes(value, n);
  return __tp_done_on(fd);
}
int getsockopt(int fd, int level, int option, void *value, unsigned *n) {
  (void)fd, (void)level, (void)option;
  if (__tp_done_on(fd)) return -1;
  if (*n) __tp_env_bytes("~getsockopt", value, *n);
  unsigned used = __tp_env_uint("~getsockopt");
  __tp_assume(used <= *n);
  *n = used;
  return 0;
}

/* Up to n bytes, or -1; 0 is the end. */
static long __tp_received(int fd, void *to, unsigned long n) {
  const _Bool own = __tp_is_own_voice();
  __tp_errno_is_stale = 1;
  if (fd < 0) return -1;
  long done = own ? __tp_env_long("~recv") : __tp_env_long("recv");
  __tp_assume(done >= -1 && (done < 0 || (unsigned long)done <= n));
  __tp_errno_is_stale = 1;
  if (done == 0) __tp_has_ended = 1;
  if (done > 0 && own) __tp_env_bytes("~recv", to, (unsigned long)done);
  if (done > 0 && !own) __tp_env_bytes("recv", to, (unsigned long)done);
  return done;
}
static long __tp_sent(const void *from, unsigned long n) {
  __tp_touch_bytes(from, n);
  long done = __tp_env_long("~send");
  __tp_assume(done >= -1 && (done < 0 || (unsigned long)done <= n));
  __tp_errno_is_stale = 1;
  return done;
}
/* MSG_TRUNC and MSG_ERRQUEUE give other lengths. */
static void __tp_check_flags(int flags) {
  if (flags & 0x2020) __tp_unsupported("these flags of recv");
  if (flags & 2) __tp_has_pair = 1;  // MSG_PEEK: it comes once more
}
long recv(int fd, void *to, unsigned long n, int flags) {
  __tp_check_flags(flags);
  return __tp_received(fd, to, n);
}
long recvfrom(int fd, void *to, unsigned long n, int flags, void *address, unsigned *length) {
  __tp_check_flags(flags);
  long done = __tp_received(fd, to, n);
  if (done >= 0 && address) __tp_fill_address(address, length);
  return done;
}
long send(int fd, const void *from, unsigned long n, int flags) { return (void)fd, (void)flags, __tp_sent(from, n); }
long sendto(int fd, const void *from, unsigned long n, int flags, const void *address, unsigned length) {
  (void)fd, (void)flags;
  if (address) __tp_touch_bytes(address, length);
  return __tp_sent(from, n);
}

// --------------------------------------------------------------------- waiting

struct pollfd { int fd; short events, found; };
int poll(struct pollfd *list, unsigned long n, int milliseconds) {
  (void)milliseconds;
  for (unsigned long i = 0; i < n; i++) {
    (void)*(const volatile int *)&list[i].fd;
    list[i].found = __tp_env_short("~poll");
  }
  int ready = __tp_number();
  __tp_assume(ready <= 0 || (unsigned long)ready <= n);
  return ready;
}
/* Sets are bits of 1024 files, in words; those of the words that have one of the first `files` stay or go. */
static void __tp_choose(unsigned long *set, int files) {
  const int bits = 8 * (int)sizeof *set;
  if (!set) return;
  for (int i = 0; i < files; i += bits) set[i / bits] &= __tp_env_ulong("~select");
}
int select(int files, void *in, void *out, void *other, long *time) {
  if (time) {
    (void)*(const volatile long *)&time[0], (void)*(const volatile long *)&time[1];
    time[0] = __tp_env_long("~select"), time[1] = __tp_env_long("~select");  // Linux says what is left
  }
  __tp_choose(in, files), __tp_choose(out, files), __tp_choose(other, files);
  return __tp_number();
}
long __fdelt_chk(long fd) { return __tp_check_defined(fd >= 0 && fd < 1024, "a number that no fd_set holds"), fd / (8 * (long)sizeof(long)); }
int epoll_create(int size) { return (void)size, __tp_descriptor(); }
int epoll_create1(int flags) { return (void)flags, __tp_descriptor(); }
struct __attribute__((packed)) epoll_event { uint32_t events; uint64_t data; };
/* What was registered comes back from epoll_wait; which of it is not followed. */
int epoll_ctl(int set, int operation, int fd, struct epoll_event *event) {
  (void)set, (void)operation, (void)fd;
  if (event) __tp_touch_bytes(event, sizeof *event);
  return __tp_done_on(fd);
}
int epoll_wait(int set, struct epoll_event *events, int most, int milliseconds) {
  (void)set, (void)events, (void)milliseconds;
  int n = __tp_number();
  __tp_assume(n <= most);
  if (n > 0) __tp_unsupported("what epoll_wait finds");
  return n;
}
int eventfd(unsigned start, int flags) {
  (void)start, (void)flags;
  __tp_has_pair = 1;
  return __tp_descriptor();
}

// ----------------------------------------------------------------------- names

/* One entry owns its address; a list of several is not modelled, which is said. */
struct addrinfo { int flags, family, kind, protocol; unsigned length; void *address; char *name; struct addrinfo *next; };
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  enum { ADDRESS_BYTES = 28 };
  if (host) __tp_touch(host);
  if (service) __tp_touch(service);
  if (hints) (void)*(const volatile int *)&hints->flags;
  __tp_errno_is_stale = 1;
  int failed = __tp_env_int("~getaddrinfo");
  if (failed) return failed;
  struct addrinfo *a = malloc(sizeof *a + ADDRESS_BYTES);
  if (!a) return -10;  // EAI_MEMORY
  __tp_assumption("getaddrinfo finds one address");
  *a = (struct addrinfo){__tp_env_int("~getaddrinfo"), __tp_env_int("~getaddrinfo"), __tp_env_int("~getaddrinfo"), __tp_env_int("~getaddrinfo"), ADDRESS_BYTES, a + 1, NULL, NULL};
  __tp_env_bytes("~getaddrinfo", a + 1, ADDRESS_BYTES);
  *found = a;
  return 0;
}
void freeaddrinfo(struct addrinfo *a) {
  (void)*(const volatile int *)&a->flags;
  free(a);
}
const char *gai_strerror(int error) { return (void)error, __tp_text(); }
int getnameinfo(const void *address, unsigned length, char *host, unsigned n_host, char *service, unsigned n_service, int flags) {
  (void)flags;
  __tp_touch_bytes(address, length);
  int failed = __tp_env_int("~getnameinfo");
  __tp_errno_is_stale = 1;
  if (host && n_host) __tp_fill_text(host, n_host);
  if (service && n_service) __tp_fill_text(service, n_service);
  return failed;
}
unsigned if_nametoindex(const char *name) {
  __tp_touch(name);
  __tp_errno_is_stale = 1;
  return __tp_env_uint("~if_nametoindex");
}

/* Four numbers up to 255 without leading zeros between points (inet_pton); the other family is a guess. */
static _Bool __tp_read_four(const char *s, unsigned char to[4]) {
  for (int i = 0; i < 4; i++) {
    unsigned n = 0;
    int digits = 0;
    for (; *s >= '0' && *s <= '9'; s++, digits++) {
      if (digits > 0 && n == 0) return 0;
      n = 10 * n + (unsigned)(*s - '0');
      if (n > 255) return 0;
    }
    if (digits == 0 || *s != (i < 3 ? '.' : 0)) return 0;
    s++;
    to[i] = (unsigned char)n;
  }
  return 1;
}
int inet_pton(int family, const char *s, void *to) {
  enum { IPV4 = 2, IPV6 = 10 };
  if (family == IPV4) {
    unsigned char four[4];
    if (!__tp_read_four(s, four)) return 0;
    for (int i = 0; i < 4; i++) ((unsigned char *)to)[i] = four[i];
    return 1;
  }
  __tp_errno_is_stale = 1;
  if (family != IPV6) return -1;
  while (*s) s++;
  if (__tp_env_bool("~inet_pton")) return 0;
  __tp_env_bytes("~inet_pton", to, 16);
  return 1;
}
static unsigned __tp_write_four(const unsigned char from[4], char to[16]) {
  unsigned n = 0;
  for (int i = 0; i < 4; i++) {
    if (from[i] >= 100) to[n++] = (char)('0' + from[i] / 100);
    if (from[i] >= 10) to[n++] = (char)('0' + from[i] / 10 % 10);
    to[n++] = (char)('0' + from[i] % 10);
    to[n++] = i < 3 ? '.' : 0;
  }
  return n;
}
const char *inet_ntop(int family, const void *from, char *to, unsigned n) {
  enum { IPV4 = 2, IPV6 = 10 };
  __tp_errno_is_stale = 1;
  if (family == IPV4) {
    char text[16];
    unsigned k = __tp_write_four(from, text);
    if (k > n) return NULL;
    for (unsigned i = 0; i < k; i++) to[i] = text[i];
    return to;
  }
  if (family != IPV6) return NULL;
  __tp_touch_bytes(from, 16);
  if (n < 3 || (n < 46 && __tp_env_bool("~inet_ntop"))) return NULL;
  __tp_fill_text(to, n < 46 ? n : 46);
  return to;
}
struct in_addr { uint32_t bytes; };
char *inet_ntoa(struct in_addr from) {
  static char text[16];
  __tp_write_four((const unsigned char *)&from.bytes, text);
  return text;
}

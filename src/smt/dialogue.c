/* A dialogue with a child process over a socket pair.
 *
 * The child is the leader of its own process group, with a parent-death signal. Reading polls in
 * slices of TP_SMT_REPLY_LOOK_MS, so the limits on CPU time, on idleness and on the size of a reply
 * are noticed in that time; writing happens only while the socket takes bytes, so two full buffers
 * cannot deadlock. */
#include "smt/dialogue.h"

#include "smt/smt_limits.h"
#include "smt/smtlib.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

struct tp_dialogue {
  pid_t pid;
  int fd;          // our end
  tp_str out, in;  // to be written; read and not yet consumed
  size_t written;
};

// ---------------------------------------------------------------------- start

typedef TP_VEC(char *) words;

static void split(const char *command, tp_arena *arena, words *to) {
  for (const char *s = command;;) {
    while (*s == ' ') s++;
    if (!*s) break;
    tp_str word = {0};
    tp_str_add(&word, "");
    while (*s && *s != ' ') {
      char quote = *s == '\'' || *s == '"' ? *s++ : 0;
      while (*s && (quote ? *s != quote : *s != ' ' && *s != '\'' && *s != '"'))
        tp_str_add_char(&word, *s++);
      if (quote && *s) s++;
    }
    tp_vec_push(to, tp_arena_strdup(arena, word.text));
    tp_str_clear(&word);
  }
  tp_vec_push(to, NULL);
}

_Noreturn static void become(char *const *argv, int fd, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  int null = open("/dev/null", O_WRONLY);
  if (dup2(fd, 0) >= 0 && dup2(fd, 1) >= 0 && dup2(null, 2) >= 0) execvp(argv[0], argv);
  _exit(127);
}

tp_dialogue *tp_dialogue_start(const char *command) {
  TP_REQUIRE(command);
  tp_arena arena;
  tp_arena_init(&arena);
  words argv = {0};
  split(command, &arena, &argv);
  int pair[2] = {-1, -1};
  pid_t pid = -1, parent = getpid();
  if (argv.at[0] && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
    pid = fork();
    if (pid == 0) become(argv.at, pair[1], parent);
    close(pair[1]);
    if (pid < 0) close(pair[0]);
  }
  tp_vec_clear(&argv);
  tp_arena_clear(&arena);
  if (pid < 0) return NULL;
  setpgid(pid, pid);  // in both, whoever comes first
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  tp_dialogue *d = TP_NEW(tp_dialogue);
  d->pid = pid;
  d->fd = pair[0];
  return d;
}

void tp_dialogue_close(tp_dialogue *d) {
  if (!d) return;
  close(d->fd);
  kill(-d->pid, SIGKILL);
  kill(d->pid, SIGKILL);
  while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR) continue;
  tp_str_clear(&d->out);
  tp_str_clear(&d->in);
  tp_free(d);
}

void tp_dialogue_signal(tp_dialogue *d, int signal) { kill(-d->pid, signal); }

void tp_dialogue_send(tp_dialogue *d, const char *text, size_t n) {
  TP_REQUIRE(d && (text || n == 0));
  tp_str_add_n(&d->out, text, n);
}

// ----------------------------------------------------------------------- talk

static double child_cpu_s(pid_t pid) {
  clockid_t clock;
  struct timespec t = {0};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* False: the other end is gone. */
static bool write_some(tp_dialogue *d) {
  TP_INVARIANT(d->written <= d->out.n);
  while (d->written < d->out.n) {
    ssize_t n = send(d->fd, d->out.text + d->written, d->out.n - d->written, MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    d->written += (size_t)n;
  }
  d->out.n = d->written = 0;
  return true;
}

static bool read_some(tp_dialogue *d) {
  char buf[CHUNK];
  ssize_t n = recv(d->fd, buf, sizeof buf, 0);
  if (n > 0) tp_str_add_n(&d->in, buf, (size_t)n);
  return (n > 0 && d->in.n < TP_SMT_REPLY_BYTES) || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool take(tp_dialogue *d, tp_str *out) {
  size_t n = d->in.n ? tp_sexp_complete(d->in.text, d->in.n) : 0;
  if (!n) return false;
  TP_INVARIANT(n <= d->in.n);
  out->n = 0;
  tp_str_add_n(out, d->in.text, n);
  memmove(d->in.text, d->in.text + n, d->in.n - n + 1);
  d->in.n -= n;
  return true;
}

tp_dialogue_end tp_dialogue_read(tp_dialogue *d, double cpu_s, tp_str *out) {
  double start = child_cpu_s(d->pid), last = start, moved = tp_wall_s();
  size_t seen = 0;  // length of the input when it was last found incomplete
  while (seen == d->in.n || !take(d, out)) {
    seen = d->in.n;
    struct pollfd p = {.fd = d->fd, .events = (short)(POLLIN | (d->out.n ? POLLOUT : 0))};
    poll(&p, 1, TP_SMT_REPLY_LOOK_MS);
    if ((p.revents & POLLOUT) && !write_some(d)) return TP_DIALOGUE_DIED;
    if ((p.revents & (POLLIN | POLLHUP | POLLERR)) && !read_some(d))
      return take(d, out) ? TP_DIALOGUE_REPLY : TP_DIALOGUE_DIED;
    double now = tp_wall_s(), used = child_cpu_s(d->pid);
    if (used != last || d->in.n != seen) last = used, moved = now;
    if (cpu_s > 0 && (used - start > cpu_s || now - moved > TP_SMT_REPLY_IDLE_S))
      return TP_DIALOGUE_TIMEOUT;
  }
  return TP_DIALOGUE_REPLY;
}

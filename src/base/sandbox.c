/* The filter as three lists: allowed, allowed under conditions, fatal.
 *
 * The list of allowed calls is what the C library, the loader and the sanitizer runtimes need in
 * a single-threaded program that computes, reads files and writes to what it inherited. Fatal
 * calls could also just fail, but a program that tries them is not the program we modelled, and
 * the supervisor should see that.
 *
 * Lists become a program of the kernel's filter machine once; what differs from child to child, its
 * number and the address of the path, stands for itself in comparisons and is put in when the child
 * enters. That takes no memory: the child may have borrowed its parent's (vfork). */
#include "base/sandbox.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

static const int allowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(stat),
    SCMP_SYS(stat64),
    SCMP_SYS(lstat),
    SCMP_SYS(lstat64),
    SCMP_SYS(newfstatat),
    SCMP_SYS(fstatat64),
    SCMP_SYS(statx),
    SCMP_SYS(lseek),
    SCMP_SYS(_llseek),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents),
    SCMP_SYS(getdents64),
    SCMP_SYS(poll),
    SCMP_SYS(select),
    SCMP_SYS(mmap),
    SCMP_SYS(mmap2),
    SCMP_SYS(munmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(getuid32),
    SCMP_SYS(geteuid),
    SCMP_SYS(geteuid32),
    SCMP_SYS(getgid),
    SCMP_SYS(getgid32),
    SCMP_SYS(getegid),
    SCMP_SYS(getegid32),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getrlimit),
    SCMP_SYS(ugetrlimit),
    SCMP_SYS(setrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(times),
    SCMP_SYS(time),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_getres_time64),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(alarm),
    SCMP_SYS(setitimer),
    SCMP_SYS(pause),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getrandom),
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_thread_area),
    SCMP_SYS(get_thread_area),
    SCMP_SYS(rseq),
    SCMP_SYS(restart_syscall),
};

static const int fatal[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(socketcall),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(clone),
    SCMP_SYS(clone3),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(creat),
    SCMP_SYS(truncate),
    SCMP_SYS(truncate64),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(reboot),
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(bpf),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(open_by_handle_at),
};

static bool allow(scmp_filter_ctx f, int call) {
  return seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 0) == 0;
}

/* Opening is allowed for reading only; the flags are argument number `at`. */
static bool rule_open(scmp_filter_ctx f, int call, unsigned at) {
  static const int writing[][2] = {{O_ACCMODE, O_WRONLY},
                                   {O_ACCMODE, O_RDWR},
                                   {O_ACCMODE, O_ACCMODE},
                                   {O_CREAT, O_CREAT},
                                   {O_TRUNC, O_TRUNC}};
  scmp_datum_t all = O_ACCMODE | O_CREAT | O_TRUNC;
  if (seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1, SCMP_CMP(at, SCMP_CMP_MASKED_EQ, all, 0)) != 0)
    return false;
  for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
    if (seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, call, 1,
                         SCMP_CMP(at, SCMP_CMP_MASKED_EQ, (scmp_datum_t)writing[i][0],
                                  (scmp_datum_t)writing[i][1])) != 0)
      return false;
  return true;
}

/* Signals may go to the process itself only (raise, abort). */
static bool rule_signal(scmp_filter_ctx f, int call, scmp_datum_t self) {
  return seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1, SCMP_CMP(0, SCMP_CMP_EQ, self, 0)) == 0 &&
         seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, call, 1, SCMP_CMP(0, SCMP_CMP_NE, self, 0)) ==
             0;
}

/* fcntl and ioctl: what stdio asks; prctl: names only; prlimit64: own limits only. */
static bool rule_odd(scmp_filter_ctx f) {
  static const int fcntls[] = {F_GETFD, F_SETFD, F_GETFL};
  for (size_t i = 0; i < sizeof fcntls / sizeof *fcntls; i++)
    for (int k = 0; k < 2; k++)
      if (seccomp_rule_add(f, SCMP_ACT_ALLOW, k ? SCMP_SYS(fcntl64) : SCMP_SYS(fcntl), 1,
                           SCMP_CMP(1, SCMP_CMP_EQ, (scmp_datum_t)fcntls[i], 0)) != 0)
        return false;
  const scmp_datum_t tcgets = 0x5401, set_name = 15, set_vma = 0x53564d41;
  return seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                          SCMP_CMP(1, SCMP_CMP_EQ, tcgets, 0)) == 0 &&
         seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
                          SCMP_CMP(0, SCMP_CMP_EQ, set_name, 0)) == 0 &&
         seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
                          SCMP_CMP(0, SCMP_CMP_EQ, set_vma, 0)) == 0 &&
         seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                          SCMP_CMP(0, SCMP_CMP_EQ, 0, 0)) == 0;
}

/* Exec: the one with the hidden path. On i386 no pointer matches, so every exec is fatal there. */
static bool rule_exec(scmp_filter_ctx f, scmp_datum_t path) {
  return seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(execve), 1,
                          SCMP_CMP(0, SCMP_CMP_EQ, path, 0)) == 0 &&
         seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, SCMP_SYS(execve), 1,
                          SCMP_CMP(0, SCMP_CMP_NE, path, 0)) == 0;
}

static bool build(scmp_filter_ctx f, scmp_datum_t self, scmp_datum_t path) {
  if (seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0) return false;
  if (seccomp_arch_native() == SCMP_ARCH_X86_64 && seccomp_arch_add(f, SCMP_ARCH_X86) != 0)
    return false;
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
    if (!allow(f, allowed[i])) return false;
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
    if (seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, fatal[i], 0) != 0) return false;
  return rule_open(f, SCMP_SYS(open), 1) && rule_open(f, SCMP_SYS(openat), 2) &&
         rule_signal(f, SCMP_SYS(kill), self) && rule_signal(f, SCMP_SYS(tgkill), self) &&
         rule_signal(f, SCMP_SYS(tkill), self) && rule_odd(f) && rule_exec(f, path);
}

// ------------------------------------------------------------------- programs

enum { MOST_INSTRUCTIONS = 2048 };

typedef struct {
  uint64_t self, path;
} holes;

typedef struct {
  char bytes[MOST_INSTRUCTIONS * sizeof(struct sock_filter)];
  ssize_t n;
} exported;

static bool make_program(const holes *h, exported *out) {
  scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
  const int file = memfd_create("filter", MFD_CLOEXEC);
  const bool ok = f && file >= 0 && build(f, h->self, h->path) && seccomp_export_bpf(f, file) == 0;
  out->n = ok ? pread(file, out->bytes, sizeof out->bytes, 0) : 0;
  if (file >= 0) close(file);
  if (f) seccomp_release(f);
  return out->n > 0 && out->n < (ssize_t)sizeof out->bytes;
}

static int write_program(void *ctx, int channel) {
  static exported first, second;
  const bool ok = make_program(ctx, &first) && make_program(ctx, &second) && first.n == second.n &&
                  memcmp(first.bytes, second.bytes, (size_t)first.n) == 0;
  return ok && write(channel, first.bytes, (size_t)first.n) == first.n ? 0 : 1;
}

/* Where libseccomp 2.5.4 finds no memory, it may look for a free place in a table for ever, hence a
 * child under limits; or leave out instructions and say nothing, hence two programs that must be
 * equal. */
tp_status tp_sandbox_program(uint64_t self, uint64_t path, tp_sandbox_code *out) {
  holes h = {self, path};
  tp_process p;
  tp_process_spec spec = {.work = write_program, .ctx = &h, .limits = {.cpu_s = 1, .wall_s = 30}};
  tp_status st = tp_process_run(&p, spec);
  const size_t n_bytes = p.channel.n;
  const bool ok = st == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0 && n_bytes > 0 &&
                  n_bytes <= MOST_INSTRUCTIONS * sizeof *out->at && n_bytes % sizeof *out->at == 0;
  *out = (tp_sandbox_code){0};
  if (ok) {
    out->n = (uint16_t)(n_bytes / sizeof *out->at);
    out->at = TP_NEW_ARRAY(struct sock_filter, out->n);
    memcpy(out->at, p.channel.text, n_bytes);
  }
  tp_process_clear(&p);
  return ok ? TP_OK : TP_ERR_SYSTEM;
}

void tp_sandbox_code_clear(tp_sandbox_code *c) {
  tp_free(c->at);
  *c = (tp_sandbox_code){0};
}

/* They stand for a process and for the two halves of an address: no rule compares with such
 * numbers. */
#define SELF 0x5e1f5e1fu
#define HIGH 0x4a7b3c2du
#define LOW 0x6d5c4b3au

/* Built once, for all children. */
static struct {
  struct sock_filter at[MOST_INSTRUCTIONS];
  uint16_t n;
} common;

tp_status tp_sandbox_prepare(void) {
  if (common.n) return TP_OK;
  tp_sandbox_code built;
  TP_TRY(tp_sandbox_program(SELF, (uint64_t)HIGH << 32 | LOW, &built));
  memcpy(common.at, built.at, built.n * sizeof *built.at);
  common.n = built.n;
  tp_sandbox_code_clear(&built);
  return TP_OK;
}

/* False: a number that has to be put in occurs nowhere. */
static bool fill_in(struct sock_filter *code, size_t n, uint64_t self, uint64_t path) {
  TP_REQUIRE(n > 0);
  bool has_self = false, has_high = false, has_low = false;
  for (size_t i = 0; i < n; i++) {
    if (code[i].code != (BPF_JMP | BPF_JEQ | BPF_K)) continue;
    switch (code[i].k) {
      case SELF: code[i].k = (uint32_t)self, has_self = true; break;
      case HIGH: code[i].k = (uint32_t)(path >> 32), has_high = true; break;
      case LOW: code[i].k = (uint32_t)path, has_low = true; break;
      default: break;
    }
  }
  return has_self && has_high && has_low;
}

bool tp_sandbox_filled(uint64_t self, uint64_t path, tp_sandbox_code *out) {
  *out = (tp_sandbox_code){.n = common.n};
  out->at = TP_NEW_ARRAY(struct sock_filter, common.n);
  memcpy(out->at, common.at, common.n * sizeof *common.at);
  return fill_in(out->at, out->n, self, path);
}

char *tp_sandbox_hide_path(const char *path) {
  size_t n = strlen(path) + 1;
  if (n > 4096) return NULL;
  for (int attempt = 0; attempt < 8; attempt++) {
    uint64_t r;
    if (getrandom(&r, sizeof r, 0) != sizeof r) return NULL;
    uintptr_t page = (uintptr_t)(0x100000000000u + (r & 0x3fffffffffffu)) & ~(uintptr_t)4095;
    void *at = mmap((void *)page, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED) continue;
    return memcpy(at, path, n);
  }
  return NULL;
}

void tp_sandbox_unmap_path(char *hidden) { (void)munmap(hidden, 4096); }

tp_status tp_sandbox_enter(const char *hidden) {
  TP_TRY(tp_sandbox_prepare());
  struct sock_filter code[MOST_INSTRUCTIONS];
  memcpy(code, common.at, common.n * sizeof *code);
  if (!fill_in(code, common.n, (uint64_t)getpid(), (uint64_t)(uintptr_t)hidden))
    return TP_ERR_SYSTEM;
  const struct sock_fprog program = {common.n, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return TP_ERR_SYSTEM;
  return TP_OK;
}

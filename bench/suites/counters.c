/* Counters of coverage are written where a run ends outside of exit: by a signal, an error of the address sanitizer (abort_on_error=1), or where a harness says so. */
#include <signal.h>
#include <unistd.h>

#if defined FOR_GCOV
extern void __gcov_dump(void);
void tp_dump(void) { __gcov_dump(); }
#elif defined FOR_LLVM
extern int __llvm_profile_write_file(void);
void tp_dump(void) { (void)__llvm_profile_write_file(); }
#else
void tp_dump(void) {}
#endif
#if defined FOR_GCOV || defined FOR_LLVM
static void on_signal(int s) {
  (void)s;
  tp_dump();
  _exit(1);
}
__attribute__((constructor)) static void arm(void) {
  const int signals[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGALRM};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);
}
#endif

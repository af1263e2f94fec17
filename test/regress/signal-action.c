// expect: unknown  property: unreach-call  machine: lp64  cause: a handler given to the system inside a constant struct was never called
#include <signal.h>
void reach_error(void) {}
static void handler(int s) { (void)s, reach_error(); }
int main(void) {
  struct sigaction a = {0};
  a.sa_handler = handler;
  sigaction(SIGUSR1, &a, 0);
  raise(SIGUSR1);
  return 0;
}

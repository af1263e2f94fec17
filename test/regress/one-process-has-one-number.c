// expect: true  property: unreach-call  machine: lp64  cause: getpid and its sisters gave another number at each call
#include <assert.h>
#include <unistd.h>
int main(void) {
  assert(getpid() == getpid() && getuid() == getuid() && getgid() == getgid());
  assert(geteuid() == geteuid() && getpagesize() == getpagesize());
  return 0;
}

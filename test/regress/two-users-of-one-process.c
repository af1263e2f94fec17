// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: getuid and geteuid are two numbers
#include <assert.h>
#include <unistd.h>
int main(void) {
  assert(getuid() == geteuid());
  return 0;
}

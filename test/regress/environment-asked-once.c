// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: what the environment has is the world's to decide
#include <assert.h>
#include <stdlib.h>
int main(void) {
  assert(!getenv("HOME"));
  return 0;
}

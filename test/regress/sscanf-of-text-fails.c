// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: what sscanf reads was played to the compiled program, not read by it
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 0;
  sscanf("5", "%d", &x);
  assert(x == 0);
  return 0;
}

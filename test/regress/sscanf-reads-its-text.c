// expect: unknown  property: unreach-call  machine: lp64  cause: what sscanf reads of the program's own text was thought to be anything
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 0;
  sscanf("5", "%d", &x);
  assert(x == 5 || x == 0);
  return 0;
}

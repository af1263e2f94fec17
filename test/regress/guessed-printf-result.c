// expect: unknown  property: unreach-call  machine: lp64  cause: the model's guess at printf's result was played to the compiled program
#include <assert.h>
#include <stdio.h>
int main(void) {
  int r = printf("%02X", 0xABu);
  assert(r == 2);
  return 0;
}

// expect: true  property: no-overflow  machine: lp64  cause: the twin of overflow-in-abs-by-address
#include <limits.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int (*const size_of[2])(int) = {abs, abs};
int main(void) {
  int x = __VERIFIER_nondet_int();
  return x != INT_MIN && size_of[1](x) == 3;
}

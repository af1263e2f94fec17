// expect: false(no-overflow)  property: no-overflow  machine: lp64  cause: a quotient of the library that is not representable was an assumption
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b == 0) return 0;
  return div(a, b).quot == 3;
}

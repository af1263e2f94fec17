// expect: true  property: no-overflow  machine: lp64  cause: the twin of overflow-in-div
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b == 0 || b == -1) return 0;
  return div(a, b).quot == 3;
}

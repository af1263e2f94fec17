// expect: false(undefined)  property: undefined  machine: lp64  cause: a division by zero in a body of the library was an assumption
#include <stdlib.h>
long __VERIFIER_nondet_long(void);
int main(void) { return ldiv(7, __VERIFIER_nondet_long()).rem == 3; }

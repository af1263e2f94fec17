// expect: false(no-overflow)  property: no-overflow  machine: ilp32  cause: overflows in bodies of the library were not failures
#include <inttypes.h>
long long __VERIFIER_nondet_longlong(void);
int main(void) { return imaxabs(__VERIFIER_nondet_longlong()) == 3; }

// expect: false(no-overflow)  property: no-overflow  machine: lp64  cause: abs was checked where the compiler expands it, not in the library's body
#include <limits.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int (*const size_of[2])(int) = {abs, abs};
int main(void) { return size_of[1](__VERIFIER_nondet_int()) == 3; }

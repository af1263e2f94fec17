// expect: false(valid-memtrack)  property: valid-memsafety  machine: lp64  cause: an assertion by a function without body was no end of a program where memory is asked about, so such programs were proved
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
  int *block = malloc(sizeof *block), *other = block;
  block = other = NULL;
  __VERIFIER_assert(__VERIFIER_nondet_int() != 4711);
  for (;;) {}
}

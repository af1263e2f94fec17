// expect: false(valid-memcleanup)  property: valid-memcleanup  machine: lp64  cause: an error function without body was no end of a program where memory is asked about, so such programs were proved
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void) __attribute__((noreturn));

int main(void) {
  int *block = malloc(sizeof *block);
  if (__VERIFIER_nondet_int() == 4711) __VERIFIER_error();
  free(block);
  return 0;
}

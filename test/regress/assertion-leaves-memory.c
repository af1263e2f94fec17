// expect: false(valid-memcleanup)  property: valid-memcleanup  machine: lp64  cause: a failing assertion was no end of a program where memory is asked about, so such programs were proved
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *block = malloc(sizeof *block);
  assert(__VERIFIER_nondet_int() != 4711);
  free(block);
  return 0;
}

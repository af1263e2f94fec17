// expect: false(valid-memcleanup)  property: valid-memcleanup  machine: lp64  cause: abort() ended a run without a look at the memory that was not freed, so such programs were proved
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *block = malloc(sizeof *block);
  if (__VERIFIER_nondet_int() == 4711) abort();
  free(block);
  return 0;
}

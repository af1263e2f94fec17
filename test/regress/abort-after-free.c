// expect: true  property: valid-memcleanup  machine: lp64  cause: twin of abort-leaves-memory.c
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *block = malloc(sizeof *block);
  free(block);
  if (__VERIFIER_nondet_int() == 4711) abort();
  return 0;
}

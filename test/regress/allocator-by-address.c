// expect: true  property: valid-memsafety  machine: lp64  cause: a pointer to a library function led to a function without body, and any crash confirmed a failure
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void *(*allocate)(size_t) = malloc;
int main(void) {
  char *p = allocate(10);
  if (p) {
    p[0] = 1;
    free(p);
  }
  return __VERIFIER_nondet_int();
}

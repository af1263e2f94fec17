// expect: false(valid-free)  property: valid-memsafety  machine: lp64  cause: realloc(p, 0) was thought to give a new block
#include <stdlib.h>
int main(void) {
  int *p = malloc(4), *q = realloc(p, 0);
  if (!q) free(p);
  return 0;
}

// expect: true  property: valid-memsafety  machine: lp64  cause: what a variable was read for before its block ended is no longer read from it
#include <stdlib.h>
static int *first(int *a) {
  int *result = 0;
  for (int i = 0; i < 2; i++) {
    int *c = a + i;
    if (*c) return c;
  }
  return result;
}
int main(void) {
  int *a = calloc(2, sizeof *a);
  if (!a) exit(0);
  a[1] = 3;
  {
    int *c = a;
    a = first(c);
    a = a - 1;
  }
  if (*a != 0) return 1;
  free(a);
  return 0;
}

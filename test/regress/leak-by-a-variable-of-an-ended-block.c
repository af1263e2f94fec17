// expect: unknown  property: valid-memsafety  machine: lp64  cause: a pointer variable still led to memory where its block had ended; the leak detector finds it in the frame
#include <stdlib.h>
int main(void) {
  int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) exit(0);
  {
    int *c = a;
    a = b;
    c[0] = 1;
  }
  exit(1);
}

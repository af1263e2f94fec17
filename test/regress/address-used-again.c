// expect: unknown  property: unreach-call  machine: lp64  cause: a freed block's address was thought to differ from that of a newer block
#include <stdlib.h>
void reach_error(void) {}
int main(void) {
  int *p = malloc(4);
  free(p);
  int *q = malloc(4);
  if (p == q) reach_error();
  return 0;
}

// expect: unknown  property: unreach-call  machine: lp64  cause: two calls of getenv for one name gave two answers
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *a = getenv("HOME"), *b = getenv("HOME");
  assert(!a == !b);
  return 0;
}

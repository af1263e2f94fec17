// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: an assertion that main cannot reach switched the label off
#include <assert.h>
int never_called(int x) {
  assert(x > 0);
  return x;
}
int main(void) {
  int n = 0;
  while (n < 10) n += 2;
  if (n == 10) goto ERROR;
  return 0;
ERROR:
  return 1;
}

// expect: unknown  property: unreach-call  machine: lp64  cause: the compiler's function for quotients of _Complex was taken for one without body
#include <assert.h>
int main(void) {
  double _Complex a, b;
  __real__ a = 4.0;
  __imag__ a = 2.0;
  __real__ b = 1.0;
  __imag__ b = 1.0;
  double _Complex z = a / b;
  assert(__real__ z == 3.0 && __imag__ z == -1.0);
  return 0;
}

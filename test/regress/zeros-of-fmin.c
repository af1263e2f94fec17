// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: fmin of zeros with different signs was thought to have one result
#include <math.h>
void reach_error(void) {}
int main(void) {
  volatile double x = 0.0, y = -0.0;
  if (!signbit(fmin(x, y))) reach_error();
  return 0;
}

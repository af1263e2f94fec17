// Rounding, classification and sign functions of floating point.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#include <math.h>
int main(void) {
  double d = -2.5;
  CHECK(fabs(d) == 2.5 && floor(d) == -3.0 && ceil(d) == -2.0 && trunc(d) == -2.0 && round(d) == -2.0 && rint(d) == -2.0);
  CHECK(isnan(0.0 / 0.0) && !isnan(d) && isinf(1.0 / 0.0) && signbit(d) && isfinite(d) && isnormal(1.0f));
  CHECK(copysign(3.0, d) == -3.0 && fmax(d, 1.0) == 1.0 && fmin(d, 0.0 / 0.0) == -2.5);
  CHECK(fpclassify(0.0) == FP_ZERO && fpclassify(1e-310) == FP_SUBNORMAL);
  return 0;
}

/* Quotient and remainder come back through pointers; either may be null. */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int divide(int a, int b, int *quotient, int *remainder) {
  if (b == 0 || b == -1) {
    return 0;
  }
  if (quotient != NULL) {
    *quotient = a / b;
  }
  if (remainder != NULL) {
    *remainder = a % b;
  }
  return 1;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int q = 0, r = 0, unused = 0;
  if (b < 1 || b > 9 || a < -99 || a > 99) {
    return 0;
  }
  if (!divide(a, b, &q, &unused) || !divide(a, b, NULL, &r)) {
    return 1;
  }
  if (q * b + r != a) {
    reach_error();
  }
  return 0;
}

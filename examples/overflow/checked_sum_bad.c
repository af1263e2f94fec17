/* Sums are checked before they are made.
 * Broken: the check of negative numbers is missing.
 * Fails with inputs: -2000000000 -2000000000 */
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int add(int a, int b, int *sum) {
  if (b > 0 && a > INT_MAX - b) {
    return 0;
  }
  *sum = a + b;
  return 1;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int sum;
  if (!add(a, b, &sum)) {
    return 1;
  }
  return 0;
}

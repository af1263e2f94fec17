/* The absolute value is taken of numbers that have one.
 * Broken: the smallest integer has no absolute value.
 * Fails with inputs: -2147483648 */
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int x) { return x < 0 ? -x : x; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == INT_MAX) {
    return 0;
  }
  return absolute(x) < 0;
}

/* A product by doubling one factor and halving the other: what was taken and what is left add up to it. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || a > 30000 || b < 0 || b > 30000) {
    return 0;
  }
  long long doubled = a, left = b, taken = 0;
  for (;;) {
    assert(taken + doubled * left == (long long)a * b);
    if (left == 0) {
      break;
    }
    if (left % 2 == 1) {
      taken += doubled;
      left--;
    }
    doubled = 2 * doubled;
    left = left / 2;
  }
  assert(taken == (long long)a * b);
  return 0;
}

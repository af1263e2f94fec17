/* The absolute value is taken of numbers that have one. */
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int x) { return x < 0 ? -x : x; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == INT_MIN) {
    return 0;
  }
  return absolute(x) < 0;
}

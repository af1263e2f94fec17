/* The second square takes two steps for one.
 * Fails with inputs: 1 0 0 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned u = 0, v = 0, apart = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      apart += 2 * u + 1;
      u++;
    } else {
      apart -= 2 * v + 1;
      v+= 2;
    }
  }
  assert(apart == (u + v) * (u - v));
  return 0;
}

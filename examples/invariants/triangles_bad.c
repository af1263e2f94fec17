/* From the fourth layer on, a ball too many.
 * Fails with inputs: 4 */
#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned short layers = __VERIFIER_nondet_ushort();
  unsigned long n = 0, layer = 0, balls = 0;
  while (n < layers) {
    n++;
    layer += n;
    balls += layer + n / 4;
    assert(6 * balls == n * (n + 1) * (n + 2));
  }
  assert(2 * layer == n * (n + 1));
  return 0;
}

/* The odd numbers go on as if one were missing: the fifth is 11.
 * Fails with inputs: 5 */
#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned count = __VERIFIER_nondet_ushort();
  unsigned sum = 0, i = 0, odd = 1;
  while (i < count) {
    sum += odd;
    odd += i == 3 ? 4 : 2;
    i++;
    assert(sum == i * i);
  }
  assert(sum == count * count);
  return 0;
}

/* The sum of the first odd numbers, their count given: a square, at each turn and at the end. */
#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned count = __VERIFIER_nondet_ushort();
  unsigned sum = 0, i = 0, odd = 1;
  while (i < count) {
    sum += odd;
    odd += 2;
    i++;
    assert(sum == i * i);
  }
  assert(sum == count * count);
  return 0;
}

// Positions in a ring that are moved by multiples of 4, and flags of which the lowest stays set.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
unsigned char ring[64];
unsigned advance(unsigned position, unsigned records) { return (position + 4 * records) & 63; }
int main(void) {
  unsigned position = 0, flags = 1;
  while (__VERIFIER_nondet_uint()) {
    position = advance(position, __VERIFIER_nondet_uint());
    flags |= 2u << (__VERIFIER_nondet_uint() & 7);
    assert(position % 8 == 0);
    ring[position + 7] = (unsigned char)flags;
    assert(flags & 1);
  }
  if (position > 56) assert(0);
  return 0;
}

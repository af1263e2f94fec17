/* XOR: a function of two branches, applied to each element of an array. */
#include <stdbool.h>

static bool xor(bool a, bool b) {
#ifdef BUG_XOR
  if (a) return true;
#else
  if (a) return !b;
#endif
  return b;
}

//@ requires a != null and 0 <= size and size <= #a.\elements
void xor_all(bool b, bool a[], int size) {
  for (int i = 0; i < size; i++) a[i] = xor(b, a[i]);
}

/* Bits of words: what makes two words different is where the bits of exactly one are set. */
//@ requires 0 <= a and 0 <= b
//@ ensures \result = 0 <=> a = b
//@ ensures 0 <= \result
int difference(int a, int b) { return a ^ b; }

/* A hash whose mixing depends on the data. Inputs: turns, seed. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned turns = __VERIFIER_nondet_uint(), x = __VERIFIER_nondet_uint() | 1u, h = 0;
  for (unsigned i = 0; i < turns; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    if (x & 4u) h = (h << 5 | h >> 27) ^ x;
    else h += x * 2654435761u;
    if ((h & 255u) == 7u) x += h;
  }
  return (int)((h ^ h >> 8 ^ h >> 16) & 127u);
}

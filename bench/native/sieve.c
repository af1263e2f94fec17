/* Sieves whose first mark is read from the world. Inputs: turns, seed. */
extern unsigned __VERIFIER_nondet_uint(void);

enum { SIZE = 20000 };
static unsigned char is_composite[SIZE];

int main(void) {
  unsigned turns = __VERIFIER_nondet_uint(), seed = __VERIFIER_nondet_uint(), found = 0;
  for (unsigned t = 0; t < turns; t++) {
    for (unsigned i = 0; i < SIZE; i++) is_composite[i] = (i * 7u + seed + found) % 31u == 0;
    for (unsigned i = 2; i * i < SIZE; i++)
      if (!is_composite[i])
        for (unsigned k = i * i; k < SIZE; k += i) is_composite[k] = 1;
    for (unsigned i = 2; i < SIZE; i++)
      if (!is_composite[i]) found++;
  }
  return (int)(found & 127u);
}

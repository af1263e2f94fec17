/* A ring of samples that is written for ever: the place of the next sample is always inside. */
extern int __VERIFIER_nondet_int(void);

enum { SIZE = 8 };

int main(void) {
  int ring[SIZE] = {0};
  unsigned next = 0;
  int sample;
  while ((sample = __VERIFIER_nondet_int()) != 0) {
    ring[next] = sample;
    next++;
    if (next >= SIZE) next = 0;
  }
  return ring[next] & 1;
}

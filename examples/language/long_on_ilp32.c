/* On a 32-bit machine long has the width of int, so the sum of two of them wraps as one. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned sum_of_ints(unsigned a, unsigned b) { return a + b; }

static unsigned long sum_of_longs(unsigned long a, unsigned long b) {
  return a + b;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  if (sum_of_longs(a, b) != sum_of_ints(a, b) || sizeof(void *) != sizeof(long)) {
    reach_error();
  }
  return 0;
}

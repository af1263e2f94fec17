/* Recursive against iterative Fibonacci numbers. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned recursive(unsigned n) {
  return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
}

static unsigned iterative(unsigned n) {
  unsigned a = 0, b = 1;
  while (n-- > 0) {
    unsigned sum = a + b;
    a = b;
    b = sum;
  }
  return a;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 7) {
    return 0;
  }
  if (recursive(n) != iterative(n)) {
    reach_error();
  }
  return 0;
}

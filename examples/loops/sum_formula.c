/* The sum 1 + 2 + ... + n against the closed formula. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

unsigned sum_up_to(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 1; i <= n; i++) {
    sum += i;
  }
  return sum;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 25) {
    return 0;
  }
  if (sum_up_to(n) != n * (n + 1) / 2) {
    reach_error();
  }
  return 0;
}

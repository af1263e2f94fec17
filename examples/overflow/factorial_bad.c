/* Factorials are computed as long as they fit.
 * Broken: 13! does not fit.
 * Fails with inputs: 13 */
extern int __VERIFIER_nondet_int(void);

static int factorial(int n) {
  int result = 1;
  for (int i = 2; i <= n; i++) {
    result *= i;
  }
  return result;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 13) {
    return 0;
  }
  return factorial(n) == 0;
}

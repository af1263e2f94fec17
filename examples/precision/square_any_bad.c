/* One step is too small: n = 42.
 * Fails with inputs: 50 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int square(int n) {
  int result = 0;
  int odd = 1;
  for (int i = 0; i < n; i++) {
    result += odd;
    odd += i == 40 ? 1 : 2;
  }
  return result;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 50) return 0;
  if (square(n) != n * n) reach_error();
  return 0;
}

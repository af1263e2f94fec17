/* The sum of ones is the length: wrong: one starts with 1.
 * Fails with inputs: 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 1;
  int s = 1;
  for (int i = 0; i < n; i++) s += a[i];
  if (!(s == n)) {
    reach_error();
  }
  return 0;
}

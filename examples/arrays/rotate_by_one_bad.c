/* Rotated left by one place: wrong: the first element is lost.
 * Fails with inputs: 2 3 5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = a[i];
  }
  int first = a[0];
  for (int i = 0; i + 1 < n; i++) a[i] = a[i + 1];
  a[n - 1] = a[0];
  if (!(a[n - 1] == b[0])) {
    reach_error();
  }
  for (int i = 0; i + 1 < n; i++)
    if (!(a[i] == b[i + 1])) {
      reach_error();
    }
  return 0;
}

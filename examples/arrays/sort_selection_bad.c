/* Selection sort sorts: wrong: the last element is never selected.
 * Fails with inputs: 2 5 3 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    int m = i;
    for (int j = i + 1; j < n - 1; j++) {
      if (a[j] < a[m]) m = j;
    }
    int t = a[i];
    a[i] = a[m];
    a[m] = t;
  }
  for (int i = 1; i < n; i++)
    if (!(a[i - 1] <= a[i])) {
      reach_error();
    }
  return 0;
}

/* Small elements in front, others behind: wrong: the border is one too far.
 * Fails with inputs: 1 5 */
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
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) {
      int t = a[i];
      a[i] = a[m];
      a[m] = t;
      m++;
    }
  }
  for (int i = 0; i < m + (m < n); i++)
    if (!(a[i] < 0)) {
      reach_error();
    }
  for (int i = m; i < n; i++)
    if (!(a[i] >= 0)) {
      reach_error();
    }
  return 0;
}

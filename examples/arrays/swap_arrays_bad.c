/* Two arrays exchange their contents: wrong: the saved value is read too late.
 * Fails with inputs: 1 3 5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n], c[n], d[n];
  for (int i = 0; i < n; i++) {
    c[i] = a[i] = __VERIFIER_nondet_int();
    d[i] = b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < n; i++) {
    a[i] = b[i];
    int t = a[i];
    b[i] = t;
  }
  for (int i = 0; i < n; i++)
    if (!(a[i] == d[i] && b[i] == c[i])) {
      reach_error();
    }
  return 0;
}

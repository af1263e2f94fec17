/* One element is changed after all were set: wrong: the check expects the old value everywhere.
 * Fails with inputs: 2 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= n) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 1;
  a[k] = 2;
  for (int i = 0; i < n; i++)
    if (!(a[i] == 1)) {
      reach_error();
    }
  return 0;
}

/* Positive elements are copied, for others there is 0: wrong: one compares with -1.
 * Fails with inputs: 1 -1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (a[i] > -2)
      b[i] = a[i];
    else
      b[i] = 0;
  }
  for (int i = 0; i < n; i++)
    if (!(b[i] >= 0)) {
      reach_error();
    }
  return 0;
}

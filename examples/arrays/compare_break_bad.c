/* The comparison stops at the first difference: wrong: the length of what was compared counts
 * one too many.
 * Fails with inputs: 2 4 4 4 5 */
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
    b[i] = __VERIFIER_nondet_int();
  }
  int k = 0;
  while (k < n && a[k] == b[k]) k++;
  for (int i = 0; i < k + (k < n); i++)
    if (!(a[i] == b[i])) {
      reach_error();
    }
  return 0;
}

/* Merging two ascending halves of equal length gives an ascending whole: wrong: the larger one
 * is taken.
 * Fails with inputs: 2 1 1 5 7 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n], c[2 * n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
    if (i > 0 && (a[i] < a[i - 1] || b[i] < b[i - 1])) return 0;
  }
  int i = 0, j = 0;
  for (int k = 0; k < 2 * n; k++) {
    if (j >= n || (i < n && a[i] > b[j]))
      c[k] = a[i++];
    else
      c[k] = b[j++];
  }
  for (int k = 1; k < 2 * n; k++)
    if (!(c[k - 1] <= c[k])) {
      reach_error();
    }
  return 0;
}

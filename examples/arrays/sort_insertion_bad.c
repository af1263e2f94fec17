/* Insertion sort sorts: wrong: it never comes to the first place.
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
  for (int i = 1; i < n; i++) {
    int x = a[i], j = i - 1;
    while (j > 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
  for (int i = 1; i < n; i++)
    if (!(a[i - 1] <= a[i])) {
      reach_error();
    }
  return 0;
}

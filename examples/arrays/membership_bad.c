/* All elements are among three values: wrong: a fourth one slips in.
 * Fails with inputs: 1 4 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) {
    int x = __VERIFIER_nondet_int();
    a[i] = x == 1 || x == 4 ? x : 9;
  }
  for (int i = 0; i < n; i++)
    if (!(a[i] == 1 || a[i] == 5 || a[i] == 9)) {
      reach_error();
    }
  return 0;
}

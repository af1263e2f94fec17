/* All elements are set to a constant; any length: wrong: the loop starts at 1.
 * Fails with inputs: 3 5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  a[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) a[i] = 7;
  for (int i = 0; i < n; i++)
    if (!(a[i] == 7)) {
      reach_error();
    }
  return 0;
}

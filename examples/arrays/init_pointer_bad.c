/* A pointer walks over the elements: wrong: one too few.
 * Fails with inputs: 2 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  a[n - 1] = 0;
  for (int *p = a; p < a + n - 1; p++) *p = 3;
  for (int i = 0; i < n; i++)
    if (!(a[i] == 3)) {
      reach_error();
    }
  return 0;
}

/* The sum of two arrays, element by element: wrong: one summand is the neighbour's.
 * Fails with inputs: 2 1 5 2 6 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  unsigned a[n], b[n], c[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i == 1 ? 0 : i];
  for (int i = 0; i < n; i++)
    if (!(c[i] - b[i] == a[i])) {
      reach_error();
    }
  return 0;
}

/* No element is below the minimum: wrong: the search starts at the third element.
 * Fails with inputs: 5 -3 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int min = a[0];
  for (int i = 2; i < N; i++) {
    if (a[i] < min) min = a[i];
  }
  for (int i = 0; i < N; i++)
    if (!(a[i] >= min)) {
      reach_error();
    }
  return 0;
}

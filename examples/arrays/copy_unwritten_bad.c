/* A copy of uninitialised input through a function: wrong: the length passed is one too small.
 * Fails with inputs: 1 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void copy(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = 0;
  }
  copy(b, a, n - 1);
  for (int i = 0; i < n; i++)
    if (!(b[i] == a[i])) {
      reach_error();
    }
  return 0;
}

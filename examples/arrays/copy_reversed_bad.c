/* The copy is the mirror image: wrong: one index too high in the mirror.
 * Fails with inputs: 2 3 5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n + 1], b[n];
  for (int i = 0; i <= n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) b[i] = a[n - i];
  for (int i = 0; i < n; i++)
    if (!(b[n - 1 - i] == a[i])) {
      reach_error();
    }
  return 0;
}

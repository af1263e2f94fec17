/* A string behind another one: wrong: it begins one place too early.
 * Fails with inputs: 1 1 97 98 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000 || m < 1 || m > 50000) return 0;
  char a[n + 1], b[m + 1], c[n + m + 1];
  for (int i = 0; i < n; i++) a[i] = (char)(__VERIFIER_nondet_int() | 1);
  a[n] = 0;
  for (int i = 0; i < m; i++) b[i] = (char)(__VERIFIER_nondet_int() | 1);
  b[m] = 0;
  for (int i = 0; i < n; i++) c[i] = a[i];
  for (int j = 0; j <= m; j++) c[n + j - 1] = b[j];
  for (int i = 0; i < n; i++)
    if (!(c[i] == a[i])) {
      reach_error();
    }
  for (int j = 0; j <= m; j++)
    if (!(c[n + j] == b[j])) {
      reach_error();
    }
  return 0;
}

/* Elements of two kinds go to two arrays */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n], c[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int p = 0, q = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] >= 0)
      b[p++] = a[i];
    else
      c[q++] = a[i];
  }
  for (int i = 0; i < p; i++)
    if (!(b[i] >= 0)) {
      reach_error();
    }
  for (int i = 0; i < q; i++)
    if (!(c[i] < 0)) {
      reach_error();
    }
  return 0;
}

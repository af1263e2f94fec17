/* Between two limits that come in */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int lo = __VERIFIER_nondet_int(), hi = __VERIFIER_nondet_int();
  if (lo > hi) return 0;
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (a[i] < lo)
      a[i] = lo;
    else if (a[i] > hi)
      a[i] = hi;
  }
  for (int i = 0; i < n; i++)
    if (!(lo <= a[i] && a[i] <= hi)) {
      reach_error();
    }
  return 0;
}

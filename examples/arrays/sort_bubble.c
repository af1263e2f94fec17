/* Bubble sort sorts */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int k = n; k > 1; k--) {
    for (int i = 1; i < k; i++) {
      if (a[i - 1] > a[i]) {
        int t = a[i];
        a[i] = a[i - 1];
        a[i - 1] = t;
      }
    }
  }
  for (int i = 1; i < n; i++)
    if (!(a[i - 1] <= a[i])) {
      reach_error();
    }
  return 0;
}

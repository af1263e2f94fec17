#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 15000) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int p = __VERIFIER_nondet_int();

  int lo = 0, hi = n - 1;
  while (lo < hi) {
    if (a[lo] <= p) {
      lo++;
    } else {
      int t = a[lo];
      a[lo] = a[hi];
      a[hi] = t;
      hi--;
    }
  }

  for (int i = 0; i < lo; i++) assert(a[i] <= p);
  for (int i = lo; i < n; i++) assert(a[i] > p);
  return 0;
}

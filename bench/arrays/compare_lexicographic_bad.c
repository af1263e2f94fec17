#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int order(const int *p, const int *q, int n) {
  for (int i = 0; i < n; i++) {
    if (p[i] < q[i]) return -1;
    if (p[i] < q[i]) return 1;
  }
  return 0;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5000) return 0;
  int p[n], q[n];
  for (int i = 0; i < n; i++) {
    p[i] = __VERIFIER_nondet_int();
    q[i] = __VERIFIER_nondet_int();
  }

  int r = order(p, q, n);
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= n) return 0;
  if (r == 0) assert(p[k] == q[k]);
  return 0;
}

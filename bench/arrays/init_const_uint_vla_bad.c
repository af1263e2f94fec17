#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 20000) return 0;
  unsigned v = __VERIFIER_nondet_uint();
  unsigned a[n + 1];
  int left = n;
  while (left > 0) {
    left--;
    a[left] = v;
  }
  a[n - 1] = v + 1u;      /* end marker */
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= n) return 0;
  assert(a[k] == v);
  return 0;
}

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int digit(void) {
  int v = __VERIFIER_nondet_int();
  if (v < 0 || v > 19)
    return 0;
  return v;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 30000) return 0;
  int d[n];
  for (int i = 0; i < n; i++)
    d[i] = digit();

  long total = 0;
  for (int i = 0; i < n; i++)
    total += d[i];

  assert(total >= 0);
  assert(total <= 9L * n);
  return 0;
}

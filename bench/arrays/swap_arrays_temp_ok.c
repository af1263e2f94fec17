#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000) return 0;
  int *mem = malloc(4 * n * sizeof *mem);
  if (!mem) return 0;
  int *a = mem, *b = mem + n, *a0 = mem + 2 * n, *b0 = mem + 3 * n;
  for (int i = 0; i < n; i++) {
    a[i] = a0[i] = __VERIFIER_nondet_int();
    b[i] = b0[i] = __VERIFIER_nondet_int();
  }

  for (int i = 0; i < n; i++) {
    int t = a[i];
    a[i] = b[i];
    b[i] = t;
  }

  for (int i = 0; i < n; i++) {
    assert(a[i] == b0[i]);
    assert(b[i] == a0[i]);
  }
  free(mem);
  return 0;
}

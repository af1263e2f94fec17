#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 30000) return 0;
  int *a = malloc(sizeof(int) * n);
  if (!a) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();

  for (int i = 0; i < n - 1; i++) {
    for (int j = 0; j < n - 2 - i; j++) {
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
    }
  }

  for (int i = 0; i < n - 1; i++) assert(a[i] <= a[i + 1]);
  free(a);
  return 0;
}

/* A block of numbers is sorted by insertion and given back.
 * Broken: an empty block is forgotten for a new one.
 * Fails with inputs: 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void sort(int *at, int n) {
  for (int i = 1; i < n; i++) {
    int x = at[i], j = i - 1;
    while (j >= 0 && at[j] > x) {
      at[j + 1] = at[j];
      j--;
    }
    at[j + 1] = x;
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) {
    return 0;
  }
  int *at = malloc((n + 1) * sizeof *at);
  if (at == NULL) {
    return 1;
  }
  for (int i = 0; i < n; i++) {
    at[i] = __VERIFIER_nondet_int();
  }
  sort(at, n);
  if (n == 0) {
    at = malloc(sizeof *at);
  }
  free(at);
  return 0;
}

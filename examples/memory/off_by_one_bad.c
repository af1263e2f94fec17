/* A heap array of n elements is filled from 0 to n - 1.
 * Broken: the loop also writes element n.
 * Fails with inputs: 3 */
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1 || n > 6) {
    return 0;
  }
  int *a = malloc(n * sizeof *a);
  if (a == NULL) {
    return 1;
  }
  for (unsigned i = 0; i <= n; i++) {
    a[i] = (int)i;
  }
  int last = a[n - 1];
  free(a);
  return last != (int)n - 1;
}

/* A cursor goes from the first element of a block to its end.
 * Broken: the element behind the last one is written, too.
 * Fails with inputs: 1 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) {
    return 0;
  }
  int *first = malloc(n * sizeof *first);
  if (first == NULL) {
    return 1;
  }
  const int *end = first + n;
  for (int *p = first; p <= end; p++) {
    *p = 0;
  }
  free(first);
  return 0;
}

/* A row of as many measurements as were asked for, filled and summed up.
 * Broken: the sum begins one measurement behind the last one.
 * Fails with inputs: 1 5 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int *row = malloc(n * sizeof *row);
  if (row == NULL) {
    return 1;
  }
  for (int i = 0; i < n; i++) {
    row[i] = __VERIFIER_nondet_int();
  }
  unsigned sum = 0;
  for (int i = n; i >= 0; i--) {
    sum += (unsigned)row[i];
  }
  free(row);
  return sum == 0;
}

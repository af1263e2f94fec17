/* A row of measurements; the program ends at one that cannot be, with the row in hand.
 * Broken: one measurement more than there is room for.
 * Fails with inputs: 1 5 5 */
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
  for (int i = 0; i <= n; i++) {
    row[i] = __VERIFIER_nondet_int();
    if (row[i] < 0) {
      exit(1);
    }
  }
  free(row);
  return 0;
}

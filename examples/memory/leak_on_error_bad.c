/* All memory is given back, also if the work ends early.
 * Broken: the early return forgets the second buffer.
 * Fails with inputs: -1 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int work(int n) {
  int *numbers = malloc(4 * sizeof *numbers);
  int *squares = malloc(4 * sizeof *squares);
  if (numbers == NULL || squares == NULL || n < 0) {
    free(numbers);
    return -1;
  }
  for (int i = 0; i < 4; i++) {
    numbers[i] = i + n % 10;
    squares[i] = numbers[i] * numbers[i];
  }
  int result = squares[3];
  free(numbers);
  free(squares);
  return result;
}

int main(void) {
  return work(__VERIFIER_nondet_int()) > 0;
}

/* A difference engine: third powers by additions alone. Each register is a polynomial of the number of turns. */
#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
  short last = __VERIFIER_nondet_short();
  long long n = 0, cube = 0, first = 1, second = 6;
  while (n <= last) {
    assert(first == 3 * n * n + 3 * n + 1);
    assert(cube == n * n * n);
    cube += first;
    first += second;
    second += 6;
    n++;
  }
  assert(second == 6 * n + 6);
  return 0;
}

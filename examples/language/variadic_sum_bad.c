/* A function with a variable number of arguments adds them up.
 * Broken: the count given is one too small.
 * Fails with inputs: 1 2 3 */
#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static long add_up(int n, ...) {
  va_list list;
  long sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    sum += va_arg(list, int);
  }
  va_end(list);
  return sum;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  if (add_up(2, a, b, c) != (long)a + b + c) {
    reach_error();
  }
  return 0;
}

// expect: true  monitor: library.mon  machine: lp64
#include <stdlib.h>
#include <string.h>
extern long __VERIFIER_nondet_long(void);

int main(void) {
  const char *s = "abc";
  long n = __VERIFIER_nondet_long();
  if (n > 3) s = 0;
  if (n < -100) return 1;
  void *p = malloc(8);
  size_t k = s ? strlen(s) + (size_t)labs(n) : 0;
  if (n != 2) free(p);
  if (n == 2) free(p);
  return k > 3;
}

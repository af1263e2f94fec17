/* Elements copied by the library: wrong: one element too few.
 * Fails with inputs: 1 5 */
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = 0;
  }
  memcpy(b, a, (n - 1) * sizeof *a);
  for (int i = 0; i < n; i++)
    if (!(a[i] == b[i])) {
      reach_error();
    }
  return 0;
}

/* Elements on the heap: wrong: the check goes on from the wrong value.
 * Fails with inputs: 1 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  unsigned *a = malloc(n * sizeof *a);
  if (!a) return 0;
  for (int i = 0; i < n; i++) a[i] = 0x81u;
  for (int i = 0; i < n; i++)
    if (!(a[i] == 0x80u)) {
      reach_error();
    }
  free(a);
  return 0;
}

/* A block made smaller keeps its front, so what comes in is still there. One number of 2^32 is not wanted.
 * Fails with inputs: 7 */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int *p = malloc(4 * sizeof *p);
  if (!p) return 0;
  for (int i = 0; i < 4; i++) p[i] = i == 1 ? n : i;
  p = realloc(p, 2 * sizeof *p);
  if (!p) return 0;
  if (p[0] != 0 || p[1] == 7) reach_error();
  free(p);
  return 0;
}

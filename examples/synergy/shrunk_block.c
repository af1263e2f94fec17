/* A block made smaller keeps its front. How many bytes are copied is a number of the run, which formulas of blocks do not follow; tests do, and here
 * few tests are all there are. */
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
  if (p[0] != 0 || p[1] != n) reach_error();
  free(p);
  return 0;
}

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int off = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000) return 0;
  if (off < 0 || off > 100) return 0;

  int *from = malloc(n * sizeof *from);
  int *to = calloc(n + off, sizeof *to);
  if (!from || !to) { free(from); free(to); return 0; }

  for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) to[i + off] = from[i];

  for (int i = 0; i < off; i++) assert(to[i] == 0);
  for (int i = 0; i < n; i++) assert(to[off + i] == from[i]);
  free(from);
  free(to);
  return 0;
}

/* A buffer is freed on exactly one of the paths.
 * Broken: the error path frees what the end frees again.
 * Fails with inputs: 200 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int fill(char *buffer, int n) {
  for (int i = 0; i < 8; i++) {
    buffer[i] = (char)n;
  }
  return n < 100;
}

int main(void) {
  char *buffer = malloc(8);
  if (buffer == NULL) {
    return 1;
  }
  int status = 0;
  if (!fill(buffer, __VERIFIER_nondet_int())) {
    free(buffer);
    status = 1;
  }
  free(buffer);
  return status;
}

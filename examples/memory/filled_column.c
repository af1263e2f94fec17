/* A column knows how long it is, and is filled through a pointer to it. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct column {
  long *at;
  size_t n;
};

static void fill(struct column *c, long value) {
  for (size_t i = 0; i < c->n; i++) {
    c->at[i] = value;
  }
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 5000) {
    return 0;
  }
  struct column *c = malloc(sizeof *c);
  if (c == NULL) {
    return 1;
  }
  c->n = n;
  c->at = malloc(n * sizeof *c->at);
  if (c->at != NULL) {
    fill(c, 7);
  }
  free(c->at);
  free(c);
  return 0;
}

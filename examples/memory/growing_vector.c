/* A vector doubles its room before an element is added. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector {
  int *at;
  unsigned n, room;
};

static int push(struct vector *v, int x) {
  if (v->n == v->room) {
    unsigned room = v->room ? 2 * v->room : 1;
    int *bigger = realloc(v->at, room * sizeof *bigger);
    if (bigger == NULL) {
      return 0;
    }
    v->at = bigger;
    v->room = room;
  }
  v->at[v->n++] = x;
  return 1;
}

int main(void) {
  struct vector v = {NULL, 0, 0};
  int n = __VERIFIER_nondet_int();
  if (n > 4) {
    return 0;
  }
  for (int i = 0; i < n && push(&v, i); i++) {
  }
  free(v.at);
  return 0;
}

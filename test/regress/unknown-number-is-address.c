// expect: unknown  property: unreach-call  machine: lp64  cause: what malloc gives was taken to hold no address: memory that is used again does
#include <stdlib.h>

void reach_error(void) { abort(); }

struct node {
  long a, b;
  struct node *next;
};

int main(void) {
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
  x->next = y;
  free(y);
  free(x);
  struct node *q = malloc(sizeof *q), *r = malloc(sizeof *r);
  if (q->next == r) {
    reach_error();
  }
  return 0;
}

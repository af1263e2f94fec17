/* A list of any length ends: the property has a name in lib/spec/tp_shape.h. */
#include <stdlib.h>

#include "../../lib/spec/tp_shape.h"

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct node {
  struct node *next;
};

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    list = fresh;
  }
  TP_MUST_BE_ACYCLIC(struct node, list, next);
  return 0;
}

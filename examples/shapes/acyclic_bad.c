/* A list of any length ends: the property has a name in lib/spec/tp_shape.h.
 * Broken: the first cell leads to itself.
 * Fails with inputs: 1, 0 */
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
    fresh->next = list ? list : fresh;
    list = fresh;
  }
  TP_MUST_BE_ACYCLIC(struct node, list, next);
  return 0;
}

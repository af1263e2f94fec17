/* The first cell with a value leaves the list and is freed. */
#include "list.h"

int main(void) {
  x = any_list();
  int value = __VERIFIER_nondet_int();
  struct node *before = NULL;
  for (struct node *e = x; e; before = e, e = e->n) {
    if (e->data != value) continue;
    if (before) before->n = e->n;
    else x = e->n;
    free(e);
    return 0;
  }
  return 0;
}

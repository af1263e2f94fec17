/* A value is looked for. */
#include "list.h"

int main(void) {
  x = any_list();
  int value = __VERIFIER_nondet_int();
  struct node *e = x;
  while (e && e->data != value) e = e->n;
  return e != NULL;
}

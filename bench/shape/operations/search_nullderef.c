/* A value is looked for, but the loop asks about the wrong variable: fails where the list does not have it. */
#include "list.h"

int main(void) {
  x = any_list();
  int value = __VERIFIER_nondet_int();
  struct node *e = x;
  while (x) {
    if (e->data == value) return 1;
    e = e->n;
  }
  return 0;
}

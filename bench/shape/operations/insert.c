/* A cell is put before the first one that is larger. */
#include "list.h"

int main(void) {
  x = any_list();
  int value = __VERIFIER_nondet_int();
  struct node *e = x, *before = NULL;
  while (e && e->data <= value) {
    before = e;
    e = e->n;
  }
  struct node *fresh = malloc(sizeof *fresh);
  fresh->data = value;
  fresh->n = e;
  if (e == x) x = fresh;
  else before->n = fresh;
  return 0;
}

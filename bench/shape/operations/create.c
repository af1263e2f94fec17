/* Any number of cells is put before a list. */
#include "list.h"

int main(void) {
  x = any_list();
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->n = x;
    x = fresh;
  }
  return 0;
}

/* A list is turned round in place. */
#include "list.h"

int main(void) {
  x = any_list();
  y = NULL;
  while (x) {
    struct node *before = y;
    y = x;
    x = x->n;
    y->n = before;
  }
  return 0;
}

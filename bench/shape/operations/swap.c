/* The first two cells change places. */
#include "list.h"

int main(void) {
  x = any_list();
  if (!x || !x->n) return 0;
  struct node *first = x;
  x = x->n;
  first->n = x->n;
  x->n = first;
  return 0;
}

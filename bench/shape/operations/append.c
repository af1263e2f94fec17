/* The list y is put behind the last cell of x. */
#include "list.h"

int main(void) {
  x = any_list();
  y = any_list();
  if (!x) return 0;
  struct node *last = NULL;
  for (struct node *e = x; e; e = e->n) last = e;
  last->n = y;
  y = NULL;
  return 0;
}

/* The last cell is looked for. */
#include "list.h"

int main(void) {
  x = any_list();
  struct node *last = NULL;
  for (struct node *e = x; e; e = e->n) last = e;
  return last != NULL;
}

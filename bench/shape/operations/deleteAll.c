/* Every cell is freed. */
#include "list.h"

int main(void) {
  x = any_list();
  while (x) {
    struct node *e = x;
    x = x->n;
    free(e);
  }
  return 0;
}

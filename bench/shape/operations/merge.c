/* Two lists become one, always by the smaller of their first cells. */
#include "list.h"

int main(void) {
  x = any_list();
  y = any_list();
  struct node *p = x, *q = y;
  if (!p || !q) return 0;
  if (p->data < q->data) {
    x = p;
    p = p->n;
  } else {
    x = q;
    q = q->n;
  }
  y = NULL;
  struct node *last = x;
  while (p && q) {
    if (p->data < q->data) {
      last->n = p;
      p = p->n;
    } else {
      last->n = q;
      q = q->n;
    }
    last = last->n;
  }
  last->n = p ? p : q;
  return 0;
}

// expect: false(valid-memtrack)  property: valid-memsafety  machine: lp64  cause: a temporary kept a lost block reachable
#include <stdlib.h>
struct node {
  struct node *next;
  int *data;
};
int main(void) {
  struct node *head = malloc(sizeof *head);
  head->data = malloc(sizeof(int));
  struct node *next = head;
  free(next);
  head = 0;
  next = 0;
  return 0;
}

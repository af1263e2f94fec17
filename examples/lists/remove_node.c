/* Removing a node from a doubly linked list relinks both neighbours and frees it once. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *previous, *next;
};

static struct node *first;

static void unlink_node(struct node *n) {
  if (n->previous != NULL) {
    n->previous->next = n->next;
  } else {
    first = n->next;
  }
  if (n->next != NULL) {
    n->next->previous = n->previous;
  }
  free(n);
}

int main(void) {
  struct node *all[3];
  int which = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) {
    all[i] = malloc(sizeof(struct node));
    if (all[i] == NULL) {
      abort();
    }
    all[i]->previous = i > 0 ? all[i - 1] : NULL;
    all[i]->next = NULL;
    if (i > 0) {
      all[i - 1]->next = all[i];
    }
  }
  first = all[0];
  if (which >= 0 && which < 3) {
    unlink_node(all[which]);
  }
  while (first != NULL) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}

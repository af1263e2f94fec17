/* Nodes of a list know who comes before them, but nobody goes that way: a list of any length is built and given back.
 * Broken: the node behind is told of its neighbour after it was given back.
 * Fails with inputs: 1 1 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next, *prev;
  int data;
};

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->prev = NULL;
    fresh->data = 1;
    if (list != NULL) list->prev = fresh;
    list = fresh;
  }
  while (list != NULL) {
    struct node *rest = list->next;
    free(list);
    if (rest != NULL) rest->prev->next = NULL;
    list = rest;
  }
  return 0;
}

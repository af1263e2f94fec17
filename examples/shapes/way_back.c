/* Nodes of a list know who comes before them, but nobody goes that way: a list of any length is built and given back. */
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
    list = rest;
  }
  return 0;
}

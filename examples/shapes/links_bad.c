/* Nodes are inserted in order, by a pointer that walks from link to link.
 * Broken: nobody asks whether there is a next node.
 * Fails with inputs: 1 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int data;
  struct node *next;
};

static struct node *list;

static void insert(struct node **at, int data) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->data = data;
  while ((*at)->data < data) at = &(*at)->next;
  fresh->next = *at;
  *at = fresh;
}

int main(void) {
  while (__VERIFIER_nondet_int()) insert(&list, __VERIFIER_nondet_int());
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
